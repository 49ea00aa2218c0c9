// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import Foundation
import TestSupport
import Testing

@Suite("acoustic-features")
struct AcousticFeaturesTests {
  @Test("It writes the frames of each recording, as an analysis measures them")
  func frames() async throws {
    let folder = try TemporaryFolder()
    let files = ["wav-s16-8k-mono.wav", "flac-44k-stereo.flac"].map { FixtureFolder.path($0) }
    let output = folder.path("features.bin")
    let program = try Program()
    #expect(try await program.run(["acoustic-features"] + files + ["--output", output]).code == 0)

    var data = try Data(contentsOf: URL(filePath: output))
    func take(_ count: Int) throws -> Data {
      try #require(count <= data.count)
      defer { data = data.dropFirst(count) }
      return data.prefix(count)
    }
    func number() throws -> Int { try take(4).reversed().reduce(0) { $0 << 8 | Int($1) } }
    #expect(try take(8) == Data("TILAWALM".utf8))
    #expect(try [number(), number(), number(), number()] == [1, 26, 25, 2])
    for file in files {
      var analyzer = RecordingAnalyzer(threadCount: 1, sidecars: nil)
      analyzer.measuresLogMel = true
      let frames = try #require(try analyzer.analyze(path: file).logMel)
      #expect(String(decoding: try take(number()), as: UTF8.self) == file)
      #expect(try number() == frames.count)
      #expect(try take(frames.levels.count) == Data(frames.levels))
    }
    #expect(data.isEmpty)
  }

  @Test("A file that cannot be read leaves no output")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Program().run(
      "acoustic-features", FixtureFolder.path("malformed/random_bytes.bin"), "--output",
      folder.path("features.bin"))
    #expect(outcome.code != 0 && outcome.errors.contains("random_bytes.bin"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("It is listed in no help")
  func hidden() async throws {
    #expect(try await !Program().run("--help").output.contains("acoustic-features"))
  }
}
