// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import Glibc
import TestSupport
import Testing

@testable import Capture

/// A device that does as it is told.
private final class ScriptedInput: CaptureInput {
  enum Step {
    case samples([Int32], lostBefore: Int64 = 0)
    case nothing
    case failure(CaptureError)
  }

  let format: AudioFormat
  let depth: SampleDepth
  private var steps: [Step]
  var isDone: Bool { steps.isEmpty }

  init(_ format: AudioFormat, _ depth: SampleDepth, _ steps: [Step]) {
    self.format = format
    self.depth = depth
    self.steps = steps
  }

  func next(
    into buffer: UnsafeMutableBufferPointer<Int32>
  ) throws(CaptureError) -> CaptureEvent {
    guard !steps.isEmpty else { return .nothing }
    switch steps.removeFirst() {
    case .nothing: return .nothing
    case .failure(let error): throw error
    case .samples(let samples, let lost):
      let count = min(samples.count, buffer.count)
      for index in 0..<count { buffer[index] = samples[index] }
      if count < samples.count { steps.insert(.samples(Array(samples[count...])), at: 0) }
      return .frames(count / format.channels, lostBefore: lost)
    }
  }
}

@Suite struct RecorderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func record(
    _ steps: [ScriptedInput.Step], calls: FileCalls = FileCalls(),
    onLevel: (CaptureLevel) -> Void = { _ in }
  ) throws -> CaptureReport {
    let input = ScriptedInput(format(8_000, 2), .bits16, steps)
    let recorder = try Recorder(
      input, device: "scripted", to: folder.path("recording.flac"), calls: calls)
    return recorder.run(until: { input.isDone }, onLevel: onLevel)
  }

  @Test func stoppedRecordingHoldsEverything() throws {
    let samples = signal(frames: 9_001, channels: 2, bits: 16)
    var ends: [FramePosition] = []
    let report = try record([
      .nothing, .samples(samples), .nothing,
    ]) { ends.append($0.end) }
    #expect(report.problem == nil && report.gaps.isEmpty)
    #expect(report.frameCount == FrameCount(9_001))
    #expect(try decoded(folder.path("recording.flac")) == samples)
    let everyFiftyMilliseconds = (1...22).map { (number: Int64) in FramePosition(number * 400) }
    #expect(ends == everyFiftyMilliseconds)
  }

  @Test func gapBecomesSilenceOfItsLength() throws {
    let before = signal(frames: 3_000, channels: 2, bits: 16, seed: 1)
    let after = signal(frames: 2_000, channels: 2, bits: 16, seed: 2)
    let report = try record([
      .samples(before), .nothing, .samples(after, lostBefore: 10_007),
    ])
    #expect(
      report.gaps == [.init(start: FramePosition(3_000), length: FrameCount(10_007))])
    #expect(report.frameCount == FrameCount(15_007))
    #expect(
      try decoded(folder.path("recording.flac")) == before
        + Array(repeating: 0, count: 20_014) + after)
  }

  @Test func lostDeviceEndsTheRecordingCleanly() throws {
    let samples = signal(frames: 5_000, channels: 2, bits: 16)
    let lost = CaptureError(.deviceLost, device: "scripted", call: "snd_pcm_readi", code: ENODEV)
    let report = try record([.samples(samples), .failure(lost), .samples(samples)])
    #expect(report.problem == lost)
    #expect(report.frameCount == FrameCount(5_000))
    let path = folder.path("recording.flac")
    #expect(try MediaSource(path: path).description.frameCount == FrameCount(5_000))
    #expect(try decoded(path) == samples)
  }

  @Test func fullDiskLeavesWhatFitted() throws {
    let samples = signal(frames: 40_000, channels: 2, bits: 16)
    var calls = FileCalls()
    let room = 60_000
    calls.write = { descriptor, bytes, count, offset in
      guard Int(offset) < room else {
        errno = ENOSPC
        return -1
      }
      return pwrite(descriptor, bytes, min(count, room - Int(offset)), offset)
    }
    let report = try record([.samples(samples)], calls: calls)
    guard case .file(let error)? = report.problem?.kind else {
      Issue.record("\(String(describing: report.problem))")
      return
    }
    #expect(error.kind == .diskFull)
    let path = folder.path("recording.flac")
    let heard = try decoded(path)
    // The torn block has been taken off the end again.
    #expect(heard.count >= 2 * 4_096 * 3 && heard.count % (2 * 4_096) == 0)
    #expect(samples.starts(with: heard))
    #expect(try bytes(path).count <= room)
  }

  @Test func countsClippedSamples() throws {
    let report = try record([.samples([.min, 0, 0x7FFF << 16, 5 << 16])])
    #expect(report.clippedCount == 2)
  }

  @Test func refusesToRecordOverAFile() throws {
    try folder.write([7], to: "recording.flac")
    let error = #expect(throws: CaptureError.self) { try record([]) }
    guard case .file(let cause)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.kind == .alreadyExists)
    #expect(try bytes(folder.path("recording.flac")) == [7])
  }
}
