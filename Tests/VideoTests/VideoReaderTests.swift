// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import GeneratedVideo
import TestSupport
import Testing

@testable import Video

/// Every frame has its place on the sound's clock, however the container tells it.
@Suite struct VideoReaderTests {
  private static let request = PictureRequest(width: 96, height: 54)

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var video: GeneratedVideo
    /// Seconds that the container rounds times to.
    var grain = 1.0 / 30_000
    /// Frames of the encoder's delay that the container cannot say to leave out.
    var untrimmed = 0.0
    var testDescription: String { name }
  }

  static let cases: [Case] = {
    var cases: [Case] = []
    let rates: [(String, Double)] = [
      ("24", 24), ("25", 25), ("29.97", 30_000.0 / 1001.0), ("50", 50),
    ]
    for (name, rate) in rates {
      cases.append(Case(name: "\(name) a second", video: GeneratedVideo(frames: 60, rate: rate)))
    }
    var film = GeneratedVideo(frames: 60, rate: 25)
    film.keyframeEvery = 12
    film.soundCodec = "aac"
    film.container = "mov"
    cases.append(Case(name: "QuickTime", video: film))
    film.container = "matroska"
    cases.append(Case(name: "Matroska", video: film, grain: 0.001, untrimmed: 1024))
    film.container = "mpegts"
    cases.append(Case(name: "a transport stream", video: film, grain: 0.001, untrimmed: 1024))
    var plain = film
    plain.container = "avi"
    plain.codec = "mjpeg"
    plain.unitsPerSecond = 25
    plain.soundCodec = "pcm_s16le"
    cases.append(Case(name: "AVI", video: plain))
    plain.codec = "mpeg4"
    cases.append(Case(name: "AVI with frames in another order", video: plain))
    plain.codec = "libx264"
    plain.bFrames = 4
    cases.append(Case(name: "AVI with H.264", video: plain))
    plain.opensGroups = true
    cases.append(Case(name: "AVI with H.264 and open groups", video: plain))
    plain.unitsPerSecond = 50
    cases.append(Case(name: "AVI with H.264, of twice as many units", video: plain))
    var padded = GeneratedVideo(frames: 60, rate: 25)
    padded.soundCodec = "aac"
    padded.container = "mp4"
    cases.append(Case(name: "AAC with its delay", video: padded))
    var uneven = GeneratedVideo(frames: 0, rate: 25)
    uneven.times = (0..<60).map { (number: Int) -> Double in
      Double(number * number % 7) * 0.004 + Double(number) * 0.05
    }
    uneven.soundSeconds = 3
    cases.append(Case(name: "variable rate", video: uneven))
    var lateSound = GeneratedVideo(frames: 60, rate: 25)
    lateSound.soundStart = 0.5
    cases.append(Case(name: "sound that starts late", video: lateSound))
    var latePicture = GeneratedVideo(frames: 60, rate: 25, start: 0.7)
    latePicture.soundSeconds = 4
    cases.append(Case(name: "picture that starts late and ends early", video: latePicture))
    var longPicture = GeneratedVideo(frames: 60, rate: 25)
    longPicture.soundSeconds = 1
    cases.append(Case(name: "picture that outlasts the sound", video: longPicture))
    return cases
  }()

  /// One frame's time leads far ahead, and the picture goes on all the same.
  @Test func aForgedTimeCostsOneFrame() throws {
    var video = GeneratedVideo(frames: 250, rate: 25)
    (video.container, video.soundCodec) = ("mpegts", "aac")
    try withVideoFile(video) { path in
      var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
      let head = try #require(
        (bytes.count / 2..<bytes.count - 20).first {
          bytes[$0..<$0 + 4].elementsEqual([0, 0, 1, 0xE0]) && bytes[$0 + 7] & 0x80 == 0x80
        })
      bytes[head + 9] |= 0b10
      if bytes[head + 7] & 0x40 != 0 { bytes[head + 14] |= 0b10 }
      try Data(bytes).write(to: URL(filePath: path))
      let source = try MediaSource(path: path)
      let reader = try VideoReader(source)
      var numbers: [Int] = []
      while let frame = try reader.next() {
        numbers.append(try #require(reader.picture(of: frame, as: Self.request)?.number))
        #expect(frame.position.seconds(at: source.description.format.rate) < 10.2)
      }
      #expect(numbers.count >= 249 && numbers == numbers.sorted() && numbers.last == 249)
    }
  }

  @Test func aFileThatIsCutShortWhileItIsOpenEndsWithTheReason() throws {
    var video = GeneratedVideo(frames: 250, rate: 25)
    video.container = "matroska"
    try withVideoFile(video) { path in
      let source = try MediaSource(path: path)
      let reader = try VideoReader(source)
      let late = FramePosition(seconds: 9, at: source.description.format.rate)
      #expect(try reader.picture(at: late, as: Self.request)?.number == 225)
      #expect(truncate(path, off_t(source.file.size / 2)) == 0)
      #expect(try reader.picture(at: .zero, as: Self.request)?.number == 0)
      #expect {
        try reader.picture(at: late, as: Self.request)
      } throws: { ($0 as? VideoError)?.kind == .cutShort }
    }
  }

  @Test(arguments: cases) func framesHaveTheirPlaceOnTheClockOfTheSound(_ item: Case) throws {
    try withVideo(item.video) { source in
      let reader = try VideoReader(source)
      let rate = source.description.format.rate
      var numbers: [Int] = []
      while let frame = try reader.next() {
        let picture = try #require(reader.picture(of: frame, as: Self.request))
        let number = try #require(picture.number)
        numbers.append(number)
        let due =
          (item.video.times[number] - item.video.soundStart) * Double(rate.hertz) + item.untrimmed
        #expect(
          abs(Double(frame.position.frames) - due) <= item.grain * Double(rate.hertz) + 2,
          "frame \(number)")
      }
      #expect(numbers == Array(item.video.times.indices))
      if item.video.container == "avi", item.video.unitsPerSecond == 25 {
        #expect(reader.description.frameRate == 25)
      }
    }
  }

  @Test(arguments: cases) func aFrameGoneToIsTheOneThatPlayingComesTo(_ item: Case) throws {
    try withVideo(item.video) { source in
      let positions = try linearPositions(source)
      let reader = try VideoReader(source)
      for step in 0..<24 {
        let index = step * 37 % positions.count
        let wanted = positions[index] + FrameCount(Int64(step % 3) * 40 - 40)
        let earliest = FramePosition(Int64(source.description.format.rate.hertz / 10))
        let due = positions.lastIndex { $0 <= wanted } ?? (positions[0] <= earliest ? 0 : nil)
        let picture = try reader.picture(at: wanted, as: Self.request)
        #expect(picture?.number == due, "at \(wanted)")
        #expect(picture?.position == due.map { positions[$0] })
      }
    }
  }

  @Test func aVideoOfTwoHoursDoesNotDrift() throws {
    // A frame each 20.02 s: 600 of 29.97 a second.
    var video = GeneratedVideo(frames: 0, rate: 1)
    video.times = (0..<360).map { (number: Int) -> Double in Double(number * 600 * 1001) / 30_000 }
    video.keyframeEvery = 10
    video.container = "matroska"
    video.soundCodec = "flac"
    video.soundRate = 8000
    video.soundSeconds = 7210
    video.width = 96
    video.height = 54
    try withVideo(video) { source in
      let reader = try VideoReader(source)
      let rate = source.description.format.rate
      for number in [1, 17, 180, 300, 359] {
        for (offset, due) in [(-0.002, number - 1), (0.002, number)] {
          let wanted = FramePosition(seconds: video.times[number] + offset, at: rate)
          #expect(try reader.picture(at: wanted, as: Self.request)?.number == due)
        }
      }
    }
  }

  @Test(arguments: [90, 180, 270]) func aTurnedPictureStandsUpright(_ degrees: Int) throws {
    var video = GeneratedVideo(frames: 3, rate: 25)
    video.rotation = degrees
    try withVideo(video) { source in
      let reader = try VideoReader(source)
      let isTurned = degrees != 180
      #expect(reader.description.width == (isTurned ? 180 : 320))
      #expect(reader.description.height == (isTurned ? 320 : 180))
      let picture = try #require(
        try reader.picture(
          at: FramePosition(seconds: 0.05, at: source.description.format.rate),
          as: PictureRequest(width: 180, height: 320)))
      // Frame 1 has one white bar: the last, at the right before it is turned.
      let corners = [(0.5, 0.02), (0.98, 0.5), (0.5, 0.98), (0.02, 0.5)]
      let lights = corners.map { across, down in
        picture.light(
          column: Int(across * Double(picture.width)), row: Int(down * Double(picture.height)))
      }
      // Where the right edge comes to lie: below, left, above.
      let due = [90: 2, 180: 3, 270: 0][degrees]
      #expect(lights.firstIndex { $0 > 200 } == due)
      #expect(lights.filter { $0 > 200 }.count == 1)
    }
  }

  @Test func soundAloneHasNoPicture() throws {
    var video = GeneratedVideo(frames: 20, rate: 25)
    video.container = "matroska"
    try withVideo(video) { source in
      let description = try VideoReader(source).description
      #expect(description.codec == "mpeg4")
      #expect(description.frameRate == 25)
    }
    let sound = try MediaSource(path: FixtureFolder.path("flac-44k-stereo.flac"))
    #expect(throws: VideoError(.noVideo, file: sound.file.path)) { try VideoReader(sound) }
  }

  @Test func aCodecThatNobodyKnowsIsNamedAndTheSoundIsThere() throws {
    var video = GeneratedVideo(frames: 20, rate: 25)
    video.codec = "mjpeg"
    try withVideoFile(video) { path in
      var bytes = Array(try Data(contentsOf: URL(filePath: path)))
      // Of the picture, whose track is the first: a version, a count and a length come before its codec.
      let table = Array("stsd".utf8)
      let place = try #require(
        bytes.indices.dropLast(20).first { Array(bytes[$0..<$0 + 4]) == table })
      bytes.replaceSubrange(place + 16..<place + 20, with: Array("zzzz".utf8))
      try Data(bytes).write(to: URL(filePath: path))
      let source = try MediaSource(path: path)
      #expect(source.description.frameCount == FrameCount(38_400))
      #expect(throws: VideoError(.unsupportedCodec("zzzz"), file: path)) {
        try VideoReader(source)
      }
    }
  }

  @Test func placementsFollowTheAspect() {
    let request = PictureRequest(width: 160, height: 90)
    #expect(request.placement(ofWidth: 320, height: 180) == .init(width: 160, height: 90))
    let tall = request.placement(ofWidth: 180, height: 320)
    #expect((tall.width, tall.height) == (51, 90))
    var filled = request
    filled.aspect = .fill
    let cut = filled.placement(ofWidth: 180, height: 320)
    #expect((cut.width, cut.height) == (160, 90))
    #expect(cut.columns == 1 && abs(cut.rows - 0.316) < 0.001 && abs(cut.top - 0.342) < 0.001)
    filled.aspect = .stretch
    #expect(filled.placement(ofWidth: 1, height: 9) == .init(width: 160, height: 90))
    filled.aspect = .original
    let middle = filled.placement(ofWidth: 320, height: 45)
    #expect((middle.width, middle.height, middle.columns, middle.left) == (160, 45, 0.5, 0.25))
  }

  @Test(arguments: ["mp4", "mov"]) func aFragmentedFileHasItsRate(_ container: String) throws {
    var video = GeneratedVideo(frames: 100, rate: 30)
    (video.container, video.soundCodec, video.isFragmented) = (container, "aac", true)
    try withVideo(video) { source in
      let rate = try VideoReader(source).description.frameRate
      #expect(rate == 30)
      // Its header does not know how long it became.
      #expect(source.description.warnings.isEmpty)
    }
  }

  private static let gap = (after: 4.0, seconds: 0.5)
  /// Longer than pictures are kept that wait for the sound.
  private static let longGap = (after: 4.0, seconds: 30.0)

  private static func withGap(
    _ container: String, _ gap: (after: Double, seconds: Double) = Self.gap
  ) -> GeneratedVideo {
    var video = GeneratedVideo(frames: Int((9.5 + gap.seconds) * 25), rate: 25)
    (video.container, video.soundCodec, video.keyframeEvery) = (container, "aac", 25)
    (video.soundGap, video.soundSeconds) = (gap, 9.5)
    return video
  }

  /// When what is heard after so many seconds of sound was heard, where the encoder's delay cannot be left out.
  private static func seconds(
    after sound: Double, in container: String, _ gap: (after: Double, seconds: Double) = Self.gap
  ) -> Double {
    let delay = container == "mp4" ? 0 : 1024.0 / 48_000
    return sound - delay + (sound - delay > gap.after ? gap.seconds : 0)
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func thePictureFollowsAGapInTheSound(_ container: String) throws {
    try withVideo(Self.withGap(container)) { source in
      let reader = try VideoReader(source)
      for sound in [1.03, 8.03, 3.91, 5.03, 4.13, 0.51, 9.03] {
        let position = FramePosition(seconds: sound, at: source.description.format.rate)
        let picture = try reader.picture(at: position, as: Self.request)
        let due = Int(Self.seconds(after: sound, in: container) * 25)
        #expect(picture?.number == due, "after \(sound) s")
      }
    }
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func thePictureFollowsALongGapInTheSound(_ container: String) throws {
    try withVideo(Self.withGap(container, Self.longGap)) { source in
      let rate = source.description.format.rate
      for sound in [4.13, 8.03, 3.91, 5.03, 1.03, 9.03] {
        let due = Int(Self.seconds(after: sound, in: container, Self.longGap) * 25)
        // Whether or not the gap was come by before.
        let reader = try VideoReader(source)
        for sought in [0, 9, sound] {
          let position = FramePosition(seconds: sought, at: rate)
          let picture = try reader.picture(at: position, as: Self.request)
          if sought == sound { #expect(picture?.number == due, "after \(sound) s") }
        }
        let alone = try VideoReader(source).picture(
          at: FramePosition(seconds: sound, at: rate), as: Self.request)
        #expect(alone?.number == due, "\(sound) s alone")
      }
    }
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func timesKnowALongGapInTheSound(_ container: String) throws {
    try withVideo(Self.withGap(container, Self.longGap)) { source in
      let rate = source.description.format.rate
      for sound in [8.03, 3.91, 4.13] {
        let times = try PictureTimes(source)
        let first = FramePosition(seconds: 1, at: rate)
        times.approach(first)
        let start = times.seconds(at: first) - Self.seconds(after: 1, in: container, Self.longGap)
        let position = FramePosition(seconds: sound, at: rate)
        times.approach(position)
        let due = start + Self.seconds(after: sound, in: container, Self.longGap)
        #expect(abs(times.seconds(at: position) - due) < 0.002, "after \(sound) s")
        // In the gap no sound passes.
        let passed = times.sound(untilSeconds: start + 20)
        #expect(abs(passed - times.sound(untilSeconds: start + 30)) < 0.001, "\(passed) s")
      }
    }
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func timesKnowWhenAPictureBeginsThatIsLate(_ container: String) throws {
    var video = GeneratedVideo(frames: 50, rate: 25, start: 3)
    (video.container, video.soundCodec, video.soundSeconds) = (container, "aac", 5)
    try withVideo(video) { source in
      let times = try PictureTimes(source)
      let late = try #require(times.firstSeconds) - times.seconds(at: .zero)
      #expect(abs(late - 3) < 0.05, "\(late)")
    }
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func aGapInTheSoundIsTold(_ container: String) throws {
    try withVideo(Self.withGap(container)) { source in
      let warnings = source.description.warnings
      guard case .missing(let position, let count) = warnings.first, warnings.count == 1 else {
        Issue.record("\(warnings)")
        return
      }
      let rate = source.description.format.rate
      #expect(abs(position.seconds(at: rate) - Self.gap.after) < 0.05, "\(position)")
      #expect(abs(count.seconds(at: rate) - Self.gap.seconds) < 0.002, "\(count)")
    }
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func aTimeBeforeAGapIsFoundFromFarBehindIt(_ container: String) throws {
    var video = Self.withGap(container)
    video.times = (0..<750).map { Double($0) / 25 }
    video.soundSeconds = 29.5
    try withVideo(video) { source in
      let times = try PictureTimes(source)
      let rate = source.description.format.rate
      let far = FramePosition(seconds: 25, at: rate)
      times.approach(far)
      let start = times.seconds(at: far) - Self.seconds(after: 25, in: container)
      let place = times.position(atSeconds: start + Self.seconds(after: 2, in: container))
      #expect(abs(place.seconds(at: rate) - 2) < 0.002, "\(place)")
      #expect(abs(times.seconds(at: far) - start - Self.seconds(after: 25, in: container)) < 0.002)
    }
  }

  @Test(arguments: ["mp4", "matroska", "mpegts"])
  func timesLeadToTheSoundOverAGapAndBack(_ container: String) throws {
    try withVideo(Self.withGap(container)) { source in
      let times = try PictureTimes(source)
      let rate = source.description.format.rate
      // The place of a seek is asked for while something else is heard.
      let heard = FramePosition(seconds: 2, at: rate)
      times.approach(heard)
      let before = times.seconds(at: heard)
      let start = before - Self.seconds(after: 2, in: container)
      for sound in [8.03, 3.91, 5.03, 4.13, 0.51, 9.03] {
        let position = FramePosition(seconds: sound, at: rate)
        let due = Self.seconds(after: sound, in: container) + start
        let found = times.position(atSeconds: due)
        #expect(abs((found - position).seconds(at: rate)) < 0.002, "\(found) for \(position)")
        times.approach(position)
        #expect(abs(times.seconds(at: position) - due) < 0.002, "after \(sound) s")
        #expect(abs(times.seconds(at: heard) - before) < 0.001)
      }
    }
  }

  private func linearPositions(_ source: MediaSource) throws -> [FramePosition] {
    let reader = try VideoReader(source)
    var positions: [FramePosition] = []
    while let frame = try reader.next() { positions.append(frame.position) }
    return positions
  }

  /// Nobody waits until every frame on the way has been decoded.
  @Test func aTransportStreamIsLeaptThroughThoughItKnowsNoKeyframes() throws {
    var video = GeneratedVideo(frames: 500, rate: 25)
    (video.container, video.soundCodec, video.keyframeEvery) = ("mpegts", "aac", 25)
    try withVideo(video) { source in
      let reader = try VideoReader(source)
      let rate = source.description.format.rate
      try reader.seek(to: .zero)
      _ = try reader.next()
      #expect(try !reader.leap(towards: FramePosition(seconds: 1.5, at: rate)))
      let far = FramePosition(seconds: 15, at: rate)
      #expect(try reader.leap(towards: far))
      var next = try #require(try reader.next())
      #expect(next.position <= far && next.position > FramePosition(seconds: 12, at: rate))
      // Nor does it go back and forth.
      var leaps = 0
      while next.position < far {
        leaps += try reader.leap(towards: far) ? 1 : 0
        next = try #require(try reader.next())
      }
      #expect(leaps <= 1)
    }
  }
}
