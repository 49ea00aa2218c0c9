// SPDX-License-Identifier: GPL-3.0-or-later

/// What a file says about itself, written in its container's own manner: ID3v2.3 in MP3, Vorbis comments
/// in FLAC, Ogg and Opus, iTunes atoms in m4a, RIFF INFO in WAV.
public struct AudioTags: Hashable, Sendable {
  public var title: String?
  public var artist: String?
  public var album: String?
  public var genre: String?
  /// As people write it, best as year or ISO 8601.
  public var date: String?
  public var track: Int?
  public var comment: String?

  public init(
    title: String? = nil, artist: String? = nil, album: String? = nil, genre: String? = nil,
    date: String? = nil, track: Int? = nil, comment: String? = nil
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.genre = genre
    self.date = date
    self.track = track
    self.comment = comment
  }

  enum Field: String, CaseIterable {
    case title, artist, album, genre, date, track, comment
  }

  /// The fields that say something, control characters made spaces.
  var fields: [(field: Field, text: String)] {
    let texts: [(Field, String?)] = [
      (.title, title), (.artist, artist), (.album, album), (.genre, genre), (.date, date),
      (.track, track.map(String.init)), (.comment, comment),
    ]
    return texts.compactMap { field, text in
      guard let text, !text.isEmpty else { return nil }
      // A zero byte would end the text in C; no container wants the others.
      let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        scalar.value < 0x20 && scalar != "\n" || scalar.value == 0x7F ? " " : scalar
      }
      return (field, String(String.UnicodeScalarView(scalars)))
    }
  }
}
