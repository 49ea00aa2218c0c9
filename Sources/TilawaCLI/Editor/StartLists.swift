// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Decoding
import Dispatch
import Editor
import Glibc
import Library

/// Reads what the editor's start screen lists.
final class StartLists: Sendable {
  private let library: Library
  private let inbox: EditorInbox
  private let queue = DispatchQueue(label: "tilawa.editor.lists")

  init(_ library: Library, inbox: EditorInbox) {
    self.library = library
    self.inbox = inbox
  }

  /// The recordings of the library.
  func listLibrary() {
    queue.async { [self] in
      do throws(LibraryError) {
        inbox.tell(.libraryListed(try entries()))
        inbox.tell(.leftListening(at: try LeftListening.all(in: library).first?.place.ayah))
      } catch {
        inbox.tell(.failed(error.description))
      }
    }
  }

  private func entries() throws(LibraryError) -> [LibraryEntry] {
    let progress = try library.progress()
    let remaining = try library.remainingWork()
    return try library.recordings().map { recording throws(LibraryError) in
      let entry = try RecordingJSON(
        recording,
        progress[recording.id] ?? AnnotationProgress(segments: 1, assigned: 0, confirmed: 0),
        in: library)
      return LibraryEntry(
        id: recording.id.rawValue, title: recording.title, reciter: recording.reciter?.name ?? "",
        seconds: recording.media.seconds, progress: entry.progress,
        openEdges: remaining[recording.id]?.openEdges ?? 0,
        edited: PlainText.day(remaining[recording.id]?.editedAt),
        coverage: PlainText.ranges(entry.covered),
        // Without its sound a recording can still be read and its ayat assigned.
        obstacle: nil)
    }
  }

  /// The folders and recordings in a folder; of the current one when it has no name.
  func listFolder(_ path: String) {
    queue.async { [self] in
      let path = UserFolders.absolute(path.isEmpty ? "." : path)
      guard let names = FolderListing.names(in: path) else {
        let reason = String(cString: strerror(errno))
        return inbox.tell(.failed("\(path) cannot be read: \(reason)"))
      }
      var entries: [FolderEntry] = []
      for name in names where !name.hasPrefix(".") {
        let whole = path == "/" ? "/" + name : path + "/" + name
        switch FileKind(path: whole) {
        case .folder: entries.append(FolderEntry(name: name, isFolder: true))
        case .file where MediaFile.looksLikeAudio(path: whole):
          entries.append(FolderEntry(name: name, isFolder: false))
        default: break
        }
      }
      entries.sort { left, right in
        left.isFolder == right.isFolder ? left.name < right.name : left.isFolder
      }
      inbox.tell(.folderListed(path: path, entries))
    }
  }
}
