// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The events of a stream, collected for a thread that looks at them when it has time.
final class EventInbox<Event: Sendable>: Sendable {
  private let unread: Monitor<[Event]>

  init(_ events: AsyncStream<Event>) {
    let unread = Monitor<[Event]>([])
    self.unread = unread
    Task.detached {
      for await event in events { unread.update { $0.append(event) } }
    }
  }

  /// Everything that came since this was last asked, in order.
  func take() -> [Event] {
    unread.update { events in
      defer { events.removeAll() }
      return events
    }
  }
}
