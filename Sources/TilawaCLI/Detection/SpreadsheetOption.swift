// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Exchange

/// `--spreadsheet-safe`, which `export` and `auto-detect` share.
enum SpreadsheetOption {
  static let help = ArgumentHelp(
    "In csv and tsv, write an apostrophe before a text that a spreadsheet would run as a formula.",
    discussion:
      "Use it for tables with notes or names from other people, if you open them in a spreadsheet.")

  static func cells(_ isSafe: Bool) -> CellText { isSafe ? .withoutFormulas : .verbatim }
}
