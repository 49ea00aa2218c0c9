// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
public import Quran
public import TerminalUI

/// Somebody who can be chosen to be heard.
public struct ReciterRow: Hashable, Sendable {
  /// Nil for anybody who recites the riwayah.
  public let id: ReciterID?
  public let name: String
  public let riwayah: Riwayah
  /// Whether the reciter's sources are used; nil for one without sources.
  public var usesSources: Bool?

  public init(_ id: ReciterID?, name: String, riwayah: Riwayah, usesSources: Bool? = nil) {
    self.id = id
    self.name = name
    self.riwayah = riwayah
    self.usesSources = usesSources
  }
}

extension [ReciterRow] {
  /// `Husary has no published recording of it`, of those who were asked to recite it. Not safe to print as it is.
  public func whoLacks(_ request: PlaybackRequest) -> String {
    guard request.only == nil else { return "the recording that was named does not have it" }
    guard case .inOrder(let order) = request.reciters else {
      return "nobody has a published recording of it in \(request.riwayah.displayName)"
    }
    let names = order.compactMap { id in first { $0.id == id }?.name }
    return names.joined(separator: ", ") + (names.count == 1 ? " has" : " have")
      + " no published recording of it"
  }
}

/// When play comes to rest by itself.
public enum SleepTimer: Hashable, Sendable {
  case off
  /// Not set going yet, for want of a clock.
  case after(Duration)
  case at(Duration)
  case endOfAyah
}

/// Everything the player knows; changed by ``reduce(_:_:)`` alone, drawn by ``view(_:)``.
public struct State: Sendable {
  public var size: Size
  public var keymap: Keymap
  /// The words of the ayat, where the person has supplied them.
  public var text: QuranText?
  public var ordersArabic = false
  public var hasColors = true
  /// Whether images can be drawn in their colours, and block characters at all.
  public var hasManyColors = true
  public var hasBlocks = true
  public var usesMouse = true

  /// What plays and what is to follow, in order.
  public internal(set) var queue: [QueueEntry]
  /// Changes whenever what is asked for does.
  public internal(set) var revision = 0
  /// Of the whole queue, repetitions not counted.
  var ayahCount = 0
  public internal(set) var now: NowPlaying?
  public internal(set) var settings: Settings
  /// What is being fetched, or why that takes longer; nil while nothing is.
  public internal(set) var fetching: String?
  /// Decibels that the limiter takes away.
  var limited = 0
  public internal(set) var reciters: [ReciterRow]
  public internal(set) var sleep = SleepTimer.off
  /// Of the last shuffle; nil while all is in order.
  public internal(set) var seed: UInt64?
  /// The saved list that took the place of the queue.
  public internal(set) var list: String?
  public internal(set) var notice: Notice?
  public internal(set) var picture = Picture.waiting
  /// The picture that was asked for last.
  public internal(set) var pictureWish: PictureWish?
  /// The size of a cell in pixels, where the terminal shows images.
  public internal(set) var pixels: CellPixels?

  var panel: Panel?
  /// Who was chosen to recite everything; nil for those who were asked for.
  var reciter: ReciterRow?
  /// Repetitions and gaps that were set for everything; nil for those that were asked for.
  var newRepeats: RepeatSettings?
  /// The item of the queue that is chosen; nil for the one that plays.
  var chosen: PlaybackItem.ID?
  var waveform: Waveform?
  /// The clip whose shape was asked for last.
  var askedWaveform: AudioClip?
  /// Why ayat cannot be heard, where more is known than that nobody has them.
  public internal(set) var reasons: [AyahReference: String] = [:]
  /// The item that was put into the queue by a jump, until it is known what is missing of it.
  var jumpedInto: PlaybackItem.ID?
  /// Other reciters have these of the ayat that are missing.
  var fillable: [PlaybackItem.ID: [AyahRange]] = [:]
  var clock = Duration.zero
  /// When the notice was told, if it is of a pause.
  var pauseToldAt: Duration?
  /// While the notice is one of these.
  var firstNotices: FirstNotices?
  /// Whether the volume was taken down to sleep.
  var isDimmed = false
  /// Whether the volume comes back once play is paused.
  var restoresVolume = false
  var lastNumber = 0

  /// - Parameters:
  ///   - seed: decides the first shuffle; the next ones follow from it.
  ///   - isShuffled: whether it has decided the order of the queue.
  public init(
    size: Size, queue: [QueueEntry], settings: Settings = Settings(), keymap: Keymap = .usual,
    reciters: [ReciterRow] = [], sleep: SleepTimer = .off, seed: UInt64 = 1,
    isShuffled: Bool = false
  ) {
    self.size = size
    self.queue = queue
    self.settings = settings
    self.keymap = keymap
    self.reciters = reciters
    self.sleep = sleep
    nextSeed = isShuffled ? seed &+ 1 : seed
    self.seed = isShuffled ? seed : nil
    lastNumber = queue.map(\.id.number).max() ?? 0
    _ = self.queue.keepRounds(around: nil, lastNumber: &lastNumber)
    countAyat()
    if let problem = keymap.problems.first {
      notice = Notice(.warning, "Settings, keys: \(problem)")
    }
  }

