// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// A place in the Quran where a recording may begin.
public struct PlaceCandidate: Hashable, Sendable {
  /// The first ayah of the recording; if it begins with a basmalah, the ayah after that.
  public var first: AyahReference
  /// The first word of that ayah in the recording, from 0; greater than 0 if the recording begins
  /// within the ayah.
  public var word: Int
  /// The probability, 0...1; all places together have 1.
  public var probability: Double
  /// Whether the ayah has the same words as the likeliest candidate, so only the following ayat
  /// tell them apart.
  public var isWordedAlike: Bool
  /// How much worse than the likeliest candidate it fits the sound, in nats.
  public var disadvantage: Double

  public init(
    first: AyahReference, word: Int = 0, probability: Double, isWordedAlike: Bool = false,
    disadvantage: Double = 0
  ) {
    self.first = first
    self.word = word
    self.probability = probability
    self.isWordedAlike = isWordedAlike
    self.disadvantage = disadvantage
  }

  /// Whether what is aligned from one of two places would be found to begin at the other one, if it does.
  public func isNear(_ other: PlaceCandidate) -> Bool {
    abs(first.absoluteIndex - other.first.absoluteIndex) <= RecitationGrammar.doubted
  }

  /// Whether the recording begins within the ayah.
  public var isWithin: Bool { word > 0 }
}
