// SPDX-License-Identifier: GPL-3.0-or-later

/// What several recitations of the same words by one voice tell together of where their boundaries are.
///
/// Noise, echo and a swallowed syllable mislead in one of them; the others know better. One of them is the
/// measure, the rest are laid over it by ``TimeWarp``, and what each has to say of a place is added up.
struct CommonBoundaries {
  /// Frames of each recitation.
  private let sounds: [SpectralFrames]
  private let costs: [BoundaryCosts]
  private let template: Int
  /// For each recitation and each frame of the template the frame that sounds the same.
  private var places: [[Int]] = []

  /// Frames that are averaged to lay one recitation over another.
  private static let thinning = 2
  /// Frames by which the recitations may be apart.
  private static let reach = 12 * Cepstra.framesPerSecond
  /// Frames by which boundaries of one may be off.
  private static let blur = 2
  /// No recitation's excess counts for more.
  private static let mostExcess: Float = 6

  /// - Parameters:
  ///   - template: the number of the one that is the measure.
  ///   - frames: how far the words may reach in it.
  init(
    _ sounds: [SpectralFrames], _ costs: [BoundaryCosts], template: Int, frames: Int
  ) {
    self.sounds = sounds.map { $0.part(0..<min(frames + Self.reach, $0.count)) }
    self.costs = costs
    self.template = template
    let reference = sounds[template].part(0..<min(frames, sounds[template].count))
    places = self.sounds.indices.map { number in
      number == template
        ? Array(0..<reference.count) : Self.places(of: reference, in: self.sounds[number])
    }
  }

  private static func places(
    of reference: SpectralFrames, in recording: SpectralFrames
  ) -> [Int] {
    let (left, right) = (recording.thinned(by: thinning), reference.thinned(by: thinning))
    var warp = TimeWarp(
      recording: left, reference: right, entries: Array(0..<min(reach / thinning, right.count)),
      exits: Array(0..<right.count))
    warp.thinning = thinning
    let path = warp.path(centres: Array(0..<left.count), reach: reach / thinning)
    var places = [Int](repeating: -1, count: reference.count)
    for case (let frame, let place?) in (path?.frames ?? []).enumerated() {
      for offset in 0..<thinning
      where place * thinning + offset < places.count && places[place * thinning + offset] < 0 {
        places[place * thinning + offset] = min(frame * thinning + offset, recording.count - 1)
      }
    }
    var last = 0
    for place in places.indices {
      if places[place] < 0 { places[place] = last }
      last = places[place]
    }
    return places
  }

  /// For each recitation the excess of each of its boundaries as all of them have it.
  func excess() -> [[[Float]]] {
    guard let rows = costs.first?.excess.count, !costs.contains(where: { $0.excess.count != rows })
    else { return costs.map(\.excess) }
    let share = 1 / Float(costs.count).squareRoot()
    let common = (0..<rows).map { row in
      let sums = places[template].indices.map { place in
        var sum: Float = 0
        for (number, cost) in costs.enumerated() {
          let frame = places[number][place]
          sum += min(
            cost.excess(of: row, in: (frame - Self.blur)...(frame + Self.blur)), Self.mostExcess)
        }
        return sum * share
      }
      let least = sums.min() ?? 0
      return sums.map { $0 - least }
    }
    return costs.indices.map { number in
      costs[number].excess.indices.map { row in
        var result = [Float](repeating: .infinity, count: costs[number].excess[row].count)
        for (place, frame) in places[number].enumerated() where frame < result.count {
          result[frame] = min(result[frame], common[row][place])
        }
        // Between two frames of the template there may be several of this one.
        var last = Float.infinity
        for frame in result.indices {
          if result[frame] == .infinity { result[frame] = last }
          last = result[frame]
        }
        return result
      }
    }
  }
}
