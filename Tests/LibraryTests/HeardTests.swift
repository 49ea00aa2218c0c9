// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Quran
import Testing

@testable import Library

struct HeardTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func heard(
    _ text: String, day: Double = 0, reciter: String? = "Minshawi", frames: Int64 = 1000,
    watched: Int64 = 0, isWhole: Bool = true
  ) -> HeardAyah {
    HeardAyah(
      at: LibraryFixture.noon.addingTimeInterval(day * 86_400), ayah: ayah(text), riwayah: .hafs,
      reciter: reciter, media: "night", frames: FrameCount(frames), length: FrameCount(1000),
      watched: FrameCount(watched), rate: LibraryFixture.rate, speed: 1.25,
      isWhole: isWhole)
  }

  @Test func whatWasHeardIsKeptInTheOrderOfTime() throws {
    let (first, second) = (
      heard("1:1"), heard("1:2", day: -1, reciter: nil, frames: 400, watched: 300, isWhole: false)
    )
    #expect(try library.addHeard([first, second]) == 2)
    #expect(try fixture.reopened().heard() == [second, first])
  }

  @Test func logsOfTwoMachinesMergeByTheirIDs() throws {
    let other = try LibraryFixture(named: "other")
    let (mine, common, theirs) = (heard("1:1"), heard("1:2"), heard("1:3"))
    try library.addHeard([mine, common])
    try other.library.addHeard([common, theirs])
    #expect(try library.addHeard(other.library.heard()) == 1)
    #expect(try other.library.addHeard(library.heard()) == 1)
    #expect(try Set(library.heard()) == Set(other.library.heard()))
    #expect(try library.addHeard(other.library.heard()) == 0)
  }

  @Test func isFoundAndForgottenByTimeReciterAndAyah() throws {
    try library.addHeard([
      heard("1:1"), heard("2:5", day: -3), heard("2:6", reciter: "Husary"),
    ])
    let noon = LibraryFixture.noon
    #expect(try library.heard(HeardFilter(times: noon..<noon.addingTimeInterval(1))).count == 2)
    #expect(try library.heard(HeardFilter(reciter: "husary")).map(\.ayah) == [ayah("2:6")])
    let surah = AyahRange(first: ayah("2:1"), last: ayah("2:286"))
    #expect(try library.heard(HeardFilter(ayat: surah)).count == 2)
    #expect(try library.forgetHeard(HeardFilter(ayat: surah)) == 2)
    #expect(try library.forgetHeard() == 1)
    #expect(try library.heard() == [])
  }

  @Test func onlyWhatWasHeardToItsEndWasLastHeard() throws {
    try library.addHeard([
      heard("1:1", day: -2), heard("1:1", day: -1), heard("1:1", isWhole: false),
      heard("1:2", frames: 400),
    ])
    let last = try library.lastHeard()
    #expect(last[ayah("1:1")] == LibraryFixture.noon.addingTimeInterval(-86_400))
    #expect(last[ayah("1:2")] == LibraryFixture.noon)
  }
}
