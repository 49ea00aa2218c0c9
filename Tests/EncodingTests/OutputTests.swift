// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Encoding

/// What becomes of the file when something goes wrong, or is there already.
@Suite struct OutputTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// One cut of each way of writing.
  private func cut(_ cutter: AudioCutter, _ kind: AudioFileKind?) throws {
    let span = frames(10_000..<120_000)
    let path = folder.path("cut")
    if let kind {
      _ = try cutter.encode(span, as: EncodingSettings(kind), to: path)
    } else {
      _ = try cutter.copy(span, to: path)
    }
  }

  static let ways: [AudioFileKind?] = AudioFileKind.allCases + [nil]

  @Test(arguments: ways)
  func leavesNothingWhenTheDiskIsFull(_ kind: AudioFileKind?) throws {
    // How many bytes there is room for, up to more than a header.
    for room in [0, 1, 100, 5_000] {
      var cutter = try AudioCutter(fixture("m4a-aac.m4a"))
      cutter.calls.write = { descriptor, bytes, count, offset in
        guard Int(offset) < room else {
          errno = ENOSPC
          return -1
        }
        return pwrite(descriptor, bytes, min(count, room - Int(offset)), offset)
      }
      let error = #expect(throws: EncodingError.self) { try cut(cutter, kind) }
      #expect(error?.kind == .diskFull)
      #expect(error?.call == "pwrite" && error?.code == ENOSPC)
      #expect(error?.file == folder.path("cut"))
      #expect(try folder.contents.isEmpty)
    }
  }

  @Test(arguments: ways)
  func leavesNothingWhenTheDiskFailsAtTheEnd(_ kind: AudioFileKind?) throws {
    var cutter = try AudioCutter(fixture("m4a-aac.m4a"))
    cutter.calls.sync = { _ in
      errno = EIO
      return -1
    }
    let error = #expect(throws: EncodingError.self) { try cut(cutter, kind) }
    #expect(error?.kind == .inputOutput && error?.call == "fsync")
    #expect(try folder.contents.isEmpty)
  }

  @Test(arguments: ways)
  func leavesNothingWhenStopped(_ kind: AudioFileKind?) throws {
    let asked = Atomic<Int>(0)
    let cutter = try withExtendedLifetime(asked) {
      try AudioCutter(
        fixture("m4a-aac.m4a"), isStopped: { asked.add(1, ordering: .relaxed).newValue > 2 })
    }
    let error = #expect(throws: EncodingError.self) { try cut(cutter, kind) }
    #expect(error?.kind == .stopped)
    #expect(error?.file == folder.path("cut"))
    #expect(try folder.contents.isEmpty)
  }

  @Test(arguments: ways)
  func replacesAFileOnlyWhenTold(_ kind: AudioFileKind?) throws {
    let path = try folder.write([1, 2, 3], to: "cut")
    var cutter = try AudioCutter(fixture("m4a-aac.m4a"))
    let error = #expect(throws: EncodingError.self) { try cut(cutter, kind) }
    #expect(error?.kind == .alreadyExists)
    #expect(try bytes(path) == [1, 2, 3])
    cutter.isReplacing = true
    try cut(cutter, kind)
    #expect(try Sound(path: path).frameCount >= 110_000)
    #expect(try folder.contents == ["cut"])
  }

  @Test func doesNotReplaceAFileThatCameMeanwhile() throws {
    var cutter = try AudioCutter(fixture("m4a-aac.m4a"))
    let path = folder.path("cut")
    cutter.calls.sync = { descriptor in
      close(open(path, O_CREAT | O_WRONLY, 0o600))
      return fsync(descriptor)
    }
    let error = #expect(throws: EncodingError.self) { try cut(cutter, .wav) }
    #expect(error?.kind == .alreadyExists)
    #expect(try folder.contents == ["cut"])
    #expect(try bytes(path).isEmpty)
  }

  @Test func saysWhenTheFolderIsNotThere() throws {
    let cutter = try AudioCutter(fixture("wav-s16-44k-mono.wav"))
    let error = #expect(throws: EncodingError.self) {
      try cutter.encode(
        frames(0..<10), as: EncodingSettings(.wav), to: folder.path("no/such/cut.wav"))
    }
    #expect(error?.kind == .noSuchFolder)
  }

  @Test(arguments: ways)
  func progressGoesUpToOne(_ kind: AudioFileKind?) throws {
    let shares = Mutex<[Double]>([])
    try withExtendedLifetime(shares) {
      let cutter = try AudioCutter(
        fixture("m4a-aac.m4a"), progress: { share in shares.withLock { $0.append(share) } })
      try cut(cutter, kind)
    }
    let seen = shares.withLock { $0 }
    #expect(seen.count > 2 && seen.last == 1)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func saysHowManyFramesACutOffRecordingLacks() throws {
    let whole = try bytes(FixtureFolder.path("flac-44k-stereo.flac"))
    let path = try folder.write(Array(whole.prefix(whole.count / 2)), to: "half.flac")
    let source = try MediaSource(path: path)
    let error = #expect(throws: EncodingError.self) {
      try AudioCutter(source).encode(
        frames(0..<1_323_211), as: EncodingSettings(.wav), to: folder.path("cut"))
    }
    guard case .endsEarly(let missing) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((100_000..<1_000_000).contains(missing.frames))
    #expect(try folder.contents == ["half.flac"])
  }
}
