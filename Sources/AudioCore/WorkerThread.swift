// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Synchronization

/// An operating-system thread for blocking work, which Swift's cooperative pool must not be given.
public final class WorkerThread: Sendable {
  private let thread: pthread_t
  private let isJoined = Atomic<Bool>(false)

  /// Starts a thread that runs `body` and ends.
  ///
  /// Returns nil when the system has no thread to give.
  public init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // FFmpeg's decoders keep large tables on the stack.
    pthread_attr_setstacksize(&attributes, 2 << 20)
    let box = Unmanaged.passRetained(Body(body))
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      box.release()
      return nil
    }
    self.thread = thread
  }

  /// One that nobody waits for gives its stack back when it ends.
  deinit {
    if !isJoined.load(ordering: .relaxed) { pthread_detach(thread) }
  }

  /// Waits until the thread has ended; call it once.
  public func join() {
    isJoined.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

extension WorkerThread {
  /// Shares tasks among threads, of which the calling one is the first, and waits until all are done.
  ///
  /// - Parameters:
  ///   - count: the number of tasks; they are numbered from 0.
  ///   - threadCount: the most threads; a thread that the system does not give is done without.
  ///   - work: what each thread does: the tasks that `next` gives, until there are no more.
  public static func share(
    _ count: Int, among threadCount: Int,
    _ work: @escaping @Sendable (_ next: () -> Int?) -> Void
  ) {
    let begun = Monitor(0)
    let body: @Sendable () -> Void = {
      work {
        begun.update { number in
          guard number < count else { return nil }
          number += 1
          return number - 1
        }
      }
    }
    let others = (1..<max(min(threadCount, count), 1)).compactMap { _ in WorkerThread(body) }
    body()
    for thread in others { thread.join() }
  }

  /// The results of tasks in their order, whoever does them; see ``share(_:among:_:)``.
  public static func map<Result: Sendable>(
    _ count: Int, among threadCount: Int, _ task: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let results = Monitor([Result?](repeating: nil, count: count))
    share(count, among: threadCount) { next in
      while let number = next() {
        let result = task(number)
        results.update { $0[number] = result }
      }
    }
    return results.update { $0 }.compactMap { $0 }
  }
}
