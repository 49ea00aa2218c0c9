// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import AudioCore
public import Decoding
import Glibc

/// What one pass over a recording yields.
public struct AnalyzedRecording: Sendable {
  public let format: AudioFormat
  public let envelope: Envelope
  /// What was wrong with the file and could be mended, in order.
  public let warnings: [DecodingWarning]
  /// Where packets lie, for decoders to come.
  public let seekIndex: SeekIndex?
  /// What it sounds like, where that was asked for.
  public let logMel: LogMelFrames?
  /// How loud it is, where that was asked for or is known.
  public let loudness: Loudness?
  /// Whether a sidecar spared the work.
  public let isFromSidecar: Bool
  /// Why no sidecar was kept, in the system's words; nil when all went well.
  public let sidecarProblem: String?
}

/// Decodes a recording once, on as many threads as asked for, and keeps its envelope.
///
/// Long recordings are cut into parts of half a minute. Each thread takes the next part that nobody has,
/// seeks there exactly and measures it; the parts are joined in order, so the number of threads makes no
/// difference. Nor does the cutting, but for AAC's noise substitution, which is random by design, and a few
/// hops at the edges of a damaged place in a FLAC, which is found in blocks counted from where reading
/// began.
public struct RecordingAnalyzer: Sendable {
  /// Decoding threads for one recording.
  public var threadCount: Int
  /// Where sidecars are kept; nil keeps none.
  public var sidecars: SidecarFolder?
  public var stopFlag: StopFlag
  /// Whether log-mel frames and loudness are wanted as well, which cost a second or two an hour and half.
  public var measuresLogMel = false
  /// Called on the analysing thread with the share done, 0...1.
  public var progress: (@Sendable (Double) -> Void)?
  /// Called on the analysing thread with the hops as they are measured, in order and from the first on;
  /// never for a recording whose sidecar spares the work.
  public var measured: (@Sendable ([Hop]) -> Void)?
  /// How much of the file there is, see `MediaFile`.
  public var sizeLimit = Int64.max
  /// How much a thread takes at a time.
  var hopsPerPart = PartPlan.usualHopsPerPart

