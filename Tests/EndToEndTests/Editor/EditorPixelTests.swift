// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GeneratedVideo
import TestSupport
import Testing

/// The editor on a terminal that shows images by kitty's protocol, and says so.
@Suite(.serialized) struct EditorPixelTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// A terminal that answers what it is asked.
  private final class Window {
    let terminal: TestSupport.PseudoTerminal
    private(set) var images = KittyTerminal()

    init(
      _ program: Program, _ arguments: [String], _ environment: [String], knowsImages: Bool = true
    )
      throws
    {
      images.admitsIt = knowsImages
      terminal = try TestSupport.PseudoTerminal(
        [Program.path] + arguments, type: "xterm-256color", columns: 80, rows: 30,
        environment: [
          "LANG=C.UTF-8", "TILAWA_HOME=\(program.home)", "HOME=\(program.home)",
          "ALSA_CONFIG_PATH=/dev/null",
        ] + environment)
    }

    /// Goes on until something is so of the images.
    func wait(_ what: String, until isSo: (KittyTerminal) -> Bool) throws {
      try terminal.wait(what) { _ in
        images.follow(terminal)
        return isSo(images)
      }
    }

    func waitForEnd() throws -> Int32 {
      let status = try terminal.waitForEnd()
      images.follow(terminal)
      return status
    }
  }

  private func opened(
    _ environment: [String] = [], knowsImages: Bool = true
  ) async throws -> Window {
    let recording = try folder.write(NoiseRecording().wav, to: "noise.wav")
    try await program.importing(recording, detecting: false, labels: "0\t2\ta\n2\t6\tb\n6\t10\tc\n")
    return try Window(program, ["noise"], environment, knowsImages: knowsImages)
  }

  /// Rows of pixels that are not the terminal's own background, from the top.
  private func height(_ image: KittyTerminal.Image, column: Int) -> Int {
    (0..<image.height).count { image.pixel(column, $0)[3] == 255 }
  }

  @Test func theWaveformIsSentReplacedAndDeleted() async throws {
    let window = try await opened()
    try window.wait("the waveform") { $0.shown.contains { height($0.image, column: 400) > 20 } }
    let (image, placement) = try #require(window.images.shown.first)
    #expect(window.images.queries == [31])
    #expect(placement.column == 0 && placement.columns == 80 && placement.layer < 0)
    #expect(image.width == 800 && image.height == 20 * placement.rows)
    // Closer.
    window.terminal.send("++")
    try window.wait("another image") { $0.shown.count == 1 && $0.shown[0].image != image }
    #expect(window.images.shown[0].placement == placement)
    // The playhead is written over it.
    let before = window.terminal.output.count
    window.terminal.send("l")
    try window.wait("the step") { _ in
      String(decoding: window.terminal.output[before...], as: UTF8.self).contains("┃")
    }
    // The spectrogram.
    window.terminal.send("p")
    try window.wait("the spectrogram") { $0.shown.count == 1 && $0.shown[0].image.channels == 3 }
    // Beneath what covers everything there is none.
    window.terminal.send("?")
    try window.wait("no image") { $0.shown.isEmpty }
    window.terminal.send("\u{1B}")
    try window.wait("the image again") { $0.shown.count == 1 }
    window.terminal.send("q")
    #expect(try window.waitForEnd() == 0)
    #expect(window.images.images.isEmpty && window.images.placements.isEmpty)
    #expect(window.images.faults.isEmpty)
    // None of the answers was taken for keys.
    #expect(!window.terminal.text.contains("does nothing here"))
    #expect(window.terminal.privateModes.subtracting(["25", "12"]).isEmpty)
  }

  @Test func aTerminalThatDoesNotSaySoHasBlocks() async throws {
    let window = try await opened(knowsImages: false)
    try window.wait("blocks") { _ in window.terminal.text.contains("█") }
    window.terminal.send("q")
    #expect(try window.waitForEnd() == 0)
    #expect(window.images.queries == [31] && window.images.transmitted.isEmpty)
  }

  @Test func theSettingSwitchesThemOff() async throws {
    let window = try await opened(["TILAWA_EDITOR_PIXELS=off"])
    try window.wait("blocks") { _ in window.terminal.text.contains("█") }
    window.terminal.send("q")
    #expect(try window.waitForEnd() == 0)
    #expect(!window.terminal.text.contains("\u{1B}_"))
    let wrong = try await program.run(
      ["edit", "noise"], environment: ["TILAWA_EDITOR_PIXELS": "many"])
    #expect(wrong.code == 64)
    #expect(wrong.errors.contains("it must be one of auto, off, kitty, sixel"))
  }

  /// A real tmux, whose terminal knows kitty's protocol.
  @Test(.enabled(if: TmuxWindow.isPossible, "no tmux"), arguments: [true, false])
  func throughTmuxTheyAreSeenWhereItPassesThemOn(passesOn: Bool) async throws {
    let recording = try folder.write(NoiseRecording().wav, to: "noise.wav")
    try await program.importing(recording, detecting: false, labels: "0\t2\ta\n2\t10\tb\n")
    let window = try TmuxWindow(
      [Program.path, "noise"], passesOn: passesOn, knowsImages: true, rows: 30,
      environment: [
        "TILAWA_HOME=\(program.home)", "HOME=\(program.home)", "ALSA_CONFIG_PATH=/dev/null",
      ])
    func showsWaveform(but written: ClosedRange<Int>) -> Bool {
      let seen = KittyPlaceholders(screen: window.screen)
      return window.images.placementsByText.contains { number, size in
        let count = seen.cells(of: number).count
        return seen.faults.isEmpty && size[0] == 80
          && written.contains(80 * size[1] - count)
      }
    }
    if passesOn {
      // On a busy machine tmux may join its terminal after that was asked, which a key has asked again: ctrl-l, which
      // no answer can be taken for.
      var looks = 0
      try window.wait("the question") {
        looks += 1
        if looks % 100 == 0 { window.terminal.send("\u{0C}") }
        return !window.images.queries.isEmpty
      }
      // All but the edges of segments and the playhead.
      try window.wait("the waveform") { showsWaveform(but: 1...120) }
      window.terminal.send("?")
      try window.wait("no image") { window.images.images.isEmpty }
      window.terminal.send("\u{1B}")
      try window.wait("the waveform again") { showsWaveform(but: 1...120) }
    } else {
      try window.wait("blocks") { window.screen.contains("█") }
    }
    #expect(window.images.queries.isEmpty == !passesOn)
    window.terminal.send("q")
    try window.waitForEnd()
    #expect(window.images.images.isEmpty && window.images.faults.isEmpty)
    #expect(window.images.transmitted.isEmpty == !passesOn)
    #expect(!window.terminal.text.contains("does nothing here"))
  }

  @Test func aCrashLeavesNoImage() async throws {
    let window = try await opened()
    try window.wait("the waveform") { $0.shown.count == 1 }
    window.terminal.signal(SIGSEGV)
    _ = try window.waitForEnd()
    #expect(window.images.images.isEmpty && window.images.placements.isEmpty)
  }

  @Test func thePictureOfAVideoIsTheFrameAtThePlayhead() async throws {
    var video = GeneratedVideo(frames: 250, rate: 25)
    video.keyframeEvery = 25
    try video.write(to: folder.path("night.mov"))
    try await program.importing(
      folder.path("night.mov"), detecting: false, labels: "0\t2\ta\n2\t4\tb\n4\t10\tc\n")
    let window = try Window(program, ["night"], ["COLORTERM=truecolor"])
    func number(_ images: KittyTerminal) -> Int? {
      images.shown.lazy.map(\.image).filter { $0.channels == 3 }.compactMap {
        GeneratedVideo.number(in: $0.bytes, width: $0.width, height: $0.height)
      }.first
    }
    // The waveform and, under the overview, thumbnails.
    try window.wait("waveform and thumbnails") { $0.shown.count == 2 }
    window.terminal.send("T")
    try window.wait("thumbnails beside the segments too") { $0.shown.count == 3 }
    window.terminal.send("T")
    try window.wait("the waveform") { $0.shown.count == 1 }
    let cache = try FileManager.default.contentsOfDirectory(atPath: program.home + "/cache")
    #expect(cache.contains { $0.hasSuffix("-thumbnails.bin") })
    window.terminal.send("PP")
    try window.wait("the first frame") { number($0) == 0 }
    window.terminal.send("L")
    try window.wait("the frame 5 s on") { number($0) == 125 }
    window.terminal.send("H")
    try window.wait("the first frame again") { number($0) == 0 }
    window.terminal.send("P")
    try window.wait("no picture") { $0.shown.count == 1 && number($0) == nil }
    window.terminal.send("q")
    #expect(try window.waitForEnd() == 0)
    #expect(window.images.images.isEmpty && window.images.faults.isEmpty)
  }
}
