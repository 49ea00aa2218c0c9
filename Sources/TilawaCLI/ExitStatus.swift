// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// The exit codes that all commands share, after `sysexits.h`.
enum ExitStatus {
  static let someFailed = ExitCode(1)
  static let usage = ExitCode(64)
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  /// The program itself is at fault.
  static let crashed = ExitCode(70)
  static let inputOutput = ExitCode(74)
  /// A signal asked for the end.
  static var interrupted: ExitCode { Interrupt.exitCode }
  /// The output pipe was closed: what a shell reports when SIGPIPE ended a program.
  static let unheard = ExitCode(141)
}
