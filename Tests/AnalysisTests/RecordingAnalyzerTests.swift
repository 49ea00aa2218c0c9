// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Analysis

extension AnalyzedRecording {
  /// All hops, read back from wherever they are.
  func allHops() throws -> [Hop] { try envelope.hops(in: 0..<envelope.hopCount) }
}

/// Analyses without a cache, in parts of so many hops.
func analyze(
  _ path: String, threads: Int, hopsPerPart: Int = PartPlan.usualHopsPerPart,
  measuresLogMel: Bool = false
) throws -> AnalyzedRecording {
  var analyzer = RecordingAnalyzer(threadCount: threads, sidecars: nil)
  analyzer.measuresLogMel = measuresLogMel
  analyzer.hopsPerPart = hopsPerPart
  return try analyzer.analyze(path: path)
}

@Suite("RecordingAnalyzer")
struct RecordingAnalyzerTests {
  @Test("The hops are those of the decoded samples", arguments: ["flac-44k-stereo.flac"])
  func hopsAreThoseOfTheSamples(name: String) throws {
    let sound = try Fixtures.sound(name)
    let recording = try analyze(Fixtures.path(name), threads: 2)
    #expect(recording.format == sound.format)
    #expect(recording.envelope.length.frames == Int64(sound.frameCount))
    #expect(try recording.allHops() == sound.hops())
  }

