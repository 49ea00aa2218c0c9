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
