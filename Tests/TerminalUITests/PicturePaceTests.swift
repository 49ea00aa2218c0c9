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

  /// Images are cut into pieces: large where the terminal reads at once, small where a key would wait.
  @Test func piecesAreAsLargeAsTheTerminalIsQuick() {
    var pace = PicturePace()
    var now = Duration.zero
    func exchange(_ wait: Duration) {
      pace.send(at: now)
      #expect(pace.isWaiting(at: now))
      now += wait
      pace.receive(at: now)
      #expect(!pace.isWaiting(at: now))
    }
    let first = pace.allowance
    exchange(.milliseconds(30))
    #expect(pace.allowance == first)
    for _ in 0..<20 { exchange(.milliseconds(1)) }
    #expect(pace.allowance == PicturePace.allowances.upperBound)
    exchange(.milliseconds(100))
    #expect(pace.allowance == PicturePace.allowances.upperBound / 2)
    for _ in 0..<20 { exchange(.milliseconds(900)) }
    #expect(pace.allowance == PicturePace.allowances.lowerBound)
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
