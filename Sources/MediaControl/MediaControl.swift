// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSystemBus
import Glibc

/// A player that other programs see and steer by MPRIS 2, on the bus of the session.
///
/// Everything may be called from any thread and returns at once. What is asked of the player is answered from
/// what was published last, on a thread of its own, so that no other program ever waits for the sound.
public final class MediaControl: Sendable {
  /// The speeds that a player can be told to have.
  public static let rates = 0.25...3.0

  private let loop: BusLoop
  private let table: MediaTable

  /// Connects to the session's bus under the name of this process.
  public init(_ player: any MediaPlayer) throws(BusError) {
    let table = MediaTable(player)
    self.table = table
    loop = try BusLoop(.session) { (bus) throws(BusError) in try table.register(on: bus) }
  }

  /// Tells how things stand now; other programs hear of what has changed.
  ///
  /// - Parameter isBreak: whether the position is another than where time alone would have led it, in a track
  ///   that stays the same.
  public func publish(_ snapshot: MediaSnapshot, isBreak: Bool = false) {
    let table = table
    loop.post { table.publish(snapshot, isBreak: isBreak, on: $0) }
  }

  /// Leaves the bus.
  public func close() { loop.close() }

  /// Why other programs cannot steer this one; nil where they can.
  public static var problem: BusError? { BusLoop.problem(with: .session) }
}

/// What the interfaces' tables lead to. Belongs to the bus's thread, but for its making.
final class MediaTable: @unchecked Sendable {
  // Unchecked because `snapshot` is mutable: after `register` the bus's thread alone touches it.
  private let player: any MediaPlayer
  private var snapshot = MediaSnapshot()
  private let hasPlaylists: Bool
  private let door = UnsafeMutablePointer<mpris_door>.allocate(capacity: 1)

  /// The most ids that a client may ask about at once: as many as it is told of.
  static let maxTracks = 100

  init(_ player: any MediaPlayer) {
    self.player = player
    hasPlaylists = player.playlists != nil
    door.initialize(
      to: mpris_door(
        context: nil,
        read: { context, property, reply in
          MediaTable.answer(context, reply) { (table, reply) throws(BusError) in
            try table.read(property, reply)
          }
        },
        write: { context, property, message in
          MediaTable.answer(context, message) { (table, message) throws(BusError) in
            try table.write(property, message)
          }
        },
        call: { context, method, message, reply in
          guard let message else { return -EINVAL }
          return MediaTable.answer(context, reply) { (table, reply) throws(BusError) in
            try table.call(method, BusMessage(pointer: message), reply)
          }
        }))
    door.pointee.context = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { door.deallocate() }

  private static func answer(
    _ context: UnsafeMutableRawPointer?, _ message: OpaquePointer?,
    _ body: (MediaTable, BusMessage) throws(BusError) -> Void
  ) -> Int32 {
    guard let context, let message else { return -EINVAL }
    do throws(BusError) {
      let table = Unmanaged<MediaTable>.fromOpaque(context).takeUnretainedValue()
      try body(table, BusMessage(pointer: message))
      return 1
    } catch {
      return -error.code
    }
  }

  func register(on bus: OpaquePointer) throws(BusError) {
    try BusError.check("mpris_add", mpris_add(bus, door, hasPlaylists ? 1 : 0))
    let name = "org.mpris.MediaPlayer2.tilawa_annotate.instance\(getpid())"
    try BusError.check("sd_bus_request_name", sd_bus_request_name(bus, name, 0))
  }
}

// MARK: - What has changed

extension MediaTable {
  func publish(_ new: MediaSnapshot, isBreak: Bool, on bus: OpaquePointer) {
    let old = snapshot
    snapshot = new
    var changed: [String] = []
    if new.status != old.status { changed.append("PlaybackStatus") }
    if new.loop != old.loop { changed.append("LoopStatus") }
    if new.rate != old.rate { changed.append("Rate") }
    if new.isShuffled != old.isShuffled { changed.append("Shuffle") }
    if new.track != old.track { changed.append("Metadata") }
    if new.volume != old.volume { changed.append("Volume") }
    if new.canGoNext != old.canGoNext { changed.append("CanGoNext") }
    if new.canGoPrevious != old.canGoPrevious { changed.append("CanGoPrevious") }
    if (new.track == nil) != (old.track == nil) { changed += ["CanPlay", "CanPause"] }
    emit(changed, of: MPRIS_PLAYER, on: bus)
    if isBreak {
      signal("Seeked", of: MPRIS_PLAYER, on: bus) { (message) throws(BusError) in
        try message.append(player.position(in: new))
      }
    }
    tellTracks(TrackListChange(from: old.tracks, to: new.tracks), new, on: bus)
    if hasPlaylists, new.activePlaylist != old.activePlaylist {
      emit(["ActivePlaylist"], of: MPRIS_PLAYLISTS, on: bus)
    }
  }

