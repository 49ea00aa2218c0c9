// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Analysis

/// A copy of a fixture and a cache for it.
private struct Kept {
  let folder: TemporaryFolder
  let path: String
  let cache: SidecarFolder

  init(_ fixture: String = "wav-s16-8k-mono.wav") throws {
    folder = try TemporaryFolder()
    path = try folder.copy(of: fixture)
    cache = SidecarFolder(path: folder.path("some/where/cache"))
  }

  func analyze(threads: Int = 1, measuresLogMel: Bool = false) throws -> AnalyzedRecording {
    var analyzer = RecordingAnalyzer(threadCount: threads, sidecars: cache)
    analyzer.measuresLogMel = measuresLogMel
    return try analyzer.analyze(path: path)
  }

  var key: [UInt8] {
    get throws { try MediaFile(path: path).contentKey(track: nil) }
  }

  var sidecar: URL {
    get throws { URL(filePath: cache.path(forKey: try key)) }
  }

  var cached: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: cache.path).sorted() }
  }

  /// Damages the sidecar and expects it to be ignored, and replaced by a good one.
  func expectRenewal(_ what: Comment, _ damage: (inout Data) -> Void) throws {
    let hops = try analyze().allHops()
    var data = try Data(contentsOf: sidecar)
    damage(&data)
    try data.write(to: sidecar)
    let renewed = try analyze()
    #expect(!renewed.isFromSidecar, what)
    #expect(renewed.sidecarProblem == nil, what)
    #expect(try renewed.allHops() == hops, what)
    #expect(try analyze().isFromSidecar, what)
    #expect(try cached.count == 1, what)
  }
}

@Suite("Sidecar")
struct SidecarTests {
  @Test(
    "The second analysis finds all that the first found",
    arguments: [
      "flac-44k-stereo.flac", "m4a-aac-faststart.m4a", "mp3-vbr-no-xing.mp3", "ogg-opus.opus",
      "malformed/truncated_middle.flac", "malformed/garbage_in_middle.m4a",
      "malformed/nan_samples.wav",
    ], [1, 2])
  func secondAnalysis(fixture: String, threads: Int) throws {
    let kept = try Kept(fixture)
    let first = try kept.analyze(threads: threads)
    #expect(!first.isFromSidecar)
    #expect(first.sidecarProblem == nil)
    #expect(try kept.cached == [kept.sidecar.lastPathComponent])
    let second = try kept.analyze(threads: threads)
    #expect(second.isFromSidecar)
    #expect(second.format == first.format)
    #expect(second.warnings == first.warnings)
    #expect(second.seekIndex == first.seekIndex)
    #expect(second.envelope.length == first.envelope.length)
    #expect(second.envelope.summary == first.envelope.summary)
    #expect(try second.allHops() == first.allHops())
  }

  @Test(
    "Log-mel frames and loudness are found again",
    arguments: ["flac-44k-stereo.flac", "m4a-aac-faststart.m4a", "ogg-opus.opus"], [1, 2])
  func logMel(fixture: String, threads: Int) throws {
    let kept = try Kept(fixture)
    let first = try kept.analyze(threads: threads, measuresLogMel: true)
    #expect(!first.isFromSidecar)
    let frames = try #require(first.logMel)
    #expect(frames.count == LogMelFrames.count(covering: first.envelope.hopCount))
    #expect(try #require(first.loudness).integrated != nil)
    let second = try kept.analyze(threads: threads, measuresLogMel: true)
    #expect(second.isFromSidecar)
    #expect(second.logMel == frames)
    #expect(second.loudness == first.loudness)
    #expect(second.envelope.summary == first.envelope.summary)
    #expect(second.seekIndex == first.seekIndex)
    #expect(try second.allHops() == first.allHops())
  }

  @Test("A sidecar without log-mel frames is written anew for who asks, and then serves both")
  func logMelLater() throws {
    let kept = try Kept()
    let bare = try kept.analyze()
    #expect(bare.logMel == nil && bare.loudness == nil)
    let measured = try kept.analyze(measuresLogMel: true)
    #expect(!measured.isFromSidecar && measured.logMel != nil)
    #expect(try measured.allHops() == bare.allHops())
    #expect(try kept.cached.count == 1)
    let again = try kept.analyze()
    #expect(again.isFromSidecar && again.logMel == nil)
    #expect(try again.allHops() == bare.allHops())
    #expect(try kept.analyze(measuresLogMel: true).isFromSidecar)
  }

