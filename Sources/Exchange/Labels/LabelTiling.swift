// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Labels laid out over a recording so that nothing is left between them.
struct LabelTiling {
  struct Tile {
    var span: Range<FramePosition>
    /// Nil where no label lies.
    var label: Label?
    /// Places inside the span that may be joins.
    var joins: [Join] = []
    /// Labels that lie on the tile's start besides its own.
    var remarks: [Label] = []
    var notes: [String] = []
    var isFlagged = false
  }

  struct Join {
    var position: FramePosition
    /// Nil where it has no text.
    var label: Label?
  }

  let length: FrameCount
  let rate: SampleRate
  private(set) var tiles: [Tile]
  private(set) var warnings: [ImportWarning] = []
  private let tolerance: FrameCount
  /// Nothing shorter can be heard at an end of the recording: other decoders leave some frames out there,
  /// and times are rounded.
  private let shortestEnd: FrameCount

  /// ``shortestEnd`` in seconds.
  private static let shortestEndSeconds = 0.05

  init(length: FrameCount, rate: SampleRate, tolerance: Double) {
    self.length = max(length, .zero)
    self.rate = rate
    self.tolerance = min(FrameCount(seconds: max(tolerance, 0), at: rate), self.length)
    shortestEnd = max(
      self.tolerance,
      min(FrameCount(seconds: Self.shortestEndSeconds, at: rate), self.length))
    tiles = [Tile(span: .zero..<FramePosition.zero + self.length)]
  }

  private var end: FramePosition { .zero + length }

  // MARK: Regions and points

  private struct Placed {
    var start: FramePosition
    var end: FramePosition
    var label: Label
  }

  /// Lays the labels out, whatever their order.
  mutating func lay(_ labels: [Label]) {
    var regions: [Placed] = []
    var points: [Placed] = []
    for label in labels {
      guard let placed = place(label) else { continue }
      if placed.start < placed.end { regions.append(placed) } else { points.append(placed) }
    }
    // Stable, so that labels that start together stay in the file's order.
    tiles = tiled(Self.sorted(regions))
    place(Self.sorted(points))
  }

  private static func sorted(_ labels: [Placed]) -> [Placed] {
    labels.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
  }

  private mutating func place(_ label: Label) -> Placed? {
    let start = FramePosition(seconds: label.start, at: rate)
    let stop = label.end.map { FramePosition(seconds: $0, at: rate) } ?? start
    guard start < end else {
      warn(label, "begins after the end of the recording; skipped")
      return nil
    }
    if start < .zero { warn(label, "begins before the recording; cut") }
    if stop > end + tolerance { warn(label, "ends after the end of the recording; cut") }
    let first = max(start, .zero)
    var placed = Placed(start: first, end: max(first, min(stop, end)), label: label)
    if placed.start == placed.end { placed.label.end = nil }
    return placed
  }

  private mutating func tiled(_ regions: [Placed]) -> [Tile] {
    var tiles: [Tile] = []
    var reached = FramePosition.zero
    for region in regions {
      var start = region.start
      if tiles.isEmpty ? shortestEnd < start - reached : isFar(reached, start) {
        tiles.append(Tile(span: reached..<start))
      } else if tiles.isEmpty {
        start = .zero
      }
      if let last = tiles.indices.last {
        guard tiles[last].span.lowerBound < start else {
          if tiles[last].label.map(isBlank) == true {
            tiles[last].label = region.label
            reached = region.end
          } else if !isBlank(region.label) {
            tiles[last].remarks.append(region.label)
          }
          continue
        }
        if start + tolerance < reached {
          warn(region.label, "overlaps the label before it, which was shortened")
        }
        tiles[last].span = tiles[last].span.lowerBound..<start
      }
      tiles.append(Tile(span: start..<region.end, label: region.label))
      reached = region.end
    }
    if tiles.isEmpty || reached + shortestEnd < end {
      tiles.append(Tile(span: reached..<end))
    } else if let last = tiles.indices.last {
      tiles[last].span = tiles[last].span.lowerBound..<end
    }
    return tiles
  }

  private func isFar(_ left: FramePosition, _ right: FramePosition) -> Bool {
    tolerance < right - left
  }

  /// Cuts unlabelled tiles at the points in them, and keeps the points in labels as joins.
  private mutating func place(_ points: [Placed]) {
    var placed: [Tile] = []
    var rest = points[...]
    for tile in tiles {
      var tile = tile
      while let point = rest.first, point.start < tile.span.upperBound {
        rest.removeFirst()
        if isBlank(point.label), end < point.start + shortestEnd { continue }
        let isAtStart = point.start == tile.span.lowerBound
        if tile.label == nil, !isFar(tile.span.lowerBound, point.start) {
          tile.label = point.label
        } else if isAtStart {
          if !isBlank(point.label) { tile.remarks.append(point.label) }
        } else if tile.label == nil || tile.label?.end == nil {
          placed.append(tile)
          placed[placed.count - 1].span = tile.span.lowerBound..<point.start
          tile = Tile(span: point.start..<tile.span.upperBound, label: point.label)
        } else {
          tile.joins.append(
            Join(position: point.start, label: isBlank(point.label) ? nil : point.label))
        }
      }
      placed.append(tile)
    }
    tiles = placed
  }

  // MARK: Other tiers

  /// Takes the start of each label that lies inside a tile for a join of it.
  mutating func attach(joins: [Label]) {
    for label in joins {
      let position = FramePosition(seconds: label.start, at: rate)
      let index = index(containing: position)
      if tiles[index].span.lowerBound < position, position < tiles[index].span.upperBound,
        tiles[index].label != nil
      {
        tiles[index].joins.append(Join(position: position))
      }
    }
  }

  /// Gives each text to the tile under the middle of its label.
  mutating func attach(notes: [Label]) {
    for label in notes where !isBlank(label) { tiles[index(under: label)].notes.append(label.text) }
  }

  /// Flags the tile under the middle of each label that has a text.
  mutating func attach(flags: [Label]) {
    for label in flags where !isBlank(label) { tiles[index(under: label)].isFlagged = true }
  }

  private func index(under label: Label) -> Int {
    index(
      containing: FramePosition(
        seconds: (label.start + (label.end ?? label.start)) / 2, at: rate))
  }

  /// The last tile that starts at or before a place, the first for one before all.
  private func index(containing position: FramePosition) -> Int {
    var low = 0
    var high = tiles.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if tiles[middle].span.lowerBound <= position { low = middle } else { high = middle }
    }
    return low
  }

  private func isBlank(_ label: Label) -> Bool {
    label.content == nil && label.text.allSatisfy(\.isWhitespace)
  }

  private mutating func warn(_ label: Label, _ message: String) {
    warnings.append(ImportWarning(label.place, "\(quoted(label.text)) \(message)"))
  }
}
