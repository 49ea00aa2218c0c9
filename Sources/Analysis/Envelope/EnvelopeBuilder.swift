// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore

/// Collects hops in order into an envelope, on disk as long as that goes well, and what else was measured.
struct EnvelopeBuilder {
  private let grid: HopGrid
  private var summary = EnvelopeSummary()
  private var writer: SidecarWriter?
  private var memory: [Hop] = []
  private(set) var hopCount = 0
  private(set) var logMel: LogMelFrames?
  private(set) var loudness: LoudnessTenths?
  /// Why the sidecar could not be written, in the system's words.
  private(set) var sidecarProblem: String?

  /// - Parameter writer: where the hops go; nil keeps them in memory.
  init(grid: HopGrid, writer: SidecarWriter?) {
    self.grid = grid
    self.writer = writer
  }

  /// Appends a part of which all was measured, or the rest of it.
  mutating func append(_ sound: MeasuredSound) throws(AnalysisError) {
    if let frames = sound.logMel {
      logMel = logMel ?? LogMelFrames()
      logMel?.levels += frames.levels
    }
    if let tenths = sound.loudness {
      loudness = loudness ?? LoudnessTenths()
      loudness?.append(tenths)
    }
    try append(sound.hops)
  }

  mutating func append(_ hops: [Hop]) throws(AnalysisError) {
    for hop in hops { summary.append(hop) }
    if let writer {
      if let problem = writer.append(hops) {
        // A full disk costs the cache, not the analysis: take back what was written and go on.
        sidecarProblem = problem
        memory = try writer.takeBack(hopCount)
        memory += hops
        self.writer = nil
      }
    } else {
      memory += hops
    }
    hopCount += hops.count
  }

  /// Ends the recording after `length` frames.
  ///
  /// - Parameter facts: what else the sidecar keeps.
  mutating func finish(
    length: FrameCount, facts: SidecarFacts
  ) throws(AnalysisError) -> Envelope {
    summary.finish()
    if let writer {
      switch writer.finish(
        hopCount: hopCount, length: length, summary: summary, logMel: logMel, facts: facts)
      {
      case .success(let store):
        return Envelope(grid: grid, length: length, summary: summary, store: store)
      case .failure(let problem):
        sidecarProblem = problem.text
        memory = try writer.takeBack(hopCount)
      }
    }
    return Envelope(grid: grid, length: length, summary: summary, store: HopStore(memory))
  }
}