  public init(
    threadCount: Int, sidecars: SidecarFolder?, stopFlag: StopFlag = StopFlag(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.threadCount = threadCount
    self.sidecars = sidecars
    self.stopFlag = stopFlag
    self.progress = progress
  }

  /// Analyses a file, or finds it analysed already. Blocks; not for Swift's cooperative threads.
  public func analyze(path: String, track: Int? = nil) throws(AnalysisError) -> AnalyzedRecording {
    let file = try AnalysisError.wrapping { () throws(DecodingError) in
      try MediaFile(path: path, sizeLimit: sizeLimit, stopFlag: stopFlag)
    }
    let key = try AnalysisError.wrapping { () throws(DecodingError) in
      try file.contentKey(track: track)
    }
    if let kept = sidecars?.read(key: key, needsLogMel: measuresLogMel) {
      return AnalyzedRecording(
        format: kept.facts.format, envelope: kept.envelope, warnings: kept.facts.warnings,
        seekIndex: kept.facts.seekIndex, logMel: kept.logMel, loudness: kept.facts.loudness,
        isFromSidecar: true, sidecarProblem: nil)
    }
    let source = try AnalysisError.wrapping { () throws(DecodingError) in
      try MediaSource(file, track: track)
    }
    return try analyze(source, key: key)
  }

  /// How loud a file is, where an analysis that asked for it has left a sidecar. Blocks; reads no sound.
  public static func knownLoudness(
    path: String, track: Int? = nil, sidecars: SidecarFolder
  ) -> Loudness? {
    guard let file = try? MediaFile(path: path), let key = try? file.contentKey(track: track) else {
      return nil
    }
    return sidecars.read(key: key)?.facts.loudness
  }

  private static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private func analyze(
    _ source: MediaSource, key: [UInt8]
  ) throws(AnalysisError) -> AnalyzedRecording {
    var writer: SidecarWriter?
    var problem: String?
    do throws(SidecarWriter.Problem) {
      writer = try sidecars?.makeWriter(key: key)
    } catch {
      problem = error.text
    }
    // Hops that are not kept still need not fill the memory.
    writer = writer ?? (try? SidecarWriter(scratchIn: Self.temporaryFolder))
    let format = source.description.format
    let grid = HopGrid(rate: format.rate)
    var builder = EnvelopeBuilder(grid: grid, writer: writer)
    var reading = RecordingReading(length: .zero, warnings: source.description.warnings)

    let parts = PartPlan(
      source: source, grid: grid, hopsPerPart: hopsPerPart, measuresLogMel: measuresLogMel)
    // In parts even on one thread, so that AAC's noise falls the same however many there are.
    if parts.count > 1 {
      try analyzeInParts(source, parts, into: &builder, &reading)
    }
    if !reading.isComplete {
      try analyzeSerially(source, from: builder.hopCount, into: &builder, &reading)
    }
    guard reading.length > .zero else {
      throw .decoding(DecodingError(.noFrames, file: source.file.path))
    }
    if reading.mix.isCancelled { reading.warnings.append(.cancelledChannels) }
    reading.warnings = DecodingWarning.merged(reading.warnings)
    let loudness = builder.loudness?.loudness(
      wholeTenths: LoudnessAnalyzer.wholeTenths(in: reading.length, at: format.rate))
    let facts = SidecarFacts(
      format: format, seekIndex: source.seekIndex, warnings: reading.warnings, loudness: loudness)
    let envelope = try builder.finish(length: reading.length, facts: facts)
    progress?(1)
    return AnalyzedRecording(
      format: format, envelope: envelope, warnings: reading.warnings,
      seekIndex: source.seekIndex, logMel: builder.logMel, loudness: loudness,
      isFromSidecar: false,
      sidecarProblem: problem ?? (sidecars == nil ? nil : builder.sidecarProblem))
  }

  /// Measures the parts on as many threads as asked for and appends them in order.
  ///
  /// Where a part is not what the file promised, the parts before it stand and the rest is left to serial
  /// reading, which knows what to make of damage.
  private func analyzeInParts(
    _ source: MediaSource, _ parts: PartPlan, into builder: inout EnvelopeBuilder,
    _ reading: inout RecordingReading
  ) throws(AnalysisError) {
    let board = Monitor(PartBoard(count: parts.count, ahead: 4 * threadCount))
    let stopFlag = stopFlag
    let threads = (0..<min(threadCount, parts.count)).compactMap { _ in
      WorkerThread {
        let buffer = PCMBuffer(channels: source.description.format.channels, frameCapacity: 8192)
        while let part = board.wait({ $0.take() }) {
          let result: PartResult
          if stopFlag.isStopped {
            result = .stopped
          } else {
            result = parts.measure(part, of: source, buffer, stopFlag)
          }
          board.update { $0.deliver(result, for: part) }
        }
      }
    }
    guard !threads.isEmpty else { throw .noThread }
    defer {
      board.update { $0.abandon() }
      for thread in threads { thread.join() }
    }
    for part in 0..<parts.count {
      switch board.wait({ $0.collect(part) }) {
      case .sound(let sound, let nonFinite):
        try builder.append(sound)
        reading.mix += sound.mix
        measured?(sound.hops)
        if nonFinite > 0 { reading.warnings.append(.notFinite(samples: nonFinite)) }
        progress?(Double(part + 1) / Double(parts.count))
      case .stopped: throw .cancelled
      case .irregular: return
      }
    }
    reading.length = parts.length
    reading.isComplete = true
  }

  private func analyzeSerially(
    _ source: MediaSource, from firstHop: Int, into builder: inout EnvelopeBuilder,
    _ reading: inout RecordingReading
  ) throws(AnalysisError) {
    let format = source.description.format
    let expected = source.description.frameCount ?? source.description.estimatedFrameCount
    var meter = SoundMeter(format: format, firstHop: firstHop, measuresLogMel: measuresLogMel)
    let buffer = PCMBuffer(channels: format.channels, frameCapacity: 8192)
    let decoder = try AnalysisError.wrapping { () throws(DecodingError) in
      try source.makeDecoder(isRepeatable: false)
    }
    try AnalysisError.wrapping { () throws(DecodingError) in
      try meter.prime(from: decoder)
    }
    let warningsBefore = decoder.warnings
    while !stopFlag.isStopped {
      let count = try AnalysisError.wrapping { () throws(DecodingError) in
        try decoder.read(into: buffer)
      }
      if count == 0 { break }
      meter.push(buffer.filled)
      guard meter.sound.hops.count >= 1024 else { continue }
      try builder.append(meter.sound.hops)
      measured?(meter.sound.hops)
      meter.sound.hops.removeAll(keepingCapacity: true)
      if let expected, expected > .zero {
        progress?(min(1, Double(decoder.position.frames) / Double(expected.frames)))
      }
    }
    meter.finish(endsRecording: true)
    reading.length = decoder.position - .zero
    reading.warnings += decoder.warnings.added(since: warningsBefore)
    if stopFlag.isStopped { throw .cancelled }
    try builder.append(meter.sound)
    reading.mix += meter.sound.mix
    measured?(meter.sound.hops)
    reading.isComplete = true
  }
}
