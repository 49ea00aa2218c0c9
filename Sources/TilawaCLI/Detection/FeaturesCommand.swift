// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore

/// A hidden command that prints a line of JSON for each file in turn, for a script that fits weights.
protocol FeaturesCommand: AsyncParsableCommand {
  var files: [String] { get }
  /// Blocks; not for Swift's cooperative threads.
  static func line(
    for file: String, _ analyzer: RecordingAnalyzer
  ) throws(AnalysisError) -> String
}

extension FeaturesCommand {
  func run() async throws {
    Interrupt.install()
    let analyzer = RecordingAnalyzer(
      threadCount: ProcessorCores.count, sidecars: nil, stopFlag: Interrupt.flag)
    for file in files {
      let line = await runBlocking {
        Result { () throws(AnalysisError) in try Self.line(for: file, analyzer) }
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
