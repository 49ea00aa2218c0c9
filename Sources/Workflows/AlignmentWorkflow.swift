// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import Alignment
public import Analysis
public import AudioCore
public import Quran

/// Hears what a recording sounds like, and aligns it or a part of it with the text: what the command and the
/// editor both do.
public struct AlignmentWorkflow: Sendable {
  public var network: AcousticNetwork
  /// What is recited.
  public var riwayah = Riwayah.hafs
  /// Evidence to leave out.
  public var ignored: Set<AlignmentEvidence> = []
  /// Where the person puts edges; nil for the usual places.
  public var placement: EdgePlacement?
  /// For decoding and for the network.
  public var threadCount: Int
  /// Where what is measured is kept; nil keeps nothing.
  public var sidecars: SidecarFolder?
  public var stopFlag: StopFlag

  public init(
    network: AcousticNetwork = .builtIn, threadCount: Int, sidecars: SidecarFolder?,
    stopFlag: StopFlag = StopFlag()
  ) {
    self.network = network
    self.threadCount = threadCount
    self.sidecars = sidecars
    self.stopFlag = stopFlag
  }

  /// Measures all that an alignment needs; decodes nothing where a sidecar has it. Blocks.
  ///
  /// - Parameters:
  ///   - sizeLimit: how much of the file there is, see `MediaFile`.
  ///   - progress: told the share done, 0...1.
  public func measure(
    path: String, track: Int?, sizeLimit: Int64 = .max,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws(AnalysisError) -> AnalyzedRecording {
    var analyzer = RecordingAnalyzer(
      threadCount: threadCount, sidecars: sidecars, stopFlag: stopFlag, progress: progress)
    analyzer.measuresLogMel = true
    analyzer.sizeLimit = sizeLimit
    return try analyzer.analyze(path: path, track: track)
  }

  /// What a recording sounds like that was measured by ``measure(path:track:progress:)``.
  public func heard(_ recording: AnalyzedRecording) -> HeardRecording {
    HeardRecording(
      envelope: recording.envelope,
      scores: network.scores(of: recording.logMel ?? LogMelFrames(), threadCount: threadCount))
  }

  /// Measures what may be aligned: a whole recording, or a part of it as if it were a recording of its own.
  ///
  /// - Parameter span: from a hop's first frame on; nil for all of it.
  public func aligner(
    _ heard: HeardRecording, in span: Range<FramePosition>? = nil
  ) throws(AnalysisError) -> AcousticAligner {
    let part = try span.map { span throws(AnalysisError) in try heard.part(span) } ?? heard
    var aligner = try AcousticAligner(
      part.envelope, scores: part.scores, riwayah: riwayah,
      without: ignored)
    aligner.stopFlag = stopFlag
    aligner.threadCount = threadCount
    aligner.placement = placement
    if let span { aligner.origin = span.lowerBound }
    return aligner
  }

  /// Where in the Quran what is heard may begin; in a prayer, what follows al-Fatiha.
  ///
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised.
  /// - Returns: nil where nothing is said.
  public func places(
    _ aligner: AcousticAligner, _ search: PlaceSearch, prayer: AlignmentRequest.Prayer = .none
  ) throws(AnalysisError) -> PlaceReport? {
    guard aligner.hearsVoice else { return nil }
    let stopFlag = stopFlag
    let report = aligner.places(search, prayer: prayer, threadCount: threadCount) {
      stopFlag.isStopped
    }
    if stopFlag.isStopped { throw .cancelled }
    return report
  }
}

/// What a recording sounds like, by the network.
public struct HeardRecording: Sendable {
  public var envelope: Envelope
  public var scores: AcousticScores

  public init(envelope: Envelope, scores: AcousticScores) {
    self.envelope = envelope
    self.scores = scores
  }

  /// A part as if it were all there is.
  func part(_ span: Range<FramePosition>) throws(AnalysisError) -> HeardRecording {
    let grid = envelope.grid
    let first = grid.hop(containing: span.lowerBound)
    let length = span.upperBound - span.lowerBound
    let hops = try envelope.hops(in: first..<first + grid.hopCount(covering: length))
    func frame(_ position: FramePosition) -> Int {
      let seconds = position.seconds(at: grid.rate)
      return min(Int(seconds * Double(LogMelFrames.framesPerSecond)), scores.count)
    }
    return HeardRecording(
      envelope: Envelope(rate: grid.rate, length: length, hops: hops),
      scores: scores[frame(span.lowerBound)..<max(frame(span.upperBound), frame(span.lowerBound))])
  }
}
