// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import Testing

@testable import Playback

@Suite struct ResolverTests {
  private let wanted = ResolverQuery(riwayah: .hafs)

  /// An entry for 2:1, named by its recording.
  private func entry(
    _ media: String, at start: Int64 = 0, reciter: Int64? = 1,
    _ change: (inout CatalogueEntry) -> Void = { _ in }
  ) -> CatalogueEntry {
    var entry = CatalogueEntry(clip("2:1", media, start..<(start + 10), reciter: reciter))
    change(&entry)
    return entry
  }

  private func best(
    _ entries: [CatalogueEntry], _ query: ResolverQuery? = nil, reciters: [Int64] = []
  ) async -> String? {
    var catalogue = CatalogueResolver(reciters: reciters.map(ReciterID.init(rawValue:)))
    for entry in entries { catalogue.add(entry) }
    guard case .found(let clip) = await catalogue.clip(of: ayah("2:1"), query ?? wanted) else {
      return nil
    }
    return "\(clip.audio.media.rawValue)@\(clip.audio.span.lowerBound.frames)"
  }

  /// Each rule decides against all rules after it, whichever way round they are listed.
  @Test func rulesApplyInTheirOrder() async {
    let ladder = [
      entry("i", at: 50, reciter: 2),
      entry("h", at: 40) { $0.clip.origin = .download },
      entry("g", at: 30) { $0.isManual = false },
      entry("f", at: 20) {
        $0.isManual = true
        $0.confidence = 0.5
        $0.publishedAt = 9
      },
      entry("e", at: 10) {
        $0.isManual = true
        $0.confidence = 0.9
        $0.publishedAt = 1
      },
      entry("d", at: 9) {
        $0.isManual = true
        $0.confidence = 0.9
        $0.publishedAt = 2
      },
      entry("d", at: 5) {
        $0.isManual = true
        $0.confidence = 0.9
        $0.publishedAt = 2
      },
    ]
    for count in 1...ladder.count {
      let entries = Array(ladder.prefix(count))
      let winner = entries[count - 1].clip.audio
      let name = "\(winner.media.rawValue)@\(winner.span.lowerBound.frames)"
      #expect(await best(entries) == name)
      #expect(await best(entries.reversed()) == name)
    }
  }

  @Test func partsOtherRiwayatAndAbsentFilesAreNeverTaken() async {
    let entries = [
      entry("part") { $0.isComplete = false }, entry("gone") { $0.isAvailable = false },
      CatalogueEntry(clip("2:1", "warsh", 0..<9, riwayah: .warsh)),
    ]
    #expect(await best(entries) == nil)
    var query = wanted
    query.unreadable = [MediaKey(rawValue: "a")]
    #expect(await best(entries + [entry("a")], query) == nil)
    query = ResolverQuery(riwayah: .warsh)
    #expect(await best(entries + [entry("a")], query) == "warsh@0")
  }

  @Test func recitersComeInTheirOrderAndNobodyLast() async {
    let entries = [
      entry("nobody", reciter: nil) { $0.isManual = true }, entry("three", reciter: 3),
      entry("two", reciter: 2),
    ]
    #expect(await best(entries) == "two@0")
    #expect(await best(entries, reciters: [9, 3]) == "three@0")
    func only(_ reciters: [Int64?]) -> ResolverQuery {
      let choice = ReciterChoice.inOrder(reciters.map { $0.map(ReciterID.init(rawValue:)) })
      return ResolverQuery(riwayah: .hafs, reciters: choice)
    }
    #expect(await best(entries, only([9, nil, 2])) == "nobody@0")
    #expect(await best(entries, only([9])) == nil)
  }

  @Test func aReciterComesBeforeALayer() async {
    let own = CatalogueResolver([clip("2:1", "own of 2", 0..<9, reciter: 2)])
    let files = CatalogueResolver([
      clip("2:1", "file of 1", 0..<9, reciter: 1), clip("2:1", "file of 2", 0..<9, reciter: 2),
      clip("2:2", "file of 3", 0..<9, reciter: 3),
    ])
    func best(_ name: String, _ priority: [Int64]) async -> String? {
      let layers = LayeredResolver(
        [own, files], priority: priority.map(ReciterID.init(rawValue:)))
      guard case .found(let clip) = await layers.clip(of: ayah(name), wanted) else { return nil }
      return clip.audio.media.rawValue
    }
    #expect(await best("2:1", [1, 2]) == "file of 1")
    #expect(await best("2:1", [2, 1]) == "own of 2")
    #expect(await best("2:2", [1, 2]) == "file of 3")
    #expect(await best("2:3", [1, 2]) == nil)
  }

  /// Has nothing, and says why by who is asked.
  private struct Reasons: AyahResolver {
    let reasons: [Int64: Resolution<AyahClip>]

    func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
      guard case .inOrder(let order) = query.reciters, let reciter = order.first ?? nil else {
        return .missing
      }
      return reasons[reciter.rawValue] ?? .missing
    }

