// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Fetch

@Suite("Downloads from a server that behaves well or badly")
struct DownloaderTests {
  typealias Answer = ScriptedServer.Answer

  private let folder: TemporaryFolder
  private let clock = VirtualClock()
  private let stopFlag = StopFlag()
  private let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
  private static let tag = "ETag: \"one\"\r\n"

  init() throws { folder = try TemporaryFolder() }

  private var target: String { folder.path("001001.mp3") }
  private var isThere: Bool { FileManager.default.fileExists(atPath: target) }
  private func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder.path(name)).map { Array($0) }
  }

  private func settings() -> FetchSettings {
    var settings = FetchSettings(userAgent: "tests/1")
    settings.isReachable = { $0 == "127.0.0.1" }
    settings.limits.bytes = 1 << 20
    settings.limits.slowSeconds = 1
    return settings
  }

  private func request(_ url: String) -> FetchRequest {
    var request = FetchRequest(source: "Source", url: url, to: target)
    request.allowsInsecure = true
    return request
  }

  @discardableResult
  private func fetch(
    _ url: String, _ settings: FetchSettings? = nil,
    fault: (@Sendable (DiskStep) -> Int32?)? = nil, examine: (String) -> String? = { _ in nil }
  ) throws -> Downloader.Download {
    try Downloader(settings ?? self.settings(), clock: clock, stopFlag: stopFlag, fault: fault)
      .download(request(url), examine: examine)
  }

  private func kind(_ body: () throws -> Void) -> FetchError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FetchError)?.kind
    }
  }

  @Test("A file comes whole, with who asks for it said")
  func whole() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(content, Self.tag) }
    let download = try fetch(server.url("a.mp3"))
    #expect(bytes(of: "001001.mp3") == content)
    #expect(
      download == .init(bytes: 100_000, received: 100_000, etag: "\"one\"", lastModified: nil))
    #expect(server.requests[0].fields["user-agent"] == "tests/1")
    #expect(server.requests[0].fields["range"] == nil)
    // The record tells an opening that nobody has entered the file yet.
    #expect(try folder.contents == ["001001.mp3", "001001.mp3.part.json"])
    Downloader.forgetRecord(of: target)
    #expect(try folder.contents == ["001001.mp3"])
  }

  @Test("After a connection that ended early only the rest is asked for, if the file is the same")
  func resumed() throws {
    let content = content
    let server = ScriptedServer { request, number in
      number == 0
        ? .ok(Array(content[..<30_000]), Self.tag, length: content.count)
        : .rest(of: content, from: request.offset ?? 0, Self.tag)
    }
    try fetch(server.url("a.mp3"))
    #expect(bytes(of: "001001.mp3") == content)
    #expect(server.requests[1].fields["range"] == "bytes=30000-")
    #expect(server.requests[1].fields["if-range"] == "\"one\"")
  }

  @Test("A file that is shorter than the server says is not asked for again and again")
  func shorterThanPromised() throws {
    let content = content
    let server = ScriptedServer { request, _ in
      request.offset == nil
        ? .ok(content, Self.tag, length: content.count + 5) : .status("416 Range Not Satisfiable")
    }
    #expect(
      kind { try fetch(server.url("a.mp3")) }
        == .unusable("the file ends after 100000 of its 100005 bytes"))
    #expect(server.requests.count == 2)
    #expect(try folder.contents.isEmpty)
  }

  @Test("A server that answers a request for the rest with everything is taken at its word")
  func wholeInsteadOfRest() throws {
    let (content, other) = (content, [UInt8](repeating: 9, count: 5000))
    let server = ScriptedServer { _, number in
      number == 0
        ? .ok(Array(content[..<30_000]), Self.tag, length: content.count)
        : .ok(other, "ETag: \"two\"\r\n")
    }
    #expect(try fetch(server.url("a.mp3")).etag == "\"two\"")
    #expect(bytes(of: "001001.mp3") == other)
  }

  @Test("Parts of two versions are never joined")
  func changedVersion() throws {
    let (content, other) = (content, [UInt8](repeating: 9, count: 100_000))
    let server = ScriptedServer { request, number in
      switch number {
      case 0: .ok(Array(content[..<30_000]), Self.tag, length: content.count)
      // Does not know If-Range.
      case 1: .rest(of: other, from: request.offset ?? 0, "ETag: \"two\"\r\n")
      default: .ok(other, "ETag: \"two\"\r\n")
      }
    }
    try fetch(server.url("a.mp3"))
    #expect(bytes(of: "001001.mp3") == other)
    #expect(server.requests[2].fields["range"] == nil)
  }

  @Test("Without a mark to know the file by, it is fetched anew")
  func noValidator() throws {
    let content = content
    let server = ScriptedServer { _, number in
      number == 0
        ? .ok(Array(content[..<30_000]), "ETag: W/\"one\"\r\n", length: content.count)
        : .ok(content)
    }
    try fetch(server.url("a.mp3"))
    #expect(server.requests[1].fields["range"] == nil)
    #expect(bytes(of: "001001.mp3") == content)
  }

  @Test("The rest from another place than asked for is not the rest")
  func wrongRange() throws {
    let content = content
    let server = ScriptedServer { _, number in
      switch number {
      case 0: .ok(Array(content[..<30_000]), Self.tag, length: content.count)
      case 1: .rest(of: content, from: 29_999, Self.tag)
      default: .ok(content, Self.tag)
      }
    }
    try fetch(server.url("a.mp3"))
    #expect(bytes(of: "001001.mp3") == content)
  }

  @Test("A server that always ends early is given up, and the file never has its name")
  func truncatedForEver() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(Array(content[..<100]), length: content.count) }
    #expect(kind { try fetch(server.url("a.mp3")) } == .truncated(bytes: 100, of: 100_000))
    #expect(server.requests.count == 6)
    #expect(!isThere)
    // 1, 2, 4, 8 and 16 seconds, of which half is at random, in steps of a second at most.
    let waited: Double = clock.waits.reduce(0, +)
    #expect(waited == 23.25)
    #expect(clock.waits.prefix(3) == [0.75, 1, 0.5])
  }

  @Test("What is too large is refused, be it announced or not")
  func tooLarge() throws {
    let much = [UInt8](repeating: 1, count: 2 << 20)
    let announced = ScriptedServer { _, _ in .ok(much) }
    let silent = ScriptedServer { _, _ in .bytes(ScriptedServer.head("200 OK", "") + much) }
    for server in [announced, silent] {
      #expect(kind { try fetch(server.url("a.mp3")) } == .tooLarge(limit: 1 << 20))
      #expect(server.requests.count == 1)
      #expect(try folder.contents == [])
    }
  }

  @Test("A length that is another than was known is not the file")
  func wrongLength() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(content) }
    var request = request(server.url("a.mp3"))
    request.expectedBytes = 99_999
    let downloader = Downloader(settings(), clock: clock, stopFlag: stopFlag)
    #expect(
      kind { _ = try downloader.download(request) { _ in nil } }
        == .unusable("100000 bytes instead of 99999"))
    #expect(!isThere)
  }

  @Test("A server that stalls is left, and what has come is kept")
  func stalling() throws {
    let content = content
    let server = ScriptedServer { request, number in
      number == 0
        ? .stalling(
          ScriptedServer.head("200 OK", Self.tag + "Content-Length: \(content.count)\r\n")
            + content[..<500])
        : .rest(of: content, from: request.offset ?? 0, Self.tag)
    }
    try fetch(server.url("a.mp3"))
    #expect(server.requests[1].offset == 500)
    #expect(bytes(of: "001001.mp3") == content)
  }

  @Test("A server that drips is left, and what has come is kept; one that always does is given up")
  func dripping() throws {
    let content = content
    let head = ScriptedServer.head("200 OK", Self.tag + "Content-Length: \(content.count)\r\n")
    let server = ScriptedServer { request, number in
      number == 0
        ? .dripping(head, content) : .rest(of: content, from: request.offset ?? 0, Self.tag)
    }
    try fetch(server.url("a.mp3"))
    #expect(try #require(server.requests[1].offset) > 0)
    #expect(bytes(of: "001001.mp3") == content)
    unlink(target)
    var settings = settings()
    settings.attempts = 1
    let patient = ScriptedServer { _, _ in .dripping(head, content) }
    #expect(kind { try fetch(patient.url("a.mp3"), settings) } == .tooSlow)
    #expect(!isThere)
  }

  @Test(
    "Of a file that is longer than the server says, no more comes than that, and it is looked at")
  func longerThanPromised() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(content, Self.tag, length: content.count - 5) }
    var examined: Int?
    let found = kind {
      let look = { (path: String) -> String? in
        examined = FileManager.default.contents(atPath: path)?.count
        return "it ends early"
      }
      try fetch(server.url("a.mp3"), examine: look)
    }
    #expect(found == .unusable("it ends early") && examined == content.count - 5)
    #expect(try folder.contents.isEmpty)
  }

  @Test("A host that another downloader has just asked is not asked at once")
  func sharedTurns() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(content) }
    let turns = HostTurns()
    for _ in 1...2 {
      let downloader = Downloader(settings(), clock: clock, stopFlag: stopFlag, turns: turns)
      _ = try downloader.download(request(server.url("a.mp3"))) { _ in nil }
    }
    #expect(clock.waits == [0.25])
  }

  @Test(
    "What a host has asked one program for, another one keeps to, and neither asks it while two others do"
  )
  func turnsOfPrograms() throws {
    let content = content
    let server = ScriptedServer { _, number in
      number == 0
        ? .status("429 Too Many Requests", "Retry-After: 700\r\n")
        : number == 1 ? .status("429 Too Many Requests", "Retry-After: 9\r\n") : .ok(content)
    }
    func fetch(_ name: String) throws {
      var request = request(server.url(name))
      request.destination = folder.path(name)
      _ = try Downloader(
        settings(), clock: clock, stopFlag: stopFlag, turns: HostTurns(sharedIn: folder.path)
      ).download(request) { _ in nil }
    }
    #expect(kind { try fetch("a.mp3") } == .busy(seconds: 700))
    #expect(kind { try fetch("b.mp3") } == .busy(seconds: 700))
    #expect(server.requests.count == 1 && clock.waits.isEmpty)
    clock.wait(seconds: 690, until: stopFlag)
    try fetch("b.mp3")
    #expect(server.requests.count == 3)
    // Ten seconds that were left of the first wish, and nine of the second.
    #expect(clock.waits == [690] + Array(repeating: 1, count: 19))
    try fetch("c.mp3")
    #expect(clock.waits.last == 0.25)

    let others = (1...2).map { _ in HostTurns(sharedIn: folder.path) }
    let one = HostTurns(sharedIn: folder.path)
    func turn(_ turns: HostTurns, after seconds: Double) -> HostTurns.Turn? {
      guard case .turn(let turn) = turns.take("h", at: 1000 + seconds, pause: 0.25) else {
        return nil
      }
      return turn
    }
    var held = [
      turn(others[0], after: 0), turn(others[1], after: 0.1), turn(others[1], after: 0.3),
    ]
    #expect(held.map { $0 != nil } == [true, false, true])
    guard case .full = one.take("h", at: 1009, pause: 0.25) else {
      Issue.record("a third turn")
      return
    }
    held.removeFirst()
    #expect(turn(one, after: 9) != nil)
    // A clock that is set back does not keep anybody waiting longer than the pause.
    #expect(turn(one, after: -999) == nil)
    guard case .wait(let seconds) = one.take("h", at: 1, pause: 0.25) else {
      Issue.record("no wait")
      return
    }
    #expect(seconds == 0.25)
  }

  @Test("A download that takes longer than the limit of time ends, and is resumed")
  func takesTooLong() throws {
    let content = content
    let head = ScriptedServer.head("200 OK", Self.tag + "Content-Length: \(content.count)\r\n")
    let server = ScriptedServer { request, number in
      number == 0
        ? .dripping(head, content) : .rest(of: content, from: request.offset ?? 0, Self.tag)
    }
    var settings = settings()
    settings.limits.slowSeconds = 600
    settings.limits.seconds = 1
    settings.attempts = 1
    #expect(kind { try fetch(server.url("a.mp3"), settings) } == .tooSlow)
    #expect(!isThere)
    try fetch(server.url("a.mp3"))
    #expect(try #require(server.requests[1].offset) > 0)
    #expect(bytes(of: "001001.mp3") == content)
  }

  @Test("A server may ask to wait, in seconds or until a date")
  func retryAfter() throws {
    let content = content
    let server = ScriptedServer { _, number in
      switch number {
      case 0: .status("429 Too Many Requests", "Retry-After: 7\r\n")
      case 1: .status("503 Service Unavailable", "Retry-After: Thu, 01 Jan 2026 12:01:00 GMT\r\n")
      case 2: .status("429 Too Many Requests", "Retry-After: Thu, 01 Jan 2026 12:01:10 GMT\r\n")
      default: .ok(content)
      }
    }
    var told: [String] = []
    let downloader = Downloader(settings(), clock: clock, stopFlag: stopFlag)
    _ = try downloader.download(
      request(server.url("a.mp3")),
      waiting: { told.append($0.retry(in: $1)) }, examine: { _ in nil })
    #expect(clock.waits == Array(repeating: 1, count: 7 + 53 + 10))
    var expected: [String] = []
    for (status, seconds) in [(429, 7), (503, 53), (429, 10)] {
      for left in (1...seconds).reversed() {
        expected.append("the server answered HTTP \(status); next attempt in \(left) s")
      }
    }
    #expect(told == expected)
  }

  @Test("Nobody waits for hours")
  func retryTomorrow() {
    let server = ScriptedServer { _, _ in .status("429 Too Many Requests", "Retry-After: 86400\r\n")
    }
    #expect(kind { try fetch(server.url("a.mp3")) } == .busy(seconds: 86_400))
    #expect(clock.waits == [])
  }

  @Test("What is not there is not asked for twice", arguments: [403, 404, 410])
  func absent(status: Int) {
    let server = ScriptedServer { _, _ in .status("\(status) No") }
    #expect(kind { try fetch(server.url("a.mp3")) } == .absent(status: status))
    #expect(server.requests.count == 1)
  }

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
    #expect(kind { try fetch(second.url("a")) } == .addressRefused("127.0.0.2", .loopback))
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
        == .addressRefused("127.0.0.2", .loopback))
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
      return (redirected: redirected, paths: paths, named: named)
    }
    #expect(found.redirected == .addressRefused(address, .linkLocal))
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

  @Test("A file that turns out not to be sound is deleted, with the reason")
  func unusable() throws {
    let server = ScriptedServer { _, _ in .ok(Array("<html>".utf8), "Content-Type: audio/mpeg\r\n")
    }
    #expect(
      kind { try fetch(server.url("a.mp3"), examine: { _ in "it looks like HTML" }) }
        == .unusable("it looks like HTML"))
    #expect(try folder.contents == [])
  }

  @Test("Requests to one host are a quarter of a second apart")
  func pauses() throws {
    let content = content
    let server = ScriptedServer { _, _ in .ok(content) }
    let downloader = Downloader(settings(), clock: clock, stopFlag: stopFlag)
    for number in 0..<3 {
      _ = try downloader.download(request(server.url("\(number)"))) { _ in nil }
      unlink(target)
    }
    #expect(clock.waits == [0.25, 0.25])
  }

  @Test(
    "A full disk at any step is told, and never leaves half a file under its name",
    arguments: DiskStep.allCases)
  func fullDisk(step: DiskStep) throws {
    let content = content
    let server = ScriptedServer { request, _ in
      request.offset.map { .rest(of: content, from: $0, Self.tag) } ?? .ok(content, Self.tag)
    }
    let kind = kind { try fetch(server.url("a.mp3"), fault: { $0 == step ? ENOSPC : nil }) }
    guard case .disk(_, _, ENOSPC) = kind else {
      Issue.record("\(String(describing: kind))")
      return
    }
    #expect(!isThere || bytes(of: "001001.mp3") == content)
    // With room again, the same request brings it.
    try fetch(server.url("a.mp3"))
    #expect(bytes(of: "001001.mp3") == content)
  }

  @Test("Errors say whose file, which, why, and what to do")
  func wording() {
    let url = "https://example.org/001001.mp3"
    var kind: FetchError.Kind? = .first
    while let current = kind {
      let error = FetchError(current, source: "Husary", url: url)
      let start = "Husary: \(url): \(error.cause); "
      #expect(error.description.hasPrefix(start), "\(error)")
      let remedy = error.description.dropFirst(start.count)
      #expect(remedy.count > 10 && !remedy.contains(error.cause), "\(error)")
      #expect(!error.description.contains("\n") && !error.description.hasSuffix("."), "\(error)")
      kind = current.next
    }
    #expect(
      FetchError(.absent(status: 404), source: "Husary", url: url).description
        == "Husary: https://example.org/001001.mp3: the server does not have it (HTTP 404); check the address in a browser; the next request for it is made in a week, or after 'source edit Husary --url'"
    )
  }
}

