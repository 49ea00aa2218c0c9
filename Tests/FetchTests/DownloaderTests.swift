// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Fetch

@Suite("Downloads from a server that behaves well or badly")
struct DownloaderTests {
  typealias Answer = ScriptedServer.Answer

  let folder: TemporaryFolder
  let clock = VirtualClock()
  let stopFlag = StopFlag()
  let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
  static let tag = "ETag: \"one\"\r\n"

  init() throws { folder = try TemporaryFolder() }

  var target: String { folder.path("001001.mp3") }
  var isThere: Bool { FileManager.default.fileExists(atPath: target) }
  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder.path(name)).map { Array($0) }
  }

  func settings() -> FetchSettings {
    var settings = FetchSettings(userAgent: "tests/1")
    settings.isReachable = { $0 == "127.0.0.1" }
    settings.limits.bytes = 1 << 20
    settings.limits.slowSeconds = 1
    return settings
  }

  func request(_ url: String) -> FetchRequest {
    var request = FetchRequest(source: "Source", url: url, to: target)
    request.allowsInsecure = true
    return request
  }

  @discardableResult
  func fetch(
    _ url: String, _ settings: FetchSettings? = nil,
    fault: (@Sendable (DiskStep) -> Int32?)? = nil, examine: (String) -> String? = { _ in nil }
  ) throws -> Downloader.Download {
    try Downloader(settings ?? self.settings(), clock: clock, stopFlag: stopFlag, fault: fault)
      .download(request(url), examine: examine)
  }

  func kind(_ body: () throws -> Void) -> FetchError.Kind? {
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

  @Test("What is not there is not asked for twice", arguments: [403, 404, 410])
  func absent(status: Int) {
    let server = ScriptedServer { _, _ in .status("\(status) No") }
    #expect(kind { try fetch(server.url("a.mp3")) } == .absent(status: status))
    #expect(server.requests.count == 1)
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
}
