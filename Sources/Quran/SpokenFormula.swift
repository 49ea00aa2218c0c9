// SPDX-License-Identifier: GPL-3.0-or-later

/// What is said around the ayat, in recitation and in prayer.
public enum SpokenFormula: CaseIterable, Sendable {
  /// "A'udhu billahi mina 'sh-shaytani 'r-rajim", and with "as-sami'i 'l-alim".
  case istiadhah
  /// 1:1.
  case basmalah
  /// "Allahu akbar".
  case takbir
  /// "Sami'a 'llahu liman hamidah".
  case tasmee
  /// "Rabbana wa laka 'l-hamd", without "wa", and both after "allahumma".
  case tahmeed
  /// "Amin", after al-Fatiha.
  case ameen
  /// "As-salamu alaykum wa rahmatu 'llah", without "wa rahmatu 'llah", and with "wa barakatuh".
  case salam
}
