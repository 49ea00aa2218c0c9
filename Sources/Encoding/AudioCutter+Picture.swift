// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CFFmpeg
import Decoding

/// A container for sound with its picture.
public enum PictureContainer: String, CaseIterable, Hashable, Sendable {
  case mp4, mov, matroska

  /// By the ending of a name; nil for any other.
  public init?(fileName: String) {
    switch fileName.lowercased().split(separator: ".").last {
    case "mp4", "m4v": self = .mp4
    case "mov": self = .mov
    case "mkv": self = .matroska
    default: return nil
    }
  }
}

/// A passage that was cut out of a video.
public struct PassageFile: Hashable, Sendable {
  public let path: String
  /// Frames of the sound by which it begins before the span, at a keyframe; 0 where it is exact.
  public let lead: FrameCount
  /// Whether the picture was marked as turned, and this container cannot say so.
  public let losesTurn: Bool
}

extension AudioCutter {
  /// Copies a span of the sound with its picture, without decoding and encoding.
  ///
  /// MP4 and QuickTime hold the sound to the frame, and of the picture what lies from the keyframe before the
  /// span on; an edit list has players begin with the span. At the end up to as many frames of the picture
  /// stay as others lean on. They take AAC alone, and the codecs of pictures that have a place in them.
  /// Matroska takes all codecs and begins at the keyframe: ``PassageFile/lead``.
  ///
  /// - Throws: `.noPicture`, `.noPictureInSpan`, `.untimedPicture`, `.needsMatroska` and what ``copy(_:to:tags:)`` throws.
  public func copyWithPicture(
    _ span: Range<FramePosition>, to path: String, as container: PictureContainer,
    tags: AudioTags = AudioTags()
  ) throws(EncodingError) -> PassageFile {
    try check(span)
    let picture = try PictureCopier(source, span, joinsSound: container != .matroska)
    guard let first = picture.firstSeconds, first < picture.end - picture.start else {
      throw EncodingError(.noPictureInSpan, file: source.file.path)
    }
    if container == .matroska {
      let remuxer = PassageRemuxer(source, picture, watch(path))
      let part = try PartFile(path, isReplacing: isReplacing, calls: calls)
      let lead = try remuxer.write(to: part.sink, tags: tags)
      try part.finish()
      return PassageFile(path: path, lead: lead, losesTurn: picture.isTurned)
    }
    func needsMatroska(_ codec: String) -> EncodingError {
      EncodingError(.needsMatroska(codec: codec), file: path)
    }
    let format = av_guess_format(container.rawValue, nil, nil)
    guard let format, picture.fits(format) else { throw needsMatroska(picture.codec) }
    let reader = try EncodingError.reading { () throws(DecodingError) in
      copyKind == .m4a ? try source.makePacketReader() : nil
    }
    guard let reader else { throw needsMatroska(source.description.codec) }
    let copier = try PacketCopier(reader, span, as: .m4a, of: source, watch(path))
    picture.beginAtStart()
    let part = try PartFile(path, isReplacing: isReplacing, calls: calls)
    try copier.write(to: part.sink, tags: tags, with: (picture, container))
    try part.finish()
    return PassageFile(path: path, lead: copier.lead, losesTurn: false)
  }
}
