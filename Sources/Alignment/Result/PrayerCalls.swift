// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Acoustics

/// What is heard between the standings of a prayer, and the silences there, named by what was recognised, and
/// where nothing was, by place and length.
struct PrayerCalls {
  struct Call: Hashable {
    /// Frames from its first sound to its last, half-open.
    var frames: Range<Int>
    /// Nil where its words are not known.
    var reason: UnusedReason?
    /// What the silence after it is.
    var silence = UnusedReason.silence
  }

  /// Longer speech than nine seconds is no call.
  private static let longest = 9 * LogMelFrames.framesPerSecond
  /// Two salams are no further apart than six seconds.
  private static let betweenSalams = 6 * LogMelFrames.framesPerSecond
  /// A salam is no shorter than three seconds.
  private static let shortestSalam = 3 * LogMelFrames.framesPerSecond

  /// Names what is said after a standing, in order.
  ///
  /// - Parameter isProstration: whether reciting goes on after it without al-Fatiha.
  static func named(_ calls: [Call], isProstration: Bool) -> [Call] {
    var calls = calls
    let salams = salams(calls) ?? calls.count..<calls.count
    // Which of the calls of a rak'ah comes next: takbir, tasmee, takbir ...
    var place = 0
    for index in calls.indices {
      if calls[index].reason == .salam || salams.contains(index) {
        calls[index].reason = .salam
        continue
      }
      if calls[index].reason == nil, calls[index].frames.count > longest {
        calls[index].reason = place <= 2 && !isProstration ? .qunut : .speech
        continue
      }
      if isProstration {
        calls[index].reason = calls[index].reason ?? .takbir
        if place == 0 { calls[index].silence = .sujud }
        place += 1
        continue
      }
      // What was recognised says where we are.
      if calls[index].reason == .tasmee { place = 1 }
      calls[index].reason = calls[index].reason ?? (place == 1 ? .tasmee : .takbir)
      switch place {
      case 0: calls[index].silence = .ruku
      case 2, 4: calls[index].silence = .sujud
      case 5 where !salams.isEmpty: calls[index].silence = .tashahhud
      default: break
      }
      place += 1
    }
    return calls
  }

  /// Two long calls, one soon after the other.
  private static func salams(_ calls: [Call]) -> Range<Int>? {
    func mayBe(_ call: Call) -> Bool {
      call.reason == .salam
        || call.reason == nil && (shortestSalam...longest).contains(call.frames.count)
    }
    return calls.indices.dropLast().last { index in
      index > 1 && mayBe(calls[index]) && mayBe(calls[index + 1])
        && calls[index + 1].frames.lowerBound - calls[index].frames.upperBound < betweenSalams
    }.map { $0..<$0 + 2 }
  }
}

extension AcousticScores {
  /// Stretches in which something is said, be it known or not.
  ///
  /// - Parameter frames: where to look.
  func speech(in frames: Range<Int>) -> [Range<Int>] {
    runs(in: frames).filter { $0.count >= Self.shortestSpeech }
  }

  /// Stretches with sound, however short.
  func runs(in frames: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for frame in frames {
      guard isSound(frame) else { continue }
      if let run = runs.last, frame - run.upperBound <= Self.shortestPause {
        runs[runs.count - 1] = run.lowerBound..<frame + 1
      } else {
        runs.append(frame..<frame + 1)
      }
    }
    return runs
  }

  /// Whether any sound is likelier than silence.
  func isSound(_ frame: Int) -> Bool {
    let row = values[frame * soundCount..<(frame + 1) * soundCount]
    return row.last.map { last in row.dropLast().contains { $0 > last } } ?? false
  }

  /// Frames of silence that part two things said: half a second.
  private static let shortestPause = 12
  /// Frames of sound that are something said, and no cough: six tenths of a second, less than any call takes.
  static let shortestSpeech = 15
}
