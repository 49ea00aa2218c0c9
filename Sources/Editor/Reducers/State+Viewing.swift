// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  mutating func performViewing(_ action: Action) {
    let segment = selectedSegment
    let page = max(viewport.columns * 3 / 4, 1)
    let before = viewport
    isCentred = action == .zoomClose || isCentred && !Self.turnsAway(action)
    defer {
      // What a person chose to see stays in sight while the playhead is elsewhere.
      if viewport != before { isFollowing = seesPlayhead && action != .zoomClose }
    }
    switch action {
    case .zoomIn: viewport.zoom(by: 2, at: focus)
    case .zoomOut: viewport.zoom(by: 0.5, at: focus)
    case .zoomAll: viewport.showAll()
    case .zoomClose:
      viewport.show(seconds: 2, around: selectedMarker?.position ?? transport.position)
    case .zoomSegment:
      let margin = FrameCount(segment.span.length.frames / 20)
      viewport.show(segment.span.lowerBound - margin..<segment.span.upperBound + margin)
    case .viewLeft: viewport.scroll(columns: -page)
    case .viewRight: viewport.scroll(columns: page)
    case .viewFollow:
      settings.follows.toggle()
      isFollowing = true
      notice = Notice(
        .done, settings.follows ? "The view follows the playhead" : "The view stays where it is")
    case .viewSpectrogram:
      settings.canvas = settings.canvas == .waveform ? .spectrogram : .waveform
    case .viewFilter: turnFilter()
    case .viewBraille where truePixels != nil:
      notice = Notice(.hint, "Drawn in pixels; the setting editor.pixels = \"off\" draws in cells")
    case .viewBraille:
      settings.drawing = settings.drawing.next
      notice = Notice(.done, settings.drawing.sentence)
    case .viewLinear:
      settings.amplitude = settings.amplitude.next
      notice = Notice(.done, settings.amplitude.sentence)
    case .viewPicture:
      settings.pictureSize = settings.pictureSize.next
      notice = Notice(
        hasColors ? .done : .warning,
        hasColors ? settings.pictureSize.sentence : "Pictures need a terminal with colours")
    case .viewAspect:
      settings.pictureAspect = settings.pictureAspect.next
      let key = keymap.hint(for: .viewPicture, in: .normal).map { "; \($0) shows it" } ?? ""
      notice =
        !hasColors
        ? Notice(.warning, "Pictures need a terminal with colours")
        : settings.pictureSize == .off
          ? Notice(.hint, "The picture is hidden\(key)")
          : Notice(.done, settings.pictureAspect.sentence)
    case .viewThumbnails:
      switch (settings.showsThumbnails, settings.listsThumbnails) {
      case (true, false): settings.listsThumbnails = true
      case (true, true): (settings.showsThumbnails, settings.listsThumbnails) = (false, false)
      case (false, _): settings.showsThumbnails = true
      }
      notice =
        !hasManyColors
        ? Notice(.warning, "Thumbnails need a terminal with 256 colours")
        : settings.showsThumbnails && Layout.thumbnailRows(of: size) == 0
          ? Notice(.warning, "Thumbnails need more rows than this terminal has")
          : Notice(.done, thumbnailSentence)
    case .viewScenes:
      settings.showsSceneMarks.toggle()
      notice =
        settings.showsSceneMarks
        ? Self.sceneSearch : Notice(.done, "Cuts and stillness are not marked")
    case .viewFloor:
      settings.showsFloor.toggle()
      notice = Notice(
        .done,
        settings.showsFloor ? "Noise floor and threshold are shown" : "Noise floor is hidden")
    default: break
    }
  }

  /// Takes in what is to be seen, or that there is nothing: then the segments have its room.
  mutating func take(_ picture: Picture) {
    guard pictureWish != nil else { return }
    let before = self.picture
    self.picture = picture
    guard case .missing(let reason) = picture else { return }
    pictureObstacle = reason
    if notice == Notice(.done, settings.pictureSize.sentence) {
      // The key has just asked for it, and is refused now that this is known.
      settings.pictureSize = .off
      notice = Notice(.hint, reason)
    } else if case .shown = before {
      notice = Notice(.warning, reason)
    }
  }

  /// Takes in that there are no thumbnails, and says why where the key has just asked for them.
  mutating func takeNoThumbnails(_ reason: String) {
    guard thumbnailWish != nil else { return }
    thumbnailObstacle = reason
    if notice == Notice(.done, thumbnailSentence) { notice = Notice(.hint, reason) }
  }

  private var thumbnailSentence: String {
    if !settings.showsThumbnails { return "Thumbnails are hidden" }
    if settings.listsThumbnails, settings.pictureSize == .large {
      let key = keymap.hint(for: .viewPicture, in: .normal).map { "; \($0) makes it smaller" } ?? ""
      return "The large picture leaves no room for thumbnails beside the segments\(key)"
    }
    return settings.listsThumbnails
      ? "Thumbnails of a video are beside the segments too"
      : "Thumbnails of a video are under the overview"
  }

  /// Whether a person looks at something other than an edge then.
  private static func turnsAway(_ action: Action) -> Bool {
    switch action {
    case .zoomAll, .zoomSegment, .viewLeft, .viewRight: true
    default: false
    }
  }

  var seesPlayhead: Bool { viewport.column(of: transport.position) != nil }

  /// What zooming keeps in its place: the playhead or else the selected edge, if in sight.
  private var focus: FramePosition {
    let middle = viewport.position(ofColumn: viewport.columns / 2)
    let edge = selectedMarker?.position ?? selectedSegment.span.lowerBound
    return [transport.position, edge].first { viewport.column(of: $0) != nil } ?? middle
  }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
  /// The one after this, and the first after the last.
  fileprivate var next: Self {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? all.startIndex
    return all[(index + 1) % all.count]
  }
}

