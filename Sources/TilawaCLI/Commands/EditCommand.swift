// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Editor
import Glibc
import Library
import TerminalDriver
import TerminalUI

/// `edit [RECORDING...]`, and what the program does when no command is named.
struct EditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "The editor: listen, mark boundaries and confirm ayat.",
    discussion: """
      Opens a recording of the library, or a file; a new file is added to the library without copying \
      it. Without a recording, shows the library, to open, import or record. Every edit is saved at \
      once: the title line says 'saved' when it is on disk. ctrl-s publishes the segments that you have \
      confirmed, so that 'play' can use them. ? shows all keys.

      With several recordings, or --pending, J and K in the editor open the next and the previous one.

      EXAMPLES:
        tilawa-annotate night3.m4a
        tilawa-annotate edit --pending
        tilawa-annotate edit "Night 3"
        tilawa-annotate edit --keys
      """)

  @Argument(
    help: "Ids or their prefixes, titles, or paths of any files.", completion: .file())
  var recordings: [String] = []

  @Flag(help: "Work through all recordings of the library that are not complete.")
  var pending = false

  @Option(help: "The ALSA device to play on. Default: the setting, else default.")
  var device: String?

  @Flag(help: "Open read-only.")
  var readOnly = false

  @Flag(help: "Print all keys and their actions, including those from the settings.")
  var keys = false

  @Flag(help: ArgumentHelp("Print them as in Documentation/editor.md.", visibility: .hidden))
  var markdown = false

  @OptionGroup(title: "Screen")
  var screenOptions: ScreenOptions

  @OptionGroup
  var remoteOptions: RemoteOptions

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run() async throws {
    let command = self
    var targets: [EditorTarget]?
    while true {
      let chosen = targets
      let ending = Monitor(Ending.quit)
      try await runReporting {
        let configuration = try Configuration()
        let keymap: Editor.Keymap = configuration.keymap()
        if command.keys { return try command.list(keymap) }
        let reached = try command.edit(configuration, keymap, chosen)
        ending.update { $0 = reached }
      }
      guard case .listening(let recording) = ending.update({ $0 }) else { return }
      let onDevice = device.map { ["--device", $0] } ?? []
      try await PlayCommand.parse(["--resume"] + libraryOptions.arguments + onDevice).run()
      targets = recording.map { [.recording($0)] } ?? []
    }
  }

  /// How the editor was left.
  private enum Ending {
    case quit
    /// To go on listening, with this recording open.
    case listening(Recording.ID?)
  }

  private func list(_ keymap: Keymap) throws(Failure) {
    for problem in keymap.problems { StandardStreams.say("settings, keys: \(problem)") }
    if markdown {
      for line in keymap.markdown.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      {
        try PlainText.show(String(line))
      }
      return
    }
    for (index, section) in keymap.sections.enumerated() {
      if index > 0 { try PlainText.show("") }
      try PlainText.show(section.title)
      var table = TextTable(columns: [.init("keys"), .init("action"), .init("what it does")])
      table.rows = section.rows.map { row in
        [row.keys.joined(separator: "  "), row.action.rawValue, row.action.summary].map {
          TerminalText($0)
        }
      }
      try PlainText.show(table)
    }
  }

  /// - Parameter chosen: what to open; nil for what the command line says.
  private func edit(
    _ configuration: Configuration, _ keymap: Keymap, _ chosen: [EditorTarget]?
  ) throws -> Ending {
    screenOptions.holdTyping()
    // What cannot be opened is said before the screen is taken over, and makes no library.
    let known = try libraryOptions.openExistingAsPossible()
    guard let targets = try chosen ?? targets(in: known?.library) else {
      TerminalScreen.release()
      return .quit
    }
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure(
        code: "usage", message: "the editor needs a terminal; --help lists the other commands")
    }
    let (quranText, problem) = try screenOptions.quranText(configuration)
    let library = try known?.library ?? libraryOptions.open()
    try Interrupt.check()
    let losses: [String]
    let ending: Ending
    do throws(TerminalError) {
      let terminal = screenOptions.terminal(configuration, showsImages: true)
      let screen = try TerminalScreen(options: terminal)
      defer { screen.close() }
      let session = EditorSession(
        EditorSession.Options(
          device: device ?? configuration.value("playback.device") ?? "default",
          readOnlyReason: readOnly
            ? "opened with --read-only" : known?.obstacle?.readOnlyReason,
          learns: configuration.value("editor.learn") != "false",
          keymap: keymap, text: quranText,
          ordersArabic: screenOptions.ordersArabic(configuration),
          usesMouse: terminal.usesMouse, hasBlocks: terminal.repertoire == .unicode,
          hasRemote: !remoteOptions.isOff,
          resumes: configuration.resumesAfterInterruption),
        on: screen, library: library)
      losses = try session.run(opening: targets, telling: problem)
      Interrupt.note(screen.stopReason)
      ending = session.listensOn ? .listening(session.lastRecording) : .quit
    } catch {
      throw Failure(code: "unavailable", message: error.description)
    }
    if let first = losses.first {
      throw Failure(
        code: "io_error", message: "the last edits could not be saved and were undone: \(first)")
    }
    try Interrupt.check()
    return ending
  }

  /// What is opened one after the other, none for the start screen; nil where nothing is pending, which is said.
  private func targets(in library: Library?) throws -> [EditorTarget]? {
    guard pending else {
      return try recordings.map { name throws(Failure) in try EditorTarget(named: name, in: library)
      }
    }
    guard recordings.isEmpty else {
      throw Failure(code: "usage", message: "--pending chooses the recordings; do not name any")
    }
    let progress = try library?.progress() ?? [:]
    let open = try library?.recordings().filter { progress[$0.id]?.status != .complete } ?? []
    if open.isEmpty { StandardStreams.say("no recording is pending; 'list' shows all") }
    return open.isEmpty ? nil : open.map { .recording($0.id) }
  }
}

extension Failure {
  /// Why a library that cannot be written is only read, for people; fits after "Read-only: ".
  var readOnlyReason: String {
    switch code {
    case "disk_full": "the disk is full; free some space and start the editor again"
    case "read_only": "the library is read-only"
    default: "the library cannot be written: \(message)"
    }
  }
}