  private func tellTracks(_ change: TrackListChange, _ new: MediaSnapshot, on bus: OpaquePointer) {
    func tell(_ name: String, _ fill: (BusMessage) throws(BusError) -> Void) {
      signal(name, of: MPRIS_TRACK_LIST, on: bus, fill)
    }
    if change.isReplaced {
      tell("TrackListReplaced") { (message) throws(BusError) in
        try message.append(paths: new.tracks.map(\.id.rawValue))
        try message.append(path: (new.track?.id ?? .none).rawValue)
      }
    }
    for id in change.removed {
      tell("TrackRemoved") { (message) throws(BusError) in try message.append(path: id.rawValue) }
    }
    for added in change.added {
      tell("TrackAdded") { (message) throws(BusError) in
        try metadata(of: added.track, in: message)
        try message.append(path: added.previous.rawValue)
      }
    }
    for track in change.retold {
      tell("TrackMetadataChanged") { (message) throws(BusError) in
        try message.append(path: track.id.rawValue)
        try metadata(of: track, in: message)
      }
    }
    if change.isOfOrder { emit(["Tracks"], of: MPRIS_TRACK_LIST, on: bus) }
  }

  private func emit(_ properties: [String], of interface: String, on bus: OpaquePointer) {
    guard !properties.isEmpty else { return }
    var names: [UnsafeMutablePointer<CChar>?] = properties.map { strdup($0) }
    names.append(nil)
    defer { for name in names { free(name) } }
    // Nobody need be there to hear it.
    _ = sd_bus_emit_properties_changed_strv(bus, MPRIS_PATH, interface, &names)
  }

  private func signal(
    _ name: String, of interface: String, on bus: OpaquePointer,
    _ fill: (BusMessage) throws(BusError) -> Void
  ) {
    var message: OpaquePointer?
    guard sd_bus_message_new_signal(bus, &message, MPRIS_PATH, interface, name) >= 0, let message
    else { return }
    defer { sd_bus_message_unref(message) }
    guard (try? fill(BusMessage(pointer: message))) != nil else { return }
    _ = sd_bus_send(bus, message, nil)
  }
}

// MARK: - What is asked

extension MediaTable {
  private func read(_ property: mpris_property, _ reply: BusMessage) throws(BusError) {
    switch property {
    case mpris_property_can_quit, mpris_property_has_track_list, mpris_property_can_control:
      try reply.append(true)
    case mpris_property_can_raise, mpris_property_can_seek, mpris_property_can_edit_tracks:
      // An ayah is heard whole: there is no scrubbing.
      try reply.append(false)
    case mpris_property_identity: try reply.append("tilawa-annotate")
    case mpris_property_uri_schemes, mpris_property_mime_types: try reply.append(texts: [])
    case mpris_property_playback_status: try reply.append(snapshot.status.rawValue)
    case mpris_property_loop_status: try reply.append(snapshot.loop.rawValue)
    case mpris_property_rate: try reply.append(snapshot.rate)
    case mpris_property_shuffle: try reply.append(snapshot.isShuffled)
    case mpris_property_metadata: try metadata(of: snapshot.track, in: reply)
    case mpris_property_volume: try reply.append(snapshot.volume)
    case mpris_property_position: try reply.append(player.position(in: snapshot))
    case mpris_property_minimum_rate: try reply.append(MediaControl.rates.lowerBound)
    case mpris_property_maximum_rate: try reply.append(MediaControl.rates.upperBound)
    case mpris_property_can_go_next: try reply.append(snapshot.canGoNext)
    case mpris_property_can_go_previous: try reply.append(snapshot.canGoPrevious)
    case mpris_property_can_play, mpris_property_can_pause:
      try reply.append(snapshot.track != nil)
    case mpris_property_tracks: try reply.append(paths: snapshot.tracks.map(\.id.rawValue))
    case mpris_property_playlist_count: try reply.append(UInt32(player.playlists?.count ?? 0))
    case mpris_property_orderings: try reply.append(texts: ["Alphabetical"])
    case mpris_property_active_playlist:
      try reply.append(container: "r", of: "b(oss)") { () throws(BusError) in
        try reply.append(snapshot.activePlaylist != nil)
        try append(
          snapshot.activePlaylist ?? MediaPlaylist(id: .init(rawValue: "/"), name: ""), to: reply)
      }
    default: throw BusError(call: "read", code: ENOSYS)
    }
  }

