// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Playback

/// How often something is heard: a number, or `forever`.
struct TimesArgument: ExpressibleByArgument, Hashable {
  /// At least 1; nil for ever.
  let times: Int?

  init?(argument: String) {
    if argument.lowercased() == "forever" {
      times = nil
    } else if let number = Int(argument), (1...1_000_000).contains(number) {
      times = number
    } else {
      return nil
    }
  }
}

/// What a command says of its speed and its file.
protocol OutputHelp {
  static var speed: ArgumentHelp { get }
  static var output: ArgumentHelp { get }
}

/// Where sound goes and how fast.
struct OutputOptions<Help: OutputHelp>: ParsableArguments {
  @Option(name: .customLong("speed"), help: Help.speed)
  var wantedSpeed: Double?

  @Option(
    help: "The ALSA device; doctor lists them. Default: the setting, else default.")
  var device: String?

  @Option(name: [.short, .long], help: Help.output, completion: .file())
  var output: String?

  @Flag(help: "Replace an existing --output file.")
  var force = false

  mutating func validate() throws {
    guard (0.25...3).contains(wantedSpeed ?? 1) else {
      throw ValidationError("--speed must be between 0.25 and 3.")
    }
    if device == "" {
      throw ValidationError("--device is empty; doctor lists the devices.")
    }
    if device != nil, output != nil {
      throw ValidationError("Use --device or --output, not both.")
    }
    if force, output == nil { throw ValidationError("--force needs --output.") }
  }

  var speed: Double { wantedSpeed ?? 1 }

  /// The name of the device to play on.
  func deviceName() throws(Failure) -> String { try Configuration.playbackDevice(device) }
}

extension Configuration {
  /// The device that was named, else the setting's, else the usual one.
  static func playbackDevice(_ named: String?) throws(Failure) -> String {
    if let named { return named }
    return try Configuration().value("playback.device") ?? "default"
  }

  /// Whether playback resumes by itself after an interruption.
  var resumesAfterInterruption: Bool { value("playback.resume") == "true" }
}

extension Failure {
  init(_ error: PlaybackError) {
    switch error.kind {
    case .noSuchDevice, .deviceBusy, .deviceNotPermitted, .unsupportedFormat, .deviceFailed:
      self.init(
        code: "unavailable",
        message: "\(error); --device chooses another device; --output FILE.wav needs no device")
    case .notWritable: self.init(code: "io_error", message: error.description)
    case .decoding(let cause):
      self.init(code: Failure(AnalysisError(cause)).code, message: error.description)
    case .endsTooEarly: self.init(code: "damaged", message: error.description)
    case .conversion: self.init(code: "unsupported_codec", message: error.description)
    case .noResources: self.init(code: "out_of_memory", message: error.description)
    }
  }
}
