// SPDX-License-Identifier: GPL-3.0-or-later

public import Decoding

/// Why something could not be played: what happened, to what, in which call.
public struct PlaybackError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The name leads to no device.
    case noSuchDevice
    /// Another program has it to itself.
    case deviceBusy
    case deviceNotPermitted
    /// The device takes none of the forms of samples there are.
    case unsupportedFormat
    /// It was there and is there no longer, or fails whatever is tried.
    case deviceFailed
    /// The file to play into could not be written.
    case notWritable
    case decoding(DecodingError)
    /// The file has become shorter since it was opened, or its header says too much.
    case endsTooEarly
    /// Rates or channels that cannot be converted.
    case conversion
    /// The system gave no thread, descriptor or memory.
    case noResources
  }

  public let kind: Kind
  /// The device or file. Not safe to print as it is.
  public let subject: String
  /// The C function that failed.
  public let call: String?
  /// Its own error number.
  public let code: Int32?
  /// The library's own words.
  public let detail: String?

  public init(
    _ kind: Kind, subject: String, call: String? = nil, code: Int32? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.call = call
    self.code = code
    self.detail = detail
  }
}

extension PlaybackError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line, without the name of the device or file.
  public var explanation: String {
    switch kind {
    case .noSuchDevice: "no such sound device; `doctor` lists those there are" + cause
    case .deviceBusy: "is in use by another program; close that program or choose another device"
    case .deviceNotPermitted: "permission denied; add yourself to the group `audio`"
    case .unsupportedFormat: "does not accept this sample format; try plughw: or default" + cause
    case .deviceFailed:
      "failed; check that it is connected and that the sound server is running" + cause
    case .notWritable: "cannot be written; check the folder and the free disk space" + cause
    case .decoding(let error): error.explanation
    case .endsTooEarly: "the file ends too early; restore it from a copy"
    case .conversion: "has a sample rate or channel count that cannot be converted" + cause
    case .noResources: "the system is out of threads or memory; close other programs" + cause
    }
  }

  public var description: String { "\(subject): \(explanation)" }

  private var cause: String { detail.map { " (\($0))" } ?? "" }
}
