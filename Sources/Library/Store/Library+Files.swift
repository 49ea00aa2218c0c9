// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

extension Library {
  var files: LibraryFiles { LibraryFiles(folder) }

  /// The path to open a recording's file by: beneath the library's folder, links and all, or where the person keeps it.
  /// - Throws: `.outside`; `.noFolder` where there is nothing.
  public func file(of recording: Recording) throws(LibraryError) -> String {
    switch recording.place {
    case .library(let path): return try files.path(forReading: path.description)
    case .inPlace(let path): return path
    case .outside(let path): throw LibraryError(.outside, path, detail: recording.short)
    }
  }

  /// What lies at a recording's place.
  /// - Throws: `.outside`, `.noFolder`, `.readOnly` or `.inputOutput` with the system's number.
  func status(of recording: Recording) throws(LibraryError) -> stat {
    switch recording.place {
    case .library(let path): return try files.status(of: path.description)
    case .inPlace(let path):
      var status = stat()
      guard stat(path.diskName, &status) == 0 else {
        throw LibraryError(errno: errno, "stat", path)
      }
      return status
    case .outside(let path): throw LibraryError(.outside, path, detail: recording.short)
    }
  }

  /// Whether a recording has a copy in the library, and that is not there.
  func lacksCopy(of recording: Recording) -> Bool {
    guard case .library(let path) = recording.place else { return false }
    return !files.contains(path.description)
  }
}
