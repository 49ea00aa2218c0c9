// SPDX-License-Identifier: GPL-3.0-or-later

/// When a moving picture may be drawn again: a terminal that reads slowly is sent fewer frames, so that
/// what a key changes never stands behind a queue of them.
///
/// After each frame the terminal is asked for a receipt. Until it comes nothing of the picture is sent,
/// and then not for as long as it took: the picture has half of the line at most.
public struct PicturePace: Sendable {
  private var sent: Duration?
  private var resumption = Duration.zero

  /// A terminal that has not answered by then does not answer.
  static let patience = Duration.seconds(1)

  public init() {}

  /// A frame was written, and a receipt asked for.
  public mutating func send(at now: Duration) { sent = now }

  /// The receipt has come.
  public mutating func receive(at now: Duration) {
    guard let sent else { return }
    resumption = now + (now - sent)
    self.sent = nil
  }

  /// Whether another frame may be sent.
  public func isOpen(at now: Duration) -> Bool {
    if let sent { return now - sent >= Self.patience }
    return now >= resumption
  }
}
