// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Where a recording's thumbnails stand: one for each ten seconds, or farther apart in recordings of more than
/// four hours.
public struct ThumbnailPlan: Hashable, Sendable {
  /// Of the sound, in frames of the recording.
  public let length: FrameCount
  public let rate: SampleRate
  public let count: Int

  /// Seconds that a thumbnail stands for.
  static let spacing = 10.0
  /// Four hours of them: 22 MB at most.
  static let maxCount = 1440
  /// The room of each. It is a sixth of a frame's width of 640 pixels, the most that a picture is drawn in.
  static let request = PictureRequest(width: 96, height: 54)

  /// - Parameter length: of the sound; at least one frame is assumed.
  public init(length: FrameCount, rate: SampleRate) {
    self.length = max(length, FrameCount(1))
    self.rate = rate
    let wanted = (self.length.seconds(at: rate) / Self.spacing).rounded(.up)
    count = Int(min(max(wanted, 1), Double(Self.maxCount)))
  }

  /// The middle of the stretch that a thumbnail stands for.
  func position(_ index: Int) -> FramePosition {
    let share = (Double(index) + 0.5) / Double(count)
    return FramePosition(Int64(share * Double(length.frames)))
  }

  /// All indices, coarse steps first, so that a few of them show the whole recording.
  var order: [Int] {
    var step = 1
    while step < count { step *= 2 }
    var order: [Int] = [0]
    while step > 1 {
      order += stride(from: step / 2, to: count, by: step)
      step /= 2
    }
    return order
  }
}

/// The thumbnails of a recording, as far as they have been made.
public struct Thumbnails: Sendable {
  public let plan: ThumbnailPlan
  /// Nil inside: there is no frame there.
  private(set) var pictures: [Int: VideoPicture?] = [:]

  public init(_ plan: ThumbnailPlan) { self.plan = plan }

  /// How many have been made, those included that have no frame.
  public var count: Int { pictures.count }
  public var isEmpty: Bool { !pictures.values.contains { $0 != nil } }

  /// Those still to be made, the most useful first.
  public var missing: [Int] { plan.order.filter { pictures[$0] == nil } }

  public mutating func set(_ index: Int, _ picture: VideoPicture?) {
    pictures[index] = .some(picture)
  }

  /// Decodes one: the keyframe before the middle of its stretch.
  ///
  /// Blocks for about the time of one frame. A frame that is damaged leaves its place empty; throws where
  /// the file cannot be read.
  public mutating func make(_ index: Int, by reader: VideoReader) throws(VideoError) {
    let picture = try reader.keyframe(at: plan.position(index), as: ThumbnailPlan.request)
    pictures[index] = .some(picture)
  }

  /// The whole recording as a strip of pictures beside each other, each of the middle of its stretch; nil
  /// where there is none yet.
  ///
  /// - Parameter room: of the strip, in pixels.
  public func strip(_ room: PictureRequest) -> VideoPicture? {
    let known = known
    guard let first = known.first?.1 else { return nil }
    let aspect = Double(first.width) / Double(max(first.height, 1))
    let wide = max(Double(room.height) * aspect / room.pixelAspect, 1)
    let count = max(Int(Double(room.width) / wide), 1)
    var pixels = [UInt8](repeating: 0, count: 3 * room.width * room.height)
    for slot in 0..<count {
      let (start, end) = (slot * room.width / count, (slot + 1) * room.width / count)
      let middle = (Double(slot) + 0.5) / Double(count) * Double(plan.count) - 0.5
      guard let picture = Self.nearest(to: middle, in: known) else { continue }
      // A column between neighbours keeps them apart, where there are columns to spare.
      let columns = end - start > 16 ? start..<(end - 1) : start..<end
      picture.draw(
        into: &pixels, width: room.width, columns: columns, rows: 0..<room.height)
    }
    return VideoPicture(position: .zero, width: room.width, height: room.height, pixels: pixels)
  }

  /// Pictures one below the other, each whole and of the place nearest to a position; nil where there is none
  /// yet.
  ///
  /// - Parameter room: of all of them, in pixels.
  public func column(of positions: [FramePosition], _ room: PictureRequest) -> VideoPicture? {
    let known = known
    guard !known.isEmpty, !positions.isEmpty else { return nil }
    let height = room.height / positions.count
    let slot = PictureRequest(
      width: room.width, height: height, pixelAspect: room.pixelAspect, aspect: .fit)
    var pixels = [UInt8](repeating: 0, count: 3 * room.width * room.height)
    for (index, position) in positions.enumerated() where height > 0 {
      let share = Double(position.frames) / Double(plan.length.frames)
      guard let picture = Self.nearest(to: share * Double(plan.count) - 0.5, in: known) else {
        continue
      }
      let placed = slot.placement(
        ofWidth: Double(picture.width), height: Double(picture.height))
      let left = (room.width - placed.width) / 2
      let top = index * height + (height - placed.height) / 2
      picture.draw(
        into: &pixels, width: room.width, columns: left..<left + placed.width,
        rows: top..<top + placed.height)
    }
    return VideoPicture(position: .zero, width: room.width, height: room.height, pixels: pixels)
  }

  /// Those that have a frame, in order.
  private var known: [(Int, VideoPicture)] {
    pictures.compactMap { index, picture in picture.map { (index, $0) } }.sorted { $0.0 < $1.0 }
  }

  private static func nearest(to place: Double, in known: [(Int, VideoPicture)]) -> VideoPicture? {
    known.min { abs(Double($0.0) - place) < abs(Double($1.0) - place) }?.1
  }
}

extension VideoPicture {
  /// Writes it over a part of a larger picture: each pixel the mean of what it covers.
  fileprivate func draw(
    into target: inout [UInt8], width targetWidth: Int, columns: Range<Int>, rows: Range<Int>
  ) {
    guard !columns.isEmpty, !rows.isEmpty, width > 0, height > 0 else { return }
    func span(_ index: Int, of count: Int, _ size: Int) -> Range<Int> {
      let first = min(index * size / count, size - 1)
      return first..<max((index + 1) * size / count, first + 1)
    }
    let across = (0..<columns.count).map { span($0, of: columns.count, width) }
    for row in rows {
      let down = span(row - rows.lowerBound, of: rows.count, height)
      for (column, across) in across.enumerated() {
        var (red, green, blue) = (0, 0, 0)
        for y in down {
          for x in across {
            let place = 3 * (y * width + x)
            red += Int(pixels[place])
            green += Int(pixels[place + 1])
            blue += Int(pixels[place + 2])
          }
        }
        let count = across.count * down.count
        let place = 3 * (row * targetWidth + columns.lowerBound + column)
        target[place] = UInt8(red / count)
        target[place + 1] = UInt8(green / count)
        target[place + 2] = UInt8(blue / count)
      }
    }
  }
}
