// SPDX-License-Identifier: GPL-3.0-or-later

/// What the standings of a night sound like: each normalised by itself, so that
/// another voice or microphone does not seem to be another sound.
struct StandingSound {
  /// Seconds of it before each standing and after.
  static let margin = 0.6

  private let frames: SpectralFrames
  /// Frames at which each standing begins, and where the last ends.
  private let starts: [Int]
  /// Seconds of the recording that each has.
  private let spans: [Range<Double>]

  init(_ recording: Cepstra, _ standings: [PrayerStructure.Standing]) {
    let rate = Double(Cepstra.framesPerSecond)
    var sounds: [SpectralFrames] = []
    var starts = [0]
    for standing in standings {
      // Beyond the ends of the recording there is silence, as between its samples.
      let first = Int((standing.span.lowerBound - Self.margin) * rate)
      let last = max(first, Int((standing.span.upperBound + Self.margin) * rate))
      sounds.append(SpectralFrames(joining: [.known(recording.part(first..<last))]))
      starts.append(starts[starts.count - 1] + last - first)
    }
    frames = SpectralFrames(joining: sounds)
    self.starts = starts
    spans = standings.map {
      ($0.span.lowerBound - Self.margin)..<($0.span.upperBound + Self.margin)
    }
  }

  /// A standing as far as al-Fatiha may reach, from the margin before it on.
  func frames(of standing: Int) -> SpectralFrames {
    let most = Int((FatihaFinder.longest + 2 * Self.margin) * Double(Cepstra.framesPerSecond))
    let end = min(starts[standing + 1], starts[standing] + most)
    return frames.part(starts[standing]..<end)
  }

  /// What is heard between some places of a standing, which are in seconds of the recording.
  func parts(of standing: Int, at times: [Double]) -> [SpectralFrames] {
    let places = times.map { time in
      let frame = Int((time - spans[standing].lowerBound) * Double(Cepstra.framesPerSecond))
      return min(max(starts[standing] + frame, starts[standing]), starts[standing + 1])
    }
    return zip(places, places.dropFirst()).map { first, last in
      frames.part(first..<max(first, last))
    }
  }
}

extension Cepstra {
  /// Some frames; those beyond the ends are like the nearest.
  fileprivate func part(_ range: Range<Int>) -> Cepstra {
    guard count > 0 else { return self }
    return Cepstra(
      coefficients: range.flatMap { frame in
        let place = min(max(frame, 0), count - 1) * Self.width
        return coefficients[place..<(place + Self.width)]
      })
  }
}
