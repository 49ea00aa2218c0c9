// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Fetch

// Where downloads may come from, and where redirects lead.
extension DownloaderTests {
  /// Answers with a redirect, and a page for people.
  private static func redirect(
    _ status: String = "302 Found", to location: String
  ) -> Answer {
    .ok(Array("<html>Moved</html>".utf8), "Location: \(location)\r\n", status: status)
  }

  /// A server that answers to two hosts, and sends who asks the first one on to the second.
  private func redirectingServer(
    _ answer: @escaping @Sendable (ScriptedServer.Request) -> Answer
  ) -> ScriptedServer {
    ScriptedServer(everywhere: true) { request, _ in
      let host = request.fields["host"]?.split(separator: ":") ?? []
      return host[0] == "127.0.0.1"
        ? Self.redirect(to: "http://127.0.0.2:\(host[1])\(request.path)") : answer(request)
    }
  }

  @Test(
    "Redirects are followed, whatever their kind, to addresses of every form",
    arguments: [
      "301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect",
      "308 Permanent Redirect",
    ],
    [
      "/set/new.mp3?a=1", "new.mp3?a=1", "../set/new.mp3?a=1", "//HOST/set/new.mp3?a=1",
      "http://HOST/set/new.mp3?a=1",
    ])
  func redirects(status: String, location: String) throws {
    let content = content
    let server = ScriptedServer { request, _ in
      let location = location.replacing("HOST", with: request.fields["host"] ?? "")
      return request.path == "/set/old.mp3" ? Self.redirect(status, to: location) : .ok(content)
    }
    try fetch(server.url("set/old.mp3"))
    #expect(server.requests.map(\.path) == ["/set/old.mp3", "/set/new.mp3?a=1"])
    #expect(bytes(of: "001001.mp3") == content)
    // A host that sends one on to itself is asked at once.
    #expect(clock.waits.isEmpty)
  }

  @Test("Five redirects in a row are followed, and no more")
  func redirectChain() throws {
    let content = content
    let server = ScriptedServer { request, _ in
      let left = Int(request.path.dropFirst()) ?? 0
      return left > 0 ? Self.redirect(to: "/\(left - 1)") : .ok(content)
    }
    try fetch(server.url("5"))
    #expect(bytes(of: "001001.mp3") == content && server.requests.count == 6)
    #expect(kind { try fetch(server.url("6")) } == .tooManyRedirects)
    #expect(server.requests.count == 12)
    let loop = ScriptedServer { _, _ in Self.redirect(to: "/loop") }
    #expect(kind { try fetch(loop.url("loop")) } == .tooManyRedirects)
    #expect(loop.requests.count == 6)
    // The page beside a redirect may be cut off.
    let hasty = ScriptedServer { request, _ in
      request.path == "/a"
        ? .ok([], "Location: /b\r\n", status: "302 Found", length: 9) : .ok(content)
    }
    try fetch(hasty.url("a"))
    #expect(hasty.requests.count == 2)
    // Neither is a redirect: what names no other place, and the choice between several.
    let aimless = ScriptedServer { request, _ in
      request.path == "/302" ? .status("302 Found") : Self.redirect("300 Choose", to: "/a")
    }
    #expect(kind { try fetch(aimless.url("302")) } == .status(302))
    #expect(kind { try fetch(aimless.url("300")) } == .status(300))
  }

