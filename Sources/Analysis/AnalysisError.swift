// SPDX-License-Identifier: GPL-3.0-or-later

public import Decoding

/// Why an analysis gave no result.
public enum AnalysisError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The recording could not be decoded.
  case decoding(DecodingError)
  /// Somebody asked to stop.
  case cancelled
  /// What was kept of the recording can no longer be read back; the error number of the call.
  case envelopeLost(call: String, code: Int32)
  /// The system gave no thread.
  case noThread

  /// Runs decoding code, whose errors become `.decoding` or `.cancelled`.
  static func wrapping<Result>(
    _ body: () throws(DecodingError) -> Result
  ) throws(AnalysisError) -> Result {
    do throws(DecodingError) {
      return try body()
    } catch {
      throw AnalysisError(error)
    }
  }

  public init(_ error: DecodingError) {
    self = error.kind == .cancelled ? .cancelled : .decoding(error)
  }

  public var description: String {
    switch self {
    case .decoding(let error): error.description
    case .cancelled: "cancelled"
    case .envelopeLost(let call, let code):
      "cannot read the waveform data back (\(call), error \(code)); try again"
    case .noThread: "the system cannot start another thread; close other programs and try again"
    }
  }
}
