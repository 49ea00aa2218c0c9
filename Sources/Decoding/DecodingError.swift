// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Why a file could not be decoded: what happened, to which file, in which call.
public struct DecodingError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case noSuchFile
    case notReadable
    case notAFile(FileType)
    case empty
    /// The content is of no format that any backend knows; the text names what it looks like, if known.
    case notAudio(looksLike: String?)
    /// A playlist or a reference to other files, which are never followed.
    case refersElsewhere(String)
    /// A container without an audio track.
    case noAudioTrack
    /// The track asked for does not exist; the payload is how many there are.
    case noSuchTrack(of: Int)
    case unsupportedCodec(String)
    /// A known format that is not read; the text is its name.
    case unsupportedFormat(String)
    /// The format is known and the content breaks its rules.
    case damaged
    /// A valid file with not one frame of audio in it.
    case noFrames
    case outOfMemory
    case inputOutput
    /// Somebody asked to stop.
    case cancelled
    /// A position outside the stream.
    case outOfRange(FrameSpan)
  }

  public let kind: Kind
  /// The path as the caller gave it. Not safe to print as it is.
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

  /// A position asked for and the length of the stream, in frames.
  public struct FrameSpan: Hashable, Sendable {
    public let asked: Int64
    public let length: Int64
  }

  static func opening(_ path: String, errno code: Int32) -> DecodingError {
    let kind: Kind =
      switch code {
      case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: .noSuchFile
      case EACCES, EPERM: .notReadable
      case ENXIO, ENODEV: .notAFile(.device)
      default: .inputOutput
      }
    return DecodingError(kind, file: path, call: "open", code: code)
  }
}

extension DecodingError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line, without the file's name.
  public var explanation: String { "\(cause); \(remedy)" }

  public var description: String { "\(file): \(explanation)" }

  /// What is wrong with the file.
  public var cause: String {
    switch kind {
    case .noSuchFile where code == ELOOP: "is a symbolic link that leads in a circle"
    case .noSuchFile: "no such file"
    case .notReadable: "permission denied"
    case .notAFile(.directory): "is a folder, not a recording"
    case .notAFile(.fifo): "is a pipe"
    case .notAFile(.socket), .notAFile(.device): "is not a regular file"
    case .empty: "is empty (0 bytes)"
    case .notAudio(let guess?): "is not audio: it looks like \(guess)"
    case .notAudio(nil): "has an unknown format, or its beginning is missing"
    case .refersElsewhere(let what): "is \(what), which only points to other files"
    case .noAudioTrack: "has no audio track"
    case .noSuchTrack(1): "has only one audio track"
    case .noSuchTrack(let count): "has \(count) audio tracks"
    case .unsupportedCodec(let name): "uses the codec \(name), which this FFmpeg cannot decode"
    case .unsupportedFormat(let name): "is in an unsupported format (\(name))"
    case .damaged: "is damaged and cannot be read" + reason
    case .noFrames: "contains no audio (0 frames)"
    case .outOfMemory: "needs more memory than is free"
    case .inputOutput: "cannot be read" + reason
    case .cancelled: "was not read completely because of an interruption"
    case .outOfRange(let span): "frame \(span.asked) lies outside the recording"
    }
  }

  private var remedy: String {
    switch kind {
    case .noSuchFile: "check the path"
    case .notReadable: "make it readable (chmod +r)"
    case .notAFile(.directory): "name the files in it"
    case .notAFile(.fifo), .notAFile(.socket), .notAFile(.device): "save the audio to a file first"
    case .empty: "the copy or recording did not finish"
    case .notAudio(.some), .noAudioTrack: "check that it is the right file"
    case .notAudio(nil): "try the original"
    case .refersElsewhere: "open those files themselves"
    case .noSuchTrack(1): "do not choose a track"
    case .noSuchTrack(let count): "choose one of 1...\(count)"
    case .unsupportedCodec, .unsupportedFormat: "convert it to FLAC first"
    case .damaged: "try the original or a new copy"
    case .noFrames: "the recording may not have been saved"
    case .outOfMemory: "close other programs or try another copy"
    case .inputOutput: "check the disk or copy the file elsewhere"
    case .cancelled: "start again"
    case .outOfRange(let span): "choose one of 0...\(span.length)"
    }
  }

  private var reason: String {
    if let detail { return " (\(detail))" }
    guard let code else { return "" }
    return " (\(String(cString: strerror(code))))"
  }
}
