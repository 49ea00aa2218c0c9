// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Playback
import Quran

/// What other programs are told of an engine, worked out from its moments. A value that does nothing itself.
struct EngineView: Sendable {
  private(set) var snapshot = MediaSnapshot()
  /// Tracks that were not heard yet and whose sound nobody has looked up.
  private(set) var unknown: [Unheard] = []
  /// What was looked up for those that are listed.
  private var found: [Unheard: Sound] = [:]

  /// An ayah of a request, whole.
  struct Unheard: Hashable {
    let ayah: AyahReference
    let request: PlaybackRequest
  }

  /// What is told of a sound.
  private struct Sound {
    var length: Int64?
    var artists: [String] = []

    init(_ clip: AyahClip?, _ names: TrackNames) {
      length = clip.map { MediaTrack.length(of: $0.audio) }
      artists = clip?.reciter.flatMap(names.reciter).map { [$0] } ?? []
    }
  }

  /// Hearings before the one that is heard, and all that are listed.
  private static let listedBefore = 30
  private static let listedAtMost = MediaTable.maxTracks

  /// Takes in how things stand.
  mutating func take(_ moment: PlaybackMoment, _ names: TrackNames) {
    let status = moment.position.status
    var new = MediaSnapshot()
    new.status =
      switch status.state {
      // While it fades out, what is heard goes on.
      case .active, .pausing: .playing
      case .paused: .paused
      case .idle, .stopping, .failed: .stopped
      }
    new.rate = status.speed
    if let itinerary = moment.itinerary, let place = status.place {
      new.loop = Self.loop(itinerary.request)
      let track = Self.track(place, status.clip, itinerary, turn: moment.turn, names)
      new.track = track
      let listed = Self.tracks(around: place, track, itinerary, moment)
      note(listed.compactMap(\.unheard))
      new.tracks = listed.map { remembered($0.track, $0.unheard) }
      new.canGoNext =
        moment.hasNextItem
        || !moment.goesByItem
          && itinerary.following(place.occurrence, skipsRepetitions: true) != nil
      new.canGoPrevious = true
    }
    snapshot = new
  }

  /// Takes in what was found for an ayah that was not heard yet; nil for nothing.
  mutating func take(_ clip: AyahClip?, for unheard: Unheard, _ names: TrackNames) {
    found[unheard] = Sound(clip, names)
  }

  private mutating func note(_ listed: [Unheard]) {
    let listed = Set(listed)
    found = found.filter { listed.contains($0.key) }
    unknown = listed.filter { found[$0] == nil }
  }

  /// A track with what is known of its sound: from when it was heard, or looked up.
  private func remembered(_ track: MediaTrack, _ unheard: Unheard?) -> MediaTrack {
    guard track.length == nil else { return track }
    var track = track
    if let before = snapshot.tracks.first(where: { $0.id == track.id && $0.length != nil }) {
      (track.length, track.artists, track.picture) = (
        before.length, before.artists, before.picture
      )
    } else if let sound = unheard.flatMap({ found[$0] }) {
      (track.length, track.artists) = (sound.length, sound.artists)
    }
    return track
  }

  private static func loop(_ request: PlaybackRequest) -> MediaLoop {
    if request.ayahRepeat.times != 1 { return .track }
    return request.rangeRepeat.times != 1 ? .playlist : .none
  }

  private static func track(
    _ place: PlaybackPlace, _ clip: AyahClip?, _ itinerary: Itinerary, turn: Int,
    _ names: TrackNames
  ) -> MediaTrack {
    var track = MediaTrack(place.hearing(inTurn: turn), in: itinerary)
    let sound = Sound(clip, names)
    (track.length, track.artists) = (sound.length, sound.artists)
    track.picture = names.picture(place.occurrence.ayah, clip?.audio.media)
    return track
  }

