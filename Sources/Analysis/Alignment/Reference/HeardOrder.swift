// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation

/// In which order a recording goes through the tokens of a reference: straight on, or with parts that are
/// repeated or left out.
struct HeardOrder {
  /// What is recited one after the other.
  private(set) var tokens: [RecitedToken] = []
  /// For each row the frame of the recording at which the reference puts it; nil where it has nothing
  /// to compare with on either side.
  private(set) var frames: [Int?] = []

  /// A place in the reference.
  private struct Place {
    var token: Int
    /// Share of the token that lies before.
    var share: Double
  }

  private let all: [RecitedToken]
  private let rowFrames: [Int]
  private let isKnown: [Bool]
  /// Shares nearer than this to the start or the end of a token are that; it is the pause that reciters
  /// make of different lengths.
  private static let edge = 0.12
  /// The same in frames.
  private static let edgeFrames = 12

  /// - Parameters:
  ///   - path: for each frame of the recording the frame of the reference.
  ///   - tokens: of the reference, in order, with the frames at which each begins and the last ends.
  ///   - isKnown: whether the reference has the token.
  init(_ path: [Int?], tokens all: [RecitedToken], rowFrames: [Int], isKnown: [Bool]) {
    self.all = all
    self.rowFrames = rowFrames
    self.isKnown = isKnown
    guard let first = path.firstIndex(where: { $0 != nil }), !all.isEmpty else { return }
    let end = (path.lastIndex { $0 != nil } ?? first) + 1
    var runs: [Range<Int>] = []
    var start = first
    for frame in (first + 1)..<max(end, first + 1) {
      if let before = path[frame - 1], let here = path[frame],
        here < before || here > before + TimeWarp.mostSteps
      {
        runs.append(start..<frame)
        start = frame
      }
    }
    runs.append(start..<end)
    read(runs, path)
  }

  private mutating func read(_ runs: [Range<Int>], _ path: [Int?]) {
    var at = Place(token: 0, share: 0)
    // Where the token that is being recited was begun: not 0 for a later part of it.
    var begun = 0.0
    frames = [nil]
    for (number, run) in runs.enumerated() {
      guard let firstFrame = path[run.lowerBound], let lastFrame = path[run.upperBound - 1] else {
        continue
      }
      if number > 0 {
        let next = start(place(of: firstFrame))
        if next.token != at.token || (next.share == 0) != (at.share == 0) {
          leave(at, begunAt: begun, frame: run.lowerBound)
          begun = next.share
        }
        at = next
      }
      var frame = run.lowerBound
      let isLast = number == runs.count - 1
      let stop = end(place(of: lastFrame + 1), isLast: isLast)
      while at.token < stop.token {
        let border = rowFrames[at.token + 1]
        while frame < run.upperBound, (path[frame] ?? -1) < border { frame += 1 }
        append(at.token, from: begun, to: 1, frame: frame)
        at = Place(token: at.token + 1, share: 0)
        begun = 0
      }
      at.share = stop.token == at.token ? stop.share : 0
    }
    if at.share > 0 { append(at.token, from: begun, to: at.share, frame: nil) }
  }

  /// Ends what is recited, at a place where the reciter goes on somewhere else.
  private mutating func leave(_ place: Place, begunAt begun: Double, frame: Int) {
    if place.share > begun {
      append(place.token, from: begun, to: place.share, frame: frame)
    }
  }

  private mutating func append(_ token: Int, from start: Double, to end: Double, frame: Int?) {
    var part = all[token]
    if start > 0 || end < 1 {
      part.units =
        (part.units - RecitedToken.unitsOfStop) * (end - start) + RecitedToken.unitsOfStop
      part.part = start == 0 ? .beginning : end == 1 ? .end : .middle
    }
    tokens.append(part)
    let isSupported = isKnown[token] || (token + 1 < isKnown.count && isKnown[token + 1])
    frames.append(isSupported ? frame : nil)
  }

  private func place(of frame: Int) -> Place {
    var token = all.count - 1
    while token > 0, rowFrames[token] > frame { token -= 1 }
    let length = max(rowFrames[token + 1] - rowFrames[token], 1)
    return Place(
      token: token, share: (Double(frame - rowFrames[token]) / Double(length)).clamped(to: 0...1))
  }

  private func isNearEdge(_ share: Double, of token: Int) -> Bool {
    let length = Double(rowFrames[token + 1] - rowFrames[token])
    return share <= max(Self.edge, Double(Self.edgeFrames) / length)
  }

  /// Where a run begins: near the start or the end of a token is at it.
  private func start(_ place: Place) -> Place {
    if isNearEdge(1 - place.share, of: place.token), place.token + 1 < all.count {
      return Place(token: place.token + 1, share: 0)
    }
    return isNearEdge(place.share, of: place.token) ? Place(token: place.token, share: 0) : place
  }

  /// Where a run ends, the start of a token counting as the end of the one before.
  private func end(_ place: Place, isLast: Bool) -> Place {
    if isNearEdge(1 - place.share, of: place.token) || (isLast && place.share > 0.5) {
      return Place(token: place.token + 1, share: 0)
    }
    return isNearEdge(place.share, of: place.token) ? Place(token: place.token, share: 0) : place
  }
}
