// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc

/// The file of a recording that the library knows and that comes from elsewhere: held so that one program brings it,
/// and given its name only once it is the very file. Given back when it is gone.
public struct RecordingArrival: Sendable {
  /// Where to put the file, absolute, beside its own name; ``Library/availability(of:)`` tells how much has come.
  public let path: String
  /// Of the file, relative to the library's folder.
  public let name: String

  private let library: Library
  private let recording: Recording
  private let lock: FileLock

  /// - Throws: `.held` when another program brings it; `.unusable` for a recording that was left in its place, of
  ///   which no copy belongs into the library; `.outside`; `.damaged` for an id that cannot name a file.
  public init(of recording: Recording, in library: Library) throws(LibraryError) {
    switch recording.place {
    case .library(let path): name = path.description
    case .inPlace(let path):
      throw LibraryError(
        .unusable, recording.short,
        detail: "its file belongs at \(path), outside the library; 'relink' it")
    case .outside(let path): throw LibraryError(.outside, path, detail: recording.short)
    }
    guard recording.id.isUUID else { throw .noUUID(recording.id) }
    do throws(LibraryError) {
      lock = try FileLock(trying: library.folder.arrivalLock(of: recording.id))
    } catch {
      guard error.kind == .held else { throw error }
      throw LibraryError(
        .held, recording.short,
        detail: "another program is downloading it; wait until that finishes")
    }
    self.library = library
    self.recording = recording
    try library.files.makeFolder(LibraryPath.Folder.recordings.rawValue)
    try library.files.remove(Arrival.own(name))
    path = library.files.absolute(Arrival.own(name))
  }

  /// Compares what has come with what the library knows, and gives it its name; on disk when it returns.
  /// - Throws: `.changed` when it is another file, which is removed; `.cancelled`.
  public func accept(shouldGoOn: () -> Bool) throws(LibraryError) {
    let partial = Arrival.own(name)
    let file: MediaFile
    do throws(DecodingError) {
      file = try MediaFile(path: path)
    } catch {
      throw LibraryError(error)
    }
    let hash = try KnownFile.contentHash(of: file, shouldGoOn: shouldGoOn)
    guard hash == recording.file.contentHash else {
      discard()
      throw LibraryError(
        .changed, recording.short,
        detail:
          "the downloaded file differs from the imported one and was discarded; look for the original, or import this one as another recording"
      )
    }
    let descriptor = try library.files.open(partial, O_RDONLY)
    guard fsync(descriptor.number) == 0 else {
      throw LibraryError(errno: errno, "fsync", path)
    }
    library.files.makePrivate(partial)
    try library.files.move(partial, to: name)
  }

  /// Removes what has come of it.
  public func discard() { try? library.files.remove(Arrival.own(name)) }
}

extension LibraryFolder {
  /// Held by whoever brings the file of a recording.
  func arrivalLock(of id: Recording.ID) -> String { "\(locks)/arrival-\(id.rawValue).lock" }
}
