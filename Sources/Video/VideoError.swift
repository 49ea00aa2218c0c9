// SPDX-License-Identifier: GPL-3.0-or-later

public import Decoding

/// Why a recording shows no picture.
public struct VideoError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// There is sound alone, or a cover that stands still.
    case noVideo
    /// Nil where the file has no name for it.
    case unsupportedCodec(String?)
    /// More pixels than are ever decoded.
    case tooLarge(width: Int, height: Int)
    /// Not one frame can be decoded.
    case damaged
    /// Bytes of the file are gone since it was opened.
    case cutShort
    case outOfMemory
    /// The file cannot be read at all.
    case unreadable(DecodingError)
  }

  public let kind: Kind
  /// The path as the caller gave it. Not safe to print as it is.
  public let file: String

  public init(_ kind: Kind, file: String) {
    self.kind = kind
    self.file = file
  }

  init(_ error: DecodingError) { self.init(.unreadable(error), file: error.file) }
}

extension VideoError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line, without the file's name.
  public var explanation: String {
    switch kind {
    case .noVideo: "has no picture, only sound"
    case .unsupportedCodec(let name):
      "has a picture in \(name.map { "the codec \($0)" } ?? "a codec without a name"), "
        + "which this FFmpeg cannot decode"
    case .tooLarge(let width, let height):
      "has a picture of \(width)x\(height), which is too large to decode"
    case .damaged: "has a picture that is damaged and cannot be decoded"
    case .cutShort: "is shorter than when it was opened; fetch it again"
    case .outOfMemory: "has a picture that needs more memory than is free"
    case .unreadable(let error): error.explanation
    }
  }

  public var description: String { "\(file): \(explanation)" }
}
