// SPDX-License-Identifier: GPL-3.0-or-later

/// What is written to a terminal when it is taken over, and when it is given back.
struct TerminalModes {
  let enter: [UInt8]
  let leave: [UInt8]

  /// Private modes of xterm (`ctlseqs`); a terminal that does not know one passes over it.
  private enum Mode {
    static let mouseButtonsAndDrags = "?1002"
    static let mouseReportsInSGR = "?1006"
    static let focusReports = "?1004"
    static let bracketedPaste = "?2004"
    static let synchronizedOutput = "?2026"
  }

  private static let mouseModes = [Mode.mouseButtonsAndDrags, Mode.mouseReportsInSGR]

  /// Switches mouse reports on or off.
  static func mouse(_ isOn: Bool) -> [UInt8] {
    mouseModes.flatMap { Array("\u{1B}[\($0)\(isOn ? "h" : "l")".utf8) }
  }

  /// - Parameters:
  ///   - questions: what the terminal is asked besides.
  ///   - farewell: what takes images away.
  init(terminfo: Terminfo, usesMouse: Bool, questions: [UInt8] = [], farewell: [UInt8] = []) {
    let quiet = [Mode.focusReports, Mode.bracketedPaste]
    let modes = usesMouse ? quiet + Self.mouseModes : quiet
    var enter = terminfo.bytes("smcup") + terminfo.bytes("civis")
    enter += modes.flatMap { Array("\u{1B}[\($0)h".utf8) }
    // Asks whether the terminal can hold back drawing. The Linux console would print the question's
    // last letter, and what is older than colours cannot answer.
    if !terminfo.type.hasPrefix("linux"), (terminfo.number("colors") ?? 0) >= 8 {
      enter += Array("\u{1B}[\(Mode.synchronizedOutput)$p".utf8)
      enter += questions
    }
    // A frame may have been cut off anywhere: cancel a sequence, stop holding back, default style.
    var leave: [UInt8] = [0x18]
    // A string with an image ends with nothing but its own end.
    if !farewell.isEmpty { leave += Array("\u{1B}\\".utf8) + farewell }
    leave += Array("\u{1B}[\(Mode.synchronizedOutput)l\u{1B}[m".utf8)
    // The mouse may have been taken since.
    leave += (quiet + Self.mouseModes).reversed().flatMap { Array("\u{1B}[\($0)l".utf8) }
    leave += terminfo.bytes("cnorm")
    let backToShell = terminfo.bytes("rmcup")
    // Without another screen the shell goes on below what was drawn.
    leave += backToShell.isEmpty ? terminfo.bytes("clear") : backToShell
    self.enter = enter
    self.leave = leave
  }
}
