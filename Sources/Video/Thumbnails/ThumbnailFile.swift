// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding
import Glibc

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
  private static let hashLength = 16
  private static let headerLength = 44
  private static let entryLength = 16
  private static let maxLength =
    headerLength + hashLength
    + ThumbnailPlan.maxCount
    * (entryLength + 3 * ThumbnailPlan.request.width * ThumbnailPlan.request.height)

  /// - Parameter key: the source's `contentKey`, 16 bytes.
  public init(path: String, key: [UInt8]) {
    self.path = path
    self.key = key
  }

  /// What is kept; nil where nothing is that can be used.
  public func read(_ plan: ThumbnailPlan) -> Thumbnails? {
    let descriptor = open(path.diskName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (Self.headerLength + Self.hashLength...Self.maxLength).contains(Int(status.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      done += count
    }
    return decode(bytes, plan)
  }

  /// Keeps them in place of what was kept. A cache that cannot be written is none.
  public func write(_ thumbnails: Thumbnails) {
    let bytes = encode(thumbnails)
    // A name of its own keeps two programs apart.
    let part = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
    let descriptor = open(part.diskName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    close(descriptor)
    if done < bytes.count || rename(part.diskName, path.diskName) != 0 { unlink(part.diskName) }
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
    return bytes + Self.hash(bytes[...])
  }

  func decode(_ bytes: [UInt8], _ plan: ThumbnailPlan) -> Thumbnails? {
    guard bytes.count >= Self.headerLength + Self.hashLength, bytes.count <= Self.maxLength else {
      return nil
    }
    let content = bytes.dropLast(Self.hashLength)
    guard bytes.starts(with: Self.magic), Self.hash(content) == Array(bytes.suffix(Self.hashLength))
    else { return nil }
    var rest = content.dropFirst(Self.magic.count)
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

  static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.digest()
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { self += $0 }
  }
}

extension ArraySlice<UInt8> {
  /// Takes a number from the front; nil where too little is left.
  fileprivate mutating func take<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = MemoryLayout<Value>.size
    guard count >= size else { return nil }
    let value = prefix(size).withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    self = dropFirst(size)
    return Value(littleEndian: value)
  }
}