  var nextSeed: UInt64

  mutating func countAyat() {
    ayahCount = queue.ayahCount { [Itinerary($0.request).extent] }
  }

  /// How long the volume goes down before play sleeps.
  var sleepFade = longestSleepFade
  static let longestSleepFade = Duration.seconds(10)

  var context: Context { panel?.context ?? .normal }

  public var items: [PlaybackItem] { queue.map(\.item) }

  func isQueued(_ ayah: AyahReference) -> Bool {
    queue.contains { Itinerary($0.request).extent.contains(ayah) }
  }

  /// The place in the queue of the item that plays.
  var currentIndex: Int? { now.flatMap { now in queue.firstIndex { $0.id == now.item } } }

  /// Of the item that plays and how many there are, other rounds of its shuffle not counted, nor what was heard of
  /// their passes before that shuffle; from 1.
  var itemNumber: (Int, count: Int)? {
    guard let index = currentIndex else { return nil }
    let mix = queue[index].mix
    let round = queue.filter { mix != nil && $0.mix == mix }
    let passes = Dictionary(
      round.map { ($0.rank, $0.request.firstPass) }, uniquingKeysWith: { first, _ in first })
    func counts(_ entry: QueueEntry) -> Bool {
      if entry.mix?.number == mix?.number { return entry.mix == mix }
      guard entry.isOfOnePass, let pass = passes[entry.rank] else { return true }
      return entry.request.firstPass == pass
    }
    return (queue[...index].count(where: counts), queue.count(where: counts))
  }

  var chosenIndex: Int? {
    chosen.flatMap { id in queue.firstIndex { $0.id == id } } ?? currentIndex
      ?? (queue.isEmpty ? nil : 0)
  }

  /// Whether something changes by itself, so that the screen has to be drawn again.
  public var isMoving: Bool {
    if sleep != .off { return true }
    return now?.isPlaying ?? false
  }

  /// How a person calls who is heard; nil while that is not known.
  func name(of clip: AyahClip) -> String? {
    clip.reciter.flatMap { id in reciters.first { $0.id == id }?.name }
  }

  /// Who is heard, or will be: of a clip its reciter, before it is known who was chosen for all.
  func voice(of now: NowPlaying) -> (name: String?, riwayah: Riwayah)? {
    if let clip = now.clip { return (name(of: clip) ?? "unknown reciter", clip.riwayah) }
    let entry = queue.first { $0.id == now.item } ?? queue.first
    guard let entry, !entry.isMissing(now.ayah) else { return nil }
    return (reciter.flatMap { $0.id == nil ? nil : $0.name }, entry.request.riwayah)
  }

  /// What is heard after what is heard now, so many hearings at most.
  public func upcoming(_ count: Int) -> [(entry: QueueEntry, occurrence: AyahOccurrence)] {
    guard let now, var index = currentIndex else { return [] }
    var found: [(QueueEntry, AyahOccurrence)] = []
    var itinerary = Itinerary(queue[index].request)
    var occurrence = now.occurrence
    while found.count < count {
      let isMissing = queue[index].isMissing(occurrence.ayah)
      if let next = itinerary.following(occurrence, skipsRepetitions: isMissing)?.occurrence {
        occurrence = next
      } else if index + 1 < queue.count {
        index += 1
        itinerary = Itinerary(queue[index].request)
        occurrence = itinerary.first
      } else {
        break
      }
      found.append((queue[index], occurrence))
    }
    return found
  }

  /// What of the moving parts the screen shows: while it stays the same nothing has to be drawn.
  public var movingLook: MovingLook {
    var still = now
    still?.frame = nil
    let tenths = Int(((now?.seconds?.passed ?? 0) * 10).rounded(.down))
    let columns = Double(layout.waveform.size.columns)
    var left: Int?
    if case .at(let end) = sleep { left = Int((end - clock) / .seconds(1)) }
    return MovingLook(
      now: still, secondsLeft: left, notice: notice, limited: limited,
      place: .init(tenths: tenths, column: Int((now?.fraction ?? 0) * columns)))
  }

  public struct MovingLook: Hashable, Sendable {
    let now: NowPlaying?
    let secondsLeft: Int?
    let notice: Notice?
    let limited: Int
    var place: Place

