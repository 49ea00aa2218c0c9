// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore

/// A hidden command that prints a line of JSON for each file in turn, for a script that fits weights.
protocol FeaturesCommand: AsyncParsableCommand {
  var files: [String] { get }
  /// What makes the line of a file.
  func measure() throws -> Measure
}

extension FeaturesCommand {
  /// Blocks; not for Swift's cooperative threads.
  typealias Measure = @Sendable (_ file: String) throws(AnalysisError) -> String
}

extension FeaturesCommand {
  /// Keeps nothing.
  static var analyzer: RecordingAnalyzer {
    RecordingAnalyzer(
      threadCount: ProcessorCores.count, sidecars: nil, stopFlag: Interrupt.flag)
  }

  func run() async throws {
    Interrupt.install()
    let measure = try measure()
    for file in files {
      let line = await runBlocking {
        Result { () throws(AnalysisError) in try measure(file) }
      }
      do throws(AnalysisError) {
        print(try line.get())
      } catch {
        StandardStreams.say("\(file): \(error)")
        throw ExitStatus.inputOutput
      }
    }
  }
}
