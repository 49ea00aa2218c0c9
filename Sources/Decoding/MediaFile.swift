// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// A regular file held open for reading, by descriptor, so that it stays the same file whatever
/// happens to its name.
///
/// Every backend reads through this one door, with `pread`, so decoders on several threads share one
/// descriptor without sharing a position, and no library ever sees the path.
public final class MediaFile: Sendable {
  /// The path as given, for messages only.
  public let path: String
  /// Bytes in the file when it was opened, or as many of them as are to be seen.
  public let size: Int64
  /// What tells this file from another and from a changed version of itself.
  public let identity: FileIdentity

  /// Ends every read, and with it whatever a library does between reads.
  let stopFlag: StopFlag

  private let descriptor: Int32

  /// Opens a regular file.
  ///
  /// - Parameters:
  ///   - sizeLimit: what lies behind so many bytes is not there, as in a file that has grown since it was known.
  ///   - stopFlag: once it is set, reading throws `.cancelled`.
  ///
  /// Throws `.noSuchFile`, `.notReadable`, `.notAFile`, `.empty` or `.inputOutput`. A FIFO or device is
  /// refused without waiting for it.
  public init(
    path: String, sizeLimit: Int64 = .max, stopFlag: StopFlag = StopFlag()
  ) throws(DecodingError) {
    // O_NONBLOCK keeps a FIFO without a writer from blocking the open; it has no effect on files.
    let descriptor = Glibc.open(path.diskName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw DecodingError.opening(path, errno: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw DecodingError(.inputOutput, file: path, call: "fstat", code: code)
    }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG else {
      close(descriptor)
      throw DecodingError(.notAFile(FileType(mode: type)), file: path)
    }
    guard status.st_size > 0 else {
      close(descriptor)
      throw DecodingError(.empty, file: path)
    }
    self.path = path
    self.stopFlag = stopFlag
    self.descriptor = descriptor
    size = min(Int64(status.st_size), max(sizeLimit, 1))
    identity = FileIdentity(status)
  }

  deinit { close(descriptor) }

  /// Whether bytes that were there when it was opened are there no longer.
  public var hasShrunk: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && Int64(status.st_size) < size
  }

  /// Reads up to `buffer.count` bytes at a byte offset; 0 at the end of the file as it was opened.
  ///
  /// May be called from any thread. Throws `.inputOutput` or `.cancelled`.
  public func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> Int {
    if let cancellation { throw cancellation }
    // What is appended later is not part of the recording that was opened.
    let wanted = Int(min(Int64(buffer.count), max(0, size - max(0, offset))))
    var done = 0
    while done < wanted {
      let count = pread(descriptor, buffer.baseAddress! + done, wanted - done, off_t(offset) + done)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw DecodingError(.inputOutput, file: path, call: "pread", code: errno)
      }
      done += count
    }
    return done
  }

  /// What is thrown once the stop flag is set.
  var cancellation: DecodingError? {
    stopFlag.isStopped ? DecodingError(.cancelled, file: path) : nil
  }

  /// The first bytes of the file, at most `count`.
  func head(_ count: Int) throws(DecodingError) -> [UInt8] {
    try bytes(at: 0, count: count)
  }

  /// The bytes from an offset on, fewer than `count` at the end of the file.
  func bytes(at offset: Int64, count: Int) throws(DecodingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: DecodingError?
    let filled = bytes.withUnsafeMutableBytes { buffer in
      do throws(DecodingError) {
        return try read(at: offset, into: buffer)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    bytes.removeLast(count - filled)
    return bytes
  }
}

/// What makes a file the same file, unchanged: device, inode, size and time of last change.
public struct FileIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64
  public let size: Int64
  /// Nanoseconds since 1970.
  public let modified: Int64

  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}

/// What a path leads to when it is not a regular file.
public enum FileType: Hashable, Sendable {
  case directory, fifo, socket, device

  init(mode: mode_t) {
    switch mode {
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }
}
