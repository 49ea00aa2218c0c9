// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Dispatch
import Editor
import Foundation
import Library

/// What the editor itself remembers from one time to the next, in the library: settings, and where each
/// recording was left.
final class EditorMemory: Sendable {
  private let library: Library
  private let queue = DispatchQueue(label: "tilawa.editor.memory")

  private static let settingsKey = "editor.settings"
  private static let placesKey = "editor.places"
  /// Recordings whose place is remembered.
  private static let placeCount = 200

  init(_ library: Library) { self.library = library }

  /// What was kept; what cannot be read is as usual.
  func settings() -> Editor.Settings {
    guard let text = try? library.setting(Self.settingsKey) else { return Editor.Settings() }
    return (try? JSONDecoder().decode(Editor.Settings.self, from: Data(text.utf8)))
      ?? Editor.Settings()
  }

  /// Returns at once. A setting that cannot be kept is lost, which costs a key press next time.
  func keep(_ settings: Editor.Settings) {
    queue.async { [library] in
      guard let data = try? JSONEncoder().encode(settings) else { return }
      try? library.set(Self.settingsKey, to: String(decoding: data, as: UTF8.self))
    }
  }

  private struct Place: Codable {
    let recording: String
    let frame: Int64
  }

  /// Where work on a recording was left.
  func place(in recording: Recording.ID) -> FramePosition? {
    places().first { $0.recording == recording.rawValue }.map { FramePosition($0.frame) }
  }

  func keep(place: FramePosition, in recording: Recording.ID) {
    queue.async { [self] in
      var places = places().filter { $0.recording != recording.rawValue }
      places.insert(Place(recording: recording.rawValue, frame: place.frames), at: 0)
      guard let data = try? JSONEncoder().encode(Array(places.prefix(Self.placeCount))) else {
        return
      }
      try? library.set(Self.placesKey, to: String(decoding: data, as: UTF8.self))
    }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }

  private func places() -> [Place] {
    guard let text = try? library.setting(Self.placesKey) else { return [] }
    return (try? JSONDecoder().decode([Place].self, from: Data(text.utf8))) ?? []
  }
}
