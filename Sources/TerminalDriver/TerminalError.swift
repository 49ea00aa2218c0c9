// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a terminal cannot be drawn on, or no longer.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard input or output is none.
  case notATerminal(stream: String)
  /// `TERM` is not set.
  case unnamedType
  /// The terminal's type is not in the terminfo database, or there is no database.
  case unknownType(String)
  /// The terminal's type lacks what drawing needs, by its name in terminfo.
  case insufficientType(String, missing: String)
  /// The terminal has gone: its window was closed, or the connection to it.
  case hungUp
  /// A call of the system failed.
  case system(call: String, code: Int32)
}

extension TerminalError: CustomStringConvertible {
  public var description: String {
    let advice = "set TERM to the type of your terminal, such as xterm-256color"
    return switch self {
    case .notATerminal(let stream): "standard \(stream) is not a terminal"
    case .unnamedType: "TERM is not set; \(advice)"
    case .unknownType(let type): "the terminal type '\(type)' is unknown here; \(advice)"
    case .insufficientType(let type, let missing):
      "the terminal type '\(type)' cannot be used (it lacks '\(missing)'); \(advice)"
    case .hungUp: "the terminal was closed"
    case .system(let call, let code): "\(call): \(SystemCall.message(code))"
    }
  }
}
