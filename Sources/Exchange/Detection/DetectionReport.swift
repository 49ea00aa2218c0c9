// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran

/// What detection found in one recording, ready to be written in any of this module's formats.
///
/// Positions count frames of the recording from its first audible frame; the writers turn them into
/// seconds.
public struct DetectionReport: Hashable, Sendable {
  /// The recording's path as the person gave it. Bytes that are not UTF-8 are in it, and in what is written,
  /// as characters for private use: see `String.diskName`.
  public var file: String
  public var rate: SampleRate
  public var frames: FrameCount
  /// The detector's name on the command line: `adaptive` or `fixed`.
  public var detector: String
  /// The first ayah recited, when the person said so.
  public var firstAyah: AyahReference?
  public var lastAyah: AyahReference?
  /// The prayer's name on the command line; nil outside prayer.
  public var prayer: String?
  /// `plausible` or `doubtful`: whether it can be what it is said to be; nil where nothing was said.
  public var verdict: String?
  /// What is to be known of an alignment: a stable word for programs, and a sentence for people.
  public var remarks: [Remark]
  /// The version of the acoustic weights by which the words were heard; nil where they were not.
  public var acousticVersion: UInt32?
  /// Names what was learnt of the voice and was used; nil for nothing.
  public var learnt: String?
  /// Where the recording may begin, likeliest first; empty where the person said where.
  public var candidates: [Candidate] = []
  public var pauses: [Pause]
  /// The inner edges of the segments.
  public var boundaries: [Boundary]
  /// Tile the recording in order.
  public var segments: [Segment]
  /// When words are heard, in order, each in the segment of its ayah; nil where nobody listened for them.
  public var words: [TimedWord]?
  /// What the person should know about this result, one sentence each.
  public var warnings: [String]

  public init(
    file: String, rate: SampleRate, frames: FrameCount, detector: String,
    firstAyah: AyahReference? = nil, lastAyah: AyahReference? = nil, prayer: String? = nil,
    verdict: String? = nil, remarks: [Remark] = [], acousticVersion: UInt32? = nil,
    pauses: [Pause] = [], boundaries: [Boundary] = [], segments: [Segment] = [],
    words: [TimedWord]? = nil,
    warnings: [String] = []
  ) {
    self.file = file
    self.rate = rate
    self.frames = frames
    self.detector = detector
    self.firstAyah = firstAyah
    self.lastAyah = lastAyah
    self.prayer = prayer
    self.verdict = verdict
    self.remarks = remarks
    self.acousticVersion = acousticVersion
    self.pauses = pauses
    self.boundaries = boundaries
    self.segments = segments
    self.words = words
    self.warnings = warnings
  }
}

extension DetectionReport {
  /// A place in the Quran where the recording may begin.
  public struct Candidate: Hashable, Sendable {
    public var first: AyahReference
    /// The word of that ayah which is heard first, from 1.
    public var word: Int
    /// 0...1.
    public var probability: Double
    /// Whether the ayah has the words of the likeliest candidate's.
    public var isWordedAlike: Bool

    public init(
      _ first: AyahReference, word: Int = 1, probability: Double, isWordedAlike: Bool = false
    ) {
      self.first = first
      self.word = word
      self.probability = probability
      self.isWordedAlike = isWordedAlike
    }
  }

  public struct Remark: Hashable, Sendable {
    public var code: String
    public var text: String

    public init(code: String, text: String) {
      self.code = code
      self.text = text
    }
  }

  public struct Pause: Hashable, Sendable {
    public var span: Range<FramePosition>
    /// How far the pause lies below the speech around it, in dB, positive.
    public var depth: Double
    /// 0...1.
    public var confidence: Double

    public init(_ span: Range<FramePosition>, depth: Double, confidence: Double) {
      self.span = span
      self.depth = depth
      self.confidence = confidence
    }
  }

  public struct Boundary: Hashable, Sendable {
    public var position: FramePosition
    /// 0...1.
    public var confidence: Double

    public init(_ position: FramePosition, confidence: Double) {
      self.position = position
      self.confidence = confidence
    }
  }

  public struct Segment: Hashable, Sendable {
    public var span: Range<FramePosition>
    /// What is heard; nil while nobody knows.
    public var assignment: Assignment?
    /// 0...1.
    public var confidence: Double

    public init(
      _ span: Range<FramePosition>, assignment: Assignment? = nil, confidence: Double
    ) {
      self.span = span
      self.assignment = assignment
      self.confidence = confidence
    }
  }
}

/// A recording for which there is no report.
public struct DetectionFailure: Hashable, Sendable {
  /// As in ``DetectionReport/file``.
  public var file: String
  /// A stable word for programs, such as `no_such_file`.
  public var code: String
  /// A sentence for people.
  public var message: String

  public init(file: String, code: String, message: String) {
    self.file = file
    self.code = code
    self.message = message
  }
}

/// What became of one recording of a batch.
public enum DetectionOutcome: Hashable, Sendable {
  case report(DetectionReport)
  case failure(DetectionFailure)
}
