// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import Foundation
import GeneratedVideo
import TestSupport
import Testing

@testable import Video

/// A passage cut out of a video, with its picture.
@Suite struct PassageTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible, Sendable {
    var container: String
    var bFrames = 2
    var keyframeEvery = 25
    /// Seconds of the sound that are missing.
    var gap: Double?
    var testDescription: String {
      "\(container), \(bFrames) B-frames" + (gap.map { ", a gap of \($0) s in the sound" } ?? "")
    }
  }

  static let cases = [
    Case(container: "mp4"), Case(container: "mov", bFrames: 0), Case(container: "matroska"),
    Case(container: "mpegts"), Case(container: "mp4", keyframeEvery: 500),
    Case(container: "matroska", gap: 1.5), Case(container: "mpegts", gap: 1.5),
    Case(container: "matroska", gap: 30), Case(container: "mpegts", gap: 30),
  ]

  /// Seconds, on and off keyframes.
  static let spans = [(0.0, 10.0), (1.0, 2.0), (3.333, 7.777), (9.2, 10.0)]

  private func video(_ item: Case, sound: String = "aac") throws -> MediaSource {
    var video = GeneratedVideo(frames: 250, rate: 25)
    video.container = item.container
    video.soundCodec = sound
    video.bFrames = item.bFrames
    video.keyframeEvery = item.keyframeEvery
    if let gap = item.gap {
      video.times = (0..<Int((8.5 + gap) * 25)).map { Double($0) / 25 }
      (video.soundGap, video.soundSeconds) = ((after: 5, seconds: gap), 8.5)
    }
    let path = folder.path("video")
    try video.write(to: path)
    return try MediaSource(path: path)
  }

  private func number(_ reader: VideoReader, at position: FramePosition) throws -> Int? {
    let picture = try reader.picture(at: position, as: PictureRequest(width: 96, height: 54))
    return picture.flatMap {
      GeneratedVideo.number(in: $0.pixels, width: $0.width, height: $0.height)
    }
  }

  @Test(arguments: cases)
  func soundAndPictureAreThoseOfTheSpan(_ item: Case) throws {
    let source = try video(item)
    let rate = source.description.format.rate
    let length = try Sound(source).frameCount
    let original = try VideoReader(source)
    let steps = isThoroughRun ? 20 : 7
    for (number, seconds) in Self.spans.enumerated() {
      let first = FramePosition(seconds: seconds.0, at: rate)
      guard first.frames < length else { continue }
      let last = min(FramePosition(seconds: seconds.1, at: rate), .zero + FrameCount(Int64(length)))
      let path = folder.path("\(number).mp4")
      let cut = try AudioCutter(source).copyWithPicture(first..<last, to: path, as: .mp4)
      #expect(cut.lead == .zero)
      let copy = try MediaSource(path: path)
      let span = Int(first.frames)..<Int(last.frames)
      let (due, sound) = (try Sound(source, span), try Sound(copy))
      #expect(sound.frameCount == span.count, "\(seconds)")
      let worst = zip(due.samples, sound.samples).map { abs($0 - $1) }.max() ?? 1
      #expect(worst < 1e-5, "\(seconds): off by \(worst)")
      let reader = try VideoReader(copy)
      for step in 0..<steps {
        // Not at the edge of a frame, which a container rounds.
        let offset = FrameCount(Int64(span.count * step / steps + 700))
        guard offset < last - first else { continue }
        #expect(
          try self.number(reader, at: .zero + offset) == self.number(original, at: first + offset),
          "\(seconds), \(offset.frames) frames on")
      }
    }
  }

  @Test(arguments: [0, 90, 180]) func matroskaSaysThatItDoesNotTurnThePicture(_ turn: Int) throws {
    var video = GeneratedVideo(frames: 100, rate: 25)
    (video.container, video.soundCodec, video.rotation) = ("mp4", "aac", turn)
    let path = folder.path("video")
    try video.write(to: path)
    let source = try MediaSource(path: path)
    let span =
      FramePosition(
        seconds: 1, at: source.description.format.rate)..<FramePosition(
        seconds: 2, at: source.description.format.rate)
    let cutter = AudioCutter(source)
    #expect(
      try cutter.copyWithPicture(span, to: folder.path("a.mkv"), as: .matroska).losesTurn
        == (turn != 0))
    #expect(try !cutter.copyWithPicture(span, to: folder.path("a.mp4"), as: .mp4).losesTurn)
  }

  @Test func matroskaBeginsAtTheKeyframeAndSaysSo() throws {
    let source = try video(Case(container: "matroska"), sound: "pcm_s16le")
    let rate = source.description.format.rate
    let first = FramePosition(seconds: 3.4, at: rate)
    let last = FramePosition(seconds: 6, at: rate)
    let path = folder.path("part.mkv")
    #expect(throws: EncodingError.self) {
      try AudioCutter(source).copyWithPicture(first..<last, to: path, as: .mp4)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    let cut = try AudioCutter(source).copyWithPicture(first..<last, to: path, as: .matroska)
    let lead = cut.lead.seconds(at: rate)
    #expect((0.37...0.4).contains(lead), "the keyframe is at 3 s; \(lead)")
    let copy = try MediaSource(path: path)
    let reader = try VideoReader(copy)
    for frame in [88, 100, 147] {
      // The middle of it.
      let seconds = (Double(frame) + 0.5) / 25 - (3.4 - lead)
      #expect(try number(reader, at: FramePosition(seconds: seconds, at: rate)) == frame)
    }
    let length = Double(try Sound(copy).frameCount) / Double(rate.hertz)
    #expect((2.9...3.2).contains(length), "\(length) s")
  }

  /// Whatever is damaged, nobody is sent to look at the disk.
  @Test(arguments: ["mpegts", "matroska"])
  func ofDamagedSoundIsCopiedWhatIsWhole(_ container: String) throws {
    let path = folder.path("damaged")
    var video = GeneratedVideo(frames: 250, rate: 25)
    (video.container, video.soundCodec) = (container, "aac")
    try video.write(to: path)
    let whole = try Data(contentsOf: URL(filePath: path))
    var (copies, refusals) = (0, 0)
    for seed in 0..<UInt64(isThoroughRun ? 200 : 40) {
      var random = SplitMix64(state: seed)
      var bytes = whole
      for _ in 0..<[3, 30, 300].randomElement(using: &random)! {
        bytes[Int.random(in: 1000..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      try bytes.write(to: URL(filePath: path))
      guard let source = try? MediaSource(path: path), let sound = try? Sound(source) else {
        continue
      }
      let span = FramePosition.zero..<(.zero + FrameCount(Int64(sound.frameCount)))
      do throws(EncodingError) {
        _ = try AudioCutter(source).copyWithPicture(
          span, to: folder.path("\(seed).mkv"), as: .matroska)
        copies += 1
      } catch {
        #expect(error.kind != .inputOutput, "\(seed): \(error)")
      }
      do throws(EncodingError) {
        _ = try AudioCutter(source).copyWithPicture(
          span, to: folder.path("\(seed).mp4"), as: .mp4)
      } catch {
        // What ends early has nothing at its end.
        guard case .damaged(let seconds) = error.kind else { continue }
        refusals += 1
        #expect((0..<10).contains(seconds), "\(seed): \(error)")
      }
    }
    // Matroska says how long a packet is, whatever is in it.
    #expect(copies >= 30 && (refusals > 0 || container != "mpegts"))
  }

  /// Whatever one packet says of its time, the others are where they were.
  @Test(arguments: [Forged.seen, .both, .bothOfTheFirst])
  func aForgedTimeChangesNothingElse(_ forged: Forged) throws {
    let path = folder.path("forged")
    var video = GeneratedVideo(frames: 250, rate: 25)
    (video.container, video.soundCodec, video.bFrames) = ("mpegts", "aac", 2)
    video.keyframeEvery = 25
    try video.write(to: path)
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    // Packets say in their heads when they are seen and, from the tenth byte to the fourteenth, or five bytes on, when they
    // are decoded; the 31st bit of a time is worth more than three hours, the 33rd thirteen.
    let first = forged == .bothOfTheFirst ? 0 : bytes.count / 2
    let head = try #require(
      (first..<bytes.count - 20).first {
        bytes[$0..<$0 + 4].elementsEqual([0, 0, 1, 0xE0]) && bytes[$0 + 7] & 0xC0 == 0xC0
      })
    let bit: UInt8 = forged == .bothOfTheFirst ? 0b1000 : 0b10
    bytes[head + 9] |= bit
    if forged != .seen { bytes[head + 14] |= bit }
    try Data(bytes).write(to: URL(filePath: path))
    let source = try MediaSource(path: path)
    let rate = source.description.format.rate
    for format in [PictureContainer.matroska, .mp4] {
      let copy = folder.path("copy-\(format)")
      _ = try AudioCutter(source).copyWithPicture(
        .zero..<FramePosition(seconds: 9.5, at: rate), to: copy, as: format)
      let reader = try VideoReader(MediaSource(path: copy))
      var positions: [Double] = []
      while let frame = try reader.next() { positions.append(frame.position.seconds(at: rate)) }
      // Of the first, others are made until the next keyframe.
      let least = forged == .bothOfTheFirst ? 200 : 230
      #expect(positions.count >= least && positions.last! < 10, "\(format): \(positions.suffix(3))")
    }
  }

  enum Forged: Sendable { case seen, both, bothOfTheFirst }

  @Test func soundAloneHasNoPictureToCopy() throws {
    let source = try fixture("m4a-aac.m4a")
    #expect(throws: EncodingError.self) {
      try AudioCutter(source).copyWithPicture(
        .zero..<FramePosition(1000), to: folder.path("x.mp4"), as: .mp4)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe"), "no ffprobe"))
  func anotherProgramSeesTheSame() throws {
    let source = try video(Case(container: "mp4"))
    let rate = source.description.format.rate
    let path = folder.path("part.mp4")
    _ = try AudioCutter(source).copyWithPicture(
      FramePosition(seconds: 3.4, at: rate)..<FramePosition(seconds: 6, at: rate), to: path,
      as: .mp4)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/ffprobe")
    process.arguments = [
      "-v", "error", "-show_entries", "stream=codec_type,codec_name,start_time", "-of", "csv=p=0",
      path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "aac,audio,0.000000\nmpeg4,video,0.000000\n", "\(text)")
  }
}
