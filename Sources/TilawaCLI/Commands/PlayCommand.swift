// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Decoding
import Foundation
import Glibc
import Library
import Listening
import MediaControl
import Playback
import ReciterSources
import TerminalDriver
import TerminalUI

/// What is done about ayat that cannot be heard.
enum MissingArgument: String, CaseIterable, ExpressibleByArgument {
  case fill, `continue`, cancel

  var answer: CoverageCheck.Answer {
    switch self {
    case .fill: .fill
    case .continue: .continueWithGaps
    case .cancel: .cancel
    }
  }
}

/// By what a queue is shuffled.
enum ShuffleArgument: String, CaseIterable, ExpressibleByArgument {
  case ayah, range, recording

  var unit: ShuffleUnit {
    switch self {
    case .ayah: .ayah
    case .range: .range
    case .recording: .recording
    }
  }
}

/// `play [RANGE | RECORDING | @LIST]...`
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play ayat, recordings and lists, from published annotations and from sources.",
    discussion: """
      In a terminal it opens the player: space plays and pauses, the arrows go to the previous and next \
      ayah, ? shows all keys, q leaves. The player remembers its position: 'play --resume', or 'play' alone, \
      continues there. A number is a surah. A missing ayah is silent.

      EXAMPLES:
        tilawa-annotate play 67 'juz 30' @morning "Night 3"
        tilawa-annotate play 2:1-2:20 --repeat-ayah 3 --gap 500ms
        tilawa-annotate play 36 --reciter "Mahmoud Khalil" --speed 1.25 --for 30m
        tilawa-annotate play 67 --reciter Minshawi --fetch
        tilawa-annotate play 78-114 --shuffle range --seed 7
        tilawa-annotate play 2:255 --repeat-range 3 --then ayat:5 --output kursi.wav
      """)

  // Side by side: a debug build checks a group within a group several times as often at each start.
  @OptionGroup
  var requestOptions: RequestOptions

  @OptionGroup
  var voice: VoiceOptions

  @OptionGroup(title: "Memorisation")
  var practiceOptions: PracticeOptions

  @Flag(help: "Continue where you stopped last time.")
  var resume = false

  @Flag(help: "Play only the ayat that were missing last time; with --fetch, fetch them first.")
  var missed = false

  @Option(help: "Shuffle: ayah (ayah by ayah), range or recording.")
  var shuffle: ShuffleArgument?

  @Option(
    help: "The seed of a shuffle, also of a shuffled list; the same number gives the same order.")
  var seed: UInt64?

  @Option(
    name: .customLong("for"),
    help:
      "Sleep timer: play this long, such as 30m, then fade out; or 'ayah', to the end of the ayah.")
  var length: SleepArgument?

  @Option(
    help:
      "For ayat that are missing: fill (from other reciters), continue, or cancel (play nothing). Default: ask; in the player and without a terminal, continue."
  )
  var missing: MissingArgument?

  @Flag(
    help:
      "Fetch what is missing from the reciters' sources while others are heard, with --output first; it stays."
  )
  var fetch = false

  @Option(
    help: "A file of word timings, to highlight the word that is playing.", completion: .file())
  var timings: String?

  @Flag(
    help:
      "Show one line instead of the player; gain and equaliser are those last used in the player.")
  var line = false

  @Flag(help: "Show the picture of videos in a window, by mpv.")
  var window = false

  @Flag(help: "Play each recording at its own loudness. Default: all as loud as the first.")
  var noGain = false

  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions<PlayHelp>

  @OptionGroup(title: "Screen")
  var screenOptions: ScreenOptions

  @OptionGroup
  var remoteOptions: RemoteOptions

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if resume || missed, !requestOptions.what.isEmpty {
      throw ValidationError("--resume and --missed choose what to play; do not name anything else.")
    }
    if resume, missed { throw ValidationError("Use --resume or --missed, not both.") }
    if resume || !missed && requestOptions.what.isEmpty, outputOptions.output != nil {
      throw ValidationError(
        "--output needs what to write, such as 67; it cannot go on with what was played last.")
    }
    if shuffle == .ayah, practiceOptions.needsOrder {
      throw ValidationError(
        "--stepping and --cumulative need ayat in order; use --shuffle range or recording with them."
      )
    }
    if seed != nil, shuffle == nil, !requestOptions.what.contains(where: { $0.hasPrefix("@") }) {
      throw ValidationError(Self.seedWithoutShuffle)
    }
    if length != nil, outputOptions.output != nil {
      throw ValidationError("--for cannot be used with --output, which writes everything.")
    }
    if window, line || outputOptions.output != nil {
      throw ValidationError("--window needs the player; it cannot be used with --line or --output.")
    }
    if case .ayah = length, line {
      throw ValidationError("--for ayah needs the player; with --line, give a time.")
    }
  }

  static let seedWithoutShuffle = "--seed needs --shuffle, or a list that is shuffled."

  func run() async throws {
    let command = self
    try await runReporting {
      if command.window, !command.hasScreen {
        throw Failure(
          code: "usage", message: "--window needs the player, which needs a terminal")
      }
      if command.hasScreen { command.screenOptions.holdTyping() }
      let library = try command.library()
      var plan = try command.plan(in: library)
      if command.outputOptions.output != nil { try Self.checkEnd(of: plan.queue) }
      // A file is ahead of the clock: it would not wait for what is fetched.
      let fetchesFirst = command.fetch && command.outputOptions.output != nil
      if fetchesFirst {
        for entry in plan.queue { try MissingAyat(library).fetch(for: entry.request) }
      }
      if command.missing == .fill {
        for index in plan.queue.indices { plan.queue[index].request.fillsFromOthers = true }
      }
      var sound = try PublishedSound(library)
      if command.fetch, !fetchesFirst {
        sound.ahead = try MissingAyat(library).ahead(of: plan.queue.map(\.request))
      }
      defer { for failure in sound.ahead?.end() ?? [] { StandardStreams.say(failure) } }
      sound.timings = try command.timings.map { path throws(Failure) in
        try Self.timings(UserFolders.absolute(path))
      }
      sound.needsWords = plan.queue.contains { $0.request.excerpt?.isByWords ?? false }
      if sound.needsWords { try sound.hearWords() }
      defer { sound.words?.close() }
      // What is gone on with was heard; a recording that has changed since is told of in its turn.
      if plan.session == nil { try command.check(plan.queue, sound) }
      guard let path = command.outputOptions.output else {
        let device = try command.outputOptions.deviceName()
        return try command.listen(plan, sound, library, on: device)
      }
      let file = try OutputFile(
        path: path, isReplacing: command.outputOptions.force,
        sparing: library.recordings().map { $0.shownPath(in: library.folder) })
      guard let unfinished = file.unfinishedPath else {
        throw Failure(
          code: "usage", message: "\(path) is not a regular file; --output needs one")
      }
      try command.write(plan, sound, library, to: unfinished, as: path)
      try file.finish()
    }
  }
}

