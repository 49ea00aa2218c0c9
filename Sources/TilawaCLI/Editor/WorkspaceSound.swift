// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Dispatch
import Editor
import Glibc

/// What is known of how the open recording sounds, and the threads that find out more.
///
/// Everything that takes long runs on threads of its own; what is found comes back as events.
final class WorkspaceSound: Sendable {
  let rate: SampleRate
  let length: FrameCount
  /// Nil while the library does not know the recording.
  private let file: WorkspaceFile?
  private let tell: @Sendable (Event) -> Void
  private let known: Monitor<Known>
  private let windows = DispatchQueue(label: "tilawa.editor.windows")
  private let searches = DispatchQueue(label: "tilawa.editor.detection")
  private let analysisStop = StopFlag()

  /// Points of the overview strip: more than any terminal has columns.
  private static let overviewPoints = 1500

  /// A search for boundaries or for where reciting begins.
  private struct Search {
    let id: Int
    let isWaitedFor: Bool
    let stop: StopFlag
    let body:
      @Sendable (
        BoundarySearch, StopFlag, @escaping @Sendable (Double) -> Void
      ) throws(Failure) -> Event?
  }

  private struct Known {
    var source: MediaSource?
    /// As far as it is measured.
    var envelope: Envelope?
    var levels: DetectorLevels?
    /// dBFS of the loudest 10 ms, by which spectrograms are drawn.
    var loudest = -10.0
    /// Of the whole recording, once it is measured.
    var boundaries: BoundarySearch?
    /// Ends the search that the person waits for.
    var search: StopFlag?
    /// What was to be searched for before all was measured.
    var postponed: [Search] = []
    var isClosed = false
  }

  init(
    rate: SampleRate, length: FrameCount, file: WorkspaceFile? = nil,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    self.rate = rate
    self.length = length
    self.file = file
    self.tell = tell
    known = Monitor(Known())
  }

  /// Ends what is under way.
  func close() {
    analysisStop.stop()
    known.update { known in
      known.isClosed = true
      known.search?.stop()
      known.boundaries?.close()
    }
  }

  var isClosed: Bool { known.update { $0.isClosed } }

  private func say(_ event: Event) {
    if !known.update({ $0.isClosed }) { tell(event) }
  }
}

// MARK: - Analysis

extension WorkspaceSound {
  /// Finds out what the recording sounds like, from its sidecar or by decoding it.
  ///
  /// - Parameters:
  ///   - sizeLimit: what lies behind so many bytes was written after the library had read the file.
  ///   - opened: takes what sound and picture are read from, or why they cannot be.
  func analyze(
    path: String, track: Int?, sizeLimit: Int64, sidecars: SidecarFolder?,
    opened: @escaping @Sendable (RecordingFile) -> Void
  ) {
    let work = { @Sendable [self] in
      let growth = GrowingSound(rate: rate, length: length)
      var analyzer = RecordingAnalyzer(
        threadCount: ProcessorCores.count, sidecars: sidecars, stopFlag: analysisStop)
      analyzer.measured = { [self] hops in take(hops, into: growth) }
      analyzer.sizeLimit = sizeLimit
      let source: MediaSource
      do throws(DecodingError) {
        source = try MediaSource(path: path, track: track, sizeLimit: sizeLimit)
      } catch {
        let reason = Failure(AnalysisError(error)).message
        opened(.failure(PictureObstacle(unreadable: reason)))
        return fail(reason)
      }
      take(source)
      opened(.success(source))
      do throws(AnalysisError) {
        let analyzed = try analyzer.analyze(path: path, track: track)
        if let index = analyzed.seekIndex, source.seekIndex == nil,
          let indexed = try? MediaSource(
            path: path, track: track, seekIndex: index, sizeLimit: sizeLimit)
        {
          // With the index, far seeks need not look for their place.
          take(indexed)
          opened(.success(indexed))
        }
        try finish(analyzed.envelope)
      } catch {
        // One that was stopped was stopped by the person.
        if error != .cancelled { fail(Failure(error).message) }
      }
    }
    if WorkerThread(work) == nil {
      fail("the system cannot start another thread")
    }
  }

