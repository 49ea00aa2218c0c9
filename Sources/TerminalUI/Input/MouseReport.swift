// SPDX-License-Identifier: GPL-3.0-or-later

/// What a mouse report says, before it is known which button was let go (xterm's `ctlseqs`).
struct MouseReport: Equatable {
  /// Buttons and modifiers in xterm's bits.
  var code: Int
  var position: Point
  var isRelease: Bool

  /// Columns and rows beyond which a report is not believed.
  private static let furthest = 9999

  /// `ESC [ < code ; column ; row` and `M`, or `m` for a release.
  init?(parameters: [Int], isRelease: Bool) {
    guard parameters.count == 3 else { return nil }
    self.init(
      code: parameters[0], column: parameters[1], row: parameters[2], isRelease: isRelease)
  }

  /// The three bytes after `ESC [ M`, each 32 more than its value.
  init?(threeBytes bytes: [UInt8]) {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let values = bytes.map { Int($0) - 32 }
    self.init(
      code: values[0], column: values[1], row: values[2], isRelease: values[0] & 0b1110_0011 == 3)
  }

  private init?(code: Int, column: Int, row: Int, isRelease: Bool) {
    let range = 1...Self.furthest
    guard 0...255 ~= code, range ~= column, range ~= row else { return nil }
    self.code = code
    self.position = Point(column: column - 1, row: row - 1)
    self.isRelease = isRelease
  }
}

/// Remembers which button is down, which older reports do not say when it is let go.
struct MouseReportDecoder: Sendable {
  private var pressed: MouseEvent.Button?

  /// The event; nil for motion without a button, and for buttons that mice seldom have.
  mutating func decode(_ report: MouseReport) -> InputEvent? {
    guard let action = action(report) else { return nil }
    var modifiers: Modifiers = []
    if report.code & 4 != 0 { modifiers.insert(.shift) }
    if report.code & 8 != 0 { modifiers.insert(.alt) }
    if report.code & 16 != 0 { modifiers.insert(.control) }
    return .mouse(MouseEvent(action, at: report.position, modifiers))
  }

  private mutating func action(_ report: MouseReport) -> MouseEvent.Action? {
    let low = report.code & 3
    if report.code & 128 != 0 { return nil }
    if report.code & 64 != 0 {
      let directions: [MouseEvent.WheelDirection] = [.up, .down, .left, .right]
      return report.isRelease ? nil : .wheel(directions[low])
    }
    let button = Self.button(low)
    if report.isRelease {
      defer { pressed = nil }
      return (button ?? pressed).map { .release($0) }
    }
    if report.code & 32 != 0 { return button.map { .drag($0) } }
    pressed = button
    return button.map { .press($0) }
  }

  private static func button(_ number: Int) -> MouseEvent.Button? {
    switch number {
    case 0: .left
    case 1: .middle
    case 2: .right
    default: nil
    }
  }
}
