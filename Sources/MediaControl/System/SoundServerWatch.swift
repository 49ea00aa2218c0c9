// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CPulse
import Glibc

/// Watches where PulseAudio or PipeWire leads what this program plays, on a thread of its own. Jacks of cards that
/// such a server owns are told to nobody else.
final class SoundServerWatch: Sendable {
  private let stop: StopFlag
  private let loop: Loop
  private let thread: Monitor<WorkerThread?>

  /// Unchecked because libpulse allows one call on the pointer from every thread: to wake the one that has it.
  private struct Loop: @unchecked Sendable {
    let pulse: tilawa_pulse
    let pointer: OpaquePointer
  }

  /// Nil where libpulse is not installed. A server that comes later is found.
  ///
  /// - Parameter changed: called on the thread.
  init?(changed: @escaping @Sendable (InterruptionGuard.Event) -> Void) {
    // Every function is loaded, or the value is not used.
    let memory = UnsafeMutablePointer<tilawa_pulse>.allocate(capacity: 1)
    defer { memory.deallocate() }
    guard tilawa_load_pulse(memory) else { return nil }
    let pulse = memory.pointee
    guard let pointer = pulse.mainloop_new() else { return nil }
    let loop = Loop(pulse: pulse, pointer: pointer)
    let stop = StopFlag()
    guard let thread = WorkerThread({ Self.run(loop, stop, changed) }) else {
      pulse.mainloop_free(pointer)
      return nil
    }
    self.stop = stop
    self.loop = loop
    self.thread = Monitor(thread)
  }

  /// Ends the thread and waits for it.
  func close() {
    let thread = thread.update { thread in
      defer { thread = nil }
      return thread
    }
    guard let thread else { return }
    stop.stop()
    loop.pulse.mainloop_wakeup(loop.pointer)
    thread.join()
    loop.pulse.mainloop_free(loop.pointer)
  }

  /// How long a server that is not there is left alone, in microseconds: as long as a device that is not there.
  private static let retry: Int32 = 2_000_000

  private static func run(
    _ loop: Loop, _ stop: StopFlag, _ changed: @escaping (InterruptionGuard.Event) -> Void
  ) {
    /// False when the loop is of no more use. A negative patience waits as long as it takes.
    func turn(patience: Int32) -> Bool {
      loop.pulse.mainloop_prepare(loop.pointer, patience) >= 0
        && loop.pulse.mainloop_poll(loop.pointer) >= 0
        && loop.pulse.mainloop_dispatch(loop.pointer) >= 0
    }
    while !stop.isStopped {
      let connection = SoundServerConnection(loop.pulse, loop.pointer, changed)
      while let connection, !connection.isOver, !stop.isStopped {
        guard turn(patience: -1) else { break }
      }
      connection?.close()
      guard !stop.isStopped, turn(patience: retry) else { break }
    }
  }
}

/// One connection to a sound server. Belongs to the thread that runs its loop.
private final class SoundServerConnection {
  private let pulse: tilawa_pulse
  private let context: OpaquePointer
  private let changed: (InterruptionGuard.Event) -> Void
  private var follower = RouteFollower()
  /// What the server is telling just now.
  private var routes = SoundRoutes()
  /// The clients of the server that are this process.
  private var clients: Set<UInt32> = []
  private var isAsking = false
  /// Whether something changed since it was asked.
  private var isStale = false

  var isOver: Bool {
    let state = pulse.context_get_state(context)
    return state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED
  }

