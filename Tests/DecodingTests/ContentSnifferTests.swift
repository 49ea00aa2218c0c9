// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Decoding

@Suite struct ContentSnifferTests {
  @Test(arguments: FixtureIndex.all.good)
  func recognisesFixtureByItsContent(_ fixture: GoodFixture) throws {
    let expected: ContentKind =
      switch fixture.container {
      case "wav", "rf64": .wav
      case "flac": .flac
      case "aiff": .aiff
      case "caf": .coreAudio
      case "ogg": .ogg
      case "mp3": .mpegAudio
      case "m4a", "mp4", "3gp": .isoMedia
      case "adts": .adts
      default: .unknown
      }
    #expect(try ContentSniffer.kind(of: MediaFile(path: fixture.file)) == expected)
  }

  @Test(
    arguments: [
      ("RIFF....WAVEfmt ", .wav), ("RF64....WAVE", .wav), ("BW64....WAVE", .wav),
      ("RIFX....WAVE", .wav), ("riff.\u{1}", .wav), ("RIFF....AVI ", .unknown), ("RIFF", .unknown),
      ("RIFF....WEBP", .notAudio("a picture (WebP)")), ("fLaC\u{0}", .flac),
      ("FORM....AIFF", .aiff),
      ("FORM....AIFC", .aiff), ("FORM....ILBM", .notAudio("text")), ("caff", .coreAudio),
      (".snd", .sunAudio), ("OggS", .ogg), ("\0\0\0\u{20}ftypM4A ", .isoMedia),
      ("\0\0\0\u{8}wide", .isoMedia), ("\0\0\0\u{8}free", .isoMedia), ("\0\0\0\0mdat", .isoMedia),
      ("#EXTM3U\n", .playlist("an M3U playlist")),
      ("ffconcat version 1.0", .playlist("a list of files for FFmpeg")),
      ("[playlist]\n", .playlist("a PLS playlist")), ("<smil>", .playlist("a playlist")),
      ("<asx version=\"3\">", .playlist("a playlist")), ("GIF89a", .notAudio("a picture (GIF)")),
      ("%PDF-1.7", .notAudio("a PDF document")), ("PK\u{3}\u{4}", .notAudio("a ZIP archive")),
      ("<!DOCTYPE HTML>", .notAudio("a web page (HTML)")),
      ("<HTML><head>", .notAudio("a web page (HTML)")),
      ("plain words", .notAudio("text")), ("نص", .notAudio("text")), ("abc", .unknown),
      ("", .unknown), ("\0\0\0\0\0\0\0\0", .unknown),
    ] as [(String, ContentKind)])
  func recognisesSignature(_ text: String, _ kind: ContentKind) {
    #expect(ContentSniffer.kind(of: Array(text.utf8)) == kind)
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], .notAudio("a picture (PNG)")),
      ([0xFF, 0xD8, 0xFF, 0xE0], .notAudio("a picture (JPEG)")),
      ([0x1F, 0x8B, 8, 0], .notAudio("a gzip archive")),
      ([0xFF, 0xFB, 0x90, 0x64, 0, 0], .mpegAudio), ([0xFF, 0xFB, 0x90], .unknown),
      ([0xFF, 0xF1, 0x50, 0x40, 0x01, 0x5F, 0xFC], .adts),
      ([0xFF, 0xF1, 0x50, 0x40, 0x00, 0x1F, 0xFC], .unknown),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .unknown),
    ] as [([UInt8], ContentKind)])
  func recognisesBinarySignature(_ bytes: [UInt8], _ kind: ContentKind) {
    #expect(ContentSniffer.kind(of: bytes) == kind)
  }

  /// A head of zeros in which bytes stand at some places.
  private func head(_ count: Int, _ parts: [(at: Int, [UInt8])]) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: count)
    for part in parts { head.replaceSubrange(part.at..<(part.at + part.1.count), with: part.1) }
    return head
  }

  @Test func headersOfMPEGAudioThatDoNotAgreeAreChance() {
    // 128 kbit/s at 44.1 kHz: 417 bytes to the next header.
    let layer3: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
    let others: [[UInt8]] = [
      [0xFF, 0xFB, 0x94, 0x64], [0xFF, 0xFD, 0x90, 0x64], [0xFF, 0xF3, 0x90, 0],
    ]
    for start in [0, 5, 3000] {
      let two = [(at: start, layer3), (at: start + 417, layer3)]
      #expect(ContentSniffer.kind(of: head(9000, two)) == .unknown)
      #expect(ContentSniffer.kind(of: head(9000, two + [(at: start + 834, layer3)])) == .mpegAudio)
      for other in others {
        let parts = two + [(at: start + 834, other)]
        #expect(ContentSniffer.kind(of: head(9000, parts)) == .unknown, "\(start), \(other)")
      }
      // A file may be as short as two frames, or have a tag behind them.
      #expect(ContentSniffer.kind(of: head(start + 834, two)) == .mpegAudio)
      let tag = (at: start + 834, Array("TAG".utf8))
      #expect(ContentSniffer.kind(of: head(start + 962, two + [tag])) == .mpegAudio)
    }
  }

  @Test func headersOfADTSThatDoNotAgreeAreChance() {
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 0x05, 0x1F, 0xFC]  // 40 bytes long
    let other: [UInt8] = [0xFF, 0xF1, 0x54, 0x40, 0x05, 0x1F, 0xFC]
    let two = [(at: 0, frame), (at: 40, frame)]
    #expect(ContentSniffer.kind(of: head(200, two)) == .unknown)
    #expect(ContentSniffer.kind(of: head(200, two + [(at: 80, other)])) == .unknown)
    #expect(ContentSniffer.kind(of: head(200, two + [(at: 80, frame)])) == .adts)
  }

  @Test(
    arguments: [
      [0x7F, 0xFE, 0x80, 0x01], [0xFE, 0x7F, 0x01, 0x80], [0x1F, 0xFF, 0xE8, 0x00],
      [0xFF, 0x1F, 0x00, 0xE8],
    ] as [[UInt8]])
  func wordsOfDTSOutweighHeadersOfMPEGAudio(_ word: [UInt8]) {
    let layer3: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
    let mpeg = [100, 517, 934].map { (at: $0, layer3) }
    #expect(ContentSniffer.kind(of: head(4000, mpeg)) == .mpegAudio)
    #expect(ContentSniffer.kind(of: head(4000, mpeg + [(at: 0, word)])) == .mpegAudio)
    let dts = [(at: 0, word), (at: 2012, word)]
    #expect(ContentSniffer.kind(of: head(4000, mpeg + dts)) == .frames(of: "DTS"))
  }

  @Test func recognisesAC3ByFramesOfOneLength() {
    let word: [UInt8] = [0x0B, 0x77]
    let frames = [0, 768, 1536].map { (at: $0, word) }
    #expect(ContentSniffer.kind(of: head(4000, frames)) == .frames(of: "AC-3"))
    #expect(ContentSniffer.kind(of: head(4000, Array(frames.dropLast()))) == .unknown)
  }

  @Test func looksBehindTagForWhatItPrecedes() throws {
    let tag: [UInt8] =
      Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    let folder = try TemporaryFolder()
    func kind(_ content: [UInt8]) throws -> ContentKind {
      try ContentSniffer.kind(of: MediaFile(path: folder.write(tag + content, to: "file")))
    }
    #expect(try kind(FixtureIndex.bytes("mosque.flac")) == .flac)
    #expect(try kind(FixtureIndex.bytes("aac-adts.aac")) == .adts)
    #expect(try kind(FixtureIndex.bytes("mp3-cbr-lame.mp3")) == .mpegAudio)
    #expect(try kind([]) == .mpegAudio)
    #expect(try kind(Array("just words here".utf8)) == .notAudio("text"))
  }

  @Test(
    arguments: [
      ([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 2, 1], 10 + 257),
      ([0x49, 0x44, 0x33, 4, 0, 0x10, 0, 0, 0, 5], 10 + 5 + 10),
      ([0x49, 0x44, 0x33, 4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], 10 + 0xFFF_FFFF),
      ([0x49, 0x44, 0x33, 4, 0, 0, 0x80, 0, 0, 0], nil),
      ([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0], nil),
      ([], nil),
    ] as [([UInt8], Int?)])
  func readsLengthOfTag(_ head: [UInt8], _ length: Int?) {
    #expect(ContentSniffer.id3Length(head) == length)
  }

  @Test func randomHeadsNeverTrapAndAreMPEGOnlyWithItsSync() {
    var random = SplitMix64(state: 8)
    var recognised = 0
    for round in 0..<3000 {
      var head = (0..<(round % 90)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if let first = head.indices.first, round % 2 == 0 { head[first] = 0xFF }
      if head.count > 1, round % 4 == 0 { head[1] |= 0xF0 }
      let kind = ContentSniffer.kind(of: head)
      if kind == .mpegAudio || kind == .adts {
        recognised += 1
        #expect(head[0] == 0xFF && head[1] & 0xE0 == 0xE0, "round \(round)")
      }
    }
    #expect(recognised > 0)
  }
}