extension Settings.Drawing {
  fileprivate var sentence: String {
    switch self {
    case .blocks: "Drawn in blocks"
    case .sextants: "Drawn in sixths of a cell; if you see boxes, your font does not have them"
    case .braille: "Drawn in dots"
    }
  }
}

extension PictureSize {
  fileprivate var sentence: String {
    switch self {
    case .off: "The picture is hidden"
    case .small: "The picture is beside the segments"
    case .large: "The picture replaces the segments"
    }
  }
}

extension Settings.Amplitude {
  fileprivate var sentence: String {
    switch self {
    case .decibels: "Decibels, from the noise floor of this recording to its peak"
    case .fullScale: "Decibels, -60 to 0 dBFS"
    case .linear: "Linear, full scale"
    }
  }
}

// MARK: Windows of sound

extension State {
  /// Whether the bars of the canvas are of so many hops that their levels are drawn.
  var areBarsOfHops: Bool {
    let barsPerCell = truePixels?.width ?? ColumnChart.barsPerColumn
    return viewport.framesPerColumn / Int64(barsPerCell) >= sound.levels.minFrames
  }

  /// Whether the canvas needs samples, or the levels of the detector that come with them.
  var drawsSamples: Bool {
    settings.amplitude == .linear || settings.showsFloor || !areBarsOfHops
      || !sound.levels.reach(over: viewport.span)
  }

  /// Whether there is a waveform to look at.
  public var hasWaveform: Bool {
    sound.levels.hopCount > 0 && (sound.waveform != nil || !drawsSamples)
  }

