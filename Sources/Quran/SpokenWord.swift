// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether a reciter goes on from one word to the next without a stop (wasl), or stops (waqf).
public enum Junction: Hashable, Sendable {
  case join, stop
}

/// A word of the Quran as it is said: a whitespace token of the QPC Hafs text.
///
/// Words are equal that sound the same in all four forms. What is assimilated to the next word (the nun
/// of "man yaqul") belongs to that word.
public struct SpokenWord: Hashable, Sendable {
  let number: UInt16

  /// The sounds of the word, given what is before and after it.
  public func sounds(before: Junction = .join, after: Junction = .join) -> [SpeechSound] {
    var sounds: [SpeechSound] = []
    append(to: &sounds, before: before, after: after)
    return sounds
  }

  /// Appends ``sounds(before:after:)``.
  public func append(
    to sounds: inout [SpeechSound], before: Junction = .join, after: Junction = .join
  ) {
    WordTable.shared.append(Int(number), to: &sounds, before: before, after: after)
  }

  /// Whether it sounds otherwise when it is begun with than when it is joined to the word before.
  public var changesWhenBegun: Bool { WordTable.shared.words[Int(number)].changesWhenBegun }

  /// Whether it sounds otherwise when it is stopped at than when it is joined to the word after.
  public var changesWhenStopped: Bool {
    sounds(after: .join) != sounds(after: .stop)
  }

  /// Whether a short silence without breath follows when the word is joined to the next (sakt).
  public var precedesSakt: Bool { WordTable.shared.words[Int(number)].precedesSakt }
}
