// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Dispatch
import Foundation
import Library
import Listening

/// How the player was set when it was left, kept in the library.
final class PlayerMemory: Sendable {
  private let library: Library
  private let queue = DispatchQueue(label: "tilawa.player.memory")
  /// As they were last; used on `queue` alone.
  private let last: Monitor<Settings>

  private static let key = "player.settings"

  /// - Parameter settings: those of this run, which the command line may have changed for it alone.
  init(_ library: Library, begunWith settings: Settings) {
    self.library = library
    last = Monitor(settings)
  }

  /// What was kept; what cannot be read is as usual.
  static func settings(in library: Library) -> Settings {
    guard let text = try? library.setting(Self.key) else { return Settings() }
    return KeptListening.read(text) ?? Settings()
  }

  /// Keeps what a person has changed; returns at once. A setting that cannot be kept is lost, which costs a key press
  /// next time.
  func keep(_ settings: Settings) {
    queue.async { [library, last] in
      var kept = Self.settings(in: library)
      last.update {
        kept.take(changesFrom: $0, to: settings)
        $0 = settings
      }
      guard let text = KeptListening.text(kept) else { return }
      try? library.set(Self.key, to: text)
    }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }
}
