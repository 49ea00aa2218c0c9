// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Keeps the hops of a recording, in a file or, where none can be written, in memory.
///
/// Immutable once made; reading is safe from any thread.
final class HopStore: Sendable {
  let count: Int
  private let contents: Contents

  private enum Contents: Sendable {
    case memory([Hop])
    case file(OpenFile, offset: Int64)
  }

  init(_ hops: [Hop]) {
    count = hops.count
    contents = .memory(hops)
  }

  /// Hops that lie at an offset in a file, as in memory.
  init(_ file: OpenFile, offset: Int64, count: Int) {
    self.count = count
    contents = .file(file, offset: offset)
  }

  /// The hops of a range within `0..<count`.
  func hops(in range: Range<Int>) throws(AnalysisError) -> [Hop] {
    switch contents {
    case .memory(let hops): return Array(hops[range])
    case .file(let file, let offset):
      var failure: AnalysisError?
      let hops = [Hop](unsafeUninitializedCapacity: range.count) { buffer, initialized in
        do throws(AnalysisError) {
          try file.read(
            at: offset + Int64(range.lowerBound * MemoryLayout<Hop>.stride),
            into: UnsafeMutableRawBufferPointer(buffer))
          initialized = range.count
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return hops
    }
  }
}

/// A descriptor that is closed when nobody needs it any more.
final class OpenFile: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Fills the buffer from an offset, or throws.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(AnalysisError) {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw AnalysisError.envelopeLost(call: "pread", code: count < 0 ? errno : 0)
      }
      done += count
    }
  }

  /// Writes everything at an offset; the error number if it cannot.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32? {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      done += count
    }
    return nil
  }
}
