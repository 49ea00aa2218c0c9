// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// What `show` says of a recording.
struct ShownRecording: Decodable {
  struct Segment: Decodable {
    struct Assignment: Decodable {
      let kind: String
      let join: Double?
    }

    let start: Double
    let end: Double
    let label: String
    let assignment: Assignment?
    let confirmed: Bool
    let flagged: Bool
    let note: String
  }

  let status: String
  let published: Bool
  let frames: Int
  let segments: [Segment]

  var labels: [String] { segments.map(\.label) }
  /// Where the segments after the first begin, in seconds.
  var boundaries: [Double] { segments.dropFirst().map(\.start) }
}

extension Program {
  /// What the library holds of a recording now.
  func shown(_ name: String) async throws -> ShownRecording {
    let outcome = try await run("show", name, "--format", "jsonl")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(ShownRecording.self, from: Data(outcome.output.utf8))
  }

  /// Makes the library begin with a recording, which may have labels.
  func importing(_ path: String, detecting: Bool = true, labels: String? = nil) async throws {
    let title = URL(filePath: path).deletingPathExtension().lastPathComponent
    try await begin(with: path, ["import", "\(detecting)", labels ?? "no labels"]) { program in
      let imported = try await program.run(["import", path] + (detecting ? [] : ["--no-detect"]))
      try #require(imported.code == 0, "\(imported.errors)")
      guard let labels else { return }
      let file = path + ".txt"
      try labels.write(toFile: file, atomically: true, encoding: .utf8)
      let taken = try await program.run("import-labels", title, file)
      try #require(taken.code == 0, "\(taken.errors)")
    }
  }
}
