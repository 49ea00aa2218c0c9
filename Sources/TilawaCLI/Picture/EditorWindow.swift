// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Editor
import Listening
import MediaControl
import Playback
import TerminalUI
import Video

/// The picture of the recording that is open in the editor, in a window of its own.
final class EditorWindow: Sendable {
  /// What the editor's thread says of itself.
  private struct Seen {
    var player: WorkspacePlayer?
    /// Of the recording among those that were open.
    var number = 0
    var title = ""
    var position = FramePosition.zero
    var speed = 1.0
    var isPlaying = false
  }

  private let seen: Monitor<Seen>
  private let window: PictureWindow

  init(_ inbox: EditorInbox) {
    let seen = Monitor(Seen())
    self.seen = seen
    window = PictureWindow(
      PictureWindow.Player(
        mayHavePictureLater: false,
        hearing: { Self.hearing(seen.update { $0 }) },
        open: { (media) throws(DecodingError) in
          guard let source = seen.update({ $0.player })?.heard.source else {
            throw DecodingError(.cancelled, file: media.rawValue)
          }
          return source
        },
        title: { _ in seen.update { $0.title } },
        tell: { news in
          switch news {
          case .notice(let notice): inbox.tell(Self.event(notice))
          case .wish(.pause): inbox.post(.remote(.pause))
          case .wish(.play): inbox.post(.remote(.play))
          case .wish(.move(let seconds)): inbox.tell(.moved(seconds: seconds))
          }
        }))
  }

  /// Says what is open, and where the playhead is.
  func show(_ state: Editor.State, _ player: WorkspacePlayer?) {
    seen.update { seen in
      if seen.player !== player {
        seen.player = player
        seen.number += 1
      }
      seen.title = state.card?.title ?? ""
      seen.position = state.transport.position
      seen.speed = state.transport.speed
      seen.isPlaying = state.transport.isPlaying
    }
  }

  /// Opens the window, or closes it. Returns why there is none.
  ///
  /// - Parameter obstacle: why the recording shows no picture.
  func toggle(unless obstacle: PictureObstacle?) -> Editor.Event? {
    window.toggle(unless: obstacle).map { Self.event($0) }
  }

  /// Returns why it cannot.
  func toggleFullScreen() -> Editor.Event? { window.toggleFullScreen().map { Self.event($0) } }

  /// Has the picture stand still, and waits for that.
  func rest() {
    seen.update { $0.isPlaying = false }
    window.settle()
  }

  func close() { window.close() }

  private static func hearing(_ seen: Seen) -> PictureWindow.Hearing? {
    guard let heard = seen.player?.heard, heard.source != nil else { return nil }
    return PictureWindow.Hearing(
      media: MediaKey(rawValue: "\(seen.number)"),
      frame: seen.isPlaying ? heard.frame ?? seen.position : seen.position, speed: seen.speed,
      isPlaying: seen.isPlaying)
  }

  private static func event(_ notice: Notice) -> Editor.Event { .told(notice.text, notice.kind) }
}
