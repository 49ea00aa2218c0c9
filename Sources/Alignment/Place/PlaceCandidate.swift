// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// A place in the Quran where a recording may begin.
public struct PlaceCandidate: Hashable, Sendable {
  /// The ayah that is heard first, or the ayah that follows the basmalah that is.
  public var first: AyahReference
  /// The word of it that is heard first, from 0: greater where the recording begins within the ayah.
  public var word: Int
  /// How likely it is, 0...1; those of all places together are 1.
  public var probability: Double
  /// Whether the ayah has the words of the likeliest candidate's, so that only what follows tells them
  /// apart.
  public var isWordedAlike: Bool
  /// How much worse than the likeliest it fits what is heard, in nats.
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

  /// Whether the recording begins within the ayah.
  public var isWithin: Bool { word > 0 }
}
