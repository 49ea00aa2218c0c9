// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
public import Analysis
import Annotation
import AudioCore
import Quran
public import Timings

extension AlignmentWorkflow {
  /// Compares published timings with what is heard of their recording, which ``measure(path:track:progress:)`` has
  /// measured.
  ///
  /// - Parameter timings: of this recording alone, by its clock.
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised.
  public func check(
    _ timings: PublishedTimings, of recording: AnalyzedRecording
  ) throws(AnalysisError) -> TimingsCheck {
    let hearing = RecitationHearing(workflow: self, heard: heard(recording), timings: timings)
    let heard = try hearing.recitation()
    if stopFlag.isStopped { throw .cancelled }
    return TimingsCheck(timings, heard: heard)
  }
}

/// Hears a recording of which somebody has published timings.
///
/// A short recording is aligned as a whole, told its first and last ayah alone. A long one is aligned in parts: the
/// timings say which ayat are in each, the parts before it by how much the timings are off there. Where they prove to be
/// of no use for that, the recording is aligned as a whole as well.
private struct RecitationHearing {
  let workflow: AlignmentWorkflow
  let heard: HeardRecording
  let timings: PublishedTimings

  /// An ayah that is published with a start, in seconds.
  private struct Entry {
    let ayah: AyahReference
    let start: Double
  }

  private var rate: SampleRate { heard.envelope.grid.rate }
  private var duration: Double { heard.envelope.length.seconds(at: rate) }

  func recitation() throws(AnalysisError) -> HeardRecitation {
    let entries = timings.ayat.compactMap { ayah in
      ayah.start.map { Entry(ayah: ayah.ayah, start: Double($0) / 1000) }
    }.sorted { $0.start < $1.start }
    guard let first = entries.first, let last = entries.last else {
      return HeardRecitation(ayat: [], duration: duration, doubt: "no ayah has a start")
    }
    if duration > 2 * Self.part, let ayat = try inParts(entries) {
      return HeardRecitation(ayat: ayat, duration: duration)
    }
    let aligner = try workflow.aligner(heard)
    let (low, high) = (
      entries.map(\.ayah).min() ?? first.ayah, entries.map(\.ayah).max() ?? last.ayah
    )
    let alignment = aligner.align(AlignmentRequest(first: low, last: high))
    return HeardRecitation(
      ayat: occurrences(alignment, from: 0), duration: duration,
      doubt: alignment.remarks.lazy.compactMap { $0.otherRecitation }.first)
  }

  /// - Returns: nil where the timings do not lead through the recording.
  private func inParts(
    _ entries: [Entry]
  ) throws(AnalysisError) -> [HeardRecitation.Ayah]? {
    guard zip(entries, entries.dropFirst()).allSatisfy({ $0.ayah <= $1.ayah }) else { return nil }
    let published = Set(entries.map(\.ayah))
    var result: [HeardRecitation.Ayah] = []
    var shift: Double?
    var next = 0
    while next < entries.count {
      if workflow.stopFlag.isStopped { throw .cancelled }
      let part = next
      next =
        entries[(part + 1)...].firstIndex { $0.start - entries[part].start >= Self.part }
        ?? entries.count
      // What is left is too short for a part of its own.
      if let last = entries.last, next < entries.count,
        last.start - entries[next].start < Self.part / 2
      {
        next = entries.count
      }
      // Whole ayat around it, so that its own edges are within what is aligned.
      let low = entries[..<part].lastIndex { $0.start <= entries[part].start - Self.margin } ?? 0
      let high =
        next < entries.count
        ? entries[next...].firstIndex { $0.start >= entries[next].start + Self.margin }
          ?? entries.count : entries.count
      let begin = low == 0 || shift == nil ? 0 : entries[low].start - (shift ?? 0) - Self.slack
      let end =
        high == entries.count
        ? duration
        : entries[high].start - (shift ?? 0) + (shift == nil ? Self.farthest : Self.slack)
      guard
        let found = try occurrences(
          from: max(0, begin), to: min(duration, end), first: entries[low].ayah,
          last: shift == nil ? nil : entries[high - 1].ayah)
      else { return nil }
      let own = Set(entries[part..<next].map(\.ayah))
      let differences = entries[part..<next].compactMap { entry -> Double? in
        let places = found.filter { $0.ayah == entry.ayah }
        return places.count == 1 ? entry.start - places[0].start : nil
      }
      guard differences.count * 2 >= next - part, let found0 = differences.median,
        abs(found0 - (shift ?? found0)) < Self.mostDrift
      else { return nil }
      shift = found0
      let (from, until) = (
        part == 0 ? -Double.infinity : entries[part].start - found0,
        next < entries.count ? entries[next].start - found0 : .infinity
      )
      result += found.filter { place in
        own.contains(place.ayah)
          ? place.start > from - Self.margin && place.start < until + Self.margin
          : !published.contains(place.ayah) && place.start >= from && place.start < until
      }
    }
    return unique(result)
  }

