// SPDX-License-Identifier: GPL-3.0-or-later

public import Encoding

/// Why a recording could not begin, or ended by itself.
public struct CaptureError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// ALSA knows no capture device of that name.
    case noDevice
    case deviceBusy
    case notPermitted
    /// The device has no rate, channel count or sample format that can be recorded.
    case noUsableFormat
    /// The device went away, or sends nothing any more. What was heard until then is in the file.
    case deviceLost
    case deviceFailed
    /// The file cannot be created, or not be written any further.
    case file(EncodingError)
  }

  public let kind: Kind
  /// The name of the device as the caller gave it. Not safe to print as it is.
  public let device: String
  /// The C function that failed.
  public let call: String?
  /// Its own error number.
  public let code: Int32?
  /// The library's own words.
  public let detail: String?

  public init(
    _ kind: Kind, device: String, call: String? = nil, code: Int32? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.device = device
    self.call = call
    self.code = code
    self.detail = detail
  }
}

extension CaptureError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line, without the device's name.
  public var explanation: String {
    switch kind {
    case .noDevice:
      "no such capture device; connect a microphone, or choose another device (`arecord -L` lists them)"
        + cause
    case .deviceBusy:
      "another program is recording from it; close that program, or choose another device"
    case .notPermitted: "permission denied; join the group audio (sudo adduser USER audio)"
    case .noUsableFormat:
      "has no supported sample format; try its name with plughw: instead of hw:" + cause
    case .deviceLost: "stopped or was disconnected; the file has the sound up to then" + cause
    case .deviceFailed: "does not work; try another device" + cause
    case .file(let error): "\(error.file): \(error.explanation)"
    }
  }

  public var description: String {
    if case .file(let error) = kind { return error.description }
    return "\(device): \(explanation)"
  }

  private var cause: String { detail.map { " (\($0))" } ?? "" }
}
