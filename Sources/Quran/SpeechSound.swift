// SPDX-License-Identifier: GPL-3.0-or-later

/// A phone as it is said at one place, with its length.
public struct SpeechSound: Hashable, Sendable {
  public var phone: Phone
  public var length: PhoneLength

  public init(_ phone: Phone, _ length: PhoneLength? = nil) {
    self.phone = phone
    self.length = length ?? phone.usualLength
  }
}

extension SpeechSound: CustomStringConvertible {
  /// The symbol, followed by the length if it is not the phone's usual one: "a:/lazim".
  public var description: String {
    length == phone.usualLength ? phone.symbol : "\(phone.symbol)/\(length)"
  }
}

/// For how long a phone is held, and by which rule of tajwid.
public enum PhoneLength: UInt8, CaseIterable, Sendable {
  /// A consonant or short vowel.
  case single
  /// A consonant with shaddah, or one that another was assimilated to without ghunnah.
  case doubled
  /// A nasal sound that is held: ghunnah.
  case nasalised
  /// Madd tabi'i, and what has its length: badal, silah, iwad.
  case natural
  /// Madd munfasil: a hamzah begins the next word.
  case munfasil
  /// Madd muttasil: a hamzah follows in the word.
  case muttasil
  /// Madd lazim, that of opening letters included.
  case lazim
  /// Madd arid li-s-sukun: before the consonant that the reciter stops at.
  case arid
  /// Madd al-leen: waw or ya after fathah, before the consonant that the reciter stops at.
  case leen

  /// The length in counts (harakat): the usual one of Hafs by way of ash-Shatibiyyah where ways of
  /// reciting differ (munfasil and muttasil 4 or 5, arid and leen 2, 4 or 6).
  public var counts: Int {
    switch self {
    case .single: 1
    case .doubled, .nasalised, .natural, .leen: 2
    case .munfasil, .muttasil, .arid: 4
    case .lazim: 6
    }
  }
}

extension Phone {
  /// The length of the phone where no rule says another.
  public var usualLength: PhoneLength {
    switch kind {
    case .longVowel: .natural
    case .nasal: self == .hiddenNun ? .nasalised : .single
    case .consonant, .release, .vowel: .single
    }
  }
}
