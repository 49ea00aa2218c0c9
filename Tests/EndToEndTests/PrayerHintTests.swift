// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// What is said where a recording of prayers is aligned as if it were none, or the reverse. Chords are no Arabic, so this
/// needs a night from a folder beside the checkout, `corpus/dev`.
struct PrayerHintTests {
  private static let recordings: [URL] = {
    let checkout = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let neighbours = try? FileManager.default.contentsOfDirectory(
      at: checkout.deletingLastPathComponent(), includingPropertiesForKeys: nil)
    return (neighbours ?? []).flatMap { neighbour in
      (try? FileManager.default.contentsOfDirectory(
        at: neighbour.appending(path: "corpus/dev"), includingPropertiesForKeys: nil)) ?? []
    }.filter { $0.pathExtension != "json" }
  }()

  private static let isThorough =
    ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] == "1"
  private static let night = recordings.first { $0.lastPathComponent.hasPrefix("taraweeh") }
  private static let other = recordings.first { $0.lastPathComponent.hasPrefix("emad_036.") }

  @Test(
    .enabled(if: isThorough, "two minutes of processor time: make test-thorough"),
    .enabled(if: night != nil && other != nil, "there is no night to listen to"))
  func aPrayerIsNoticed() async throws {
    let program = try Program()
    let night = try #require(Self.night)
    let untold = try await program.run("auto-detect", "--start", "2:1", night.path)
    #expect(untold.errors.contains("al-Fatiha occurs 8 times"), "\(untold.errors)")
    #expect(untold.errors.contains("use --prayer taraweeh"))
    let told = try await program.run(
      "auto-detect", "--start", "2:1", "--prayer", "taraweeh", night.path)
    #expect(!told.errors.contains("al-Fatiha occurs"), "\(told.errors)")
    let wrong = try await program.run(
      "auto-detect", "--start", "18:1", try #require(Self.other).path)
    #expect(wrong.errors.contains("sounds like 36:1, not like 18:1"), "\(wrong.errors)")
    #expect(!wrong.errors.contains("al-Fatiha occurs"), "\(wrong.errors)")
  }

  @Test(
    .enabled(if: isThorough, "two minutes of processor time: make test-thorough"),
    .enabled(if: night != nil && other != nil, "there is no night to listen to"))
  func whatIsNoPrayerIsNoticed() async throws {
    let program = try Program()
    let other = try #require(Self.other)
    let wrong = try await program.run(
      "auto-detect", "--start", "36:1", "--prayer", "taraweeh", other.path)
    #expect(wrong.errors.contains("if this is not a prayer, remove --prayer"), "\(wrong.errors)")
    let right = try await program.run(
      "auto-detect", "--start", "2:1", "--prayer", "taraweeh", try #require(Self.night).path)
    #expect(!right.errors.contains("remove --prayer"), "\(right.errors)")
  }
}
