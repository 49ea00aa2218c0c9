// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Editor
import MediaControl
import TerminalDriver

/// What those who carry out the editor's effects have to say, collected for its own thread.
final class EditorInbox: Sendable {
  enum Message: Sendable {
    /// Of the open recording if a `desk` is named, and unwanted once another one is open.
    case event(Event, desk: WorkspaceID?)
    /// A recording is ready to be worked on.
    case opened(OpenWorkspace, OpenedRecording)
    /// Another program asks for something.
    case remote(MediaCommand)
  }

  private let unread = Monitor<[Message]>([])
  private let waker: TerminalWaker

  init(waker: TerminalWaker) { self.waker = waker }

  func post(_ message: Message) {
    unread.update { $0.append(message) }
    waker.wake()
  }

  /// Has the editor look around: something is there that it asks for by itself.
  func wake() { waker.wake() }

  /// Says something that concerns no recording in particular.
  func tell(_ event: Event) { post(.event(event, desk: nil)) }

  /// Everything that came since this was last asked, in order.
  func take() -> [Message] {
    unread.update { messages in
      defer { messages.removeAll() }
      return messages
    }
  }
}

/// Tells an open recording from those that were open before it.
struct WorkspaceID: Hashable, Sendable {
  private let number: UInt64

  private static let last = Monitor<UInt64>(0)

  init() {
    number = Self.last.update { number in
      number += 1
      return number
    }
  }
}
