// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// A network of one thread's own, with nothing but a loopback interface that has one more address. What the thread opens
/// while it is there leads nowhere else.
enum OwnNetwork {
  struct Problem: Error {
    let call: String
    let code: Int32
  }

  static var isPossible: Bool { geteuid() == 0 && (try? with("169.254.7.7") {}) != nil }

  /// Runs a body on such a thread, and waits for it.
  static func with<Value>(_ address: String, _ body: () throws -> Value) throws -> Value {
    try withoutActuallyEscaping(body) { body in
      // The caller waits until the thread has ended.
      nonisolated(unsafe) let body = body
      nonisolated(unsafe) var result: Result<Value, any Error>?
      let thread = WorkerThread {
        result = Result {
          try enter(address)
          return try body()
        }
      }
      thread?.join()
      guard let result else { throw Problem(call: "pthread_create", code: EAGAIN) }
      return try result.get()
    }
  }

  private static func enter(_ address: String) throws {
    // Swift sees neither the call nor CLONE_NEWNET.
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare"),
      unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000) == 0
    else { throw Problem(call: "unshare", code: errno) }
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    try set("lo", 0x8914 /* SIOCSIFFLAGS */, descriptor) { value in
      value.storeBytes(of: Int16(0x41 /* IFF_UP, IFF_RUNNING */), as: Int16.self)
    }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    guard inet_pton(AF_INET, address, &place.sin_addr) == 1 else {
      throw Problem(call: "inet_pton", code: EINVAL)
    }
    try set("lo:1", 0x8916 /* SIOCSIFADDR */, descriptor) { value in
      value.storeBytes(of: place, as: sockaddr_in.self)
    }
  }

  /// An `ifreq`: the name of the interface in 16 bytes, then a value in 24.
  private static func set(
    _ interface: String, _ request: UInt, _ descriptor: Int32,
    _ store: (UnsafeMutableRawBufferPointer) -> Void
  ) throws {
    var bytes = [UInt8](repeating: 0, count: 40)
    bytes.replaceSubrange(0..<interface.utf8.count, with: interface.utf8)
    let code = bytes.withUnsafeMutableBytes { bytes in
      store(UnsafeMutableRawBufferPointer(rebasing: bytes[16...]))
      return ioctl(descriptor, request, bytes.baseAddress!)
    }
    guard code == 0 else { throw Problem(call: "ioctl \(interface)", code: errno) }
  }
}
