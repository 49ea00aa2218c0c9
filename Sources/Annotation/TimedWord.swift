// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// When a word of an ayah is heard.
public struct TimedWord: Hashable, Sendable {
  public var ayah: AyahReference
  /// From 1 on, as a whitespace token of the QPC Hafs text.
  public var number: Int
  /// From its first sound to its last, half-open.
  public var span: Range<FramePosition>

  public init(_ ayah: AyahReference, _ number: Int, _ span: Range<FramePosition>) {
    self.ayah = ayah
    self.number = number
    self.span = span
  }

  /// Whether the ayah has a word of that number.
  var exists: Bool { number >= 1 && number <= QuranSounds.wordCount(of: ayah) }

  /// Half of the word comes before it.
  var middle: FramePosition { span.lowerBound + FrameCount(span.length.frames / 2) }

  /// The same cut at the edges of a range in which its middle lies.
  func clipped(to range: Range<FramePosition>) -> TimedWord {
    TimedWord(ayah, number, span.clamped(to: range))
  }
}

/// `["2:5",1,44100,52920]`, in frames: a recording has thousands of them.
extension TimedWord: Codable {
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    let name = try values.decode(String.self)
    let number = try values.decode(Int.self)
    let start = FramePosition(try values.decode(Int64.self))
    let end = FramePosition(try values.decode(Int64.self))
    guard let ayah = AyahReference(name), start <= end else {
      throw DecodingError.dataCorruptedError(
        in: values, debugDescription: "not a word: \(name), \(start) to \(end)")
    }
    self.init(ayah, number, start..<end)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(ayah.description)
    try values.encode(number)
    try values.encode(span.lowerBound.frames)
    try values.encode(span.upperBound.frames)
  }
}

/// What an edit did to the words: the run that it replaced, and what stands there now.
public struct WordChange: Hashable, Sendable, Codable {
  public let old: [TimedWord]
  public let new: [TimedWord]

  /// Leaves out what both sides begin and end with; nil where nothing is left.
  init?(old: [TimedWord], new: [TimedWord]) {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let tails = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed())
    let suffix = tails.prefix { $0 == $1 }.count
    self.init(
      exactly: Array(old.dropFirst(prefix).dropLast(suffix)),
      Array(new.dropFirst(prefix).dropLast(suffix)))
    if self.old.isEmpty, self.new.isEmpty { return nil }
  }

  init(exactly old: [TimedWord], _ new: [TimedWord]) {
    self.old = old
    self.new = new
  }

  var inverse: WordChange { WordChange(exactly: new, old) }

  private enum CodingKeys: String, CodingKey { case old, new }
}
