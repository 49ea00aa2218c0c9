// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import GeneratedVideo
import TestSupport
import Testing

@testable import Video

/// Small pictures of a whole recording.
@Suite struct ThumbnailTests {
  private static let rate = SampleRate(hertz: 48_000)!

  private func plan(seconds: Double) -> ThumbnailPlan {
    ThumbnailPlan(length: FrameCount(seconds: seconds, at: Self.rate), rate: Self.rate)
  }

  @Test(arguments: [(0.0, 1), (9.0, 1), (61.0, 7), (3600.0, 360), (40_000.0, 1440)])
  func thereIsOneForTenSecondsButNeverTooMany(seconds: Double, count: Int) {
    let plan = plan(seconds: seconds)
    #expect(plan.count == count)
    #expect(plan.order.sorted() == Array(0..<count))
    #expect((0..<count).allSatisfy { plan.position($0) < .zero + plan.length })
  }

  @Test func theFirstOfThemAreSpreadOverTheWholeRecording() {
    let order = plan(seconds: 10_000).order
    for share in [8, 32, 128] {
      let early = order.prefix(share).sorted()
      #expect(zip(early, early.dropFirst()).allSatisfy { $1 - $0 <= 2 * 1000 / share + 256 })
    }
    #expect(order.prefix(4) == [0, 512, 256, 768])
  }

  @Test func eachIsTheKeyframeBeforeTheMiddleOfItsStretch() throws {
    // A frame a second, a keyframe every fourth.
    var video = GeneratedVideo(frames: 60, rate: 1)
    video.keyframeEvery = 4
    video.bFrames = 0
    for container in ["mov", "matroska"] {
      video.container = container
      try withVideo(video) { source in
        let length = try #require(source.description.frameCount)
        var thumbnails = Thumbnails(
          ThumbnailPlan(length: length, rate: source.description.format.rate))
        let reader = try VideoReader(source)
        for index in thumbnails.missing { try thumbnails.make(index, by: reader) }
        #expect(thumbnails.missing.isEmpty && thumbnails.count == 6)
        let numbers = (0..<6).map { thumbnails.pictures[$0]??.number }
        #expect(numbers == [4, 12, 24, 32, 44, 52], "\(container)")
        #expect(thumbnails.pictures[0]??.width == 96 && thumbnails.pictures[0]??.height == 54)
      }
    }
  }

  @Test func aStripShowsAsManyAsHaveRoomEachWhereItBelongs() throws {
    var thumbnails = Thumbnails(plan(seconds: 60))
    #expect(thumbnails.strip(PictureRequest(width: 200, height: 20)) == nil)
    for index in 0..<6 where index != 3 { thumbnails.set(index, Self.grey(UInt8(40 * index))) }
    thumbnails.set(3, nil)
    let strip = try #require(thumbnails.strip(PictureRequest(width: 240, height: 22)))
    #expect((strip.width, strip.height) == (240, 22))
    func lights(_ count: Int) -> [Int] {
      (0..<count).map { strip.light(column: $0 * 240 / count + 10, row: 11) }
    }
    // Each 40 pixels wide; where there is none, a neighbour.
    #expect([0, 40, 80] == lights(6)[..<3] && lights(6)[4...] == [160, 200])
    #expect([80, 160].contains(lights(6)[3]))
    // Half blocks, an eighth of a cell high.
    let low = try #require(thumbnails.strip(PictureRequest(width: 1, height: 4)))
    #expect((low.width, low.height) == (1, 4))
  }

