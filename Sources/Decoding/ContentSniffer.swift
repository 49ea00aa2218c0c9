// SPDX-License-Identifier: GPL-3.0-or-later

/// What a file's first bytes say it is. Names play no part.
enum ContentKind: Hashable, Sendable {
  /// RIFF/WAVE, RF64 or Sony Wave64.
  case wav
  case flac
  case aiff
  case coreAudio
  case sunAudio
  /// MPEG audio frames, layer I, II or III, perhaps after an ID3v2 tag.
  case mpegAudio
  /// Ogg pages, whatever codec they carry.
  case ogg
  /// ISO base media: m4a, mp4, mov, 3gp.
  case isoMedia
  /// AAC frames with ADTS headers.
  case adts
  /// Frames of another codec, which is named, without a container.
  case frames(of: String)
  /// Text, a picture or another thing that is certainly not sound.
  case notAudio(String)
  /// A list of other files.
  case playlist(String)
  case unknown
}

/// Recognises content by its signature.
enum ContentSniffer {
  /// How many bytes `kind(of:)` wants to see.
  static let headLength = 16 << 10

  /// Looks at a file's content; reads past an ID3v2 tag to what it precedes.
  static func kind(of file: MediaFile) throws(DecodingError) -> ContentKind {
    let head = try file.head(headLength)
    guard let tagLength = id3Length(head) else { return kind(of: head) }
    let body = try file.bytes(at: Int64(tagLength), count: headLength)
    let inner = kind(of: body)
    // ID3v2 stands before MPEG audio nearly always, and sometimes before ADTS, FLAC or WAV.
    return inner == .unknown ? .mpegAudio : inner
  }

  /// Looks at the first bytes of a file.
  static func kind(of head: [UInt8]) -> ContentKind {
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      let count = text.utf8CodeUnitCount
      guard head.count >= offset + count else { return false }
      return (0..<count).allSatisfy { head[offset + $0] == text.utf8Start[$0] }
    }
    if has("RIFF") || has("RF64") || has("RIFX") || has("BW64") {
      if has("WAVE", at: 8) { return .wav }
      if has("WEBP", at: 8) { return .notAudio("a picture (WebP)") }
      return .unknown
    }
    if has("riff.") { return .wav }
    if has("fLaC") { return .flac }
    if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) { return .aiff }
    if has("caff") { return .coreAudio }
    if has(".snd") { return .sunAudio }
    if has("OggS") { return .ogg }
    if ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"].contains(where: {
      boxType(head) == $0
    }) {
      return .isoMedia
    }
    if has("#EXTM3U") { return .playlist("an M3U playlist") }
    if has("ffconcat") { return .playlist("a list of files for FFmpeg") }
    if has("[playlist]") { return .playlist("a PLS playlist") }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .notAudio("a picture (PNG)") }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .notAudio("a picture (JPEG)") }
    if has("GIF8") { return .notAudio("a picture (GIF)") }
    if has("%PDF") { return .notAudio("a PDF document") }
    if has("PK\u{3}\u{4}") { return .notAudio("a ZIP archive") }
    if head.starts(with: [0x1F, 0x8B]) { return .notAudio("a gzip archive") }
    if let codec = FrameSync.codec(of: head) { return .frames(of: codec) }
    if isADTS(head) { return .adts }
    if isMPEGAudio(head) { return .mpegAudio }
    if let text = textKind(head) { return text }
    return .unknown
  }

  /// The whole length of an ID3v2 tag, header and footer included, or nil if there is none.
  static func id3Length(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head[0] == 0x49, head[1] == 0x44, head[2] == 0x33,
      head[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6...9].reduce(0) { $0 << 7 | Int($1) }
    let footer = head[5] & 0x10 != 0 ? 10 : 0
    return 10 + size + footer
  }

  private static func boxType(_ head: [UInt8]) -> String? {
    guard head.count >= 8 else { return nil }
    return String(decoding: head[4..<8], as: UTF8.self)
  }

  /// Frames in a row that must agree. In other streams two headers that fit turn up by chance.
  private static let agreeingFrames = 3

  /// ADTS frames in a row, each with a length that leads to the next, whose fixed headers are equal
  /// (ISO 13818-7, 6.2.1); fewer where the head ends.
  private static func isADTS(_ head: [UInt8]) -> Bool {
    var offset = 0
    for _ in 0..<agreeingFrames {
      guard head.count >= offset + 7, head[offset] == 0xFF, head[offset + 1] & 0xF6 == 0xF0,
        head[offset + 1] == head[1], head[offset + 2] == head[2],
        head[offset + 3] & 0xF0 == head[3] & 0xF0
      else { return false }
      let length =
        Int(head[offset + 3] & 3) << 11 | Int(head[offset + 4]) << 3 | Int(head[offset + 5] >> 5)
      guard length > 7 else { return false }
      offset += length
      if offset >= head.count { return true }
    }
    return true
  }

  /// MPEG audio frames in a row that agree, beginning within the first bytes; fewer where the head or the
  /// sound ends.
  private static func isMPEGAudio(_ head: [UInt8]) -> Bool {
    // Encoders and cutters leave up to some frames of junk before the first header.
    for start in 0..<max(0, min(head.count - 4, headLength / 2)) where head[start] == 0xFF {
      let (count, isToTheEnd) = mpegFrames(in: head, from: start)
      if count >= agreeingFrames || isToTheEnd && (count > 1 || start == 0) { return true }
    }
    return false
  }

  /// How many MPEG audio frames that agree lie one after another, and whether only the end stops them.
  private static func mpegFrames(
    in head: [UInt8], from start: Int
  ) -> (count: Int, isToTheEnd: Bool) {
    guard let first = MPEGAudioHeader(head, at: start) else { return (0, false) }
    var offset = start
    var count = 0
    while offset + 4 <= head.count {
      guard let header = MPEGAudioHeader(head, at: offset), header.agrees(with: first),
        let length = header.frameLength
      else {
        let rest = head[offset...]
        return (count, count > 0 && ["TAG", "APETAGEX"].contains { rest.starts(with: $0.utf8) })
      }
      count += 1
      offset += length
    }
    return (count, true)
  }

  private static func textKind(_ head: [UInt8]) -> ContentKind? {
    let sample = head.prefix(512)
    let printable = sample.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    guard printable, sample.count >= 4 else { return nil }
    let text = String(decoding: sample, as: UTF8.self).lowercased()
    // Bytes that are no UTF-8 become replacement characters; the sample may end within a character.
    let scalars = text.unicodeScalars
    guard scalars.count(where: { $0 == "\u{FFFD}" }) * 10 <= scalars.count else { return nil }
    if text.contains("<html") || text.contains("<!doctype html") {
      return .notAudio("a web page (HTML)")
    }
    if text.contains("<smil") || text.contains("<asx") {
      return .playlist("a playlist")
    }
    return .notAudio("text")
  }
}

extension MediaFile {
  /// Whether a file's content bears the signature of a known audio or video container.
  public static func looksLikeAudio(path: String) -> Bool {
    guard let file = try? MediaFile(path: path), let kind = try? ContentSniffer.kind(of: file)
    else { return false }
    switch kind {
    case .wav, .flac, .aiff, .coreAudio, .sunAudio, .mpegAudio, .ogg, .isoMedia, .adts, .frames:
      return true
    case .notAudio, .playlist, .unknown: return false
    }
  }
}
