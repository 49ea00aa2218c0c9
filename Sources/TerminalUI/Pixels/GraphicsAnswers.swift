// SPDX-License-Identifier: GPL-3.0-or-later

/// What a terminal has said of images and of its colours since it was asked; nothing at first.
public struct GraphicsAnswers: Hashable, Sendable {
  /// It knows kitty's graphics protocol.
  public private(set) var hasKitty = false
  /// It has said whether it knows that.
  public private(set) var hasToldOfKitty = false
  /// It shows sixels: 4 among its primary device attributes.
  public private(set) var hasSixel = false
  /// It has told its attributes, which is the last of its answers.
  public private(set) var isComplete = false
  public internal(set) var cell: CellPixels?
  /// Whether its background is light; nil where it has not said so.
  public private(set) var hasLightBackground: Bool?

  /// The questions for the colour of the background (xterm's OSC 11), for the size of a cell (XTWINOPS), and for the
  /// attributes (DA1), which every terminal answers: what has not been said before that is not said at all.
  public static let otherQueries = Array("\u{1B}]11;?\u{1B}\\\u{1B}[16t\u{1B}[c".utf8)

  public init() {}

  mutating func take(attributes: [Int]) {
    // The first number is the terminal's class.
    hasSixel = attributes.dropFirst().contains(4)
    isComplete = true
  }

  /// `11;rgb:ffff/ffff/dddd`, or with one to three digits for each.
  mutating func take(background answer: [UInt8]) {
    let text = String(decoding: answer, as: UTF8.self)
    guard text.hasPrefix("11;rgb:") else { return }
    let parts = text.dropFirst(7).split(separator: "/", omittingEmptySubsequences: false)
      .map { digits -> Double? in
        guard 1...4 ~= digits.utf8.count, digits.allSatisfy(\.isHexDigit),
          let value = Int(digits, radix: 16)
        else { return nil }
        return Double(value) / Double((1 << (4 * digits.utf8.count)) - 1)
      }
    guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else {
      return
    }
    // As bright as the eye takes them for (ITU-R BT.709).
    hasLightBackground = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
  }

  /// `Gi=31;OK`, or why not, from `G` on.
  mutating func take(kitty answer: [UInt8]) {
    let parts = answer.split(separator: UInt8(ascii: ";"), maxSplits: 1)
    guard parts.count == 2 else { return }
    let keys = parts[0].dropFirst().split(separator: UInt8(ascii: ","))
    guard keys.contains(where: { $0.elementsEqual("i=\(KittyGraphics.queryNumber)".utf8) }) else {
      return
    }
    hasToldOfKitty = true
    hasKitty = parts[1].elementsEqual("OK".utf8)
  }
}

/// How images reach the screen.
public enum GraphicsProtocol: String, Hashable, Sendable, CaseIterable {
  case kitty, sixel
}
