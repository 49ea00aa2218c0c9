// SPDX-License-Identifier: GPL-3.0-or-later

/// Arabic text as a program that only puts letter beside letter has to be given it: joined, and
/// from left to right as it is seen.
///
/// Most terminals, and cairo's own text calls, neither join letters nor order them. This does what
/// titles, file names and a line of an ayah need: letters become their presentation forms (Unicode blocks FB50 and FE70), marks are dropped,
/// and stretches of Arabic are reversed inside a line that runs from left to right, numbers staying
/// as they are and brackets turning. It is Unicode Standard Annex 9 simplified: separators within
/// numbers count as spaces do, and there are no explicit levels: whoever
/// has text from outside removes them first.
public func visualOrder(_ text: String) -> String {
  let scalars = Array(text.unicodeScalars)
  guard scalars.contains(where: { Direction($0) == .right }) else { return text }
  let joined = ArabicForms.joined(scalars)
  var seen = String.UnicodeScalarView()
  var index = 0
  while index < joined.count {
    guard Direction(joined[index]) == .right else {
      seen.append(joined[index])
      index += 1
      continue
    }
    let end = endOfRightToLeft(from: index, joined)
    seen.append(contentsOf: reversed(joined[index..<end]))
    index = end
  }
  return String(seen)
}

private enum Direction {
  case left, right, number, neutral

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39, 0x660...0x669, 0x6F0...0x6F9: self = .number
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE:
      self = scalar.properties.isAlphabetic ? .right : .neutral
    default: self = scalar.properties.isAlphabetic ? .left : .neutral
    }
  }
}

/// After the last letter or number before the text turns left to right, or the bracket that closes
/// one opened on the way.
private func endOfRightToLeft(from start: Int, _ scalars: [Unicode.Scalar]) -> Int {
  var end = start + 1
  var open: [Unicode.Scalar] = []
  for index in end..<scalars.count {
    let scalar = scalars[index]
    switch Direction(scalar) {
    case .left: return end
    case .right, .number: end = index + 1
    case .neutral:
      if "([{«".unicodeScalars.contains(scalar) { open.append(mirrored(scalar)) }
      if scalar == open.last {
        open.removeLast()
        end = index + 1
      }
    }
  }
  return end
}

private func reversed(_ scalars: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
  func isNumber(_ index: Int) -> Bool { Direction(scalars[index]) == .number }
  var result: [Unicode.Scalar] = []
  var index = scalars.endIndex
  while index > scalars.startIndex {
    let end = index
    index -= 1
    if isNumber(index) {
      while index > scalars.startIndex, isNumber(index - 1) { index -= 1 }
      result += scalars[index..<end]
    } else {
      result.append(mirrored(scalars[index]))
    }
  }
  return result
}

private func mirrored(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  switch scalar {
  case "(": ")"
  case ")": "("
  case "[": "]"
  case "]": "["
  case "{": "}"
  case "}": "{"
  case "«": "»"
  case "»": "«"
  default: scalar
  }
}

/// Letters as they are written beside one another.
private enum ArabicForms {
  /// The isolated form; the final one follows it, and for letters that join the next the initial and
  /// medial ones.
  struct Letter {
    var isolated: UInt32
    var joinsNext: Bool
  }

  static func joined(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let text = text.filter { !isMark($0) }
    var result: [Unicode.Scalar] = []
    var index = 0
    var previousJoins = false
    while index < text.count {
      let scalar = text[index]
      let next = index + 1 < text.count ? text[index + 1] : nil
      if scalar == "\u{644}", let next, let ligature = lamAlef[next.value] {
        result.append(form(ligature, previousJoins ? 1 : 0))
        previousJoins = false
        index += 2
        continue
      }
      index += 1
      guard let letter = letters[scalar.value] else {
        result.append(scalar)
        previousJoins = scalar == tatweel || scalar == zeroWidthJoiner
        continue
      }
      let joinsNext = letter.joinsNext && next.map(joinsPrevious) ?? false
      result.append(form(letter.isolated, (previousJoins ? 1 : 0) + (joinsNext ? 2 : 0)))
      previousJoins = letter.joinsNext
    }
    return result.filter { $0 != zeroWidthJoiner && $0 != "\u{200C}" }
  }

  private static let tatweel: Unicode.Scalar = "\u{640}"
  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    0x600...0x8FF ~= scalar.value && scalar.properties.generalCategory == .nonspacingMark
  }

  private static func joinsPrevious(_ scalar: Unicode.Scalar) -> Bool {
    // The hamza alone joins to neither side.
    (letters[scalar.value] != nil && scalar != "\u{621}") || scalar == tatweel
      || scalar == zeroWidthJoiner
  }

  private static func form(_ isolated: UInt32, _ offset: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(isolated + offset) ?? "\u{FFFD}"
  }

  /// By the alef that follows: the isolated ligature; the final one follows it.
  private static let lamAlef: [UInt32: UInt32] = [
    0x622: 0xFEF5, 0x623: 0xFEF7, 0x625: 0xFEF9, 0x627: 0xFEFB,
  ]

  private static let letters: [UInt32: Letter] = {
    let joiningNext: [UInt32: UInt32] = [
      0x626: 0xFE89, 0x628: 0xFE8F, 0x62A: 0xFE95, 0x62B: 0xFE99, 0x62C: 0xFE9D, 0x62D: 0xFEA1,
      0x62E: 0xFEA5, 0x633: 0xFEB1, 0x634: 0xFEB5, 0x635: 0xFEB9, 0x636: 0xFEBD, 0x637: 0xFEC1,
      0x638: 0xFEC5, 0x639: 0xFEC9, 0x63A: 0xFECD, 0x641: 0xFED1, 0x642: 0xFED5, 0x643: 0xFED9,
      0x644: 0xFEDD, 0x645: 0xFEE1, 0x646: 0xFEE5, 0x647: 0xFEE9, 0x64A: 0xFEF1,
      // Persian and Urdu.
      0x679: 0xFB66, 0x67E: 0xFB56, 0x686: 0xFB7A, 0x6A9: 0xFB8E, 0x6AF: 0xFB92, 0x6BE: 0xFBAA,
      0x6C1: 0xFBA6, 0x6CC: 0xFBFC,
    ]
    let others: [UInt32: UInt32] = [
      0x621: 0xFE80, 0x622: 0xFE81, 0x623: 0xFE83, 0x624: 0xFE85, 0x625: 0xFE87, 0x627: 0xFE8D,
      0x629: 0xFE93, 0x62F: 0xFEA9, 0x630: 0xFEAB, 0x631: 0xFEAD, 0x632: 0xFEAF, 0x648: 0xFEED,
      0x649: 0xFEEF, 0x671: 0xFB50, 0x688: 0xFB88, 0x691: 0xFB8C, 0x698: 0xFB8A, 0x6BA: 0xFB9E,
      0x6D2: 0xFBAE,
    ]
    return joiningNext.mapValues { Letter(isolated: $0, joinsNext: true) }
      .merging(others.mapValues { Letter(isolated: $0, joinsNext: false) }) { first, _ in first }
  }()
}
