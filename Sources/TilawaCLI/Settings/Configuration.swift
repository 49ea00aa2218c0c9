// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Glibc
import Listening
import Playback
import Quran
import TOMLKit
import TerminalDriver

/// What people set in `config.toml`, or by an environment variable over that.
struct Configuration {
  /// A setting that there is.
  struct Key: Hashable {
    let name: String
    let summary: String
    /// What holds where nothing is set, for people.
    let usual: String
    /// Whether it names a file or a folder, which may come later.
    var isPath = false
    /// Says what is wrong with a value; nil when it will do.
    let problem: @Sendable (String) -> String?

    static func == (left: Key, right: Key) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// `TILAWA_IMPORT_RECITER` for `import.reciter`.
    var variable: String {
      "TILAWA_" + name.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }
  }

  /// Where a value comes from.
  enum Source: Equatable {
    case environment(String)
    case file
    case usual
  }

  let file: String?
  private let values: [String: String]
  /// What `[keys]` says: names of the editor's actions, and the keys that each is to have.
  let keyBindings: [(action: String, keys: [String])]
  private let environment: (String) -> String?

  static let keys = [
    Key(
      name: "library.folder", summary: "the library's folder",
      usual: "in $XDG_DATA_HOME/tilawa", problem: { _ in nil }),
    Key(
      name: "import.reciter", summary: "the reciter of imports", usual: "nobody",
      problem: { _ in nil }),
    Key(
      name: "import.riwayah", summary: "the riwayah of imports", usual: "the reciter's",
      problem: {
        Riwayah(rawValue: $0) == nil
          ? "it must be one of " + Riwayah.allCases.map(\.rawValue).joined(separator: ", ") : nil
      }),
    Key(
      name: "import.in_place", summary: "whether imports leave files where they are: true or false",
      usual: "false", problem: notBoolean),
    Key(
      name: "record.device", summary: "the ALSA device to record from", usual: "default",
      problem: { $0.isEmpty ? "it must be the name of an ALSA device" : nil }),
    Key(
      name: "playback.device", summary: "the ALSA device to play on", usual: "default",
      problem: { $0.isEmpty ? "it must be the name of an ALSA device" : nil }),
    Key(
      name: "playback.riwayah", summary: "the riwayah to play", usual: "the reciter's, else hafs",
      problem: {
        Riwayah(rawValue: $0) == nil
          ? "it must be one of " + Riwayah.allCases.map(\.rawValue).joined(separator: ", ") : nil
      }),
    Key(
      name: "playback.speed", summary: "the speed to play at, 0.25 to 3",
      usual: "last used in the player",
      problem: {
        Double($0).map { (0.25...3).contains($0) } ?? false
          ? nil : "it must be a number from 0.25 to 3"
      }),
    Key(
      name: "playback.gap",
      summary: "silence after each ayah: 500ms, 1.0x as long as the ayah, or 0.5x+500ms",
      usual: "none",
      problem: {
        guard let gap = GapArgument(argument: $0) else {
          return "it must be a gap such as 500ms, 1.0x or 0.5x+500ms"
        }
        return gap.missingUnit.map { "its number \($0)" }
      }),
    Key(
      name: "playback.missing_silence",
      summary: "silence in place of a missing ayah, 500ms to 60s", usual: "500ms",
      problem: {
        DurationArgument(argument: $0).map { (0.5...60).contains($0.seconds) } ?? false
          ? nil : "it must be a length from 500ms to 60s"
      }),
    Key(
      name: "playback.repeat_ayah", summary: "repetitions of each ayah: a number, or forever",
      usual: "1", problem: notTimes),
    Key(
      name: "playback.repeat_range", summary: "repetitions of the range: a number, or forever",
      usual: "1", problem: notTimes),
    Key(
      name: "playback.then", summary: "what to play after the range: ayat:5 or pages:2",
      usual: "nothing",
      problem: { ThenArgument(argument: $0) == nil ? "it must be ayat:N or pages:N" : nil }),
    Key(
      name: "playback.crossfade", summary: "crossfade between recordings, such as 50ms",
      usual: "last used in the player",
      problem: notDuration(upTo: Double(Settings.longestCrossfadeMilliseconds) / 1000)),
    Key(
      name: "playback.crossfade_curve",
      summary: "curve of the crossfade: "
        + FadeCurve.allCases.map(\.rawValue).joined(separator: ", "),
      usual: "last used in the player",
      problem: {
        FadeCurve(rawValue: $0) == nil
          ? "it must be one of " + FadeCurve.allCases.map(\.rawValue).joined(separator: ", ") : nil
      }),
    Key(
      name: "playback.fade_in", summary: "length of the fade when playback starts, such as 5ms",
      usual: "last used in the player", problem: notDuration(upTo: 2)),
    Key(
      name: "playback.fade_out", summary: "length of the fade when playback stops, such as 150ms",
      usual: "last used in the player", problem: notDuration(upTo: 5)),
    Key(
      name: "playback.match_loudness",
      summary: "whether recordings play as loud as the first one: true or false",
      usual: "true", problem: notBoolean),
    Key(
      name: "playback.resume",
      summary: "whether playback resumes by itself after an interruption: true or false",
      usual: "false", problem: notBoolean),
    Key(
      name: "playback.page_pictures",
      summary: "a folder with a picture of each page, such as 001.png, for media players to show",
      usual: "none", isPath: true, problem: { _ in nil }),
    Key(
      name: "hifz.new", summary: "maximum number of new units per day in 'hifz review'", usual: "3",
      problem: notCount),
    Key(
      name: "hifz.reviews", summary: "maximum number of units per day in 'hifz review'",
      usual: "50", problem: notCount),
    Key(
      name: "hifz.minutes", summary: "how many minutes 'hifz review' takes in a day at most",
      usual: "no limit", problem: notCount),
    Key(
      name: "hifz.retention",
      summary: "probability that you still know a unit on its due day, 0.7 to 0.97",
      usual: "0.9",
      problem: {
        Double($0).map { (0.7...0.97).contains($0) } ?? false
          ? nil : "it must be a number from 0.7 to 0.97"
      }),
    Key(
      name: "hifz.cue", summary: "how much of a unit plays before you recite it, such as 1.5s",
      usual: "1.5s",
      problem: {
        notDuration($0) ?? DurationArgument(argument: $0)?.missingUnit.map { "it \($0)" }
      }),
    Key(
      name: "editor.text",
      summary: "a file with the text of the Quran, for the editor, 'play' and 'hifz' to show",
      usual: "none", isPath: true, problem: { _ in nil }),
    Key(
      name: "editor.mouse", summary: "whether the editor uses the mouse: true or false",
      usual: "true", problem: notBoolean),
    Key(
      name: "editor.learn",
      summary: "whether alignments in the editor learn from confirmed ayat: true or false",
      usual: "true", problem: notBoolean),
    Key(
      name: "editor.colors", summary: "maximum colours: 256, 16, 8 or none",
      usual: "the terminal's",
      problem: {
        ColorsArgument(argument: $0) == nil ? "it must be 256, 16, 8 or none" : nil
      }),
    Key(
      name: "editor.ascii", summary: "whether the editor draws with plain ASCII: true or false",
      usual: "false", problem: notBoolean),
    Key(
      name: "editor.pixels",
      summary: "how editor and player draw waveform, spectrogram and video in true pixels: "
        + TerminalOptions.Pixels.allCases.map(\.rawValue).joined(separator: ", "),
      usual: "auto, detected",
      problem: {
        TerminalOptions.Pixels(rawValue: $0) == nil
          ? "it must be one of "
            + TerminalOptions.Pixels.allCases.map(\.rawValue).joined(separator: ", ") : nil
      }),
    Key(
      name: "editor.order_arabic",
      summary: "whether the editor shapes and reorders Arabic: true or false",
      usual: "false", problem: notBoolean),
    Key(
      name: "network.offline", summary: "whether the network is forbidden: true or false",
      usual: "false", problem: notBoolean),
    Key(
      name: "library.rclone",
      summary: "the rclone remote that holds the library's folder, such as nas:tilawa",
      usual: "none", problem: { $0.contains(":") ? nil : "it must be REMOTE:PATH, as in rclone" }),
    Key(
      name: "sources.warn_size",
      summary: "'source fetch' and 'source list' warn above this many gigabytes of fetched files",
      usual: "never",
      problem: { Double($0).map { $0 >= 0 } ?? false ? nil : "it must be a number of gigabytes" }),
    Key(
      name: "network.ca_file",
      summary: "a PEM file of certificate authorities to trust instead of the system's",
      usual: "the system's", isPath: true,
      problem: { $0.isEmpty ? "it must be a file" : nil }),
    Key(
      name: "network.proxies",
      summary:
        "whether to use https_proxy and similar; addresses are then not checked: true or false",
      usual: "false", problem: notBoolean),
  ]

