// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import TestSupport
import Testing

/// Files that are easily taken for something else.
@Suite struct MistakenFormatTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func dtsIsNotReadAsMPEGAudio() throws {
    let source = try MediaSource(path: FixtureIndex.path("malformed/dts_with_mpeg_headers.dts"))
    #expect(source.description.codec == "dts")
    // 12 frames of 512.
    #expect(source.description.frameCount == FrameCount(12 * 512))
    #expect(source.description.format.rate.hertz == 48000)
  }

  @Test func ircamSoundFileIsReadAndNoPlaylist() throws {
    var bytes: [UInt8] = [0x64, 0xA3, 0x01, 0x00]
    for number in [Float(8000).bitPattern, 1, 2] {
      bytes += withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    bytes += [UInt8](repeating: 0, count: 1024 - bytes.count)
    bytes += (0..<4000).flatMap { [UInt8($0 & 0xFF), UInt8(0x20)] }
    let source = try MediaSource(path: folder.write(bytes, to: "sound.sf"))
    #expect(source.description.frameCount == FrameCount(4000))
    #expect(source.description.format.rate.hertz == 8000)
  }

  @Test func formatThatIsNotReadIsNamedAndNoPlaylist() throws {
    var music = Array("Vgm ".utf8) + [0x50, 1, 0, 0]
    music += [UInt8](repeating: 0, count: 400)
    var console = Array("VAGp".utf8)
    console += [UInt8](repeating: 0, count: 400)
    for (name, bytes) in [("music.vgm", music), ("console.vag", console)] {
      let path = try folder.write(bytes, to: name)
      let error = try #require(throws: DecodingError.self) { try MediaSource(path: path) }
      guard case .unsupportedFormat(let format) = error.kind else {
        Issue.record("\(name): \(error)")
        continue
      }
      #expect(!format.isEmpty)
      expectAdvice(error, file: path)
    }
  }

  @Test func coreAudioPacketTableSaysWhereTheSoundBeginsAndEnds() throws {
    var bytes = try FixtureIndex.bytes("caf-alac.caf")
    let whole = try Recording(path: folder.write(bytes, to: "whole.caf"))
    #expect(whole.frameCount == 19_200)
    let mark = Array("pakt".utf8)
    let table = try #require(bytes.indices.last { bytes[$0...].starts(with: mark) }) + 12
    // After the number of packets: valid, priming and remainder frames.
    for (at, number) in [(8, 0), (12, 18_000), (16, 100), (20, 1100)] {
      bytes.replaceSubrange(
        (table + at)..<(table + at + 4),
        with: withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) })
    }
    let source = try MediaSource(path: folder.write(bytes, to: "trimmed.caf"))
    #expect(source.description.frameCount == FrameCount(18_000))
    #expect(source.description.warnings.isEmpty)
    let trimmed = try Recording(source.makeDecoder())
    #expect(trimmed.warnings.isEmpty)
    #expect(isSame(trimmed.samples, whole.frames(100..<18_100)))
  }
}
