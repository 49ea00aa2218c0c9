// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Exchange
import Glibc

/// One lane of a batch: takes paths on standard input, each ended by a zero byte, and answers with
/// messages of `WorkerMessage` on standard output.
struct DetectionWorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auto-detect-worker", abstract: "A worker process of auto-detect.",
    shouldDisplay: false)

  @OptionGroup var detection: DetectionOptions
  @OptionGroup var alignment: AlignmentOptions
  @OptionGroup var library: LibraryOptions
  @Option var format: DetectionFormat
  @Option var width: Int?
  @Flag var namingFiles = false
  @Flag var saving = false
  @Flag var spreadsheetSafe = false
  @Option var threads: Int = 1

  func run() async throws {
    Interrupt.install()
    if !alignment.isGiven { MemoryLimit.apply(MemoryLimit.detection) }
    let job = DetectionJob(
      options: detection, subject: alignment.subject,
      network: try alignment.network(), learnt: alignment.isGiven ? library.learnt() : nil,
      riwayah: alignment.riwayah, ignored: Set(alignment.without), threadCount: threads,
      stopFlag: Interrupt.flag)
    let format = format
    let width = width
    let isNamingFiles = namingFiles
    let isSaving = saving
    let withWords = alignment.words
    let cells = SpreadsheetOption.cells(spreadsheetSafe)
    await runBlocking {
      var pending: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !Interrupt.flag.isStopped {
        if let end = pending.firstIndex(of: 0) {
          let path = String(decoding: pending[..<end], as: UTF8.self)
          pending.removeSubrange(...end)
          Self.answer(path, job, format, isNamingFiles, isSaving, withWords, width, cells)
          continue
        }
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return }
        pending += buffer[..<count]
      }
    }
  }

  private static func answer(
    _ path: String, _ job: DetectionJob, _ format: DetectionFormat, _ isNamingFiles: Bool,
    _ isSaving: Bool, _ withWords: Bool, _ width: Int?, _ cells: CellText
  ) {
    let result = job.run(path) { send(.progress($0)) }
    for remark in result.remarks { send(.remark(remark)) }
    if let failure = result.failure { send(.failure(failure)) }
    if isSaving, let finding = result.finding { send(.finding(finding)) }
    send(
      .piece(
        format.piece(
          result.outcome.withWords(withWords), isNamingFiles: isNamingFiles, width: width,
          cells: cells)))
  }

  private static func send(_ message: WorkerMessage) {
    let code = message.bytes.withUnsafeBytes { FileDescriptor.write($0, STDOUT_FILENO) }
    // Nobody listens any more: the analysis ends and clears up behind itself.
    if code != nil { Interrupt.flag.stop() }
  }
}
