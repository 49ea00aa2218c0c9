// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// Homes with which several tests begin: the program makes each of them once, then it is copied.
actor PreparedHomes {
  static let shared = PreparedHomes()

  /// What is done to an empty home.
  struct Preparation: Hashable {
    var recording: Data
    /// Name of the recording's file, options, labels.
    var words: [String]
  }

  private var homes: [Preparation: Task<Program, any Error>] = [:]

  func home(
    after preparation: Preparation, _ prepare: @escaping @Sendable (Program) async throws -> Void
  ) async throws -> String {
    let task =
      homes[preparation]
      ?? Task {
        let program = try Program()
        try await prepare(program)
        return program
      }
    homes[preparation] = task
    return try await task.value.home
  }
}

extension Program {
  /// Does something to this program's home, or copies the home of an earlier test that began with the same.
  func begin(
    with recording: String, _ words: [String],
    _ prepare: @escaping @Sendable (Program) async throws -> Void
  ) async throws {
    let manager = FileManager.default
    guard try manager.contentsOfDirectory(atPath: home).isEmpty else {
      return try await prepare(self)
    }
    let file = URL(filePath: recording)
    let model = try await PreparedHomes.shared.home(
      after: .init(recording: Data(contentsOf: file), words: [file.lastPathComponent] + words),
      prepare)
    for name in try manager.contentsOfDirectory(atPath: model) {
      try manager.copyItem(atPath: model + "/" + name, toPath: home + "/" + name)
    }
  }

  /// Makes the library begin with a recording that is annotated by confirmed labels, and published.
  func publishing(
    _ recording: String, as title: String, labels: String, reciter: String? = nil
  ) async throws {
    try await begin(with: recording, ["publish", title, labels, reciter ?? ""]) { program in
      let file = program.home + ".labels"
      try labels.write(toFile: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: file) }
      if let reciter {
        let added = try await program.run("reciter", "add", reciter)
        try #require(added.code == 0, "\(added.errors)")
      }
      for command in [
        ["import", recording, "--title", title, "--no-detect"]
          + (reciter.map { ["--reciter", $0] } ?? []),
        ["import-labels", title, file, "--confirm"], ["publish", title],
      ] {
        let outcome = try await program.run(command)
        try #require(outcome.code == 0, "\(outcome.errors)")
      }
    }
  }
}