    /// Within the ayah.
    struct Place: Hashable {
      let tenths: Int
      let column: Int
    }

    /// What of the screen shows another look.
    public func redrawing(from old: MovingLook) -> Redrawing {
      if self == old { return .nothing }
      var moved = old
      moved.place = place
      return self == moved ? .place : .all
    }
  }

  /// How much of the screen is to be drawn again.
  public enum Redrawing: Comparable, Sendable {
    case nothing
    /// What ``redrawPlace(of:on:)`` draws.
    case place
    case all
  }
}

/// Where everything lies on the screen; the views draw by it and the mouse is understood by it.
struct Layout: Hashable {
  let title: Rect
  let transport: Rect
  let heading: Rect
  let waveform: Rect
  let bar: Rect
  let words: Rect
  /// Of a video; empty where it is hidden.
  let picture: Rect
  let queueHeading: Rect
  let queue: Rect
  let notice: Rect
  let footer: Rect
  /// Empty where none is open.
  let panel: Rect

  static let minSize = Size(columns: 60, rows: 16)
  /// Columns from which on the queue lies beside what plays.
  private static let columnsForSide = 120

  /// What a large picture leaves of the screen's rows to the words, and rows that one row of them needs.
  private static let (shareBesidePicture, leastWordRows) = (8, 2)

  /// What a panel needs beside what plays: the columns of its help, and the rows of the equaliser.
  private static let (panelColumns, panelRows) = (72, 13)

  /// - Parameters:
  ///   - hasText: whether the words of the Quran are to be shown.
  ///   - hasPanel: whether a panel takes the place of the queue.
  ///   - noticeRows: what a notice takes; where it is more than a row, panel, queue and words end above it.
  init(
    _ size: Size, pictureSize: PictureSize = .off, hasText: Bool = false, hasPanel: Bool = false,
    noticeRows: Int = 1
  ) {
    func aboveNotice(_ rect: Rect) -> Rect {
      var rect = rect
      // Below the notice is the footer.
      _ = rect.takeBottom(max(rect.rows.upperBound - (size.rows - 1 - noticeRows), 0))
      return rect
    }
    var rest = Rect(origin: .zero, size: size)
    title = rest.takeTop(1)
    footer = rest.takeBottom(1)
    notice = rest.takeBottom(1)
    transport = rest.takeTop(1)
    let isWide = size.columns >= Self.columnsForSide
    var panel = Rect.zero
    if hasPanel, pictureSize == .large || !isWide {
      panel = rest.takeBottom(max(rest.size.rows / 2, Self.panelRows))
    }
    if pictureSize == .large {
      self.panel = aboveNotice(panel)
      heading = rest.takeTop(2)
      let wordRows =
        hasText && !hasPanel ? max(size.rows / Self.shareBesidePicture, Self.leastWordRows) : 0
      words = aboveNotice(rest.takeBottom(wordRows)).inset(columns: 1, rows: 0)
      bar = rest.takeBottom(1).inset(columns: 1, rows: 0)
      self.picture = rest
      (waveform, queueHeading, queue) = (.zero, .zero, .zero)
      return
    }
    var list = Rect.zero
    if isWide {
      list = rest.takeRight(max(size.columns * 3 / 8, hasPanel ? Self.panelColumns : 0))
    } else if !hasPanel {
      list = rest.takeBottom(max(rest.size.rows * 3 / 8, 4))
    }
    var picture = Rect.zero
    // Of 16 to 9 as most are, in cells twice as high as wide.
    if pictureSize == .small, isWide {
      picture = list.takeTop(min(list.size.columns * 9 / 32, list.size.rows / 2))
    }
    if hasPanel, isWide { panel = list.takeTop(list.size.rows) }
    self.panel = aboveNotice(panel)
    queueHeading = list.takeTop(2)
    queue = aboveNotice(list)
    heading = rest.takeTop(3)
    if pictureSize == .small, !isWide {
      picture = rest.takeRight(min(rest.size.columns / 2, rest.size.rows * 32 / 9))
    }
    self.picture = picture
    waveform = rest.takeTop(max(rest.size.rows * 45 / 100, 3)).inset(columns: 1, rows: 0)
    bar = rest.takeTop(1).inset(columns: 1, rows: 0)
    words = aboveNotice(rest).inset(columns: 1, rows: 0)
  }

  static func fits(_ size: Size) -> Bool {
    size.columns >= minSize.columns && size.rows >= minSize.rows
  }
}

extension State {
  var layout: Layout {
    Layout(
      size, pictureSize: hasColors ? settings.pictureSize : .off, hasText: text != nil,
      hasPanel: panel != nil,
      noticeRows: notice?.rowCount(columns: size.columns, ordersArabic: ordersArabic) ?? 1)
  }
}
