// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

@testable import TilawaCLI

/// Whether there is a display to open a window on.
@Suite struct WindowDisplayTests {
  private func addresses(_ environment: [String: String]) -> [WindowDisplay.Address] {
    WindowDisplay(environment: environment).addresses
  }

  @Test func namesLeadToServers() {
    let local: [WindowDisplay.Address] = [
      .abstract("/tmp/.X11-unix/X0"), .path("/tmp/.X11-unix/X0"),
    ]
    #expect(addresses(["DISPLAY": ":0"]) == local)
    #expect(addresses(["DISPLAY": "unix:0.1"]) == local)
    #expect(addresses(["DISPLAY": "localhost:10.0"]) == [.network(host: "localhost", port: 6010)])
    #expect(addresses(["DISPLAY": "[::1]:2"]) == [.network(host: "::1", port: 6002)])
    for name in ["", "x", ":", ":x", ":-1", ":99999999999999999999"] {
      #expect(addresses(["DISPLAY": name]).isEmpty, "\(name)")
    }
    let wayland = ["WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/user/1000"]
    #expect(addresses(wayland) == [.path("/run/user/1000/wayland-0")])
    #expect(addresses(["WAYLAND_DISPLAY": "/run/w"]) == [.path("/run/w")])
  }

  @Test func aDisplayWithoutAServerIsToldFromNone() {
    let none = WindowDisplay(environment: ["DISPLAY": ""])
    #expect(none.problem == .notNamed)
    let old = WindowDisplay(environment: ["DISPLAY": ":99"], answers: { _ in false })
    #expect(old.problem?.sentence == "the display does not answer (DISPLAY=:99)")
    let other = WindowDisplay(
      environment: ["WAYLAND_DISPLAY": "/gone", "DISPLAY": ":1"],
      answers: { $0 == .path("/tmp/.X11-unix/X1") })
    #expect(other.problem == nil)
  }

  @Test func aServerAnswersForAsLongAsItListens() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s")
    #expect(!WindowDisplay.answers(.path(path)))
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(server, 1) == 0)
    #expect(WindowDisplay.answers(.path(path)))
    close(server)
    // The name of a server that has ended may stay behind.
    #expect(!WindowDisplay.answers(.path(path)))
    #expect(!WindowDisplay.answers(.abstract(path)))
    #expect(!WindowDisplay.answers(.path(String(repeating: "x", count: 200))))
    #expect(!WindowDisplay.answers(.network(host: "127.0.0.1", port: 1)))
  }
}
