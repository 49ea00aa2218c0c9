// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Encoding
import Synchronization

/// What became of a recording.
public struct CaptureReport: Hashable, Sendable {
  /// A stretch of silence that stands for what was not heard.
  public struct Gap: Hashable, Sendable {
    public let start: FramePosition
    /// As the clock measured it: right to a few milliseconds.
    public let length: FrameCount
  }

  /// Frames in the file.
  public internal(set) var frameCount = FrameCount.zero
  /// Where the computer was too slow, or slept, and the device dropped sound.
  public internal(set) var gaps: [Gap] = []
  /// Samples at full scale, in all channels.
  public internal(set) var clippedCount = 0
  /// Why the recording ended by itself; nil when it was stopped.
  public internal(set) var problem: CaptureError?
}

/// Records from an ALSA device into a FLAC file.
///
/// The file lies at its place from the beginning and can be read at any time; were the program killed, it
/// would lack the last tenth of a second. A device that overran leaves a gap, which is filled with as much
/// silence, so that everything after it keeps its time.
public final class Recorder: @unchecked Sendable {
  // Unchecked because `input` and `file` are no values: `run` alone touches them, and runs once.
  public let format: AudioFormat
  /// 16 bits, or 24 where the device has more; the lowest 8 bits of 32-bit devices are not kept.
  public let depth: SampleDepth

  private let input: any CaptureInput
  private let file: RecordingFile
  private let device: String
  private let hasRun = Atomic<Bool>(false)

  /// Opens the device and creates the file.
  ///
  /// - Throws: `.noDevice`, `.deviceBusy`, `.notPermitted`, `.noUsableFormat`, `.deviceFailed`; `.file`
  ///   where there is a file of that name already or none can be.
  public convenience init(
    _ request: CaptureRequest = CaptureRequest(), to path: String, tags: AudioTags = AudioTags()
  ) throws(CaptureError) {
    try self.init(ALSACapture(request), device: request.device, to: path, tags: tags)
  }

  init(
    _ input: any CaptureInput, device: String, to path: String, tags: AudioTags = AudioTags(),
    calls: FileCalls = FileCalls()
  ) throws(CaptureError) {
    do throws(EncodingError) {
      file = try RecordingFile(
        path, format: input.format, depth: input.depth, tags: tags, calls: calls)
    } catch {
      throw CaptureError(.file(error), device: device)
    }
    self.input = input
    self.device = device
    format = input.format
    depth = input.depth
  }

  /// Records until `isStopped` says so, or the device or the disk gives up, and completes the file.
  ///
  /// Blocks: give it a thread of its own. Call it once.
  /// - Parameters:
  ///   - isStopped: asked on this thread, ten times a second or more.
  ///   - onLevel: called on this thread with every 50 ms of sound; gaps are left out.
  public func run(
    until isStopped: () -> Bool, onLevel: (CaptureLevel) -> Void = { _ in }
  ) -> CaptureReport {
    precondition(!hasRun.exchange(true, ordering: .relaxed), "a recorder runs once")
    var report = CaptureReport()
    do throws(CaptureError) {
      try record(until: isStopped, onLevel, &report)
    } catch {
      report.problem = error
    }
    do throws(EncodingError) {
      try file.finish()
    } catch {
      if report.problem == nil { report.problem = CaptureError(.file(error), device: device) }
    }
    report.frameCount = FrameCount(file.frameCount)
    return report
  }

  private func record(
    until isStopped: () -> Bool, _ onLevel: (CaptureLevel) -> Void, _ report: inout CaptureReport
  ) throws(CaptureError) {
    var meter = LevelMeter(format: format, depth: depth)
    // A twentieth of a second, so that levels come evenly.
    let block = UnsafeMutableBufferPointer<Int32>.allocate(
      capacity: max(1, format.rate.hertz / 20) * format.channels)
    block.initialize(repeating: 0)
    defer { block.deallocate() }
    while !isStopped() {
      switch try input.next(into: block) {
      case .nothing: continue
      case .frames(let count, let lost):
        if lost > 0 {
          report.gaps.append(
            .init(start: FramePosition(file.frameCount), length: FrameCount(lost)))
          try writing { () throws(EncodingError) in try file.writeSilence(frames: lost) }
          meter.skip(frames: lost)
        }
        let samples = UnsafeBufferPointer(rebasing: block[..<(count * format.channels)])
        try writing { () throws(EncodingError) in try file.write(samples) }
        meter.add(samples, onLevel)
        report.clippedCount = meter.clippedCount
      }
    }
  }

  private func writing(_ body: () throws(EncodingError) -> Void) throws(CaptureError) {
    do throws(EncodingError) {
      try body()
    } catch {
      throw CaptureError(.file(error), device: device)
    }
  }
}
