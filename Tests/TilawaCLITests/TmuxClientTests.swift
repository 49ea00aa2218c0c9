// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalDriver
import TerminalUI
import Testing

@testable import TilawaCLI

@Suite struct TmuxClientTests {
  private typealias Tmux = TerminalOptions.Tmux

  @Test(arguments: [
    ("1|1|xterm-kitty\n", Tmux(terminal: "xterm-kitty")),
    ("on|1|xterm-256color\n", Tmux(terminal: "xterm-256color")),
    ("all|1|foot\n", Tmux(terminal: "foot")),
    ("|1|xterm\n", Tmux(terminal: "xterm")),
    ("0|1|xterm-kitty\n", Tmux(passesOn: false, terminal: "xterm-kitty")),
    ("off|0|\n", Tmux(passesOn: false, hasKeys: false)),
  ])
  func whatItSaysIsUnderstood(answer: String, tmux: TerminalOptions.Tmux) {
    #expect(TmuxClient.multiplexer(answer) == .tmux(tmux))
  }

  @Test func oneWithinAnotherPassesNothingToTheTerminal() {
    #expect(TmuxClient.multiplexer("1|1|tmux-256color\n") == .other)
    #expect(TmuxClient.multiplexer("1|1|screen\n") == .other)
  }

  @Test(arguments: ["", "no server running", "1|1|a|b"])
  func whatMakesNoSenseIsNoAnswer(answer: String) {
    #expect(TmuxClient.multiplexer(answer) == nil)
  }

  @Test func withoutATmuxNobodyIsAsked() {
    #expect(TmuxClient.ask([:]) == nil)
    #expect(TmuxClient.ask(["TMUX": "/nowhere,1,0", "PATH": "/usr/bin:/bin"]) == nil)
  }

  @Test func theRemedyIsSaidWhereTheTerminalCouldShowImages() {
    func obstacle(
      _ pixels: TerminalOptions.Pixels, _ answer: String
    ) -> TerminalOptions.PixelObstacle? {
      var options = TerminalOptions(type: "tmux-256color", pixels: pixels)
      options.multiplexer = TmuxClient.multiplexer(answer)
      return options.pixelObstacle
    }
    #expect(obstacle(.auto, "0|1|xterm-kitty") == .notPassedOn)
    #expect(obstacle(.auto, "0|1|xterm-256color") == nil)
    #expect(obstacle(.kitty, "0|1|xterm-256color") == .notPassedOn)
    #expect(obstacle(.auto, "1|1|xterm-kitty") == nil && obstacle(.kitty, "1|1|foot") == nil)
    #expect(obstacle(.sixel, "1|1|foot") == .unusable(.sixel))
    #expect(obstacle(.kitty, "1|1|screen") == .unusable(.kitty))
    #expect(obstacle(.off, "0|1|xterm-kitty") == nil)
  }
}
