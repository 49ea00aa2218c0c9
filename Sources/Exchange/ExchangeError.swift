// SPDX-License-Identifier: GPL-3.0-or-later

/// Why something could not be read or drawn.
public enum ExchangeError: Error, Hashable, Sendable {
  /// The text is not JSON; `offset` counts bytes up to the fault.
  case malformedJSON(offset: Int, reason: String)
  /// The bytes or the JSON are not waveform data as audiowaveform writes it.
  case malformedWaveform(reason: String)
  /// A file of labels or an annotation breaks the rules of its format.
  case malformedLabels(LabelFormat, at: TextPlace, reason: String)
  /// A file of labels holds more than it may.
  case tooMuch(LabelLimit, LabelFormat, at: TextPlace)
  /// A file cannot be read; `reason` is the system's.
  case unreadable(reason: String)
  /// No tier has the name asked for; `tiers` are those there are.
  case noSuchTier(String, tiers: [String])
  /// An annotation is of another recording than the one it was meant for.
  case unfittingAnnotation(reason: String)
  /// The picture asked for is not between 640 and 8000 pixels wide, or higher than `limit`.
  case unsuitablePictureSize(width: Int, height: Int, limit: Int)
  /// A call to cairo failed; `text` is what `cairo_status_to_string` says of `status`.
  case cairo(call: String, status: UInt32, text: String)
}

extension ExchangeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformedJSON(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .malformedWaveform(let reason): "not waveform data: \(reason)"
    case .malformedLabels(let format, .wholeFile, let reason):
      "not \(format.title): \(reason)"
    case .malformedLabels(let format, let place, let reason):
      "not \(format.title), \(place): \(reason)"
    case .tooMuch(let limit, let format, .wholeFile):
      "\(format.title) \(limit.explanation)"
    case .tooMuch(let limit, let format, let place):
      "\(format.title), \(place): \(limit.explanation)"
    case .unreadable(let reason): reason
    case .noSuchTier(let name, let tiers):
      tiers.isEmpty
        ? "there is no tier \(quoted(name)); the file has no tiers with labels"
        : "there is no tier \(quoted(name)); choose one of "
          + tiers.map(quoted).joined(separator: ", ")
    case .unfittingAnnotation(let reason): reason
    case .unsuitablePictureSize(let width, let height, let limit):
      "a picture of \(width) x \(height) pixels cannot be drawn: it may be 640 to 8000 wide and"
        + " \(limit) high; use more seconds per row to make it lower"
    case .cairo(let call, let status, let text): "\(call): \(text) (\(status))"
    }
  }
}
