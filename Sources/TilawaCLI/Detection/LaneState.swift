// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What a lane's worker is doing.
struct LaneState {
  var index: Int?
  var heard = ContinuousClock.now
  var isHung = false
  /// What the worker had read when the file began, and when that was last seen to grow.
  private var readBefore: Int64?
  private var readLast: Int64 = 0

  mutating func begin(_ index: Int) {
    self.index = index
    heard = .now
    readBefore = nil
  }

  /// Takes note that the worker has read on, as long as that can still be the file.
  mutating func notice(_ bytesRead: Int64?, atMost limit: Int64) {
    guard let bytesRead, bytesRead > readLast || readBefore == nil else { return }
    let before = readBefore ?? bytesRead
    readBefore = before
    readLast = bytesRead
    if bytesRead - before <= limit { heard = .now }
  }

  mutating func hear() { heard = .now }
}

/// What the system knows of a worker's doings.
enum WorkerActivity {
  /// Bytes that a process has read so far, from wherever; nil where the system does not tell.
  static func bytesRead(by process: pid_t) -> Int64? {
    let descriptor = open("/proc/\(process)/io", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    // The first line is `rchar: NUMBER`.
    let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first ?? ""
    return line.split(separator: " ").last.flatMap { Int64($0) }
  }
}
