// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import ArgumentParser
import Quran

/// What a person says of the recordings, so that each ayah is found; the same for every file of a run,
/// and for its workers.
struct AlignmentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "The first ayah recited in each file, such as 2:1; a surah means its first ayah.",
    transform: AyahArgument.init(parsing:))
  var start: AyahArgument?

  @Option(
    parsing: .unconditional,
    help: "The last ayah recited; a surah means its last. Default: the best fit.",
    transform: AyahArgument.init(parsing:))
  var end: AyahArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "If --start is unknown: the surah in which the recording starts, or a range such as 2:1-50."
    ),
    transform: StartRangeArgument.init(parsing:))
  var surah: StartRangeArgument?

  @Option(
    help: ArgumentHelp(
      "taraweeh: the recording is of prayers. --start is then the first ayah after al-Fatiha; without it, it is searched for."
    ))
  var prayer: PrayerArgument = .none

  @Option(
    help: "The riwayah of the recitation. Default: that of the recording in the library, else hafs."
  )
  var riwayah: Riwayah?

  @Flag(help: "Also write the start and end of each word, in json, jsonl or textgrid.")
  var words = false

  @Option(
    help: ArgumentHelp(
      "Acoustic weights, as written by Scripts/train-acoustic-model.py.", visibility: .hidden),
    completion: .file(), transform: AcousticWeightsArgument.init(path:))
  var acousticWeights: AcousticWeightsArgument?

  @Option(
    help: ArgumentHelp("Evidence to leave out.", visibility: .hidden),
    transform: { name in
      guard let evidence = AlignmentEvidence(rawValue: name) else {
        let names = AlignmentEvidence.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("must be one of \(names)")
      }
      return evidence
    })
  var without: [AlignmentEvidence] = []

  enum PrayerArgument: String, ExpressibleByArgument, CaseIterable {
    case none, taraweeh

    var kind: AlignmentRequest.Prayer { self == .taraweeh ? .taraweeh : .none }
  }

  /// - Throws: `ValidationError` where the options do not go together.
  func check(with detection: DetectionOptions) throws {
    if start != nil, surah != nil {
      throw ValidationError("Use --start or --surah, not both.")
    }
    let needy = [words ? "--words" : nil, riwayah.map { _ in "--riwayah" }].compactMap { $0 }
    if !isGiven, let option = needy.first {
      throw ValidationError("\(option) needs --start, --surah, --end or --prayer taraweeh.")
    }
    let given = [
      start.map { _ in "--start" }, end.map { _ in "--end" }, surah.map { _ in "--surah" },
      prayer == .none ? nil : "--prayer",
    ].compactMap { $0 }
    if detection.detector == .fixed, let option = given.first {
      throw ValidationError(
        "\(option) needs --detector adaptive; remove --detector fixed.")
    }
    let beginnings = [("--start", start?.first), ("--surah", surah?.range.first)]
    for case (let option, let first?) in beginnings {
      if let end, end.last < first {
        throw ValidationError(
          "--end \(end.last) comes before \(option) \(first); use the last ayah recited for --end.")
      }
    }
  }

  /// What tells the sounds.
  ///
  /// - Throws: where the user has weights that are none.
  func network() throws(Failure) -> AcousticNetwork {
    if let acousticWeights { return acousticWeights.network }
    return try OwnWeights.network()
  }

  /// The options as arguments for a worker.
  var arguments: [String] {
    var arguments: [String] = []
    if let start { arguments += ["--start", start.first.description] }
    if let end { arguments += ["--end", end.last.description] }
    if let surah { arguments += ["--surah", surah.range.numericDescription] }
    if prayer != .none { arguments += ["--prayer", prayer.rawValue] }
    if let riwayah { arguments += ["--riwayah", riwayah.rawValue] }
    for evidence in without { arguments += ["--without", evidence.rawValue] }
    if words { arguments.append("--words") }
    if let acousticWeights { arguments += ["--acoustic-weights", acousticWeights.path] }
    return arguments
  }

  /// What is known where the start is not; nil when that is told, or nothing at all is known.
  var search: StartSearch? {
    if start != nil, !startsWithFatiha { return nil }
    if let surah, prayer == .none || !surah.range.last.isInFatiha {
      return .within(surah.range, last: end?.last)
    }
    if let end { return .ending(end.last) }
    return prayer == .none ? nil : .within(.wholeQuran, last: nil)
  }

  /// As every prayer does, which says nothing of what follows al-Fatiha.
  private var startsWithFatiha: Bool {
    prayer != .none && start?.first.isInFatiha == true
  }

  /// Whether there is anything to align.
  var isGiven: Bool { subject != .boundaries }

  var subject: DetectionJob.Subject {
    if let request { return .passage(request) }
    return search.map { .somewhere($0, prayer: prayer.kind) } ?? .boundaries
  }

  /// Nil when nothing was said of what is recited.
  var request: AlignmentRequest? {
    guard !startsWithFatiha else { return nil }
    return start.map {
      AlignmentRequest(first: $0.first, last: end?.last, prayer: prayer.kind)
    }
  }
}

/// An ayah on the command line, or a surah, which means its first or its last.
struct AyahArgument: Hashable {
  let first: AyahReference
  let last: AyahReference

  /// - Throws: `ValidationError` that says what is wrong with it.
  init(parsing text: String) throws {
    do throws(QuranError) {
      first = try AyahReference(parsing: text)
      last = first
    } catch .missingAyah(let surah) {
      first = surah.firstAyah
      last = surah.lastAyah
    } catch {
      guard let range = try? AyahRange(parsing: text) else { throw ValidationError("\(error)") }
      // Half of what was said would go unheard.
      throw ValidationError("that is a range; use --start \(range.first) --end \(range.last)")
    }
  }
}

/// Where a recording may start, on the command line: a surah or a range of ayat.
struct StartRangeArgument: Hashable {
  let range: AyahRange

  /// - Throws: `ValidationError` that says what is wrong with it.
  init(parsing text: String) throws {
    do throws(QuranError) {
      range = try AyahRange(parsing: text)
    } catch {
      throw ValidationError("\(error)")
    }
    guard range.count > 1 else {
      let ayah = range.first
      throw ValidationError(
        "that is one ayah; use --start \(ayah) if the recording starts there, or --surah "
          + "\(ayah.surah.number) if it starts anywhere in \(ayah.surah.name)")
    }
  }
}

/// A file of weights of the acoustic network.
struct AcousticWeightsArgument {
  let path: String
  let network: AcousticNetwork

  /// - Throws: `ValidationError` that says what is wrong with the file.
  init(path: String) throws {
    do throws(Failure) {
      network = try OwnWeights.network(at: path)
    } catch {
      throw ValidationError(error.message)
    }
    self.path = path
  }
}
