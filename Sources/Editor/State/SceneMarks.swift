// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import TerminalUI

/// A place where the picture of a video says that something begins or ends.
public struct SceneMark: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Another picture from one frame to the next.
    case cut
    /// The picture becomes still, for a while.
    case rest
    /// The picture moves again after it has been still for a while.
    case motion
  }

  public let position: FramePosition
  public let kind: Kind

  public init(_ position: FramePosition, _ kind: Kind) {
    self.position = position
    self.kind = kind
  }

  /// How it is drawn: stillness lies between brackets.
  var sign: Unicode.Scalar {
    switch kind {
    case .cut: "×"
    case .rest: "["
    case .motion: "]"
    }
  }

  /// For people.
  var sentence: String {
    switch kind {
    case .cut: "Cut"
    case .rest: "The picture becomes still"
    case .motion: "The picture moves again"
    }
  }
}

/// The marks of the open recording, in order.
struct SceneMarks: Hashable, Sendable {
  var isWanted = false
  var marks: [SceneMark] = []
  /// How much of the picture has been looked through, 0...1.
  var fraction = 0.0
  /// Why there is nothing to search, in a sentence.
  var obstacle: String?

  func first(after position: FramePosition) -> SceneMark? {
    marks.first { $0.position > position }
  }

  func last(before position: FramePosition) -> SceneMark? {
    marks.last { $0.position < position }
  }
}

/// The pictures beside the segments of the list, one below the other.
public struct ListThumbnailWish: Hashable, Sendable {
  /// What each picture is of.
  public let positions: [FramePosition]
  /// The size of all of them together.
  public let picture: PictureWish

  init(positions: [FramePosition], picture: PictureWish) {
    self.positions = positions
    self.picture = picture
  }
}
