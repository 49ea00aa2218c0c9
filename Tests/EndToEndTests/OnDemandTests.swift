// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Libraries that are loaded when they are needed.
@Suite struct OnDemandTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test func noProgramStartsByLoadingFFmpegOrCurl() async throws {
    // The dynamic loader lists what it would load, and ends.
    let loaded = try await program.run(
      ["list"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]
    ).output
    #expect(loaded.contains("libsndfile"))
    for library in ["libavformat", "libavcodec", "libswresample", "libcurl"] {
      #expect(!loaded.contains(library), "\(library)")
    }
  }

  @Test func aLibraryThatCannotBeLoadedIsNamed() async throws {
    let folder = try TemporaryFolder()
    // Of FFmpeg 4.4 to 8.
    for version in 58...62 {
      try Data("damaged".utf8).write(
        to: URL(filePath: folder.path + "/libavformat.so.\(version)"))
    }
    let outcome = try await program.run(
      ["auto-detect", "--no-cache", FixtureFolder.path("m4a-aac.m4a")],
      environment: ["LD_LIBRARY_PATH": folder.path])
    #expect(outcome.code == 69)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("tilawa-annotate: \(folder.path)/libavformat.so."))
    #expect(outcome.errors.hasSuffix("; install the package that it belongs to\n"))
  }
}
