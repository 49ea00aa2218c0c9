// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Dispatch
import Foundation
import Library
import Listening
import Playback
import Quran

/// Keeps where listening has come to and what was heard, in the library: at every change and every five
/// seconds, on a queue of its own, so that nobody who plays waits for the disk.
///
/// `look` and what follows from it belong to one thread.
final class ListeningRecorder {
  private let library: Library
  private let arguments: [String]
  private let names: [ReciterID: String]
  private let queue = DispatchQueue(label: "tilawa.listening")
  /// What the library has of this session; nil while it has nothing. Used on `queue` alone.
  private let session: Monitor<Written?>
  private var tracker: HearingTracker
  private var missing: Set<AyahReference>
  /// Of them, those that were missing before it began.
  private let knownMissing: Set<AyahReference>
  private var kept: (place: KeptListening.Place, at: ContinuousClock.Instant)?
  /// Where it was before it was stopped, which leaves no frame to go on from.
  private var lastHeard: NowPlaying?
  private var keptRevision: Int?
  /// Whether anything was heard; until then it stays possible to go on where one was before.
  private var hasHeard = false
  private let keepsPlace: Bool
  private let isTold = Monitor(false)
  private let log: PlaybackLog

  private struct Written {
    var id: Int64
    var request: String
    var position: String
  }

  static let interval = Duration.seconds(5)

  /// - Parameters:
  ///   - arguments: the command line behind `play`.
  ///   - session: the one that is gone on with, if one is.
  ///   - earlier: what was heard in it of the ayah that it goes on with.
  ///   - keepsPlace: whether `play --resume` can go on from here.
  init(
    _ library: Library, log: PlaybackLog, arguments: [String], reciters: [ReciterRow],
    session: ListeningSession? = nil, after earlier: HeardParts? = nil,
    missing: [AyahReference] = [],
    keepsPlace: Bool = true
  ) {
    tracker = HearingTracker(after: earlier)
    self.keepsPlace = keepsPlace
    self.library = library
    self.log = log
    self.arguments = arguments
    self.missing = Set(missing)
    knownMissing = self.missing
    names = Dictionary(
      reciters.compactMap { row in row.id.map { ($0, row.name) } },
      uniquingKeysWith: { first, _ in first })
    self.session = Monitor(
      session.map { Written(id: $0.id, request: $0.request, position: $0.position) })
  }

  /// Takes in what is heard now, and keeps it if it has changed or five seconds have passed.
  ///
  /// - Parameters:
  ///   - revision: changes whenever what is asked for in the queue does.
  ///   - seed: by which the queue was shuffled.
  ///   - isWatched: whether the picture of the recording is seen.
  func look(
    _ now: NowPlaying?, queue entries: [QueueEntry], revision: Int = 0, seed: UInt64? = nil,
    isWatched: Bool = false, at date: Date = Date()
  ) {
    if let hearing = tracker.look(now, isWatched: isWatched) { add(hearing, at: date) }
    guard keepsPlace, let now else { return }
    if case .active = now.state, now.frame != nil { hasHeard = true }
    if !now.state.isStopped { lastHeard = now }
    guard hasHeard else { return }
    let place = place(now)
    let instant = ContinuousClock.now
    if revision != keptRevision {
      keptRevision = revision
      kept = (place, instant)
      keep(place, KeptListening(arguments: arguments, queue: entries, seed: seed))
    } else if isDue(place, instant) {
      kept = (place, instant)
      keep(place, nil)
    }
  }

  private func place(_ now: NowPlaying) -> KeptListening.Place {
    KeptListening.Place(lastHeard ?? now, missing: Array(missing), heard: tracker.parts)
  }

  /// Takes note of an ayah that could not be heard, or not to its end.
  func miss(_ ayah: AyahReference) { missing.insert(ayah) }

  /// Takes note that nothing of a queue could be heard.
  func miss(_ entries: [QueueEntry]) {
    for entry in entries { missing.formUnion(Itinerary(entry.request).extent) }
  }

  /// Keeps the last of it and waits until that is done.
  func finish(
    _ now: NowPlaying?, queue entries: [QueueEntry], revision: Int = 0, seed: UInt64? = nil
  ) {
    kept = nil
    look(now, queue: entries, revision: revision, seed: seed)
    if keepsPlace, !hasHeard, missing != knownMissing, let now {
      // What is missing is told beside the place where one was before: there is nothing here to go on with.
      var place = place(now)
      place.isFinished = true
      session.update { $0 = nil }
      keep(place, KeptListening(arguments: arguments, queue: entries, seed: seed))
    }
    if let hearing = tracker.finish() { add(hearing, at: Date()) }
    queue.sync {}
  }

  private func isDue(_ place: KeptListening.Place, _ instant: ContinuousClock.Instant) -> Bool {
    guard let kept else { return true }
    var still = kept.place
    still.frame = place.frame
    still.heard = place.heard
    if still != place { return true }
    return kept.place != place && instant - kept.at >= Self.interval
  }

  private func keep(_ place: KeptListening.Place, _ listening: KeptListening?) {
    guard let position = KeptListening.text(place) else { return }
    let new = listening?.json()
    attempt { library, written throws(LibraryError) in
      guard let request = new ?? written?.request else { return written }
      if let written,
        try library.updateListening(
          written.id, from: written.position, to: position, request: new)
      {
        return Written(id: written.id, request: request, position: position)
      }
      // Where another player goes on with the same, each has a session of its own from then on.
      let id = try library.beginListening(request: request, position: position)
      return Written(id: id, request: request, position: position)
    }
  }

  private func add(_ hearing: Hearing, at date: Date) {
    let clip = hearing.clip
    // Ayat in one sound share its time by their lengths.
    let ayat = clip.together ?? AyahRange(clip.ayah)
    if hearing.isWhole { missing.subtract(ayat) }
    let all = Double(ayat.length.phoneticUnits)
    let heard = ayat.map { ayah in
      func share(_ count: FrameCount, atLeast least: Int64 = 1) -> FrameCount {
        guard ayat.count > 1 else { return count }
        return FrameCount(
          max(least, Int64(Double(count.frames) * Double(ayah.length.phoneticUnits) / all)))
      }
      return HeardAyah(
        at: date, ayah: ayah, riwayah: clip.riwayah,
        reciter: clip.reciter.flatMap { names[$0] }, media: clip.audio.media.rawValue,
        frames: share(hearing.frames), length: share(clip.audio.span.length),
        watched: share(hearing.watched, atLeast: 0),
        rate: clip.audio.format.rate, speed: hearing.speed, isWhole: hearing.isWhole)
    }
    attempt { library, written throws(LibraryError) in
      try library.addHeard(heard)
      return written
    }
  }

  /// Writes; what goes wrong is said once, for play goes on without.
  private func attempt(
    _ body: @escaping @Sendable (Library, Written?) throws(LibraryError) -> Written?
  ) {
    queue.async { [library, session, isTold, log] in
      do throws(LibraryError) {
        let written = try body(library, session.update { $0 })
        session.update { $0 = written }
      } catch {
        guard
          !isTold.update({ told in
            defer { told = true }
            return told
          })
        else { return }
        log.add("cannot write to the listening log: \(error)")
      }
    }
  }
}

extension PlaybackState {
  /// Whether somebody has ended it before its end.
  fileprivate var isStopped: Bool {
    switch self {
    case .stopping, .idle(.stopped): true
    case .idle(.fresh), .idle(.finished), .active, .pausing, .paused, .failed: false
    }
  }
}
