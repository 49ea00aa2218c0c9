// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import ArgumentParser
import AudioCore

/// The log-mel frames of recordings as the network hears them, in one file for the script that trains it.
///
/// | bytes, little endian | what |
/// |---|---|
/// | 8 | `TILAWALM` |
/// | 4 | version of this layout, 1 |
/// | 4 | bands in a frame |
/// | 4 | frames in a second |
/// | 4 | number of recordings |
/// | for each recording 4 | bytes of its path |
/// | that many | its path as given, UTF-8 |
/// | 4 | number of its frames |
/// | frames x bands | `LogMelFrames.levels`: half decibels above -110 dBFS, UInt8 |
struct AcousticFeaturesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acoustic-features", abstract: "Show the output of the acoustic network.",
    shouldDisplay: false)

  private static let magic = Array("TILAWALM".utf8)
  private static let layoutVersion: UInt32 = 1

  @Argument(help: "Recordings.")
  var files: [String]

  @Option(help: "The file to write.")
  var output: String

  @Flag(help: "Replace an existing file.")
  var force = false

  func run() async throws {
    Interrupt.install()
    var analyzer = RecordingAnalyzer(
      threadCount: ProcessorCores.count, sidecars: nil, stopFlag: Interrupt.flag)
    analyzer.measuresLogMel = true
    do throws(Failure) {
      let target = try OutputFile(path: output, isReplacing: force, sparing: files)
      let bands = UInt32(LogMelFrames.bandCount)
      let rate = UInt32(LogMelFrames.framesPerSecond)
      try target.write(
        Self.magic + Self.bytes([Self.layoutVersion, bands, rate, UInt32(files.count)]))
      for file in files {
        let frames = try await frames(of: file, analyzer)
        let path = Array(file.utf8)
        try target.write(Self.bytes([UInt32(path.count)]) + path)
        try target.write(Self.bytes([UInt32(frames.count)]))
        try target.write(frames.levels)
      }
      try target.finish()
    } catch {
      StandardStreams.say(error.message)
      throw ExitStatus.inputOutput
    }
  }

  private func frames(
    of file: String, _ analyzer: RecordingAnalyzer
  ) async throws(Failure) -> LogMelFrames {
    let result = await runBlocking {
      Result { () throws(AnalysisError) in try analyzer.analyze(path: file) }
    }
    do throws(AnalysisError) {
      return try result.get().logMel ?? LogMelFrames()
    } catch {
      throw Failure(code: "io_error", message: "\(file): \(error)")
    }
  }

  private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
  }
}
