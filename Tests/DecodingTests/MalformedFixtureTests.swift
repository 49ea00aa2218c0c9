// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct MalformedFixtureTests {
  /// Ten times the three seconds that the longest of these files has, at the highest rate among them.
  private let limit = 10 * 3 * 48_000

  @Test(.timeLimit(.minutes(5)), arguments: FixtureIndex.all.malformed)
  func faultyFileGivesWhatItsEntrySays(_ fixture: MalformedFixture) throws {
    let outcome = Result { () throws(DecodingError) in
      try Recording(path: fixture.file, limit: limit)
    }
    switch outcome {
    case .success(let recording):
      #expect(fixture.expect != .error, "\(fixture.fault)")
      #expect(recording.frameCount > 0)
      #expect(recording.frameCount < limit)
      #expect(recording.samples.allSatisfy { $0.isFinite })
      if fixture.expect != .complete { #expect(!recording.warnings.isEmpty) }
      for warning in recording.warnings { #expect(!warning.description.isEmpty) }
    case .failure(let error):
      #expect(fixture.expect == .error || fixture.expect == .either, "\(error)")
      expectAdvice(error, file: fixture.file)
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: FixtureIndex.all.malformed)
  func jumpsInFaultyFileGiveWhatLinearDecodingGives(_ fixture: MalformedFixture) throws {
    guard let source = try? MediaSource(path: fixture.file),
      let linear = try? Recording(source.makeDecoder(), limit: limit), linear.frameCount > 0
    else { return }
    let decoder = try source.makeDecoder()
    var random = SplitMix64(state: 11)
    var wrong: [Int] = []
    for _ in 0..<60 {
      let start = Int.random(in: 0..<linear.frameCount, using: &random)
      let end = min(start + 700, linear.frameCount)
      // What garbage sounds like depends on what was decoded before it.
      if linear.warnings.contains(where: { $0.isNear(start..<end) }) { continue }
      try decoder.seek(to: FramePosition(Int64(start)))
      let frames = try decoder.frames(end - start)
      if largestDifference(frames, linear.frames(start..<end)) > 1e-4 { wrong.append(start) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of 60 jumps")
  }

  @Test func lyingHeadersDoNotHideWhatIsThere() throws {
    let expected = [
      "lying_duration.m4a": 3.0, "lying_duration.mp3": 3, "lying_duration.wav": 1,
      "streamed_size_zero.wav": 1, "lying_duration.flac": 3,
    ]
    for (name, seconds) in expected {
      let source = try MediaSource(path: FixtureIndex.path("malformed/" + name))
      let recording = try Recording(source.makeDecoder(), limit: limit)
      let found = Double(recording.frameCount) / Double(source.description.format.rate.hertz)
      #expect(abs(found - seconds) < 0.1, "\(name)")
    }
  }

  @Test func damageLeavesTheRestInItsPlace() throws {
    let whole = try Recording(path: FixtureIndex.path("malformed/neighbour.flac"))
    let damaged = try Recording(path: FixtureIndex.path("malformed/garbage_in_middle.flac"))
    #expect(damaged.frameCount == whole.frameCount)
    let quarter = whole.frameCount / 4
    #expect(isSame(damaged.frames(0..<quarter), whole.frames(0..<quarter)))
    let last = (3 * quarter)..<whole.frameCount
    #expect(isSame(damaged.frames(last), whole.frames(last)))
  }

  /// Asks the kernel whether a file was opened, so that content read by a library behind our back shows.
  @Test func noFaultyFileMakesItsNeighbourBeOpened() throws {
    let folder = try TemporaryFolder()
    for fixture in FixtureIndex.all.malformed {
      let name = String(fixture.path.split(separator: "/").last ?? "")
      _ = try folder.write(FixtureIndex.bytes(fixture.path), to: name)
    }
    let neighbour = folder.path("neighbour.flac")
    let notifier = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(notifier) }
    try #require(inotify_add_watch(notifier, neighbour, UInt32(IN_OPEN)) >= 0)
    func wasOpened() -> Bool {
      var events = [UInt8](repeating: 0, count: 4096)
      return read(notifier, &events, events.count) > 0
    }
    for fixture in FixtureIndex.all.malformed {
      let name = String(fixture.path.split(separator: "/").last ?? "")
      guard name != "neighbour.flac" else { continue }
      _ = try? Recording(path: folder.path(name), limit: limit)
      #expect(!wasOpened(), "\(name)")
    }
    _ = try MediaSource(path: neighbour)
    #expect(wasOpened())
  }
}

/// An error must say what happened and, after a semicolon, what to do next.
func expectAdvice(
  _ error: DecodingError, file: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let parts = error.explanation.split(separator: ";", maxSplits: 1)
  #expect(parts.count == 2, "\(error.explanation)", sourceLocation: sourceLocation)
  #expect(error.file == file, sourceLocation: sourceLocation)
  #expect(!error.explanation.contains(file), sourceLocation: sourceLocation)
  #expect(error.description == "\(file): \(error.explanation)", sourceLocation: sourceLocation)
}

extension DecodingWarning {
  /// Whether frames lie in a damaged place or within eight packets of one.
  fileprivate func isNear(_ range: Range<Int>) -> Bool {
    guard case .damaged(let start, let count) = self else { return false }
    let end = start + count
    return Int(start.frames) - 8192 < range.upperBound && range.lowerBound < Int(end.frames) + 8192
  }
}
