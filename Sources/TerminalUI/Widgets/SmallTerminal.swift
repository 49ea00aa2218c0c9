// SPDX-License-Identifier: GPL-3.0-or-later

extension Surface {
  /// Says in the middle, in as many lines as it takes, that there is too little room.
  ///
  /// - Parameters:
  ///   - program: what needs more, such as "editor".
  ///   - least: what it needs.
  public mutating func drawTooSmall(for program: String, needing least: Size) {
    let sentences: [(text: String, style: Style)] = [
      ("This terminal is \(size.columns)x\(size.rows).", Style(.dim)),
      ("The \(program) needs \(least.columns)x\(least.rows):", Style(.accent)),
      ("enlarge it, or use a smaller font.", Style(.dim)),
    ]
    var lines = sentences.map { sentence in
      Paragraph.lines(of: sentence.text, width: size.columns).map { ($0, sentence.style) }
    }
    // What is needed stays longest.
    if lines.joined().count > size.rows { lines.removeLast() }
    if lines.joined().count > size.rows { lines.removeFirst() }
    let top = max((size.rows - lines.joined().count) / 2, 0)
    for (row, line) in lines.joined().enumerated() {
      let column = max((size.columns - line.0.width) / 2, 0)
      write(line.0, at: Point(column: column, row: top + row), style: line.1)
    }
  }
}