    func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
      .missing
    }

    func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange] { [range] }
  }

  @Test func theReasonOfWhoHasItSaysMoreThanOfWhoDoesNot() async {
    let resolver = LayeredResolver(
      [Reasons(reasons: [1: .lacking("one"), 2: .failed("two"), 3: .failed("three")])],
      priority: [1, 2, 3].map(ReciterID.init(rawValue:)))
    #expect(await resolver.clip(of: ayah("2:1"), wanted) == .failed("two"))
    // Whoever was asked for comes first all the same.
    var request = PlaybackRequest(range("2:1-2:1"))
    request.fillsFromOthers = true
    for (reciter, reason) in [(1, .failed("two")), (3, .failed("three"))]
      as [(Int64, Resolution<AyahClip>)]
    {
      request.reciters = .inOrder([ReciterID(rawValue: reciter)])
      let search = ClipSearch(request: request, unreadable: [])
      #expect(await search.find(.ayah(ayah("2:1")), with: resolver) == .ayah(reason))
    }
    let alone = LayeredResolver(
      [Reasons(reasons: [1: .lacking("one"), 2: .lacking("two")])],
      priority: [1, 2].map(ReciterID.init(rawValue:)))
    request.reciters = .inOrder([ReciterID(rawValue: 2)])
    let search = ClipSearch(request: request, unreadable: [])
    #expect(await search.find(.ayah(ayah("2:1")), with: alone) == .ayah(.lacking("two")))
  }

  @Test func fillingLiftsTheOrderOfRecitersAndNeverTheRiwayah() async {
    let catalogue = CatalogueResolver([
      clip("2:1", "one", 0..<9, reciter: 1), clip("2:2", "two", 0..<9, reciter: 2),
      clip("2:3", "warsh", 0..<9, reciter: 1, riwayah: .warsh),
    ])
    var request = PlaybackRequest(range("2:1-2:3"))
    request.reciters = .inOrder([ReciterID(rawValue: 1)])
    let check = await CoverageCheck.of(request, with: catalogue)
    #expect(check.missing == [range("2:2-2:3")] && check.fillable == [range("2:2")])
    #expect(check.missingCount == 2 && !check.isComplete)
    #expect(check.request(after: .cancel) == nil)
    #expect(check.request(after: .continueWithGaps) == request)
    let filled = check.request(after: .fill)!
    let search = ClipSearch(request: filled, unreadable: [])
    guard
      case .ayah(.found(let second)) = await search.find(.ayah(ayah("2:2")), with: catalogue)
    else {
      Issue.record("not filled")
      return
    }
    #expect(second.audio.media.rawValue == "two")
    #expect(await search.find(.ayah(ayah("2:3")), with: catalogue) == .ayah(.missing))
    let after = await CoverageCheck.of(filled, with: catalogue)
    #expect(after.missing == [range("2:3")] && after.fillable.isEmpty)
  }

  @Test func theCheckCoversConnectionsAndContinuation() async {
    var request = PlaybackRequest(range("2:2"))
    request.connectionBefore = 1
    request.afterRepeat = .continueAyat(2)
    let check = await CoverageCheck.of(
      request, with: CatalogueResolver([clip("2:3", "a", 0..<9)]))
    #expect(check.missing == [range("2:1-2:2"), range("2:4")] && check.fillable.isEmpty)
  }

  @Test func recordedBasmalahIsPreferredToTheFirstAyah() async {
    var catalogue = CatalogueResolver([clip("1:1", "fatihah", 0..<9)])
    let search = ClipSearch(request: PlaybackRequest(range("3:1")), unreadable: [])
    let need = ClipNeed.basmalah(of: Surah(3)!, like: clip("3:1", "three", 0..<9))
    #expect(await search.find(need, with: catalogue) == .basmalah(.found(audio("fatihah", 0..<9))))
    catalogue.addBasmalah(
      of: Surah(3)!, audio("another", 0..<4), riwayah: .hafs, reciter: ReciterID(rawValue: 2))
    catalogue.addBasmalah(
      of: Surah(3)!, audio("three", 20..<24), riwayah: .hafs, reciter: ReciterID(rawValue: 1))
    #expect(await search.find(need, with: catalogue) == .basmalah(.found(audio("three", 20..<24))))
  }

  /// Gives what was not asked for.
  private struct Mistaken: AyahResolver {
    let clip: AyahClip
    func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
      .found(clip)
    }
    func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
      .missing
    }
  }

  @Test func aMistakenResolverIsNotBelieved() async {
    let search = ClipSearch(
      request: PlaybackRequest(range("2:1")), unreadable: [MediaKey(rawValue: "broken")])
    for wrong in [
      clip("2:2", "a", 0..<9), clip("2:1", "a", 0..<9, riwayah: .warsh), clip("2:1", "a", 9..<9),
      clip("2:1", "broken", 0..<9),
    ] {
      let answer = await search.find(.ayah(ayah("2:1")), with: Mistaken(clip: wrong))
      #expect(answer == .ayah(.missing))
    }
  }
}
