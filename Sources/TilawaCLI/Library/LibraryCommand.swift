// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Glibc
import Library
import ReciterSources

/// Which library a command works on.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: "The library's folder. Default: the setting, else $XDG_DATA_HOME/tilawa.",
    completion: .directory)
  var library: String?

  /// The options as arguments for a worker.
  var arguments: [String] { library.map { ["--library", $0] } ?? [] }

  /// Opens the library for writing, making it where there is none.
  func open() throws(Failure) -> Library { try open(.readWrite) }

  /// Opens the library for writing, or for reading where it is there and cannot be written.
  /// - Returns: why it cannot be written, besides.
  func openAsPossible(
    warns: Bool = true
  ) throws(Failure) -> (library: Library, obstacle: Failure?) {
    do throws(Failure) {
      return (try open(.readWrite, warns: warns), nil)
    } catch {
      guard Self.obstacles.contains(error.code), let library = try? open(.readOnly) else {
        throw error
      }
      return (library, error)
    }
  }

  /// Why a library on a medium that cannot be written, or has no room, is only read.
  private static let obstacles: Set = ["read_only", "disk_full", "io_error"]

  /// Opens the library for reading; nil when there is none yet.
  /// - Parameter warns: whether to say what endangers its database.
  func openExisting(warns: Bool = true) throws(Failure) -> Library? {
    try openExistingAsPossible(warns: warns)?.library
  }

  /// Opens the library for writing, or for reading where it cannot be written; nil when there is none yet.
  /// - Returns: why it cannot be written, besides.
  func openExistingAsPossible(
    warns: Bool = true
  ) throws(Failure) -> (library: Library, obstacle: Failure?)? {
    let folder = LibraryFolder(path: try path())
    guard FileKind(path: folder.database) != .nothing || folder.hasRecordings else {
      if folder.isUnreadable {
        throw Failure(
          code: "not_readable",
          message: "\(folder.path): permission denied; make it and its folder readable and writable"
            + " for your account ('ls -ld' shows who may use it)")
      }
      if let library {
        throw Failure(code: "no_library", message: "\(library): no library in this folder")
      }
      return nil
    }
    return try openAsPossible(warns: warns)
  }

  /// The library that is there, for looking what is wrong with it: one too damaged to be used as far as it can be read.
  /// - Returns: what keeps it from being used, besides.
  func forInspection() throws(Failure) -> (library: Library, failure: Failure?) {
    do throws(Failure) {
      return (try existing(), nil)
    } catch {
      guard ["damaged_library", "outside_library"].contains(error.code),
        let library = try? open(.inspection)
      else {
        throw error
      }
      return (library, error)
    }
  }

  /// The library that is there, as far as it can be read, however damaged.
  func asItIs() throws(Failure) -> Library { try open(.inspection) }

  /// The library that is there; a failure when there is none.
  func existing() throws(Failure) -> Library {
    guard let library = try openExisting() else {
      throw Failure(code: "no_library", message: "there is no library yet; 'import' creates one")
    }
    return library
  }

  private func open(
    _ access: Library.Access, warns: Bool = true
  ) throws(Failure) -> Library {
    let folder = LibraryFolder(path: try path())
    // Before it is opened, which may fail for that very reason; a folder that is not there yet tells nothing.
    let warns = warns && access == .readWrite
    if warns, FileKind(path: folder.database) != .nothing { Self.warn(of: folder) }
    defer { if warns { Self.warn(of: folder) } }
    do throws(LibraryError) {
      let library = try Library(at: folder, access: access)
      Self.opened.update { $0.append(library) }
      if case .readWrite = access { try ReciterSource.mendAll(in: library) }
      return library
    } catch {
      throw Failure(error)
    }
  }

  private static let opened = Monitor<[Library]>([])

  /// Closes all libraries that were opened. Another program that came after us would bring what is in a log that was
  /// left behind into the database, and without its checksums.
  static func closeAll() {
    let all = opened.update { all in
      defer { all = [] }
      return all
    }
    for library in all { try? library.close() }
  }

  /// Folders that the user of this process has been warned of.
  private static let warned = Monitor<Set<String>>([])

  /// Says once what endangers the database where it is.
  private static func warn(of folder: LibraryFolder) {
    guard warned.update({ $0.insert(folder.path).inserted }) else { return }
    for hazard in folder.hazards { StandardStreams.say("\(folder.path): \(hazard)") }
  }

  func path() throws(Failure) -> String {
    if let library { return UserFolders.absolute(library) }
    if let set = try Configuration().value("library.folder") { return UserFolders.absolute(set) }
    guard let usual = UserFolders().library else {
      throw Failure(
        code: "usage",
        message: "no folder for a library: set HOME, TILAWA_HOME or --library")
    }
    return usual
  }
}

/// A command that works on the library, on a thread that may block, and says what went wrong.
protocol LibraryCommand: AsyncParsableCommand {
  var libraryOptions: LibraryOptions { get }
  func run(_ library: Library) throws
}

extension LibraryCommand {
  func run() async throws {
    try await runReporting {
      let (library, obstacle) = try libraryOptions.openAsPossible()
      do {
        try run(library)
      } catch let error as LibraryError where error.kind == .readOnly {
        throw obstacle ?? Failure(error)
      } catch let failure as Failure where failure.code == "read_only" {
        throw obstacle ?? failure
      }
    }
  }
}

/// Runs blocking work off the cooperative threads; a failure becomes a message and an exit code.
func runReporting(_ body: @escaping () throws -> Void) async throws {
  Interrupt.install()
  // The command is a value that is used on that one thread only, while this one waits.
  nonisolated(unsafe) let body = body
  let result: Result<Void, any Error> = await runBlocking { Result { try body() } }
  do {
    try result.get()
  } catch let error as Failure {
    throw error.end()
  } catch let error as LibraryError {
    throw Failure(error).end()
  }
}

extension Failure {
  init(_ error: LibraryError) {
    let code =
      switch error.kind {
      case .noFolder: "no_library"
      case .damaged: "damaged_library"
      case .newer: "newer_library"
      case .busy: "busy"
      case .full: "disk_full"
      case .readOnly: "read_only"
      case .inputOutput: "io_error"
      case .changed: "changed"
      case .outside: "outside_library"
      case .noSuchRecording: "no_such_recording"
      case .ambiguousRecording: "ambiguous"
      case .noSuchReciter: "no_such_reciter"
      case .nameTaken: "exists"
      case .unusable: "usage"
      case .alreadyThere: "already_there"
      case .held: "held"
      case .changedElsewhere: "changed_elsewhere"
      case .refused: "refused"
      case .media(let error): Failure(error).code
      case .cancelled: Failure.interrupted
      }
    self.init(code: code, message: error.description)
  }
}

/// What a path leads to.
enum FileKind: Equatable {
  case nothing, file, folder, other
}

extension FileKind {
  /// Bytes in a file; 0 where there is none.
  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path.diskName, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Whether two paths lead to one file.
  static func isSame(_ left: String, _ right: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(left.diskName, &first) == 0 && stat(right.diskName, &second) == 0
      && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  init(path: String) {
    var status = stat()
    guard stat(path.diskName, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}
