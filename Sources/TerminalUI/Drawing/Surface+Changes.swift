// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

extension Surface {
  /// Cells of one row that differ, from the first to the last.
  public struct Run: Hashable, Sendable {
    public var row: Int
    public var columns: Range<Int>

    public init(row: Int, columns: Range<Int>) {
      self.row = row
      self.columns = columns
    }
  }

  /// The cells that are not what they were in an older surface of the same size, row by row; all of
  /// them when the size was another.
  ///
  /// A run never begins or ends within a wide character.
  public func changes(from old: Surface) -> [Run] {
    guard old.fullSize == fullSize else {
      return fullSize.isEmpty
        ? [] : (0..<fullSize.rows).map { Run(row: $0, columns: 0..<fullSize.columns) }
    }
    return cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { runs(of: new, from: $0) }
    }
  }

  /// How many of the cells that differ belong to pictures, by row; rows without are left out.
  func pictureCells(in changes: [Run]) -> [(row: Int, count: Int)] {
    var rows: [(row: Int, count: Int)] = []
    for run in changes {
      let cells = row(run.row)
      let count = run.columns.count { cells[cells.startIndex + $0].style.isOfPicture }
      if count == 0 { continue }
      if rows.last?.row == run.row {
        rows[rows.count - 1].count += count
      } else {
        rows.append((run.row, count))
      }
    }
    return rows
  }

  private func runs(
    of new: UnsafeBufferPointer<Cell>, from old: UnsafeBufferPointer<Cell>
  ) -> [Run] {
    var runs: [Run] = []
    for row in 0..<fullSize.rows {
      let start = row * fullSize.columns
      // Most rows are what they were, and so are their bytes.
      if isSame(new[start..<start + fullSize.columns], old[start..<start + fullSize.columns]) {
        continue
      }
      var column = 0
      while column < fullSize.columns {
        guard new[start + column] != old[start + column] else {
          column += 1
          continue
        }
        let first = new[start + column].isContinuation ? column - 1 : column
        while column < fullSize.columns, new[start + column] != old[start + column] { column += 1 }
        while column < fullSize.columns, new[start + column].isContinuation { column += 1 }
        runs.append(Run(row: row, columns: first..<column))
      }
    }
    return runs
  }

  /// Whether two rows are equal byte by byte. Equal cells may differ in bytes that mean nothing.
  private func isSame(
    _ new: Slice<UnsafeBufferPointer<Cell>>, _ old: Slice<UnsafeBufferPointer<Cell>>
  ) -> Bool {
    let (new, old) = (UnsafeBufferPointer(rebasing: new), UnsafeBufferPointer(rebasing: old))
    guard let here = new.baseAddress, let there = old.baseAddress else { return new.isEmpty }
    return memcmp(here, there, new.count * MemoryLayout<Cell>.stride) == 0
  }
}
