// SPDX-License-Identifier: GPL-3.0-or-later

/// Paths, which on Linux are any bytes, as texts, which are Unicode.
///
/// A byte that is not part of UTF-8 becomes a character of its own, U+10FF00 plus the byte (U+10FF80...U+10FFFF,
/// for private use), and becomes that byte again where the system is given the path. So every path survives
/// as a text, in databases, settings and results too; only names that hold those very characters cannot be named.
extension String {
  private static let firstByteScalar: UInt32 = 0x10FF00
  private static let byteScalars: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  /// A path as the system gives it, ended by a zero.
  public init(diskName: UnsafePointer<CChar>) {
    if let text = String(validatingCString: diskName) {
      self = text
    } else {
      var bytes: [UInt8] = []
      var next = diskName
      while next.pointee != 0 {
        bytes.append(UInt8(bitPattern: next.pointee))
        next += 1
      }
      self.init(diskName: bytes)
    }
  }

  /// A path as bytes.
  public init(diskName bytes: [UInt8]) {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while !rest.isEmpty {
      var parser = Unicode.UTF8.ForwardParser()
      var iterator = rest.makeIterator()
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        text.append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) {
          Unicode.Scalar(Self.firstByteScalar + UInt32(byte)).map { text.append($0) }
        }
        rest = rest.dropFirst(length)
      case .emptyInput: rest = []
      }
    }
    self.init(text)
  }

  /// The bytes of a path, without a zero at the end.
  public var diskBytes: [UInt8] {
    guard hasDiskBytes else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      Self.byteScalars.contains(scalar.value)
        ? [UInt8(scalar.value - Self.firstByteScalar)] : Array(String(scalar).utf8)
    }
  }

  /// The bytes of a path as the system takes them, ended by a zero.
  public var diskName: [CChar] { diskBytes.map { CChar(bitPattern: $0) } + [0] }

  /// Whether there is a byte in the path that is not part of UTF-8.
  public var hasDiskBytes: Bool {
    unicodeScalars.contains { Self.byteScalars.contains($0.value) }
  }

  /// The path for people, with U+FFFD for each byte that is not part of UTF-8.
  public var legibleName: String {
    guard hasDiskBytes else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      text.append(Self.byteScalars.contains(scalar.value) ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}
