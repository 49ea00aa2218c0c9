// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Video

/// What an mpv is told, without an mpv.
@Suite struct WindowFollowerTests {
  /// As much of an mpv as its commands change, and somebody who listens; time passes by 20 ms.
  private struct Desk {
    var follower = WindowFollower()
    var heard: WindowFollower.Heard? = .init(path: "/a.mp4", seconds: 10)
    var now = Duration.zero
    var commands: [MPVCommand.Kind] = []
    var wishes: [WindowFollower.Wish] = []

    /// mpv's.
    var path: String?
    var time = 0.0
    /// Of the first frame: mpv shows none before it.
    var first = -Double.infinity
    var speed = 1.0
    var isPaused = false
    /// How much faster its clock runs than that of the sound.
    var skew = 0.0
    var seekTime = 0.06
    /// Seconds until it takes a command to seek.
    var slowness = 0.0
    var hasOutput = true
    private var waiting: (seek: MPVCommand, left: Double)?
    private var restartIn: Double?
    private var start = 0.0

    private mutating func tell(_ message: MPVMessage) {
      let (commands, wish) = follower.take(message, heard, at: now)
      if let wish { wishes.append(wish) }
      take(commands)
    }

    private mutating func take(_ commands: [MPVCommand]) {
      for command in commands {
        if case .seek = command.kind, slowness > 0, waiting == nil {
          waiting = (command, slowness)
          continue
        }
        self.commands.append(command.kind)
        var value: MPVMessage.Value?
        var after: [MPVMessage] = []
        switch command.kind {
        case .load(let path, let start):
          self.path = path
          time = max(start, first)
          restartIn = seekTime
        case .unload: path = nil
        case .seek(let place):
          time = max(place, first)
          restartIn = seekTime
          after.append(.seeking)
        case .setPaused(let paused):
          if paused != isPaused { after.append(.paused(paused)) }
          isPaused = paused
        case .setSpeed(let speed): self.speed = speed
        case .askTime: value = .number(time + (isPaused ? 0 : WindowFollower.lead * speed))
        case .askPaused: value = .flag(isPaused)
        case .askOutput:
          tell(.reply(command.number, isSuccess: hasOutput, nil))
          continue
        case .observePaused, .ignoreKey, .toggleFullScreen, .quit: break
        }
        tell(.reply(command.number, isSuccess: true, value))
        for message in after { tell(message) }
      }
    }

    mutating func pass(_ seconds: Double) {
      for _ in 0..<Int((seconds / 0.02).rounded()) {
        now += .milliseconds(20)
        if let heard, heard.isPlaying { self.heard?.seconds += 0.02 * heard.speed }
        waiting?.left -= 0.02
        if let waiting, waiting.left <= 0 {
          take([waiting.seek])
          self.waiting = nil
        }
        if let left = restartIn {
          restartIn = left > 0.02 ? left - 0.02 : nil
          if restartIn == nil { tell(.restarted) }
        } else if !isPaused {
          time += 0.02 * speed * (1 + skew)
        }
        take(follower.look(heard, at: now))
      }
    }

    /// Whether that is told, and once only.
    mutating func fail() -> Bool {
      tell(.failed)
      let isTold = follower.takeFailure()
      return isTold && !follower.takeFailure()
    }

    mutating func press(pause: Bool) {
      isPaused = pause
      tell(.paused(pause))
    }

    /// mpv goes on for a frame and is paused again.
    mutating func step() {
      press(pause: false)
      pass(0.04)
      press(pause: true)
    }

    mutating func press(seek place: Double) {
      time = place
      restartIn = seekTime
      tell(.seeking)
    }

    var drift: Double { time - (heard?.seconds ?? 0) }
    var seeks: Int { commands.count { if case .seek = $0 { true } else { false } } }
  }

  @Test func loadsWhatIsHeardWhereItIsHeard() {
    var desk = Desk()
    desk.pass(3)
    #expect(desk.path == "/a.mp4" && !desk.isPaused)
    #expect(abs(desk.drift) < 0.02, "\(desk.drift)")
    #expect(desk.seeks <= 1)
    desk.heard = .init(path: "/b.mp4", seconds: 100)
    desk.pass(3)
    #expect(desk.path == "/b.mp4" && abs(desk.drift) < 0.02, "\(desk.drift)")
    desk.heard = nil
    desk.pass(0.04)
    #expect(desk.path == nil && desk.commands.last == .unload)
  }

  @Test(arguments: [0.0002, -0.0002, 0.005, -0.005], [0.5, 1, 2])
  func holdsThePictureBySpeed(skew: Double, speed: Double) {
    var desk = Desk()
    desk.heard?.speed = speed
    desk.skew = skew
    desk.pass(5)
    let seeks = desk.seeks
    for _ in 0..<100 {
      desk.pass(0.5)
      #expect(abs(desk.drift) < 0.025, "\(desk.drift)")
      #expect(abs(desk.speed / speed - 1) <= 0.2501)
    }
    #expect(desk.seeks == seeks)
  }

