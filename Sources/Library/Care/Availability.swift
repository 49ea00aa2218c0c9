// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding
import GRDB
import Glibc

/// Whether a recording's file can be heard now.
public enum Availability: Hashable, Sendable {
  case available
  /// What the library knows of it is there, and more has been written behind it.
  case grown
  /// The library knows it, but its file has not come here, or was sent away by a sync tool.
  case remoteOnly
  /// It is being copied here; the share that has come, 0...1.
  case downloading(Double)
  case unavailable(Reason)

  public enum Reason: Hashable, Sendable {
    /// A file that was left in its place is not there any more.
    case gone
    /// There is a file, but another one.
    case replaced
    /// It has become shorter.
    case truncated
    case unreadable(errno: Int32)
    case inBin
    /// The library says that its copy lies where no copy can be.
    case outside
  }

  public var isAvailable: Bool { self == .available || self == .grown }

  /// Whether there is a file that is not what it should be.
  var isDamage: Bool {
    switch self {
    case .unavailable(.replaced), .unavailable(.truncated), .unavailable(.unreadable),
      .unavailable(.outside):
      true
    default: false
    }
  }
}

extension Availability: CustomStringConvertible {
  /// For tables: a word or two.
  public var description: String {
    switch self {
    case .available: "available"
    case .grown: "grown"
    case .remoteOnly: "remote only"
    case .downloading(let share): "downloading \(Int(share * 100)) %"
    case .unavailable(.gone): "gone"
    case .unavailable(.replaced): "replaced"
    case .unavailable(.truncated): "truncated"
    case .unavailable(.unreadable): "unreadable"
    case .unavailable(.inBin): "in the bin"
    case .unavailable(.outside): "outside"
    }
  }

  /// What a person can do about it; nil where nothing need be done.
  public var advice: String? {
    switch self {
    case .available: nil
    case .grown: "its file has grown since; the editor reads on, and so does 'relink'"
    case .remoteOnly:
      "its file is not here; 'download' it, let your sync tool fetch it, 'import' it again, or 'relink' it"
    case .downloading: "its file is still being transferred"
    case .unavailable(.gone): "its file is missing; 'relink' it if the file was moved"
    case .unavailable(.replaced):
      "another file is in its place; if it is the same recitation, 'relink' it"
    case .unavailable(.truncated): "its file is shorter than before; fetch it again"
    case .unavailable(.unreadable(let code)):
      "its file cannot be read: \(String(cString: strerror(code))); mount its disk, or make it readable for your"
        + " account"
    case .unavailable(.inBin): "it is in the bin; 'remove --restore' restores it"
    case .unavailable(.outside):
      "its path leads outside the library's folder and is not followed; 'relink' it to a file, or"
        + " 'remove' it"
    }
  }
}

extension Library {
  /// Looks for a recording's file. Reads of it only what is needed to know it again, and that only if
  /// its time of change is another than the library knows.
  public func availability(of recording: Recording) -> Availability {
    guard recording.removedAt == nil else { return .unavailable(.inBin) }
    let path = recording.shownPath(in: folder)
    let status: stat
    do throws(LibraryError) {
      status = try self.status(of: recording)
    } catch {
      if error.kind == .outside { return .unavailable(.outside) }
      guard error.code == ENOENT || error.code == ENOTDIR else {
        return .unavailable(.unreadable(errno: error.code))
      }
      return arrival(of: recording, at: path)
        ?? (recording.isInPlace ? .unavailable(.gone) : .remoteOnly)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .unavailable(.replaced) }
    let found = compare(status, path, with: recording)
    // A name for what has not come whole says something only where the file is not the right one.
    if found.isAvailable { return found }
    return arrival(of: recording, at: path) ?? found
  }

  /// What has come of a recording's file that is on its way here; nil where nothing speaks of one.
  private func arrival(of recording: Recording, at path: String) -> Availability? {
    // Into the library's own folder only `download` writes under that name.
    let isLeft = !recording.isInPlace && !FileLock.isHeld(folder.arrivalLock(of: recording.id))
    return Arrival.look(for: path, expecting: recording.file.size, isLeft: isLeft)
  }

  /// About how much sound has been written to a recording's file since the library read it.
  public func growth(of recording: Recording) -> FrameCount {
    guard recording.file.size > 0, let status = try? status(of: recording),
      Int64(status.st_size) > recording.file.size, availability(of: recording) == .grown
    else { return .zero }
    let share = Double(Int64(status.st_size) - recording.file.size) / Double(recording.file.size)
    return FrameCount(Int64(share * Double(recording.media.length.frames)))
  }

  private func compare(
    _ status: stat, _ path: String, with recording: Recording
  ) -> Availability {
    let size = Int64(status.st_size)
    // What a sync tool leaves of a file that it keeps elsewhere.
    if size == 0, !recording.isInPlace { return .remoteOnly }
    guard Glibc.access(path.diskName, R_OK) == 0 else {
      return .unavailable(.unreadable(errno: errno))
    }
    guard size >= recording.file.size else { return .unavailable(.truncated) }
    guard size == recording.file.size else {
      let isGrown = (try? MediaFile(path: path)).map { recording.file.isBeginning(of: $0) } ?? false
      return isGrown ? .grown : .unavailable(.replaced)
    }
    let modified =
      Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    if modified == recording.file.modified { return .available }
    guard let file = try? MediaFile(path: path), let probe = try? KnownFile.probe(of: file) else {
      return .unavailable(.unreadable(errno: EIO))
    }
    guard probe == recording.file.probe else { return .unavailable(.replaced) }
    remember(modified, of: recording)
    return .available
  }

  /// Spares the next look the reading; not important enough to fail for.
  private func remember(_ modified: Int64, of recording: Recording) {
    guard access == .readWrite else { return }
    try? write { db in
      try db.execute(
        sql: "UPDATE recording SET fileModified = ? WHERE id = ?",
        arguments: [modified, recording.rowID])
    }
  }

  /// The recordings that cannot be heard now, for a ``SourceFilter``.
  public func unavailableRecordings() throws(LibraryError) -> Set<Recording.ID> {
    Set(try recordings().filter { !availability(of: $0).isAvailable }.map(\.id))
  }
}
