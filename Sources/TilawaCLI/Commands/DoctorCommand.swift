// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// `doctor`
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "What works here, and what to do about what does not.")
}
