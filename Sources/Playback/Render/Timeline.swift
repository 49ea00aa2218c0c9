// SPDX-License-Identifier: GPL-3.0-or-later

/// A place in the schedule: so many frames into one repetition of an item, at the session's rate. Past
/// the content it lies in the gap between two repetitions.
struct ProgramPlace: Hashable, Sendable {
  var item: RenderItem.ID
  var repetition: Int
  var frame: Int
}

/// What the frames of the mix are: a run of consecutive frames of one repetition of one item and,
/// during a crossfade, of the item that goes out.
struct ProgramSpan: Hashable, Sendable {
  /// The number of its first frame in the mix, counted from the first frame ever mixed.
  var mixStart: Int
  var count: Int
  var place: ProgramPlace
  var outgoing: ProgramPlace?

  /// Where to begin in order to hear all of it.
  var earliest: ProgramPlace { outgoing ?? place }

  func continues(_ other: ProgramSpan) -> Bool {
    func follows(_ left: ProgramPlace?, _ right: ProgramPlace?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return left.item == right.item && left.repetition == right.repetition
        && left.frame == right.frame + other.count
    }
    return mixStart == other.mixStart + other.count && follows(place, other.place)
      && follows(outgoing, other.outgoing)
  }
}

/// A chunk descriptor: which frames of the mix some frames of the ring were made of, at which speed.
struct RingChunk: Hashable, Sendable {
  var generation: Int
  /// The number of the first frame in the ring.
  var ringStart: Int
  var count: Int
  var mixStart: Double
  /// Frames of the mix to one of the ring.
  var speed: Double

  func continues(_ other: RingChunk) -> Bool {
    generation == other.generation && ringStart == other.ringStart + other.count
      && speed == other.speed
      && abs(mixStart - (other.mixStart + Double(other.count) * speed)) < 1e-6
  }
}

/// What an item's frames are in its recording.
struct ItemMap: Hashable, Sendable {
  let sourceStart: Int64
  /// Nil for silence.
  let grid: RateGrid?
  /// Frames of one repetition without its gap.
  let length: Int
}

/// The way back from a frame of the ring to what is in it, for as long as that may be heard.
struct Timeline: Sendable {
  private(set) var chunks: [RingChunk] = []
  private(set) var spans: [ProgramSpan] = []
  private(set) var items: [RenderItem.ID: ItemMap] = [:]

  /// Takes up what the items of the schedule are. Of one that has left it, the end may still be heard.
  mutating func describe(_ scheduled: [RenderItem.ID: ItemMap]) {
    let sounding = Set(spans.flatMap { [$0.place.item, $0.outgoing?.item].compactMap(\.self) })
    items = items.filter { sounding.contains($0.key) }.merging(scheduled) { $1 }
  }

  mutating func append(_ chunk: RingChunk) {
    guard chunk.count > 0 else { return }
    if let last = chunks.last, chunk.continues(last) {
      chunks[chunks.count - 1].count += chunk.count
    } else {
      chunks.append(chunk)
    }
  }

  mutating func append(_ span: ProgramSpan) {
    guard span.count > 0 else { return }
    if let last = spans.last, span.continues(last) {
      spans[spans.count - 1].count += span.count
    } else {
      spans.append(span)
    }
  }

  /// The frame of the mix that is heard with a frame of the ring.
  func mixFrame(atRing index: Int) -> Double? {
    guard let chunk = chunks.last(where: { $0.ringStart <= index }),
      index < chunk.ringStart + chunk.count
    else { return nil }
    return chunk.mixStart + Double(index - chunk.ringStart) * chunk.speed
  }

  /// The span that a frame of the ring belongs to, cut so that it begins there.
  func span(atRing index: Int) -> ProgramSpan? {
    guard let mix = mixFrame(atRing: index) else { return nil }
    // A whole number but for the error of adding up speeds.
    return span(atMix: Int((mix + 1e-3).rounded(.down)))
  }

  func span(atMix frame: Int) -> ProgramSpan? {
    guard var span = spans.last(where: { $0.mixStart <= frame }) else { return nil }
    let offset = frame - span.mixStart
    guard offset < span.count else { return nil }
    span.mixStart += offset
    span.count -= offset
    span.place.frame += offset
    span.outgoing?.frame += offset
    return span
  }

  /// Forgets the frames that were taken back from the ring, and the mix that was made for them.
  mutating func retract(toRing index: Int) {
    while let last = chunks.last, last.ringStart + last.count > index {
      if last.ringStart >= index {
        chunks.removeLast()
      } else {
        chunks[chunks.count - 1].count = index - last.ringStart
      }
    }
  }

  /// Forgets what lies before a frame of the ring, of which no one will ask again.
  mutating func forget(beforeRing index: Int) {
    guard let first = chunks.first, first.ringStart + first.count <= index else { return }
    chunks.removeAll { $0.ringStart + $0.count <= index }
    guard let mix = chunks.first.map({ Int($0.mixStart) }) else { return }
    // A restart may have gone back in the schedule, never in the mix.
    spans.removeAll { $0.mixStart + $0.count <= mix }
  }

  /// Forgets the spans that ended before a frame of the ring, once they were told: one chunk may last for hours.
  mutating func forgetSpans(beforeRing index: Int) {
    guard let mix = mixFrame(atRing: index).map({ Int($0.rounded(.down)) }) else { return }
    spans.removeAll { $0.mixStart + $0.count <= mix }
  }
}
