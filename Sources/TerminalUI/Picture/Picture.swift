// SPDX-License-Identifier: GPL-3.0-or-later

/// The picture of a recording, as far as it is known what is seen.
public enum Picture: Hashable, Sendable {
  /// It is being looked for.
  case waiting
  /// The frame for what is heard; or the last one, while the right one is being looked for.
  case shown(PixelGrid, isCurrent: Bool)
  /// It begins later.
  case beforeStart
  /// Why there is none, for people.
  case missing(String)

  /// Whether the frame for what is heard is known, or that there is none; else it is still looked for.
  public var isSettled: Bool {
    switch self {
    case .waiting, .shown(_, isCurrent: false): false
    case .shown(_, isCurrent: true), .beforeStart, .missing: true
    }
  }
}

/// How much of the screen the picture of a recording takes.
public enum PictureSize: String, Hashable, Sendable, Codable, CaseIterable {
  case off
  /// Beside the rest.
  case small
  /// In place of most of the rest.
  case large

  /// The one after this, and the first after the last.
  public var next: PictureSize {
    switch self {
    case .off: .small
    case .small: .large
    case .large: .off
    }
  }
}

/// How a picture takes the room that it has.
public enum AspectMode: String, Hashable, Sendable, Codable, CaseIterable {
  case fit, fill, stretch, original

  /// The one after this, and the first after the last.
  public var next: AspectMode {
    switch self {
    case .fit: .fill
    case .fill: .stretch
    case .stretch: .original
    case .original: .fit
    }
  }

  /// For people.
  public var sentence: String {
    switch self {
    case .fit: "The whole picture, in its proportions"
    case .fill: "The picture fills its area, cut at the edges"
    case .stretch: "The whole picture, stretched to its area"
    case .original: "The middle of the picture, pixel by pixel"
    }
  }
}
