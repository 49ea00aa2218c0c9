// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
public import Annotation
public import AudioCore
public import Quran
public import TerminalUI

/// Everything that can happen to the editor: what the person does, and what comes back from those
/// who carry out its effects.
public enum Event: Sendable {
  // The person.
  case input(InputEvent)
  /// An action by name, as from the palette.
  case perform(Action)
  /// An amplitude of 0...1, as other programs set it.
  case setVolume(Double)
  /// Whether what plays is heard again and again, as other programs set it.
  case setLooping(Bool)
  /// The segment after the one that is heard or, stopped, chosen; or the one before.
  case skip(isForward: Bool)
  /// The time on a clock that only goes forward; wanted every ``State/tickInterval``.
  case tick(Duration)
  /// The terminal is going away: what is half done is to be finished now.
  case ending
  /// Images in true pixels can be shown on cells of this size; nil where they cannot.
  case pixels(CellPixels?)

  // The store.
  case kept(ticket: Int, revision: Int64, publication: PublicationState)
  /// A request that was not kept, and why, for people.
  case notKept(ticket: Int, reason: String)
  /// The edits made before the recording was opened.
  case historyRead(History)
  case published(PublicationReport)
  case notPublished(reason: String)

  // The sound.
  /// How far the analysis is, 0...1, and the overview as far as it goes; a fraction of 1 ends it.
  case analysed(fraction: Double, overview: [Float])
  case analysisFailed(reason: String)
  /// Codes of levels, see ``LevelTrack/code(meanSquare:)``, hop by hop from `first` on.
  case levels(first: Int, codes: [UInt8])
  case pauses([Range<FramePosition>])
  case waveform(WaveformWindow, for: WindowRequest)
  case spectrogram(SpectrogramWindow, for: WindowRequest)
  case windowFailed(WindowRequest)

  // Detection.
  case detected(id: Int, DetectionReport)
  case detectionFailed(id: Int, reason: String)
  case proposed(id: Int, StartReport)
  /// How far a search has come with what it has to listen to, 0...1.
  case searching(id: Int, fraction: Double)
  /// The recording's voice or the person's habits were learnt: which and how well, for people.
  case learnt(String)

  case playback(PlaybackReport)
  case picture(Picture)
  /// The strip that was asked for, as far as it goes.
  case thumbnails(PixelGrid)
  case listThumbnails(PixelGrid, for: ListThumbnailWish)
  /// There is no picture to make thumbnails of; why, in a sentence.
  case noThumbnails(reason: String)
  /// The marks of the picture as far as they are known, and how much of it has been looked through, 0...1.
  case sceneMarks([SceneMark], fraction: Double)
  /// There is no picture to search for marks; why, in a sentence.
  case noSceneMarks(reason: String)
  /// The person has gone so many seconds on, or back, in the picture's window.
  case moved(seconds: Double)
  /// Something for the person.
  case told(String, Notice.Kind)

  // The library and the start screen.
  case opened(OpenedRecording)
  /// What was to be opened is open already.
  case alreadyOpen
  /// What somebody else has kept of a recording that is only looked at here, with all edits ever made.
  case followed(AnnotationDocument, History, revision: Int64)
  /// About so much has been written to the file since it was read.
  case grown(by: FrameCount)
  /// The recording has another title, reciter or riwayah.
  case retitled(RecordingCard)
  /// What of the recording can be played, as the library has it at a revision.
  case publicationSeen(PublicationState, revision: Int64)
  case libraryListed([LibraryEntry])
  case folderListed(path: String, [FolderEntry])
  /// Where listening was left, for people; nil where there is nothing to go on with.
  case leftListening(at: String?)
  /// A long piece of work, for people, and how far it is; a fraction of nil has no known end.
  case working(String, fraction: Double?)
  case capture(CaptureReport)
  /// Something that was asked for went wrong, for people.
  case failed(String)
}

