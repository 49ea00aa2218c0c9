// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Fetch
public import Library
public import Quran

/// Fetches ayat of sources, one after another, while others are heard: those that come next, and no more of them than
/// twenty or five minutes, so that nothing is fetched that nobody comes to hear.
public final class FetchAhead: Sendable {
  /// An ayah that is missing, and the sources that may have it, in order.
  public struct Wanted: Sendable {
    public let ayah: AyahReference
    public let sources: [ReciterSource]

    public init(_ ayah: AyahReference, _ sources: [ReciterSource]) {
      self.ayah = ayah
      self.sources = sources
    }
  }

  private struct State {
    /// In the order in which they are heard, without those that came or did not.
    var wanted: [Wanted]
    /// What was asked for last is heard soon.
    var near: AyahReference
    /// What was wanted and has come, or has not.
    var settled: Set<AyahReference> = []
    /// What did not come, by the sources that were asked in vain, in the order of the first.
    var failures: [(source: ReciterSource, files: [SourceFetcher.Failure])] = []
    /// What else is wrong, a line each.
    var remarks: [String] = []
    /// Why an ayah has not come.
    var reasons: [AyahReference: String] = [:]
    /// What has not come and was not told of yet.
    var lost: [AyahReference] = []
    /// What was waited for in vain, and may still come,
    var late: Set<AyahReference> = []
    /// and what of it has come since, and was not told of yet.
    var arrived: [AyahReference] = []
    var status: String?
    var isEnding = false

    mutating func add(_ failure: SourceFetcher.Failure, of source: ReciterSource) {
      if let index = failures.firstIndex(where: { $0.source.id == source.id }) {
        failures[index].files.append(failure)
      } else {
        failures.append((source, [failure]))
      }
    }

    /// What to fetch next; nil while everything near is here.
    var next: Wanted? {
      guard let next = wanted.first(where: { $0.ayah >= near }) else { return nil }
      let stretch = near.absoluteIndex..<next.ayah.absoluteIndex
      let seconds = stretch.reduce(0.0) { sum, index in
        sum + (AyahReference(absoluteIndex: index)?.usualSeconds ?? 0)
      }
      return stretch.count <= FetchAhead.mostAyat && seconds <= FetchAhead.mostSeconds
        ? next : nil
    }
  }

  /// Compares a file that is here with its timings; returns what is wrong with it, a line not safe to print as it is. It
  /// ends soon after the flag is raised.
  public typealias Comparison =
    @Sendable (ReciterSource, AyahReference, StopFlag) throws(LibraryError) -> String?

  private let state: Monitor<State>
  private let compare: Comparison
  private let patience: Duration
  private let stopFlag: StopFlag
  private let ended = Monitor(false)

  /// Begins at once, on a thread of its own.
  /// - Parameters:
  ///   - patience: how long an ayah is waited for.
  ///   - compare: gets each file to compare, by the first ayah in it, on that thread.
  public init(
    _ wanted: [Wanted], into library: Library, _ settings: FetchSettings,
    clock: any FetchClock = SystemFetchClock(), patience: Duration = .seconds(30),
    stopFlag: StopFlag,
    timingsProblem: @escaping @Sendable (_ path: String, Surah) -> String? = { _, _ in nil },
    compare: @escaping Comparison = { _, _, _ in nil }
  ) {
    self.compare = compare
    self.patience = patience
    state = Monitor(State(wanted: wanted, near: wanted.first?.ayah ?? .first))
    self.stopFlag = stopFlag
    let work: @Sendable () -> Void = { [self] in
      run(library, settings, clock, timingsProblem)
      ended.update { $0 = true }
    }
    if WorkerThread(work) == nil {
      state.update { $0.wanted = [] }
      ended.update { $0 = true }
    }
  }

  /// What is being fetched, or why it takes longer; nil while nothing is. Not safe to print as it is.
  public var status: String? { state.update { $0.status } }

  /// Whether an ayah may still come.
  public func expects(_ ayah: AyahReference) -> Bool {
    state.update { state in state.wanted.contains { $0.ayah == ayah } }
  }

  /// Whether an ayah may still come, and was waited for in vain.
  public func isLate(_ ayah: AyahReference) -> Bool { state.update { $0.late.contains(ayah) } }

  /// Whether an ayah was wanted, and has come or has not.
  public func hasSettled(_ ayah: AyahReference) -> Bool {
    state.update { $0.settled.contains(ayah) }
  }

  /// Why an ayah that was wanted has not come, even if it may still come; nil where it has. Not safe to print as it is.
  public func failure(of ayah: AyahReference) -> String? {
    state.update { state in
      state.reasons[ayah]
        ?? (state.late.contains(ayah)
          ? "it has not arrived in time, and is still being fetched" : nil)
    }
  }

  /// The ayat that were wanted and have not come, or not in time, since this was last asked.
  public func takeLost() -> [AyahReference] {
    state.update { state in
      defer { state.lost = [] }
      return state.lost
    }
  }