  /// Asks for the columns that the screen needs and has not got; one request of a kind at a time.
  mutating func requestWindows(_ effects: inout [Effect]) {
    guard isOpen, document.length > .zero else { return }
    switch settings.canvas {
    case .waveform:
      guard drawsSamples else { break }
      request(
        .waveform, covering: viewport.span, cells: viewport.columns,
        perCell: waveformColumnsPerCell, bands: 0, have: sound.waveform?.extent, &effects)
    case .spectrogram:
      let cell = spectrogramCell
      request(
        .spectrogram, covering: viewport.span, cells: viewport.columns, perCell: cell.columns,
        bands: spectrogramBands, have: sound.spectrogram?.extent,
        &effects)
    }
    if case .assignment(let panel) = panel, panel.showsSplit,
      let segment = document.segment(panel.segment)
    {
      request(
        .miniature, exactly: segment.span, columns: AssignmentPanel.miniatureColumns(size),
        have: sound.miniature?.extent, &effects)
    }
  }

  /// Asks for half a screen more on either side, so that scrolling has something to show.
  private mutating func request(
    _ use: WindowRequest.Use, covering span: Range<FramePosition>, cells: Int, perCell: Int,
    bands: Int, have extent: WindowExtent?, _ effects: inout [Effect]
  ) {
    let scale = viewport.framesPerColumn
    let wantedRate = Double(perCell) / Double(scale)
    let isFine =
      extent.map {
        $0.span.clamped(to: span) == span && abs($0.columnsPerFrame / wantedRate - 1) < 0.1
          && $0.bands == bands
      } ?? false
    if isFine, !sound.stale.contains(use) { return }
    let margin = FrameCount(scale * Int64(cells / 2))
    let first = max(span.lowerBound - margin, .zero)
    let wide = first..<min(span.upperBound + margin, end)
    let columns = (wide.length.frames + scale - 1) / scale * Int64(perCell)
    let request = WindowRequest(use: use, span: wide, columns: Int(columns), bands: bands)
    ask(request, &effects)
  }

  private mutating func request(
    _ use: WindowRequest.Use, exactly span: Range<FramePosition>, columns: Int,
    have extent: WindowExtent?, _ effects: inout [Effect]
  ) {
    guard !span.isEmpty, columns > 0 else { return }
    if extent?.span == span, !sound.stale.contains(use) { return }
    ask(WindowRequest(use: use, span: span, columns: columns), &effects)
  }

  private mutating func ask(_ request: WindowRequest, _ effects: inout [Effect]) {
    guard sound.requested[request.use] == nil, sound.failed[request.use] != request else { return }
    sound.requested[request.use] = request
    sound.stale.remove(request.use)
    effects.append(.load(request))
  }

  /// Takes in what has become known of the sound.
  mutating func takeSound(_ event: Event) {
    switch event {
    case .analysed(let fraction, let overview):
      sound.analysis = fraction < 1 ? max(fraction, 0) : nil
      sound.overview = overview
      sound.stale = [.waveform, .spectrogram, .miniature]
      sound.failed = [:]
    case .analysisFailed(let reason):
      sound.analysis = nil
      notice = Notice(.failure, "Cannot analyse the recording: \(reason)")
    case .levels(let first, let codes): sound.levels.take(codes, from: first)
    case .pauses(let pauses): sound.pauses = pauses.filter { !$0.isEmpty }
    case .waveform(let window, let request):
      sound.answer(request)
      if request.use == .miniature { sound.miniature = window } else { sound.waveform = window }
    case .spectrogram(let window, let request):
      sound.answer(request)
      sound.spectrogram = window
    case .windowFailed(let request):
      sound.answer(request)
      sound.failed[request.use] = request
    default: break
    }
  }
}

/// What a window covers, and how finely.
struct WindowExtent: Hashable {
  let span: Range<FramePosition>
  let columns: Int
  let bands: Int

  var columnsPerFrame: Double { Double(columns) / Double(max(span.length.frames, 1)) }
}

extension WaveformWindow {
  fileprivate var extent: WindowExtent {
    WindowExtent(span: span, columns: columns.count, bands: 0)
  }
}

extension SpectrogramWindow {
  fileprivate var extent: WindowExtent {
    WindowExtent(span: span, columns: columnCount, bands: bands)
  }
}
