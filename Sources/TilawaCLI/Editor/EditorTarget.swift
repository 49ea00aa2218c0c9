// SPDX-License-Identifier: GPL-3.0-or-later

import Editor
import Library

/// What the editor begins with.
enum EditorTarget: Sendable {
  case recording(Recording.ID)
  /// The path of a file that the library does not know.
  case file(String)

  /// What a person has named: a recording of the library, or a file.
  ///
  /// - Parameter library: nil where there is none yet.
  /// - Throws: a failure where it is neither, or no sound.
  init(named text: String, in library: Library?) throws(Failure) {
    if let library {
      do throws(Failure) {
        self = .recording(try library.recording(named: text).id)
        return
      } catch {
        guard error.code == "no_such_recording" else { throw error }
      }
    }
    let path = UserFolders.absolute(text)
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
    case .file(let path): .file(path)
    }
  }
}
