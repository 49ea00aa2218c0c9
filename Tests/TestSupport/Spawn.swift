// SPDX-License-Identifier: GPL-3.0-or-later

public import Glibc

/// A program that could not be started.
public struct SpawnError: Error, CustomStringConvertible {
  public let number: Int32
  public var description: String { "posix_spawn: \(String(cString: strerror(number)))" }
}

/// Starts a program with no files but those that it is given, and with no signal blocked and none ignored, as in a
/// terminal of its own.
///
/// What tests have open at that moment would stay open in the program as well, for as long as it runs: whoever waits
/// until nobody writes to a file any more would wait for it. Threads that Swift tests run on block signals, and what
/// `nohup` or a shell's background starts ignores some.
///
/// - Parameters:
///   - words: the path of the program and its arguments.
///   - flags: of `posix_spawnattr_setflags`, besides those for signals.
///   - open: opens files 0 to 2.
public func spawn(
  _ words: [String], environment: [String], flags: Int32 = 0,
  open: (inout posix_spawn_file_actions_t) -> Void
) throws(SpawnError) -> pid_t {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(
    &attributes, Int16(flags | Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  open(&actions)
  _ = closeFrom?(&actions, 3)
  var arguments = words.map { strdup($0) } + [nil]
  var variables = environment.map { strdup($0) } + [nil]
  defer { for text in arguments + variables { free(text) } }
  var process: pid_t = 0
  let problem = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables)
  guard problem == 0 else { throw SpawnError(number: problem) }
  return process
}

/// Of glibc, whose header shows it to GNU's C alone.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
  unsafeBitCast(
    $0,
    to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}

extension posix_spawn_file_actions_t {
  /// Nothing to read, and one file for all that is written.
  public mutating func writeAll(to path: String) {
    posix_spawn_file_actions_addopen(&self, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&self, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&self, 1, 2)
  }
}
