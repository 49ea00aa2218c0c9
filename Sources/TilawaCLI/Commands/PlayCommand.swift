// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Decoding
import Foundation
import Glibc
import Library
import Listening
import MediaControl
import Playback
import Quran
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
  var outputOptions: OutputOptions

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

  private static let seedWithoutShuffle = "--seed needs --shuffle, or a list that is shuffled."

  func run() async throws {
    let command = self
    try await runReporting {
      if command.hasScreen { command.screenOptions.holdTyping() }
      let library = try command.libraryOptions.existing()
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

// MARK: - What is played

extension PlayCommand {
  private var hasScreen: Bool {
    outputOptions.output == nil && !line && ScreenOptions.hasTerminal
  }

  /// - Throws: where a part is wanted that an ayah does not have as it will be heard.
  private func check(_ queue: [QueueEntry], _ sound: PublishedSound) throws(Failure) {
    for entry in queue {
      guard let excerpt = entry.request.excerpt,
        case .found(let clip) = waiting({
          await sound.clip(of: entry.request.range.first, entry.request.query)
        })
      else { continue }
      do throws(ExcerptError) {
        _ = try clip.part(excerpt)
      } catch {
        throw Failure(code: error.isOfTime ? "usage" : "unavailable", message: error.description)
      }
    }
  }

  /// - Throws: where a file of it would have no end, whoever has asked for that.
  private static func checkEnd(of queue: [QueueEntry]) throws(Failure) {
    for entry in queue {
      let endless = [
        ("--repeat-ayah", entry.request.ayahRepeat), ("--repeat-range", entry.request.rangeRepeat),
      ].filter { $0.1 == .endless }
      guard let (option, _) = endless.first else { continue }
      throw Failure(
        code: "usage",
        message: "\(entry.title) repeats forever and cannot be written to a file;"
          + " give a number, such as \(option) 3")
    }
  }

  /// What to play and where to begin.
  private struct Plan {
    var queue: [QueueEntry]
    var start: PlaybackStart?
    /// The session that is gone on with.
    var session: Int64?
    /// The command line behind `play` that it was begun with.
    var arguments: [String]
    var finder: QueueFinder
    var settings: Settings
    var seed: UInt64
    /// Whether the seed has decided the order.
    var isShuffled = false
    var missing: [AyahReference] = []
  }

  private func plan(in library: Library) throws(Failure) -> Plan {
    if missed {
      let found: MissedAyat?
      do {
        found = try MissedAyat.latest(in: library)
      } catch {
        throw error as? Failure ?? Failure(code: "damaged_library", message: "\(error)")
      }
      guard let found else {
        throw Failure(code: "no_such_session", message: "nothing was missing")
      }
      var plan = try newPlan(
        in: library, arguments: found.ranges.map(\.numericDescription), queue: nil)
      plan.queue = found.entries
      // Until they are heard.
      plan.missing = found.ranges.flatMap { Array($0) }
      return plan
    }
    guard resume || requestOptions.what.isEmpty else {
      return try newPlan(in: library, arguments: Self.arguments)
    }
    let sessions: [LeftListening]
    do throws(LibraryError) {
      sessions = try LeftListening.all(in: library)
    } catch {
      throw Failure(error)
    }
    for left in sessions {
      let (kept, place) = (left.kept, left.place)
      // What was asked for then; how it sounds and where is said now.
      let old = (try? Self.parse(kept.arguments)) ?? self
      var plan = try old.newPlan(in: library, arguments: kept.arguments, queue: kept)
      guard !plan.queue.isEmpty else { continue }
      plan.start = place.start
      plan.session = left.session
      plan.missing = place.missing.compactMap { try? AyahRange(parsing: $0) }.flatMap { Array($0) }
      plan.settings.speed = outputOptions.wantedSpeed ?? place.speed
      return plan
    }
    guard resume else {
      throw Failure(
        code: "usage",
        message: "name what to play, such as 67, 'juz 30' or 2:1-20; see 'help play'")
    }
    throw Failure(code: "no_such_session", message: "there is nothing to resume")
  }

  private func newPlan(
    in library: Library, arguments: [String], queue kept: KeptListening? = nil
  ) throws(Failure) -> Plan {
    let configuration = try Configuration()
    var settings = PlayerMemory(library).settings()
    PlaybackDefaults(configuration).fill(&settings)
    if let speed = outputOptions.wantedSpeed { settings.speed = speed }
    var template = try requestOptions.template(
      by: voice, practiceOptions, in: library, configuration)
    if requestOptions.crossfade == nil {
      template.crossfadeMilliseconds =
        template.hasGaps || outputOptions.output != nil
        ? 0 : settings.crossfadeMilliseconds
    } else {
      settings.crossfadeMilliseconds = template.crossfadeMilliseconds
    }
    template.crossfadeCurve = settings.crossfadeCurve
    let seed = kept?.seed ?? seed ?? UInt64.random(in: 1...999_999)
    let finder = QueueFinder(
      library: library, template: template,
      hasRiwayah: voice.riwayah != nil || !voice.reciter.isEmpty,
      seed: seed,
      asked: requestOptions.asked)
    var queue: [QueueEntry]
    var isShuffled = shuffle != nil
    if let kept {
      queue = kept.queue(template)
      isShuffled = kept.seed != nil
    } else {
      let lists = try finder.shuffledLists(requestOptions.what)
      guard self.seed == nil || isShuffled || !lists.isEmpty else {
        throw Failure(code: "usage", message: Self.seedWithoutShuffle)
      }
      isShuffled = isShuffled || !lists.isEmpty
      for list in lists where shuffle == nil {
        guard let unit = list.shuffle else { continue }
        StandardStreams.say("@\(list.name): shuffled \(unit.summary), seed \(seed)")
      }
      queue = try finder.joined(try finder.entries(requestOptions.what))
      for entry in queue { try PracticeOptions.check(entry.request) }
      if let shuffle {
        queue = queue.shuffled(by: shuffle.unit, seed: seed, firstNumber: queue.count + 1)
        StandardStreams.say("shuffled \(shuffle.unit.summary), seed \(seed)")
      }
    }
    return Plan(
      queue: queue, arguments: arguments, finder: finder, settings: settings, seed: seed,
      isShuffled: isShuffled)
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
      throw Failure(code: "bad_data", message: "\(path) \(error)")
    }
  }

  /// What is behind `play` on the command line.
  private static var arguments: [String] {
    let all = StandardStreams.arguments
    guard let place = all.firstIndex(of: configuration.commandName ?? "play") else { return [] }
    return Array(all[(place + 1)...])
  }
}

// MARK: - Playing

extension PlayCommand {
  private func listen(
    _ plan: Plan, _ sound: PublishedSound, _ library: Library, on device: String
  ) throws {
    let log = PlaybackLog()
    defer { log.close() }
    let reciters = try Self.reciters(of: library)
    let recorder = ListeningRecorder(
      library, log: log, arguments: plan.arguments, reciters: reciters, session: plan.session,
      missing: plan.missing)
    let configuration = try Configuration()
    let text = hasScreen ? try screenOptions.quranText(configuration) : nil
    var sound = sound
    if text != nil { try sound.hearWords() }
    defer { sound.words?.close() }
    let renderer = try renderer(to: .alsa(device), sound)
    defer { renderer.close() }
    var settings = PlaybackSettings()
    settings.fadeInMilliseconds = plan.settings.fadeInMilliseconds
    settings.fadeOutMilliseconds = plan.settings.fadeOutMilliseconds
    settings.resumesAfterInterruption = configuration.value("playback.resume") == "true"
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
    let memory = PlayerMemory(library)
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
        from: plan.start, showsWindow: window)
      Interrupt.note(screen.stopReason)
    } catch {
      throw Failure(code: "unavailable", message: error.description)
    }
    try Interrupt.check()
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
    try player.run(queue.withAllRounds(), speed: outputOptions.speed)
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

  /// The queue after what is missing in it was told, and the person has said what to do about it.
  private func answered(
    _ queue: [QueueEntry], _ engine: PlaybackEngine, _ sound: PublishedSound,
    _ reciters: [ReciterRow]
  ) throws(Failure) -> [QueueEntry] {
    var queue = queue
    var checks: [CoverageCheck] = []
    for index in queue.indices {
      let request = queue[index].request
      let check = waiting { await engine.check(request) }
      queue[index].missing = check.missing
      checks.append(check)
    }
    let missing = checks.flatMap(\.missing)
    guard !missing.isEmpty else { return queue }
    let fillable = checks.flatMap(\.fillable)
    tell(checks, missing, fillable, sound, reciters)
    switch answer(canFill: !fillable.isEmpty) {
    case .cancel:
      throw Failure(
        code: "no_such_recording",
        message: "\(PlainText.ranges(missing)) cannot be played; nothing was played")
    case .continueWithGaps: break
    case .fill: for index in queue.indices { queue[index].request.fillsFromOthers = true }
    }
    return queue
  }

  /// Tells what is missing, and why, as far as anybody knows.
  private func tell(
    _ checks: [CoverageCheck], _ missing: [AyahRange], _ fillable: [AyahRange],
    _ sound: PublishedSound, _ reciters: [ReciterRow]
  ) {
    let count = PlainText.count(missing.reduce(0) { $0 + $1.count }, "ayah", "ayat")
    StandardStreams.say("\(count) cannot be played: \(PlainText.ranges(missing))")
    // Reasons that differ in numbers alone, as in those of ayah and file, are told of the first.
    var told: Set<String> = []
    for check in checks {
      let query = check.request.query
      for ayah in check.missing.joined() where told.count < Self.mostReasons {
        let reason =
          waiting { await sound.reason(against: ayah, query) }
          ?? reciters.whoLacks(check.request) + "; "
          + (query.only == nil
            ? "import one, or add a source that has it"
            : "'play \(ayah)' plays it from any recording")
        guard told.insert(String(reason.filter { !$0.isNumber })).inserted else { continue }
        StandardStreams.say("\(ayah): \(reason)")
      }
    }
    if !fillable.isEmpty {
      StandardStreams.say("other reciters have \(PlainText.ranges(fillable))")
    } else if self.missing == .fill {
      StandardStreams.say(
        checks.contains { $0.request.reciters != .anybody }
          ? "no other reciter has any of them here, so nothing is filled in"
          : "every reciter was asked already, so nothing is filled in")
    }
  }

  /// Lines.
  private static let mostReasons = 10

  /// Asks what to do where nothing was said and somebody can answer.
  private func answer(canFill: Bool) -> CoverageCheck.Answer {
    if let missing { return missing.answer }
    guard StandardStreams.isErrorTerminal, isatty(STDIN_FILENO) == 1 else {
      return .continueWithGaps
    }
    while !Interrupt.flag.isStopped {
      StandardStreams.draw(
        (canFill ? "[f]ill from others, " : "") + "[c]ontinue with silence, or [q]uit? ")
      guard let line = readLine() else { return .cancel }
      switch line.lowercased().first {
      case "f" where canFill: return .fill
      case "c": return .continueWithGaps
      case "q": return .cancel
      default: continue
      }
    }
    return .cancel
  }
}

/// When play comes to rest: after `30m`, `1h30m` or any length, or at the end of the `ayah`.
enum SleepArgument: ExpressibleByArgument, Hashable {
  case ayah
  case after(Duration)

  init?(argument: String) {
    let text = argument.lowercased()
    if text == "ayah" {
      self = .ayah
      return
    }
    var seconds = 0.0
    var digits = ""
    for character in text {
      let units: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
      if let unit = units[character] {
        guard let count = Double(digits) else { return nil }
        seconds += count * unit
        digits = ""
      } else {
        digits.append(character)
      }
    }
    if !digits.isEmpty {
      guard seconds == 0, let length = DurationArgument(argument: text) else { return nil }
      seconds = length.seconds
    }
    guard seconds > 0, seconds < 1e6 else { return nil }
    self = .after(.milliseconds(Int64(seconds * 1000)))
  }

  var duration: Duration? { if case .after(let length) = self { length } else { nil } }

  var timer: SleepTimer {
    switch self {
    case .ayah: .endOfAyah
    case .after(let length): .after(length)
    }
  }
}
