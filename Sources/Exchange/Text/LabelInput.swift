// SPDX-License-Identifier: GPL-3.0-or-later

/// A file of labels, read once from its start, a piece at a time, so that memory does not grow with the file.
public final class LabelInput {
  /// Bytes of a piece, unless the caller chooses otherwise.
  public static let pieceSize = 1 << 16

  private let read: (Int) throws(ExchangeError) -> [UInt8]
  /// Read ahead by ``beginning(_:)``.
  private var ahead: [UInt8] = []
  /// Bytes given so far.
  private(set) var count = 0

  /// - Parameter read: gives the next bytes, at most as many as it is asked for, and none at the end of the file.
  public init(read: @escaping (Int) throws(ExchangeError) -> [UInt8]) { self.read = read }

  /// A file that is in memory already.
  public convenience init(_ bytes: [UInt8], pieceSize: Int = pieceSize) {
    var rest = bytes[...]
    self.init { (count) throws(ExchangeError) in
      let piece = rest.prefix(min(count, pieceSize))
      rest = rest.dropFirst(piece.count)
      return Array(piece)
    }
  }

  /// As if that many bytes had been given already; for tests of the limit.
  func startCounting(at count: Int) { self.count = count }

  /// The first bytes, which will be read again; fewer where the file is shorter. Only before anything else is read.
  public func beginning(_ size: Int) throws(ExchangeError) -> [UInt8] {
    while ahead.count < size {
      let piece = try read(size - ahead.count)
      if piece.isEmpty { break }
      ahead += piece
    }
    return Array(ahead.prefix(size))
  }

  /// The next bytes; empty at the end.
  ///
  /// - Throws: ``ExchangeError/tooMuch(_:_:at:)`` beyond ``LabelLimit/fileSize``.
  func piece(for format: LabelFormat) throws(ExchangeError) -> [UInt8] {
    var piece = ahead
    ahead = []
    if piece.isEmpty { piece = try read(Self.pieceSize) }
    count += piece.count
    guard count <= LabelLimit.fileSize.value else {
      throw .tooMuch(.fileSize, format, at: .wholeFile)
    }
    return piece
  }
}

/// The most that a file of labels may hold; more is refused, so that no file takes all memory or time.
public enum LabelLimit: CaseIterable, Hashable, Sendable {
  case fileSize, labels, tiers, text, xmlDepth, jsonDepth

  /// Bytes for ``fileSize`` and ``text``, else a count.
  public var value: Int {
    switch self {
    case .fileSize: 512 << 20
    // The whole Quran has 77,430 words and 6236 ayat.
    case .labels: 250_000
    case .tiers: 1000
    // The whole Quran in Arabic has 0.7 MiB without its signs, and 1.3 MiB with them; no note is longer.
    case .text: 1 << 20
    // ELAN needs 5, the JSON of `auto-detect` 6.
    case .xmlDepth: 32
    case .jsonDepth: 64
    }
  }

  /// What is wrong and what to do about it.
  var explanation: String {
    switch self {
    case .fileSize: "larger than \(value >> 20) MiB; split the file"
    case .labels:
      "more than \(value) labels; split the file, or remove the tiers that are not needed"
    case .tiers: "more than \(value) tiers; remove the tiers that are not needed"
    case .text: "a line, text or tag longer than \(value >> 20) MiB; shorten it"
    case .xmlDepth: "elements nested more than \(value) deep; remove the nested elements"
    case .jsonDepth: "nested more than \(value) deep; remove the nested values"
    }
  }
}

/// Counts the labels of a file up to the limit.
struct LabelCounter {
  /// As if that many labels had been read already; for tests of the limit.
  @TaskLocal static var start = 0

  let format: LabelFormat
  private(set) var count = Self.start

  init(_ format: LabelFormat) { self.format = format }

  mutating func add(at place: TextPlace) throws(ExchangeError) {
    count += 1
    guard count <= LabelLimit.labels.value else { throw .tooMuch(.labels, format, at: place) }
  }
}