  @Test func aColumnShowsThePicturesOfPlacesOneBelowTheOther() throws {
    var thumbnails = Thumbnails(plan(seconds: 60))
    let places = [5.0, 34, 55].map { FramePosition(seconds: $0, at: Self.rate) }
    let room = PictureRequest(width: 32, height: 3 * 18, pixelAspect: 1)
    #expect(thumbnails.column(of: places, room) == nil)
    for index in 0..<6 { thumbnails.set(index, Self.grey(UInt8(40 * index))) }
    let column = try #require(thumbnails.column(of: places, room))
    #expect((column.width, column.height) == (32, 54))
    #expect([9, 27, 45].map { column.light(column: 16, row: $0) } == [0, 120, 200])
    #expect(thumbnails.column(of: [], room) == nil)
    // More than there is room for.
    let many = Array(repeating: places[0], count: 99)
    #expect(thumbnails.column(of: many, room)?.height == 54)
  }

  @Test func isShrunkToItsMean() throws {
    var thumbnails = Thumbnails(plan(seconds: 5))
    let pixels = (0..<96 * 54).flatMap { index -> [UInt8] in
      let light: UInt8 = (index % 96 + index / 96) % 2 == 0 ? 0 : 200
      return [light, light, light]
    }
    thumbnails.set(
      0, VideoPicture(position: .zero, width: 96, height: 54, pixels: pixels))
    let strip = try #require(thumbnails.strip(PictureRequest(width: 12, height: 6)))
    #expect((0..<10).allSatisfy { strip.light(column: $0, row: 3) == 100 })
  }

  // MARK: - The cache

  private static func grey(_ light: UInt8, width: Int = 96, height: Int = 54) -> VideoPicture {
    VideoPicture(
      position: FramePosition(Int64(light)), width: width, height: height,
      pixels: [UInt8](repeating: light, count: 3 * width * height))
  }

  private func filled() -> Thumbnails {
    var thumbnails = Thumbnails(plan(seconds: 60))
    thumbnails.set(0, Self.grey(9, width: 3, height: 2))
    thumbnails.set(2, nil)
    thumbnails.set(5, Self.grey(77, width: 2, height: 2))
    return thumbnails
  }

  private let key = [UInt8](1...16)

  @Test func whatIsKeptIsReadBack() throws {
    let folder = try TemporaryFolder()
    let file = ThumbnailFile(path: folder.path("x-thumbnails.bin"), key: key)
    let thumbnails = filled()
    #expect(file.read(thumbnails.plan) == nil)
    for _ in 0..<2 { file.write(thumbnails) }
    let read = try #require(file.read(thumbnails.plan))
    #expect(read.pictures == thumbnails.pictures)
    #expect(read.missing.sorted() == [1, 3, 4])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    // Of another recording, or of another length or rate.
    #expect(ThumbnailFile(path: file.path, key: key.reversed()).read(thumbnails.plan) == nil)
    #expect(file.read(plan(seconds: 61)) == nil)
    let other = ThumbnailPlan(
      length: thumbnails.plan.length, rate: try #require(SampleRate(hertz: 44_100)))
    #expect(file.read(other) == nil)
  }

  @Test func whatIsDamagedIsAsGoodAsNone() {
    let file = ThumbnailFile(path: "", key: key)
    let plan = filled().plan
    let bytes = file.encode(filled())
    #expect(file.decode(bytes, plan) != nil)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(file.decode(damaged, plan) == nil, "byte \(index)")
    }
    for length in bytes.indices { #expect(file.decode(Array(bytes[..<length]), plan) == nil) }
    #expect(file.decode(bytes + [0], plan) == nil)
  }

  /// Also with a hash that fits, as nobody's accident.
  @Test func nothingInItTrapsOrGrowsBeyondItsLimits() {
    let file = ThumbnailFile(path: "", key: key)
    let plan = filled().plan
    let bytes = Array(file.encode(filled()).dropLast(16))
    var random = SplitMix64(state: 5)
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 40..<changed.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        changed.removeLast(Int.random(in: 0..<40, using: &random))
      }
      if let read = file.decode(changed + CacheFile.hash(changed[...]), plan) {
        #expect(read.pictures.keys.allSatisfy { (0..<plan.count).contains($0) })
        #expect(read.pictures.values.compactMap { $0 }.allSatisfy { $0.width <= 96 })
      }
    }
  }
}
