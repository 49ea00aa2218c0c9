// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran
public import TerminalUI

/// What the editor asks for; whoever runs it carries these out in order and answers with ``Event``s.
public enum Effect: Equatable, Sendable {
  /// Answered by ``Event/kept(ticket:revision:)`` or ``Event/notKept(ticket:reason:)``.
  case store(StoreRequest)
  /// After everything handed to the store before.
  case publish(includingUnconfirmed: Bool)
  /// Answered by ``Event/waveform(_:for:)``, ``Event/spectrogram(_:for:)`` or
  /// ``Event/windowFailed(_:)``.
  case load(WindowRequest)
  case cancelAnalysis
  /// Answered by ``Event/detected(id:_:)`` or ``Event/detectionFailed(id:reason:)``; a newer request
  /// makes an older one unwanted.
  case detect(DetectionRequest)
  /// Has ready what the first ``detect(_:)`` of the same span and parameters would take long to make; not answered.
  case prepare(DetectionRequest)
  /// Answered by ``Event/proposed(id:_:)`` or ``Event/detectionFailed(id:reason:)``; of this and
  /// ``detect(_:)`` a newer request makes an older one unwanted.
  case propose(StartRequest)
  /// Ends a search of either kind.
  case cancelDetection
  case play(PlaybackCommand)
  /// Shows the picture of the recording in this size, or none; answered by ``Event/picture(_:)`` whenever
  /// another frame is to be seen.
  case showPicture(PictureWish?)
  /// Makes the thumbnails of the recording into a strip of this size, or no more; answered by
  /// ``Event/thumbnails(_:)`` whenever there are more of them.
  case showThumbnails(PictureWish?)
  /// Makes pictures of the segments in the list, or no more; answered by ``Event/listThumbnails(_:for:)``
  /// whenever there are better ones.
  case showListThumbnails(ListThumbnailWish?)
  /// Looks through the picture for cuts and stillness, or no more; answered by
  /// ``Event/sceneMarks(_:fraction:)`` whenever more is known.
  case showSceneMarks(Bool)
  /// Opens the window with the picture, or closes it.
  case toggleWindow
  case toggleFullScreen
  case keep(Settings)
  /// Mouse reports on or off.
  case setMouse(Bool)

  // The start screen.
  case listLibrary
  case listFolder(String)
  /// By its id in the library.
  case open(String)
  /// Opens the recording that is open anew, with all of its file.
  case readOn
  case importFile(String)
  /// A recording of the library, a file that stays where it is, or a folder, which is then listed; by
  /// its path as a person writes it.
  case openFile(String)
  case startCapture
  /// Ends the recording that is being made; it is then imported and opened, unless it is discarded.
  case stopCapture(discarding: Bool)

  /// Draws the whole screen anew.
  case redraw
  case suspend
  case quit
  /// Leaves the terminal to the player until that has ended.
  case listen
}

/// A step for the store to make lasting.
public struct StoreRequest: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    case edit(Edit)
    /// Takes back the latest edit that is kept.
    case undo
    case redo
    /// Keeps what an alignment says with the latest edit that is kept.
    case judge(AlignmentJudgement)
  }

  /// Grows by one from request to request.
  public let ticket: Int
  /// After it failed at a request, the store must skip the others of the same epoch: they were made
  /// on top of that one and have been taken back with it.
  public let epoch: Int
  public let step: Step
  /// Whether an edit is undone together with the one before it.
  public let joinsPrevious: Bool

  init(ticket: Int, epoch: Int, step: Step, joinsPrevious: Bool = false) {
    self.ticket = ticket
    self.epoch = epoch
    self.step = step
    self.joinsPrevious = joinsPrevious
  }
}

/// A span of the sound to be made into columns.
public struct WindowRequest: Hashable, Sendable {
  public enum Use: Hashable, Sendable { case waveform, spectrogram, miniature }

  public let use: Use
  public let span: Range<FramePosition>
  public let columns: Int
  /// Of a spectrogram, else 0.
  public let bands: Int

  init(use: Use, span: Range<FramePosition>, columns: Int, bands: Int = 0) {
    self.use = use
    self.span = span
    self.columns = columns
    self.bands = bands
  }
}

/// A search for boundaries.
public struct DetectionRequest: Equatable, Sendable {
  public let id: Int
  public let span: Range<FramePosition>
  public let parameters: DetectionParameters
  /// What an alignment leaves as it is, where a person has confirmed it.
  public let annotation: AnnotationDocument
  /// Parts that were aligned by themselves: what a person has confirmed there tells nothing of the rest.
  public let others: [Range<FramePosition>]
  /// Whether it follows a confirmation, and neither ends another search nor is ended by one.
  public let isRealignment: Bool

  init(
    id: Int, span: Range<FramePosition>, parameters: DetectionParameters,
    annotation: AnnotationDocument, besides others: [Range<FramePosition>] = [],
    isRealignment: Bool = false
  ) {
    self.id = id
    self.span = span
    self.parameters = parameters
    self.annotation = annotation
    self.others = others
    self.isRealignment = isRealignment
  }
}

/// A search for where in the Quran reciting begins.
public struct StartRequest: Equatable, Sendable {
  public let id: Int
  public let span: Range<FramePosition>
  /// In which it begins; nil where a person has not said.
  public let range: AyahRange?
  /// The last ayah recited; nil where a person has not said.
  public let last: AyahReference?
  /// In a prayer, what follows al-Fatiha is looked for.
  public let prayer: DetectionParameters.Prayer

  init(
    id: Int, span: Range<FramePosition>, range: AyahRange?, last: AyahReference?,
    prayer: DetectionParameters.Prayer
  ) {
    self.id = id
    self.span = span
    self.range = range
    self.last = last
    self.prayer = prayer
  }
}

/// What a person tunes before detecting.
public struct DetectionParameters: Hashable, Sendable {
  public enum Detector: String, Hashable, Sendable, CaseIterable { case adaptive, fixed }

  public var detector = Detector.adaptive
  /// Of the fixed detector: share of the peak, 0...1.
  public var threshold = 0.02
  /// Of the fixed detector, in milliseconds.
  public var minSilence = 400
  public var mergeGap = 100
  /// Where the recitation starts and ends, for an alignment; nil detects pauses alone.
  public var first: AyahReference?
  public var last: AyahReference?
  /// What an alignment knows of the recording's order.
  public var prayer = Prayer.none

  public typealias Prayer = AlignmentJudgement.Prayer

  public init() {}
}

/// What playback is told.
public enum PlaybackCommand: Hashable, Sendable {
  /// Plays `span` from `start` on, once or again and again.
  case play(span: Range<FramePosition>, from: FramePosition, looping: Bool)
  /// Gives what is playing other ends; the place heard stays where it can.
  case retarget(span: Range<FramePosition>, looping: Bool)
  case pause
  case resume
  case stop
  case seek(FramePosition)
  /// 0.25...3.
  case setSpeed(Double)
  /// 0...1.
  case setVolume(Double)
  /// dB.
  case setGain(Double)
  case setEqualiser(Equaliser)
}
