// SPDX-License-Identifier: GPL-3.0-or-later

/// What reaches a program from its terminal.
public enum InputEvent: Hashable, Sendable {
  case key(KeyEvent)
  case mouse(MouseEvent)
  /// Pasted text as it came, newlines as `\n`; hostile until it is made a ``TerminalText``.
  case paste(String)
  /// The terminal has this size now, or its content was lost and has to be drawn anew.
  case resize(Size)
  /// Whether the terminal's window has the keyboard.
  case focus(Bool)
}
