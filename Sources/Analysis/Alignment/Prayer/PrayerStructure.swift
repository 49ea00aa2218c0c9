// SPDX-License-Identifier: GPL-3.0-or-later

/// What is recited standing, and what is said between.
///
/// Somebody who recites falls silent for three seconds at most; between two standings lie bows and
/// prostrations, with nothing but takbirs in the silence.
struct PrayerStructure {
  /// A stretch of reciting.
  struct Standing: Hashable {
    /// The runs of the voice in it, the first one the start of reciting.
    var runs: [Range<Double>]
    var span: Range<Double> { runs[0].lowerBound..<runs[runs.count - 1].upperBound }
  }

  private(set) var standings: [Standing] = []
  /// All other runs, in order.
  private(set) var calls: [Range<Double>] = []

  /// Longer silences end a standing, in seconds.
  private static let longestPause = 3.6
  /// Between al-Fatiha and what follows there may be ameen and silence for so long, in seconds;
  private static let longestWait = 10.0
  /// but only for so long before something short, which may be the call that ends a bow.
  private static let longestWaitForCall = 5.0
  /// In less speech than this nobody recites.
  private static let shortestStanding = 18.0
  /// A takbir, which is no longer than this, before or after a silence of this length is apart.
  private static let longestCall = 5.5
  private static let callSilence = 1.8

  init(_ voice: VoiceRuns) {
    var chain: [Range<Double>] = []
    func close() {
      var runs = chain[...]
      chain = []
      while let first = runs.first, runs.count > 1, first.length <= Self.longestCall,
        runs[runs.startIndex + 1].lowerBound - first.upperBound >= Self.callSilence
      {
        calls.append(first)
        runs.removeFirst()
      }
      var after: [Range<Double>] = []
      while let last = runs.last, runs.count > 1, last.length <= Self.longestCall,
        last.lowerBound - runs[runs.endIndex - 2].upperBound >= Self.callSilence
      {
        after.insert(last, at: 0)
        runs.removeLast()
      }
      if runs.reduce(0, { $0 + $1.length }) >= Self.shortestStanding {
        standings.append(Standing(runs: Array(runs)))
      } else {
        calls += runs
      }
      calls += after
    }
    for run in voice.runs {
      if let last = chain.last, run.lowerBound - last.upperBound > Self.longestPause { close() }
      chain.append(run)
    }
    close()
    joinParts()
  }

  /// Al-Fatiha and the portion that follows are one standing, be there ameen between them or a long
  /// breath, and be the portion as short as al-Ikhlas.
  private mutating func joinParts() {
    for (number, standing) in standings.enumerated() {
      guard
        let portion = calls.first(where: { call in
          let wait = call.lowerBound - standing.span.upperBound
          return wait >= 0 && wait <= Self.longestWait && call.length > Self.longestCall
        }),
        !calls.contains(where: { call in
          call.lowerBound >= standing.span.upperBound && call.upperBound <= portion.lowerBound
            && call.length > Self.longestCall
        })
      else { continue }
      let between = calls.filter {
        $0.lowerBound >= standing.span.upperBound && $0.upperBound <= portion.lowerBound
      }
      guard between.count <= 1 else { continue }
      calls.removeAll { between.contains($0) || $0 == portion }
      standings[number] = Standing(runs: standing.runs + between + [portion])
    }
    var joined: [Standing] = []
    for standing in standings {
      guard let last = joined.last,
        standing.span.lowerBound - last.span.upperBound
          <= (standing.runs[0].length <= Self.longestCall
            ? Self.longestWaitForCall : Self.longestWait)
      else {
        joined.append(standing)
        continue
      }
      let between = calls.filter {
        $0.lowerBound >= last.span.upperBound && $0.upperBound <= standing.span.lowerBound
      }
      guard between.count <= 1 else {
        joined.append(standing)
        continue
      }
      calls.removeAll { between.contains($0) }
      joined[joined.count - 1] = Standing(runs: last.runs + between + standing.runs)
    }
    standings = joined
  }
}
