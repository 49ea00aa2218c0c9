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