/// A recording that was opened for annotating.
public struct OpenedRecording: Sendable {
  public var card: RecordingCard
  public var annotation: WorkingAnnotation
  public var overview: [Float]
  public var pauses: [Range<FramePosition>]
  /// Where work was left.
  public var position: FramePosition
  /// Boundaries that were found since a person last looked; 0 for none.
  public var newBoundaries: Int
  /// Whether it is only shown while it is being brought in, and opened again then.
  public var isProvisional = false
  /// Whether it was open to be looked at only, while somebody else was editing it who has left.
  public var isTakenOver = false

  public init(
    card: RecordingCard, annotation: WorkingAnnotation, overview: [Float] = [],
    pauses: [Range<FramePosition>] = [], position: FramePosition = .zero, newBoundaries: Int = 0
  ) {
    self.card = card
    self.annotation = annotation
    self.overview = overview
    self.pauses = pauses
    self.position = position
    self.newBoundaries = newBoundaries
  }
}

/// What publishing came to.
public struct PublicationReport: Hashable, Sendable {
  public var status: AnnotationStatus
  /// How many segments can be played now.
  public var segments: Int
  /// How many of these no person confirmed.
  public var unconfirmed: Int
  /// How many more there are that no person confirmed.
  public var omitted: Int

  public init(
    status: AnnotationStatus, segments: Int, unconfirmed: Int = 0, omitted: Int = 0
  ) {
    self.status = status
    self.segments = segments
    self.unconfirmed = unconfirmed
    self.omitted = omitted
  }
}

/// What a detector or an aligner found.
public struct DetectionReport: Hashable, Sendable {
  public struct Boundary: Hashable, Sendable {
    public var position: FramePosition
    /// 0...1.
    public var confidence: Double?
    public var origin: Origin
    /// What is heard from there on, where that is known.
    public var attribution: Attribution?

    public init(
      position: FramePosition, confidence: Double?, origin: Origin = .detected,
      attribution: Attribution? = nil
    ) {
      self.position = position
      self.confidence = confidence
      self.origin = origin
      self.attribution = attribution
    }
  }

  public var boundaries: [Boundary]
  /// What is heard where the search began.
  public var opening: Attribution?
  public var pauses: [Range<FramePosition>]
  /// When words are heard, in order; nil where nobody listened for them.
  public var words: [TimedWord]?
  /// What else a person should know of it: what it was compared with, what is heard again or left out.
  public var remarks: [AlignmentJudgement.Remark]
  /// Why it may all be wrong.
  public var doubt: AlignmentJudgement.Remark?
  /// Whether that is since what a person has confirmed cannot be as it is.
  public var isContradicted = false
  /// The version of the acoustic weights that heard it; nil where nothing listened.
  public var acousticVersion: UInt32?

  public init(
    boundaries: [Boundary], opening: Attribution? = nil, pauses: [Range<FramePosition>] = [],
    words: [TimedWord]? = nil, remarks: [AlignmentJudgement.Remark] = [],
    doubt: AlignmentJudgement.Remark? = nil
  ) {
    self.boundaries = boundaries
    self.opening = opening
    self.pauses = pauses
    self.words = words
    self.remarks = remarks
    self.doubt = doubt
  }

  /// How many segments hold ayat, as far as it knows.
  var reciting: Int {
    ([opening] + boundaries.map(\.attribution)).count { $0?.assignment.isRecitation == true }
  }

  /// Takes what speaks against the start that it was told.
  mutating func add(_ doubt: StartReport.Doubt) {
    func limited(_ confidence: Double?) -> Double? {
      confidence.map { min($0, doubt.mostConfidence) }
    }
    func limited(_ attribution: Attribution?) -> Attribution? {
      attribution.map {
        Attribution($0.assignment, origin: $0.origin, confidence: limited($0.confidence))
      }
    }
    if self.doubt == nil { self.doubt = doubt.remark } else { remarks.append(doubt.remark) }
    opening = limited(opening)
    for index in boundaries.indices {
      boundaries[index].confidence = limited(boundaries[index].confidence)
      boundaries[index].attribution = limited(boundaries[index].attribution)
    }
  }
}

