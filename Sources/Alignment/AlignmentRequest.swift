// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What a person says of a recording before it is aligned.
public struct AlignmentRequest: Hashable, Sendable {
  /// The first ayah recited; in a prayer the first after al-Fatiha.
  public var first: AyahReference
  /// The last, nil when nobody knows.
  public var last: AyahReference?
  public var prayer: Prayer
  public var certainty = Certainty.told

  public init(first: AyahReference, last: AyahReference? = nil, prayer: Prayer = .none) {
    self.first = first
    self.last = last
    self.prayer = prayer
  }

  /// How far what is said may be wrong.
  public enum Certainty: Hashable, Sendable {
    /// By a person: some ayat off, or of another place.
    case told
    /// By an alignment of what is around it: hardly off. Where it does not fit, no other place is looked for.
    case predicted
  }

  /// Kinds of prayer whose structure is known.
  public enum Prayer: String, Hashable, Sendable, CaseIterable {
    case none, taraweeh
  }
}
