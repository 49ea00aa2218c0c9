// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Published timings of a recording, compared with what is heard in it.
public struct TimingsCheck: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable {
    /// They can be used as they are.
    case fits
    /// All are early or late by as much,
    case shifted
    /// and more and more so.
    case drifted
    /// Some are wrong by themselves.
    case unfit
  }

  /// What is to be made of a drift.
  public enum DriftStanding: Hashable, Sendable {
    /// It is taken off.
    case significant
    /// It cannot be told from none.
    case chance
    /// More than four standard errors away from none, but of so few ayat that these errors are known badly;
    case tooFewAyat
    /// or less than a tenth of a second over the whole recording.
    case tooSmall
  }

  /// Seconds that the timings are later than the sound at its start; negative when they are earlier.
  public let shift: Double
  /// Standard error of ``shift``.
  public let shiftError: Double
  /// By how much their clock is slower, in millionths: what fits best, be it chance. Of a set, what fits all of it.
  public let drift: Double
  /// Standard error of ``drift``; infinite where nothing tells it.
  public let driftError: Double
  public let driftStanding: DriftStanding
  /// In the order of the timings, what they lack last.
  public let findings: [TimingsFinding]
  /// Published ayat with times that are heard.
  public let matched: Int
  /// The timings that fit what is heard.
  public let repaired: PublishedTimings
  /// Nil where the timings are of something else.
  let clock: ClockFit?
  private let timings: PublishedTimings
  private let heard: HeardRecitation

  public var isDrifted: Bool { driftStanding == .significant }

  public var verdict: Verdict {
    if !findings.isEmpty { return .unfit }
    if isDrifted { return .drifted }
    return abs(shift) > Self.tolerance ? .shifted : .fits
  }

  /// Seconds by which publishers differ in where between two ayat they put an edge.
  public static let tolerance = 0.25
  /// Seconds from which on an edge is wrong: those of 1,400 published starts of two reciters are within 0.5 s in 99 %
  /// (`Scripts/measure-timings-check.py`).
  static let wrong = 0.5
  /// Findings that are no surer are not reported.
  private static let leastSure = 0.5
  /// Seconds within which two published edges are one.
  private static let same = 0.02

  /// The same, given the drift that all recordings of its set have in common.
  public func given(_ drift: TimingsDrift) -> TimingsCheck {
    TimingsCheck(timings, heard: heard, drift: drift)
  }

  /// - Parameters:
  ///   - timings: of this recording alone, by its clock.
  ///   - drift: of all recordings of its set; nil where nobody knows.
  public init(
    _ timings: PublishedTimings, heard: HeardRecitation, drift common: TimingsDrift? = nil
  ) {
    (self.timings, self.heard) = (timings, heard)
    var pairing = TimingsPairing(timings, heard)
    let points = pairing.points
    let unit = Self.unit(of: points)
    let fitted = ClockFit(points, common: common)
    pairing.pairOthers(by: fitted)
    let published = pairing.inTheirPlaces
    matched = published.count { $0.heard != nil }
    guard heard.doubt == nil, !published.isEmpty, matched * 2 >= published.count, unit == nil,
      let clock = fitted, clock.isOfRecitation
    else {
      self.clock = nil
      (shift, shiftError, drift, driftError, driftStanding) = (0, .infinity, 0, .infinity, .chance)
      findings = [
        TimingsFinding(
          unit.map { .wrongUnit($0) } ?? .otherRecitation, timings.ayat.first?.ayah ?? .first,
          confidence: 1)
      ]
      repaired = timings
      return
    }
    self.clock = clock
    shift = clock.shift
    shiftError = clock.shiftError
    drift = clock.bestDrift * 1e6
    driftError = clock.driftError * 1e6
    driftStanding = clock.standing
    let comparison = Comparison(published: published, heard: heard, clock: clock)
    findings = comparison.findings(timings).filter { $0.confidence >= Self.leastSure }.map {
      // What is told of before the sound begins is heard at its beginning, if at all.
      var finding = $0
      finding.time = finding.time.map { min(max($0, 0), heard.duration) }
      return finding
    }
    repaired = comparison.repaired(timings, findings)
  }

  /// Whether the timings can be corrected by the sound.
  public var isRepairable: Bool { clock != nil }

  /// In which other unit of time all starts are told; nil where they are not.
  private static func unit(of points: [ClockFit.Point]) -> TimingsFinding.Unit? {
    guard points.count >= 3 else { return nil }
    let rate = 1 + ClockRegression.medianSlope([points])
    return TimingsFinding.Unit.allCases.first { abs(rate / $0.rate - 1) < ClockFit.usualDrift }
  }

  /// `0.43 s`.
  static func seconds(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 100).rounded())
    let part = hundredths % 100
    return "\(hundredths / 100).\(part < 10 ? "0" : "")\(part) s"
  }

  /// What is published beside what is heard, on one clock.
  fileprivate struct Comparison {
    typealias Entry = TimingsPairing.Entry

    let published: [Entry]
    let heard: HeardRecitation
    let clock: ClockFit

    /// Where the sound's clock has what an entry tells.
    private func start(of entry: Entry) -> Double { clock.sound(entry.start, by: part(of: entry)) }

    /// Whether an entry is told at 0 because its file has no time before that.
    private func isCutOff(_ entry: Entry) -> Bool {
      entry.start <= 0 && entry.heard.map { start(of: entry) > $0.start } ?? false
    }

    /// The part of the clock that an entry is told by.
    private func part(of entry: Entry) -> ClockFit.Part {
      entry.heard.map { clock.part(at: $0.start) } ?? clock.part(published: entry.start)
    }

    /// The same of its end. Before a step some tell it by the clock of the next start: the one by which it is nearer to
    /// that.
    private func end(of entry: Entry) -> Double? {
      guard let end = entry.end else { return nil }
      let own = part(of: entry)
      guard let following = entry.following else { return clock.sound(end, by: own) }
      let after = clock.part(at: following.heard)
      let distance = abs(end - following.published)
      let ownDistance = abs(end - (following.published - after.shift + own.shift))
      return clock.sound(end, by: distance < ownDistance ? after : own)
    }

    func findings(_ timings: PublishedTimings) -> [TimingsFinding] {
      var findings = steps
      for entry in published { findings += self.findings(entry) }
      let known = Set(published.compactMap(\.heard))
      let named = Set(published.map(\.ayah))
      for place in heard.ayat where !known.contains(place) {
        if !timings.format.holdsRepeats, isWithinItsEntry(place) { continue }
        findings.append(
          TimingsFinding(
            named.contains(place.ayah) ? .unmarkedRepeat : .missing, place.ayah,
            time: place.start, confidence: place.confidence))
      }
      return findings
    }

    /// Whether an entry of the same ayah reaches over an occurrence, as one does that has all of its repeats within. Where it
    /// ends by the clock after a step does not count: what came with the step was not there when it was timed.
    private func isWithinItsEntry(_ place: HeardRecitation.Ayah) -> Bool {
      published.contains { entry in
        entry.ayah == place.ayah && start(of: entry) <= place.start
          && entry.end.map { clock.sound($0, by: part(of: entry)) >= place.end - wrong } ?? false
      }
    }

    private var steps: [TimingsFinding] {
      zip(zip(clock.parts, clock.parts.dropFirst()), clock.stepConfidences).compactMap {
        parts, confidence in
        published.first { $0.heard?.start == parts.1.start }.map {
          TimingsFinding(
            .step, $0.ayah, seconds: parts.1.shift - parts.0.shift, time: parts.1.start,
            confidence: confidence)
        }
      }
    }

    private func findings(_ entry: Entry) -> [TimingsFinding] {
      var findings: [TimingsFinding] = []
      let start = start(of: entry)
      let end = end(of: entry)
      let next = entry.next.map { clock.sound($0, by: part(of: entry)) }
      if let end = entry.end, let next = entry.next, end > next + same {
        findings.append(
          TimingsFinding(
            .overlapsNext, entry.ayah, seconds: end - next,
            time: clock.sound(end, by: part(of: entry)), confidence: 1))
      } else if let end, end > heard.duration + wrong {
        findings.append(
          TimingsFinding(
            .endsAfterRecording, entry.ayah, seconds: end - heard.duration, time: heard.duration,
            confidence: 1))
      }
      let other = whatIsHeard(from: start, to: end ?? next)
      guard let place = entry.heard else {
        // Where the ayah itself is heard, another entry is taken for it.
        if let other, other.ayah != entry.ayah {
          findings.append(
            TimingsFinding(
              .wrongAyah(heard: other.ayah), entry.ayah, time: start, confidence: other.confidence))
        } else {
          findings.append(
            TimingsFinding(
              .extra, entry.ayah, time: start, confidence: sureness(around: start)))
        }
        return findings
      }
      let distance =
        start < place.earliest
        ? start - place.earliest : start > place.start ? start - place.start : 0
      if abs(distance) >= wrong, abs(start - place.start) >= wrong, !isCutOff(entry) {
        if let other, other.ayah != place.ayah {
          findings.append(
            TimingsFinding(
              .wrongAyah(heard: other.ayah), entry.ayah, seconds: start - place.start, time: start,
              confidence: min(other.confidence, place.confidence)))
          return findings
        }
        findings.append(
          TimingsFinding(
            distance < 0 ? .startsEarly : .startsLate, entry.ayah, seconds: start - place.start,
            time: start, confidence: place.confidence))
      }
      // An end that is the next start is judged with that.
      guard let end, let told = entry.end, entry.next.map({ abs(told - $0) > same }) ?? true,
        end <= heard.duration + wrong
      else { return findings }
      let sureness = sureness(around: place.end)
      if end < place.voiceEnd - wrong {
        findings.append(
          TimingsFinding(
            .endsEarly, entry.ayah, seconds: end - place.voiceEnd, time: end, confidence: sureness))
      } else if end > place.end + wrong, entry.next.map({ told < $0 }) ?? true {
        findings.append(
          TimingsFinding(
            .endsLate, entry.ayah, seconds: end - place.end, time: end, confidence: sureness))
      }
      return findings
    }

    /// The ayah whose voice fills more than half of a stretch; nil for none.
    private func whatIsHeard(from start: Double, to end: Double?) -> HeardRecitation.Ayah? {
      guard let end, end > start else { return nil }
      return heard.ayat.first { place in
        min(place.voiceEnd, end) - max(place.start, start) > (end - start) / 2
      }
    }

    /// How sure the edges on both sides of a place are.
    private func sureness(around time: Double) -> Double {
      let before = heard.ayat.last { $0.start <= time }?.confidence
      let after = heard.ayat.first { $0.start > time }?.confidence
      return min(before ?? 1, after ?? 1)
    }

    /// Shift, steps and drift taken off; what is still wrong then is put where it is heard, what is not heard goes, and what is
    /// missing comes in.
    func repaired(_ timings: PublishedTimings, _ findings: [TimingsFinding]) -> PublishedTimings {
      var result = timings
      result.remarks = []
      result.ayat = []
      func milliseconds(_ seconds: Double) -> Int { max(0, Int((seconds * 1000).rounded())) }
      let wrong = Set(findings.filter { $0.kind != .step }.map(\.ayah))
      for entry in published {
        guard let place = entry.heard else { continue }
        var ayah = timings.ayat[entry.index]
        let isWrong = wrong.contains(entry.ayah) || isCutOff(entry)
        let offset = isWrong ? place.start - start(of: entry) : 0
        func corrected(_ time: Int) -> Int {
          milliseconds(clock.sound(Double(time) / 1000, by: part(of: entry)) + offset)
        }
        ayah.start = isWrong ? milliseconds(place.start) : ayah.start.map(corrected)
        ayah.end = milliseconds(isWrong ? place.end : end(of: entry) ?? place.end)
        if var preface = ayah.preface {
          preface.start = preface.start.map(corrected)
          preface.end = preface.end.map { min(corrected($0), ayah.start ?? .max) }
          ayah.preface = preface
        }
        ayah.words = ayah.words.compactMap { word in
          let span = (corrected(word.span.lowerBound), corrected(word.span.upperBound))
          return span.0 < span.1 ? .init(word.numbers, span.0..<span.1) : nil
        }
        result.ayat.append(ayah)
      }
      let known = Set(published.compactMap(\.heard))
      for place in heard.ayat where !known.contains(place) && place.confidence >= leastSure {
        result.ayat.append(
          .init(place.ayah, start: milliseconds(place.start), end: milliseconds(place.end)))
      }
      result.ayat.sort { ($0.start ?? 0) < ($1.start ?? 0) }
      for index in result.ayat.indices.dropLast() {
        guard let end = result.ayat[index].end, let next = result.ayat[index + 1].start else {
          continue
        }
        // No ayah reaches into the next, and none ends before one that was moved towards it.
        let moved = wrong.contains(result.ayat[index + 1].ayah)
        if end > next || moved { result.ayat[index].end = next }
      }
      return result
    }
  }
}
