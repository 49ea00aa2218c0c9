// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import TestSupport
import Testing

@testable import MediaControl
@testable import Playback

/// What other programs are told of an engine's moments.
@Suite struct EngineViewTests {
  private let rate = SampleRate(hertz: 8000)!
  private let names = TrackNames(
    reciter: { $0.rawValue == 7 ? "Mahmoud" : nil },
    picture: { ayah, _ in "file:///pages/\(ayah.page).png" })

  private func request(_ text: String = "112:1-112:4") throws -> PlaybackRequest {
    PlaybackRequest(try AyahRange(parsing: text))
  }

  private func clip(_ ayah: AyahReference, seconds: Double = 2) throws -> AyahClip {
    let format = try #require(AudioFormat(rate: rate, channels: 1))
    let span =
      FramePosition(100)..<(FramePosition(100) + FrameCount(seconds: seconds, at: rate))
    return AyahClip(
      ayah, AudioClip(MediaKey(rawValue: "m"), span, format: format), riwayah: .hafs,
      reciter: ReciterID(rawValue: 7))
  }

  private func items(_ requests: [PlaybackRequest]) -> [PlaybackItem] {
    requests.enumerated().map { PlaybackItem(PlaybackItem.ID($0), $1) }
  }

  /// - Parameters:
  ///   - number: of the item that is heard.
  ///   - queue: the request alone if nil.
  private func moment(
    _ request: PlaybackRequest, at occurrence: AyahOccurrence, frames: Int64? = 0, turn: Int = 1,
    _ state: PlaybackState = .active(.playing), isBasmalah: Bool = false, item number: Int = 0,
    of queue: [PlaybackItem]? = nil
  ) throws -> PlaybackMoment {
    let itinerary = Itinerary(request)
    let item = PlaybackItem.ID(number)
    let clip = try clip(occurrence.ayah)
    let status = PlaybackStatus(
      state: state,
      place: PlaybackPlace(
        occurrence, of: item, in: itinerary, isBasmalah: isBasmalah),
      clip: clip, speed: 1)
    return PlaybackMoment(
      position: PlaybackPosition(
        status: status, sourceFrame: frames.map { FramePosition($0 + 100) },
        offset: frames.map { FrameCount($0) }, word: nil), itinerary: itinerary, item: item,
      turn: turn, items: queue ?? items([request]))
  }

  @Test func aTrackIsNamedAsPeopleNameAnAyah() throws {
    var request = try request()
    request.ayahRepeat = .times(3)
    request.rangeRepeat = .times(5)
    var view = EngineView()
    let second = AyahOccurrence(
      ayah: AyahReference("112:1")!, part: .range, repetition: 2, pass: 4)
    view.take(try moment(request, at: second), names)
    let track = try #require(view.snapshot.track)
    #expect(track.title == "Al-Ikhlas 112:1")
    #expect(track.artists == ["Mahmoud"])
    #expect(track.album == "Rep 2/3 - Pass 4/5 - 112:1-4")
    #expect(track.number == 1)
    #expect(track.length == 2_000_000)
    #expect(track.picture == "file:///pages/604.png")
    #expect(view.snapshot.status == .playing && view.snapshot.loop == .track)
    view.take(
      try moment(request, at: second, frames: nil, isBasmalah: true), names)
    #expect(view.snapshot.track?.title == "Al-Ikhlas: basmalah")
    #expect(view.snapshot.track?.length == 2_000_000)
    #expect(view.snapshot.track?.artists == ["Mahmoud"])
  }

  @Test func eachHearingIsATrackOfItsOwn() throws {
    var request = try request()
    request.ayahRepeat = .times(2)
    request.rangeRepeat = .times(2)
    request.practice = .cumulative
    let itinerary = Itinerary(request)
    var ids: Set<MediaTrack.ID> = []
    var next: AyahOccurrence? = itinerary.first
    var view = EngineView()
    var count = 0
    while let occurrence = next {
      view.take(try moment(request, at: occurrence), names)
      let id = try #require(view.snapshot.track?.id)
      ids.insert(id)
      #expect(id.start == PlaybackStart(item: PlaybackItem.ID(0), at: occurrence))
      #expect(view.snapshot.tracks.contains { $0.id == id })
      #expect(view.snapshot.tracks.count <= 100)
      count += 1
      next = itinerary.following(occurrence)?.occurrence
    }
    #expect(ids.count == count && count == itinerary.occurrenceCount)
    // The same ayah, gone back to.
    view.take(try moment(request, at: itinerary.first, turn: 2), names)
    #expect(!ids.contains(try #require(view.snapshot.track?.id)))
  }

