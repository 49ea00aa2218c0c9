// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
import Quran

/// A file to be cut for one ayah, or a part of one.
public struct AyahFile: Hashable, Sendable {
  public let name: AyahFileName
  public let passage: Passage

  /// Frames of the recording.
  public var span: Range<FramePosition> { passage.span }

  /// Title, track number and comment for this ayah, beside what all files of a recording have in common.
  public func tags(artist: String? = nil, album: String? = nil) -> AudioTags {
    AudioTags(
      title: "\(name.ayah.surah.name) \(name.ayah.ayah)", artist: artist, album: album,
      track: name.ayah.ayah,
      comment: name.part.map { "\(name.ayah) (\($0.rawValue))" } ?? "\(name.ayah)")
  }
}

/// The files that a recording's passages become, in the order of the recording, no two of one name.
public struct AyahFilePlan: Hashable, Sendable {
  public let files: [AyahFile]

  /// - Parameters:
  ///   - passages: in the order of the recording. A pair of ayat in one breath comes as two, cut at the join,
  ///     as `Segment.passages` gives them.
  ///   - kind: what the files will be; ``AudioCutter/copyKind`` when copying.
  ///   - includesParts: whether ayat that are not heard whole get files too.
  public init(_ passages: [Passage], kind: AudioFileKind, includesParts: Bool = true) {
    var counts: [Piece: Int] = [:]
    files = passages.compactMap { passage in
      guard includesParts || passage.isComplete, !passage.span.isEmpty else { return nil }
      let piece = Piece(ayah: passage.ayah, part: passage.part)
      counts[piece, default: 0] += 1
      let name = AyahFileName(
        passage.ayah, part: passage.part, repetition: counts[piece] ?? 1, kind: kind)
      return AyahFile(name: name, passage: passage)
    }
  }

  private struct Piece: Hashable {
    let ayah: AyahReference
    let part: AyahPart?
  }
}
