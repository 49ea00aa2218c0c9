// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Names a marker for as long as it lives, wherever it is moved; given out by who makes the edit.
public struct MarkerID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  public init(_ rawValue: Int64) { self.init(rawValue: rawValue) }

  public var description: String { "marker \(rawValue)" }
}

/// Who or what placed a marker or made an assignment.
public enum Origin: String, Hashable, Sendable, Codable, CaseIterable {
  /// Found as a pause.
  case detected
  /// Found by fitting the text to the pauses.
  case aligned
  case person
}

/// A boundary between two segments: the first frame of the one that starts there.
public struct Marker: Hashable, Sendable, Identifiable {
  public let id: MarkerID
  public internal(set) var position: FramePosition
  public internal(set) var origin: Origin
  /// Whether a person has said that it is right.
  public internal(set) var isConfirmed: Bool
  /// How sure its finder is, 0...1; nil where nothing was measured.
  public internal(set) var confidence: Double?

  /// A confidence beyond 0...1 becomes the nearer end of that, and one that is no number nil.
  public init(
    id: MarkerID, position: FramePosition, origin: Origin, isConfirmed: Bool = false,
    confidence: Double? = nil
  ) {
    self.id = id
    self.position = position
    self.origin = origin
    self.isConfirmed = isConfirmed
    self.confidence = confidence.flatMap(clampedConfidence)
  }

  /// Whether a machine placed it and no person has said yes: what a new detection may replace.
  public var isSuggestion: Bool { !isConfirmed && origin != .person }
}

extension Marker: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, origin, confidence
    case position = "at"
    case isConfirmed = "confirmed"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(MarkerID.self, forKey: .id),
      position: try values.decode(FramePosition.self, forKey: .position),
      origin: try values.decode(Origin.self, forKey: .origin),
      isConfirmed: try values.decode(Bool.self, forKey: .isConfirmed),
      confidence: try values.decodeIfPresent(Double.self, forKey: .confidence))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(position, forKey: .position)
    try values.encode(origin, forKey: .origin)
    try values.encode(isConfirmed, forKey: .isConfirmed)
    try values.encodeIfPresent(confidence, forKey: .confidence)
  }
}

func clampedConfidence(_ confidence: Double) -> Double? {
  confidence.isNaN ? nil : min(max(confidence, 0), 1)
}
