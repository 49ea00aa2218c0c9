// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

extension Timeline {
  /// What is heard with a frame of the ring; at the end of everything, the end of what was last.
  func position(atRing ring: Int) -> RenderPosition? {
    if let span = span(atRing: ring) { return position(of: span) }
    guard ring > 0, var span = span(atRing: ring - 1) else { return nil }
    span.place.frame += 1
    span.outgoing?.frame += 1
    return position(of: span)
  }

  private func position(of span: ProgramSpan) -> RenderPosition {
    RenderPosition(
      item: span.place.item, repetition: span.place.repetition,
      sourceFrame: sourceFrame(of: span.place), frame: FrameCount(Int64(span.place.frame)),
      outgoing: span.outgoing.map {
        RenderPosition.Outgoing(item: $0.item, sourceFrame: sourceFrame(of: $0))
      })
  }

  private func sourceFrame(of place: ProgramPlace) -> FramePosition? {
    guard let map = items[place.item], let grid = map.grid else { return nil }
    // In the gap between two repetitions the recording stands at its end.
    let frame = min(place.frame, map.length)
    return FramePosition(map.sourceStart + grid.sourceFrame(of: frame))
  }

  /// The spans that have begun to be heard at a frame of the ring, as far back as they are known.
  func spansHeard(upTo ring: Int) -> [ProgramSpan] {
    var result: [ProgramSpan] = []
    for chunk in chunks where chunk.ringStart <= ring {
      let end = chunk.mixStart + Double(min(chunk.count, ring - chunk.ringStart + 1)) * chunk.speed
      for span in spans {
        let spanEnd = span.mixStart + span.count
        // At a speed, frames of the mix lie between those of the ring.
        if Double(span.mixStart) < end, Double(spanEnd) > chunk.mixStart, span != result.last {
          result.append(span)
        }
      }
    }
    return result
  }

  /// The first frame of the ring, from one on, at which any of some items sounds.
  func firstSpan(
    fromRing ring: Int, with items: Set<RenderItem.ID>
  ) -> (ring: Int, span: ProgramSpan)? {
    for chunk in chunks where chunk.ringStart + chunk.count > ring {
      let first = max(ring, chunk.ringStart)
      let start = chunk.mixStart + Double(first - chunk.ringStart) * chunk.speed
      let end = chunk.mixStart + Double(chunk.count) * chunk.speed
      for span in spans
      where Double(span.mixStart) < end && Double(span.mixStart + span.count) > start
        && items.contains(span.place.item)
      {
        let offset = (Double(span.mixStart) - chunk.mixStart) / chunk.speed - 1e-6
        let found = max(first, chunk.ringStart + Int(max(0, offset.rounded(.up))))
        guard found < chunk.ringStart + chunk.count, let cut = self.span(atRing: found) else {
          continue
        }
        return (found, cut)
      }
    }
    return nil
  }
}