  @Test func theListHasTheAyatOfTheWholeQueue() throws {
    let requests = try ["112:3-112:4", "93:1-93:2", "36:1-36:2"].map { try request($0) }
    let queue = items(requests)
    var view = EngineView()
    func listed(_ number: Int, at occurrence: AyahOccurrence, isBasmalah: Bool = false) throws
      -> [String]
    {
      view.take(
        try moment(
          requests[number], at: occurrence, isBasmalah: isBasmalah, item: number, of: queue), names)
      return view.snapshot.tracks.map(\.title)
    }
    let all = [
      "Al-Ikhlas 112:3", "Al-Ikhlas 112:4", "Ad-Duhaa 93:1", "Ad-Duhaa 93:2", "Ya-Sin 36:1",
      "Ya-Sin 36:2",
    ]
    #expect(try listed(0, at: Itinerary(requests[0]).first) == all)
    let ids = view.snapshot.tracks.map(\.id)
    #expect(Set(ids).count == all.count)
    #expect(try listed(1, at: Itinerary(requests[1]).last) == all)
    #expect(view.snapshot.tracks.map(\.id) == ids && view.snapshot.track?.id == ids[3])
    #expect(ids.compactMap(\.start?.item.number) == [0, 0, 1, 1, 2, 2])
    // The basmalah comes before the ayah that it leads to.
    let first = Itinerary(requests[1]).first
    #expect(
      try listed(1, at: first, isBasmalah: true) == all[..<2] + ["Ad-Duhaa: basmalah"] + all[2...])
    #expect(view.snapshot.track?.title == "Ad-Duhaa: basmalah")
    #expect(Set(view.snapshot.tracks.map(\.id)).isSuperset(of: ids))
  }

  @Test func aTrackThatWasHeardKeepsItsLengthAndItsReciter() throws {
    let request = try request()
    let itinerary = Itinerary(request)
    var view = EngineView()
    view.take(try moment(request, at: itinerary.first), names)
    let first = try #require(view.snapshot.track)
    let next = try #require(itinerary.following(itinerary.first)?.occurrence)
    view.take(try moment(request, at: next), names)
    #expect(view.snapshot.tracks.first == first && first.artists == ["Mahmoud"])
    #expect(view.snapshot.tracks.map(\.length) == [2_000_000, 2_000_000, nil, nil])
  }

  @Test func tracksThatWereNotHeardHaveTheLengthAndReciterThatTheLibraryKnows() throws {
    let request = try request()
    let itinerary = Itinerary(request)
    var view = EngineView()
    view.take(try moment(request, at: itinerary.first), names)
    #expect(Set(view.unknown.map(\.ayah.ayah)) == [2, 3, 4])
    for unheard in view.unknown {
      let number = unheard.ayah.ayah
      view.take(
        number == 3 ? nil : try clip(unheard.ayah, seconds: Double(number)), for: unheard, names)
    }
    view.take(try moment(request, at: itinerary.first), names)
    #expect(view.unknown.isEmpty)
    #expect(view.snapshot.tracks.map(\.length) == [2_000_000, 2_000_000, nil, 4_000_000])
    #expect(view.snapshot.tracks.map(\.artists) == [["Mahmoud"], ["Mahmoud"], [], ["Mahmoud"]])
    var part = request
    part.excerpt = .words(1...2)
    view.take(try moment(part, at: itinerary.first), names)
    #expect(view.unknown.isEmpty)
  }

  @Test func theTrackOfABasmalahNamesItsBeginning() throws {
    let request = try request()
    let first = Itinerary(request).first
    var view = EngineView()
    view.take(try moment(request, at: first, isBasmalah: true), names)
    let starts = view.snapshot.tracks.map(\.id.start)
    #expect(starts[0]?.hasBasmalah == true && starts[1]?.hasBasmalah == false)
    #expect(starts[0]?.ayah == starts[1]?.ayah && starts[0]?.ayah == first.ayah)
  }

  @Test func theListIsNoLongerThanAHundredAndHasRepetitions() throws {
    var requests = try ["2:1-2:100", "3:1-3:200"].map { try request($0) }
    requests[0].ayahRepeat = .times(2)
    var view = EngineView()
    let last = Itinerary(requests[0]).last
    view.take(try moment(requests[0], at: last, item: 0, of: items(requests)), names)
    let tracks = view.snapshot.tracks
    #expect(tracks.count == 100 && Set(tracks.map(\.id)).count == 100)
    #expect(tracks[30] == view.snapshot.track && tracks[30].title == "Al-Baqarah 2:100")
    #expect(tracks[29].title == "Al-Baqarah 2:100" && tracks[29].album.hasPrefix("Rep 1/2"))
    #expect(tracks[31].title == "Ali 'Imran 3:1" && tracks[99].title == "Ali 'Imran 3:69")
  }

  @Test func otherCountsLeaveTheTrackAndAJumpBeginsAnotherList() throws {
    var request = try request()
    var view = EngineView()
    let first = Itinerary(request).first
    view.take(try moment(request, at: first), names)
    let id = view.snapshot.track?.id
    request.ayahRepeat = .endless
    request.gapMilliseconds = 100
    view.take(try moment(request, at: first), names)
    #expect(view.snapshot.track?.id == id && view.snapshot.loop == .track)
    #expect(view.snapshot.tracks.count == 100)
    request.ayahRepeat = .once
    view.take(try moment(request, at: first, turn: 2), names)
    #expect(view.snapshot.track?.id != id && view.snapshot.track?.id.start == id?.start)
    #expect(view.snapshot.canGoNext && view.snapshot.loop == .none)
  }

  @Test func aListThatMovesOnIsToldByWhatChanges() throws {
    func track(_ number: Int, _ length: Int64? = nil) -> MediaTrack {
      var track = MediaTrack(id: .init(rawValue: "/\(number)"), title: "\(number)")
      track.length = length
      return track
    }
    let old = (1...4).map { track($0) }
    var moved = TrackListChange(from: old, to: [track(2), track(3, 7), track(4), track(5)])
    #expect(!moved.isReplaced && moved.isOfOrder)
    #expect(moved.removed == [track(1).id])
    #expect(moved.added == [.init(track: track(5), previous: track(4).id)])
    #expect(moved.retold == [track(3, 7)])
    moved = TrackListChange(from: old, to: [track(0)] + old)
    #expect(moved.added == [.init(track: track(0), previous: .none)] && moved.removed.isEmpty)
    #expect(TrackListChange(from: old, to: [track(2), track(1), track(3), track(4)]).isReplaced)
    #expect(TrackListChange(from: old, to: (6...9).map { track($0) }).isReplaced)
    #expect(TrackListChange(from: [], to: old).isReplaced)
    #expect(!TrackListChange(from: old, to: old).isOfOrder)
    #expect(!TrackListChange(from: [], to: []).isOfOrder)
  }

  @Test func wholeRecordingsAreGoneThroughByItem() throws {
    var request = try request()
    var view = EngineView()
    func moment(item: Int, of count: Int) throws -> PlaybackMoment {
      try self.moment(
        request, at: Itinerary(request).first, item: item,
        of: items(Array(repeating: request, count: count)))
    }
    #expect(try !moment(item: 0, of: 3).goesByItem)
    request.only = MediaKey(rawValue: "m")
    #expect(try moment(item: 0, of: 3).goesByItem)
    // The last of several leads nowhere; one alone is gone through by ayah.
    view.take(try moment(item: 2, of: 3), names)
    #expect(!view.snapshot.canGoNext)
    view.take(try moment(item: 0, of: 1), names)
    #expect(view.snapshot.canGoNext)
  }

  @Test func aPositionStaysInsideItsTrackAndNeverGoesBack() throws {
    let request = try request()
    var random = SplitMix64(state: 9)
    let itinerary = Itinerary(request)
    for _ in 0..<50 {
      var view = EngineView()
      var told = ToldPosition()
      var occurrence = itinerary.first
      var turn = 1
      var latest: (id: MediaTrack.ID, position: Int64)?
      for _ in 0..<40 {
        var isTold = true
        switch Int.random(in: 0..<6, using: &random) {
        case 0: occurrence = itinerary.following(occurrence)?.occurrence ?? occurrence
        case 1:
          // What is heard is ahead of what was told, or somebody has jumped.
          isTold = false
          if Bool.random(using: &random) { turn += 1 }
        default: break
        }
        let frames: Int64? =
          Bool.random(using: &random) ? Int64.random(in: -10...20_000, using: &random) : nil
        let states: [PlaybackState] = [
          .active(.playing), .active(.loading), .paused(.playing), .active(.awaitingNextAyah),
          .idle(.stopped),
        ]
        let moment = try moment(
          request, at: occurrence, frames: frames, turn: turn,
          states.randomElement(using: &random)!)
        if isTold { view.take(moment, names) }
        let position = told.position(in: view.snapshot, moment)
        guard let track = view.snapshot.track else {
          #expect(position == 0)
          continue
        }
        #expect((0...track.length!).contains(position))
        if let latest, latest.id == track.id { #expect(position >= latest.position) }
        latest = (track.id, position)
      }
    }
  }

  @Test func inTheGapAfterAnAyahItsPositionIsItsEnd() throws {
    let request = try request()
    var view = EngineView()
    var told = ToldPosition()
    let first = Itinerary(request).first
    let playing = try moment(request, at: first, frames: 8000)
    view.take(playing, names)
    #expect(told.position(in: view.snapshot, playing) == 1_000_000)
    let gap = try moment(request, at: first, frames: nil, .active(.awaitingNextAyah))
    #expect(told.position(in: view.snapshot, gap) == 2_000_000)
  }

  @Test func picturesOfPagesAreKnownByTheirNumbers() throws {
    let folder = try TemporaryFolder()
    for name in ["001.png", "page604.JPG", "604.txt", "cover.png", "99999.png"] {
      try folder.write([], to: name)
    }
    let pictures = PagePictures(folder: folder.path)
    #expect(pictures.address(of: AyahReference("1:1")!)?.hasSuffix("/001.png") == true)
    #expect(pictures.address(of: AyahReference("114:1")!)?.hasSuffix("/page604.JPG") == true)
    #expect(pictures.address(of: AyahReference("2:6")!) == nil)
    #expect(PagePictures(folder: folder.path("none")).address(of: .first) == nil)
  }
}
