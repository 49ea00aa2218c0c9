// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSystemBus
import Glibc

/// A connection to a message bus and the one thread that uses it.
///
/// The thread works off what comes from the bus and what others `post`, and waits in `poll` in between. Where
/// the bus goes away, the thread ends and nobody is told: everything else works as before.
final class BusLoop: Sendable {
  enum Bus: Sendable { case session, system }

  private struct State {
    var jobs: [@Sendable (OpaquePointer) -> Void] = []
    var isClosed = false
    /// An eventfd while the thread runs.
    var waker: Int32 = -1
  }

  private let state: Monitor<State>
  private let thread: Monitor<WorkerThread?>

  /// Connects, on the thread of the caller, which waits for nobody but the bus's own socket.
  ///
  /// - Parameter start: the first thing that the thread does; where it throws, the connection is given up.
  init(
    _ bus: Bus, start: @escaping @Sendable (OpaquePointer) throws(BusError) -> Void
  ) throws(BusError) {
    let connection = try Self.connect(bus)
    let waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    do throws(BusError) {
      if waker < 0 { throw BusError(call: "eventfd", code: errno) }
      try start(connection.pointer)
    } catch {
      if waker >= 0 { Glibc.close(waker) }
      sd_bus_close_unref(connection.pointer)
      throw error
    }
    var first = State()
    first.waker = waker
    let state = Monitor(first)
    self.state = state
    let thread = WorkerThread { Self.run(connection.pointer, state) }
    if thread == nil {
      state.update { state in
        Glibc.close(state.waker)
        state.waker = -1
        state.isClosed = true
      }
      sd_bus_close_unref(connection.pointer)
    }
    self.thread = Monitor(thread)
  }

  /// Has something done with the connection on its thread; nothing where that has ended.
  func post(_ job: @escaping @Sendable (OpaquePointer) -> Void) {
    state.update { state in
      guard !state.isClosed else { return }
      state.jobs.append(job)
      Self.wake(state.waker)
    }
  }

  /// Does what was posted, leaves the bus and waits for the thread to end.
  func close() {
    state.update { state in
      state.isClosed = true
      Self.wake(state.waker)
    }
    let thread = thread.update { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  /// Unchecked because a pointer is passed on: to the thread, which is then the only one to use it.
  private struct Connection: @unchecked Sendable { let pointer: OpaquePointer }

  private static func connect(_ bus: Bus) throws(BusError) -> Connection {
    var connection: OpaquePointer?
    switch bus {
    case .session: try BusError.check("sd_bus_open_user", sd_bus_open_user(&connection))
    case .system: try BusError.check("sd_bus_open_system", sd_bus_open_system(&connection))
    }
    guard let connection else { throw BusError(call: "sd_bus_open", code: ENOTCONN) }
    return Connection(pointer: connection)
  }

  /// Says why a bus cannot be reached; nil where it can.
  static func problem(with bus: Bus) -> BusError? {
    do throws(BusError) {
      let connection = try connect(bus)
      defer { sd_bus_flush_close_unref(connection.pointer) }
      // Only an answer shows that somebody is there.
      var name: UnsafePointer<CChar>?
      try BusError.check(
        "sd_bus_get_unique_name", sd_bus_get_unique_name(connection.pointer, &name))
      return nil
    } catch {
      return error
    }
  }

  private static func wake(_ waker: Int32) {
    guard waker >= 0 else { return }
    var one: UInt64 = 1
    _ = write(waker, &one, 8)
  }

  private static func run(_ connection: OpaquePointer, _ state: Monitor<State>) {
    let waker = state.update { $0.waker }
    var isOpen = true
    while isOpen {
      let (jobs, isLast) = state.update { state in
        defer { state.jobs.removeAll() }
        return (state.jobs, state.isClosed)
      }
      for job in jobs { job(connection) }
      var result = sd_bus_process(connection, nil)
      while result > 0 { result = sd_bus_process(connection, nil) }
      if result < 0 || isLast { break }
      isOpen = wait(for: connection, or: waker)
    }
    state.update { state in
      state.isClosed = true
      state.jobs.removeAll()
      Glibc.close(state.waker)
      state.waker = -1
    }
    sd_bus_flush_close_unref(connection)
  }

  /// Waits until there is something to do; false where the bus is gone.
  private static func wait(for connection: OpaquePointer, or waker: Int32) -> Bool {
    let events = sd_bus_get_events(connection)
    var until: UInt64 = .max
    guard events >= 0, sd_bus_get_timeout(connection, &until) >= 0 else { return false }
    var descriptors = [
      pollfd(fd: sd_bus_get_fd(connection), events: Int16(truncatingIfNeeded: events), revents: 0),
      pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
    ]
    var milliseconds: Int32 = -1
    if until != .max {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
      let left = until > microseconds ? (until - microseconds + 999) / 1000 : 0
      milliseconds = Int32(min(left, 3_600_000))
    }
    guard poll(&descriptors, 2, milliseconds) >= 0 || errno == EINTR else { return false }
    var count: UInt64 = 0
    if descriptors[1].revents != 0 { _ = read(waker, &count, 8) }
    return true
  }
}
