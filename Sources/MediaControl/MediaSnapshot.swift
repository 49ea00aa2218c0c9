// SPDX-License-Identifier: GPL-3.0-or-later

/// What is played, as other programs are told of it. A value that is published as a whole.
public struct MediaSnapshot: Hashable, Sendable {
  public var status = MediaStatus.stopped
  /// What is heard, or would be next; nil where there is nothing.
  public var track: MediaTrack?
  /// What comes around it, itself included, in order.
  public var tracks: [MediaTrack] = []
  public var loop = MediaLoop.none
  /// 1 is the recordings' own speed.
  public var rate = 1.0
  public var isShuffled = false
  /// An amplitude of 0...1.
  public var volume = 1.0
  public var canGoNext = false
  public var canGoPrevious = false
  public var activePlaylist: MediaPlaylist?

  public init() {}
}

public enum MediaStatus: String, Hashable, Sendable {
  case playing = "Playing"
  case paused = "Paused"
  case stopped = "Stopped"
}

public enum MediaLoop: String, Hashable, Sendable {
  case none = "None"
  /// The ayah.
  case track = "Track"
  /// The range.
  case playlist = "Playlist"
}

/// One hearing of something.
public struct MediaTrack: Hashable, Sendable, Identifiable {
  /// The path of an object: letters, digits and underscores between slashes.
  public struct ID: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What the specification has for nothing at all.
    public static let none = ID(rawValue: "/org/mpris/MediaPlayer2/TrackList/NoTrack")
  }

  public var id: ID
  public var title: String
  public var artists: [String] = []
  public var album = ""
  /// Of the ayah in its surah.
  public var number: Int?
  /// In microseconds of the recording; nil where it is not known.
  public var length: Int64?
  /// A `file:` address of a picture.
  public var picture: String?

  public init(id: ID, title: String) {
    self.id = id
    self.title = title
  }
}

/// A list that can be played.
public struct MediaPlaylist: Hashable, Sendable, Identifiable {
  public struct ID: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    private static let start = "/org/tilawa/list/x"

    /// Of a list that only its name is known by.
    public init(named name: String) {
      rawValue =
        Self.start
        + name.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The name that such an id was made of.
    public var name: String? {
      guard rawValue.hasPrefix(Self.start) else { return nil }
      let digits = rawValue.dropFirst(Self.start.count).compactMap(\.hexDigitValue)
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { (index: Int) -> UInt8 in
        let byte: Int = digits[index] << 4 | digits[index + 1]
        return UInt8(byte)
      }
      return String(validating: bytes, as: UTF8.self)
    }
  }

  public var id: ID
  public var name: String

  public init(id: ID, name: String) {
    self.id = id
    self.name = name
  }
}

/// What another program asks for.
public enum MediaCommand: Hashable, Sendable {
  case play, pause, togglePause, stop, next, previous, quit
  case setLoop(MediaLoop)
  /// 1 is the recordings' own speed.
  case setRate(Double)
  case setShuffled(Bool)
  /// An amplitude of at least 0.
  case setVolume(Double)
  case goTo(MediaTrack.ID)
  case activate(MediaPlaylist.ID)
}

/// Something that plays, as the bus sees it. Its methods are called on the bus's thread and return at once.
public protocol MediaPlayer: Sendable {
  /// How far the track of a snapshot has been heard, in microseconds of the recording: between 0 and its
  /// length, and for one track never less than before.
  func position(in snapshot: MediaSnapshot) -> Int64

  /// Takes a command, to be carried out after those before it.
  func perform(_ command: MediaCommand)

  /// The lists that can be played; nil where there cannot be any.
  var playlists: [MediaPlaylist]? { get }
}

extension MediaPlayer {
  public var playlists: [MediaPlaylist]? { nil }
}
