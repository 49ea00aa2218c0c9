// SPDX-License-Identifier: GPL-3.0-or-later

/// When more of a picture may be drawn: a terminal that reads slowly is sent less of it, so that what a key changes never
/// stands behind a queue of frames.
///
/// After each piece the terminal is asked for a receipt. Until it comes nothing of the picture is sent, and then
/// not for as long as it took: the picture has half of the line at most.
public struct PicturePace: Sendable {
  /// When a receipt comes.
  public enum Answering: Hashable, Sendable {
    case always
    /// While this program has the keys: tmux gives what its terminal says to the pane that does. Where no receipt comes, none
    /// is asked for until a key shows that they are here, else other programs would get them.
    case withTheKeys
  }

  private let answering: Answering
  private var sent: Duration?
  private var resumption = Duration.zero
  /// The quickest receipt: what the way takes, without the bytes.
  private var shortest: Duration?

  /// Bytes of pictures to send at a time. It begins small, since nothing is known of the line; it grows where receipts
  /// come at once and shrinks where they take long, so that a key waits for a few hundredths of a second at most.
  public private(set) var allowance = Self.allowances.lowerBound

  /// The most is what has to be waited for where a line becomes slow all at once.
  static let allowances = (4 << 10)...(64 << 10)
  /// No picture has more: 640 by 360 pixels of 3 bytes, 25 times a second, in base 64. In the time of two receipts no more
  /// need be on the way.
  private static let bytesPerSecond = 640.0 * 360 * 3 * 25 * 4 / 3
  /// Beyond the shortest. A receipt within the first leaves room for more; one after the second has kept a key waiting.
  private static let (short, long) = (Duration.milliseconds(15), Duration.milliseconds(60))

  /// A terminal that has not answered by then does not answer.
  static let patience = Duration.seconds(1)

  public init(_ answering: Answering = .always) { self.answering = answering }

  /// A piece was written, and a receipt asked for.
  public mutating func send(at now: Duration) {
    // One that never answers is not asked to draw a frame in pieces, a second for each.
    if sent != nil, shortest == nil { allowance = Self.allowances.upperBound }
    sent = now
  }

  /// The receipt has come.
  public mutating func receive(at now: Duration) {
    guard let sent else { return }
    let took = now - sent
    let least = min(shortest ?? took, took)
    shortest = least
    if took - least <= Self.short { allowance *= 2 }
    if took - least > Self.long { allowance /= 2 }
    let enough = Int(min(2 * (least / .seconds(1)) * Self.bytesPerSecond, 1e6))
    let most = min(max(enough, Self.allowances.lowerBound), Self.allowances.upperBound)
    allowance = min(max(allowance, Self.allowances.lowerBound), most)
    resumption = now + took
    self.sent = nil
  }

  /// A key has come, or what else a person does.
  public mutating func takeKey(at now: Duration) {
    if isStalled(at: now) { sent = nil }
  }

  /// Whether nothing is sent until a key comes.
  public func isStalled(at now: Duration) -> Bool {
    answering == .withTheKeys && (sent.map { now - $0 >= Self.patience } ?? false)
  }

  /// Whether a receipt may still come.
  public func isWaiting(at now: Duration) -> Bool { sent.map { now - $0 < Self.patience } ?? false }

  /// Whether more may be sent.
  public func isOpen(at now: Duration) -> Bool { opening.map { now >= $0 } ?? false }

  /// When more may be sent if nothing comes from the terminal before; nil for never.
  public var opening: Duration? {
    guard let sent else { return resumption }
    return answering == .always ? sent + Self.patience : nil
  }
}
