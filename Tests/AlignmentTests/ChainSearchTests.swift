// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import TestSupport
import Testing

@testable import Alignment

/// The search beside the textbook's: all states in every frame, nothing dropped.
@Suite struct ChainSearchTests {
  private static let soundCount = 6
  private static let silence = UInt8(soundCount - 1)

  private struct Case {
    var chain = SoundChain()
    var starts: [SoundChain.Arc] = []
    var startHubs: [SoundChain.HubIndex: Int32] = [:]
    var scores: AcousticScores

    /// - Parameters:
    ///   - words: with up to seven sounds each, so that some chains have one block of states and some many.
    ///   - hasLongTokens: whether a token may have more than one word.
    init(words: Int, hasLongTokens: Bool = false, using random: inout SplitMix64) {
      for word in 0..<words {
        let count = Int.random(in: 1...7, using: &random)
        chain.append(
          (0..<count).map { _ in UInt8.random(in: 0..<silence, using: &random) },
          skips: (0..<count).map { _ in Int32.random(in: 0...500, using: &random) },
          silence: silence, stop: .random(in: -300...300, using: &random), token: word, index: 0,
          isLastOfToken: !hasLongTokens || word == words - 1 || Bool.random(using: &random))
      }
      for reach in [Int.max / 2, 40] {
        var hub = SoundChain.Hub()
        hub.reach.distances = -reach...reach
        hub.other = .random(in: 50...300, using: &random)
        for word in chain.words {
          if Bool.random(using: &random) {
            hub.entries.append(
              .init(state: word.silence, price: .random(in: 0...900, using: &random)))
          }
          if Bool.random(using: &random) {
            hub.exits.append(
              .init(state: word.states.lowerBound, price: .random(in: 0...900, using: &random)))
          }
        }
        chain.appendHub(hub)
      }
      starts = chain.words.prefix(3).map {
        .init(state: $0.states.lowerBound, price: .random(in: 0...900, using: &random))
      }
      if Bool.random(using: &random) { startHubs = [0: .random(in: 0...900, using: &random)] }
      let frames = Int.random(in: 1...60, using: &random)
      scores = AcousticScores(
        soundCount: soundCount,
        values: (0..<frames * soundCount).map { _ in Int16.random(in: -1280...0, using: &random) })
    }

    func heard(_ sound: UInt8, _ frame: Int) -> Int32 {
      Int32(scores.values[frame * soundCount + Int(sound)])
    }

    func loudest(_ frame: Int) -> Int32 {
      (0..<soundCount).map { heard(UInt8($0), frame) }.max() ?? 0
    }

    func heard(state: Int, _ frame: Int) -> Int32 {
      let sound = chain.sounds[state]
      guard sound == silence else { return heard(sound, frame) }
      let isWithin = !chain.words[Int(chain.wordOfState[state])].isLastOfToken
      return max(heard(sound, frame), loudest(frame) - ChainPrices.pauseWithSound)
        - (isWithin ? ChainPrices.pauseWithinToken : 0)
    }

    func heard(hub: Int, _ frame: Int) -> Int32 {
      max(heard(silence, frame), loudest(frame) - chain.hubs[hub].other)
    }

    /// The states to which a hub leads in a frame, and what they cost.
    func exits(_ hub: Int, _ origin: Int32, _ frame: Int) -> [(state: Int, price: Int32)] {
      chain.hubs[hub].exits.flatMap { arc -> [(state: Int, price: Int32)] in
        guard let price = chain.hubs[hub].reach.price(arc, from: origin) else { return [] }
        let last = chain.words[Int(chain.wordOfState[arc.state])].last
        return (arc.state...min(arc.state + 2, last)).filter {
          heard(chain.sounds[$0], frame) + chain.skips[$0] > heard(hub: hub, frame)
        }.map { ($0, price + chain.skips[arc.state..<$0].reduce(0, +)) }
      }
    }

    /// What ending in a state costs.
    func end(_ state: Int) -> Int32? {
      state >= chain.words[Int(chain.wordOfState[state])].last ? 0 : nil
    }

