// SPDX-License-Identifier: GPL-3.0-or-later

/// What a person does with the mouse, in cells.
public struct MouseEvent: Hashable, Sendable {
  public enum Button: Hashable, Sendable {
    case left, middle, right
  }

  public enum WheelDirection: Hashable, Sendable {
    case up, down, left, right
  }

  public enum Action: Hashable, Sendable {
    case press(Button)
    /// Moved with the button down.
    case drag(Button)
    case release(Button)
    /// One notch.
    case wheel(WheelDirection)
  }

  public var action: Action
  /// The cell under the pointer, from 0.
  public var position: Point
  /// Terminals keep Shift for their own selecting, so a press with it seldom arrives.
  public var modifiers: Modifiers

  public init(_ action: Action, at position: Point, _ modifiers: Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}