  @Test("A recording of several half minutes is the same on one thread and on several")
  func longRecording() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("long.wav")
    let short = try Fixtures.sound("wav-s16-8k-mono.wav")
    let long = Sound(format: short.format, samples: (0..<18).flatMap { _ in short.samples })
    try long.wav().write(to: URL(filePath: path))
    let alone = try analyze(path, threads: 1)
    #expect(alone.envelope.hopCount > 3 * PartPlan.usualHopsPerPart)
    #expect(try alone.allHops() == long.hops())
    for threads in [2, 3, 16] {
      #expect(try analyze(path, threads: threads).allHops() == alone.allHops())
    }
  }

  @Test("Channels that cancel each other are told of, and no others", arguments: [1, 3])
  func channelsThatCancel(threads: Int) throws {
    let folder = try TemporaryFolder()
    let noise = try Sound.noise(amplitude: 0.3, rate: 8000, frames: 8000 * 40, channels: 2)
    func warnings(_ sound: Sound) throws -> [DecodingWarning] {
      let path = folder.path("\(threads).wav")
      try sound.wav().write(to: URL(filePath: path))
      return try analyze(path, threads: threads).warnings
    }
    #expect(try warnings(noise).isEmpty)
    var same = noise
    var opposite = noise
    for frame in 0..<noise.frameCount {
      same.samples[2 * frame + 1] = noise.samples[2 * frame]
      opposite.samples[2 * frame + 1] = -0.95 * noise.samples[2 * frame]
    }
    #expect(try warnings(same).isEmpty)
    #expect(try warnings(opposite) == [.cancelledChannels])
    #expect(try warnings(Sound.silence(rate: 8000, frames: 16_000, channels: 2)).isEmpty)
  }

  @Test("One, two and three threads find the same in every fixture", arguments: goodFixtures)
  func threadsMakeNoDifference(name: String) throws {
    let path = Fixtures.path(name)
    let alone = try analyze(path, threads: 1)
    for threads in isThoroughRun ? [2, 3] : [3] {
      let together = try analyze(path, threads: threads, hopsPerPart: 77)
      #expect(together.envelope.length == alone.envelope.length)
      #expect(together.warnings == alone.warnings)
      #expect(try together.allHops() == alone.allHops())
      #expect(together.envelope.summary == alone.envelope.summary)
    }
  }

  @Test(
    "Log-mel frames and loudness are the same however a recording is cut, and the hops those without them",
    arguments: goodFixtures)
  func logMel(name: String) throws {
    let path = Fixtures.path(name)
    let bare = try analyze(path, threads: 1)
    #expect(bare.logMel == nil && bare.loudness == nil)
    let alone = try analyze(path, threads: 1, measuresLogMel: true)
    #expect(try alone.allHops() == bare.allHops())
    #expect(alone.logMel?.count == LogMelFrames.count(covering: alone.envelope.hopCount))
    for (threads, hopsPerPart) in isThoroughRun ? [(2, 77), (3, 20), (1, 31)] : [(3, 20)] {
      let together = try analyze(
        path, threads: threads, hopsPerPart: hopsPerPart, measuresLogMel: true)
      #expect(together.logMel == alone.logMel)
      #expect(together.loudness == alone.loudness)
    }
    let sound = try Fixtures.sound(name)
    var analyzer = LogMelAnalyzer(format: sound.format)
    var frames = LogMelFrames()
    sound.samples.withUnsafeBufferPointer { analyzer.push($0, into: &frames) }
    analyzer.finish(into: &frames)
    #expect(alone.logMel == frames)
  }

  private static let goodFixtures = Fixtures.index.good.map(\.path).filter {
    $0 != "m4a-aac-pns.m4a"
  }

  @Test("Noise that AAC's decoder makes up is within 0.1 dB on one thread and on several")
  func noiseSubstitution() throws {
    let path = Fixtures.path("m4a-aac-pns.m4a")
    let alone = try analyze(path, threads: 1)
    let together = try analyze(path, threads: 2, hopsPerPart: 77)
    #expect(together.envelope.length == alone.envelope.length)
    let pairs = zip(try alone.allHops(), try together.allHops())
    let powers = pairs.map { (Double($0.meanSquare), Double($1.meanSquare)) }
    // Single hops of background may differ; what is heard of the recording does not.
    let sums = powers.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    #expect(abs(decibels(sums.0) - decibels(sums.1)) < 0.1)
    for (left, right) in powers where left > 1e-4 {
      #expect(abs(decibels(left) - decibels(right)) < 0.1)
    }
  }

  @Test("That noise is the same in every run on several threads, however many")
  func noiseSubstitutionIsRepeated() throws {
    let path = Fixtures.path("m4a-aac-pns.m4a")
    let hops = try analyze(path, threads: 2, hopsPerPart: 20).allHops()
    for threads in [2, 3, 2, 5, 3] {
      #expect(try analyze(path, threads: threads, hopsPerPart: 20).allHops() == hops)
    }
  }

  @Test(
    "A damaged file gives the same on one thread and on several",
    arguments: Fixtures.index.malformed.filter { $0.expect != "error" }.map(\.path))
  func damage(name: String) throws {
    let path = Fixtures.path(name)
    guard let alone = try? analyze(path, threads: 1, measuresLogMel: true) else {
      #expect(throws: AnalysisError.self) { try analyze(path, threads: 2, hopsPerPart: 31) }
      return
    }
    for threads in [2, 3] {
      let together = try analyze(path, threads: threads, hopsPerPart: 31, measuresLogMel: true)
      #expect(together.logMel?.count == LogMelFrames.count(covering: alone.envelope.hopCount))
      #expect(together.envelope.length == alone.envelope.length)
      #expect(together.warnings.count == alone.warnings.count)
      // FLAC's damaged place is found to 256 frames, counted from where reading began.
      let differing = try zip(together.allHops(), alone.allHops()).count { $0 != $1 }
      #expect(differing <= (name.hasSuffix("garbage_in_middle.flac") ? 8 : 0))
      if differing == 0 {
        #expect(together.warnings == alone.warnings)
        #expect(together.logMel == alone.logMel && together.loudness == alone.loudness)
      }
    }
  }

  @Test(
    "Fewer frames than promised are all there, with a warning",
    arguments: [
      "truncated_middle.flac", "truncated_middle.wav", "truncated_middle.mp3",
      "truncated_middle.m4a",
    ], [1, 2])
  func fewerFramesThanPromised(name: String, threads: Int) throws {
    let recording = try analyze(
      Fixtures.path("malformed/\(name)"), threads: threads, hopsPerPart: 31)
    #expect(!recording.warnings.isEmpty)
    #expect(recording.envelope.length > .zero)
    #expect(
      recording.envelope.hopCount
        == recording.envelope.grid.hopCount(covering: recording.envelope.length))
  }

  @Test("A length that lies by years reserves nothing and stops no one", arguments: [1, 2, 3])
  func lyingLength(threads: Int) throws {
    let path = Fixtures.path("malformed/lying_duration.flac")
    let recording = try analyze(path, threads: threads, hopsPerPart: 31)
    #expect(abs(recording.envelope.length.seconds(at: recording.format.rate) - 3) < 0.1)
    #expect(!recording.warnings.isEmpty)
  }

  @Test("Samples that are no numbers are counted once, however the work is shared")
  func nonFiniteSamples() throws {
    let folder = try TemporaryFolder()
    var sound = try Sound.noise(amplitude: 0.1, rate: 8000, frames: 40_000)
    for frame in stride(from: 0, to: 40_000, by: 100) { sound.samples[frame] = .nan }
    let path = folder.path("nan.wav")
    try sound.wav(isFloat: true).write(to: URL(filePath: path))
    for threads in [1, 2] {
      let recording = try analyze(path, threads: threads, hopsPerPart: 50)
      #expect(recording.warnings == [.notFinite(samples: 400)])
    }
  }

  @Test("What is no recording is an error that names the file", arguments: [1, 2])
  func errors(threads: Int) throws {
    for name in ["random_bytes.bin", "zero_frames.wav", "empty.m4a", "text_renamed.m4a"] {
      let path = Fixtures.path("malformed/\(name)")
      let error = #expect(throws: AnalysisError.self) { try analyze(path, threads: threads) }
      guard case .decoding(let cause) = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(cause.file == path)
    }
    #expect(throws: AnalysisError.self) { try analyze("/nonexistent/file.wav", threads: threads) }
  }
}

