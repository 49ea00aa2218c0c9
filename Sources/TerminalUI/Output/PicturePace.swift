// SPDX-License-Identifier: GPL-3.0-or-later

/// When a moving picture may be drawn again: a terminal that reads slowly is sent fewer frames, so that
/// what a key changes never stands behind a queue of them.
///
/// After each frame the terminal is asked for a receipt. Until it comes nothing of the picture is sent,
/// and then not for as long as it took: the picture has half of the line at most.
public struct PicturePace: Sendable {
  private var sent: Duration?
  private var resumption = Duration.zero

  /// Bytes of images to send at a time. It grows where receipts come at once and shrinks where they take
  /// long, so that a key waits for a few hundredths of a second at most.
  public private(set) var allowance = 32 << 10

  static let allowances = (4 << 10)...(256 << 10)
  /// A receipt within the first leaves room for more; one after the second has kept a key waiting.
  private static let (short, long) = (Duration.milliseconds(15), Duration.milliseconds(60))

  /// A terminal that has not answered by then does not answer.
  static let patience = Duration.seconds(1)

  public init() {}

  /// A frame was written, and a receipt asked for.
  public mutating func send(at now: Duration) { sent = now }

  /// The receipt has come.
  public mutating func receive(at now: Duration) {
    guard let sent else { return }
    let took = now - sent
    if took <= Self.short { allowance = min(allowance * 2, Self.allowances.upperBound) }
    if took > Self.long { allowance = max(allowance / 2, Self.allowances.lowerBound) }
    resumption = now + took
    self.sent = nil
  }

  /// Whether a receipt may still come.
  public func isWaiting(at now: Duration) -> Bool { sent.map { now - $0 < Self.patience } ?? false }

  /// Whether another frame may be sent.
  public func isOpen(at now: Duration) -> Bool {
    if let sent { return now - sent >= Self.patience }
    return now >= resumption
  }
}
