// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Exchange
import Foundation
import TestSupport
import Testing

@Suite struct WaveformAndDoctorTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  @Test func dataHasAPairForEvery256Frames() async throws {
    let file = FixtureFolder.path("exact/stereo-original.flac")
    let run = try await program.run("waveform", file, "--output", folder.path("x.dat"))
    #expect(run.code == 0, "\(run.errors)")
    let peaks = try AudiowaveformData.peaks(from: try bytes("x.dat"))
    #expect(peaks.rate.hertz == 44100)
    #expect(peaks.samplesPerPixel == 256)
    #expect(peaks.length == (352_837 + 255) / 256)
    #expect(peaks.maxima.max() ?? 0 > 1000)
    #expect(zip(peaks.minima, peaks.maxima).allSatisfy { $0 <= $1 })
  }

  @Test func aLengthThatTheHeaderGetsWrongIsMeasured() async throws {
    let file = FixtureFolder.path("malformed/truncated_middle.flac")
    let run = try await program.run(
      "waveform", file, "-o", folder.path("x.dat"), "--width", "100")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("ends early"))
    let peaks = try AudiowaveformData.peaks(from: try bytes("x.dat"))
    // 19,584 frames are there, of which each pair stands for 196.
    #expect(peaks.samplesPerPixel == 196)
    #expect(peaks.length == 100)
  }

  @Test func jsonAndDataSayTheSame() async throws {
    let file = FixtureFolder.path("mp3-cbr-lame.mp3")
    for name in ["x.dat", "x.json"] {
      let run = try await program.run(
        "waveform", file, "-o", folder.path(name), "--samples-per-pixel", "441", "--bits", "8",
        "--from", "1.5", "--until", "0:03.5")
      #expect(run.code == 0, "\(run.errors)")
    }
    let data = try AudiowaveformData.peaks(from: try bytes("x.dat"))
    #expect(data.length == 200)
    #expect(data == (try AudiowaveformJSON.peaks(from: try bytes("x.json"))))
  }

  @Test func picturesAreWhatTheirNameSays() async throws {
    let file = FixtureFolder.path("m4a-aac.m4a")
    for arguments in [[], ["--from", "5", "--until", "9", "--scale", "decibels"]] {
      let run = try await program.run(
        ["waveform", file, "-o", folder.path("x.png"), "--force", "--width", "800"] + arguments)
      #expect(run.code == 0, "\(run.errors)")
      #expect(try bytes("x.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
      let svg = try await program.run(
        ["waveform", file, "-o", folder.path("x.svg"), "--force"] + arguments)
      #expect(svg.code == 0, "\(svg.errors)")
      #expect(String(decoding: try bytes("x.svg"), as: UTF8.self).contains("<svg"))
    }
  }

  @Test func failureLeavesNoFile() async throws {
    for (name, code) in [("malformed/empty.wav", Int32(65)), ("missing.wav", 66)] {
      for ending in ["dat", "png"] {
        let run = try await program.run(
          "waveform", FixtureFolder.path(name), "-o", folder.path("x." + ending))
        #expect(run.code == code)
        #expect(run.errors.contains(name.split(separator: "/").last!))
      }
    }
    #expect(try folder.contents == [])
  }

  @Test func wrongUsageIsExplained() async throws {
    let file = FixtureFolder.path("wav-s16-8k-mono.wav")
    for (arguments, word) in [
      (["-o", "x.bmp"], ".png"), (["-o", "x.dat", "--from", "9", "--until", "3"], "--until"),
      (["-o", folder.path("y.png"), "--width", "10"], "10"),
      (["-o", folder.path("y.dat"), "--from", "99"], "after the end"),
    ] {
      let run = try await program.run(["waveform", file] + arguments)
      #expect(run.code == 64, "\(arguments): \(run.status)")
      #expect(run.errors.contains(word), "\(run.errors)")
    }
  }

  @Test func doctorNamesTheLibraries() async throws {
    let run = try await program.run("doctor")
    #expect(run.code == 0, "\(run.output)")
    for name in ["libsndfile", "libmpg123", "FFmpeg", "cache"] {
      #expect(run.output.contains(name))
    }
  }

  @Test func doctorListsDevicesAndSaysWhatToDoWithoutOne() async throws {
    let folder = try TemporaryFolder()
    let configuration = "pcm.tape { type null hint { show on description \"A tape\" } }\n"
    let path = try folder.write(
      Array((configuration + "pcm.!default { type hw card 31 }\n").utf8), to: "asound.conf")
    let without = try await program.run(["doctor"], environment: ["ALSA_CONFIG_PATH": path])
    #expect(without.code == 0, "\(without.output)")
    #expect(without.output.contains("default: cannot be opened"), "\(without.output)")
    #expect(without.output.contains("--output FILE.wav"))
    #expect(without.output.contains("tape") && without.output.contains("A tape"))
    let other = try folder.write(
      Array((configuration + "pcm.!default { type null }\n").utf8), to: "other.conf")
    let with = try await program.run(["doctor"], environment: ["ALSA_CONFIG_PATH": other])
    #expect(with.output.contains("default: can be opened, 48000 Hz, stereo"), "\(with.output)")
    #expect(!with.output.contains("--output"))
  }

  @Test func doctorExplainsFiles() async throws {
    let run = try await program.run(
      "doctor", FixtureFolder.path("m4a-voice-memo.m4a"),
      FixtureFolder.path("malformed/text_renamed.m4a"))
    #expect(run.code == 1)
    #expect(run.output.contains("aac") && run.output.contains("48000 Hz, mono"))
    #expect(run.output.contains("it looks like text"))
  }

  @Test func helpNamesEveryCommandAndHidesTheWorker() async throws {
    let run = try await program.run("--help")
    #expect(run.code == 0)
    for name in ["auto-detect", "waveform", "doctor"] { #expect(run.output.contains(name)) }
    #expect(!run.output.contains("worker"))
  }
}