  private static let notDuration: @Sendable (String) -> String? = {
    DurationArgument(argument: $0) == nil ? "it must be a length such as 500ms or 2s" : nil
  }

  /// As far as the player's own panel goes.
  private static func notDuration(upTo seconds: Double) -> @Sendable (String) -> String? {
    {
      guard let length = DurationArgument(argument: $0) else { return notDuration($0) }
      return length.seconds > seconds
        ? "it must be at most \(Int(seconds))s\(length.unitAdvice)" : nil
    }
  }

  private static let notTimes: @Sendable (String) -> String? = {
    TimesArgument(argument: $0) == nil ? "it must be a number from 1 up, or forever" : nil
  }

  private static let notCount: @Sendable (String) -> String? = {
    Int($0).map { (0...10_000).contains($0) } ?? false ? nil : "it must be a number from 0 up"
  }

  private static let notBoolean: @Sendable (String) -> String? = {
    ["true", "false"].contains($0) ? nil : "it must be true or false"
  }

  /// - Throws: a failure that names the file, the line and what is wrong.
  init(
    file: String? = UserFolders().configurationFile,
    environment: @escaping (String) -> String? = UserFolders.variable
  ) throws(Failure) {
    self.file = file
    self.environment = environment
    let content = try file.map { path throws(Failure) in try Self.read(path) }
    values = content?.values ?? [:]
    keyBindings = content?.keys ?? []
    for key in Self.keys {
      if let value = environment(key.variable), let problem = key.problem(value) {
        throw Failure(code: "usage", message: "\(key.variable) is '\(value)', but \(problem)")
      }
    }
  }

