// SPDX-License-Identifier: GPL-3.0-or-later

import Encoding
import TestSupport
import Testing

@Suite struct TagTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let tags = AudioTags(
    title: "Al-Baqarah 255", artist: "قارئ", album: "Night 7", genre: "Recitation", date: "2026",
    track: 255, comment: "2:255")

  /// What has to be in the file, by the rules of its container.
  static let marks: [(AudioFileKind, [String])] = [
    // RIFF INFO: INAM, IART, IPRD, ITRK, ICMT.
    (.wav, ["LIST", "INFO", "INAM", "IART", "ICMT"]),
    (.flac, ["TITLE=Al-Baqarah 255", "ARTIST=قارئ", "ALBUM=Night 7", "TRACKNUMBER=255"]),
    (.ogg, ["title=Al-Baqarah 255", "artist=قارئ", "album=Night 7", "TRACKNUMBER=255"]),
    (.opus, ["OpusTags", "title=Al-Baqarah 255", "artist=قارئ", "TRACKNUMBER=255"]),
    (.mp3, ["ID3\u{3}", "TIT2", "TPE1", "TALB", "TRCK", "COMM"]),
    (.m4a, ["ilst", "trkn", "Al-Baqarah 255", "قارئ", "Night 7"]),
  ]

  @Test(arguments: marks)
  func tagsAreWhereTheContainerKeepsThem(_ kind: AudioFileKind, _ marks: [String]) throws {
    let source = try fixture("m4a-aac.m4a")
    let path = folder.path("cut")
    _ = try AudioCutter(source).encode(
      frames(0..<44_100), as: EncodingSettings(kind), to: path, tags: Self.tags)
    let file = try bytes(path)
    for mark in marks { #expect(holds(file, mark), "\(mark)") }
    #expect(try Sound(path: path).frameCount >= 44_100)
  }

  @Test(arguments: ["m4a-aac.m4a", "mp3-cbr-lame.mp3", "ogg-opus.opus", "ogg-vorbis.ogg"])
  func copiesAreTaggedToo(_ name: String) throws {
    let path = folder.path("copy")
    _ = try AudioCutter(fixture(name)).copy(frames(0..<44_100), to: path, tags: Self.tags)
    let file = try bytes(path)
    // ID3v2.3 has it in UTF-16.
    let title = name.hasSuffix("mp3") ? "TIT2" : "Al-Baqarah 255"
    #expect(holds(file, title))
  }

  @Test func controlCharactersBecomeSpaces() throws {
    let path = folder.path("cut")
    _ = try AudioCutter(fixture("mosque.flac")).encode(
      frames(0..<12_000), as: EncodingSettings(.flac), to: path,
      tags: AudioTags(title: "a\u{0}b\u{1B}[31m\r", comment: "two\nlines"))
    let file = try bytes(path)
    #expect(holds(file, "TITLE=a b [31m "))
    #expect(holds(file, "two\nlines"))
  }

  /// Whether bytes contain a text. The names of Vorbis comments know no case.
  private func holds(_ file: [UInt8], _ text: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
    return file.map(lower).contains(text.utf8.map(lower))
  }
}
