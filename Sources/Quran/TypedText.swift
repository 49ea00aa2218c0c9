// SPDX-License-Identifier: GPL-3.0-or-later

extension Substring {
  /// Without white space at either end.
  var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Whether there is anything in it but signs and white space.
  var saysSomething: Bool { contains { $0.isLetter || $0.isNumber } }
}

extension Character {
  /// The value of a decimal digit of any script; nil for any other character.
  public var decimalDigit: Int? {
    unicodeScalars.count == 1 ? unicodeScalars.first.flatMap(Quran.decimalDigit) : nil
  }
}

extension String {
  /// The same with the digits 0 to 9 in place of those of other scripts.
  public var withWesternDigits: String {
    String(map { character in character.decimalDigit.flatMap { "\($0)".first } ?? character })
  }
}

/// The value of a number written in decimal digits of any script; nil for anything else, and for
/// more than nine digits.
func decimalNumber(_ text: Substring) -> Int? {
  let scalars = text.unicodeScalars
  guard !scalars.isEmpty, scalars.count <= 9 else { return nil }
  var number = 0
  for scalar in scalars {
    guard let digit = decimalDigit(scalar) else { return nil }
    number = number * 10 + digit
  }
  return number
}

/// The value of a decimal digit of any script.
func decimalDigit(_ scalar: Unicode.Scalar) -> Int? {
  guard scalar.properties.numericType == .decimal else { return nil }
  return scalar.properties.numericValue.map { Int($0) }
}
