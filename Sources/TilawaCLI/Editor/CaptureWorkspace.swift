// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Capture
import Editor
import Foundation
import Library
import MediaControl

/// Records from the microphone for the start screen, and brings what was heard into the library.
final class CaptureWorkspace: Sendable {
  private let library: Library
  private let inbox: EditorInbox
  /// Opens a recording that was made.
  private let open: @Sendable (Recording.ID) -> Void
  private let current = Monitor<Take?>(nil)

  private struct Take {
    let stop: StopFlag
    var isDiscarded = false
  }

  init(
    _ library: Library, inbox: EditorInbox, open: @escaping @Sendable (Recording.ID) -> Void
  ) {
    self.library = library
    self.inbox = inbox
    self.open = open
  }

  func start() {
    let stop = StopFlag()
    let isFirst = current.update { take in
      guard take == nil else { return false }
      take = Take(stop: stop)
      return true
    }
    guard isFirst else { return }
    let work = { @Sendable [self] in
      do throws(Failure) {
        try record(until: stop)
      } catch {
        inbox.tell(
          .capture(
            Editor.CaptureReport(
              isRecording: false, seconds: 0, peak: 0, rms: 0, fault: error.message)))
      }
      current.update { $0 = nil }
    }
    if WorkerThread(work) == nil { current.update { $0 = nil } }
  }

  /// Ends what is being recorded; it is opened then, unless it is discarded.
  func stop(discarding: Bool) {
    current.update { take in
      take?.isDiscarded = discarding
      take?.stop.stop()
    }
  }

  /// Ends what is being recorded and waits until it is kept.
  func finish() {
    current.update { $0?.stop.stop() }
    _ = current.wait { $0 == nil ? true : nil }
  }

  private func record(until stop: StopFlag) throws(Failure) {
    let begun = Date()
    let slot: RecordingSlot
    do throws(LibraryError) {
      slot = try RecordingSlot(PlainText.fileName(begun), in: library)
    } catch {
      throw Failure(error)
    }
    let report = try capture(to: slot.path, until: stop)
    let isDiscarded = current.update { $0?.isDiscarded ?? false }
    guard report.frameCount > .zero, !isDiscarded else {
      unlink(slot.path.diskName)
      slot.close()
      if let problem = report.problem {
        throw Failure(code: "unavailable", message: problem.description)
      }
      return
    }
    try enter(slot, begun)
    if let problem = report.problem { inbox.tell(.failed(problem.description)) }
  }

  private func capture(
    to path: String, until stop: StopFlag
  ) throws(Failure) -> Capture.CaptureReport {
    let device = try Configuration().value("record.device") ?? "default"
    let recorder: Recorder
    do throws(CaptureError) {
      recorder = try Recorder(CaptureRequest(device: device), to: path)
    } catch {
      unlink((path + ".lock").diskName)
      throw Failure(code: "unavailable", message: error.description)
    }
    let rate = recorder.format.rate
    let inbox = inbox
    let inhibitor = SleepInhibitor(why: "recording")
    defer { inhibitor?.release() }
    return recorder.run(
      until: { stop.isStopped },
      onLevel: { level in
        inbox.tell(
          .capture(
            Editor.CaptureReport(
              isRecording: true, seconds: level.end.seconds(at: rate),
              peak: Self.amplitude(level.channels.map(\.peak).max()),
              rms: Self.amplitude(level.channels.map(\.rms).max()))))
      })
  }

  /// Of a level in dBFS.
  private static func amplitude(_ decibels: Float?) -> Float {
    decibels.map { Float(pow(10, Double($0) / 20)) } ?? 0
  }

  private func enter(_ slot: RecordingSlot, _ begun: Date) throws(Failure) {
    let inbox = inbox
    inbox.tell(.working("Importing the recording", fraction: 0))
    var details = Importer.Details()
    details.title = PlainText.moment(begun)
    details.recordedAt = begun
    let configuration = try Configuration()
    details.reciter = configuration.value("import.reciter").flatMap {
      try? library.reciter(named: $0).id
    }
    let importer = Importer(
      into: library,
      analyzer: RecordingAnalyzer(
        threadCount: ProcessorCores.count, sidecars: UserFolders.sidecars)
    ) { (envelope: Envelope) throws(AnalysisError) in try PauseDetector().detect(in: envelope) }
    let result: Importer.Result
    do throws(LibraryError) {
      result = try importer.adopt(slot.path, details) { progress in
        if case .analysing(let share) = progress {
          inbox.tell(.working("Importing the recording", fraction: share))
        }
      }
    } catch {
      throw Failure(
        code: Failure(error).code,
        message: "\(error); the sound is in \(slot.path); 'record --recover' tries again")
    }
    slot.close()
    open(result.recording.id)
  }
}