  private func metadata(of track: MediaTrack?, in reply: BusMessage) throws(BusError) {
    try reply.append(container: "a", of: "{sv}") { () throws(BusError) in
      let id = track?.id ?? .none
      try reply.append(entry: "mpris:trackid", of: "o") { () throws(BusError) in
        try reply.append(path: id.rawValue)
      }
      guard let track else { return }
      try reply.append(entry: "xesam:title", of: "s") { () throws(BusError) in
        try reply.append(track.title)
      }
      if !track.artists.isEmpty {
        try reply.append(entry: "xesam:artist", of: "as") { () throws(BusError) in
          try reply.append(texts: track.artists)
        }
      }
      if !track.album.isEmpty {
        try reply.append(entry: "xesam:album", of: "s") { () throws(BusError) in
          try reply.append(track.album)
        }
      }
      if let number = track.number {
        try reply.append(entry: "xesam:trackNumber", of: "i") { () throws(BusError) in
          try reply.append(Int32(clamping: number))
        }
      }
      if let length = track.length {
        try reply.append(entry: "mpris:length", of: "x") { () throws(BusError) in
          try reply.append(length)
        }
      }
      if let picture = track.picture {
        try reply.append(entry: "mpris:artUrl", of: "s") { () throws(BusError) in
          try reply.append(picture)
        }
      }
    }
  }

  private func append(_ playlist: MediaPlaylist, to reply: BusMessage) throws(BusError) {
    try reply.append(container: "r", of: "oss") { () throws(BusError) in
      try reply.append(path: playlist.id.rawValue)
      try reply.append(playlist.name)
      // No icon.
      try reply.append("")
    }
  }

  private func write(_ property: mpris_property, _ value: BusMessage) throws(BusError) {
    switch property {
    case mpris_property_loop_status:
      guard let loop = MediaLoop(rawValue: try value.text()) else {
        throw BusError(call: "LoopStatus", code: EINVAL)
      }
      player.perform(.setLoop(loop))
    case mpris_property_rate:
      let rate = try value.double()
      guard rate.isFinite else { throw BusError(call: "Rate", code: EINVAL) }
      // What the specification says of a rate of 0.
      player.perform(
        rate == 0
          ? .pause
          : .setRate(min(max(rate, MediaControl.rates.lowerBound), MediaControl.rates.upperBound)))
    case mpris_property_shuffle: player.perform(.setShuffled(try value.boolean()))
    case mpris_property_volume:
      let volume = try value.double()
      guard volume.isFinite else { throw BusError(call: "Volume", code: EINVAL) }
      player.perform(.setVolume(max(0, volume)))
    default: throw BusError(call: "write", code: ENOSYS)
    }
  }

  private func call(
    _ method: mpris_method, _ message: BusMessage, _ reply: BusMessage
  ) throws(BusError) {
    switch method {
    case mpris_method_quit: player.perform(.quit)
    case mpris_method_next: player.perform(.next)
    case mpris_method_previous: player.perform(.previous)
    case mpris_method_pause: player.perform(.pause)
    case mpris_method_play_pause: player.perform(.togglePause)
    case mpris_method_stop: player.perform(.stop)
    case mpris_method_play: player.perform(.play)
    // What CanRaise, CanSeek and CanEditTracks deny, and addresses, of which none is supported, have no effect.
    case mpris_method_raise, mpris_method_seek, mpris_method_set_position, mpris_method_open_uri,
      mpris_method_add_track, mpris_method_remove_track:
      break
    case mpris_method_get_tracks_metadata:
      let wanted = try message.paths(atMost: Self.maxTracks)
      try reply.append(container: "a", of: "a{sv}") { () throws(BusError) in
        for path in wanted {
          guard let track = snapshot.tracks.first(where: { $0.id.rawValue == path }) else {
            continue
          }
          try metadata(of: track, in: reply)
        }
      }
    case mpris_method_go_to:
      player.perform(.goTo(MediaTrack.ID(rawValue: try message.path())))
    case mpris_method_activate_playlist:
      let id = MediaPlaylist.ID(rawValue: try message.path())
      if player.playlists?.contains(where: { $0.id == id }) ?? false {
        player.perform(.activate(id))
      }
    case mpris_method_get_playlists:
      let (first, count) = (try message.unsigned(), try message.unsigned())
      _ = try message.text()
      let isReversed = try message.boolean()
      var all = (player.playlists ?? []).sorted { $0.name < $1.name }
      if isReversed { all.reverse() }
      try reply.append(container: "a", of: "(oss)") { () throws(BusError) in
        for playlist in all.dropFirst(Int(first)).prefix(Int(count)) {
          try append(playlist, to: reply)
        }
      }
    default: throw BusError(call: "call", code: ENOSYS)
    }
  }
}
