// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran
public import TerminalUI

/// Everything the editor knows; changed by ``reduce(_:_:)`` alone, drawn by ``view(_:)``.
public struct State: Sendable {
  /// Nil while no recording is open; the annotation is then that of an empty one.
  public internal(set) var card: RecordingCard?
  public internal(set) var annotation: WorkingAnnotation
  public internal(set) var facts: DocumentFacts
  public internal(set) var viewport: Viewport
  public internal(set) var selection = Selection()
  public internal(set) var transport = Transport()
  public internal(set) var sound: Sound
  /// What is opened one after the other.
  public var queue = RecordingQueue()
  public internal(set) var picture = Picture.waiting
  /// What lies over the segments and has the keys; nil for none.
  public internal(set) var panel: Panel?
  public internal(set) var notice: Notice?
  /// Why the latest edits could not be kept, for people, until one is.
  public internal(set) var storeFault: String?
  /// What the person is asked to do next; stays until it is done, dismissed or old.
  public internal(set) var banner: String? { didSet { bannerSince = nil } }
  /// The first time told after the banner.
  private var bannerSince: Duration?
  public internal(set) var settings: Settings
  public internal(set) var usesMouse: Bool
  public internal(set) var size: Size
  public let keymap: Keymap
  /// The text of the ayat, where the person has supplied it.
  public var text: QuranText?
  /// Whether Arabic is to be joined and turned here, for a terminal that does neither.
  public var ordersArabic = false
  /// Whether the terminal has block characters, and 256 colours, to draw a spectrogram with.
  public var hasBlocks = true
  public var hasManyColors = false
  /// Whether it has any colours.
  public var hasColors = true

  /// The size of a cell in pixels, where the terminal shows images.
  public internal(set) var pixels: CellPixels?

  /// The picture that was asked for last.
  public internal(set) var pictureWish: PictureWish?
  /// Why the recording has no picture to show, for people, once that is known.
  var pictureObstacle: String?
  /// Small pictures of the whole recording, beside each other; nil while there are none.
  public internal(set) var thumbnails: PixelGrid?
  /// Why there never will be any of this recording, for people, once that is known.
  var thumbnailObstacle: String?
  /// The strip that was asked for last.
  public internal(set) var thumbnailWish: PictureWish?
  /// The pictures beside the segments of the list, and the list that they belong to; nil while there are none.
  var listThumbnails: (PixelGrid, ListThumbnailWish)?
  /// Those that were asked for last.
  public internal(set) var listThumbnailWish: ListThumbnailWish?
  /// About how much has been written to the file since it was read.
  var growth = FrameCount.zero
  /// Cuts and stillness of the picture.
  var sceneMarks = SceneMarks()
  /// What the mouse is doing, and the marker that keys are moving.
  var gesture: Gesture?
  var heldNudge: HeldNudge?
  /// The first row of the list that is in sight.
  var listTop = 0
  var filter = ListFilter.all
  /// Whether the list keeps the selection in sight; the wheel stops that until the selection moves.
  var listFollowsSelection = true
  /// The edges that going to the least sure has led to, so that it leads to each once. They are known by
  /// their places, for an alignment that is made anew gives them other markers.
  var visited: Set<FramePosition> = []
  /// The edge whose two sides were heard last, by its place, while it was in hand.
  var heardEdge: FramePosition?
  /// Whether the edge gone to is shown in the middle, as since a person looked at one closely.
  var isCentred = false
  /// A nudge that has been kept, which another soon after belongs to.
  var restedNudge: RestedNudge?
  /// A click that may become a double click.
  var latestClick: Click?
  /// The pauses that digits stand for.
  var numberedPauses: [FramePosition] = []
  /// Whether the view goes with the playhead just now: not while a person looks elsewhere.
  var isFollowing = true
  var lastDetection = 0
  /// The search that the open panel waits for.
  var panelDetection = 0
  /// What the suggestions come from, while it is known.
  var alignment: AlignmentMemory?
  /// Alignments under way that follow a confirmation.
  var realignments: [Int: Realignment] = [:]
  /// Why nothing could be heard since the recording was opened, as far as it has been said.
  var toldFaults: Set<String> = []
  /// Whether what is typed was meant for a panel that could not be opened, and is to do nothing.
  var isSwallowing = false
  /// Whether the recording is only shown while it is being brought in.
  var isProvisional = false

  /// The editor before any recording is open.
  public init(
    size: Size, keymap: Keymap = .usual, settings: Settings = Settings(), text: QuranText? = nil,
    usesMouse: Bool = true
  ) {
    let empty = AnnotationDocument(length: .zero, rate: Self.rateOfNothing)
    self.size = size
    self.keymap = keymap
    self.settings = settings
    self.text = text
    self.usesMouse = usesMouse
    annotation = WorkingAnnotation(empty)
    facts = DocumentFacts(of: empty)
    viewport = Viewport(length: .zero, rate: empty.rate, columns: size.columns)
    sound = Sound(rate: empty.rate)
    panel = .start(StartPanel())
    notice = keymapNotice
  }

  /// What is wrong with the keys of the settings; nil where nothing is.
  var keymapNotice: Notice? {
    guard !keymap.problems.isEmpty else { return nil }
    return Notice(.warning, keymap.problems.map(\.description).joined(separator: "; "))
  }

