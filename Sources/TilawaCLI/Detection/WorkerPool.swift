// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Exchange
import Glibc
import Subprocess
import SystemPackage

/// Runs detection on many files in worker processes of this very program.
///
/// Each lane keeps one worker busy. A worker that crashes, or says nothing for a minute, costs the file
/// it had in hand; the lane goes on with a new one.
struct WorkerPool {
  enum Event: Sendable {
    case progress(Int, Double)
    case finished(Int, FinishedFile)
  }

  let inputs: [InputFiles.Input]
  let laneCount: Int
  let format: DetectionFormat
  let isNamingFiles: Bool
  /// Whether what is found is to be saved.
  let isSaving: Bool
  let cells: CellText
  /// Columns to fit a table into; nil for as wide as it is.
  let width: Int?
  /// How to detect, as arguments.
  let options: [String]

  private var arguments: [String] {
    ["--format", format.rawValue] + (isNamingFiles ? ["--naming-files"] : [])
      + (isSaving ? ["--saving"] : [])
      + (cells == .withoutFormulas ? ["--spreadsheet-safe"] : [])
      + (width.map { ["--width", "\($0)"] } ?? []) + options
  }

  /// A worker that has neither said nor read anything for so long hangs. Reading counts, since going
  /// through a large video for its packets takes minutes on a slow disk, without a word;
  static let patience = Duration.seconds(60)
  /// but not what is read after so many times the file's size: that goes round in circles.
  private static let maxReadings: Int64 = 16

  /// How much reading is a sign of life in work on a file of so many bytes.
  static func mostBytes(ofFileOf size: Int64) -> Int64 {
    let (bytes, isTooMany) = size.multipliedReportingOverflow(by: maxReadings)
    return isTooMany ? .max : bytes
  }

  /// Begins; the events end when every file is finished or the run is interrupted.
  func start() -> (events: AsyncStream<Event>, run: Task<Void, Never>) {
    let (events, sink) = AsyncStream<Event>.makeStream()
    let queue = Monitor(inputs.indices.makeIterator())
    let lanes = laneCount
    let run = Task {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<lanes { group.addTask { await runLane(queue, sink) } }
      }
      sink.finish()
    }
    return (events, run)
  }

  private func runLane(
    _ queue: Monitor<IndexingIterator<Range<Int>>>, _ sink: AsyncStream<Event>.Continuation
  ) async {
    while !Interrupt.flag.isStopped {
      // The file a worker has in hand, and when it was last heard of.
      let state = Monitor(LaneState())
      do {
        let threads = max(1, ProcessorCores.count / laneCount)
        let outcome = try await run(
          .path("/proc/self/exe"),
          arguments: Arguments(
            ["auto-detect-worker", "--threads", "\(threads)"] + arguments),
          input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
          let watch = Task { await self.watch(execution.processIdentifier.value, state) }
          defer { watch.cancel() }
          var output = execution.standardOutput.makeAsyncIterator()
          var parser = WorkerMessageParser()
          while !Interrupt.flag.isStopped, let index = queue.update({ $0.next() }) {
            state.update { $0.begin(index) }
            _ = try await execution.standardInputWriter.write(Array(inputs[index].path.utf8) + [0])
            let file = try await answer(for: index, &parser, &output, state, sink)
            guard let file else { return }
            state.update { $0.index = nil }
            sink.yield(.finished(index, file))
          }
          try await execution.standardInputWriter.finish()
        }
        guard let failed = state.update({ $0.index }) else { return }
        sink.yield(.finished(failed, casualty(failed, outcome.terminationStatus, state)))
      } catch {
        if let failed = state.update({ $0.index }) {
          sink.yield(.finished(failed, casualty(failed, nil, state)))
          continue
        }
        guard let next = queue.update({ $0.next() }) else { return }
        let failure = Failure(
          code: "io_error",
          message: "cannot start a worker process (\(error)); free some memory and try again")
        sink.yield(.finished(next, file(next, failure)))
      }
    }
  }

  /// Reads what a worker says about a file up to the end; nil when it dies before.
  private func answer(
    for index: Int, _ parser: inout WorkerMessageParser,
    _ output: inout SubprocessOutputSequence.Iterator, _ state: Monitor<LaneState>,
    _ sink: AsyncStream<Event>.Continuation
  ) async throws -> FinishedFile? {
    var remarks: [String] = []
    var failure: Failure?
    var finding: DetectionFinding?
    while true {
      while let message = parser.next() {
        state.update { $0.hear() }
        switch message {
        case .progress(let fraction): sink.yield(.progress(index, fraction))
        case .remark(let text): remarks.append(text)
        case .failure(let reason): failure = reason
        case .finding(let found): finding = found
        case .piece(let piece):
          return FinishedFile(
            path: inputs[index].path, piece: piece, remarks: remarks, finding: finding,
            failure: failure)
        }
      }
      guard let buffer = try await output.next() else { return nil }
      buffer.withUnsafeBytes { parser.append($0) }
    }
  }

  /// Ends a worker that hangs, and all of them when the run is interrupted.
  private func watch(_ process: pid_t, _ state: Monitor<LaneState>) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      if Task.isCancelled { return }
      if Interrupt.flag.isStopped {
        kill(process, SIGTERM)
        return
      }
      let bytesRead = WorkerActivity.bytesRead(by: process)
      let isHanging = state.update { lane in
        if let index = lane.index {
          lane.notice(bytesRead, atMost: Self.mostBytes(ofFileOf: inputs[index].size))
        }
        lane.isHung = lane.index != nil && lane.heard + Self.patience < .now
        return lane.isHung
      }
      if isHanging {
        kill(process, SIGKILL)
        return
      }
    }
  }

  private func casualty(
    _ index: Int, _ status: TerminationStatus?, _ state: Monitor<LaneState>
  ) -> FinishedFile {
    if Interrupt.flag.isStopped {
      return file(index, Failure(code: Failure.interrupted, message: "interrupted"))
    }
    if state.update({ $0.isHung }) {
      return file(index, .hanging)
    }
    let what =
      switch status {
      case .exited(let code): "ended with code \(code)"
      case .signaled(let signal): "was killed by signal \(signal)"
      case nil: "does not answer"
      }
    return file(
      index,
      Failure(
        code: Failure.crashed,
        message: "the analysis crashed (the worker \(what)); skipped. This is a bug in"
          + " tilawa-annotate: please report it, with the recording if possible"))
  }

  private func file(_ index: Int, _ failure: Failure) -> FinishedFile {
    let outcome = failure.outcome(for: inputs[index].path)
    let piece = format.piece(
      outcome, isNamingFiles: isNamingFiles, width: width, cells: cells)
    return FinishedFile(path: inputs[index].path, piece: piece, remarks: [], failure: failure)
  }
}