  @Test("Silence, which has no loudness, is found again too")
  func silence() throws {
    let kept = try Kept()
    try Sound.silence(rate: 8000, frames: 9000).wav().write(to: URL(filePath: kept.path))
    let first = try kept.analyze(measuresLogMel: true)
    #expect(first.loudness == Loudness(integrated: nil, range: 0, samplePeak: 0))
    let second = try kept.analyze(measuresLogMel: true)
    #expect(second.isFromSidecar && second.loudness == first.loudness)
  }

  @Test("Another track of the file is another sidecar")
  func tracks() throws {
    let kept = try Kept("mp4-video-two-tracks.mp4")
    let analyzer = RecordingAnalyzer(threadCount: 1, sidecars: kept.cache)
    let first = try analyzer.analyze(path: kept.path, track: 1)
    let second = try analyzer.analyze(path: kept.path, track: 2)
    #expect(!second.isFromSidecar)
    #expect(try first.allHops() != second.allHops())
    #expect(try analyzer.analyze(path: kept.path, track: 2).isFromSidecar)
    #expect(try kept.cached.count == 2)
  }

  @Test("A source that was touched or rewritten is analysed anew")
  func changedSource() throws {
    let kept = try Kept()
    _ = try kept.analyze()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: kept.path)
    #expect(try !kept.analyze().isFromSidecar)
    try Sound.sine(440, amplitude: 0.5, rate: 8000, seconds: 2).wav()
      .write(to: URL(filePath: kept.path))
    let rewritten = try kept.analyze()
    #expect(!rewritten.isFromSidecar)
    #expect(rewritten.envelope.hopCount == 200)
  }

  @Test("A source that was renamed is still known")
  func renamedSource() throws {
    let kept = try Kept()
    let first = try kept.analyze()
    let renamed = kept.folder.path("other name.bin")
    try FileManager.default.moveItem(atPath: kept.path, toPath: renamed)
    let second = try RecordingAnalyzer(threadCount: 1, sidecars: kept.cache)
      .analyze(path: renamed)
    #expect(second.isFromSidecar)
    #expect(try second.allHops() == first.allHops())
  }

  @Test("An envelope outlives its sidecar")
  func deletedSidecar() throws {
    let kept = try Kept()
    let recording = try kept.analyze()
    let hops = try recording.allHops()
    try FileManager.default.removeItem(atPath: kept.cache.path)
    #expect(try recording.allHops() == hops)
  }

  @Test("Without a folder nothing is kept")
  func noFolder() throws {
    let kept = try Kept()
    _ = try RecordingAnalyzer(threadCount: 1, sidecars: nil).analyze(path: kept.path)
    #expect(try kept.folder.contents == ["wav-s16-8k-mono.wav"])
  }
}

extension Data {
  /// Makes the header's own sum right again.
  fileprivate mutating func rehash() {
    var hash = ContentHash()
    prefix(120).withUnsafeBytes { hash.update($0) }
    replaceSubrange(120..<136, with: hash.digest())
  }
}

@Suite("A sidecar that cannot be believed")
struct DamagedSidecarTests {
  @Test("One wrong bit anywhere is noticed", arguments: [false, true])
  func everyRegion(measuresLogMel: Bool) throws {
    let kept = try Kept("malformed/truncated_middle.m4a")
    let warnings = try kept.analyze(measuresLogMel: measuresLogMel).warnings
    #expect(!warnings.isEmpty)
    let url = try kept.sidecar
    let good = try Data(contentsOf: url)
    let key = try kept.key
    #expect(kept.cache.read(key: key) != nil)
    // All of the header and of the facts at the end, and some of every hop and summary between.
    let places =
      Array(0..<SidecarHeader.byteCount)
      + Array(stride(from: SidecarHeader.byteCount, to: good.count - 100, by: 37))
      + Array((good.count - 100)..<good.count)
    for place in places {
      var bad = good
      bad[place] ^= 1 << UInt8(place % 8)
      try bad.write(to: url)
      #expect(kept.cache.read(key: key) == nil, "byte \(place)")
    }
    try good.write(to: url)
    #expect(kept.cache.read(key: key) != nil)
  }

