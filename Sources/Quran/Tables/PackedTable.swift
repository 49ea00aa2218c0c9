// SPDX-License-Identifier: GPL-3.0-or-later

/// Whole numbers in a string literal: read in place, nothing to decode when the program starts.
///
/// Each number takes `width` characters, the most significant first, with six bits in each; the
/// character "0" stands for zero.
struct PackedTable {
  let width: Int
  let text: StaticString

  init(width: Int, _ text: StaticString) {
    self.width = width
    self.text = text
  }

  var count: Int { text.utf8CodeUnitCount / width }

  subscript(index: Int) -> Int {
    precondition(index >= 0 && index < count, "no such row")
    let characters = text.utf8Start + index * width
    var number = 0
    for place in 0..<width {
      number = number << 6 | Int(characters[place] &- UInt8(ascii: "0"))
    }
    return number
  }

  /// The index of the last number that is not above `value`, in a table that ascends and whose
  /// first number is not above `value`.
  func lastIndex(notAbove value: Int) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }
}
