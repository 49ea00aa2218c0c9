// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Glibc
import TestSupport
import Testing

/// What a path may lead to, and what may happen to a file while it is open.
@Suite struct UnusualFileTests {
  /// One small file of each format.
  static let formats = [
    "wav-s16-8k-mono.wav", "caf-pcm.caf", "aiff-s16.aiff", "malformed/neighbour.flac",
    "opus-48k-stereo.opus", "ogg-vorbis.ogg", "mp3-cbr-lame.mp3", "mp3-22k-mono.mp3",
    "m4a-aac-faststart.m4a", "m4a-aac.m4a", "m4a-fragmented.m4a", "m4a-alac.m4a", "mkv-flac.mkv",
    "aac-adts.aac", "asf-wmav2.wma", "webm-video-two-tracks.webm",
  ]

  @Test func aLinkThatLeadsInACircleIsNamedAsOne() throws {
    let folder = try TemporaryFolder()
    try #require(symlink("loop.mp3", folder.path("loop.mp3")) == 0)
    let error = #expect(throws: DecodingError.self) {
      try MediaSource(path: folder.path("loop.mp3"))
    }
    #expect(error?.cause == "is a symbolic link that leads in a circle")
  }

  @Test func refusesFolder() throws {
    let folder = try TemporaryFolder()
    try expectRefusal(folder.url.path, .notAFile(.directory))
  }

  @Test(.timeLimit(.minutes(5)))
  func refusesPipeWithoutWaitingForAWriter() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("pipe.mp3"), 0o600) == 0)
    try expectRefusal(folder.path("pipe.mp3"), .notAFile(.fifo))
  }

  @Test(arguments: ["/dev/null", "/dev/zero"])
  func refusesDevice(_ path: String) throws { try expectRefusal(path, .notAFile(.device)) }

  @Test func refusesEmptyFile() throws {
    let folder = try TemporaryFolder()
    try expectRefusal(folder.write([], to: "empty.flac"), .empty)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read every file"))
  func refusesFileWithoutReadPermission() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], to: "closed.wav")
    try #require(chmod(path, 0) == 0)
    try expectRefusal(path, .notReadable)
  }

  @Test func refusesPathThatLeadsNowhere() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], to: "file")
    try #require(symlink(folder.path("gone.wav"), folder.path("dangling.wav")) == 0)
    try #require(symlink(folder.path("loop.wav"), folder.path("loop.wav")) == 0)
    for path in [
      folder.path("missing.wav"), folder.path("dangling.wav"), folder.path("loop.wav"),
      file + "/below.wav", folder.path(String(repeating: "n", count: 300)), "",
    ] { try expectRefusal(path, .noSuchFile) }
  }

  @Test func opensThroughSymbolicLink() throws {
    let folder = try TemporaryFolder()
    try #require(symlink(FixtureIndex.path("mosque.flac"), folder.path("link")) == 0)
    #expect(try MediaSource(path: folder.path("link")).description.frameCount?.frames == 360_058)
  }

  @Test(arguments: ["two\nlines.mp3", "red \u{1B}[31m.mp3", "مصحف ‮3pm.mp3", "-rf", "%s%n", " "])
  func nameOfAFileIsOnlyAName(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(FixtureIndex.bytes("mp3-cbr-lame.mp3"), to: name)
    #expect(try Recording(path: path).frameCount == 247_061)
    let text = try folder.write(Array("only text, no sound".utf8), to: name)
    try expectRefusal(text, .notAudio(looksLike: "text"))
  }

  @Test(arguments: formats)
  func deletedFileGoesOnBeingDecoded(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(FixtureIndex.bytes(name), to: "recording")
    let expected = try Recording(path: path)
    let source = try MediaSource(path: path)
    let decoder = try source.makeDecoder()
    let start = try decoder.frames(1000)
    try #require(unlink(path) == 0)
    let rest = try Recording(decoder)
    #expect(isSame(start + rest.samples, expected.samples))
    let later = try Recording(source.makeDecoder())
    #expect(isSame(later.samples, expected.samples))
  }

  @Test(arguments: formats)
  func fileThatGrowsStaysAsItWasOpened(_ name: String) throws {
    let folder = try TemporaryFolder()
    let bytes = try FixtureIndex.bytes(name)
    let path = try folder.write(bytes, to: "recording")
    let expected = try Recording(path: path)
    let source = try MediaSource(path: path)
    let decoder = try source.makeDecoder()
    let start = try decoder.frames(1000)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
    let rest = try Recording(decoder)
    #expect(isSame(start + rest.samples, expected.samples))
    let later = try Recording(source.makeDecoder())
    #expect(isSame(later.samples, expected.samples))
    #expect(later.warnings == expected.warnings)
  }

  @Test(.timeLimit(.minutes(5)), arguments: formats)
  func fileCutWhileItIsReadEndsWithAWarningOrAnError(_ name: String) throws {
    let folder = try TemporaryFolder()
    let bytes = try FixtureIndex.bytes(name)
    for keep in [0, 1, 100, bytes.count / 2, bytes.count - bytes.count / 8] {
      let path = try folder.write(bytes, to: "recording")
      let source = try MediaSource(path: path)
      let count = try #require(source.description.frameCount).frames
      let decoder = try source.makeDecoder()
      _ = try decoder.frames(3000)
      try #require(truncate(path, keep) == 0)
      do throws(DecodingError) {
        let rest = try Recording(decoder, limit: 4 * Int(count))
        #expect(rest.frameCount + 3000 <= count)
        // What was in a buffer already is still whole.
        let isWhole = rest.frameCount + 3000 == count
        #expect(isWhole || !rest.warnings.isEmpty, "\(keep) bytes kept")
        for place in [count - 10, 0, count / 2] {
          try decoder.seek(to: FramePosition(place))
          _ = try decoder.frames(500)
        }
      } catch {
        expectAdvice(error, file: path)
      }
      do throws(DecodingError) {
        _ = try Recording(source.makeDecoder(), limit: 4 * Int(count))
      } catch {
        expectAdvice(error, file: path)
      }
    }
  }

  @Test func openFileStaysItselfWhenAnotherTakesItsName() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(FixtureIndex.bytes("wav-s16-8k-mono.wav"), to: "recording")
    let other = try folder.write(FixtureIndex.bytes("mp3-cbr-lame.mp3"), to: "other")
    let source = try MediaSource(path: path)
    try #require(rename(other, path) == 0)
    #expect(try Recording(source.makeDecoder()).frameCount == 44_819)
    #expect(try Recording(path: path).frameCount == 247_061)
  }

  private func expectRefusal(
    _ path: String, _ kind: DecodingError.Kind, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = #expect(throws: DecodingError.self, sourceLocation: sourceLocation) {
      try MediaSource(path: path)
    }
    #expect(error?.kind == kind, sourceLocation: sourceLocation)
    let parts = error?.explanation.split(separator: ";")
    #expect(parts?.count == 2, sourceLocation: sourceLocation)
    #expect(error?.file == path, sourceLocation: sourceLocation)
  }
}
