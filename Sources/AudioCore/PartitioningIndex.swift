// SPDX-License-Identifier: GPL-3.0-or-later

extension RandomAccessCollection {
  /// The first index from which on all elements satisfy a condition, given that those that do come last.
  @inlinable
  public func partitioningIndex(where condition: (Element) -> Bool) -> Index {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if condition(self[middle]) { high = middle } else { low = index(after: middle) }
    }
    return low
  }
}
