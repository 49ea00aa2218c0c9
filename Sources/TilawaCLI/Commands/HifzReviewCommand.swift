// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Decoding
import Library
import Listening
import MediaControl
import Playback
import Quran
import TerminalDriver
import TerminalUI

extension HifzCommand {
  struct Review: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "review",
      abstract: "Recite the units that are due today, listen to them, and grade yourself.",
      discussion: """
        enter plays the unit, 1 to 4 grade it, s shows the words, c plays the beginning again, u undoes the last \
        grade. The settings hifz.new, hifz.reviews and hifz.minutes limit the units per day.
        """)

    @Argument(help: "Only the units in these ranges, due or not.")
    var ranges: [String] = []

    @OptionGroup
    var voice: VoiceOptions

    @Option(help: "Speed, 0.25 to 3; the pitch stays the same.")
    var speed = 1.0

    @Option(help: "The ALSA device; doctor lists them. Default: the setting, else default.")
    var device: String?

    @OptionGroup(title: "Screen")
    var screenOptions: ScreenOptions

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    mutating func validate() throws {
      guard (0.25...3).contains(speed) else {
        throw ValidationError("--speed must be between 0.25 and 3.")
      }
    }

    func run() async throws {
      let command = self
      try await runReporting {
        command.screenOptions.holdTyping()
        let library = try command.libraryOptions.existing()
        let configuration = try Configuration()
        let rules = Rules(configuration)
        let known = try library.hifzUnits()
        let today = command.ranges.isEmpty ? Today(of: known, rules) : nil
        guard !known.isEmpty else {
          return StandardStreams.say(
            "there are no units yet; add some, such as 'hifz add 78:1-40 --by 5'")
        }
        let units = try today?.units ?? command.units(among: known, rules)
        guard !units.isEmpty else {
          return StandardStreams.say(Self.reason(today))
        }
        guard ScreenOptions.hasTerminal else {
          throw Failure(
            code: "usage",
            message:
              "'hifz review' needs a terminal; without one, use 'hifz list' and 'hifz grade'"
          )
        }
        let template = try command.voice.request(in: library, configuration)
        try command.recite(
          units, for: today?.secondsLeft, template, rules, in: library, configuration)
      }
    }

    /// Why nothing is asked for.
    private static func reason(_ today: Today?) -> String {
      guard let today, let waiting = today.waitingText else {
        return "nothing is due today; 'hifz list' shows when each unit is due"
      }
      let isOver = today.secondsLeft == 0
      return (isOver ? "the time for today is over" : "the units for today are done")
        + "; \(waiting) (\(Today.limits)); 'hifz review RANGE' ignores the limits"
    }

    /// Those in the ranges that were named, due or not.
    private func units(among known: [HifzUnit], _ rules: Rules) throws -> [RecallUnit] {
      let wanted = try ranges.map { try HifzCommand.range($0) }
      return try HifzCommand.units(among: known, in: wanted).map { RecallUnit($0, rules.scheduler) }
    }

    private func recite(
      _ units: [RecallUnit], for seconds: Int?, _ template: PlaybackRequest, _ rules: Rules,
      in library: Library, _ configuration: Configuration
    ) throws {
      var sound = try PublishedSound(library)
      sound.needsWords = true
      try sound.hearWords()
      let log = PlaybackLog()
      defer { log.close() }
      let device = try Configuration.playbackDevice(device)
      let renderer = SessionRenderer(output: .alsa(device)) {
        [sound] (media) throws(DecodingError) in try sound.open(media)
      }
      defer { renderer.close() }
      var settings = PlaybackSettings()
      settings.resumesAfterInterruption = configuration.resumesAfterInterruption
      let engine = PlaybackEngine(
        renderer: renderer, resolver: sound, settings: settings, log: { log.add($0) })
      let guardian = EngineGuard(engine, device: device)
      defer { guardian.close() }
      let reciters = try library.reciters().map {
        ReciterRow(ReciterID(rawValue: $0.id.rawValue), name: $0.name, riwayah: $0.riwayah)
      }
      let recorder = ListeningRecorder(
        library, log: log, arguments: [], reciters: reciters, keepsPlace: false)
      let (text, problem) = try screenOptions.quranText(configuration)
      try Interrupt.check()
      do throws(TerminalError) {
        let screen = try TerminalScreen(options: screenOptions.terminal(configuration))
        defer { screen.close() }
        var state = RecallState(
          size: screen.size, units: units, template: template, scheduler: rules.scheduler,
          cueMilliseconds: rules.cueMilliseconds, secondsLeft: seconds, speed: speed,
          keymap: configuration.keymap())
        state.text = text
        state.ordersArabic = screenOptions.ordersArabic(configuration)
        try RecallSession(state, engine, library, recorder, on: screen).run(telling: problem)
        Interrupt.note(screen.stopReason)
      } catch {
        throw Failure(code: "unavailable", message: error.description)
      }
      try Interrupt.check()
    }
  }
}
