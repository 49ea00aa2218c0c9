// SPDX-License-Identifier: GPL-3.0-or-later

/// How sure a suggestion is, in the three steps that people are shown.
enum Confidence: CaseIterable {
  /// 90% and more.
  case sure
  /// 60% and more.
  case fair
  /// Less, or not a number.
  case unsure

  static let surePercent = 90
  static let fairPercent = 60

  init(_ confidence: Double) {
    if confidence * 100 >= Double(Self.surePercent) {
      self = .sure
    } else if confidence * 100 >= Double(Self.fairPercent) {
      self = .fair
    } else {
      self = .unsure
    }
  }
}