  func value(_ name: String) -> String? {
    guard let key = Self.keys.first(where: { $0.name == name }) else { return nil }
    return lookUp(key).value
  }

  func lookUp(_ key: Key) -> (value: String?, source: Source) {
    if let value = environment(key.variable), !value.isEmpty {
      return (value, .environment(key.variable))
    }
    if let value = values[key.name] { return (value, .file) }
    return (nil, .usual)
  }

  private typealias Content = (
    values: [String: String], keys: [(action: String, keys: [String])]
  )

  private static func read(_ path: String) throws(Failure) -> Content {
    guard access(path.diskName, F_OK) == 0 else { return ([:], []) }
    guard let text = TextFile.read(path) else {
      throw Failure(
        code: "io_error", message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      let place = (error as? TOMLParseError).map {
        ", line \($0.source.begin.line): \($0.description.split(separator: "\n").first ?? "")"
      }
      throw Failure(code: "bad_settings", message: "\(path)\(place ?? ": \(error)")")
    }
    var values: [String: String] = [:]
    var bindings: [(action: String, keys: [String])] = []
    for (section, content) in table {
      if section == "keys", let table = content.table {
        bindings = try keyBindings(in: table, path)
        continue
      }
      guard let content = content.table else {
        throw Failure(code: "bad_settings", message: unknown(section, in: path))
      }
      for (name, value) in content {
        let name = section + "." + name
        guard let key = keys.first(where: { $0.name == name }) else {
          throw Failure(code: "bad_settings", message: unknown(name, in: path))
        }
        let text =
          value.string ?? value.bool.map { "\($0)" } ?? value.int.map { "\($0)" }
          ?? value.double.map { "\($0)" } ?? ""
        if let problem = key.problem(text) {
          throw Failure(
            code: "bad_settings", message: "\(path): \(name) is '\(text)', but \(problem)")
        }
        values[name] = text
      }
    }
    return (values, bindings)
  }

  /// `"play.toggle" = "space"` or `play.toggle = ["space", "ctrl-p"]`; nothing in the brackets leaves an
  /// action without a key.
  private static func keyBindings(
    in table: TOMLTable, _ path: String, under prefix: String = ""
  ) throws(Failure) -> [(action: String, keys: [String])] {
    var bindings: [(action: String, keys: [String])] = []
    for (name, value) in table {
      let action = prefix + name
      if let table = value.table {
        bindings += try keyBindings(in: table, path, under: action + ".")
      } else if let key = value.string {
        bindings.append((action, [key]))
      } else if let array = value.array {
        let keys = array.compactMap(\.string)
        guard keys.count == array.count else {
          throw Failure(
            code: "bad_settings",
            message:
              "\(path): keys.\(action) must be a key such as \"ctrl-p\", or several in brackets")
        }
        bindings.append((action, keys))
      } else {
        throw Failure(
          code: "bad_settings",
          message:
            "\(path): keys.\(action) must be a key such as \"ctrl-p\", or several in brackets")
      }
    }
    return bindings
  }

  private static func unknown(_ name: String, in path: String) -> String {
    "\(path): there is no setting '\(name)'; 'settings' lists them"
  }
}
