// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// What each sound costs in each frame of the stretch that is looked at: nothing for the sound that is
/// likeliest in the frame, less than nothing for the others.
///
/// So the score of a path is how much worse it is than the best sounds, and those of different texts can
/// be compared.
struct PlaceEmissions {
  let soundCount: Int
  /// `count x soundCount`, in units of scores, never positive.
  private(set) var values: [Int16] = []
  /// How much likelier than elsewhere the best sounds are, in nats a frame.
  private(set) var likeness = 0.0

  /// What scores of the network differ by at most: 30 nats; as the search, judged by `Scripts/measure-places.py`.
  private static let greatestPrice = 30 * Int32(AcousticScores.unitsPerNat)

  var count: Int { values.count / soundCount }

  /// - Parameter frames: where the recording is listened to.
  init(_ scores: AcousticScores, _ frames: Range<Int>, _ prices: PlacePrices) {
    soundCount = scores.soundCount
    values.reserveCapacity(frames.count * soundCount)
    var sum = 0
    for frame in frames {
      let row = scores.values[frame * soundCount..<(frame + 1) * soundCount]
      let best = Int32(row.max() ?? 0)
      sum += Int(best)
      for value in row { values.append(Int16(max(Int32(value) - best, -Self.greatestPrice))) }
      // A pause may hold other sounds, at a price.
      values[values.count - 1] = max(values[values.count - 1], -Int16(prices.otherSound))
    }
    likeness = Double(sum) / Double(max(frames.count, 1) * AcousticScores.unitsPerNat)
  }

  subscript(frame: Int, sound: UInt8) -> Int32 {
    Int32(values[frame * soundCount + Int(sound)])
  }
}

extension AcousticScores {
  /// The first frame of speech: from it on most of half a second is no silence; nil where there is none.
  var firstSpeech: Int? {
    let window = LogMelFrames.framesPerSecond / 2
    var heard = 0
    let isSpeech = (0..<count).map { frame in
      let row = values[frame * soundCount..<(frame + 1) * soundCount]
      return (row.dropLast().max() ?? 0) > (row.last ?? 0)
    }
    for frame in isSpeech.indices {
      if isSpeech[frame] { heard += 1 }
      if frame >= window, isSpeech[frame - window] { heard -= 1 }
      if 2 * heard > window {
        let first = max(frame - window + 1, 0)
        return isSpeech[first...].firstIndex(of: true)
      }
    }
    return nil
  }
}
