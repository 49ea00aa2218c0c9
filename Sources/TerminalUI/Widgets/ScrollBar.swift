// SPDX-License-Identifier: GPL-3.0-or-later

/// Which of the rows of a list are in sight, as a thumb in a bar beside them, in lines of the screen.
public struct ScrollBar: Hashable, Sendable {
  let height: Int
  private let thumbLength: Int
  /// The first row in sight when the list is scrolled to its end.
  private let furthest: Int

  /// Nil for a list that is in sight as a whole, which has no bar.
  public init?(height: Int, count: Int, inSight: Int) {
    guard height > 0, count > inSight else { return nil }
    self.height = height
    thumbLength = max(1, height * inSight / count)
    furthest = count - inSight
  }

  /// Lines of the thumb while the list begins with a row.
  public func thumb(at offset: Int) -> Range<Int> {
    let start = (height - thumbLength) * min(max(0, offset), furthest) / furthest
    return start..<start + thumbLength
  }

  /// The row that the list begins with when a line of its thumb, by default that in its middle, is dragged to
  /// a line of the bar.
  public func offset(dragging grabbed: Int? = nil, to line: Int) -> Int {
    let room = height - thumbLength
    guard room > 0 else { return 0 }
    let start = min(max(line - (grabbed ?? thumbLength / 2), 0), room)
    // The first row with which the thumb is drawn there.
    return (start * furthest + room - 1) / room
  }
}
