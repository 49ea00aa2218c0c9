// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Foundation
import Library
import Quran

/// A day, or a moment of it, in local time: `2024-01-05`, `2024-01-05 20:10`.
struct DateArgument: ExpressibleByArgument, Hashable {
  let date: Date

  init?(argument: String) {
    let parts = argument.split { "-T :".contains($0) }.map { Int32($0) }
    guard (3...6).contains(parts.count), parts.count != 4, !parts.contains(nil) else { return nil }
    let numbers = parts.compactMap { $0 } + [12, 0, 0].suffix(max(0, 6 - max(parts.count, 3)))
    var moment = tm()
    moment.tm_year = numbers[0] - 1900
    moment.tm_mon = numbers[1] - 1
    moment.tm_mday = numbers[2]
    moment.tm_hour = numbers[3]
    moment.tm_min = numbers[4]
    moment.tm_sec = numbers[5]
    moment.tm_isdst = -1
    let asked = moment
    let seconds = mktime(&moment)
    // What the calendar does not have is turned into another day.
    guard seconds != -1, asked.tm_mday == moment.tm_mday, asked.tm_mon == moment.tm_mon,
      asked.tm_hour == moment.tm_hour
    else { return nil }
    date = Date(timeIntervalSince1970: Double(seconds))
  }
}

/// What a person says of a recording.
struct DetailOptions: ParsableArguments {
  @Option(help: "The reciter; 'reciter' lists them.")
  var reciter: String?

  @Option(help: "The riwayah, such as hafs or warsh. Default: the reciter's.")
  var riwayah: Riwayah?

  @Option(help: "The date of the recording: 2024-01-05, or \"2024-01-05 20:10\".")
  var date: DateArgument?

  @Option(
    help: "The occasion, for several files of one night, such as \"Ramadan 1445, night 3\".")
  var night: String?
}

extension Library {
  func reciter(for options: DetailOptions, default name: String? = nil) throws(Failure) -> Reciter?
  {
    guard let name = options.reciter ?? name else { return nil }
    do throws(LibraryError) {
      return try reciter(named: name, riwayah: nil)
    } catch {
      // Several riwayat of one reciter: the one asked for decides.
      if let riwayah = options.riwayah, let found = try? reciter(named: name, riwayah: riwayah) {
        return found
      }
      throw Failure(error)
    }
  }
}
