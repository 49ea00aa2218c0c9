// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What a person says of a recording before it is aligned.
public struct AlignmentRequest: Hashable, Sendable {
  /// The first ayah recited; in a prayer the first after al-Fatiha.
  public var first: AyahReference
  /// The last, nil when nobody knows.
  public var last: AyahReference?
  public var prayer: Prayer

  public init(first: AyahReference, last: AyahReference? = nil, prayer: Prayer = .none) {
    self.first = first
    self.last = last
    self.prayer = prayer
  }

  /// Kinds of prayer whose structure is known.
  public enum Prayer: String, Hashable, Sendable, CaseIterable {
    case none, taraweeh
  }
}
