// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding

extension AudioCutter {
  /// What `copy` writes of this recording; nil where its packets cannot be cut.
  ///
  /// AAC goes into m4a even from a stream without a container, which could not say where it begins.
  /// Lossless recordings are encoded anew, without loss: PCM and floats as WAV, all others as FLAC.
  public var copyKind: AudioFileKind? {
    let description = source.description
    switch description.precision {
    case .float: return .wav
    case .integer:
      let isPlain = description.codec.lowercased().hasPrefix("pcm")
      return isPlain && description.container != "FLAC" ? .wav : .flac
    case .lossy:
      switch description.codec.lowercased() {
      case "mp3": return .mp3
      case "aac": return .m4a
      case "opus": return .opus
      case "vorbis": return .ogg
      default: return nil
      }
    }
  }

  /// Cuts at packets, without decoding and encoding, so that nothing is lost.
  ///
  /// MP3, m4a and Opus can say which frames of their first and last packets are not to be heard, and
  /// are exact with decoders that heed it: LAME tag, edit list, pre-skip and last granule position. Vorbis
  /// ends exactly and begins with a packet; ``CutFile/lead`` says how much earlier. With implicit SBR,
  /// m4a counts in every second frame.
  ///
  /// - Throws: `.notCopyable` where ``copyKind`` is nil.
  public func copy(
    _ span: Range<FramePosition>, to path: String, tags: AudioTags = AudioTags()
  ) throws(EncodingError) -> CutFile {
    try check(span)
    let description = source.description
    guard let kind = copyKind else {
      throw EncodingError(.notCopyable(codec: description.codec), file: source.file.path)
    }
    guard !kind.isLossless else {
      return try encode(span, as: EncodingSettings(kind), to: path, tags: tags)
    }
    let reader = try EncodingError.reading { () throws(DecodingError) in
      try source.makePacketReader()
    }
    guard let reader else {
      throw EncodingError(.notCopyable(codec: description.codec), file: source.file.path)
    }
    let copier = try PacketCopier(reader, span, as: kind, of: source, watch(path))
    let part = try PartFile(path, isReplacing: isReplacing, calls: calls)
    try copier.write(to: part.sink, tags: tags)
    try part.finish()
    return CutFile(
      path: path, kind: kind, format: description.format, frameCount: copier.frameCount,
      lead: copier.lead, tail: copier.tail, clippedSamples: 0, warnings: [])
  }
}
