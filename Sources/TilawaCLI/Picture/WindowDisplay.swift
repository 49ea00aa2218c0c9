// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc

/// The display that a window would be opened on.
struct WindowDisplay {
  enum Problem: Hashable {
    case notNamed
    /// Such as the display of a session that has ended, in a terminal that outlives it.
    case silent(String)

    /// For people; fits after "No window: ".
    var sentence: String {
      switch self {
      case .notNamed: "there is no display (DISPLAY and WAYLAND_DISPLAY are not set)"
      case .silent(let name): "the display does not answer (\(name))"
      }
    }
  }

  private let environment: [String: String]
  /// Tells whether a server listens there.
  private let answers: (Address) -> Bool

  enum Address: Hashable {
    case path(String)
    /// Has a name that is no file.
    case abstract(String)
    case network(host: String, port: Int)
  }

  init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    answers: @escaping (Address) -> Bool = Self.answers
  ) {
    self.environment = environment
    self.answers = answers
  }

  /// Why no window can be opened; nil where a server listens. Blocks for as long as a distant one takes to answer.
  var problem: Problem? {
    guard !names.isEmpty else { return .notNamed }
    if addresses.contains(where: answers) { return nil }
    return .silent(names.map { "\($0)=\($1)" }.joined(separator: ", "))
  }

  private var names: [(String, String)] {
    ["WAYLAND_DISPLAY", "DISPLAY"].compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : (name, $0) }
    }
  }

  var addresses: [Address] {
    names.flatMap { name, value in
      name == "DISPLAY" ? Self.xAddresses(value) : waylandAddresses(value)
    }
  }

  private func waylandAddresses(_ name: String) -> [Address] {
    if name.hasPrefix("/") { return [.path(name)] }
    return environment["XDG_RUNTIME_DIR"].map { [.path("\($0)/\(name)")] } ?? []
  }

  /// As X(7) reads `host:number.screen`.
  private static func xAddresses(_ name: String) -> [Address] {
    guard let colon = name.lastIndex(of: ":"),
      let number = Int(name[name.index(after: colon)...].prefix { $0 != "." }),
      (0..<1 << 15).contains(number)
    else { return [] }
    let host = name[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
    let socket = "/tmp/.X11-unix/X\(number)"
    return host.isEmpty || host == "unix"
      ? [.abstract(socket), .path(socket)] : [.network(host: String(host), port: 6000 + number)]
  }

  // MARK: - Asking

  /// Milliseconds that a distant server has: SSH's end of a display is on this machine.
  private static let patience: Int32 = 2000

  static func answers(_ address: Address) -> Bool {
    switch address {
    case .path(let path): connects(path: path, isAbstract: false)
    case .abstract(let name): connects(path: name, isAbstract: true)
    case .network(let host, let port): connects(host: host, port: port)
    }
  }

  private static func connects(path: String, isAbstract: Bool) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
    let start = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    guard start + bytes.count < MemoryLayout<sockaddr_un>.size else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // A file's name ends at a zero; another is as long as it says.
    let length = socklen_t(start + bytes.count + (isAbstract ? 0 : 1))
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connects($0, length) }
    }
  }

  private static func connects(host: String, port: Int) -> Bool {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return false }
    defer { freeaddrinfo(found) }
    var next = found
    while let entry = next {
      if connects(entry.pointee.ai_addr, entry.pointee.ai_addrlen) { return true }
      next = entry.pointee.ai_next
    }
    return false
  }

  private static func connects(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(Int32(address.pointee.sa_family), type, 0)
    guard socket >= 0 else { return false }
    defer { Glibc.close(socket) }
    if connect(socket, address, length) == 0 { return true }
    guard errno == EINPROGRESS else { return false }
    var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard poll(&wait, 1, patience) > 0 else { return false }
    var failure: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0
  }
}
