// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import ReciterSources
import Timings

/// A recording and the timings that somebody has published of it.
struct TimingsSubject: Sendable {
  /// What people are told it is.
  let name: String
  /// What it was named by on the command line: recordings of one folder or source are a set.
  var set = ""
  let path: String
  var track: Int?
  /// The file of the timings.
  let timingsPath: String
  let timings: PublishedTimings
  /// What the recording holds by a file's name, where nothing else says it.
  private(set) var surahByName: Surah?
  /// The source that the recording is a file of, and which surah it holds.
  var source: (source: ReciterSource, surah: Surah)?
  /// What is entered once it was compared.
  var comparison: SourceComparison?

  /// - Parameter surah: what the recording holds, if somebody has said so.
  /// - Throws: a failure where the timings cannot be of one recording.
  init(
    _ name: String, path: String, track: Int? = nil, timings whole: PublishedTimings,
    at timingsPath: String, surah: Surah?, source: ReciterSource? = nil
  ) throws(Failure) {
    self.name = name
    self.path = path
    self.track = track
    self.timingsPath = timingsPath
    guard whole.clock == .recording else {
      throw Failure(
        code: "not_timings",
        message:
          "\(timingsPath): \(whole.format.title) counts from the start of each ayah's own file, so there are no ayah starts to check"
      )
    }
    // One recording may hold several surahs, if its times go on from one to the next.
    let isOfOne = whole.surahs.count == 1 || whole.goesOn && surah == nil
    let held = surah ?? (isOfOne ? nil : TimingsFile.surah(named: path))
    guard isOfOne || held != nil else {
      throw Failure(
        code: "usage",
        message: "the surah is unknown; use --surah, or a file name such as 002.mp3")
    }
    timings = held.map { whole.only([$0]) } ?? whole
    guard !timings.ayat.isEmpty else {
      throw Failure(
        code: "no_timings",
        message:
          "\(timingsPath): no ayah of \(held?.description ?? "the surah") in these timings, but \(name) holds it"
      )
    }
    if surah == nil, !isOfOne || whole.format == .mp3quran { surahByName = timings.surahs.first }
    if let source, let surah = held ?? timings.surahs.first { self.source = (source, surah) }
  }
}

extension PublishedTimings {
  /// Whether the times rise from the first ayah to the last.
  fileprivate var goesOn: Bool {
    let starts = ayat.compactMap(\.start)
    return zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
