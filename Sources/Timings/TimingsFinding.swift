// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Something wrong with the timings of a recording, shift and drift taken off.
public struct TimingsFinding: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The start is told before the ayah begins, within what is before it,
    case startsEarly
    /// or after it has begun.
    case startsLate
    /// The end is told before the ayah is over,
    case endsEarly
    /// or within what comes after it.
    case endsLate
    /// The end is told after the start of the ayah that is told next,
    case overlapsNext
    /// or after the end of the recording.
    case endsAfterRecording
    /// It is recited, but not in the timings,
    case missing
    /// or in the timings, but not recited.
    case extra
    /// What is heard there is another ayah.
    case wrongAyah(heard: AyahReference)
    /// It is begun again, and the timings do not say so.
    case unmarkedRepeat
    /// From here on all times are later by as much, or earlier: something was cut out of the recording, or put into it,
    /// after it was timed.
    case step
    /// All times are told in another unit than the format's.
    case wrongUnit(Unit)
    /// The timings are of something else.
    case otherRecitation
  }

  /// A unit of time in place of another.
  public enum Unit: CaseIterable, Hashable, Sendable {
    case secondsForMilliseconds
    case millisecondsForSeconds

    /// What is told for each second.
    var rate: Double {
      switch self {
      case .secondsForMilliseconds: 0.001
      case .millisecondsForSeconds: 1000
      }
    }
  }

  public var kind: Kind
  public var ayah: AyahReference
  /// How far off it is, later being positive; of an overlap how long it is. Nil where nothing is off.
  public var seconds: Double?
  /// Where in the recording; nil where it is nowhere.
  public var time: Double?
  /// The probability that it is so, 0...1.
  public var confidence: Double

  init(
    _ kind: Kind, _ ayah: AyahReference, seconds: Double? = nil, time: Double? = nil,
    confidence: Double
  ) {
    self.kind = kind
    self.ayah = ayah
    self.seconds = seconds
    self.time = time
    self.confidence = confidence
  }

  /// What JSON calls it.
  public var code: String {
    switch kind {
    case .startsEarly: "starts_early"
    case .startsLate: "starts_late"
    case .endsEarly: "ends_early"
    case .endsLate: "ends_late"
    case .overlapsNext: "overlaps_next"
    case .endsAfterRecording: "ends_after_recording"
    case .missing: "missing"
    case .extra: "extra"
    case .wrongAyah: "wrong_ayah"
    case .unmarkedRepeat: "unmarked_repeat"
    case .step: "step"
    case .wrongUnit: "wrong_unit"
    case .otherRecitation: "other_recitation"
    }
  }

  /// For people, in a few words, without the ayah.
  public var summary: String {
    let amount = seconds.map { " by \(TimingsCheck.seconds(abs($0)))" } ?? ""
    switch kind {
    case .startsEarly: return "starts early\(amount)"
    case .startsLate: return "starts late\(amount)"
    case .endsEarly: return "ends early\(amount)"
    case .endsLate: return "ends late\(amount)"
    case .overlapsNext: return "ends after the next start\(amount)"
    case .endsAfterRecording: return "ends after the recording\(amount)"
    case .missing: return "recited, but not in the timings"
    case .extra: return "in the timings, but not recited"
    case .wrongAyah(let heard): return "\(heard) is recited there"
    case .unmarkedRepeat: return "repeated, but not in the timings"
    case .step:
      let amount = TimingsCheck.seconds(abs(seconds ?? 0))
      return "from here on all times are \(amount) \(seconds ?? 0 < 0 ? "earlier" : "later")"
    case .wrongUnit(.secondsForMilliseconds):
      return "all times are a thousand times too small: seconds where the format has milliseconds"
    case .wrongUnit(.millisecondsForSeconds):
      return "all times are a thousand times too large: milliseconds where the format has seconds"
    case .otherRecitation: return "the timings are not of this recording"
    }
  }
}