// MARK: - Playing

extension PlayCommand {
  private func library() throws(Failure) -> Library {
    do throws(Failure) {
      return try libraryOptions.existing()
    } catch {
      guard error.code == "no_library" else { throw error }
      throw QueueFinder.unknownFile(among: requestOptions.what) ?? error
    }
  }

  private var hasScreen: Bool {
    outputOptions.output == nil && !line && ScreenOptions.hasTerminal
  }

  private func listen(
    _ plan: Plan, _ sound: PublishedSound, _ library: Library, on device: String
  ) throws {
    let log = PlaybackLog()
    defer { log.close() }
    let reciters = try Self.reciters(of: library)
    let recorder = ListeningRecorder(
      library, log: log, arguments: plan.arguments, reciters: reciters, session: plan.session,
      after: plan.heard, missing: plan.missing)
    let configuration = try Configuration()
    let (text, problem) = hasScreen ? try screenOptions.quranText(configuration) : (nil, nil)
    var sound = sound
    if text != nil { try sound.hearWords() }
    defer { sound.words?.close() }
    let renderer = try renderer(to: .alsa(device), sound)
    defer { renderer.close() }
    var settings = PlaybackSettings()
    settings.fadeInMilliseconds = plan.settings.fadeInMilliseconds
    settings.fadeOutMilliseconds = plan.settings.fadeOutMilliseconds
    settings.resumesAfterInterruption = configuration.resumesAfterInterruption
    let engine = PlaybackEngine(
      renderer: renderer, resolver: sound, settings: settings, log: { log.add($0) })
    let desktop = remoteOptions.connect(
      engine, in: library, sound, on: device, hasQueue: hasScreen)
    defer { desktop.close() }
    guard hasScreen else {
      let queue = try answered(plan.queue, engine, sound, reciters)
      let player = LinePlayer(
        engine, file: nil, known: queue.flatMap { $0.missing ?? [] }, recorder: recorder,
        ahead: sound.ahead, sound: .init(renderer: renderer, settings: plan.settings),
        leaving: desktop.leaving
      ) { [sound] in sound.title(of: $0) }
      return try player.run(
        queue, from: plan.start, speed: plan.settings.speed, for: length?.duration)
    }
    // The player shows what is missing; nothing else is asked there before it opens.
    let queue =
      missing == .cancel ? try answered(plan.queue, engine, sound, reciters) : plan.queue
    let memory = PlayerMemory(library, begunWith: plan.settings)
    let finder = plan.finder
    let parts = PlayerSession.Parts(
      engine: engine, renderer: renderer, library: library, sound: sound, recorder: recorder,
      memory: memory, remote: desktop.remote, leaving: desktop.leaving,
      find: { try finder.found($0) })
    try Interrupt.check()
    do throws(TerminalError) {
      let options = screenOptions.terminal(configuration, showsImages: true)
      let screen = try TerminalScreen(options: options)
      defer { screen.close() }
      var state = State(
        size: screen.size, queue: queue, settings: plan.settings,
        keymap: configuration.keymap(), reciters: reciters, sleep: length?.timer ?? .off,
        seed: plan.seed, isShuffled: plan.isShuffled)
      state.text = text
      state.ordersArabic = screenOptions.ordersArabic(configuration)
      state.hasColors = screen.depth > .mono
      state.hasManyColors = screen.depth >= .palette
      state.hasBlocks = options.repertoire == .unicode
      state.usesMouse = options.usesMouse
      try PlayerSession(state, parts, on: screen).run(
        from: plan.start, showsWindow: window,
        telling: [problem, noticeOfUnfilled(queue, sound)].compactMap(\.self))
      Interrupt.note(screen.stopReason)
    } catch {
      throw Failure(code: "unavailable", message: error.description)
    }
    try Interrupt.check()
  }