  private func fail(_ reason: String) {
    say(.analysisFailed(reason: reason))
    for search in takePostponed() { say(.detectionFailed(id: search.id, reason: reason)) }
  }

  private func takePostponed() -> [Search] {
    known.update { known in
      defer { known.postponed = [] }
      return known.postponed
    }
  }

  func cancelAnalysis() { analysisStop.stop() }

  /// Whether the analysis has been told to stop; the same flag ends an import.
  var stopFlag: StopFlag { analysisStop }

  /// Takes in hops that an import measures.
  func take(_ hops: [Hop], into growth: GrowingSound) {
    guard let piece = growth.take(hops) else { return }
    known.update { $0.envelope = piece.envelope }
    say(.levels(first: piece.firstHop, codes: piece.codes))
    say(.analysed(fraction: min(piece.fraction, 0.999), overview: piece.overview))
  }

  /// The source that sound is read from.
  func take(_ source: MediaSource) { known.update { $0.source = source } }

  /// Takes in the whole.
  func finish(_ envelope: Envelope) throws(AnalysisError) {
    let boundaries = BoundarySearch(envelope, of: file) { [weak self] in self?.say(.learnt($0)) }
    known.update { known in
      known.envelope = envelope
      known.boundaries = boundaries
    }
    for search in takePostponed() { run(search) }
    let overview = try envelope.overview(points: Self.overviewPoints)
    say(.analysed(fraction: 1, overview: overview))
    var codes: [UInt8] = []
    codes.reserveCapacity(envelope.hopCount)
    var peak: Float = 0
    for start in stride(from: 0, to: envelope.hopCount, by: 8192) {
      for hop in try envelope.hops(in: start..<min(start + 8192, envelope.hopCount)) {
        codes.append(LevelTrack.code(meanSquare: hop.meanSquare))
        peak = max(peak, hop.meanSquare)
      }
    }
    say(.levels(first: 0, codes: codes))
    let loudest = 10 * log10(Double(max(peak, 1e-9)))
    let levels = try DetectorLevels(envelope)
    known.update { known in
      known.levels = levels
      known.loudest = loudest
    }
    say(.pauses(try PauseDetector().detect(in: envelope).pauses.map(\.span)))
  }
}

// MARK: - Windows

extension WorkspaceSound {
  /// Makes the columns that a screen asks for.
  func load(_ request: WindowRequest) {
    windows.async { [self] in
      guard let event = try? window(request) else { return say(.windowFailed(request)) }
      say(event)
    }
  }

  private func window(_ request: WindowRequest) throws(AnalysisError) -> Event? {
    let (source, envelope, levels, loudest) = known.update {
      ($0.source, $0.envelope, $0.levels, $0.loudest)
    }
    switch request.use {
    case .waveform, .miniature:
      guard let columns = try columns(request, source, envelope, levels) else { return nil }
      return .waveform(WaveformWindow(span: request.span, columns: columns), for: request)
    case .spectrogram:
      guard let source else { return nil }
      // Full colour for a band that holds a good part of the loudest sound.
      let spectrogram = try Spectrogram.measure(
        source, span: request.span, columns: request.columns, bands: request.bands,
        loudest: loudest - 6)
      return .spectrogram(
        SpectrogramWindow(
          span: request.span, bands: spectrogram.bands, values: spectrogram.values), for: request)
    }
  }

  /// Columns of fewer hops than this are read from the samples.
  private static let minHopsPerColumn = 4.0

