// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Fetch

// When a host is asked, and asked again.
extension DownloaderTests {
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
}