  @Test func seeksBeyondASecond() {
    var desk = Desk()
    desk.pass(2)
    let seeks = desk.seeks
    // Within 0.9 s nothing is sought, and the speed changes by a quarter at most.
    desk.time -= 0.9
    desk.pass(1.6)
    #expect(desk.seeks == seeks && abs(desk.speed - 1.25) < 1e-6)
    desk.time -= 2
    desk.pass(3)
    #expect(desk.seeks > seeks && abs(desk.drift) < 0.02, "\(desk.drift)")
  }

  /// How long a seek takes is not known beforehand.
  @Test func whatASeekIsOffIsTakenInWithinHalfASecond() {
    var desk = Desk()
    desk.pass(2)
    for seekTime in [0.3, 0.2, 0.1, 0.18, 0.08] {
      desk.seekTime = seekTime
      desk.heard?.seconds += 5
      desk.pass(0.02)
      desk.pass(seekTime + 0.5)
      #expect(abs(desk.drift) < 0.04, "\(desk.drift)")
      // Nor does it swing to the other side.
      for _ in 0..<20 {
        desk.pass(0.1)
        #expect(abs(desk.drift) < 0.04, "\(desk.drift)")
      }
    }
  }

  /// mpv goes on at once, the sound when its device has filled up.
  @Test func whatAPauseIsOffIsTakenInWithinHalfASecond() {
    var desk = Desk()
    desk.pass(2)
    desk.heard?.isPlaying = false
    desk.pass(1)
    desk.heard?.isPlaying = true
    desk.pass(0.02)
    desk.heard?.seconds -= 0.04
    desk.pass(0.02)
    desk.time += 0.06
    let seeks = desk.seeks
    desk.pass(0.5)
    #expect(desk.seeks == seeks && abs(desk.drift) < 0.04, "\(desk.drift)")
  }

  @Test func jumpsAndSpeedsAreMirroredAtOnce() {
    var desk = Desk()
    desk.pass(2)
    let seeks = desk.seeks
    desk.heard?.seconds -= 0.4
    desk.pass(0.02)
    #expect(desk.seeks == seeks + 1)
    desk.pass(2)
    #expect(abs(desk.drift) < 0.02)
    desk.heard?.speed = 1.5
    desk.pass(0.02)
    #expect(desk.speed == 1.5)
  }

  @Test func aPauseIsMirroredAndShowsTheFrameThatWasHeard() {
    var desk = Desk()
    desk.pass(2)
    desk.heard?.isPlaying = false
    desk.pass(0.02)
    #expect(desk.isPaused)
    desk.time += 0.3
    desk.pass(2)
    #expect(desk.drift <= 0 && desk.drift > -0.04, "\(desk.drift)")
    let count = desk.seeks
    desk.pass(5)
    #expect(desk.seeks == count)
    desk.heard?.seconds = 50
    desk.pass(1)
    #expect(desk.seeks == count + 1 && desk.isPaused && desk.wishes.isEmpty)
    desk.heard?.isPlaying = true
    desk.pass(2)
    #expect(!desk.isPaused && abs(desk.drift) < 0.03, "\(desk.drift)")
  }

  @Test func pauseAndSeekInTheWindowAreFollowed() {
    var desk = Desk()
    desk.pass(2)
    desk.press(pause: true)
    #expect(desk.wishes == [.pause])
    desk.pass(0.1)
    #expect(desk.isPaused)
    desk.heard?.isPlaying = false
    desk.pass(2)
    desk.press(pause: false)
    desk.pass(0.14)
    #expect(desk.wishes == [.pause, .play])
    desk.heard?.isPlaying = true
    desk.pass(2)
    let place = desk.heard?.seconds ?? 0
    let seeks = desk.seeks
    desk.press(seek: place + 5)
    desk.pass(0.2)
    guard case .seek(let seconds) = desk.wishes.last else {
      Issue.record("\(desk.wishes)")
      return
    }
    #expect(abs(seconds - place - 5) < 0.2)
    desk.heard?.seconds = seconds
    desk.pass(1)
    #expect(desk.seeks == seeks && abs(desk.drift) < 0.1, "\(desk.drift)")
  }

  /// Where a person has paused there, the frame is seen that was heard last, as anywhere else.
  @Test func aPauseInTheWindowShowsTheFrameThatWasHeard() {
    var desk = Desk()
    desk.pass(2)
    desk.time += 0.06
    desk.press(pause: true)
    desk.heard?.isPlaying = false
    desk.pass(2)
    #expect(desk.wishes == [.pause] && desk.drift <= 0.001 && desk.drift > -0.04, "\(desk.drift)")
  }

