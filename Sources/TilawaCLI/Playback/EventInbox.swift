// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Events, collected for a thread that looks at them when it has time.
final class EventInbox<Event: Sendable>: Sendable {
  private let unread = Monitor<[Event]>([])

  init() {}

  /// Collects the events of a stream.
  convenience init(_ events: AsyncStream<Event>) {
    self.init()
    Task.detached { [unread] in
      for await event in events { unread.update { $0.append(event) } }
    }
  }

  func add(_ event: Event) { unread.update { $0.append(event) } }

  /// Everything that came since this was last asked, in order.
  func take() -> [Event] {
    unread.update { events in
      defer { events.removeAll() }
      return events
    }
  }
}