  @Test("One cut off anywhere is noticed")
  func truncated() throws {
    let kept = try Kept()
    _ = try kept.analyze()
    let url = try kept.sidecar
    let good = try Data(contentsOf: url)
    let key = try kept.key
    for count in [0, 1, 7, 8, 100, 135, 136, 137, 5000, good.count - 1] {
      try good.prefix(count).write(to: url)
      #expect(kept.cache.read(key: key) == nil, "\(count) bytes")
    }
    try (good + [0]).write(to: url)
    #expect(kept.cache.read(key: key) == nil)
  }

  @Test("Damaged, cut off, empty or foreign, it is replaced")
  func renewal() throws {
    try Kept().expectRenewal("header") { $0[40] ^= 1 }
    try Kept().expectRenewal("hops") { $0[300] ^= 1 }
    try Kept().expectRenewal("facts") { $0[$0.count - 1] ^= 1 }
    try Kept().expectRenewal("cut off") { $0.removeLast(10) }
    try Kept().expectRenewal("empty") { $0 = Data() }
    try Kept().expectRenewal("foreign") { $0 = Data("something else altogether".utf8) }
    try Kept().expectRenewal("foreign, as long") { $0 = Data(repeating: 65, count: $0.count) }
  }

  @Test("Of another version, with all sums right, it is replaced", arguments: [8, 12])
  func otherVersion(offset: Int) throws {
    try Kept().expectRenewal("version at \(offset)") { data in
      data[offset] += 1
      data.rehash()
    }
  }

  @Test("Counts that contradict one another, with all sums right, are not believed")
  func contradictions() throws {
    let kept = try Kept()
    _ = try kept.analyze(measuresLogMel: true)
    let url = try kept.sidecar
    let good = try Data(contentsOf: url)
    let key = try kept.key
    // Length, hops, levels, facts, log-mel frames and the size of the file.
    for offset in stride(from: 40, through: 96, by: 8) {
      for change in [
        [0, 0, 0, 0, 0, 0, 0, 0x80], [0, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0],
      ] {
        var bad = good
        for (index, bits) in change.enumerated() { bad[offset + index] ^= UInt8(bits) }
        bad.rehash()
        try bad.write(to: url)
        let isRead = kept.cache.read(key: key, needsLogMel: true) != nil
        // A frame more or less may lie within the same hop.
        if offset > 40 || change[0] == 0 { #expect(!isRead, "\(change) at \(offset)") }
      }
    }
  }

  @Test("Of another source, it is replaced")
  func otherSource() throws {
    let other = try Kept("wav-s24-48k-mono.wav")
    _ = try other.analyze()
    let foreign = try Data(contentsOf: other.sidecar)
    try Kept().expectRenewal("another source's") { $0 = foreign }
  }

  @Test("A folder in its place costs the cache and nothing else")
  func folderInPlace() throws {
    let kept = try Kept()
    let hops = try analyze(kept.path, threads: 1).allHops()
    try FileManager.default.createDirectory(at: kept.sidecar, withIntermediateDirectories: true)
    let recording = try kept.analyze()
    #expect(!recording.isFromSidecar)
    #expect(recording.sidecarProblem != nil)
    #expect(try recording.allHops() == hops)
    #expect(try kept.cached == [kept.sidecar.lastPathComponent])
  }

  @Test("A pipe in its place keeps nobody waiting")
  func pipeInPlace() throws {
    let kept = try Kept()
    try FileManager.default.createDirectory(
      atPath: kept.cache.path, withIntermediateDirectories: true)
    #expect(mkfifo(try kept.sidecar.path, 0o600) == 0)
    #expect(try !kept.analyze().isFromSidecar)
    #expect(try kept.analyze().isFromSidecar)
  }

  @Test("Two analyses of one file at once both come out right")
  func twoAtOnce() throws {
    let kept = try Kept()
    let key = try kept.key
    let hops = try analyze(kept.path, threads: 1).allHops()
    let length = FrameCount(Int64(hops.count) * 80)
    let format = try Sound.format(8000)
    let facts = SidecarFacts(format: format, seekIndex: nil, warnings: [])
    let grid = HopGrid(rate: format.rate)
    var first = EnvelopeBuilder(grid: grid, writer: try kept.cache.makeWriter(key: key))
    try first.append(Array(hops[..<200]))
    var second = EnvelopeBuilder(grid: grid, writer: try kept.cache.makeWriter(key: key))
    try first.append(Array(hops[200...]))
    let early = try first.finish(length: length, facts: facts)
    #expect(try early.hops(in: 0..<hops.count) == hops)
    try second.append(hops)
    let late = try second.finish(length: length, facts: facts)
    #expect(first.sidecarProblem == nil && second.sidecarProblem == nil)
    #expect(try early.hops(in: 0..<hops.count) == hops)
    #expect(try late.hops(in: 0..<hops.count) == hops)
    #expect(kept.cache.read(key: key) != nil)
    #expect(try kept.cached.count == 1)
  }
}

@Suite("A sidecar that cannot be written", .serialized)
struct UnwritableSidecarTests {
  @Test("A cache folder that cannot be made costs the cache and nothing else", arguments: [1, 2])
  func folderCannotBeMade(threads: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.copy(of: "wav-s16-8k-mono.wav")
    let cache = SidecarFolder(path: path + "/cache")
    let recording = try RecordingAnalyzer(threadCount: threads, sidecars: cache)
      .analyze(path: path)
    #expect(recording.sidecarProblem != nil)
    #expect(try recording.allHops() == analyze(path, threads: 1).allHops())
  }

