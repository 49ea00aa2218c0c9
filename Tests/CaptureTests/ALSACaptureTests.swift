// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import Foundation
import TestSupport
import Testing

@testable import Capture

@Suite(.serialized) struct ALSACaptureTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A card without a clock that plays a file to whoever records from it.
  private func card(feeding file: String) throws -> String {
    try card(
      """
      {
        type file
        file "/dev/null"
        infile "\(file)"
        format raw
        slave.pcm { type null }
      }
      """)
  }

  /// A card that is defined so; its name.
  private func card(_ definition: String) throws -> String {
    let name = ALSAConfiguration.unusedName()
    try ALSAConfiguration.add("pcm.\(name) \(definition)")
    return name
  }

  @Test(arguments: [16, 24], [true, false])
  func recordsTheVerySamplesOfTheDevice(_ bits: Int, _ isStereo: Bool) throws {
    let channels = isStereo ? 2 : 1
    let samples = signal(frames: 40_000, channels: channels, bits: bits)
    let raw = samples.flatMap { sample -> [UInt8] in
      let bits32 = UInt32(bitPattern: sample)
      let all = (0..<4).map { UInt8(bits32 >> (8 * $0) & 0xFF) }
      return bits == 16 ? Array(all[2...]) : all
    }
    let source = try folder.write(raw, to: "feed.raw")
    let path = folder.path("recording.flac")
    let recorder = try Recorder(
      CaptureRequest(
        device: card(feeding: source), channels: channels, wantsDeepSamples: bits == 24), to: path)
    #expect(recorder.format == format(48_000, channels))
    #expect(recorder.depth == (bits == 16 ? .bits16 : .bits24))
    var measured = 0
    let report = recorder.run(until: { measured >= 15 }, onLevel: { _ in measured += 1 })
    #expect(report.problem == nil && report.gaps.isEmpty)
    #expect(report.frameCount.frames >= 15 * 2_400)
    let heard = try decoded(path)
    #expect(heard.count == Int(report.frameCount.frames) * channels)
    #expect(samples.starts(with: heard))
  }

  @Test func saysWhatToDoWithoutADevice() throws {
    let path = folder.path("recording.flac")
    _ = try card("{ type null }")
    let error = #expect(throws: CaptureError.self) {
      try Recorder(CaptureRequest(device: "no such device"), to: path)
    }
    #expect(error?.kind == .noDevice)
    #expect(error?.call == "snd_pcm_open")
    #expect(error?.explanation.contains("arecord -L") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func refusesMoreChannelsThanTheDeviceHas() throws {
    let two = try card("{ type linear slave { pcm { type null } format S16_LE } }")
    let error = #expect(throws: CaptureError.self) {
      try Recorder(
        CaptureRequest(device: two, channels: 40_000), to: folder.path("recording.flac"))
    }
    #expect(error?.kind == .noUsableFormat)
  }

  @Test func alsaSaysNothingByItself() throws {
    let broken = try card("{ type hw card nonsense }")
    let log = folder.path("stderr")
    let saved = dup(2)
    let file = open(log, O_CREAT | O_WRONLY, 0o600)
    dup2(file, 2)
    // alsa-lib has something to say about each of these.
    let errors = ["no such device", broken].map { name in
      #expect(throws: CaptureError.self) {
        try Recorder(CaptureRequest(device: name), to: folder.path("recording.flac"))
      }
    }
    dup2(saved, 2)
    close(file)
    close(saved)
    #expect(errors.count == 2)
    let said = String(decoding: try bytes(log), as: UTF8.self)
    #expect(!said.contains("ALSA lib"))
  }

  @Test func unpacksEverySampleFormat() {
    // Least byte first; the lowest eight of 32 bits are left out.
    let expected: [Int32] = [0x1234_5600, -0x1234_5600]
    func unpacked(_ format: ALSAFormat, _ bytes: [UInt8]) -> [Int32] {
      var samples = [Int32](repeating: 1, count: bytes.count / format.bytesPerSample)
      bytes.withUnsafeBytes { bytes in
        samples.withUnsafeMutableBufferPointer { format.unpack(bytes, into: $0) }
      }
      return samples
    }
    #expect(
      unpacked(.bits32, [0x77, 0x56, 0x34, 0x12, 0x11, 0xAA, 0xCB, 0xED]) == expected)
    #expect(unpacked(.packed24, [0x56, 0x34, 0x12, 0xAA, 0xCB, 0xED]) == expected)
    #expect(
      unpacked(.padded24, [0x56, 0x34, 0x12, 0x00, 0xAA, 0xCB, 0xED, 0xFF]) == expected)
    #expect(unpacked(.bits16, [0x34, 0x12, 0xCC, 0xED]) == [0x1234_0000, -0x1234_0000])
  }
}