  /// The ayat that were late and have come since this was last asked.
  public func takeArrived() -> [AyahReference] {
    state.update { state in
      defer { state.arrived = [] }
      return state.arrived
    }
  }

  /// Says that an ayah is wanted soon, and waits for it, as long as it may still come and patience lasts.
  public func arrival(of ayah: AyahReference) async {
    state.update { $0.near = ayah }
    var waited = Duration.zero
    while waited < patience, expects(ayah) {
      guard !stopFlag.isStopped, !Task.isCancelled else { return }
      try? await Task.sleep(for: Self.wait)
      waited += Self.wait
    }
    state.update { state in
      guard state.wanted.contains(where: { $0.ayah == ayah }), state.late.insert(ayah).inserted
      else { return }
      state.lost.append(ayah)
    }
  }

  /// Fetches nothing more, and waits until what is under way has been broken off; it goes on there another time.
  /// - Returns: what did not come, a line each. Not safe to print as it is.
  public func end() -> [String] {
    state.update { $0.isEnding = true }
    breaking.stop()
    _ = ended.wait { $0 ? true : nil }
    return state.update { state in
      state.failures.flatMap { source, files in
        SourceFetcher.Outcome(failures: files).failureLines(of: source)
      } + state.remarks
    }
  }

  /// Breaks off a download, without ending anything else.
  private let breaking = StopFlag()

  private func run(
    _ library: Library, _ settings: FetchSettings, _ clock: any FetchClock,
    _ timingsProblem: @escaping @Sendable (String, Surah) -> String?
  ) {
    var fetchers: [ReciterSource.ID: SourceFetcher?] = [:]
    var rests: [ReciterSource.ID: (reason: String, until: Double)] = [:]
    let turns = HostTurns(sharedIn: library.folder.locks)
    while let wanted = state.wait({ state -> Wanted?? in
      if state.isEnding || state.wanted.isEmpty { return .some(nil) }
      return state.next.map { .some($0) }
    }) {
      if stopFlag.isStopped { break }
      var hasCome = false
      var failures: [(SourceFetcher.Failure, ReciterSource)] = []
      var others: [String] = []
      // It was said of the file that met it.
      var untried: String?
      var remarks: [String] = []
      for source in wanted.sources {
        do {
          let known = fetchers[source.id]
          let fetcher =
            try known
            ?? SourceFetcher(
              source, in: library, settings, clock: clock, stopFlag: breaking, turns: turns,
              timingsProblem: timingsProblem)
          fetchers[source.id] = .some(fetcher)
          guard let fetcher else { continue }
          if let rest = rests[source.id], clock.date < rest.until {
            untried = untried ?? rest.reason
            continue
          }
          let plan = try fetcher.plan([AyahRange(wanted.ayah)], settings)
          guard !plan.isEmpty else { continue }
          let subject = "\(source.name) \(wanted.ayah)"
          state.update { $0.status = subject }
          var unfit: String?
          let outcome = fetcher.fetch(plan) { _, _, _ in
            state.update { $0.status = subject }
          } waiting: { _, _, error, seconds in
            state.update {
              $0.status = "\(subject): \(error.retry(in: seconds))"
              $0.reasons[wanted.ayah] = error.description
            }
          } compare: { ayah throws(LibraryError) in
            let found = try compare(source, ayah, breaking)
            unfit = unfit ?? found
          }
          remarks += source.differences(of: outcome.differing)
          if let failure = outcome.failures.first {
            failures.append((failure, source))
            if failure.error.endsEverything, failure.error.kind != .tooSlow {
              rests[source.id] = (failure.description, clock.date + Self.rest)
            }
          } else if let unfit {
            others.append(unfit)
          } else {
            hasCome = true
            break
          }
        } catch {
          // It is said once for each source.
          fetchers[source.id] = .some(nil)
          others.append("\(error)")
        }
      }
      state.update { state in
        state.status = nil
        state.wanted.removeAll { $0.ayah == wanted.ayah }
        state.settled.insert(wanted.ayah)
        let wasLate = state.late.remove(wanted.ayah) != nil
        if wasLate, hasCome { state.arrived.append(wanted.ayah) }
        state.remarks += remarks
        state.reasons[wanted.ayah] =
          hasCome ? nil : failures.first?.0.description ?? others.first ?? untried
        guard !hasCome, !state.isEnding else { return }
        if !wasLate { state.lost.append(wanted.ayah) }
        for (failure, source) in failures { state.add(failure, of: source) }
        state.remarks += others
      }
    }
  }

  private static let mostAyat = 20
  private static let mostSeconds = 300.0
  private static let wait = Duration.milliseconds(50)
  /// Seconds for which a source is not asked again where the next file would meet the same fault.
  private static let rest = 60.0
}

extension AyahReference {
  /// Thirty hours for the whole Quran.
  fileprivate var usualSeconds: Double {
    30 * 3600 * Double(length.phoneticUnits)
      / Double(AyahRange.wholeQuran.length.phoneticUnits)
  }
}
