// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound of recitation, apart from its length.
///
/// Doubled and nasalised consonants are the phone of the plain one, heavy ra and lam that of the light one.
/// A heavy fathah (after heavy consonants) is a phone of its own.
public enum Phone: UInt8, CaseIterable, Sendable {
  case hamzah, ba, ta, tha, jim, hah, kha, dal, dhal, ra, zay, sin, shin, sad, dad, tah, zah, ayn
  case ghayn, fa, qaf, kaf, lam, mim, nun, heh, waw, ya
  /// Nun or mim without a place of its own: ikhfa, iqlab and ikhfa shafawi.
  case hiddenNun
  /// The release of a quiescent qaf, tah, ba, jim or dal.
  case qalqalah
  case fathah, heavyFathah, kasrah, dammah, longA, heavyLongA, longI, longU

  public enum Kind: Hashable, Sendable {
    case consonant, nasal, release, vowel, longVowel
  }

  public var kind: Kind {
    switch self {
    case .hamzah, .ba, .ta, .tha, .jim, .hah, .kha, .dal, .dhal, .ra, .zay, .sin, .shin, .sad,
      .dad, .tah, .zah, .ayn, .ghayn, .fa, .qaf, .kaf, .lam, .heh, .waw, .ya:
      .consonant
    case .mim, .nun, .hiddenNun: .nasal
    case .qalqalah: .release
    case .fathah, .heavyFathah, .kasrah, .dammah: .vowel
    case .longA, .heavyLongA, .longI, .longU: .longVowel
    }
  }

  /// The symbol of quranic-phonemizer: IPA, with "ŋ" for a hidden nun and "Q" for qalqalah.
  public var symbol: String { Self.symbols[Int(rawValue)] }

  private static let symbols = [
    "ʔ", "b", "t", "θ", "ʒ", "ħ", "x", "d", "ð", "r", "z", "s", "ʃ", "sˤ", "dˤ", "tˤ", "ðˤ", "ʕ",
    "ɣ",
    "f", "q", "k", "l", "m", "n", "h", "w", "j", "ŋ", "Q", "a", "aˤ", "i", "u", "a:", "aˤ:", "i:",
    "u:",
  ]
}