  /// Of an ayah that two parts hold, the one that was heard first.
  private func unique(_ ayat: [HeardRecitation.Ayah]) -> [HeardRecitation.Ayah] {
    var result: [HeardRecitation.Ayah] = []
    for place in ayat.sorted(by: { $0.start < $1.start })
    where !result.suffix(3).contains(where: {
      $0.ayah == place.ayah && place.start - $0.start < 1
    }) {
      result.append(place)
    }
    return result
  }

  /// What is heard from one second to another; nil where it is not the text.
  private func occurrences(
    from start: Double, to end: Double, first: AyahReference, last: AyahReference?
  ) throws(AnalysisError) -> [HeardRecitation.Ayah]? {
    // From a hop's first frame on.
    let begin = (start * 100).rounded(.down) / 100
    guard end > begin else { return nil }
    let span =
      FramePosition(
        seconds: begin, at: rate)..<min(
        FramePosition(seconds: end, at: rate), .zero + heard.envelope.length)
    guard !span.isEmpty else { return nil }
    var request = AlignmentRequest(first: first, last: last)
    request.certainty = .predicted
    let alignment = try workflow.aligner(heard, in: span).align(request)
    guard !alignment.remarks.contains(where: { $0.otherRecitation != nil }) else { return nil }
    return occurrences(alignment, from: span.lowerBound.seconds(at: rate))
  }

  /// Each ayah that is begun.
  private func occurrences(_ alignment: AyahAlignment, from origin: Double) -> [HeardRecitation
    .Ayah]
  {
    func seconds(_ position: FramePosition) -> Double { origin + position.seconds(at: rate) }
    /// The start of the pause in which an edge lies.
    func fallsSilent(_ position: FramePosition) -> FramePosition {
      let near = FrameCount(seconds: Self.nearPause, at: rate)
      let pause = alignment.pauses.last {
        $0.span.lowerBound <= position && position <= $0.span.upperBound + near
      }
      return min(pause?.span.lowerBound ?? position, position)
    }
    var result: [HeardRecitation.Ayah] = []
    let segments = alignment.segments
    for (index, segment) in segments.enumerated() {
      // Silence after it belongs to it.
      let isSilent =
        index + 1 < segments.count && segments[index + 1].assignment == .unused(.silence)
      let limit = segments[isSilent ? index + 1 : index].span.upperBound
      var starts: [(AyahReference, FramePosition)] = []
      switch segment.assignment {
      case .ayah(let ayah, let part, _):
        if part == nil || part == .beginning { starts = [(ayah, segment.span.lowerBound)] }
      case .crossSurah(let ayah, let join, let end, _):
        starts = [(ayah, segment.span.lowerBound), (end, join)]
      case .ayat(let range, let joins, _):
        starts = Array(zip(range, [segment.span.lowerBound] + joins))
      case .leadIn, .unused: break
      }
      for (place, (ayah, start)) in starts.enumerated() {
        let isLast = place + 1 == starts.count
        let end = isLast ? limit : starts[place + 1].1
        let silence = isLast && isSilent ? segment.span.upperBound : fallsSilent(end)
        let isFirst = index == 0 && place == 0
        // What a recording begins with may be told to begin with it.
        let voice =
          isFirst
          ? alignment.pauses.first { $0.span.lowerBound == start }?.span.upperBound ?? start : start
        result.append(
          HeardRecitation.Ayah(
            ayah, earliest: isFirst && origin == 0 ? 0 : seconds(fallsSilent(start)),
            start: seconds(voice), voiceEnd: seconds(max(silence, start)), end: seconds(end),
            confidence: index == 0
              ? segment.confidence : alignment.boundaries[index - 1].confidence))
      }
    }
    return result
  }

  /// Seconds of a part.
  private static let part = 90.0
  /// Seconds around a part that are heard with it.
  private static let margin = 5.0
  /// Seconds by which an edge of a part may be wrong.
  private static let slack = 0.7
  /// Seconds by which timings may be late and the first part is found all the same.
  private static let farthest = 12.0
  /// Seconds by which two parts may differ in how late they are.
  private static let mostDrift = 1.5
  /// Seconds after a pause in which its edge may lie.
  private static let nearPause = 0.05
}

extension AlignmentRemark {
  /// That it is not what was told, in one sentence; nil for other remarks.
  var otherRecitation: String? {
    switch self {
    case .noVoice, .otherText, .noPlace, .soundsLike: text(.commandLine)
    case .manyPlaces, .beginsOutside, .beginsWith, .endsWith, .noRoom, .heardAgain, .outOfOrder,
      .leftOut, .isPrayer, .isNoPrayer, .otherReading:
      nil
    }
  }
}

extension [Double] {
  fileprivate var median: Double? {
    isEmpty ? nil : sorted()[count / 2]
  }
}
