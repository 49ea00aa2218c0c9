// SPDX-License-Identifier: GPL-3.0-or-later

/// How the sound waits for the first frame of the picture, so that both begin together.
struct FirstPicture {
  /// A picture that takes longer comes into sound that plays.
  static let patience = Duration.milliseconds(300)

  /// The time on any clock.
  let now: () -> Duration

  /// Waits until the picture is there, or patience has ended.
  ///
  /// - Parameters:
  ///   - isSettled: whether it is there, or will not come.
  ///   - next: waits for something to happen, for as long as told at most.
  func wait<Problem: Error>(
    until isSettled: () throws(Problem) -> Bool, next: (Duration) throws(Problem) -> Void
  ) throws(Problem) {
    let end = now() + Self.patience
    while try !isSettled() {
      let left = end - now()
      guard left > .zero else { return }
      try next(left)
    }
  }
}
