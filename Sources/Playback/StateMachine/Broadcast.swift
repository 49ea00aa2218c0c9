// SPDX-License-Identifier: GPL-3.0-or-later

/// Hands values to any number of listeners, each with a bounded store of what it has not read yet, so
/// that none is ever waited for.
struct Broadcast<Element: Sendable>: Sendable {
  private var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  private var lastListener = 0

  /// - Parameters:
  ///   - bound: how many unread values are kept; the oldest go first.
  ///   - onEnd: called once, from any thread, with the listener's number when it is gone.
  mutating func listen(
    bound: Int, onEnd: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<Element> {
    lastListener += 1
    let number = lastListener
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(bound))
    continuation.onTermination = { _ in onEnd(number) }
    listeners[number] = continuation
    return stream
  }

  mutating func forget(_ listener: Int) { listeners[listener] = nil }

  func send(_ element: Element) {
    for listener in listeners.values { listener.yield(element) }
  }

  /// Hands a value to the listener that came last.
  func greet(_ element: Element) { listeners[lastListener]?.yield(element) }

  func finish() {
    for listener in listeners.values { listener.finish() }
  }
}