  /// Nil where there is no server.
  init?(
    _ pulse: tilawa_pulse, _ loop: OpaquePointer,
    _ changed: @escaping (InterruptionGuard.Event) -> Void
  ) {
    guard let interface = pulse.mainloop_get_api(loop),
      let context = pulse.context_new(interface, "tilawa-annotate")
    else { return nil }
    self.pulse = pulse
    self.context = context
    self.changed = changed
    let itself = Unmanaged.passUnretained(self).toOpaque()
    pulse.context_set_state_callback(context, { connection($1)?.stateChanged() }, itself)
    pulse.context_set_subscribe_callback(context, { connection($3)?.ask() }, itself)
    guard pulse.context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
      close()
      return nil
    }
  }

  func close() {
    pulse.context_set_state_callback(context, nil, nil)
    pulse.context_set_subscribe_callback(context, nil, nil)
    // Answers that are still to come are dropped with it.
    pulse.context_disconnect(context)
    pulse.context_unref(context)
  }

  private func stateChanged() {
    guard pulse.context_get_state(context) == PA_CONTEXT_READY else { return }
    let kinds =
      PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
      | PA_SUBSCRIPTION_MASK_CARD.rawValue
    forget(pulse.context_subscribe(context, pa_subscription_mask_t(kinds), nil, nil))
    ask()
  }

  /// Asks what is played where: a whole answer each time, for what has changed may change again meanwhile.
  private func ask() {
    guard !isAsking else {
      isStale = true
      return
    }
    isStale = false
    routes = SoundRoutes()
    clients = []
    isAsking = forget(
      pulse.context_get_client_info_list(
        context, { connection($3)?.take($1, isLast: $2 != 0) },
        Unmanaged.passUnretained(self).toOpaque()))
  }

  private func take(_ info: UnsafePointer<pa_client_info>?, isLast: Bool) {
    if isLast {
      isAsking = forget(
        pulse.context_get_sink_input_info_list(
          context, { connection($3)?.take($1, isLast: $2 != 0) },
          Unmanaged.passUnretained(self).toOpaque()))
    } else if let info = info?.pointee, isOwn(info.proplist) {
      clients.insert(info.index)
    }
  }

  /// A client that comes after the clients were told tells of its stream, which is then asked for anew.
  private func take(_ info: UnsafePointer<pa_sink_input_info>?, isLast: Bool) {
    if isLast {
      isAsking = forget(
        pulse.context_get_sink_info_list(
          context, { connection($3)?.take($1, isLast: $2 != 0) },
          Unmanaged.passUnretained(self).toOpaque()))
    } else if let info = info?.pointee {
      if clients.contains(info.client) || isOwn(info.proplist) {
        routes.streams[info.index] = .init(sink: info.sink, isMuted: info.mute != 0)
      } else if property("media.role", of: info.proplist) == "phone", info.corked == 0 {
        routes.hasCall = true
      }
    }
  }

  /// Whether a client or a stream is this process's. A stream of PipeWire's ALSA plugin does not say so itself.
  private func isOwn(_ properties: OpaquePointer?) -> Bool {
    property("application.process.id", of: properties).flatMap(Int32.init) == getpid()
  }

  private func property(_ name: String, of properties: OpaquePointer?) -> String? {
    properties.flatMap { pulse.proplist_gets($0, name) }.map { String(cString: $0) }
  }

  private func take(_ info: UnsafePointer<pa_sink_info>?, isLast: Bool) {
    if isLast {
      isAsking = false
      for change in follower.follow(routes) { changed(change) }
      if isStale { ask() }
    } else if let info = info?.pointee, let name = info.name {
      var sink = SoundRoutes.Sink(name: String(cString: name))
      sink.port = info.active_port.map { String(cString: $0.pointee.name) }
      for number in 0..<Int(info.n_ports) {
        guard let port = info.ports?[number]?.pointee else { continue }
        if port.available == Int32(PA_PORT_AVAILABLE_NO.rawValue) {
          sink.unplugged.insert(String(cString: port.name))
        }
      }
      routes.sinks[info.index] = sink
    }
  }

  /// Lets go of what has been asked, which is answered all the same; false where it could not be asked.
  @discardableResult
  private func forget(_ operation: OpaquePointer?) -> Bool {
    guard let operation else { return false }
    pulse.operation_unref(operation)
    return true
  }
}

/// What a callback was given to know its connection by.
private func connection(_ pointer: UnsafeMutableRawPointer?) -> SoundServerConnection? {
  pointer.map { Unmanaged<SoundServerConnection>.fromOpaque($0).takeUnretainedValue() }
}
