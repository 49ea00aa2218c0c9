// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CStore
import Glibc

/// The files in a library's folder, for whoever makes, moves or removes them.
///
/// Every path is relative to that folder and is resolved beneath it by the system: neither ".." nor a symbolic
/// link leads out. The folder itself may be reached through links.
struct LibraryFiles: Sendable {
  let folder: LibraryFolder

  init(_ folder: LibraryFolder) { self.folder = folder }

  func absolute(_ path: String) -> String {
    path == Self.itself ? folder.path : folder.path + "/" + path
  }

  /// The path of the library's folder.
  private static let itself = "."

  /// The corresponding C function is `openat2`.
  /// - Throws: `.outside` where the path leads out of the folder.
  func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(LibraryError) -> Descriptor
  {
    let root = Glibc.open(folder.path.diskName, beneath_path | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw LibraryError(errno: errno, "open", folder.path) }
    defer { close(root) }
    let descriptor = beneath_open(root, path.diskName, flags, mode)
    guard descriptor >= 0 else { throw failure("open", path) }
    return Descriptor(descriptor)
  }

  /// What lies there, symbolic links followed as far as they stay in the folder.
  func status(of path: String) throws(LibraryError) -> stat {
    let file = try open(path, beneath_path)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw failure("fstat", path) }
    return status
  }

  /// Whether there is anything of that name, be it a link to nowhere.
  func contains(_ path: String) -> Bool {
    guard let (parent, name) = try? parent(of: path) else { return false }
    var status = stat()
    return fstatat(parent.number, name.diskName, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Whether there is an ordinary file of that name, and not a link to one.
  func hasFile(_ path: String) -> Bool {
    guard let (parent, name) = try? parent(of: path) else { return false }
    var status = stat()
    return fstatat(parent.number, name.diskName, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// A file's path for those who open files by their paths, once it is known to lie beneath the folder.
  func path(forReading path: String) throws(LibraryError) -> String {
    _ = try open(path, beneath_path)
    return absolute(path)
  }

  /// Makes a folder of this one, for nobody but the user, or makes sure that it is one.
  func makeFolder(_ name: String) throws(LibraryError) {
    let (parent, last) = try parent(of: name)
    if mkdirat(parent.number, last.diskName, 0o700) != 0, errno != EEXIST {
      throw failure("mkdir", name)
    }
    _ = try open(name, beneath_path | O_DIRECTORY)
  }

  /// Names of what is in a folder; none when it is not there.
  /// - Throws: `.outside`.
  func contents(of name: String) throws(LibraryError) -> [String] {
    let descriptor: Descriptor
    do throws(LibraryError) {
      descriptor = try open(name, O_RDONLY | O_DIRECTORY)
    } catch {
      guard error.kind != .outside else { throw error }
      return []
    }
    return LibraryFolder.contents(of: descriptor.taken())
  }

  /// Renames a file; on disk when it returns.
  func move(_ path: String, to target: String) throws(LibraryError) {
    let (source, old) = try parent(of: path)
    let (goal, new) = try parent(of: target)
    guard renameat(source.number, old.diskName, goal.number, new.diskName) == 0 else {
      throw failure("rename", path)
    }
    try? sync(folderOf: target)
  }

  func remove(_ path: String) throws(LibraryError) {
    let (parent, name) = try parent(of: path)
    guard unlinkat(parent.number, name.diskName, 0) == 0 || errno == ENOENT else {
      throw failure("unlink", path)
    }
  }

  /// Takes away what others than the user may do with a file of the user's.
  func makePrivate(_ path: String) {
    guard let (parent, name) = try? parent(of: path) else { return }
    var status = stat()
    guard fstatat(parent.number, name.diskName, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0, status.st_uid == geteuid()
    else { return }
    fchmodat(parent.number, name.diskName, 0o600, 0)
  }

  private func sync(folderOf path: String) throws(LibraryError) {
    let parent = try open(parentFolder(of: path) ?? Self.itself, O_RDONLY | O_DIRECTORY)
    fsync(parent.number)
  }

  private func parent(of path: String) throws(LibraryError) -> (Descriptor, String) {
    let name = fileName(of: path)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw LibraryError(.outside, absolute(path))
    }
    return (try open(parentFolder(of: path) ?? Self.itself, beneath_path | O_DIRECTORY), name)
  }

  private func failure(_ call: String, _ path: String) -> LibraryError {
    let code = errno
    if code == EXDEV {
      return LibraryError(.outside, absolute(path), detail: call, code: code)
    }
    return LibraryError(errno: code, call, absolute(path))
  }
}

/// An open file that is closed with its owner.
final class Descriptor {
  private(set) var number: Int32

  init(_ number: Int32) { self.number = number }

  /// Gives it away to somebody who closes it.
  func taken() -> Int32 {
    defer { number = -1 }
    return number
  }

  deinit { if number >= 0 { close(number) } }
}
