// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import Decoding

struct MediaTagsTests {
  let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func tags(of path: String, track: Int? = nil) throws -> MediaTags {
    MediaTags(try MediaFile(path: path), track: track)
  }

  /// A WAV fixture with a chunk of names and values after its samples.
  private func tagged(_ values: [(String, [UInt8])]) throws -> MediaTags {
    var file = Array(try FixtureIndex.bytes("wav-f32-22k-mono.wav"))
    var list = Array("INFO".utf8)
    func little(_ count: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
    for (name, value) in values {
      list += Array(name.utf8) + little(value.count + 1) + value + [0]
      if value.count % 2 == 0 { list.append(0) }
    }
    file += Array("LIST".utf8) + little(list.count) + list
    file.replaceSubrange(4..<8, with: little(file.count - 8))
    return try tags(of: temporary.write(file, to: "tagged.wav"))
  }

  @Test func readsTitleAndArtistBesidePicturesAndOtherTags() throws {
    let tags = try tags(of: FixtureIndex.path("mp3-tags.mp3"))
    #expect(tags.title == "سورة اختبار")
    #expect(tags.artist == "قارئ اصطناعي")
    #expect(tags.recordedAt == nil)
  }

  @Test func namesAreInLowerCaseAndThoseOfTheTrackCountToo() throws {
    let path = FixtureIndex.path("webm-video-two-tracks.webm")
    #expect(try tags(of: path).values["language"] == "ara")
    #expect(try tags(of: path, track: 2).values["language"] == "eng")
    #expect(try tags(of: path).values["encoder"]?.isEmpty == false)
  }

  @Test func readsWhatARecorderWroteIntoAWAV() throws {
    let tags = try tagged([
      ("INAM", Array("Night 27".utf8)), ("IART", Array("Reciter".utf8)),
      ("ICRD", Array("2024-04-05".utf8)),
    ])
    #expect(tags.title == "Night 27" && tags.artist == "Reciter")
    #expect(tags.recordedAt == 1_712_318_400, "noon, as it says no time")
  }

  @Test func valuesThatNobodyReadsAreCutAndBadTextIsMended() throws {
    let long = try tagged([("INAM", [UInt8](repeating: 0x61, count: 100_000))])
    #expect((long.title?.count ?? 0) <= 1000)
    let bad = try tagged([("INAM", [0x61, 0xFF, 0xFE, 0x62]), ("IART", [])])
    #expect(bad.title?.hasPrefix("a") == true && bad.artist == nil)
  }

  @Test func filesWithoutTagsAndFilesThatAreNoAudioHaveNone() throws {
    #expect(try tags(of: FixtureIndex.path("wav-s16-8k-mono.wav")).title == nil)
    for name in ["random_bytes.bin", "text_renamed.m4a", "playlist_neighbour_renamed.mp3"] {
      #expect(try tags(of: FixtureIndex.path("malformed/" + name)) == MediaTags())
    }
  }

  @Test(arguments: [
    ("2024-01-05T20:10:30.000000Z", 1_704_485_430), ("2024-01-05 20:10:30", 1_704_485_430),
    ("2024-01-05", 1_704_456_000), ("1999-12-31T23:59:59+03:00", 946_684_799),
  ]) func readsDates(_ text: String, _ seconds: Int64) {
    #expect(MediaTags.seconds(text) == seconds)
    #expect(MediaTags(values: ["date": text]).recordedAt == seconds)
  }

  @Test(arguments: [
    "", "2024", "1904-01-01T00:00:00Z", "1970-01-01", "2024-13-01", "2024-00-10", "2024-01-32",
    "20240105", "yesterday", "----------", "2024/01/05", "٢٠٢٤-٠١-٠٥", "-001-01-01",
  ]) func takesNoDateFromWhatIsNone(_ text: String) {
    #expect(MediaTags.seconds(text) == nil)
  }

  @Test func theTimeOfMakingCountsMoreThanTheDate() {
    let tags = MediaTags(values: [
      "creation_time": "2024-01-05T20:10:30Z", "date": "2020-01-01", "title": "x",
    ])
    #expect(tags.recordedAt == 1_704_485_430)
    #expect(
      MediaTags(values: ["creation_time": "1904-01-01T00:00:00Z", "date": "2024-01-05"])
        .recordedAt == 1_704_456_000)
  }
}
