// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport
import Testing
import Timings

@testable import TilawaCLI

struct TimingsCheckerTests {
  @Test(arguments: [
    ("036.mp3", 36), ("36.json", 36), ("emad_036.opus", 36), ("093_64kb.mp3", 93),
    ("093-v2.mp3", 93), ("093-mp3quran.json", 93), ("01-036 Yaseen.mp3", 36),
    ("036_128.mp3", 36), ("Surah002.mp3", 2), ("036.part 2.mp3", 36), ("2 of 036.mp3", 36),
    ("mp3quran.json", nil), ("timings-v2.json", nil), ("002-036.mp3", nil), ("3-36.mp3", nil),
    ("002255.mp3", nil), ("115.mp3", nil), ("night.mp3", nil),
  ])
  func theNameTellsASurahWhereOneNumberOfItCanBeMeant(name: String, number: Int?) {
    #expect(TimingsFile.surah(named: "/recordings/007/" + name)?.number == number)
  }

  /// Formats that do not say of which surah they are leave that to names.
  @Test(arguments: ["mp3quran.json", "timings-v2.json", "091.json"])
  func theRecordingsNameTellsTheSurahBeforeThatOfTheTimings(name: String) throws {
    let folder = try TemporaryFolder()
    let text =
      #"[{"ayah":1,"start_time":0,"end_time":1000},{"ayah":2,"start_time":1000,"end_time":2000}]"#
    let path = try folder.write(Array(text.utf8), to: name)
    let checker = TimingsChecker(sidecars: nil, isQuiet: true)
    let found = try checker.timings(path, of: folder.path("091.mp3"), surah: nil)
    #expect(found.ayat.map { "\($0.ayah)" } == ["91:1", "91:2"])
    let told = try checker.timings(path, of: folder.path("night.mp3"), surah: Surah(92))
    #expect(told.ayat.first?.ayah.surah.number == 92)
  }
}
