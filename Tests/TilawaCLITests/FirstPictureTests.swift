// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TilawaCLI

/// The sound waits for the first frame of the picture, in virtual time.
@Suite struct FirstPictureTests {
  /// Waits for a picture that comes at a time, in a player that is woken again and again.
  /// - Returns: how long.
  private func wait(pictureAt arrival: Duration, wakeEvery wake: Duration) -> Duration {
    var time = Duration.seconds(1000)
    let start = time
    withoutActuallyEscaping({ time }) { now in
      FirstPicture(now: now).wait(
        until: { time - start >= arrival }, next: { time += min($0, wake, arrival) })
    }
    return time - start
  }

  @Test func aPictureThatIsThereIsNotWaitedFor() {
    #expect(wait(pictureAt: .zero, wakeEvery: .seconds(1)) == .zero)
  }

  @Test(arguments: [10, 120, 300])
  func theSoundBeginsWithThePicture(milliseconds: Int) {
    let arrival = Duration.milliseconds(milliseconds)
    #expect(wait(pictureAt: arrival, wakeEvery: .seconds(1)) == arrival)
  }

  /// However often something else happens meanwhile.
  @Test(arguments: [1, 7, 100, 5000])
  func aLatePictureIsWaitedForAtMost300Milliseconds(wake: Int) {
    #expect(
      wait(pictureAt: .seconds(3), wakeEvery: .milliseconds(wake)) == .milliseconds(300))
  }

  private struct Problem: Error {}

  @Test func aFailureEndsTheWait() {
    #expect(throws: Problem.self) {
      try FirstPicture(now: { .zero }).wait(
        until: { () throws(Problem) in false },
        next: { (_: Duration) throws(Problem) in throw Problem() })
    }
  }
}
