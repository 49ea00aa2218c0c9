// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

@testable import Playback

func ayah(_ text: String) -> AyahReference { AyahReference(text)! }
func range(_ text: String) -> AyahRange {
  let ends = text.split(separator: "-").map { ayah(String($0)) }
  return AyahRange(first: ends[0], last: ends[ends.count - 1])!
}

/// Recordings at 1,000 Hz, so that a frame is a millisecond.
let rate = SampleRate(hertz: 1000)!
let mono = AudioFormat(rate: rate, channels: 1)!

func audio(_ media: String, _ span: Range<Int64>) -> AudioClip {
  AudioClip(
    MediaKey(rawValue: media), FramePosition(span.lowerBound)..<FramePosition(span.upperBound),
    format: mono)
}

func clip(
  _ text: String, _ media: String, _ span: Range<Int64>, reciter: Int64? = 1,
  riwayah: Riwayah = .hafs, sharesBreath: Bool = false
) -> AyahClip {
  var clip = AyahClip(
    ayah(text), audio(media, span), riwayah: riwayah,
    reciter: reciter.map(ReciterID.init(rawValue:)))
  clip.sharesBreath = sharesBreath
  return clip
}

extension CatalogueResolver {
  init(_ clips: [AyahClip], reciters: [Int64] = []) {
    self.init(reciters: reciters.map(ReciterID.init(rawValue:)))
    for clip in clips { add(CatalogueEntry(clip)) }
  }

  /// Answers at once, without the engine.
  func answer(_ need: ClipNeed, _ request: PlaybackRequest, _ unreadable: Set<MediaKey>)
    -> ClipAnswer
  {
    func query(_ reciters: ReciterChoice) -> ResolverQuery {
      ResolverQuery(riwayah: request.riwayah, reciters: reciters, unreadable: unreadable)
    }
    switch need {
    case .ayah(let ayah):
      return .ayah(best(of: ayah, query(request.reciters)).map { .found($0) } ?? .missing)
    case .basmalah(_, let clip):
      let first = best(of: .first, query(.inOrder([clip.reciter])))
      return .basmalah(first.map { .found($0.audio) } ?? .missing)
    }
  }
}

/// Plays a conductor on a renderer by hand, with answers from a catalogue.
struct Performance {
  var conductor: PlaybackConductor
  var renderer = RendererModel()
  var catalogue: CatalogueResolver
  private(set) var notices: [PlaybackNotice] = []
  /// Searches that were not answered yet.
  private(set) var searches: [(ClipNeed, PlaybackConductor.ClipSearchKey)] = []
  /// Whether searches are answered at once.
  var answersAtOnce = true
  private(set) var states: [PlaybackState] = []

  init(_ catalogue: CatalogueResolver, _ settings: PlaybackSettings = PlaybackSettings()) {
    self.catalogue = catalogue
    conductor = PlaybackConductor(settings)
  }

  init(_ clips: [AyahClip], _ settings: PlaybackSettings = PlaybackSettings()) {
    self.init(CatalogueResolver(clips), settings)
  }

  var state: PlaybackState { conductor.status.state }

  /// Does something to the conductor and carries out what follows from it.
  @discardableResult
  mutating func act<Answer>(_ body: (inout PlaybackConductor) -> Answer) -> Answer {
    let answer = body(&conductor)
    settle()
    return answer
  }

  mutating func play(_ request: PlaybackRequest) { act { $0.play(request) } }

  /// Lets frames be heard, one stretch between two events after another.
  mutating func hear(_ frames: Int64) {
    renderer.step(frames)
    settle()
  }

  /// Lets all be heard that comes.
  mutating func hearToTheEnd(atMost frames: Int64 = 1_000_000) {
    var left = frames
    while left > 0, state.activity != nil, renderer.isRunning {
      let step = min(left, 7)
      hear(step)
      left -= step
    }
  }

  mutating func change(_ body: (inout RendererModel) -> Void) {
    body(&renderer)
    settle()
  }

  /// - Parameter answer: nil for that of the catalogue.
  mutating func answerSearch(with answer: ClipAnswer? = nil) {
    guard !searches.isEmpty else { return }
    let (need, key) = searches.removeFirst()
    let answer = answer ?? catalogue.answer(need, key.request, key.unreadable)
    act { $0.found(answer, ticket: key.ticket) }
  }

  private mutating func settle() {
    var isSettled = false
    while !isSettled {
      isSettled = true
      for effect in conductor.takeEffects() {
        isSettled = false
        switch effect {
        case .send(let command): renderer.send(command)
        case .notify(let notice): notices.append(notice)
        case .search(let need, let key), .lookAgain(let need, let key):
          if answersAtOnce {
            let answer = catalogue.answer(need, key.request, key.unreadable)
            conductor.found(answer, ticket: key.ticket)
          } else {
            searches.append((need, key))
          }
        }
      }
      for event in renderer.takeEvents() {
        isSettled = false
        conductor.handle(event)
        note()
      }
      note()
    }
  }

  private mutating func note() { if states.last != state { states.append(state) } }
}
