// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

/// Makes the steps of a request one after another, asking for clips as it needs them.
///
/// A value without a clock: the same answers give the same steps.
struct PlaybackQueue: Sendable {
  /// How planning goes on.
  enum Turn: Hashable, Sendable {
    /// Nothing more before `provide` has been called with the answer.
    case need(ClipNeed)
    case step(PlaybackStep)
    case end
  }

  let itinerary: Itinerary
  private(set) var cursor: PlanCursor
  private var clips: [AyahReference: Resolution<AyahClip>] = [:]
  private var basmalah: (surah: Surah, answer: Resolution<AudioClip>)?

  private var request: PlaybackRequest { itinerary.request }

  init(_ itinerary: Itinerary) {
    self.itinerary = itinerary
    cursor = PlanCursor(place: .before(itinerary.first, playsOn: false))
  }

  /// Follows what another queue has planned to its end.
  init(_ itinerary: Itinerary, after other: PlaybackQueue) {
    self.itinerary = itinerary
    cursor = PlanCursor(
      place: .before(itinerary.first, playsOn: true),
      edge: other.request.hasGaps ? nil : other.cursor.edge)
  }

  /// The silence after the last ayah, where another item follows; nil where there is none.
  func gapAtEnd(at rate: SampleRate, speed: Double) -> PlaybackStep? {
    guard request.hasGaps, !cursor.isPastGap else { return nil }
    var following = cursor
    following.edge = nil
    following.isPastGap = true
    return PlaybackStep(
      content: .gap(gap(at: rate, speed: speed)), join: .cut, origin: cursor, following: following)
  }

  /// Goes on with the start of a hearing, as after a jump.
  ///
  /// - Parameter playsOn: whether the basmalah before it comes first, as where play goes on into its surah.
  mutating func jump(to occurrence: AyahOccurrence, playsOn: Bool = false) {
    replan(from: PlanCursor(place: .before(occurrence, playsOn: playsOn)))
  }

  /// Goes on from where a step began or ended, and looks up anew what is needed.
  mutating func replan(from cursor: PlanCursor) {
    self.cursor = cursor
    clips = [:]
    basmalah = nil
  }

  /// Answers a need.
  mutating func provide(_ answer: ClipAnswer, to need: ClipNeed) {
    switch (need, answer) {
    case (.ayah(let ayah), .ayah(let clip)): clips[ayah] = clip
    case (.basmalah(let surah, _), .basmalah(let audio)): basmalah = (surah, audio)
    case (.ayah, .basmalah), (.basmalah, .ayah): preconditionFailure("the answer to another need")
    }
  }

  /// The next step, with silences in frames at the session's rate.
  ///
  /// - Parameter speed: of play, by which a gap as long as an ayah is as long as that is heard.
  mutating func next(at rate: SampleRate, speed: Double = 1) -> Turn {
    switch cursor.place {
    case .after(let occurrence, let wasMissing):
      guard
        let (next, step) = itinerary.following(
          occurrence, skipsRepetitions: wasMissing, past: cursor.together)
      else { return .end }
      let playsOn = step == .onward || step == .beyond
      var following = PlanCursor(place: .before(next, playsOn: playsOn), edge: cursor.edge)
      guard request.hasGaps, !cursor.isPastGap else {
        cursor = following
        return self.next(at: rate, speed: speed)
      }
      following.edge = nil
      return emit(.gap(gap(at: rate, speed: speed)), .cut, following)
    case .before(let occurrence, let playsOn):
      return enter(occurrence, playsOn: playsOn, rate)
    }
  }

  /// The silence after what the cursor stands behind.
  private func gap(at rate: SampleRate, speed: Double) -> FrameCount {
    let heard = cursor.heardSeconds * 1000 / speed * request.gapFactor
    // A day is longer than any gap that is meant.
    return silence(request.gapMilliseconds + Int(min(max(0, heard), 86_400_000).rounded()), rate)
  }

  private mutating func enter(_ occurrence: AyahOccurrence, playsOn: Bool, _ rate: SampleRate)
    -> Turn
  {
    guard let answer = clips[occurrence.ayah] else { return .need(.ayah(occurrence.ayah)) }
    let clip: AyahClip
    switch answer {
    case .found(let found):
      do throws(ExcerptError) {
        clip = try excerpt(of: found, at: occurrence)
      } catch {
        return emitMissing(occurrence, reason: error.description, rate)
      }
    case .missing, .lacking, .failed:
      return emitMissing(occurrence, reason: answer.reason, rate)
    }
    if playsOn, wantsBasmalah(clip) {
      let surah = occurrence.ayah.surah
      guard let basmalah, basmalah.surah == surah else {
        return .need(.basmalah(of: surah, like: clip))
      }
      if case .found(let audio) = basmalah.answer {
        let following = PlanCursor(
          place: .before(occurrence, playsOn: false), edge: Self.end(of: audio))
        var basmalah = AyahClip(
          occurrence.ayah, audio, riwayah: clip.riwayah, reciter: clip.reciter)
        basmalah.origin = clip.origin
        return emit(.basmalah(basmalah, before: occurrence), join(audio, rate), following)
      }
    }
    return breath(occurrence, clip, rate)
  }

