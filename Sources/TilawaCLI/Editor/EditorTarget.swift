// SPDX-License-Identifier: GPL-3.0-or-later

import Editor
import Library

/// What the editor begins with.
enum EditorTarget: Sendable {
  case recording(Recording.ID)
  /// A recording whose own file is missing, and the path of a file that is the same byte for byte.
  case moved(Recording.ID, to: String)
  /// The path of a file that the library does not know.
  case file(String)

  /// What a person has named: a recording of the library, or a file.
  ///
  /// - Parameter library: nil where there is none yet.
  /// - Throws: a failure where it is neither, or no sound.
  init(named text: String, in library: Library?) throws(Failure) {
    let path = UserFolders.absolute(text)
    if let library, let known = try Self.recording(named: text, path, in: library) {
      self = known
      return
    }
    switch FileKind(path: path) {
    case .nothing:
      throw Failure(
        code: "no_such_recording",
        message:
          "\(text): no such file, recording or command; 'list' shows recordings,"
          + " --help the commands")
    case .folder:
      throw Failure(
        code: "not_a_file", message: "\(text) is a folder; 'import' imports all recordings in it")
    case .file, .other: break
    }
    _ = try Sound.open(path, track: nil)
    self = .file(path)
  }

  /// As the editor keeps it.
  var queueItem: RecordingQueue.Item {
    switch self {
    case .recording(let id): .recording(id.rawValue)
    case .moved(_, let path), .file(let path): .file(path)
    }
  }

  private static func recording(
    named text: String, _ path: String, in library: Library
  ) throws(Failure) -> EditorTarget? {
    do throws(Failure) {
      return .recording(try library.recording(named: text).id)
    } catch {
      guard error.code == "no_such_recording" else { throw error }
    }
    guard FileKind(path: path) == .file else { return nil }
    do throws(LibraryError) {
      guard let known = try library.recording(ofFile: path) else { return nil }
      let isThere = library.availability(of: known).isAvailable
      return isThere ? .recording(known.id) : .moved(known.id, to: path)
    } catch {
      // What is no sound is said where it is opened.
      guard case .media = error.kind else { throw Failure(error) }
      return nil
    }
  }
}
