// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// What became of one file, as it is to be reported.
struct FinishedFile: Sendable {
  let path: String
  /// Its part of the document; nil where it has none.
  let piece: String?
  /// What the person should know about it.
  var remarks: [String]
  /// What of it can be saved; nil where it is not to be.
  var finding: DetectionFinding?
  var failure: Failure?
  /// Why what was found could not be kept in the library; it is a result nevertheless.
  var loss: Failure?
}

/// Counts what became of a run's files.
struct DetectionTally {
  private(set) var finished = 0
  private var failedCodes: [String] = []
  private var remarks: Set<String> = []
  private let hasFolderProblems: Bool

  /// - Parameter hasFolderProblems: whether some of the inputs could not even be listed.
  init(hasFolderProblems: Bool) { self.hasFolderProblems = hasFolderProblems }

  /// Whether a remark about the cache, which is the same for every file, has not been made before.
  mutating func isNew(_ remark: String) -> Bool {
    !remark.hasPrefix(DetectionJob.cacheRemark) || remarks.insert(remark).inserted
  }

  mutating func add(_ failure: Failure?) {
    finished += 1
    if let failure { failedCodes.append(failure.code) }
  }

  /// The run's exit code; nil when all is well.
  var exitCode: ExitCode? {
    if failedCodes.isEmpty { return hasFolderProblems ? ExitStatus.someFailed : nil }
    let codes = Set(failedCodes.map { Failure.exitCode(for: $0).rawValue })
    guard failedCodes.count == finished, codes.count == 1, let code = codes.first else {
      return ExitStatus.someFailed
    }
    return ExitCode(code)
  }
}

/// How far a batch has come, each file weighed by its size.
struct BatchProgress {
  private let sizes: [Double]
  private var fractions: [Double]
  private var doneCount = 0

  init(_ inputs: [InputFiles.Input]) {
    sizes = inputs.map { Double(max($0.size, 1)) }
    fractions = Array(repeating: 0, count: inputs.count)
  }

  mutating func set(_ fraction: Double, for index: Int) {
    if fraction >= 1, fractions[index] < 1 { doneCount += 1 }
    fractions[index] = fraction
  }

  var fraction: Double {
    zip(sizes, fractions).reduce(0) { $0 + $1.0 * $1.1 } / sizes.reduce(0, +)
  }

  var label: String { "\(doneCount) of \(sizes.count) recordings" }
}

/// A file's name without its folders, for the progress line.
enum ProgressLabel {
  static func text(for path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }
}
