// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// What a detector or an aligner found in a span, to take the place of what was suggested there.
public struct Suggestions: Hashable, Sendable {
  /// Where it looked; half-open.
  public let range: Range<FramePosition>
  /// What is heard where the range begins. When it is given, a marker on its first frame stays.
  public let opening: Attribution?
  public let boundaries: [Boundary]
  /// When words are heard, in any order; nil where nobody listened for them, and those known stay.
  public let words: [TimedWord]?

  /// A marker, and what is heard from there on.
  public struct Boundary: Hashable, Sendable, Codable {
    public let marker: Marker
    public let attribution: Attribution?

    public init(_ marker: Marker, _ attribution: Attribution? = nil) {
      self.marker = marker
      self.attribution = attribution
    }

    private enum CodingKeys: String, CodingKey { case marker, attribution }
  }

  public init(
    in range: Range<FramePosition>, opening: Attribution? = nil, _ boundaries: [Boundary],
    words: [TimedWord]? = nil
  ) {
    self.range = range
    self.opening = opening
    self.boundaries = boundaries
    self.words = words
  }

  /// No suggestion is taken nearer than this to a marker that stays, in seconds.
  public static let clearance = 0.5
}

extension Suggestions: Codable {
  private enum CodingKeys: String, CodingKey { case start, end, opening, boundaries, words }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let start = try values.decode(FramePosition.self, forKey: .start)
    let end = try values.decode(FramePosition.self, forKey: .end)
    guard start <= end else { throw values.corrupted(.end, "the range ends before it starts") }
    self.init(
      in: start..<end,
      opening: try values.decodeIfPresent(Attribution.self, forKey: .opening),
      try values.decode([Boundary].self, forKey: .boundaries),
      words: try values.decodeIfPresent([TimedWord].self, forKey: .words))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(range.lowerBound, forKey: .start)
    try values.encode(range.upperBound, forKey: .end)
    try values.encodeIfPresent(opening, forKey: .opening)
    try values.encode(boundaries, forKey: .boundaries)
    try values.encodeIfPresent(words, forKey: .words)
  }
}
