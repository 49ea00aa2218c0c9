// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Thumbnails in a file of the cache, `{key}-thumbnails.bin`, little endian:
///
/// | bytes | what |
/// |---|---|
/// | 0 | `TILAWATN` |
/// | 8 | version, UInt32 |
/// | 12 | sample rate, UInt32 |
/// | 16 | length of the sound in frames, Int64 |
/// | 24 | key of the source, 16 bytes |
/// | 40 | entries, UInt32 |
/// | 44 | for each: index UInt32, position Int64, width and height UInt16 (0: no frame there), RGB |
/// | last 16 | hash of everything before |
///
/// What is damaged, of another version or of another recording is as good as none.
public struct ThumbnailFile: Sendable {
  public let path: String
  private let key: [UInt8]

  private static let magic = Array("TILAWATN".utf8)
  /// Goes up with the layout, and whenever the same video would give other pictures.
  private static let version: UInt32 = 1
  private static let headerLength = 44
  private static let entryLength = 16
  private static let maxLength =
    headerLength + CacheFile.hashLength
    + ThumbnailPlan.maxCount
    * (entryLength + 3 * ThumbnailPlan.request.width * ThumbnailPlan.request.height)

  /// - Parameter key: the source's `contentKey`, 16 bytes.
  public init(path: String, key: [UInt8]) {
    self.path = path
    self.key = key
  }

  /// What is kept; nil where nothing is that can be used.
  public func read(_ plan: ThumbnailPlan) -> Thumbnails? {
    CacheFile.read(path, atMost: Self.maxLength).flatMap { decode($0, plan) }
  }

  /// Keeps them in place of what was kept. A cache that cannot be written is none.
  public func write(_ thumbnails: Thumbnails) {
    CacheFile.write(encode(thumbnails), to: path)
  }

  func encode(_ thumbnails: Thumbnails) -> [UInt8] {
    let plan = thumbnails.plan
    var bytes = Self.magic
    bytes.reserveCapacity(Self.maxLength / ThumbnailPlan.maxCount * (plan.count + 1))
    bytes.put(Self.version)
    bytes.put(UInt32(plan.rate.hertz))
    bytes.put(plan.length.frames)
    bytes += key
    bytes.put(UInt32(thumbnails.pictures.count))
    for (index, picture) in thumbnails.pictures.sorted(by: { $0.key < $1.key }) {
      bytes.put(UInt32(index))
      bytes.put(picture?.position.frames ?? 0)
      bytes.put(UInt16(picture?.width ?? 0))
      bytes.put(UInt16(picture?.height ?? 0))
      bytes += picture?.pixels ?? []
    }
    return CacheFile.sealed(bytes)
  }

  func decode(_ bytes: [UInt8], _ plan: ThumbnailPlan) -> Thumbnails? {
    guard bytes.count <= Self.maxLength, let content = CacheFile.opened(bytes, magic: Self.magic)
    else { return nil }
    var rest = content
    guard rest.take(UInt32.self) == Self.version,
      rest.take(UInt32.self) == UInt32(plan.rate.hertz),
      rest.take(Int64.self) == plan.length.frames, key.count == 16, rest.starts(with: key)
    else { return nil }
    rest = rest.dropFirst(key.count)
    guard let count = rest.take(UInt32.self), count <= plan.count else { return nil }
    var thumbnails = Thumbnails(plan)
    for _ in 0..<count {
      guard let index = rest.take(UInt32.self), index < plan.count,
        let position = rest.take(Int64.self), let width = rest.take(UInt16.self),
        let height = rest.take(UInt16.self), (width == 0) == (height == 0),
        Int(width) <= ThumbnailPlan.request.width, Int(height) <= ThumbnailPlan.request.height
      else { return nil }
      let size = 3 * Int(width) * Int(height)
      guard rest.count >= size else { return nil }
      thumbnails.set(
        Int(index),
        size == 0
          ? nil
          : VideoPicture(
            position: FramePosition(position), width: Int(width), height: Int(height),
            pixels: Array(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    return rest.isEmpty ? thumbnails : nil
  }
}
