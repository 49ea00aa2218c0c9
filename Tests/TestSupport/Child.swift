// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A process that is no part of Foundation's run loops.
public final class Child: @unchecked Sendable {
  // Unchecked because one test at a time starts and ends it.
  private let id: pid_t
  private var status: Int32?

  public init?(_ path: String, _ arguments: [String], environment: [String: String], output: Int32?)
  {
    let id = try? spawn(
      [path] + arguments, environment: environment.map { "\($0.key)=\($0.value)" }
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      if let output {
        posix_spawn_file_actions_adddup2(&actions, output, 1)
      } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      }
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    guard let id else { return nil }
    self.id = id
  }

  deinit { kill() }

  public var isRunning: Bool {
    if status == nil {
      var status: Int32 = 0
      if waitpid(id, &status, WNOHANG) == id { self.status = status }
    }
    return status == nil
  }

  /// Waits for its end; 0 when all was well.
  @discardableResult
  public func wait() -> Int32 {
    var status: Int32 = 0
    if self.status == nil {
      while waitpid(id, &status, 0) == -1, errno == EINTR {}
      self.status = status
    }
    return self.status ?? status
  }

  /// Ends it from one moment to the next.
  public func kill() {
    guard isRunning else { return }
    Glibc.kill(id, SIGKILL)
    wait()
  }
}
