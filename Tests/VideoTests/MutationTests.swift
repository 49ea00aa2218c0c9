// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import GeneratedVideo
import TestSupport
import Testing

@testable import Video

/// Good videos with random damage: pictures or a typed error, and nothing else.
@Suite struct MutationTests {
  static let containers = ["mov", "matroska", "mpegts", "avi"]

  /// 12 for each container, or 2,500 when `TILAWA_THOROUGH` is set; another number there gives others.
  static let thorough = ProcessInfo.processInfo.environment["TILAWA_THOROUGH"]
  static let mutationCount = thorough == nil ? 12 : 2500
  static let seed = thorough.flatMap { UInt64($0) } ?? 1

  @Test(arguments: containers)
  func aDamagedVideoGivesPicturesOrATypedError(_ container: String) throws {
    let folder = try TemporaryFolder()
    var video = GeneratedVideo(frames: 20, rate: 25)
    video.container = container
    video.width = 64
    video.height = 48
    video.keyframeEvery = 6
    video.unitsPerSecond = 25
    if container == "mpegts" { video.soundCodec = "aac" }
    try video.write(to: folder.path("good"))
    let good = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("good"))))
    let rate = try #require(SampleRate(hertz: 48_000))
    var random = SplitMix64(state: container.utf8.reduce(Self.seed) { $0 &* 131 &+ UInt64($1) })
    for round in 0..<Self.mutationCount {
      let path = try folder.write(Self.mutate(good, using: &random), to: "video")
      do throws(VideoError) {
        let file: MediaFile
        do throws(DecodingError) { file = try MediaFile(path: path) } catch {
          throw VideoError(error)
        }
        let reader = try VideoReader(file, rate: rate)
        for _ in 0..<4 {
          let place = FramePosition(.random(in: 0...50_000, using: &random))
          let picture = try reader.picture(at: place, as: PictureRequest(width: 32, height: 24))
          // A picture may begin a little later than the sound.
          let latest = max(place, VideoReader.earliestStart(at: rate))
          #expect(picture.map { $0.position <= latest } ?? true, "round \(round)")
          #expect(
            picture.map { $0.pixels.count == 3 * $0.width * $0.height } ?? true, "round \(round)")
        }
      } catch {
        #expect(!error.explanation.isEmpty && error.file == path)
      }
    }
  }

  private static func mutate(_ good: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = good
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeLast(.random(in: 1..<bytes.count, using: &random))
    case 1:
      // Headers, which are at the beginning or the end, get more than their share.
      for _ in 0..<12 {
        let place = Int.random(in: 0..<min(1500, bytes.count), using: &random)
        bytes[Bool.random(using: &random) ? place : bytes.count - 1 - place] =
          .random(in: 0...255, using: &random)
      }
    case 2:
      for _ in 0..<30 {
        bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
    default:
      let start = Int.random(in: 0..<bytes.count, using: &random)
      bytes.removeSubrange(start..<min(bytes.count, start + .random(in: 1...2000, using: &random)))
    }
    return bytes.isEmpty ? [0] : bytes
  }
}
