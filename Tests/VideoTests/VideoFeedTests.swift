// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import GeneratedVideo
import Testing

@testable import Video

/// Whatever is heard, the picture is the newest that is not past it.
@Suite struct VideoFeedTests {
  private static let request = PictureRequest(width: 96, height: 54)

  /// Asks until the answer counts: each time the feed has said that there is something new.
  private final class Asker {
    let feed: VideoFeed
    private let news = Monitor(0)

    init(_ source: MediaSource) throws {
      let news = news
      feed = try #require(
        VideoFeed(source, as: request) { news.update { $0 += 1 } })
    }

    deinit { feed.close() }

    func picture(at position: FramePosition) -> VideoPicture? {
      while true {
        let seen = news.update { $0 }
        switch feed.picture(at: position) {
        case .picture(let picture, isCurrent: true): return picture
        case .beforeStart, .failed: return nil
        case .picture, .notYet: news.wait { $0 > seen ? () : nil }
        }
      }
    }
  }

  @Test func playsEveryFrameInItsTime() throws {
    let video = GeneratedVideo(frames: 75, rate: 25)
    try withVideo(video) { source in
      let asker = try Asker(source)
      let rate = source.description.format.rate
      // A tick of 20 ms, which is 3 in 2 frames at 25 a second.
      for tick in 0..<145 {
        let heard = FramePosition(seconds: Double(tick) * 0.02, at: rate)
        let due = Int(Double(heard.frames) / Double(rate.hertz) * 25 + 0.001)
        #expect(asker.picture(at: heard)?.number == min(due, 74), "tick \(tick)")
      }
      #expect(asker.feed.tally.dropped == 0)
    }
  }

  @Test func followsJumpsBothWays() throws {
    var video = GeneratedVideo(frames: 200, rate: 25)
    video.keyframeEvery = 25
    try withVideo(video) { source in
      let asker = try Asker(source)
      let rate = source.description.format.rate
      for step in 0..<60 {
        let second = Double(step * step * 7 % 79) / 10
        let heard = FramePosition(seconds: second, at: rate)
        let due = min(Int(second * 25 + 0.001), 199)
        #expect(asker.picture(at: heard)?.number == due, "at \(second) s")
      }
    }
  }

  @Test func aPictureThatIsLaterByTheDelayOfTheSoundsEncoderIsSeenFromTheBeginning() throws {
    var video = GeneratedVideo(frames: 50, rate: 25)
    video.soundCodec = "aac"
    video.container = "matroska"
    try withVideo(video) { source in
      let first = try #require(try VideoReader(source).firstPosition())
      #expect(first > .zero)
      let asker = try Asker(source)
      #expect(asker.picture(at: .zero)?.number == 0)
      #expect(asker.picture(at: first)?.number == 0)
      #expect(asker.feed.tally.shown == 1)
    }
  }

  @Test func theLastFrameStaysAndNothingIsSeenBeforeTheFirst() throws {
    var video = GeneratedVideo(frames: 25, rate: 25, start: 0.5)
    video.soundSeconds = 3
    try withVideo(video) { source in
      let asker = try Asker(source)
      let rate = source.description.format.rate
      #expect(asker.picture(at: .zero) == nil)
      #expect(asker.picture(at: FramePosition(seconds: 2.9, at: rate))?.number == 24)
      #expect(asker.picture(at: FramePosition(seconds: 0.1, at: rate)) == nil)
      #expect(asker.picture(at: FramePosition(seconds: 0.5, at: rate))?.number == 0)
    }
  }

  @Test func lateFramesAreDroppedAndCounted() throws {
    try withVideo(GeneratedVideo(frames: 50, rate: 25)) { source in
      let asker = try Asker(source)
      #expect(asker.picture(at: .zero)?.number == 0)
      #expect(asker.feed.tally == VideoFeed.Tally(dropped: 0, shown: 1))
      // Ten frames on in one look.
      let heard = FramePosition(seconds: 0.41, at: source.description.format.rate)
      #expect(asker.picture(at: heard)?.number == 10)
      let tally = asker.feed.tally
      #expect(tally.dropped >= 3 && tally.dropped + tally.shown == 11, "\(tally)")
    }
  }

  @Test func anotherSizeShowsTheSameFrame() throws {
    try withVideo(GeneratedVideo(frames: 50, rate: 25)) { source in
      let asker = try Asker(source)
      let heard = FramePosition(seconds: 1.21, at: source.description.format.rate)
      #expect(asker.picture(at: heard)?.number == 30)
      asker.feed.resize(PictureRequest(width: 48, height: 60))
      let small = try #require(asker.picture(at: heard))
      #expect((small.number, small.width, small.height) == (30, 48, 27))
    }
  }
}
