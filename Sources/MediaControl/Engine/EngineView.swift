// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Playback
import Quran

/// What other programs are told of an engine, worked out from its moments. A value that does nothing itself.
struct EngineView: Sendable {
  private(set) var snapshot = MediaSnapshot()
  /// Of which the list is; counts and gaps do not matter to it.
  private var listed: (item: PlaybackItem.ID, request: PlaybackRequest)?
  private var listNumber = 0

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
      var request = itinerary.request
      request.ayahRepeat = .once
      request.rangeRepeat = .once
      request.gapMilliseconds = 0
      request.gapFactor = 0
      if listed?.item != place.item || listed?.request != request {
        listNumber += 1
        listed = (place.item, request)
      }
      new.loop = Self.loop(itinerary.request)
      let track = track(place, status.clip, itinerary, turn: moment.turn, names)
      new.track = track
      new.tracks = tracks(around: place.occurrence, track, itinerary)
      new.canGoNext =
        moment.hasNextItem
        || !moment.goesByItem
          && itinerary.following(place.occurrence, skipsRepetitions: true) != nil
      new.canGoPrevious = true
    }
    new.listNumber = listNumber
    snapshot = new
  }

  private static func loop(_ request: PlaybackRequest) -> MediaLoop {
    if request.ayahRepeat.times != 1 { return .track }
    return request.rangeRepeat.times != 1 ? .playlist : .none
  }

  private func track(
    _ place: PlaybackPlace, _ clip: AyahClip?, _ itinerary: Itinerary, turn: Int,
    _ names: TrackNames
  ) -> MediaTrack {
    var track = MediaTrack(
      place.occurrence, in: itinerary, listNumber: listNumber, isBasmalah: place.isBasmalah)
    track.id = track.id.heard(inTurn: turn, isBasmalah: place.isBasmalah)
    track.length = clip.map { MediaTrack.length(of: $0.audio) }
    track.artists = clip?.reciter.flatMap(names.reciter).map { [$0] } ?? []
    track.picture = names.picture(place.occurrence.ayah, clip?.audio.media)
    return track
  }

  private func tracks(
    around occurrence: AyahOccurrence, _ track: MediaTrack, _ itinerary: Itinerary
  ) -> [MediaTrack] {
    var before: [AyahOccurrence] = []
    var first = occurrence
    while before.count < Self.listedBefore {
      let previous = itinerary.preceding(first)
      if previous == first || previous.ayah == first.ayah && previous.pass == first.pass { break }
      before.append(previous)
      first = previous
    }
    var after: [AyahOccurrence] = []
    var last = occurrence
    while before.count + after.count + 1 < Self.listedAtMost,
      let next = itinerary.following(last)?.occurrence
    {
      after.append(next)
      last = next
    }
    func listed(_ occurrence: AyahOccurrence) -> MediaTrack {
      MediaTrack(occurrence, in: itinerary, listNumber: listNumber)
    }
    return before.reversed().map(listed) + [track] + after.map(listed)
  }
}

extension PlaybackMoment {
  /// Whether next and previous lead from item to item: from a whole recording or video to others in the queue.
  var goesByItem: Bool { itinerary?.request.only != nil && itemCount > 1 }
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
    if let now = Self.heard(current, listNumber: snapshot.listNumber, moment) {
      microseconds = max(microseconds, now)
    }
    if let length = current.length { microseconds = min(microseconds, length) }
    return microseconds
  }

  /// Nil where nothing new is known.
  private static func heard(
    _ track: MediaTrack, listNumber: Int, _ moment: PlaybackMoment
  ) -> Int64? {
    let heard = moment.position
    guard let place = heard.status.place else { return nil }
    let id = MediaTrack.ID(place.occurrence, listNumber: listNumber).heard(
      inTurn: moment.turn, isBasmalah: place.isBasmalah)
    guard id == track.id else {
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
