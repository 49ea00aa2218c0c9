// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Playback
import Quran
import TestSupport
import Testing

@testable import TilawaCLI

@Suite struct PlaybackLogTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var log: PlaybackLog {
    PlaybackLog(folders: UserFolders { $0 == "TILAWA_HOME" ? folder.path("new") : nil })
  }

  private func text(_ name: String = "playback.log") throws -> String {
    try String(contentsOfFile: folder.path("new/state/\(name)"), encoding: .utf8)
  }

  @Test func eachNoticeIsALineWithItsTime() throws {
    let first = log
    first.add(.missing(.first, reason: nil), at: Date(timeIntervalSince1970: 0))
    first.close()
    let second = log
    second.add(
      .deviceLost(reason: "a\nb\u{1B}[2J", .staysPaused), at: Date(timeIntervalSince1970: 1))
    second.close()
    let lines = try text().split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("1970-01-01T00:00:00Z 1:1 is missing"))
    #expect(lines[1].hasPrefix("1970-01-01T00:00:01Z a"))
    #expect(!lines[1].contains("\u{1B}"))
  }

  @Test func whyADeviceIsLostIsSaidOnce() {
    let reason = OutputFault.disconnected.explanation
    #expect(
      PlaybackNotice.deviceLost(reason: reason, .staysPaused).description
        == "the sound device is disconnected; reconnect it")
  }

  @Test func aLargeLogMakesRoomAndOneIsKept() throws {
    let log = log
    log.add(.ranDry)
    log.close()
    let path = folder.path("new/state/playback.log")
    try Data(repeating: UInt8(ascii: "x"), count: 1 << 20).write(to: URL(filePath: path))
    log.add(.ranDry)
    log.close()
    #expect(try text().count < 200)
    #expect(try text("playback.log.1").count == 1 << 20)
  }

  @Test func withoutAFolderOrAPlaceToWriteNothingHappens() throws {
    let nowhere = PlaybackLog(folders: UserFolders { _ in nil })
    nowhere.add(.ranDry)
    nowhere.close()
    _ = try folder.write([], to: "new")
    let refused = log
    refused.add(.ranDry)
    refused.close()
    #expect(try folder.contents == ["new"])
  }
}