  /// No recording has a rate of its own before it is opened.
  private static let rateOfNothing: SampleRate = {
    guard let rate = SampleRate(hertz: 44_100) else { preconditionFailure("44,100 Hz is a rate") }
    return rate
  }()
}

// MARK: What follows from it

extension State {
  public var document: AnnotationDocument { annotation.document }
  public var rate: SampleRate { document.rate }
  public var isOpen: Bool { card != nil }

  /// What the latest alignment says of itself.
  var judgement: AlignmentJudgement { annotation.history.judgement ?? AlignmentJudgement() }

  /// What has the keys.
  public var context: Context { panel?.context ?? .normal }

  /// How often time is to be told; nil while nothing waits for it to pass.
  public var tickInterval: Duration? {
    if heldNudge != nil || restedNudge != nil || latestClick != nil || gesture?.isWaiting == true {
      return .milliseconds(50)
    }
    return hasAgeingBanner ? .seconds(1) : nil
  }

  /// A banner that says why all may be wrong does not get old.
  private var hasAgeingBanner: Bool { banner != nil && judgement.doubt == nil }

  /// Takes the banner away when a person goes on to review or edit, unless it says why all may be wrong and something is
  /// left of that.
  mutating func forgetBanner() {
    let isSuggested = DocumentFacts.suggestedBy(in: document) != nil
    if judgement.doubt == nil || !isSuggested { banner = nil }
  }

  /// Takes the banner away when it has been read.
  mutating func ageBanner(_ now: Duration) {
    guard hasAgeingBanner else { return }
    let since = bannerSince ?? now
    if now - since >= .seconds(60) { banner = nil } else { bannerSince = since }
  }

  /// The frame after the last.
  var end: FramePosition { .zero + document.length }

  /// The segment that keys act on.
  public var selectedSegment: Segment {
    document.segment(selection.segment) ?? document.segment(containing: .zero)
  }

  /// The marker that keys act on; nil where the selected edge is an end of the recording.
  public var selectedMarker: Marker? { selection.marker(in: document) }

  /// The marker that is being moved, and where it would come to lie.
  public var movedMarker: (id: MarkerID, position: FramePosition)? {
    if let heldNudge { return (heldNudge.marker, heldNudge.position) }
    if case .marker(let id, let position, _) = gesture?.kind { return (id, position) }
    return nil
  }

  /// How many edits are not on disk yet, the one that is being made included.
  var unkept: Int {
    let isMoving = movedMarker.map { document.marker($0.id)?.position != $0.position } ?? false
    return annotation.unkept + (isMoving ? 1 : 0)
  }

  /// The document as the screen shows it: with a marker where it is being moved to.
  var shownDocument: AnnotationDocument {
    guard let moved = movedMarker else { return document }
    var shown = document
    // A move that is refused shows nothing.
    _ = try? shown.apply(.moveMarker(moved.id, to: moved.position))
    return shown
  }
}

/// What the screen shows of the document as a whole, reckoned once for each edit.
public struct DocumentFacts: Hashable, Sendable {
  public let progress: AnnotationProgress
  /// Markers that were suggested and are not confirmed.
  public let suggestions: Int
  /// What suggested the first of them or, where there is none, what is assigned; nil where nobody is asked anything.
  let suggestedBy: Origin?
  /// Seconds for a phonetic unit in this recording, the median; nil while too little is assigned.
  public let pace: Double?
  /// What is said to be silence, in order.
  let silences: [Range<FramePosition>]

  /// Fewer segments give no median to trust.
  private static let minSegments = 5

  init(of document: AnnotationDocument) {
    progress = document.progress
    suggestedBy = Self.suggestedBy(in: document)
    suggestions = document.records.reduce(0) { $0 + ($1.start?.isSuggestion == true ? 1 : 0) }
    let paces = document.segments.compactMap { segment -> Double? in
      guard let units = segment.phoneticUnits else { return nil }
      return segment.span.length.seconds(at: document.rate) / Double(units)
    }.sorted()
    pace = paces.count < Self.minSegments ? nil : paces[paces.count / 2]
    silences = document.segments.filter { $0.assignment == .unused(.silence) }.map(\.span)
  }

  /// A recording of one segment has no marker to be suggested.
  static func suggestedBy(in document: AnnotationDocument) -> Origin? {
    let records = document.records
    return records.lazy.compactMap(\.start).first(where: \.isSuggestion)?.origin
      ?? records.lazy.filter { !$0.content.isConfirmed }.compactMap(\.content.attribution?.origin)
      .first { $0 != .person }
  }

  /// Seconds that a segment would take at the recording's pace; nil where that is not known.
  func expectedSeconds(_ segment: Segment) -> Double? {
    guard let pace, let units = segment.phoneticUnits else { return nil }
    return Double(units) * pace
  }
}

extension Segment {
  /// What there is to recite in it; nil when it holds no whole ayat.
  fileprivate var phoneticUnits: Int? {
    let passages = self.passages
    guard !passages.isEmpty, passages.allSatisfy(\.isComplete) else { return nil }
    return passages.reduce(0) { $0 + $1.phoneticUnits }
  }
}
