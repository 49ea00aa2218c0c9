// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Where things of the user's lie, after the XDG base directory specification.
struct UserFolders {
  /// Waveforms and other things that can be made again; nil where no folder is the user's own.
  let cache: String?

  /// - Parameter environment: looks up a variable; `TILAWA_HOME` puts everything under one folder.
  init(environment: (String) -> String? = Self.variable) {
    if let home = environment("TILAWA_HOME"), !home.isEmpty {
      cache = home + "/cache"
      return
    }
    // The specification says to ignore relative paths here.
    let xdg = environment("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    cache = (xdg ?? home).map { $0 + "/tilawa" }
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