  private func excerpt(
    of clip: AyahClip, at occurrence: AyahOccurrence
  ) throws(ExcerptError) -> AyahClip {
    guard let excerpt = request.excerpt, occurrence.part == .range, request.range.count == 1 else {
      return clip
    }
    return try clip.part(excerpt)
  }

  private func wantsBasmalah(_ clip: AyahClip) -> Bool {
    request.insertsBasmalah && clip.ayah.followsBasmalah && !clip.beginsWithBasmalah
  }

  /// A hearing, and those after it that the recording holds in the same breath.
  private mutating func breath(_ occurrence: AyahOccurrence, _ clip: AyahClip, _ rate: SampleRate)
    -> Turn
  {
    var passages = [PlaybackStep.Passage(occurrence: occurrence, clip: clip)]
    var last = passages[0]
    while last.clip.sharesBreath, !request.hasGaps,
      let (next, step) = itinerary.following(last.occurrence), step == .onward || step == .beyond
    {
      guard let answer = clips[next.ayah] else { return .need(.ayah(next.ayah)) }
      guard case .found(let other) = answer, other.sharesBreath,
        other.audio.media == last.clip.audio.media,
        other.audio.span.lowerBound == last.clip.audio.span.upperBound
      else { break }
      last = PlaybackStep.Passage(occurrence: next, clip: other)
      passages.append(last)
    }
    var following = PlanCursor(
      place: .after(last.occurrence, wasMissing: false), edge: Self.end(of: last.clip.audio))
    following.together = last.clip.together
    following.heardSeconds = last.clip.audio.span.length.seconds(at: last.clip.audio.format.rate)
    return emit(.breath(passages), join(clip.audio, rate), following)
  }

  private mutating func emitMissing(
    _ occurrence: AyahOccurrence, reason: String?, _ rate: SampleRate
  ) -> Turn {
    emit(
      .missing(occurrence, reason: reason, silence(itinerary.request.missingMilliseconds, rate)),
      .cut,
      PlanCursor(place: .after(occurrence, wasMissing: true)))
  }

  private mutating func emit(
    _ content: PlaybackStep.Content, _ join: PlaybackStep.Join, _ following: PlanCursor
  ) -> Turn {
    let step = PlaybackStep(content: content, join: join, origin: cursor, following: following)
    cursor = following
    forgetClips(following)
    return .step(step)
  }

  /// Keeps what may be wanted again at once: the ayah for its repetitions, and the one after it.
  private mutating func forgetClips(_ cursor: PlanCursor) {
    let ayah =
      switch cursor.place {
      case .after(let occurrence, _), .before(let occurrence, _): occurrence.ayah
      }
    clips = clips.filter { $0.key == ayah || $0.key == ayah.next }
    if basmalah?.surah != ayah.surah { basmalah = nil }
  }

  private func join(_ audio: AudioClip, _ rate: SampleRate) -> PlaybackStep.Join {
    guard let edge = cursor.edge else { return .cut }
    if edge == PlanCursor.Edge(media: audio.media, frame: audio.span.lowerBound) {
      return .continuous
    }
    let overlap = frames(request.crossfadeMilliseconds, rate)
    return overlap > .zero ? .crossfade(overlap) : .cut
  }

  private static func end(of audio: AudioClip) -> PlanCursor.Edge {
    PlanCursor.Edge(media: audio.media, frame: audio.span.upperBound)
  }

  /// At least one frame, so that whether there is silence does not hang on the rate.
  private func silence(_ milliseconds: Int, _ rate: SampleRate) -> FrameCount {
    max(FrameCount(1), frames(milliseconds, rate))
  }

  /// The nearest number of frames, exact for any length a person could wait for.
  private func frames(_ milliseconds: Int, _ rate: SampleRate) -> FrameCount {
    // A day is longer than any silence that is meant.
    let bounded = Int64(min(max(0, milliseconds), 86_400_000))
    return FrameCount((bounded * Int64(rate.hertz) + 500) / 1000)
  }
}
