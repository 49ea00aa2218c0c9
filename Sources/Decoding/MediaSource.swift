// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// A recording that can be decoded: an open file, the backend its content asks for, and what that
/// backend found out about it.
///
/// Decoders made by one source share the open file and the seek index and may run on different threads.
public struct MediaSource: Sendable {
  public let file: MediaFile
  private let maker: any DecoderMaker

  /// Opens a file and finds the backend that can decode it.
  ///
  /// - Parameters:
  ///   - path: a regular file; its name says nothing, its content decides.
  ///   - track: which audio track, counted from 1; nil takes the one marked default, else the first.
  ///   - seekIndex: an index kept from an earlier visit to the same unchanged file.
  ///   - stopFlag: once it is set, opening and decoding throw `.cancelled`.
  public init(
    path: String, track: Int? = nil, seekIndex: SeekIndex? = nil, sizeLimit: Int64 = .max,
    stopFlag: StopFlag = StopFlag()
  ) throws(DecodingError) {
    try self.init(
      MediaFile(path: path, sizeLimit: sizeLimit, stopFlag: stopFlag), track: track,
      seekIndex: seekIndex)
  }

  public init(
    _ file: MediaFile, track: Int? = nil, seekIndex: SeekIndex? = nil
  ) throws(DecodingError) {
    self.file = file
    maker = try Self.chooseBackend(for: file, track: track, seekIndex: seekIndex)
    if let track, maker.description.trackCount < track || track < 1 {
      throw DecodingError(.noSuchTrack(of: maker.description.trackCount), file: file.path)
    }
    if maker.description.frameCount == .zero {
      throw DecodingError(.noFrames, file: file.path)
    }
  }

  init(file: MediaFile, maker: any DecoderMaker) {
    self.file = file
    self.maker = maker
  }

  /// What the file is and who decodes it.
  public var description: MediaDescription { maker.description }

  /// Where the packets lie, for formats that need it to seek; nil until known.
  ///
  /// Building it may read the whole file once, so an index worth keeping goes into the sidecar.
  public var seekIndex: SeekIndex? { maker.seekIndex }

  /// Whether a far seek costs milliseconds, so that several decoders can share the work of a long file.
  public var isSeekCheap: Bool { maker.isSeekCheap }

  /// A decoder at frame 0, independent of all others.
  ///
  /// - Parameter isRepeatable: whether each frame is the same to the last bit, however it is reached. That makes seeking
  ///   in lossy streams dearer. Without it seeks leave differences that nobody hears.
  public func makeDecoder(isRepeatable: Bool = true) throws(DecodingError) -> any AudioDecoder {
    try maker.makeDecoder(isRepeatable: isRepeatable)
  }

  /// The packets as they lie in the file; nil for formats that are not made of packets with an index.
  public func makePacketReader() throws(DecodingError) -> CodedPacketReader? {
    try maker.makePacketReader()
  }

  private static func chooseBackend(
    for file: MediaFile, track: Int?, seekIndex: SeekIndex?
  ) throws(DecodingError) -> any DecoderMaker {
    switch try ContentSniffer.kind(of: file) {
    case .notAudio(let guess):
      throw DecodingError(.notAudio(looksLike: guess), file: file.path)
    case .playlist(let what):
      throw DecodingError(.refersElsewhere(what), file: file.path)
    case .mpegAudio:
      return try Mpg123Media(file, reason: "MPEG audio frames", seekIndex: seekIndex)
    case .coreAudio where try CoreAudioChunks(file).isMadeOfPackets:
      return try FFmpegMedia(file, track: track, reason: "CAF packets", seekIndex: seekIndex)
    case .wav, .flac, .aiff, .coreAudio, .sunAudio:
      return try chooseForPCM(file, seekIndex: seekIndex)
    case .ogg:
      var media = try FFmpegMedia(file, track: track, reason: "Ogg pages", seekIndex: seekIndex)
      if try OggPages.isCutOff(file) { media.description.warnings.append(.cutOff) }
      return media
    case .isoMedia:
      let boxes = try ISOMediaBoxes(file)
      try boxes.check()
      var media = try FFmpegMedia(
        file, track: track, reason: "ISO media boxes", seekIndex: seekIndex)
      if boxes.isCutOff, media.description.warnings.isEmpty {
        media.description.warnings.append(.cutOff)
      }
      return media
    case .adts:
      return try FFmpegMedia(file, track: track, reason: "ADTS frames", seekIndex: seekIndex)
    case .frames(let codec):
      return try FFmpegMedia(file, track: track, reason: "\(codec) frames", seekIndex: seekIndex)
    case .unknown:
      return try FFmpegMedia(
        file, track: track, reason: "FFmpeg recognised it", seekIndex: seekIndex)
    }
  }

  /// libsndfile, or FFmpeg for the rare codecs inside WAV, CAF and AIFF and for a WAV whose recorder
  /// never came to write its length.
  private static func chooseForPCM(
    _ file: MediaFile, seekIndex: SeekIndex?
  ) throws(DecodingError) -> any DecoderMaker {
    let problem: DecodingError
    do throws(DecodingError) {
      let media = try SndFileMedia(file, reason: "PCM or FLAC signature")
      if media.description.frameCount != .zero { return media }
      problem = DecodingError(.noFrames, file: file.path, detail: "0 frames")
    } catch {
      problem = error
    }
    let other = try? FFmpegMedia(
      file, track: nil, reason: "libsndfile declined: \(problem.detail ?? "unknown")",
      seekIndex: seekIndex)
    guard let other else { throw file.cancellation ?? problem }
    return other
  }
}

/// What a media file turned out to be.
public struct MediaDescription: Hashable, Sendable {
  /// The library that decodes it.
  public enum Backend: String, Hashable, Sendable {
    case libsndfile, libmpg123
    case ffmpeg = "FFmpeg"
  }

  /// Name of the container, such as "WAV", "MPEG audio" or "mov,mp4,m4a,3gp,3g2,mj2".
  public let container: String
  public let codec: String
  public let format: AudioFormat
  /// What the samples are in the file, before they become floats.
  public let precision: SamplePrecision
  /// The exact length, encoder delay and padding removed; nil when only decoding can tell.
  public let frameCount: FrameCount?
  public let backend: Backend
  /// Why this backend was chosen, for people.
  public let reason: String
  public let trackCount: Int
  /// Which of the audio tracks this is, counted from 1.
  public let track: Int
  /// A length to show progress by when `frameCount` is nil; not to be trusted.
  public var estimatedFrameCount: FrameCount?
  /// What opening the file already showed to be wrong with it.
  public var warnings: [DecodingWarning] = []
}

/// What the samples of a recording are before decoding makes them floats.
public enum SamplePrecision: Hashable, Sendable {
  /// Whole numbers, which the floats hold exactly up to 24 bits.
  case integer(bits: Int)
  case float
  /// The codec threw something away; the samples have no grid of their own.
  case lossy
}

/// What a backend keeps of an opened file: enough to make decoders of it on any thread.
protocol DecoderMaker: Sendable {
  var description: MediaDescription { get }
  var seekIndex: SeekIndex? { get }
  var isSeekCheap: Bool { get }
  func makeDecoder(isRepeatable: Bool) throws(DecodingError) -> any AudioDecoder
  func makePacketReader() throws(DecodingError) -> CodedPacketReader?
}