  /// What the queue has around what is heard, whichever items it is of.
  private static func tracks(
    around place: PlaybackPlace, _ track: MediaTrack, _ itinerary: Itinerary,
    _ moment: PlaybackMoment
  ) -> [(track: MediaTrack, unheard: Unheard?)] {
    func listed(_ stop: QueueWalk.Stop) -> (track: MediaTrack, unheard: Unheard?) {
      let request = stop.itinerary.request
      let track = MediaTrack(
        Hearing(item: stop.item, occurrence: stop.occurrence, turn: moment.turn),
        in: stop.itinerary)
      // How long a part is, only its recording tells.
      let isWhole = request.excerpt == nil
      return (track, isWhole ? Unheard(ayah: stop.occurrence.ayah, request: request) : nil)
    }
    let walk = QueueWalk(items: moment.items)
    let here = QueueWalk.Stop(
      item: place.item, index: moment.items.firstIndex { $0.id == place.item },
      itinerary: itinerary, occurrence: place.occurrence)
    let before = walk.stops(from: here, listedBefore) { walk.stop(before: $0) }
    // The basmalah is heard before its ayah.
    let own = place.isBasmalah ? [(track, nil), listed(here)] : [(track, nil)]
    let after = walk.stops(from: here, listedAtMost - before.count - own.count) {
      walk.stop(after: $0)
    }
    return before.reversed().map(listed) + own + after.map(listed)
  }
}

/// The way through the hearings of a queue, item after item.
private struct QueueWalk {
  struct Stop {
    let item: PlaybackItem.ID
    /// Of the item in the queue; nil for one that is no more.
    let index: Int?
    let itinerary: Itinerary
    let occurrence: AyahOccurrence
  }

  let items: [PlaybackItem]

  func stop(after stop: Stop) -> Stop? {
    if let next = stop.itinerary.following(stop.occurrence)?.occurrence {
      return Stop(
        item: stop.item, index: stop.index, itinerary: stop.itinerary, occurrence: next)
    }
    return neighbour(of: stop, by: 1) { $0.first }
  }

  func stop(before stop: Stop) -> Stop? {
    if let previous = stop.itinerary.occurrence(before: stop.occurrence) {
      return Stop(
        item: stop.item, index: stop.index, itinerary: stop.itinerary, occurrence: previous)
    }
    return neighbour(of: stop, by: -1) { $0.last }
  }

  private func neighbour(
    of stop: Stop, by step: Int, at occurrence: (Itinerary) -> AyahOccurrence
  ) -> Stop? {
    guard let index = stop.index, items.indices.contains(index + step) else { return nil }
    let item = items[index + step]
    let itinerary = Itinerary(item.request)
    return Stop(
      item: item.id, index: index + step, itinerary: itinerary, occurrence: occurrence(itinerary))
  }

  /// So many stops at most, the nearest first.
  func stops(from start: Stop, _ count: Int, step: (Stop) -> Stop?) -> [Stop] {
    var found: [Stop] = []
    var last = start
    while found.count < count, let next = step(last) {
      found.append(next)
      last = next
    }
    return found
  }
}

extension PlaybackPlace {
  func hearing(inTurn turn: Int) -> Hearing {
    Hearing(item: item, occurrence: occurrence, isBasmalah: isBasmalah, turn: turn)
  }
}

extension PlaybackMoment {
  /// Whether next and previous lead from item to item: from a whole recording or video to others in the queue.
  var goesByItem: Bool { itinerary?.request.only != nil && items.count > 1 }

  var hasNextItem: Bool {
    item != nil && items.contains { $0.id == item } && items.last?.id != item
  }
}

/// How far a track has been heard, as it was told so far.
struct ToldPosition: Sendable {
  private var track: MediaTrack.ID?
  private var microseconds: Int64 = 0

  /// The position in the track of a snapshot: that of the engine, if it is heard at all, and never less than
  /// what was told of it before.
  mutating func position(in snapshot: MediaSnapshot, _ moment: PlaybackMoment) -> Int64 {
    guard let current = snapshot.track else { return 0 }
    if current.id != track {
      track = current.id
      microseconds = 0
    }
    if let now = Self.heard(current, moment) {
      microseconds = max(microseconds, now)
    }
    if let length = current.length { microseconds = min(microseconds, length) }
    return microseconds
  }

  /// Nil where nothing new is known.
  private static func heard(_ track: MediaTrack, _ moment: PlaybackMoment) -> Int64? {
    let heard = moment.position
    guard let place = heard.status.place else { return nil }
    guard MediaTrack.ID(place.hearing(inTurn: moment.turn)) == track.id else {
      // Either the next is heard already, of which will be told soon, or somebody has jumped elsewhere.
      return track.id.isOf(turn: moment.turn) ? track.length : nil
    }
    if let offset = heard.offset, let clip = heard.status.clip {
      return MediaTrack.microseconds(offset.frames, of: clip.audio)
    }
    switch heard.status.state.activity {
    case .awaitingRepeat, .awaitingNextAyah, .rangeComplete: return track.length
    case .loading, .playing, nil: return nil
    }
  }
}
