// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Encoding
import TestSupport
import Testing

@Suite struct TagTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let tags = AudioTags(
    title: "Al-Baqarah 255", artist: "قارئ", album: "Night 7", genre: "Recitation", date: "2026",
    track: 255, comment: "2:255")

  /// The same as FFmpeg reads it.
  static let values = [
    "title": "Al-Baqarah 255", "artist": "قارئ", "album": "Night 7", "genre": "Recitation",
    "date": "2026", "track": "255", "comment": "2:255",
  ]

  /// A field of RIFF INFO: its name, its length, its text.
  private static func info(_ name: String, _ text: String) -> [UInt8] {
    let count = UInt8(text.utf8.count + 1)
    return Array(name.utf8) + [count + count % 2, 0, 0, 0] + text.utf8
  }

  /// A frame of ID3v2.3: its name, its length, no flags, its text in Latin 1 or UTF-16.
  private static func frame(_ name: String, _ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return Array(name.utf8) + [0, 0, 0, UInt8(text.utf8.count + 2), 0, 0, 0] + text.utf8
    }
    let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return Array(name.utf8) + [0, 0, 0, UInt8(units.count + 5), 0, 0, 1, 0xFF, 0xFE] + units
  }

  /// What has to be in the file, by the rules of its container.
  static let marks: [(AudioFileKind, [[UInt8]])] = [
    (
      .wav,
      [
        Array("INFO".utf8), info("INAM", "Al-Baqarah 255"), info("IART", "قارئ"),
        info("IPRD", "Night 7"), info("ITRK", "255"), info("ICMT", "2:255"),
      ]
    ),
    (.flac, comments), (.ogg, comments), (.opus, [Array("OpusTags".utf8)] + comments),
    (
      .mp3,
      [
        Array("ID3\u{3}".utf8), frame("TIT2", "Al-Baqarah 255"), frame("TPE1", "قارئ"),
        frame("TALB", "Night 7"), frame("TRCK", "255"), Array("COMM".utf8),
      ]
    ),
    (.m4a, ["ilst", "trkn", "Al-Baqarah 255", "قارئ", "Night 7"].map { Array($0.utf8) }),
  ]

  private static let comments = [
    "TITLE=Al-Baqarah 255", "ARTIST=قارئ", "ALBUM=Night 7", "TRACKNUMBER=255",
  ].map { Array($0.utf8) }

  @Test(arguments: marks)
  func tagsAreWhereTheContainerKeepsThem(_ kind: AudioFileKind, _ marks: [[UInt8]]) throws {
    let source = try fixture("m4a-aac.m4a")
    let path = folder.path("cut")
    _ = try AudioCutter(source).encode(
      frames(0..<44_100), as: EncodingSettings(kind), to: path, tags: Self.tags)
    let file = try bytes(path)
    for mark in marks { #expect(holds(file, mark), "\(String(decoding: mark, as: UTF8.self))") }
    #expect(try Sound(path: path).frameCount >= 44_100)
    let read = try MediaTags(MediaFile(path: path)).values
    #expect(Self.values.filter { read[$0.key] != $0.value } == [:])
  }

  @Test(arguments: ["m4a-aac.m4a", "mp3-cbr-lame.mp3", "ogg-opus.opus", "ogg-vorbis.ogg"])
  func copiesAreTaggedToo(_ name: String) throws {
    let path = folder.path("copy")
    _ = try AudioCutter(fixture(name)).copy(frames(0..<44_100), to: path, tags: Self.tags)
    let read = try MediaTags(MediaFile(path: path)).values
    #expect(Self.values.filter { read[$0.key] != $0.value } == [:])
  }

  @Test func controlCharactersBecomeSpaces() throws {
    let path = folder.path("cut")
    _ = try AudioCutter(fixture("mosque.flac")).encode(
      frames(0..<12_000), as: EncodingSettings(.flac), to: path,
      tags: AudioTags(title: "a\u{0}b\u{1B}[31m\r", comment: "two\nlines"))
    let file = try bytes(path)
    #expect(holds(file, Array("TITLE=a b [31m ".utf8)))
    #expect(holds(file, Array("two\nlines".utf8)))
  }

  /// Whether bytes contain others. The names of Vorbis comments know no case.
  private func holds(_ file: [UInt8], _ part: [UInt8]) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
    return file.map(lower).contains(part.map(lower))
  }
}
