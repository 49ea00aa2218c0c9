// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Decoders that nobody reads from at the moment, kept for the next item of the same recording: a seek
/// costs less than opening. The feeder's.
final class DecoderShelf {
  private struct Key: Hashable {
    let file: ObjectIdentifier
    let track: Int

    init(_ source: MediaSource) {
      file = ObjectIdentifier(source.file)
      track = source.description.track
    }
  }

  /// One more than two decks can use at a time would ever be of use.
  private static let sparesPerSource = 2
  private static let sourceLimit = 8

  private var spares: [Key: [any AudioDecoder]] = [:]
  /// Oldest use first.
  private var order: [Key] = []

  /// A decoder that stands at a position, at best one that stands there already.
  func take(
    _ source: MediaSource, at position: FramePosition
  ) throws(DecodingError) -> any AudioDecoder {
    let key = Key(source)
    let free = spares[key] ?? []
    let decoder: any AudioDecoder
    if let index = free.firstIndex(where: { $0.position == position }) ?? free.indices.last {
      decoder = free[index]
      spares[key]?.remove(at: index)
    } else {
      decoder = try source.makeDecoder()
    }
    if decoder.position != position { try decoder.seek(to: position) }
    return decoder
  }

  func giveBack(_ decoder: any AudioDecoder, of source: MediaSource) {
    let key = Key(source)
    order.removeAll { $0 == key }
    order.append(key)
    if spares[key, default: []].count < Self.sparesPerSource {
      spares[key, default: []].append(decoder)
    }
    if order.count > Self.sourceLimit { spares[order.removeFirst()] = nil }
  }
}
