// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// Finds where in a reference recitation the beginning of a recording is heard.
///
/// A coarse look at the whole reference in several tempi, a closer one at the likeliest places, and then
/// in each of those few at which ayah reciting began (`first(of:)`).
struct PassageSearch {
  /// Frames at full rate that a row of the recording stands for, and a column of the reference: so much
  /// slower or faster is the recording.
  struct Tempo: Hashable {
    var row: Int
    var column: Int

    /// How much a score counts: slower frames are fewer, and each tells more.
    var worth: Float { powf(Float(row) / 2, PassageSearch.slowness) }
  }

  /// A place where the recording may have begun.
  struct Place {
    var score: Float
    var tempo: Tempo
    /// In frames of the recording's voice and of the track, at full rate.
    var hit: PassageScan.Hit
  }

  /// Seconds of the recording's voice that are looked for.
  static let seconds = 120.0
  /// From reference three times as slow as the recording to six times as fast, with what steps bridge.
  private static let tempi = [(2, 2), (3, 2), (5, 2), (7, 2), (2, 3), (2, 5)].map {
    Tempo(row: $0.0, column: $0.1)
  }
  /// Frames of the closer look that one of the coarse look stands for.
  private static let coarseness = 2
  private static let coarse = PassageScan.Scale(chance: 1)
  private static let fine = PassageScan.Scale(chance: 0.9)
  private static let slowness: Float = 0.7
  /// Seconds of the reference in which only the best path begins in the coarse look.
  private static let bin = 5
  /// Seconds of the reference within which two places are one.
  private static let nearby = 10
  /// Seconds on either side of a place that are looked at closely.
  private static let reach = 6
  /// How many places are looked at closely, and how many are judged.
  private static let looked = 48
  private static let judged = 12
  /// Less than this, in seconds, is not looked for.
  private static let shortest = 3

  let track: ReferenceTrack
  /// What is heard in the recording, without its pauses.
  let voice: SpectralFrames
  let stopFlag: StopFlag
  /// By frames to a column.
  private let chances: [Int: ChanceCosines]

  /// - Parameters:
  ///   - voiced: seconds of the recording from the first sound to the last.
  ///   - silences: the pauses between them, in seconds and in order.
  init(
    _ comparison: ReferenceComparison, voiced: Range<Double>, silences: [ClosedRange<Double>],
    stopFlag: StopFlag
  ) {
    let track = ReferenceTrack(comparison.reference)
    self.track = track
    voice = SpectralFrames(
      joining: [.known(comparison.recording.voice(in: voiced, without: silences))])
    self.stopFlag = stopFlag
    chances = Dictionary(
      uniqueKeysWithValues: Set(Self.tempi.map(\.column)).map {
        ($0, ChanceCosines(track.frames.part(track.telling).thinned(by: $0 * Self.coarseness)))
      })
  }

  /// Likeliest first; each ayah once.
  func proposals() -> [AyahProposal] {
    let places = places()
    let confidences = PassageConfidence.confidences(
      ofScores: places.map(\.score),
      seconds: min(Double(voice.count / Cepstra.framesPerSecond), Self.seconds))
    var proposals: [AyahProposal] = []
    for (place, confidence) in zip(places, confidences) {
      guard !stopFlag.isStopped, let first = first(of: place) else { return [] }
      if !proposals.contains(where: { $0.first == first }) {
        proposals.append(AyahProposal(first, confidence: confidence))
      }
      if proposals.count == AyahProposal.most { break }
    }
    return proposals
  }

  /// The likeliest places, the likeliest first.
  func places() -> [Place] {
    let rate = Cepstra.framesPerSecond
    guard voice.count >= Self.shortest * rate, !track.telling.isEmpty else { return [] }
    let beginning = voice.part(0..<min(voice.count, Int(Self.seconds) * rate))
    var found: [Place] = []
    for (column, tempi) in Dictionary(grouping: Self.tempi, by: \.column) {
      let factor = column * Self.coarseness
      let scan = PassageScan([track.frames.part(track.telling).thinned(by: factor)])
      for tempo in tempi {
        if stopFlag.isStopped { return [] }
        let rows = beginning.thinned(by: tempo.row * Self.coarseness)
        found += places(
          scan.hits(rows, chance(tempo), Self.coarse, each: max(Self.bin * rate / factor, 1)),
          tempo, finer: Self.coarseness, from: track.telling.lowerBound)
      }
    }
    let likely = Self.distinct(found, Self.looked)
    let rows = Dictionary(
      uniqueKeysWithValues: Set(likely.map(\.tempo)).map {
        ($0, beginning.thinned(by: $0.row))
      })
    let looked = likely.flatMap { place -> [Place] in
      guard !stopFlag.isStopped, let rows = rows[place.tempo] else { return [] }
      let reach = Self.reach * rate
      let columns =
        ((place.hit.columns.lowerBound - reach)..<(place.hit.columns.upperBound + reach))
        .clamped(to: track.telling)
      let scan = PassageScan([track.frames.part(columns).thinned(by: place.tempo.column)])
      return places(
        scan.hits(rows, chance(place.tempo), Self.fine, each: .max / 2), place.tempo, finer: 1,
        from: columns.lowerBound)
    }
    return Self.distinct(looked, Self.judged)
  }

  private func places(
    _ hits: [PassageScan.Hit], _ tempo: Tempo, finer factor: Int, from shift: Int
  ) -> [Place] {
    hits.map {
      Place(
        score: $0.score * tempo.worth, tempo: tempo,
        hit: $0.finer(rows: tempo.row * factor, columns: tempo.column * factor, shift: shift))
    }
  }

  func chance(_ tempo: Tempo) -> ChanceCosines {
    chances[tempo.column] ?? ChanceCosines(track.frames)
  }

  /// The best of so many different places.
  private static func distinct(_ places: [Place], _ count: Int) -> [Place] {
    let near = Double(nearby * Cepstra.framesPerSecond)
    var found: [Place] = []
    // In an order that is the same each time.
    let ordered = places.sorted {
      ($0.score, $1.hit.columns.lowerBound, $1.tempo.row)
        > ($1.score, $0.hit.columns.lowerBound, $0.tempo.row)
    }
    for place in ordered where found.count < count {
      let row = Double(place.hit.rows.lowerBound + place.hit.rows.upperBound) / 2
      let column = place.hit.column(atRow: row)
      if !found.contains(where: { abs($0.hit.column(atRow: row) - column) < near }) {
        found.append(place)
      }
    }
    return found
  }
}

extension Cepstra {
  /// The frames within a span of seconds that do not lie in silence; silences in order.
  fileprivate func voice(
    in span: Range<Double>, without silences: [ClosedRange<Double>]
  ) -> Cepstra {
    let rate = Double(Self.framesPerSecond)
    var kept: [Float] = []
    var frame = Int(span.lowerBound * rate)
    let end = min(Int((span.upperBound * rate).rounded(.up)), count)
    for silence in silences + [span.upperBound...span.upperBound] {
      let next = min(Int(silence.lowerBound * rate), end)
      if next > frame { kept += coefficients[(frame * Self.width)..<(next * Self.width)] }
      frame = max(frame, Int(silence.upperBound * rate))
    }
    return Cepstra(coefficients: kept)
  }
}
