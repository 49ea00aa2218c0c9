// SPDX-License-Identifier: GPL-3.0-or-later

import GeneratedVideo

extension EditorTerminal {
  /// The number of the frame of a ``GeneratedVideo`` that is seen, drawn in half blocks; nil where there is none.
  var pictureNumber: Int? {
    get throws { Self.number(try styledScreen) }
  }

  /// The number that the bars on the screen show; nil where there are none.
  private static func number(_ screen: String) -> Int? {
    // The backgrounds and foregrounds of the row that has most colours, cell by cell.
    var best: [Int] = []
    for line in screen.split(separator: "\n", omittingEmptySubsequences: false) {
      var lights: [Int] = []
      var (upper, lower): (Int?, Int?) = (nil, nil)
      var rest = Substring(line)
      while let character = rest.popFirst() {
        if character == "\u{1B}", let end = rest.firstIndex(where: \.isLetter) {
          let parameters = rest[rest.index(after: rest.startIndex)..<end]
          take(parameters.split(separator: ";").compactMap { Int($0) }, &upper, &lower)
          rest = rest[rest.index(after: end)...]
        } else if let light = character == "\u{2580}" ? upper : character == " " ? lower : nil {
          lights.append(light)
        }
      }
      if lights.count > best.count { best = lights }
    }
    guard best.count >= GeneratedVideo.bars else { return nil }
    return GeneratedVideo.number { best[(2 * $0 + 1) * best.count / (2 * GeneratedVideo.bars)] }
  }

  private static func take(_ parameters: [Int], _ upper: inout Int?, _ lower: inout Int?) {
    var rest = parameters[...]
    if rest.isEmpty { (upper, lower) = (nil, nil) }
    while let parameter = rest.popFirst() {
      switch parameter {
      case 0: (upper, lower) = (nil, nil)
      case 39: upper = nil
      case 49: lower = nil
      case 38, 48:
        guard rest.popFirst() == 2, rest.count >= 3 else { return }
        let light = rest.prefix(3).reduce(0, +) / 3
        rest = rest.dropFirst(3)
        if parameter == 38 { upper = light } else { lower = light }
      default: break
      }
    }
  }
}
