// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// What an alignment says of itself, for people, and what it was made from.
public struct AlignmentJudgement: Hashable, Sendable, Codable {
  /// Why it may all be wrong; nil where nothing speaks against it.
  public var doubt: Remark?
  /// Whether a person took one that was doubted; a doubt is then no reason against mending it.
  public var isTakenInDoubt: Bool
  /// What else is worth knowing.
  public var remarks: [Remark]
  /// What a person said of the recording; nil where that is not known.
  public var request: Request?
  /// What was said of parts of it that were aligned by themselves since then; of two that overlap, the later one counts.
  public var parts: [Request]
  /// The version of the acoustic weights that the confidences come from; nil where that is not known.
  public var acousticVersion: UInt32?

  public init(
    doubt: Remark? = nil, isTakenInDoubt: Bool = false, remarks: [Remark] = [],
    request: Request? = nil, parts: [Request] = [], acousticVersion: UInt32? = nil
  ) {
    self.doubt = doubt
    self.isTakenInDoubt = isTakenInDoubt
    self.remarks = remarks
    self.request = request
    self.parts = parts
    self.acousticVersion = acousticVersion
  }

  /// No assignment is surer than this where the text is doubted: it is reviewed, and not confirmed with the sure ones.
  public static let greatestDoubted = 0.5

  /// Whether there is nothing for people to know.
  public var isEmpty: Bool { doubt == nil && remarks.isEmpty }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      doubt: try values.decodeIfPresent(Remark.self, forKey: .doubt),
      isTakenInDoubt: try values.decode(Bool.self, forKey: .isTakenInDoubt),
      remarks: try values.decode([Remark].self, forKey: .remarks),
      request: try values.decodeIfPresent(Request.self, forKey: .request),
      // Judgements of before parts were kept have none.
      parts: try values.decodeIfPresent([Request].self, forKey: .parts) ?? [],
      acousticVersion: try values.decodeIfPresent(UInt32.self, forKey: .acousticVersion))
  }
}

extension AlignmentJudgement {
  /// A sentence for people, and a stable word for programs.
  public struct Remark: Hashable, Sendable {
    /// Nil where none was kept.
    public var code: String?
    public var text: String
    /// Where in the recording it is of, in seconds; nil where it is of all of it, or that is not known.
    public var seconds: Double?

    public init(code: String? = nil, text: String, seconds: Double? = nil) {
      self.code = code
      self.text = text
      self.seconds = seconds
    }
  }
}

extension AlignmentJudgement {
  /// Codes of what is known of how the start was found.
  public enum StartCode: String, CaseIterable, Sendable {
    case assumed = "assumed_start"
    case chosen = "chosen_start"
    case noPlace = "no_place"
    case manyPlaces = "many_places"
    case beginsOutside = "begins_outside"

    /// Whether it speaks against the start.
    public var isDoubt: Bool { self != .assumed && self != .chosen }
  }
}

extension AlignmentJudgement.Remark {
  public var startCode: AlignmentJudgement.StartCode? {
    code.flatMap(AlignmentJudgement.StartCode.init(rawValue:))
  }
}

extension AlignmentJudgement.Remark: Codable {
  private enum CodingKeys: String, CodingKey { case code, text, seconds }

  /// Reads a text alone too, which is how remarks were kept at first.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text: text)
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      code: try values.decodeIfPresent(String.self, forKey: .code),
      text: try values.decode(String.self, forKey: .text),
      seconds: try values.decodeIfPresent(Double.self, forKey: .seconds))
  }

  /// One that is a text alone is kept as it was read.
  public func encode(to encoder: any Encoder) throws {
    guard code != nil || seconds != nil else {
      var value = encoder.singleValueContainer()
      return try value.encode(text)
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(code, forKey: .code)
    try values.encode(text, forKey: .text)
    try values.encodeIfPresent(seconds, forKey: .seconds)
  }
}

extension AlignmentJudgement {
  /// What a person said of a recording before it was aligned.
  public struct Request: Hashable, Sendable {
    /// What was aligned of the recording, half-open.
    public var span: Range<FramePosition>
    /// The first ayah recited; in a prayer the first after al-Fatiha.
    public var first: AyahReference
    /// The last, nil when nobody knows.
    public var last: AyahReference?
    public var prayer: Prayer

    public init(
      span: Range<FramePosition>, first: AyahReference, last: AyahReference? = nil,
      prayer: Prayer = .none
    ) {
      self.span = span
      self.first = first
      self.last = last
      self.prayer = prayer
    }
  }

  /// Kinds of prayer whose structure is known.
  public enum Prayer: String, Hashable, Sendable, CaseIterable, Codable { case none, taraweeh }
}

extension AlignmentJudgement.Request: Codable {
  private enum CodingKeys: String, CodingKey { case start, end, first, last, prayer }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let start = try values.decode(FramePosition.self, forKey: .start)
    let end = try values.decode(FramePosition.self, forKey: .end)
    guard start <= end else { throw values.corrupted(.end, "it ends before it starts") }
    let hasLast = values.contains(.last)
    self.init(
      span: start..<end, first: try values.decode(AyahReference.self, forKey: .first),
      last: hasLast ? try values.decode(AyahReference.self, forKey: .last) : nil,
      prayer: try values.decode(AlignmentJudgement.Prayer.self, forKey: .prayer))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(span.lowerBound, forKey: .start)
    try values.encode(span.upperBound, forKey: .end)
    try values.encode(first, forKey: .first)
    if let last { try values.encode(last, forKey: .last) }
    try values.encode(prayer, forKey: .prayer)
  }
}
