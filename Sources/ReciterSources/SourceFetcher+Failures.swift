// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Fetch
public import Library
import Playback
import Quran

extension SourceFetcher.Outcome {
  /// What did not come and why, files that a server does not have together. Not safe to print as they are.
  public func failureLines(of source: ReciterSource) -> [String] {
    var lines: [String] = []
    // A whole Quran with gaps would fill the screen.
    var absent: [AbsentFiles: [SourceFetcher.Failure]] = [:]
    for failure in failures {
      if case .absent(let status) = failure.error.kind {
        let files = AbsentFiles(
          status: status, isOfTimings: failure.isOfTimings, keepsOld: failure.keepsOld)
        absent[files, default: []].append(failure)
      } else {
        lines.append(failure.description)
      }
    }
    for (files, alike) in absent.sorted(by: { $0.key < $1.key }) {
      if alike.count > 1 {
        let hasSurahs = source.isBySurah || files.isOfTimings
        let ayat = AyahRange.runs(
          of: alike.flatMap { hasSurahs ? Array($0.ayah.surah.ayat) : [$0.ayah] }.sorted())
        lines.append(
          "\(source.name): the server has no \(files.isOfTimings ? "timings" : "files") of"
            + " \(ayat.map(\.numericDescription).joined(separator: ", ")):")
      }
      let error = alike[0].error
      lines.append(
        files.isOfTimings
          ? "\(error.source): \(error.url): \(error.cause); check the address in a browser, and change it with"
            + " 'source edit \(error.source.commandWord) --timings'; the next request for it is made in a week, or with"
            + " --renew-timings" + alike[0].remark
          : alike[0].description)
    }
    return lines
  }

  /// Files that a server does not have, told together.
  private struct AbsentFiles: Hashable, Comparable {
    let status: Int
    let isOfTimings: Bool
    let keepsOld: Bool

    static func < (left: AbsentFiles, right: AbsentFiles) -> Bool { left.order < right.order }

    private var order: (Int, Int, Int) { (isOfTimings ? 1 : 0, keepsOld ? 1 : 0, status) }
  }
}
