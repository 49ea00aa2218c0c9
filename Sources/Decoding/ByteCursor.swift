// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A read position in a `MediaFile` with a buffer ahead of it, in the shape that the libraries'
/// read and seek callbacks want.
///
/// Belongs to one decoder, on one thread. A failed read is kept in `failure`, because a C callback can
/// only say that something went wrong.
final class ByteCursor {
  let file: MediaFile
  /// Behind the last byte.
  let end: Int64
  private(set) var offset: Int64 = 0
  private(set) var failure: DecodingError?

  /// Bytes that may still be read in search of the first sound; nil where none is looked for.
  private var headerBudget: Int64?
  /// Bytes that no header has: that of a video of days in MP4 has a tenth. A task sets another for tests.
  @TaskLocal static var headerLimit: Int64 = 512 << 20

  private let buffer: UnsafeMutableRawBufferPointer
  private var bufferStart: Int64 = 0
  private var bufferCount = 0

  /// A `bufferSize` of 0 reads straight through, for callers that buffer by themselves.
  /// - Parameter end: what lies behind it is not read; nil for all of the file.
  init(_ file: MediaFile, until end: Int64? = nil, bufferSize: Int = 64 << 10) {
    self.file = file
    self.end = end ?? file.size
    buffer = .allocate(byteCount: bufferSize, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Runs what looks for the first sound, which fails where that goes on for more than ``headerLimit``.
  func readingHeader<Result, Problem: Error>(
    _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    headerBudget = Self.headerLimit
    defer { headerBudget = nil }
    return try body()
  }

  private func readFile(_ target: UnsafeMutableRawBufferPointer) throws(DecodingError) -> Int {
    if let budget = headerBudget, budget <= 0 {
      throw DecodingError(
        .damaged, file: file.path, call: "pread",
        detail: "no sound in the first \(Self.headerLimit >> 20) MiB that were read")
    }
    let count = try file.read(at: offset, into: target)
    headerBudget? -= Int64(count)
    return count
  }

  /// Copies the next bytes, fewer at the end of the file; nil after a failed read.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    var done = 0
    while done < target.count {
      let inside = Int(offset - bufferStart)
      if inside >= 0, inside < bufferCount {
        let count = min(bufferCount - inside, target.count - done)
        memcpy(target.baseAddress! + done, buffer.baseAddress! + inside, count)
        done += count
        offset += Int64(count)
        continue
      }
      do throws(DecodingError) {
        if target.count - done >= buffer.count {
          let most = min(done + Int(max(end - offset, 0)), target.count)
          guard most > done else { return done }
          let rest = UnsafeMutableRawBufferPointer(rebasing: target[done..<most])
          let count = try readFile(rest)
          offset += Int64(count)
          return done + count
        }
        bufferCount = 0
        bufferCount = try readFile(buffer)
        bufferStart = offset
      } catch {
        failure = error
        return nil
      }
      if bufferCount == 0 { break }
    }
    return done
  }

  /// Moves as `lseek` does; -1 where that would refuse.
  func seek(by distance: Int64, from origin: Int32) -> Int64 {
    let base: Int64
    switch origin {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = offset
    case SEEK_END: base = end
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(distance)
    guard !overflow, target >= 0 else { return -1 }
    offset = target
    return target
  }
}