  @Test("The rest of a file is asked for where the redirect leads")
  func resumedBehindARedirect() throws {
    let content = content
    let server = redirectingServer { request in
      request.offset.map { .rest(of: content, from: $0, Self.tag) }
        ?? .ok(Array(content[..<30_000]), Self.tag, length: content.count)
    }
    var settings = settings()
    settings.isReachable = { _ in true }
    try fetch(server.url("a.mp3"), settings)
    #expect(bytes(of: "001001.mp3") == content)
    #expect(
      server.requests.map { $0.fields["range"] } == [nil, nil, "bytes=30000-", "bytes=30000-"])
    #expect(server.requests[3].fields["if-range"] == "\"one\"")
  }

  @Test("A host that a redirect leads to is asked in its own turn, and only it is spared")
  func turnsOfRedirects() throws {
    let content = content
    let calls = Monitor(0)
    let server = redirectingServer { _ in
      calls.update {
        $0 += 1
        return $0 == 1
          ? .status("503 Service Unavailable", "Retry-After: 700\r\n") : .ok(content)
      }
    }
    var settings = settings()
    settings.isReachable = { _ in true }
    let turns = HostTurns()
    func fetch() throws {
      _ = try Downloader(settings, clock: clock, stopFlag: stopFlag, turns: turns)
        .download(request(server.url("a.mp3"))) { _ in nil }
    }
    #expect(kind { try fetch() } == .busy(seconds: 700))
    #expect(server.requests.count == 2)
    // The first host is asked again after the usual pause, the second is left in peace.
    #expect(kind { try fetch() } == .busy(seconds: 700))
    #expect(server.requests.count == 3 && clock.waits == [0.25])
    clock.wait(seconds: 695, until: stopFlag)
    try fetch()
    #expect(server.requests.count == 5)
    #expect(clock.waits.dropFirst(2).reduce(0, +) == 4.75)
  }

  @Test("Redirects to files, to other schemes and to one's own network lead nowhere")
  func forbiddenRedirects() throws {
    let secret = try folder.write(Array("secret".utf8), to: "secret")
    let server = ScriptedServer { request, _ in
      switch request.path {
      case "/file": Self.redirect(to: "file://\(secret)")
      case "/ftp": Self.redirect(to: "ftp://127.0.0.1/a.mp3")
      case "/password": Self.redirect(to: "http://me:secret@127.0.0.1/a.mp3")
      case "/nowhere": Self.redirect(to: "http://")
      default: .ok([])
      }
    }
    #expect(
      kind { try fetch(server.url("file")) } == .forbiddenRedirect("file://\(secret)"))
    for path in ["ftp", "password", "nowhere"] {
      guard case .forbiddenRedirect = kind({ try fetch(server.url(path)) }) else {
        Issue.record("the redirect of \(path) was followed")
        continue
      }
    }
    #expect(server.requests.count == 4)
    // Where a server sends one is written down only when it is asked.
    try FileManager.default.createDirectory(
      atPath: folder.path("turns"), withIntermediateDirectories: false)
    let turns = HostTurns(sharedIn: folder.path("turns"))
    #expect(
      kind {
        _ = try Downloader(settings(), clock: clock, stopFlag: stopFlag, turns: turns)
          .download(request(server.url("file"))) { _ in nil }
      } != nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("turns")).sorted()
        == ["host-127.0.0.1_\(server.port)", "host-127.0.0.1_\(server.port).1"])
    let second = redirectingServer { _ in .ok([1]) }
    let redirected = "http://127.0.0.2:\(second.port)/a"
    #expect(
      kind { try fetch(second.url("a")) }
        == .addressRefused("127.0.0.2", .loopback, redirect: redirected))
    #expect(second.requests.count == 1)
    #expect(!isThere)
  }

  @Test("A secure source is never followed to an insecure address")
  func insecure() {
    var request = request("http://127.0.0.1:1/a.mp3")
    request.allowsInsecure = false
    let downloader = Downloader(settings(), clock: clock, stopFlag: stopFlag)
    #expect(kind { _ = try downloader.download(request) { _ in nil } } == .insecure(redirect: nil))
  }

  @Test("The address that is connected to counts, not what the name stood for before")
  func rebinding() throws {
    let content = content
    let server = ScriptedServer(everywhere: true) { _, _ in
      .ok(Array(content[..<100]), Self.tag, length: content.count)
    }
    let calls = Monitor(0)
    var settings = settings()
    settings.resolve = { _ in
      calls.update {
        $0 += 1
        return $0 == 1 ? "127.0.0.1" : "127.0.0.2"
      }
    }
    let url = "http://recitations.example:\(server.port)/a.mp3"
    #expect(kind { try fetch(url, settings) } == .addressRefused("127.0.0.2", .loopback))
    #expect(server.requests.count == 1)
  }

  @Test("A name that stands for an address here is refused unless the source may use it")
  func loopback() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(content) }
    var settings = settings()
    settings.isReachable = nil
    settings.resolve = { _ in "127.0.0.1" }
    let url = "http://recitations.example:\(server.port)/a.mp3"
    #expect(kind { try fetch(url, settings) } == .addressRefused("127.0.0.1", .loopback))
    #expect(server.requests.isEmpty)
    var request = request(url)
    request.allowsPrivate = true
    _ = try Downloader(settings, clock: clock, stopFlag: stopFlag).download(request) { _ in nil }
    #expect(isThere)
  }

  @Test("An address here that the source names itself is used, and no other by its redirect")
  func namedAddress() throws {
    let content = content
    let server = ScriptedServer(everywhere: true) { request, _ in
      request.path == "/away"
        ? .status(
          "302 Found",
          "Location: http://127.0.0.2:\(request.fields["host"]!.split(separator: ":")[1])/\r\n")
        : .ok(content)
    }
    var settings = settings()
    settings.isReachable = nil
    for host in ["127.0.0.1", "localhost"] {
      try? FileManager.default.removeItem(atPath: target)
      try fetch("http://\(host):\(server.port)/a.mp3", settings)
      #expect(isThere)
    }
    #expect(
      kind { try fetch("http://127.0.0.1:\(server.port)/away", settings) }
        == .addressRefused(
          "127.0.0.2", .loopback, redirect: "http://127.0.0.2:\(server.port)/"))
  }

  @Test("No redirect leads to a link-local address, whatever the source may use")
  func linkLocalRedirect() {
    var request = request("http://192.168.1.5/a.mp3")
    request.allowsPrivate = true
    let named = HTTPTransfer(
      request: request, settings: FetchSettings(userAgent: "tests/1"), stopFlag: stopFlag)
    var redirected = named
    redirected.redirect = "http://other.example/a.mp3"
    for address in ["169.254.169.254", "fe80::1%eth0"] {
      #expect(redirected.refusal(address) == .linkLocal)
      #expect(named.refusal(address) == nil)
    }
    #expect(redirected.refusal("192.168.1.6") == nil)
  }

  @Test(
    "A redirect of a server to a link-local address is not followed",
    .enabled(if: OwnNetwork.isPossible, "a network namespace needs root"))
  func linkLocalRedirectOfAServer() throws {
    let address = "169.254.7.7"
    let found = try OwnNetwork.with(address) {
      let server = ScriptedServer(everywhere: true) { request, _ in
        let port = request.fields["host"]?.split(separator: ":").last ?? ""
        return request.path == "/a.mp3"
          ? .status("302 Found", "Location: http://\(address):\(port)/secret\r\n") : .ok([1])
      }
      var request = request(server.url("a.mp3"))
      request.allowsPrivate = true
      let downloader = Downloader(
        FetchSettings(userAgent: "tests/1"), clock: clock, stopFlag: stopFlag)
      let redirected = kind { _ = try downloader.download(request) { _ in nil } }
      let paths = server.requests.map(\.path)
      // It is there for who names it.
      request.url = "http://\(address):\(server.port)/secret"
      let named = kind { _ = try downloader.download(request) { _ in nil } }
      return (redirected: redirected, paths: paths, named: named, secret: request.url)
    }
    #expect(
      found.redirected == .addressRefused(address, .linkLocal, redirect: found.secret))
    #expect(found.paths == ["/a.mp3"] && found.named == nil)
  }

  @Test("Addresses with a password, and those of other schemes, are no addresses to download from")
  func badAddresses() {
    for url in [
      "https://me:secret@example.org/a.mp3", "file:///etc/passwd", "ftp://example.org/a", "no url",
    ] {
      guard case .badAddress = kind({ try fetch(url) }) else {
        Issue.record("\(url) was accepted")
        continue
      }
    }
  }
}
