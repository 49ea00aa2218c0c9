// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import CSystemBus
import Glibc

/// Watches the headphone jacks of all sound cards, and of the device that is played on, on a thread of its own.
final class JackWatch: Sendable {
  private let waker: Int32
  private let thread: Monitor<WorkerThread?>

  /// Nil where no card tells of anything.
  ///
  /// - Parameter changed: called on the thread whenever headphones are plugged in or pulled out.
  init?(device: String, changed: @escaping @Sendable (_ isPlugged: Bool) -> Void) {
    _ = tilawa_catch_alsa_messages()
    let controls = Self.open(device)
    guard !controls.isEmpty else { return nil }
    let waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    let thread =
      waker < 0 ? nil : WorkerThread { Self.run(controls, until: waker, changed) }
    guard let thread else {
      for control in controls { snd_ctl_close(control.pointer) }
      if waker >= 0 { Glibc.close(waker) }
      return nil
    }
    self.waker = waker
    self.thread = Monitor(thread)
  }

  /// Ends the thread and waits for it.
  func close() {
    let thread = thread.update { thread in
      defer { thread = nil }
      return thread
    }
    guard let thread else { return }
    var one: UInt64 = 1
    _ = write(waker, &one, 8)
    thread.join()
    Glibc.close(waker)
  }

  /// Unchecked because a pointer is passed on: to the thread, which is then the only one to use it.
  private struct Control: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Whether something is plugged into each jack. Drivers tell of it also when nothing has changed.
    var jacks: [Jack: Bool] = [:]
  }

  private struct Jack: Hashable {
    let name: String
    let index: UInt32
  }

  private static func open(_ device: String) -> [Control] {
    var names = [device]
    var card: Int32 = -1
    while snd_card_next(&card) >= 0, card >= 0 { names.append("hw:\(card)") }
    return names.compactMap { name in
      var control: OpaquePointer?
      guard snd_ctl_open(&control, name, Int32(SND_CTL_NONBLOCK)) >= 0, let control else {
        return nil
      }
      guard snd_ctl_subscribe_events(control, 1) >= 0 else {
        snd_ctl_close(control)
        return nil
      }
      return Control(pointer: control, jacks: jacks(of: control))
    }
  }

  private static func jacks(of control: OpaquePointer) -> [Jack: Bool] {
    var list: OpaquePointer?
    var id: OpaquePointer?
    guard snd_ctl_elem_list_malloc(&list) >= 0, snd_ctl_elem_id_malloc(&id) >= 0 else { return [:] }
    defer {
      snd_ctl_elem_list_free(list)
      snd_ctl_elem_id_free(id)
    }
    // First how many there are, then which.
    guard snd_ctl_elem_list(control, list) >= 0,
      snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) >= 0
    else { return [:] }
    defer { snd_ctl_elem_list_free_space(list) }
    guard snd_ctl_elem_list(control, list) >= 0, let id else { return [:] }
    var jacks: [Jack: Bool] = [:]
    for index in 0..<snd_ctl_elem_list_get_used(list) {
      snd_ctl_elem_list_get_id(list, index, id)
      if let jack = jack(id) { jacks[jack] = isPlugged(id, control) }
    }
    return jacks
  }

  private static func run(
    _ controls: [Control], until waker: Int32, _ changed: (Bool) -> Void
  ) {
    var controls = controls
    defer { for control in controls { snd_ctl_close(control.pointer) } }
    while true {
      var descriptors = [pollfd(fd: waker, events: Int16(POLLIN), revents: 0)]
      for control in controls {
        var descriptor = pollfd()
        snd_ctl_poll_descriptors(control.pointer, &descriptor, 1)
        descriptors.append(descriptor)
      }
      guard poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 || errno == EINTR else { return }
      if descriptors[0].revents != 0 { return }
      for index in controls.indices.reversed() where descriptors[index + 1].revents != 0 {
        if !take(from: &controls[index], changed) {
          snd_ctl_close(controls.remove(at: index).pointer)
        }
      }
    }
  }

  /// Reads what a card tells; false where it is gone.
  private static func take(from control: inout Control, _ changed: (Bool) -> Void) -> Bool {
    var event: OpaquePointer?
    var id: OpaquePointer?
    guard snd_ctl_event_malloc(&event) >= 0, snd_ctl_elem_id_malloc(&id) >= 0, let event, let id
    else { return false }
    defer {
      snd_ctl_event_free(event)
      snd_ctl_elem_id_free(id)
    }
    while true {
      let result = snd_ctl_read(control.pointer, event)
      if result == 0 || result == -EAGAIN { return true }
      if result < 0 { return false }
      guard snd_ctl_event_get_type(event) == SND_CTL_EVENT_ELEM,
        snd_ctl_event_elem_get_mask(event) & UInt32(SND_CTL_EVENT_MASK_VALUE) != 0
      else { continue }
      snd_ctl_event_elem_get_id(event, id)
      guard let jack = jack(id), let isPlugged = isPlugged(id, control.pointer),
        control.jacks.updateValue(isPlugged, forKey: jack) != isPlugged
      else { continue }
      changed(isPlugged)
    }
  }

  /// Nil where it is none for headphones.
  private static func jack(_ id: OpaquePointer) -> Jack? {
    // As Linux names them: "Headphone Jack", "Front Headphone Jack", "Headphone Jack Phantom".
    guard let text = snd_ctl_elem_id_get_name(id) else { return nil }
    let name = String(cString: text)
    guard name.hasSuffix("Headphone Jack") else { return nil }
    return Jack(name: name, index: snd_ctl_elem_id_get_index(id))
  }

  private static func isPlugged(_ id: OpaquePointer, _ control: OpaquePointer) -> Bool? {
    var value: OpaquePointer?
    snd_ctl_elem_value_malloc(&value)
    defer { snd_ctl_elem_value_free(value) }
    snd_ctl_elem_value_set_id(value, id)
    guard snd_ctl_elem_read(control, value) >= 0 else { return nil }
    return snd_ctl_elem_value_get_boolean(value, 0) != 0
  }
}