  /// The keys of mpv that step by a frame: the sound goes there too and is not heard.
  @Test(arguments: [true, false]) func aStepToTheNextFrameIsFollowed(saysThatItGoesOn: Bool) {
    var desk = Desk()
    desk.pass(2)
    desk.heard?.isPlaying = false
    desk.pass(2)
    let seeks = desk.seeks
    for count in 1...3 {
      if saysThatItGoesOn { desk.step() } else { desk.time += 0.04 }
      desk.pass(0.6)
      #expect(desk.wishes.count == count)
      guard case .seek(let seconds) = desk.wishes.last else {
        Issue.record("\(desk.wishes)")
        return
      }
      #expect(abs(seconds - desk.time) < 0.001)
      desk.heard?.seconds = seconds
      desk.pass(1)
      #expect(desk.seeks == seeks && abs(desk.drift) < 0.001 && desk.isPaused)
    }
    desk.heard?.isPlaying = true
    desk.pass(2)
    #expect(!desk.isPaused && abs(desk.drift) < 0.03 && desk.wishes.count == 3)
  }

  /// Faster than the player follows, and back again, which mpv does by a seek.
  @Test func noStepIsTakenBackOrMadeTwice() {
    var desk = Desk()
    desk.pass(2)
    desk.heard?.isPlaying = false
    desk.pass(2)
    let (seeks, start) = (desk.seeks, desk.time)
    func follow(_ desk: inout Desk, from count: Int) {
      guard desk.wishes.count > count, case .seek(let seconds) = desk.wishes.last else { return }
      desk.heard?.seconds = seconds
    }
    for _ in 0..<5 {
      let count = desk.wishes.count
      desk.step()
      desk.pass(0.1)
      follow(&desk, from: count)
    }
    for _ in 0..<10 {
      let count = desk.wishes.count
      desk.pass(0.3)
      follow(&desk, from: count)
    }
    #expect(abs(desk.time - start - 0.2) < 0.001 && abs(desk.drift) < 0.001, "\(desk.drift)")
    let count = desk.wishes.count
    desk.press(seek: desk.time - 0.04)
    desk.pass(1)
    follow(&desk, from: count)
    desk.pass(2)
    #expect(desk.wishes.count == count + 1 && desk.seeks == seeks)
    #expect(abs(desk.time - start - 0.16) < 0.001 && abs(desk.drift) < 0.001, "\(desk.drift)")
  }

  @Test func aPictureThatCannotBeShownIsToldFromAWindowThatCannotBeOpened() {
    var desk = Desk()
    desk.pass(1)
    let isTold = desk.fail()
    #expect(isTold && desk.follower.hasWindow)
    desk.hasOutput = false
    let isToldAgain = desk.fail()
    #expect(!isToldAgain && !desk.follower.hasWindow)
  }

  /// Such as a seek out of the ayah: the picture goes back to what is heard.
  @Test func aWishThatIsNotGrantedIsTakenBack() {
    var desk = Desk()
    desk.pass(2)
    desk.press(seek: 500)
    desk.press(pause: true)
    desk.pass(6)
    #expect(!desk.isPaused && abs(desk.drift) < 0.05, "\(desk.drift)")
  }

  @Test func aSeekThatMPVIsSlowToTakeIsNoPersons() {
    var desk = Desk()
    desk.pass(1)
    desk.slowness = 7
    desk.heard?.seconds = 60
    desk.pass(20)
    #expect(desk.wishes.isEmpty)
    #expect(desk.commands.contains { if case .seek = $0 { true } else { false } })
  }

  @Test func aPictureThatBeginsLateWaitsForItsTime() {
    var desk = Desk()
    desk.first = 13
    desk.heard?.firstSeconds = 13
    desk.pass(2)
    #expect(desk.isPaused && desk.time == 13)
    let seeks = desk.seeks
    desk.pass(2)
    #expect(!desk.isPaused && abs(desk.drift) < 0.03 && desk.seeks == seeks, "\(desk.drift)")
    desk.heard?.seconds = 10
    desk.pass(2)
    #expect(desk.isPaused && desk.time == 13)
    desk.pass(2)
    #expect(!desk.isPaused && abs(desk.drift) < 0.03 && desk.wishes.isEmpty, "\(desk.drift)")
  }

  @Test func aPictureShorterThanTheSoundIsNotSoughtForEver() {
    var desk = Desk()
    desk.pass(2)
    let count = desk.seeks
    for _ in 0..<3000 {
      desk.pass(0.02)
      desk.time = min(desk.time, 11)
    }
    #expect(desk.seeks - count < 12)
    #expect(desk.wishes.isEmpty)
  }
}