  private static func timings(_ path: String) throws(Failure) -> WordTimingFile {
    guard let bytes = TextFile.bytes(of: path, limit: WordTimingFile.largestSize) else {
      throw Failure(
        code: "no_such_file",
        message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
    }
    do throws(WordTimingError) {
      return try WordTimingFile(json: Data(bytes))
    } catch {
      throw Failure(code: "bad_data", message: "\(path): \(error)")
    }
  }

  private func write(
    _ plan: Plan, _ sound: PublishedSound, _ library: Library, to unfinished: String,
    as path: String
  ) throws {
    var settings = PlaybackSettings()
    // A file is ahead of the clock: what comes next has to be known long before.
    settings.lookaheadMilliseconds = 86_400_000
    // It begins with the recording's own frames.
    settings.fadeInMilliseconds = 0
    let renderer = try renderer(to: .wavFile(unfinished), sound)
    defer { renderer.close() }
    let log = PlaybackLog()
    defer { log.close() }
    let engine = PlaybackEngine(
      renderer: renderer, resolver: sound, settings: settings, log: { log.add($0) })
    let queue = try answered(plan.queue, engine, sound, Self.reciters(of: library))
    let player = LinePlayer(
      engine, file: path, known: queue.flatMap { $0.missing ?? [] }, recorder: nil
    ) { sound.title(of: $0) }
    try player.run(queue.withAllRounds(), speed: plan.settings.speed)
  }

  /// Those who can be chosen to be heard.
  private static func reciters(of library: Library) throws(LibraryError) -> [ReciterRow] {
    let sources = try library.sources()
    return try library.reciters().map { reciter in
      let own = sources.filter { $0.reciter == reciter.id }
      return ReciterRow(
        ReciterID(rawValue: reciter.id.rawValue), name: reciter.name, riwayah: reciter.riwayah,
        usesSources: own.isEmpty ? nil : own.contains { $0.isEnabled })
    }
  }

  private func renderer(
    to output: RenderOutput, _ sound: PublishedSound
  ) throws(Failure) -> SessionRenderer {
    let isWanted = try Configuration().value("playback.match_loudness") != "false"
    let match = isWanted && !noGain ? LoudnessMatch(sound) : nil
    return SessionRenderer(output: output, gain: { match?.gain(of: $0) ?? 0 }) {
      (media) throws(DecodingError) in try sound.open(media)
    }
  }
}

enum PlayHelp: OutputHelp {
  static var speed: ArgumentHelp {
    "Speed, 0.25 to 3; the pitch stays the same. Default: the setting, else as last in the player, but 1 with --output."
  }

  static var output: ArgumentHelp {
    "Write a WAV file of 32-bit floats instead of playing. The settings apply, but not fade_in and fade_out."
  }
}
