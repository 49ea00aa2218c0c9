// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// The description of a recording that a person gives before its alignment.
public struct AlignmentRequest: Hashable, Sendable {
  /// The first ayah recited; in a prayer the first after al-Fatiha.
  public var first: AyahReference
  /// The last ayah recited; nil if unknown.
  public var last: AyahReference?
  public var prayer: Prayer
  public var certainty = Certainty.told

  public init(first: AyahReference, last: AyahReference? = nil, prayer: Prayer = .none) {
    self.first = first
    self.last = last
    self.prayer = prayer
  }

  /// How reliable the given ayat are.
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
