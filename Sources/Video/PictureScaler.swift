// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import CSwscale

/// Makes of decoded frames pictures of the size that is wanted.
final class PictureScaler {
  private var context: OpaquePointer?

  deinit { sws_freeContext(context) }

  /// - Parameter rotation: degrees clockwise to turn it, a multiple of 90.
  /// - Returns: nil for a frame in a format that cannot be converted.
  func picture(
    of decoded: DecodedFrame, turned rotation: Int, as request: PictureRequest
  ) -> VideoPicture? {
    let frame = decoded.pointer
    let isTurned = rotation % 180 != 0
    let aspect = frame.pointee.sample_aspect_ratio
    let stretch = aspect.num > 0 && aspect.den > 0 ? Double(aspect.num) / Double(aspect.den) : 1
    let (wide, high) = (Double(frame.pointee.width) * stretch, Double(frame.pointee.height))
    guard wide >= 1, high >= 1 else { return nil }
    var placed = request.placement(ofWidth: isTurned ? high : wide, height: isTurned ? wide : high)
    if isTurned {
      swap(&placed.width, &placed.height)
      swap(&placed.columns, &placed.rows)
      swap(&placed.left, &placed.top)
    }
    guard let pixels = scale(frame, placed) else { return nil }
    let upright = Self.turn(pixels, width: placed.width, height: placed.height, by: rotation)
    return VideoPicture(
      position: decoded.position, width: isTurned ? placed.height : placed.width,
      height: isTurned ? placed.width : placed.height, pixels: upright)
  }

  private func scale(
    _ frame: UnsafeMutablePointer<AVFrame>, _ placed: PictureRequest.Placement
  ) -> [UInt8]? {
    guard let cut = av_frame_clone(frame) else { return nil }
    defer {
      var done: UnsafeMutablePointer<AVFrame>? = cut
      av_frame_free(&done)
    }
    let (wide, high) = (Double(frame.pointee.width), Double(frame.pointee.height))
    cut.pointee.crop_left += Int(placed.left * wide)
    cut.pointee.crop_right += Int((1 - placed.left - placed.columns) * wide)
    cut.pointee.crop_top += Int(placed.top * high)
    cut.pointee.crop_bottom += Int((1 - placed.top - placed.rows) * high)
    guard av_frame_apply_cropping(cut, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else {
      return nil
    }
    let isSmaller = placed.width < Int(cut.pointee.width)
    context = sws_getCachedContext(
      context, cut.pointee.width, cut.pointee.height, AVPixelFormat(cut.pointee.format),
      Int32(placed.width), Int32(placed.height), AV_PIX_FMT_RGB24,
      isSmaller ? tilawa_SWS_AREA : tilawa_SWS_BILINEAR, nil, nil, nil)
    guard let context else { return nil }
    let space = Int32(cut.pointee.colorspace.rawValue)
    let isFull: Int32 = cut.pointee.color_range == AVCOL_RANGE_JPEG ? 1 : 0
    // -1 for formats that have no such thing.
    _ = sws_setColorspaceDetails(
      context, sws_getCoefficients(space), isFull, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
      1 << 16, 1 << 16)
    // Vectors may write past the end of a row.
    let stride = (3 * placed.width + 63) / 64 * 64
    var rows = [UInt8](repeating: 0, count: stride * placed.height + 64)
    let done = rows.withUnsafeMutableBufferPointer { buffer in
      withUnsafePointer(to: &cut.pointee.data) { data in
        data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 8) { planes in
          withUnsafePointer(to: &cut.pointee.linesize) { sizes in
            sizes.withMemoryRebound(to: Int32.self, capacity: 8) { sizes in
              var target: UnsafeMutablePointer<UInt8>? = buffer.baseAddress
              var targetStride = Int32(stride)
              return sws_scale(
                context, planes, sizes, 0, cut.pointee.height, &target, &targetStride)
            }
          }
        }
      }
    }
    guard Int(done) == placed.height else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * placed.width * placed.height)
    for row in 0..<placed.height {
      pixels += rows[(row * stride)..<(row * stride + 3 * placed.width)]
    }
    return pixels
  }

  private static func turn(_ pixels: [UInt8], width: Int, height: Int, by degrees: Int) -> [UInt8] {
    guard degrees != 0 else { return pixels }
    var turned = [UInt8](repeating: 0, count: pixels.count)
    let newWidth = degrees == 180 ? width : height
    for row in 0..<height {
      for column in 0..<width {
        let (newColumn, newRow) =
          switch degrees {
          case 90: (height - 1 - row, column)
          case 180: (width - 1 - column, height - 1 - row)
          default: (row, width - 1 - column)
          }
        let (from, to) = (3 * (row * width + column), 3 * (newRow * newWidth + newColumn))
        for channel in 0..<3 { turned[to + channel] = pixels[from + channel] }
      }
    }
    return turned
  }
}
