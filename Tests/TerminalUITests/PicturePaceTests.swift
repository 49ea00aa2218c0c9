// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

/// A moving picture takes half of a slow line, and never more than one frame of it at a time.
@Suite struct PicturePaceTests {
  @Test func nothingIsSentBeforeTheReceiptNorAsLongAgain() {
    var pace = PicturePace()
    #expect(pace.isOpen(at: .zero))
    pace.send(at: .milliseconds(100))
    #expect(!pace.isOpen(at: .milliseconds(100)) && !pace.isOpen(at: .milliseconds(400)))
    pace.receive(at: .milliseconds(400))
    #expect(!pace.isOpen(at: .milliseconds(699)))
    #expect(pace.isOpen(at: .milliseconds(700)))
  }

  @Test func aTerminalThatDoesNotAnswerIsNotWaitedForForEver() {
    var pace = PicturePace()
    pace.send(at: .zero)
    #expect(!pace.isOpen(at: .milliseconds(999)))
    #expect(pace.isOpen(at: PicturePace.patience))
  }

  /// A line on which a receipt takes a time by itself, and more for each byte.
  private struct Line {
    var pace = PicturePace()
    var now = Duration.zero

    mutating func exchange(way: Duration, bytesPerSecond: Double) {
      pace.send(at: now)
      #expect(pace.isWaiting(at: now))
      now += way + .seconds(Double(pace.allowance) / bytesPerSecond)
      pace.receive(at: now)
      #expect(!pace.isWaiting(at: now))
      now = max(now, pace.opening ?? now)
    }
  }

  /// Images are cut into pieces: large where the terminal reads at once, small where a key would wait.
  @Test(arguments: [1, 20, 80]) func piecesAreAsLargeAsTheTerminalIsQuick(milliseconds: Int) {
    let way = Duration.milliseconds(milliseconds)
    var line = Line()
    #expect(line.pace.allowance == PicturePace.allowances.lowerBound)
    for _ in 0..<20 { line.exchange(way: way, bytesPerSecond: 100e6) }
    let most = line.pace.allowance
    // Enough for 25 large pictures a second where the way is short; else all that may be under way.
    let inASecond = Double(most) / (2 * Double(milliseconds)) * 1000
    #expect(inASecond > 20e6 || most == 64 << 10)
    for _ in 0..<20 { line.exchange(way: way, bytesPerSecond: 10e3) }
    #expect(line.pace.allowance == PicturePace.allowances.lowerBound)
  }

  /// A line that was slow from the beginning has a tenth of a second's worth of pictures under way, but for the least.
  @Test func theFirstPieceIsSmall() {
    #expect(PicturePace().allowance == 4 << 10)
    var line = Line()
    var most = 0
    for _ in 0..<20 {
      line.exchange(way: .milliseconds(30), bytesPerSecond: 200e3)
      most = max(most, line.pace.allowance)
    }
    #expect(most <= 16 << 10, "\(most)")
  }

  /// Through tmux the answers come to whoever has the keys: nobody else is to get them again and again.
  @Test func withoutTheKeysNothingIsAskedFor() {
    var pace = PicturePace(.withTheKeys)
    pace.send(at: .zero)
    #expect(!pace.isOpen(at: .seconds(100)) && pace.isStalled(at: .seconds(100)))
    #expect(pace.opening == nil)
    pace.takeKey(at: .seconds(100))
    #expect(pace.isOpen(at: .seconds(100)) && !pace.isStalled(at: .seconds(100)))
    pace.send(at: .seconds(100))
    // A key is no receipt.
    pace.takeKey(at: .milliseconds(100_100))
    #expect(!pace.isOpen(at: .milliseconds(100_200)))
    pace.receive(at: .milliseconds(100_300))
    #expect(pace.isOpen(at: .milliseconds(100_600)))
  }

  @Test func whoNeverAnswersIsSentWholeFrames() {
    var pace = PicturePace()
    pace.send(at: .zero)
    #expect(pace.allowance == PicturePace.allowances.lowerBound)
    pace.send(at: PicturePace.patience)
    #expect(pace.allowance == PicturePace.allowances.upperBound)
  }

  @Test func theAnswerOfATerminalIsNoKey() {
    var decoder = InputDecoder()
    #expect(decoder.decode(Array("\u{1B}[0n".utf8), at: .zero).isEmpty)
    #expect(decoder.receipts == 1)
    #expect(decoder.decode(Array("\u{1B}[3n".utf8), at: .zero).isEmpty)
    #expect(decoder.receipts == 1)
  }

  /// Half a second for each frame: over a line that slow a key waits for one frame at most.
  @Test func aSlowLineIsSentFewerFrames() {
    var pace = PicturePace()
    var frames = 0
    var received: Duration?
    for tick in 0..<500 {
      let now = Duration.milliseconds(20 * tick)
      if let due = received, now >= due {
        pace.receive(at: now)
        received = nil
      }
      if pace.isOpen(at: now) {
        pace.send(at: now)
        received = now + .milliseconds(500)
        frames += 1
      }
    }
    #expect(frames == 10)
  }
}