/// A place in the Quran where reciting may begin.
public struct AyahProposal: Hashable, Sendable {
  /// The first ayah recited.
  public var first: AyahReference
  /// How likely it is, of those proposed; 0...1.
  public var confidence: Double
  /// Whether the recording begins in the middle of it.
  public var isWithin: Bool
  /// Whether other places have the same words.
  public var isWordedAlike: Bool

  public init(
    _ first: AyahReference, confidence: Double, isWithin: Bool = false, isWordedAlike: Bool = false
  ) {
    self.first = first
    self.confidence = confidence
    self.isWithin = isWithin
    self.isWordedAlike = isWordedAlike
  }
}

/// Where in the Quran reciting may begin.
public struct StartReport: Hashable, Sendable {
  /// Why the first proposal may well be wrong.
  public struct Doubt: Hashable, Sendable {
    public var remark: AlignmentJudgement.Remark
    /// What is aligned from there is no surer than this, 0...1.
    public var mostConfidence: Double

    public init(_ remark: AlignmentJudgement.Remark, mostConfidence: Double) {
      self.remark = remark
      self.mostConfidence = mostConfidence
    }
  }

  /// Likeliest first; empty where none was found.
  public var proposals: [AyahProposal]
  /// Nil where the first of them is more likely right than wrong.
  public var doubt: Doubt?
  /// What told it, for people.
  public var source: String

  public init(proposals: [AyahProposal], doubt: Doubt? = nil, source: String) {
    self.proposals = proposals
    self.doubt = doubt
    self.source = source
  }
}

/// How playback stands.
public struct PlaybackReport: Hashable, Sendable {
  public enum Phase: Hashable, Sendable { case stopped, playing, paused }

  /// What it does once a device that was lost is back.
  public enum DeviceWait: Hashable, Sendable { case goesOn, staysPaused }

  public var phase: Phase
  /// What is heard now.
  public var position: FramePosition
  /// Why nothing can be heard, for people.
  public var fault: String?
  /// Where it is paused because its device is gone.
  public var wait: DeviceWait?
  /// Decibels that the limiter takes away.
  public var limited: Int

  public init(
    _ phase: Phase, at position: FramePosition, fault: String? = nil, wait: DeviceWait? = nil,
    limited: Int = 0
  ) {
    self.phase = phase
    self.position = position
    self.fault = fault
    self.wait = wait
    self.limited = limited
  }
}

/// A recording in the library.
public struct LibraryEntry: Hashable, Sendable {
  /// Names it to the library.
  public var id: String
  public var title: String
  public var reciter: String
  public var seconds: Double
  public var progress: AnnotationProgress
  /// Boundaries that a machine suggested and no person has decided.
  public var openEdges: Int
  /// When it was last edited, for people; empty for never.
  public var edited: String
  /// What it covers, for people: `2:1-141`.
  public var coverage: String
  /// Why it cannot be opened, for people; nil when it can.
  public var obstacle: String?

  public init(
    id: String, title: String, reciter: String, seconds: Double, progress: AnnotationProgress,
    openEdges: Int, edited: String, coverage: String, obstacle: String? = nil
  ) {
    self.id = id
    self.title = title
    self.reciter = reciter
    self.seconds = seconds
    self.progress = progress
    self.openEdges = openEdges
    self.edited = edited
    self.coverage = coverage
    self.obstacle = obstacle
  }
}

/// Something in a folder.
public struct FolderEntry: Hashable, Sendable {
  public var name: String
  public var isFolder: Bool

  public init(name: String, isFolder: Bool) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// How a recording that is being made stands.
public struct CaptureReport: Hashable, Sendable {
  public var isRecording: Bool
  public var seconds: Double
  /// The loudest sample lately, 0...1.
  public var peak: Float
  public var rms: Float
  /// What went wrong, for people.
  public var fault: String?

  public init(
    isRecording: Bool, seconds: Double, peak: Float, rms: Float, fault: String? = nil
  ) {
    self.isRecording = isRecording
    self.seconds = seconds
    self.peak = peak
    self.rms = rms
    self.fault = fault
  }
}
