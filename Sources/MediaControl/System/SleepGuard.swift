// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSystemBus
import Glibc

/// Tells when the computer is about to sleep and when it has woken, and holds sleep off until it may begin:
/// a delay inhibitor of logind, which waits for some seconds at most.
///
/// https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html
final class SleepGuard: Sendable {
  private let loop: BusLoop
  private let table: SleepTable

  /// - Parameters:
  ///   - willSleep: called on the bus's thread; sleep waits for `letSleep`.
  ///   - didWake: called on the bus's thread.
  init(
    willSleep: @escaping @Sendable () -> Void, didWake: @escaping @Sendable () -> Void
  ) throws(BusError) {
    let table = SleepTable(willSleep, didWake)
    self.table = table
    loop = try BusLoop(.system) { (bus) throws(BusError) in try table.register(on: bus) }
  }

  /// Sleep that is about to begin need wait no longer.
  func letSleep() {
    let table = table
    loop.post { _ in table.letSleep() }
  }

  func close() { loop.close() }
}

/// What the bus calls back. Belongs to the bus's thread, but for its making.
private final class SleepTable: @unchecked Sendable {
  // Unchecked because of what is mutable: after `register` the bus's thread alone touches it.
  private let willSleep: @Sendable () -> Void
  private let didWake: @Sendable () -> Void
  /// Open for as long as sleep is held off.
  private var inhibitor: Int32 = -1
  private var isAboutToSleep = false

  init(_ willSleep: @escaping @Sendable () -> Void, _ didWake: @escaping @Sendable () -> Void) {
    self.willSleep = willSleep
    self.didWake = didWake
  }

  deinit { release() }

  func register(on bus: OpaquePointer) throws(BusError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = sd_bus_match_signal(
      bus, nil, Logind.name, Logind.path, Logind.interface, "PrepareForSleep",
      { message, context, _ in
        guard let message, let context else { return 0 }
        let table = Unmanaged<SleepTable>.fromOpaque(context).takeUnretainedValue()
        guard let isStart = try? BusMessage(pointer: message).boolean() else { return 0 }
        table.take(isStart: isStart, sd_bus_message_get_bus(message))
        return 0
      }, context)
    try BusError.check("sd_bus_match_signal", result)
    try inhibit(on: bus)
  }

  private func take(isStart: Bool, _ bus: OpaquePointer?) {
    isAboutToSleep = isStart
    if isStart { return willSleep() }
    didWake()
    if let bus { try? inhibit(on: bus) }
  }

  func letSleep() { if isAboutToSleep { release() } }

  private func release() {
    if inhibitor >= 0 { Glibc.close(inhibitor) }
    inhibitor = -1
  }

  /// Asks for an inhibitor; the answer comes by and by, or never where there is no login manager.
  private func inhibit(on bus: OpaquePointer) throws(BusError) {
    let message = try Logind.inhibit(
      on: bus, what: "sleep", why: "pausing playback", mode: "delay")
    defer { sd_bus_message_unref(message) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = sd_bus_call_async(
      bus, nil, message,
      { reply, context, _ in
        guard let reply, let context, let descriptor = Logind.descriptor(in: reply) else {
          return 0
        }
        let table = Unmanaged<SleepTable>.fromOpaque(context).takeUnretainedValue()
        table.release()
        table.inhibitor = descriptor
        return 0
      }, context, 0)
    try BusError.check("sd_bus_call_async", result)
  }
}

extension SleepGuard {
  /// Why nobody tells of sleep; nil where somebody does.
  static var problem: BusError? {
    do throws(BusError) {
      let inhibitor = try SleepInhibitor(
        what: "sleep", why: "looking whether it works", mode: "delay")
      inhibitor.release()
      return nil
    } catch {
      return error
    }
  }
}

/// Keeps the computer from falling asleep by itself, or at a person's command, until it is released.
public final class SleepInhibitor: Sendable {
  private let descriptor: Monitor<Int32>

  /// Nil where there is no login manager; nothing keeps the computer awake then.
  ///
  /// - Parameter why: for people whom the system asks.
  public convenience init?(why: String) {
    do throws(BusError) {
      try self.init(what: "sleep:idle", why: why, mode: "block")
    } catch {
      return nil
    }
  }

  /// Blocks until the login manager has answered, two seconds at most.
  init(what: String, why: String, mode: String) throws(BusError) {
    var bus: OpaquePointer?
    try BusError.check("sd_bus_open_system", sd_bus_open_system(&bus))
    guard let bus else { throw BusError(call: "sd_bus_open_system", code: ENOTCONN) }
    defer { sd_bus_flush_close_unref(bus) }
    let message = try Logind.inhibit(on: bus, what: what, why: why, mode: mode)
    defer { sd_bus_message_unref(message) }
    var reply: OpaquePointer?
    try BusError.check("Inhibit", sd_bus_call(bus, message, 2_000_000, nil, &reply))
    defer { sd_bus_message_unref(reply) }
    guard let reply, let descriptor = Logind.descriptor(in: reply) else {
      throw BusError(call: "Inhibit", code: EBADMSG)
    }
    self.descriptor = Monitor(descriptor)
  }

  deinit { release() }

  public func release() {
    descriptor.update { descriptor in
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }
  }
}

/// How the login manager is talked to.
private enum Logind {
  static let name = "org.freedesktop.login1"
  static let path = "/org/freedesktop/login1"
  static let interface = "org.freedesktop.login1.Manager"

  static func inhibit(
    on bus: OpaquePointer, what: String, why: String, mode: String
  ) throws(BusError) -> OpaquePointer {
    var message: OpaquePointer?
    try BusError.check(
      "sd_bus_message_new_method_call",
      sd_bus_message_new_method_call(bus, &message, name, path, interface, "Inhibit"))
    guard let message else { throw BusError(call: "Inhibit", code: ENOMEM) }
    for text in [what, "tilawa-annotate", why, mode] {
      try BusMessage(pointer: message).append(text)
    }
    return message
  }

  /// One's own descriptor of an inhibitor: it lasts for as long as that is open.
  static func descriptor(in reply: OpaquePointer) -> Int32? {
    guard sd_bus_message_is_method_error(reply, nil) == 0,
      let theirs = try? BusMessage(pointer: reply).descriptor()
    else { return nil }
    let own = fcntl(theirs, F_DUPFD_CLOEXEC, 3)
    return own < 0 ? nil : own
  }
}
