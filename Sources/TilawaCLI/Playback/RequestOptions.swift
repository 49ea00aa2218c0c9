// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Library
import Listening
import Playback
import Quran

/// What follows a range: `ayat:5`, `pages:2`.
struct ThenArgument: ExpressibleByArgument, Hashable {
  let afterRepeat: AfterRepeat

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: ":")
    guard parts.count == 2, let count = Int(parts[1]), (1...6236).contains(count) else {
      return nil
    }
    switch parts[0] {
    case "ayat", "ayah": afterRepeat = .continueAyat(count)
    case "pages", "page": afterRepeat = .continuePages(count)
    default: return nil
    }
  }
}

/// By whom something is heard.
struct VoiceOptions: ParsableArguments {
  @Option(help: "Only this reciter; repeat it for several, in order of preference.")
  var reciter: [String] = []

  @Option(help: "The riwayah; riwayat are never mixed. Default: the reciter's, else hafs.")
  var riwayah: Riwayah?

  /// What is asked for of the first ayah.
  func request(
    in library: Library, _ configuration: Configuration
  ) throws(Failure) -> PlaybackRequest {
    var reciters: [Reciter] = []
    for name in reciter {
      do throws(LibraryError) {
        reciters.append(try library.reciter(named: name, riwayah: riwayah))
      } catch {
        throw Failure(error)
      }
    }
    let usual = PlaybackDefaults(configuration).riwayah
    var request = PlaybackRequest(
      AyahRange(.first), riwayah: riwayah ?? reciters.first?.riwayah ?? usual ?? .hafs)
    if let other = reciters.first(where: { $0.riwayah != request.riwayah }) {
      throw Failure(
        code: "usage",
        message: "\(other.name) recites \(other.riwayah.displayName), and riwayat are never mixed")
    }
    if !reciters.isEmpty {
      request.reciters = .inOrder(reciters.map { ReciterID(rawValue: $0.id.rawValue) })
    }
    return request
  }
}

/// What of the Quran is heard, and how often.
struct RequestOptions: ParsableArguments {
  @Argument(
    help:
      "What to play, one after another: 2:1-2:20, 36, 'juz 30', 'page 5', @LIST, or a recording."
  )
  var what: [String] = []

  @Option(help: "Repetitions of each ayah: a number, or forever.")
  var repeatAyah: TimesArgument?

  @Option(help: "Repetitions of the range: a number, or forever.")
  var repeatRange: TimesArgument?

  @Option(help: "Silence after each ayah: 500ms, 1.0x as long as the ayah, or 0.5x+500ms.")
  var gap: GapArgument?

  @Option(help: "Crossfade between recordings, such as 50ms.")
  var crossfade: DurationArgument?

  @Option(help: "What to play after the range: ayat:5 or pages:2. Default: nothing.")
  var then: ThenArgument?

  @Option(help: "Play this many ayat before the range.")
  var connectBefore = 0

  @Option(help: "Play this many ayat after the range.")
  var connectAfter = 0

  @Flag(help: "Skip the basmalah between surahs.")
  var noBasmalah = false

  mutating func validate() throws {
    if connectBefore < 0 || connectAfter < 0 {
      throw ValidationError("--connect-before and --connect-after need a number of ayat.")
    }
    if let problem = gap?.missingUnit { throw ValidationError("The number in --gap \(problem).") }
    let longest = Settings.longestCrossfadeMilliseconds
    if let crossfade, Self.milliseconds(crossfade) > longest {
      throw ValidationError(
        "--crossfade must be at most \(longest / 1000)s\(crossfade.unitAdvice).")
    }
    if let gap, gap.isSilent, let crossfade, crossfade.seconds > 0 {
      throw ValidationError("Use --gap or --crossfade, not both.")
    }
    if isEndless, then != nil {
      throw ValidationError("--then cannot follow an endless repetition.")
    }
  }

  private var isEndless: Bool {
    [repeatAyah, repeatRange].contains { $0.map { $0.times == nil } ?? false }
  }

  /// What is asked for of each item, of the first ayah.
  func template(
    by voice: VoiceOptions, _ practice: PracticeOptions, in library: Library,
    _ configuration: Configuration
  ) throws(Failure) -> PlaybackRequest {
    var request = try voice.request(in: library, configuration)
    request.ayahRepeat = Self.count(repeatAyah)
    request.rangeRepeat = Self.count(repeatRange)
    gap?.apply(to: &request)
    request.crossfadeMilliseconds = Self.milliseconds(crossfade)
    request.afterRepeat = then?.afterRepeat ?? .stop
    request.connectionBefore = connectBefore
    request.connectionAfter = connectAfter
    request.insertsBasmalah = !noBasmalah
    practice.apply(to: &request)
    PlaybackDefaults(configuration).fill(&request, where: self)
    return request
  }

  /// What is said here, whatever lists and settings say; a crossfade leaves no gap.
  var asked: QueueFinder.Asked {
    .init(
      ayahRepeat: repeatAyah != nil, rangeRepeat: repeatRange != nil,
      gap: gap != nil || crossfade != nil, then: then != nil)
  }

  private static func count(_ argument: TimesArgument?) -> RepeatCount {
    guard let argument else { return .once }
    return argument.times.map { .times($0) } ?? .endless
  }

  private static func milliseconds(_ duration: DurationArgument?) -> Int {
    Int(((duration?.seconds ?? 0) * 1000).rounded())
  }
}
