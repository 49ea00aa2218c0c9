// SPDX-License-Identifier: GPL-3.0-or-later

/// Pixels as a picture file.
public enum PixelImage {
  /// - Parameter pixels: red, green and blue, 8 bits each, row by row from the top left:
  ///   `3 x width x height` bytes.
  /// - Throws: ``ExchangeError/unsuitablePictureSize(width:height:limit:)``,
  ///   ``ExchangeError/cairo(call:status:text:)``.
  public static func png(
    _ pixels: [UInt8], width: Int, height: Int
  ) throws(ExchangeError) -> [UInt8] {
    let limit = CairoCanvas.longestSide
    guard (1...limit).contains(width), (1...limit).contains(height) else {
      throw .unsuitablePictureSize(width: width, height: height, limit: limit)
    }
    precondition(pixels.count == 3 * width * height)
    let canvas = try CairoCanvas(.png, width: width, height: height)
    canvas.setPixels(pixels, width: width, height: height)
    return try canvas.finish()
  }
}