extension FetchError.Kind {
  fileprivate static let first = Self.badAddress("no host")

  /// One of the next kind; nil after the last.
  fileprivate var next: Self? {
    switch self {
    case .badAddress: .insecure(redirect: nil)
    case .insecure(nil): .insecure(redirect: "http://example.org/a.mp3")
    case .insecure: .forbiddenRedirect("file:///etc/passwd")
    case .forbiddenRedirect: .addressRefused("127.0.0.1", .loopback)
    case .addressRefused(_, .loopback):
      .addressRefused("169.254.1.1", .linkLocal)
    case .addressRefused: .unreachable("no route")
    case .unreachable: .untrusted("self-signed")
    case .untrusted: .badAuthorities("access rights?", file: "/a.pem")
    case .badAuthorities: .absent(status: 410)
    case .absent: .status(500)
    case .status(500): .status(401)
    case .status: .tooManyRedirects
    case .tooManyRedirects: .tooLarge(limit: 1 << 20)
    case .tooLarge: .tooSlow
    case .tooSlow: .truncated(bytes: 1, of: 2)
    case .truncated: .busy(seconds: 900)
    case .busy: .hostInUse
    case .hostInUse: .inconsistent("another range")
    case .inconsistent: .unusable("HTML")
    case .unusable: .disk(call: "write", path: "/a", errno: ENOSPC)
    case .disk(_, _, ENOSPC): .disk(call: "open", path: "/a", errno: EACCES)
    case .disk: .library(cause: "library.sqlite: the disk is full", remedy: "free some disk space")
    case .library(_, .some): .library(cause: "library.sqlite: disk I/O error", remedy: nil)
    case .library: .cancelled
    case .cancelled: nil
    }
  }
}
