// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Decoding
import Glibc
import Library
import MediaControl
import Playback
import Quran
import ReciterSources

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

/// `play RANGE`
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a range of ayat from what the library has published, and from sources.",
    discussion: """
      In a terminal: space pauses, the arrows go to the ayah before and after, [ and ] change the speed, \
      q quits. A missing ayah is silent.

      EXAMPLES:
        tilawa-annotate play 2:1-2:20 --repeat-ayah 3 --gap 500ms
        tilawa-annotate play 36 --reciter "Mahmoud Khalil" --speed 1.25
        tilawa-annotate play 67 --reciter Minshawi --fetch
        tilawa-annotate play 2:255 --repeat-range 3 --then ayat:5 --output kursi.wav
      """)

  @OptionGroup
  var requestOptions: RequestOptions

  @Option(
    help:
      "For ayat that are missing: fill (from other reciters), continue or cancel. Default: ask; without a terminal, continue."
  )
  var missing: MissingArgument?

  @Flag(
    help:
      "Fetch what is missing from the reciters' sources while others are heard, with --output first; it stays."
  )
  var fetch = false

  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions

  @OptionGroup
  var remoteOptions: RemoteOptions

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if requestOptions.isEndless, outputOptions.output != nil {
      throw ValidationError(
        "A range that repeats forever cannot be written to a file; give a number.")
    }
  }

  func run() async throws {
    let command = self
    try await runReporting {
      let library = try command.libraryOptions.existing()
      let request = try command.requestOptions.request(in: library)
      let fetchesFirst = command.fetch && command.outputOptions.output != nil
      if fetchesFirst { try MissingAyat(library).fetch(for: request) }
      var resolver = try PublishedSound(library)
      if command.fetch, !fetchesFirst {
        resolver.ahead = try MissingAyat(library).ahead(of: [request])
      }
      defer { for failure in resolver.ahead?.end() ?? [] { StandardStreams.say(failure) } }
      guard let path = command.outputOptions.output else {
        let device = try command.outputOptions.deviceName()
        return try command.play(request, resolver, to: .alsa(device), of: library, file: nil)
      }
      let file = try OutputFile(
        path: path, isReplacing: command.outputOptions.force,
        sparing: library.recordings().map { $0.shownPath(in: library.folder) })
      guard let unfinished = file.unfinishedPath else {
        throw Failure(
          code: "usage", message: "\(path) is not a regular file; --output needs one")
      }
      try command.play(request, resolver, to: .wavFile(unfinished), of: library, file: path)
      try file.finish()
    }
  }

  private func play(
    _ request: PlaybackRequest, _ resolver: PublishedSound, to output: RenderOutput,
    of library: Library, file: String?
  ) throws(Failure) {
    var settings = PlaybackSettings()
    if file != nil {
      // A file is ahead of the clock: what comes next has to be known long before.
      settings.lookaheadMilliseconds = 86_400_000
      // It begins with the recording's own frames.
      settings.fadeInMilliseconds = 0
    }
    let renderer = SessionRenderer(output: output) { (media) throws(DecodingError) in
      try resolver.open(media)
    }
    defer { renderer.close() }
    let log = PlaybackLog()
    defer { log.close() }
    let engine = PlaybackEngine(
      renderer: renderer, resolver: resolver, settings: settings, log: { log.add($0) })
    let check = waiting { await engine.check(request) }
    if !check.isComplete { tell(check, resolver) }
    guard let request = check.request(after: check.isComplete ? .continueWithGaps : answer(check))
    else {
      throw Failure(
        code: "no_such_recording",
        message: "\(PlainText.ranges(check.missing)) cannot be played; nothing was played")
    }
    let remote = file == nil ? remoteOptions.start(engine, in: library) : nil
    defer { remote?.close() }
    let listening = Listening(engine, file: file, known: check.missing) { resolver.title(of: $0) }
    try listening.run(request, speed: outputOptions.speed)
  }

  /// Tells what is missing, and why, as far as anybody knows.
  private func tell(_ check: CoverageCheck, _ resolver: PublishedSound) {
    let count = PlainText.count(check.missingCount, "ayah", "ayat")
    StandardStreams.say("\(count) cannot be played: \(PlainText.ranges(check.missing))")
    var reasons: [String] = []
    for range in check.missing {
      let query = ResolverQuery(riwayah: check.request.riwayah, reciters: check.request.reciters)
      if case .failed(let reason) = waiting({ await resolver.clip(of: range.first, query) }),
        !reasons.contains(reason)
      {
        reasons.append(reason)
        StandardStreams.say("\(range.first): \(reason)")
      }
    }
    if !check.fillable.isEmpty {
      StandardStreams.say("other reciters have \(PlainText.ranges(check.fillable))")
    } else if missing == .fill, check.request.reciters != .anybody {
      StandardStreams.say("no other reciter has any of them, so nothing is filled in")
    }
  }

  /// Asks what to do where nothing was said and somebody can answer.
  private func answer(_ check: CoverageCheck) -> CoverageCheck.Answer {
    let canFill = !check.fillable.isEmpty
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
