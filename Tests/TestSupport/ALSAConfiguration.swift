// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// What alsa-lib knows in this process, for all suites together: they run side by side, and alsa-lib finds its
/// one file by the environment.
///
/// Devices are added, under names that nobody else uses, and stay until the process ends.
public enum ALSAConfiguration {
  private struct State {
    var folder: TemporaryFolder?
    var text = ""
    var version = 0
  }

  private static let state = Monitor(State())

  /// Adds text in the form of an `asound.conf`.
  public static func add(_ text: String) throws {
    try state.update { state in
      Result {
        let folder = try state.folder ?? TemporaryFolder()
        state.text += text + "\n"
        state.version += 1
        // alsa-lib reads anew when the inode is another: versions stay, so that none has an earlier one's.
        let version = try folder.write(Array(state.text.utf8), to: "\(state.version).conf")
        let (link, path) = (folder.path("link"), folder.path("asound.conf"))
        symlink(version, link)
        rename(link, path)
        if state.folder == nil { setenv("ALSA_CONFIG_PATH", path, 1) }
        state.folder = folder
      }
    }.get()
  }

  /// A name that nobody else uses.
  public static func unusedName() -> String {
    state.update { state in
      state.version += 1
      return "tilawa_test_\(state.version)"
    }
  }
}
