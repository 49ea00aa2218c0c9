// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import Foundation
import Library
import Listening

/// How the player was set when it was left, kept in the library.
final class PlayerMemory: Sendable {
  private let library: Library
  private let queue = DispatchQueue(label: "tilawa.player.memory")

  private static let key = "player.settings"

  init(_ library: Library) { self.library = library }

  /// What was kept; what cannot be read is as usual.
  func settings() -> Settings {
    guard let text = try? library.setting(Self.key) else { return Settings() }
    return KeptListening.read(text) ?? Settings()
  }

  /// Returns at once. A setting that cannot be kept is lost, which costs a key press next time.
  func keep(_ settings: Settings) {
    queue.async { [library] in
      guard let text = KeptListening.text(settings) else { return }
      try? library.set(Self.key, to: text)
    }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }
}
