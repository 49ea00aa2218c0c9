// SPDX-License-Identifier: GPL-3.0-or-later

import Playback

/// Where a sound server leads what this program plays, at one moment.
struct SoundRoutes: Equatable, Sendable {
  /// What this program plays, by the number that the server has for it.
  var streams: [UInt32: Stream] = [:]
  /// What the server plays on, by number.
  var sinks: [UInt32: Sink] = [:]
  /// Whether another program plays a call: a stream of the role `phone`.
  var hasCall = false

  struct Stream: Equatable, Sendable {
    /// The number of its sink.
    var sink: UInt32
    /// Muted by the server: by a person there, or because a call has begun.
    var isMuted = false
  }

  struct Sink: Equatable, Sendable {
    /// The same name means the same device, whenever it comes and goes.
    var name: String
    /// What the sound leaves by: `analog-output-headphones`.
    var port: String?
    /// Ports into which nothing is plugged, as far as the server can tell.
    var unplugged: Set<String> = []
  }
}

/// What follows from one `SoundRoutes` after another.
struct RouteFollower: Sendable {
  private var routes = SoundRoutes()
  /// What was lost and has not come back.
  private var lost: Route?
  /// Whether the server muted what was heard before, and has not let go of it.
  private var isMuted = false
  /// Whether this program could be heard when it last played anything. By which stream does not matter: one that
  /// runs dry is replaced by another.
  private var wasHeard = false

  private struct Route {
    let name: String
    let port: String?
  }

  /// What the newest routes mean for what plays. A stream that moves to another device is nobody's interruption
  /// unless what it left is gone.
  mutating func follow(_ new: SoundRoutes) -> [InterruptionGuard.Event] {
    let old = routes
    routes = new
    var changes: [InterruptionGuard.Event] = []
    if let lost, new.has(lost.name, lost.port) {
      self.lost = nil
      changes.append(.over)
    }
    for stream in old.streams.values {
      guard let left = old.sinks[stream.sink], old.has(left.name, left.port),
        !new.has(left.name, left.port)
      else { continue }
      lost = Route(name: left.name, port: left.port)
      let isPort = new.sinks.values.contains { $0.name == left.name }
      changes.append(.interruption(isPort ? .headphones : .output))
      break
    }
    if new.streams.values.contains(where: \.isMuted) {
      // What begins in silence is somebody's wish, unless it begins during a call.
      if wasHeard || (new.hasCall && !isMuted) {
        isMuted = true
        changes.append(.interruption(.muting))
      }
      wasHeard = false
    } else if !new.streams.isEmpty {
      if isMuted { changes.append(.over) }
      isMuted = false
      wasHeard = true
    }
    return changes
  }
}

extension SoundRoutes {
  /// Whether there is a sink of that name, with something plugged into that port.
  fileprivate func has(_ name: String, _ port: String?) -> Bool {
    sinks.values.contains { sink in
      sink.name == name && port.map { !sink.unplugged.contains($0) } ?? true
    }
  }
}