  @Test(
    "A folder without write permission costs the cache and nothing else",
    .enabled(if: geteuid() != 0, "root may write anywhere"))
  func noPermission() throws {
    let folder = try TemporaryFolder()
    let path = try folder.copy(of: "wav-s16-8k-mono.wav")
    let cache = SidecarFolder(path: folder.path("cache"))
    #expect(mkdir(cache.path, 0o500) == 0)
    let recording = try RecordingAnalyzer(threadCount: 1, sidecars: cache).analyze(path: path)
    #expect(recording.sidecarProblem != nil)
    #expect(try recording.allHops() == analyze(path, threads: 1).allHops())
  }

  @Test(
    "A full disk costs the cache and nothing else, at whatever byte it is full",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"),
    arguments: [
      // Full while hops are written, and in the summaries.
      (seconds: 60, kibibytes: 64), (seconds: 21, kibibytes: 32), (seconds: 12, kibibytes: 16),
    ])
  func fullDisk(seconds: Int, kibibytes: Int) throws {
    let disk = try SmallDisk(kibibytes: kibibytes)
    let folder = try TemporaryFolder()
    let path = folder.path("sound.wav")
    let sound = try Sound.noise(amplitude: 0.3, rate: 1000, frames: 1000 * seconds)
    try sound.wav().write(to: URL(filePath: path))
    let hops = try analyze(path, threads: 1).allHops()
    #expect(hops.count == 100 * seconds)
    for threads in [1, 2] {
      var analyzer = RecordingAnalyzer(
        threadCount: threads, sidecars: SidecarFolder(path: disk.folder.path))
      analyzer.hopsPerPart = 500
      analyzer.measuresLogMel = true
      let recording = try analyzer.analyze(path: path)
      #expect(recording.sidecarProblem == String(cString: strerror(ENOSPC)))
      #expect(recording.logMel?.count == 25 * seconds)
      #expect(try recording.allHops() == hops)
      #expect(try disk.folder.contents.isEmpty)
    }
  }
}

/// A file system of a few pages, in memory.
private final class SmallDisk {
  let folder: TemporaryFolder

  init(kibibytes: Int) throws {
    folder = try TemporaryFolder()
    try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kibibytes)k") == 0)
  }

  deinit { umount2(folder.path, Int32(MNT_DETACH)) }

  static let isPossible: Bool = {
    guard geteuid() == 0 else { return false }
    return (try? SmallDisk(kibibytes: 16)) != nil
  }()
}
