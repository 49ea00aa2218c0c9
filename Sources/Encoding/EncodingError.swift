// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding
import Glibc
public import Video

/// Why an audio file could not be written: what happened, to which file, in which call.
public struct EncodingError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A file of that name is there, and may not be replaced.
    case alreadyExists
    case noSuchFolder
    case notWritable
    case diskFull
    case inputOutput
    case outOfMemory
    /// The frames asked for are none, or not all in the recording; its length, where known.
    case outsideRecording(Range<Int64>, length: Int64?)
    /// The recording ends before the last frame asked for.
    case endsEarly(missing: FrameCount)
    /// The recording could not be read.
    case source(DecodingError)
    /// This FFmpeg or libsndfile has no encoder for it.
    case noEncoder(String)
    /// The encoder takes no such rate, channel count or bit rate.
    case refused(String)
    /// Packets of this codec cannot be cut without decoding them.
    case notCopyable(codec: String)
    /// There is no picture to be copied with the sound, or it cannot be read.
    case noPicture(VideoError)
    /// The picture is none of the span's: it begins later, or has ended.
    case noPictureInSpan
    /// The container does not say when frames are seen that are stored in another order.
    case untimedPicture
    /// The recording is damaged: no container takes a packet of it.
    case damagedPacket
    /// A packet of the recording cannot be read, so many seconds from its start, and others after it can.
    case damaged(at: Double)
    /// MP4 and QuickTime have no place for this codec, or their sound cannot be cut exactly.
    case needsMatroska(codec: String)
    /// The caller asked to stop.
    case stopped
  }

  public let kind: Kind
  /// The path of the file to be written, or of the recording where `kind` is about that. Not safe to
  /// print as it is.
  public let file: String
  /// The C function that failed.
  public let call: String?
  /// Its own error number.
  public let code: Int32?
  /// The library's own words.
  public let detail: String?

  public init(
    _ kind: Kind, file: String, call: String? = nil, code: Int32? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.file = file
    self.call = call
    self.code = code
    self.detail = detail
  }

  static func system(_ call: String, _ code: Int32, file: String) -> EncodingError {
    let kind: Kind =
      switch code {
      case EEXIST: .alreadyExists
      case ENOENT, ENOTDIR: .noSuchFolder
      case EACCES, EPERM, EROFS: .notWritable
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      case ENOMEM: .outOfMemory
      default: .inputOutput
      }
    return EncodingError(kind, file: file, call: call, code: code)
  }

  /// Runs what reads the recording, and turns its errors into this module's.
  static func reading<Result>(
    _ body: () throws(DecodingError) -> Result
  ) throws(EncodingError) -> Result {
    do throws(DecodingError) {
      return try body()
    } catch {
      throw EncodingError(
        error.kind == .cancelled ? .stopped : .source(error), file: error.file, call: error.call,
        code: error.code,
        detail: error.detail)
    }
  }
}

extension EncodingError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line, without the file's name.
  public var explanation: String {
    switch kind {
    case .alreadyExists: "already exists; choose another name, or replace it with --force"
    case .noSuchFolder: "the folder does not exist; create it first"
    case .notWritable: "permission denied; choose another folder" + cause
    case .diskFull:
      "the disk is full; free some space and try again (no partial file was left)" + cause
    case .inputOutput: "cannot be written; check the disk" + cause
    case .outOfMemory: "needs more memory than is free; close other programs"
    case .outsideRecording(let span, let length?):
      "frames \(span.lowerBound)..<\(span.upperBound) are outside the recording; "
        + "choose frames in 0..<\(length)"
    case .outsideRecording(let span, nil):
      "frames \(span.lowerBound)..<\(span.upperBound) are not a span of the recording"
    case .endsEarly(let missing):
      "the recording ends \(missing.frames) frames before the end of the span"
    case .source(let error): error.explanation
    case .noEncoder(let name): "this FFmpeg lacks the encoder \(name); choose another format"
    case .refused(let what): "the encoder does not accept \(what); choose another format" + cause
    case .notCopyable(let codec):
      "\(codec) cannot be cut without decoding; turn copying off to re-encode it"
    case .noPicture(let error): error.explanation
    case .noPictureInSpan: "there is no picture in this span; export its sound instead"
    case .untimedPicture:
      "does not say when each frame of its picture is seen; convert it to MP4 or Matroska first"
    case .damagedPacket:
      "the recording is damaged here, and its packets cannot be copied; export its sound instead"
    case .damaged(let seconds):
      "the recording is damaged \((seconds * 10).rounded() / 10) s from its start and cannot be copied from there; "
        + "re-encode it, or with its picture choose a name that ends in .mkv, which leaves out what is damaged"
    case .needsMatroska(let codec):
      "\(codec) cannot be cut in MP4 or QuickTime; choose a name that ends in .mkv"
    case .stopped: "stopped; no partial file was left"
    }
  }

  public var description: String { "\(file): \(explanation)" }

  private var cause: String {
    if let detail { return " (\(detail))" }
    guard let code else { return "" }
    return " (\(String(cString: strerror(code))))"
  }
}
