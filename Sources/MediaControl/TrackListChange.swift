// SPDX-License-Identifier: GPL-3.0-or-later

/// What other programs have to be told of a list of tracks in place of another one.
struct TrackListChange: Hashable {
  private(set) var isReplaced = false
  private(set) var removed: [MediaTrack.ID] = []
  /// Each with the one before it.
  private(set) var added: [Added] = []
  /// What stays in the list, and about which something else is known now.
  private(set) var retold: [MediaTrack] = []

  struct Added: Hashable {
    let track: MediaTrack
    let previous: MediaTrack.ID
  }

  /// Whether there are other tracks, or in another order.
  var isOfOrder: Bool { isReplaced || !removed.isEmpty || !added.isEmpty }

  /// - Parameters:
  ///   - old: no two of the same id.
  ///   - new: no two of the same id.
  init(from old: [MediaTrack], to new: [MediaTrack]) {
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let kept = new.filter { known[$0.id] != nil }
    let keptIDs = Set(kept.map(\.id))
    let gone = old.map(\.id).filter { !keptIDs.contains($0) }
    // Where more of it is other than stays, or it stays in another order, the whole is told at once.
    let changes = gone.count + new.count - kept.count
    let isInOrder = old.map(\.id).filter(keptIDs.contains) == kept.map(\.id)
    guard isInOrder, changes <= kept.count else {
      isReplaced = true
      return
    }
    removed = gone
    var previous = MediaTrack.ID.none
    for track in new {
      if let old = known[track.id] {
        if old != track { retold.append(track) }
      } else {
        added.append(Added(track: track, previous: previous))
      }
      previous = track.id
    }
  }
}