    /// The best score of all paths.
    var best: Int32? {
      var states = [Int32?](repeating: nil, count: chain.count)
      var hubs = [(score: Int32, origin: Int32)?](repeating: nil, count: chain.hubs.count)
      for arc in starts {
        states[arc.state] = max(states[arc.state] ?? -arc.price, -arc.price)
      }
      for state in states.indices {
        states[state] = states[state].map { $0 + heard(state: state, 0) }
      }
      for (hub, price) in startHubs { hubs[hub] = (heard(hub: hub, 0) - price, 0) }
      for frame in 1..<max(scores.count, 1) {
        var next = [Int32?](repeating: nil, count: chain.count)
        func offer(_ state: Int, _ score: Int32) {
          next[state] = max(next[state] ?? score, score)
        }
        for (state, score) in states.enumerated() {
          guard let score else { continue }
          for moved in 0...3 where state + moved < chain.count {
            let skipped = chain.skips[state + 1..<state + max(moved, 1)].reduce(0, +)
            offer(state + moved, score - skipped)
          }
        }
        var nextHubs = hubs
        for (hub, path) in hubs.enumerated() {
          if let path {
            for exit in exits(hub, path.origin, frame) {
              offer(exit.state, path.score - exit.price)
            }
          }
          for arc in chain.hubs[hub].entries {
            guard let score = states[arc.state].map({ $0 - arc.price }) else { continue }
            if score > nextHubs[hub]?.score ?? .min { nextHubs[hub] = (score, Int32(arc.state)) }
          }
          nextHubs[hub]?.score += heard(hub: hub, frame)
        }
        states = next.enumerated().map { state, score in
          score.map { $0 + heard(state: state, frame) }
        }
        hubs = nextHubs
      }
      let ends = states.enumerated().compactMap { state, score in
        end(state).flatMap { price in score.map { $0 - price } }
      }
      return (ends + hubs.compactMap { $0?.score }).max()
    }

    /// What a path scores; nil where it is none.
    func score(of path: ChainSearch.Path) -> Int32? {
      var score: Int32 = 0
      var origin: Int32 = 0
      for (frame, place) in path.enumerated() {
        let (now, hub) = (Int(place), Int(-1 - place))
        score += now >= 0 ? heard(state: now, frame) : heard(hub: hub, frame)
        guard frame > 0 else {
          let price =
            now >= 0
            ? starts.filter { $0.state == now }.map(\.price).min() : startHubs[hub]
          guard let price else { return nil }
          score -= price
          continue
        }
        let before = Int(path[frame - 1])
        switch (before >= 0, now >= 0) {
        case (true, true):
          guard (0...3).contains(now - before) else { return nil }
          score -= chain.skips[min(before + 1, now)..<now].reduce(0, +)
        case (true, false):
          guard let arc = chain.hubs[hub].entries.first(where: { $0.state == before }) else {
            return nil
          }
          score -= arc.price
          origin = Int32(before)
        case (false, true):
          let exits = exits(-1 - before, origin, frame).filter { $0.state == now }
          guard let price = exits.map(\.price).min() else { return nil }
          score -= price
        case (false, false): if before != now { return nil }
        }
      }
      return Int(path.last ?? 0) < 0 ? score : end(Int(path.last ?? 0)).map { score - $0 }
    }
  }

  @Test(arguments: [1, 4, 12, 60])
  func findsTheBestOfAllPaths(words: Int) throws {
    var random = SplitMix64(state: UInt64(words))
    var found = 0
    for number in 0..<(isThoroughRun ? 60 : 24) {
      let example = Case(words: words, hasLongTokens: true, using: &random)
      let search = ChainSearch(example.chain, soundCount: Self.soundCount, beam: 1 << 24)
      let result = search.run(
        example.scores, startHubs: example.startHubs, starts: example.starts, ends: example.end)
      #expect(result?.score == example.best.map(Int64.init), "\(number)")
      guard let result else { continue }
      found += 1
      #expect(example.score(of: result.path).map(Int64.init) == result.score, "\(number)")
    }
    #expect(found > 12)
  }

  @Test func aBeamDropsNothingThatIsBetter() {
    var random = SplitMix64(state: 7)
    for number in 0..<60 {
      let example = Case(words: 30, using: &random)
      let result = ChainSearch(example.chain, soundCount: Self.soundCount).run(
        example.scores, startHubs: example.startHubs, starts: example.starts, ends: example.end)
      guard let result, let best = example.best else { continue }
      #expect(result.score <= Int64(best), "\(number)")
      #expect(example.score(of: result.path).map(Int64.init) == result.score, "\(number)")
    }
  }

