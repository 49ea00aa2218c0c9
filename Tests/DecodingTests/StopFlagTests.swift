// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc
import TestSupport
import Testing

/// Files whose opening reads on and on, told to stop.
@Suite struct StopFlagTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A recording with a terabyte of nothing behind it, which takes no room on disk.
  private func huge(_ fixture: String) throws -> String {
    let path = try folder.copy(of: fixture)
    try #require(truncate(path, 1 << 40) == 0)
    return path
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "mp3-cbr-lame.mp3", "mp3-22k-mono.mp3", "aac-adts.aac", "ogg-vorbis.ogg", "asf-wmav2.wma",
      "mkv-flac.mkv",
    ])
  func openingEndsWhenToldTo(_ fixture: String) throws {
    try expectEnd(ofOpening: huge(fixture))
  }

  /// One library declines it, and the next searches it.
  @Test(.timeLimit(.minutes(5))) func aHeaderWithoutEndEndsWhenToldTo() throws {
    let whole = try MediaFile(path: FixtureIndex.path("wav-s16-8k-mono.wav"))
    var head = [UInt8](repeating: 0, count: 36)
    _ = try head.withUnsafeMutableBytes { bytes throws(DecodingError) in
      try whole.read(at: 0, into: bytes)
    }
    let path = try folder.write(head, to: "endless.wav")
    try #require(truncate(path, 1 << 40) == 0)
    try expectEnd(ofOpening: path)
  }

  private func expectEnd(ofOpening path: String) throws {
    let flag = StopFlag()
    let outcome = Monitor(Result<MediaSource, DecodingError>?.none)
    let before = bytesRead()
    let thread = try #require(
      WorkerThread {
        let result = Result { () throws(DecodingError) in
          try MediaSource(path: path, stopFlag: flag)
        }
        outcome.update { $0 = result }
      })
    // Well within the nothing behind the recording, or done.
    while bytesRead() - before < 64 << 20, outcome.update({ $0 == nil }) { sched_yield() }
    flag.stop()
    thread.join()
    switch outcome.update({ $0 }) {
    case .failure(let error): #expect(error.kind == .cancelled)
    case .success(let source):
      #expect(throws: DecodingError.self) { try Recording(source.makeDecoder()) }
    case nil: Issue.record("no outcome")
    }
  }

  @Test(arguments: UnusualFileTests.formats)
  func nothingIsReadAfterAStop(_ fixture: String) throws {
    let flag = StopFlag()
    let source = try MediaSource(path: FixtureIndex.path(fixture), stopFlag: flag)
    flag.stop()
    let error = #expect(throws: DecodingError.self) { try Recording(source.makeDecoder()) }
    #expect(error?.kind == .cancelled)
    let opening = #expect(throws: DecodingError.self) {
      try MediaSource(path: FixtureIndex.path(fixture), stopFlag: flag)
    }
    #expect(opening?.kind == .cancelled)
    if let error { expectAdvice(error, file: FixtureIndex.path(fixture)) }
  }

  /// By this process so far.
  private func bytesRead() -> Int64 {
    guard let file = fopen("/proc/self/io", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 80)
    guard fgets(&line, 80, file) != nil else { return 0 }
    let text = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Int64(text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
  }
}
