// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

/// One entry of what is played: a stretch of sound or of silence.
struct PlaybackStep: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// One ayah, or several that the recording holds in one breath, without a cut.
    case breath([Passage])
    /// The basmalah of a surah that is about to begin.
    case basmalah(AyahClip, before: AyahOccurrence)
    /// Nobody can be heard with it.
    case missing(AyahOccurrence, reason: String?, FrameCount)
    case gap(FrameCount)
  }

  /// A hearing of an ayah and its part of the recording.
  struct Passage: Hashable, Sendable {
    let occurrence: AyahOccurrence
    let clip: AyahClip
  }

  /// How its first frame follows the frame before.
  enum Join: Hashable, Sendable {
    /// Cut: after silence, or where no crossfade is wanted.
    case cut
    /// The frames follow one another in the recording, so that nothing is heard of the join.
    case continuous
    /// Overlaps what is before, frames at the session's rate.
    case crossfade(FrameCount)
  }

  let content: Content
  let join: Join
  /// Where planning stood before it, and where after; from there it can be done anew.
  let origin: PlanCursor
  let following: PlanCursor

  /// What sounds; nil for silence.
  var audio: AudioClip? {
    switch content {
    case .breath(let passages):
      guard let first = passages.first?.clip.audio, let last = passages.last?.clip.audio else {
        return nil
      }
      return AudioClip(
        first.media, first.span.lowerBound..<last.span.upperBound, format: first.format)
    case .basmalah(let clip, _): return clip.audio
    case .missing, .gap: return nil
    }
  }

  /// What is heard first of it, and whether that is the basmalah before an ayah; nil for silence.
  var beginning: (occurrence: AyahOccurrence, audio: AudioClip, isBasmalah: Bool)? {
    switch content {
    case .breath(let passages):
      passages.first.map { ($0.occurrence, $0.clip.audio, false) }
    case .basmalah(let clip, let occurrence): (occurrence, clip.audio, true)
    case .missing, .gap: nil
    }
  }

  /// Frames at the session's rate, to the nearest.
  func length(at rate: SampleRate) -> FrameCount {
    switch content {
    case .missing(_, _, let count), .gap(let count): return count
    case .breath, .basmalah:
      guard let audio else { return .zero }
      let seconds = audio.span.length.seconds(at: audio.format.rate)
      return FrameCount(seconds: seconds, at: rate)
    }
  }

  /// The same step where its ayat have another order now.
  func adopted(by itinerary: Itinerary) -> PlaybackStep {
    let content: Content =
      switch content {
      case .breath(let passages):
        .breath(
          passages.map {
            Passage(occurrence: itinerary.adopting($0.occurrence), clip: $0.clip)
          })
      case .basmalah(let clip, let next): .basmalah(clip, before: itinerary.adopting(next))
      case .missing(let occurrence, let reason, let count):
        .missing(itinerary.adopting(occurrence), reason: reason, count)
      case .gap: content
      }
    return PlaybackStep(
      content: content, join: join, origin: origin.adopted(by: itinerary),
      following: following.adopted(by: itinerary))
  }

  /// Whether an ayah is heard or ought to be.
  var isAyah: Bool {
    switch content {
    case .breath, .missing: true
    case .basmalah, .gap: false
    }
  }
}

/// Where planning stands.
struct PlanCursor: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// A hearing was planned to its end; `wasMissing` spares its repetitions.
    case after(AyahOccurrence, wasMissing: Bool)
    /// A hearing comes next, gaps before it are done. The basmalah precedes it if play goes on into
    /// its surah.
    case before(AyahOccurrence, playsOn: Bool)
  }

  var place: Place
  /// The frame that would continue what was planned last; nil after silence and at the start.
  var edge: Edge?
  /// How long the ayah planned last is at its own speed; 0 where it is missing.
  var heardSeconds = 0.0
  /// Whether the gap after the last ayah of an item is planned, beyond which more may follow.
  var isPastGap = false
  /// The ayat that were heard in the sound planned last, which are not planned again after it.
  var together: AyahRange?

  struct Edge: Hashable, Sendable {
    let media: MediaKey
    let frame: FramePosition
  }

  /// The same cursor where the ayat have another order now.
  func adopted(by itinerary: Itinerary) -> PlanCursor {
    var cursor = self
    cursor.place =
      switch place {
      case .after(let occurrence, let wasMissing):
        .after(itinerary.adopting(occurrence), wasMissing: wasMissing)
      case .before(let occurrence, let playsOn):
        .before(itinerary.adopting(occurrence), playsOn: playsOn)
      }
    return cursor
  }
}
