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

  private func moment(
    _ request: PlaybackRequest, at occurrence: AyahOccurrence, frames: Int64? = 0, turn: Int = 1,
    _ state: PlaybackState = .active(.playing), isBasmalah: Bool = false
  ) throws -> PlaybackMoment {
    let itinerary = Itinerary(request)
    let clip = try clip(occurrence.ayah)
    let status = PlaybackStatus(
      state: state,
      place: PlaybackPlace(
        occurrence, of: PlaybackItem.ID(0), in: itinerary, isBasmalah: isBasmalah),
      clip: clip, speed: 1)
    return PlaybackMoment(
      position: PlaybackPosition(
        status: status, sourceFrame: frames.map { FramePosition($0 + 100) },
        offset: frames.map { FrameCount($0) }, word: nil), itinerary: itinerary, turn: turn)
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
      let start = try #require(id.start(in: PlaybackItem.ID(0)))
      #expect(start.ayah == occurrence.ayah && start.repetition == occurrence.repetition)
      #expect(start.pass == occurrence.pass && start.stage == occurrence.stage)
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

  @Test func anotherRangeIsAnotherListAndOtherCountsAreNot() throws {
    var request = try request()
    var view = EngineView()
    let first = Itinerary(request).first
    view.take(try moment(request, at: first), names)
    let list = view.snapshot.listNumber
    request.ayahRepeat = .endless
    request.gapMilliseconds = 100
    view.take(try moment(request, at: first), names)
    #expect(view.snapshot.listNumber == list && view.snapshot.loop == .track)
    request = try self.request("2:1-2:286")
    view.take(try moment(request, at: Itinerary(request).first), names)
    #expect(view.snapshot.listNumber == list + 1)
    #expect(view.snapshot.tracks.count == 100)
    #expect(view.snapshot.canGoNext && view.snapshot.loop == .none)
  }

  @Test func wholeRecordingsAreGoneThroughByItem() throws {
    var request = try request()
    var view = EngineView()
    func moment(at occurrence: AyahOccurrence, items: Int, hasNext: Bool) throws -> PlaybackMoment {
      var moment = try self.moment(request, at: occurrence)
      (moment.itemCount, moment.hasNextItem) = (items, hasNext)
      return moment
    }
    let first = Itinerary(request).first
    #expect(try !moment(at: first, items: 3, hasNext: true).goesByItem)
    request.only = MediaKey(rawValue: "m")
    #expect(try moment(at: first, items: 3, hasNext: true).goesByItem)
    // The last of several leads nowhere; one alone is gone through by ayah.
    view.take(try moment(at: first, items: 3, hasNext: false), names)
    #expect(!view.snapshot.canGoNext)
    view.take(try moment(at: first, items: 1, hasNext: false), names)
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
