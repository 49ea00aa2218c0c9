// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Testing

@testable import Analysis

/// Recitations whose ayat are known, if a folder beside the checkout has some as `corpus/dev`.
private enum KnownRecordings {
  struct Truth: Decodable {
    struct Pause: Decodable {
      let start: Double
      let end: Double

      enum CodingKeys: String, CodingKey {
        case start = "pause_start"
        case end = "pause_end"
      }
    }
    let audio: String
    let duration: Double
    let pauses: [Pause?]?

    enum CodingKeys: String, CodingKey {
      case audio
      case duration = "duration_seconds"
      case pauses = "boundary_pauses"
    }
  }

  static let folder: URL? = {
    let checkout = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let neighbours = try? FileManager.default.contentsOfDirectory(
      at: checkout.deletingLastPathComponent(), includingPropertiesForKeys: nil)
    return neighbours?.map { $0.appending(path: "corpus/dev") }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }()

  /// The shortest recordings with pauses enough to count.
  static func short(_ count: Int) throws -> [Truth] {
    let files = try FileManager.default.contentsOfDirectory(
      at: try #require(folder), includingPropertiesForKeys: nil)
    let truths = files.filter { $0.pathExtension == "json" }
      .compactMap { file -> Truth? in
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? JSONDecoder().decode(Truth.self, from: data)
      }
    return Array(
      truths.filter { ($0.pauses ?? []).count { $0 != nil } >= 12 }
        .sorted { ($0.duration, $0.audio) < ($1.duration, $1.audio) }.prefix(count))
  }
}

@Suite("PauseDetector on real recitations")
struct KnownRecordingTests {
  @Test(
    "Nearly every pause that ends an ayah is found",
    .enabled(
      if: KnownRecordings.folder != nil, "no folder with known recordings beside the checkout"))
  func pauses() throws {
    let truths = try KnownRecordings.short(3)
    try #require(truths.count == 3)
    var wanted = 0
    var found = 0
    for truth in truths {
      let path = try #require(KnownRecordings.folder).appending(path: truth.audio).path
      let recording = try analyze(path, threads: 2)
      let rate = recording.format.rate
      let detection = try PauseDetector().detect(in: recording.envelope)
      for case let pause? in truth.pauses ?? [] {
        wanted += 1
        let isFound = detection.pauses.contains {
          $0.span.lowerBound.seconds(at: rate) <= pause.end + 0.1
            && $0.span.upperBound.seconds(at: rate) >= pause.start - 0.1
        }
        if isFound { found += 1 }
      }
    }
    #expect(Double(found) >= 0.95 * Double(wanted))
  }
}