  private func columns(
    _ request: WindowRequest, _ source: MediaSource?, _ envelope: Envelope?,
    _ levels: DetectorLevels?
  ) throws(AnalysisError) -> [WaveformWindow.Column]? {
    let grid = HopGrid(rate: rate)
    let framesPerColumn = Double(request.span.length.frames) / Double(max(request.columns, 1))
    let hopsPerColumn = framesPerColumn * Double(HopGrid.hopsPerSecond) / Double(rate.hertz)
    let peaks: [Peaks]
    if let source, source.isSeekCheap || source.seekIndex != nil,
      hopsPerColumn < Self.minHopsPerColumn
    {
      peaks = try SpanPeaks.measure(source, span: request.span, columns: request.columns)
    } else {
      guard let envelope else { return nil }
      peaks = try Self.peaks(of: envelope, request, grid)
    }
    return peaks.enumerated().map { index, peaks in
      let middle = request.span.lowerBound.frames + Int64((Double(index) + 0.5) * framesPerColumn)
      let hop = grid.hop(containing: FramePosition(middle))
      return WaveformWindow.Column(
        minimum: Float(peaks.minimum) / 32767, maximum: Float(peaks.maximum) / 32767,
        rms: peaks.meanSquare.squareRoot(), floor: levels?.floor(at: hop),
        threshold: levels?.threshold(at: hop))
    }
  }

  /// Columns of an envelope that may not reach as far as asked for; what is not known yet is silent.
  private static func peaks(
    of envelope: Envelope, _ request: WindowRequest, _ grid: HopGrid
  ) throws(AnalysisError) -> [Peaks] {
    let first = grid.hop(containing: request.span.lowerBound)
    let last = grid.hop(containing: request.span.upperBound - FrameCount(1)) + 1
    let wanted = first..<max(last, first + 1)
    let there = wanted.clamped(to: 0..<envelope.hopCount)
    let silence = Peaks(meanSquare: 0, minimum: 0, maximum: 0)
    guard there.count < wanted.count else {
      return try envelope.peaks(in: wanted, columns: request.columns)
    }
    let columns = request.columns * there.count / wanted.count
    let known = columns > 0 ? try envelope.peaks(in: there, columns: columns) : []
    return known + Array(repeating: silence, count: request.columns - known.count)
  }
}

// MARK: - Detection

extension WorkspaceSound {
  /// Looks for boundaries; a newer search ends an older one.
  func detect(_ request: DetectionRequest) {
    search(request.id, isWaitedFor: !request.isRealignment) {
      search, stop, progress throws(Failure) in
      .detected(
        id: request.id,
        try search.report(for: request, stopFlag: stop, progress: progress))
    }
  }

  /// Has an alignment ready to be mended. What keeps it from that is told when it is asked for.
  func prepare(_ request: DetectionRequest) {
    search(request.id, isWaitedFor: false) { search, stop, _ in
      try? search.prepare(for: request, stopFlag: stop)
      return nil
    }
  }

  /// Looks for where in the Quran reciting begins; a newer search ends an older one.
  func propose(_ request: StartRequest) {
    search(request.id, isWaitedFor: true) { search, stop, progress throws(Failure) in
      .proposed(
        id: request.id,
        try search.proposals(for: request, stopFlag: stop, progress: progress))
    }
  }

  private func search(
    _ id: Int, isWaitedFor: Bool,
    _ body:
      @escaping @Sendable (
        BoundarySearch, StopFlag, @escaping @Sendable (Double) -> Void
      ) throws(Failure) -> Event?
  ) {
    let stop = StopFlag()
    if isWaitedFor {
      known.update { known in
        known.search?.stop()
        known.search = stop
      }
    }
    run(Search(id: id, isWaitedFor: isWaitedFor, stop: stop, body: body))
  }

  /// Carries a search out as soon as the whole recording is measured.
  private func run(_ wanted: Search) {
    searches.async { [self] in
      guard !wanted.stop.isStopped else { return }
      let search = known.update { known in
        if known.boundaries == nil { known.postponed.append(wanted) }
        return known.boundaries
      }
      guard let search else { return }
      let told = Monitor(-1)
      do throws(Failure) {
        let event = try wanted.body(search, wanted.stop) { [self] fraction in
          let percent = Int(fraction * 100)
          let isNews = told.update { told in
            defer { told = percent }
            return told != percent
          }
          if isNews, wanted.isWaitedFor { say(.searching(id: wanted.id, fraction: fraction)) }
        }
        if let event { say(event) }
      } catch {
        // Whoever gave it up does not wait for an answer.
        guard error.code != Failure.interrupted else { return }
        say(.detectionFailed(id: wanted.id, reason: error.message))
      }
    }
  }

  func cancelDetection() { known.update { $0.search?.stop() } }
}