@Suite("RecordingAnalyzer while it works")
struct RecordingAnalyzerProgressTests {
  @Test(
    "Progress never goes back and ends at 1",
    arguments: ["mp3-22k-mono.mp3", "m4a-fragmented.m4a", "malformed/truncated_middle.flac"],
    [1, 2])
  func progress(name: String, threads: Int) throws {
    let seen = Monitor<[Double]>([])
    var analyzer = RecordingAnalyzer(threadCount: threads, sidecars: nil) { share in
      seen.update { $0.append(share) }
    }
    analyzer.hopsPerPart = 50
    _ = try analyzer.analyze(path: Fixtures.path(name))
    let shares = seen.update { $0 }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(shares.allSatisfy { (0...1).contains($0) })
    #expect(shares.last == 1)
  }

  @Test("Progress is shown on the way", arguments: [1, 2])
  func progressOnTheWay(threads: Int) throws {
    let seen = Monitor<[Double]>([])
    var analyzer = RecordingAnalyzer(threadCount: threads, sidecars: nil) { share in
      seen.update { $0.append(share) }
    }
    analyzer.hopsPerPart = 500
    _ = try analyzer.analyze(path: Fixtures.path("mp3-22k-mono.mp3"))
    #expect(seen.update { $0.count { 0 < $0 && $0 < 1 } } >= 2)
  }

  @Test("Stopped in the middle it throws and leaves nothing in the cache", arguments: [1, 2, 3])
  func stopping(threads: Int) throws {
    let folder = try TemporaryFolder()
    let flag = StopFlag()
    var analyzer = RecordingAnalyzer(
      threadCount: threads, sidecars: SidecarFolder(path: folder.path("cache")), stopFlag: flag
    ) { _ in flag.stop() }
    analyzer.hopsPerPart = 100
    #expect(throws: AnalysisError.cancelled) {
      try analyzer.analyze(path: Fixtures.path("mp3-22k-mono.mp3"))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")).isEmpty)
  }

  @Test("Stopped beforehand it does nothing", arguments: [1, 2])
  func stoppedBeforehand(threads: Int) throws {
    let folder = try TemporaryFolder()
    let flag = StopFlag()
    flag.stop()
    var analyzer = RecordingAnalyzer(
      threadCount: threads, sidecars: SidecarFolder(path: folder.path("cache")), stopFlag: flag)
    analyzer.hopsPerPart = 100
    #expect(throws: AnalysisError.cancelled) {
      try analyzer.analyze(path: Fixtures.path("mp3-22k-mono.mp3"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("cache")))
  }
}

@Suite("PartBoard")
struct PartBoardTests {
  @Test("Parts are given out in order, and no further ahead than allowed")
  func order() {
    var board = PartBoard(count: 4, ahead: 2)
    #expect(board.take() == .some(0))
    #expect(board.take() == .some(1))
    #expect(board.take() == nil)
    board.deliver(.stopped, for: 1)
    #expect(board.collect(0) == nil)
    board.deliver(.stopped, for: 0)
    #expect(board.collect(0) != nil)
    #expect(board.take() == .some(2))
    #expect(board.take() == nil)
    #expect(board.collect(1) != nil)
    #expect(board.take() == .some(3))
    #expect(board.take() == .some(nil))
  }

  @Test("Once abandoned, it gives out nothing")
  func abandoned() {
    var board = PartBoard(count: 4, ahead: 2)
    #expect(board.take() == .some(0))
    board.abandon()
    #expect(board.take() == .some(nil))
  }
}
