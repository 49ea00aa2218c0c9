// SPDX-License-Identifier: GPL-3.0-or-later

/// A label as another program wrote it: a region of the recording with a text, or a point.
public struct Label: Hashable, Sendable {
  /// Seconds from the start of the recording.
  public var start: Double
  /// Seconds; nil for a point.
  public var end: Double?
  public var text: String
  /// Where in the file it stands.
  public var place: TextPlace
  /// Where in it ayat after the first begin, in seconds, as far as the format says so.
  public var joins: [Double]
  public var note: String
  public var isFlagged: Bool
  /// What it holds where the format says so apart from the text.
  var content: SpokenContent?

  public init(
    start: Double, end: Double? = nil, text: String, place: TextPlace, joins: [Double] = [],
    note: String = "", isFlagged: Bool = false
  ) {
    self.start = start
    self.end = end
    self.text = text
    self.place = place
    self.joins = joins
    self.note = note
    self.isFlagged = isFlagged
  }
}

/// Labels that belong together: a tier of Praat or ELAN, all labels of a simpler format.
public struct LabelTier: Hashable, Sendable {
  /// Empty where the format has no names.
  public var name: String
  public var labels: [Label]

  public init(name: String = "", labels: [Label]) {
    self.name = name
    self.labels = labels
  }
}

/// What a file of labels holds.
public struct LabelFile: Hashable, Sendable {
  public var tiers: [LabelTier]
  /// What had to be guessed or left out in reading.
  public var warnings: [ImportWarning]

  public init(tiers: [LabelTier], warnings: [ImportWarning] = []) {
    self.tiers = tiers
    self.warnings = warnings
  }

  init(_ labels: [Label]) { self.init(tiers: [LabelTier(labels: labels)]) }
}

/// What a person should know of an import that succeeded.
public struct ImportWarning: Hashable, Sendable, CustomStringConvertible {
  public var place: TextPlace
  /// In one line without a full stop.
  public var message: String

  public init(_ place: TextPlace, _ message: String) {
    self.place = place
    self.message = message
  }

  public var description: String { "\(place): \(message)" }

  /// 0 where it has none.
  var line: Int { if case .line(let number) = place { number } else { 0 } }
}
