// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Glibc
import Library

/// Where things of the user's lie, after the XDG base directory specification.
struct UserFolders {
  /// Waveforms and other things that can be made again; nil where no folder is the user's own.
  let cache: String?
  /// The library, unless it is told to be elsewhere.
  let library: String?
  /// What the user has written in `config.toml`.
  let configuration: String?
  /// What happened, for who wants to look it up.
  let state: String?

  /// - Parameter environment: looks up a variable; `TILAWA_HOME` puts everything under one folder.
  init(environment: (String) -> String? = Self.variable) {
    if let home = environment("TILAWA_HOME"), !home.isEmpty {
      let home = Self.absolute(home)
      cache = home + "/cache"
      library = home + "/library"
      configuration = home + "/config"
      state = home + "/state"
      return
    }
    func folder(_ variable: String, _ usual: String) -> String? {
      // The specification says to ignore relative paths here.
      let given = environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
      let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + usual : nil }
      return (given ?? home).map { $0 + "/tilawa" }
    }
    cache = folder("XDG_CACHE_HOME", "/.cache")
    library = folder("XDG_DATA_HOME", "/.local/share")
    configuration = folder("XDG_CONFIG_HOME", "/.config")
    state = folder("XDG_STATE_HOME", "/.local/state")
  }

  /// Where analysed waveforms are kept; nil where no folder is the user's own.
  static var sidecars: SidecarFolder? { UserFolders().cache.map { SidecarFolder(path: $0) } }

  var configurationFile: String? { configuration.map { $0 + "/config.toml" } }

  /// Makes a folder and those above it.
  static func make(_ path: String) throws(Failure) {
    guard !path.isEmpty, mkdir(path.diskName, 0o700) != 0, errno != EEXIST else { return }
    if errno == ENOENT, let parent = parentFolder(of: path) {
      try make(parent)
      if mkdir(path.diskName, 0o700) == 0 { return }
    }
    throw Failure(
      code: "io_error", message: "\(path): cannot be created: \(String(cString: strerror(errno)))")
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(diskName: $0) }
  }

  /// A path with the user's home in the place of a `~` that it begins with.
  static func withHome(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// A path from the root, with neither `.` nor `..` nor doubled slashes; links are left as they are.
  static func absolute(_ path: String) -> String {
    // By bytes: to Swift a slash and a mark after it are one character.
    var parts: [Substring.UTF8View] = []
    var whole = path
    if !path.hasPrefix("/"), let current = getcwd(nil, 0) {
      whole = String(diskName: current) + "/" + path
      free(current)
    }
    for part in whole.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.isEmpty ? "/" : parts.map { "/" + String(Substring($0)) }.joined()
  }
}
