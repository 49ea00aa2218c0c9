// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import Decoding
import Exchange
import Library

/// A failure as programs and people are told of it.
struct Failure: Error {
  /// A stable word, the `code` of the JSON.
  let code: String
  /// What is wrong and what to do, without the file's name.
  let message: String

  init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: AnalysisError) {
    switch error {
    case .decoding(let decoding):
      self.init(code: Self.code(decoding.kind), message: decoding.explanation)
    case .cancelled: self.init(code: Self.interrupted, message: "interrupted")
    case .envelopeLost, .noThread: self.init(code: "io_error", message: error.description)
    }
  }

  static let interrupted = "interrupted"
  /// The reader of standard output has gone.
  static let unheard = "unheard"
  static let crashed = "crashed"
  static let hung = "hung"
  /// The recording cannot hold what is said to be recited in it.
  static let notAligned = "not_aligned"

  func outcome(for file: String) -> DetectionOutcome {
    .failure(DetectionFailure(file: file, code: code, message: message))
  }

  /// Ends a command with it: the person is told, but for a reader of the results who has gone, as after
  /// `| head`, of which there is nothing to say.
  ///
  /// - Parameter sentence: what is said; nil for the message.
  /// - Returns: what to exit with.
  func end(saying sentence: String? = nil) -> ExitCode {
    if code != Self.unheard { StandardStreams.say(sentence ?? message) }
    return Self.exitCode(for: code)
  }

  /// The exit code of a run in which everything failed like this.
  static func exitCode(for code: String) -> ExitCode {
    switch code {
    case "no_such_file", "not_readable", "not_a_file", "no_such_recording", "no_library",
      "no_reference", "no_such_list", "no_such_session":
      ExitStatus.noInput
    case "no_such_track", "usage", "exists", "ambiguous", "no_such_reciter", "refused":
      ExitStatus.usage
    case "unsupported_codec", "busy", "held", "unavailable": ExitStatus.unavailable
    case "io_error", "out_of_memory", "disk_full", "read_only", "changed_elsewhere":
      ExitStatus.inputOutput
    case crashed: ExitStatus.crashed
    case interrupted: ExitStatus.interrupted
    case unheard: ExitStatus.unheard
    default: ExitStatus.badData
    }
  }

  private static func code(_ kind: DecodingError.Kind) -> String {
    switch kind {
    case .noSuchFile: "no_such_file"
    case .notReadable: "not_readable"
    case .notAFile: "not_a_file"
    case .empty: "empty"
    case .notAudio: "not_audio"
    case .refersElsewhere: "refers_elsewhere"
    case .noAudioTrack: "no_audio_track"
    case .noSuchTrack: "no_such_track"
    case .unsupportedCodec: "unsupported_codec"
    case .unsupportedFormat: "unsupported_format"
    case .damaged: "damaged"
    case .noFrames: "no_audio"
    case .outOfMemory: "out_of_memory"
    case .inputOutput: "io_error"
    case .cancelled: interrupted
    case .outOfRange: "out_of_range"
    }
  }
}

extension Failure {
  /// What a body gives, its error as a failure.
  static func wrapping<Value>(
    _ body: () throws(LibraryError) -> Value
  ) throws(Failure) -> Value {
    do throws(LibraryError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }

  /// What a body gives, its error as a failure.
  static func wrapping<Value>(
    _ body: () throws(AnalysisError) -> Value
  ) throws(Failure) -> Value {
    do throws(AnalysisError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}