  /// Choices are settled after two minutes.
  @Test func aLongPathIsTheOneThatIsHeard() throws {
    var random = SplitMix64(state: 3)
    var chain = SoundChain()
    let sounds = (0..<700).map { UInt8($0 % 5) }
    for (index, start) in stride(from: 0, to: 700, by: 7).enumerated() {
      chain.append(
        Array(sounds[start..<start + 7]), skips: [Int32](repeating: 384, count: 7),
        silence: Self.silence, stop: 0, token: index, index: 0, isLastOfToken: true)
    }
    var heard: [UInt8] = []
    for state in 0..<chain.count {
      let frames = chain.sounds[state] == Self.silence ? 0...3 : 8...20
      heard += repeatElement(chain.sounds[state], count: Int.random(in: frames, using: &random))
    }
    #expect(heard.count > 8000)
    let values = heard.flatMap { sound in
      (0..<UInt8(Self.soundCount)).map { $0 == sound ? Int16(0) : -600 }
    }
    let result = try #require(
      ChainSearch(chain, soundCount: Self.soundCount).run(
        AcousticScores(soundCount: Self.soundCount, values: values),
        starts: [.init(state: 0, price: 0)], ends: { $0 >= chain.count - 2 ? 0 : nil }))
    #expect(result.score == 0)
    #expect(zip(result.path, heard).allSatisfy { chain.sounds[Int($0)] == $1 })
  }

  /// What is said goes on, goes back and leaves something out, with other sounds heard in some frames.
  @Test(arguments: 1...8) func stretchesSideBySideGiveThePathOfOneSearch(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var example = Case(words: 300, using: &random)
    let chain = example.chain
    var heard: [UInt8] = []
    var state = 0
    while heard.count < 3000 {
      if Int.random(in: 0..<60, using: &random) == 0 {
        heard += repeatElement(Self.silence, count: Int.random(in: 5...20, using: &random))
        state = Int.random(
          in: max(0, state - 60)...min(state + 60, chain.count - 1), using: &random)
      }
      let frames = chain.sounds[state] == Self.silence ? 0...3 : 2...9
      heard += repeatElement(chain.sounds[state], count: Int.random(in: frames, using: &random))
      state = (state + 1) % chain.count
    }
    let values = heard.flatMap { sound in
      let said =
        Int.random(in: 0..<8, using: &random) == 0 ? UInt8.random(in: 0...4, using: &random) : sound
      return (0...Self.silence).map {
        ($0 == said ? Int16(0) : -600) - Int16.random(in: 0...200, using: &random)
      }
    }
    example.scores = AcousticScores(soundCount: Self.soundCount, values: values)
    let whole = ChainSearch(chain, soundCount: Self.soundCount).run(
      example.scores, startHubs: example.startHubs, starts: example.starts, ends: example.end)
    let score = try #require(whole).score
    for threads in [1, 3] {
      var asked: [Int] = []
      let path = ChainSearch(chain, soundCount: Self.soundCount, framesPerStrand: 300).path(
        example.scores, startHubs: example.startHubs, starts: example.starts, ends: example.end,
        checkpoints: [200, 1000],
        goesOn: {
          asked.append($0.count)
          return true
        }, threadCount: threads)
      #expect(path.flatMap(example.score(of:)).map(Int64.init) == score)
      #expect(asked == [200, 1000])
    }
  }

  @Test func aSearchEndsWhereNobodyWantsMore() {
    var random = SplitMix64(state: 2)
    var example = Case(words: 30, using: &random)
    example.scores = AcousticScores(
      soundCount: Self.soundCount,
      values: (0..<600 * Self.soundCount).map { _ in Int16.random(in: -1280...0, using: &random) })
    let search = ChainSearch(example.chain, soundCount: Self.soundCount, framesPerStrand: 50)
    for threads in [1, 3] {
      #expect(
        search.path(
          example.scores, starts: example.starts, ends: { _ in 0 }, checkpoints: [100],
          goesOn: { _ in false }, threadCount: threads) == nil)
      #expect(
        search.path(
          example.scores, starts: example.starts, ends: { _ in 0 }, threadCount: threads,
          isStopped: { true }) == nil)
    }
  }
}
