// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import Quran

/// What a person says of the recordings, so that each ayah is found; the same for every file of a run,
/// and for its workers.
struct AlignmentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "The first ayah recited, such as 2:1; a surah means its first ayah.")
  var start: AyahArgument?

  @Option(
    parsing: .unconditional,
    help: "The surah recited, where nobody knows from which ayah on: the likeliest is taken.")
  var surah: AyahArgument?

  @Option(
    parsing: .unconditional,
    help: "The last ayah recited; a surah means its last. Default: whatever fits best.")
  var end: AyahArgument?

  @Option(help: "taraweeh: the recording is of prayers, --start is the first ayah after al-Fatiha.")
  var prayer: PrayerArgument = .none

  @Option(
    help: ArgumentHelp(
      "Another recitation of the same ayat to compare with: a folder, a recording, or auto.",
      discussion:
        "A folder has one file for each ayah, named by surah and ayah in three digits each: 002255.mp3. A "
        + "recording is one of the library that is annotated: its path, id, or title. auto takes the best "
        + "that is published in the library.",
      valueName: "reference"), completion: .file())
  var reference: String?

  enum PrayerArgument: String, ExpressibleByArgument, CaseIterable {
    case none, taraweeh
  }

  /// - Throws: `ValidationError` where the options do not go together.
  func check(with detection: DetectionOptions) throws {
    if prayer == .taraweeh, start == nil {
      throw ValidationError("--prayer needs --start as well, such as --start 2:1.")
    }
    if start != nil, surah != nil {
      throw ValidationError("--start and --surah exclude one another.")
    }
    if let surah, let end, end.last < surah.first || end.last > surah.last {
      throw ValidationError("--end \(end.last) is no ayah of --surah.")
    }
    if search != nil, detection.detector == .fixed {
      throw ValidationError(
        "--surah, --end and --reference go with --detector adaptive; leave --detector fixed out.")
    }
    guard let start else { return }
    if detection.detector == .fixed {
      throw ValidationError("--start goes with --detector adaptive; leave --detector fixed out.")
    }
    if let end, end.last < start.first {
      throw ValidationError("--end \(end.last) comes before --start \(start.first).")
    }
  }

  /// The options as arguments for a worker.
  var arguments: [String] {
    var arguments: [String] = []
    if let start { arguments += ["--start", start.first.description] }
    if let surah { arguments += ["--surah", "\(surah.first.surah.number)"] }
    if let end { arguments += ["--end", end.last.description] }
    if prayer != .none { arguments += ["--prayer", prayer.rawValue] }
    if let reference { arguments += ["--reference", reference] }
    return arguments
  }

  /// Nil when there is nothing to compare with. Blocks, since it may open the library.
  func referenceChoice(_ library: LibraryOptions) throws(Failure) -> ReferenceChoice? {
    guard let reference else { return nil }
    return try ReferenceChoice(reference, library)
  }

  /// What is known where the first ayah is not; nil when it is, or when nothing was said.
  var search: StartSearch? {
    guard start == nil else { return nil }
    if let surah, let range = AyahRange(first: surah.first, last: surah.last) {
      return .within(range, last: end?.last)
    }
    if let end { return .ending(end.last) }
    return reference == nil ? nil : .inReference
  }

  /// Nil when nobody said where reciting starts.
  var request: AlignmentRequest? {
    start.map {
      AlignmentRequest(
        first: $0.first, last: end?.last, prayer: prayer == .taraweeh ? .taraweeh : .none)
    }
  }
}

/// An ayah or a surah on the command line.
struct AyahArgument: ExpressibleByArgument, Hashable {
  let first: AyahReference
  let last: AyahReference

  init?(argument: String) {
    guard let range = try? AyahRange(parsing: argument) else { return nil }
    first = range.first
    last = range.last
  }
}
