// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Testing

@testable import MediaControl

struct RouteFollowerTests {
  private static let headphones = "analog-output-headphones"

  /// One stream on a card with headphones, and a second device beside it.
  private static func plugged() -> SoundRoutes {
    SoundRoutes(
      streams: [7: .init(sink: 1)],
      sinks: [1: .init(name: "card", port: headphones), 2: .init(name: "headset")])
  }

  @Test func pulledHeadphonesInterruptOnceAndAreOverWhenTheyAreBack() {
    var follower = RouteFollower()
    #expect(follower.follow(Self.plugged()) == [])
    var pulled = Self.plugged()
    pulled.sinks[1] = .init(name: "card", port: "speaker", unplugged: [Self.headphones])
    #expect(follower.follow(pulled) == [.interruption(.headphones)])
    #expect(follower.follow(pulled) == [])
    #expect(follower.follow(Self.plugged()) == [.over])
    #expect(follower.follow(Self.plugged()) == [])
  }

  @Test func aDeviceThatGoesAwayInterruptsWhereverTheStreamIsLed() {
    for sink in [UInt32(2), nil] {
      var follower = RouteFollower()
      _ = follower.follow(Self.plugged())
      var gone = Self.plugged()
      gone.sinks[1] = nil
      gone.streams = sink.map { [7: .init(sink: $0)] } ?? [:]
      #expect(follower.follow(gone) == [.interruption(.output)])
      // It comes back under another number.
      gone.sinks[9] = .init(name: "card", port: Self.headphones)
      #expect(follower.follow(gone) == [.over])
    }
  }

  @Test func whatChangesNothingForTheListenerInterruptsNothing() {
    var follower = RouteFollower()
    var routes = Self.plugged()
    _ = follower.follow(routes)
    // A new device, a stream that a person moves to it, and the one that it has left going away.
    routes.sinks[3] = .init(name: "television")
    #expect(follower.follow(routes) == [])
    routes.streams[7]?.sink = 3
    #expect(follower.follow(routes) == [])
    routes.sinks[1] = nil
    #expect(follower.follow(routes) == [])
    // An empty socket that is not played on.
    routes.sinks[2]?.unplugged = ["line"]
    #expect(follower.follow(routes) == [])
    // The end of play.
    routes.streams = [:]
    #expect(follower.follow(routes) == [])
    routes.sinks = [:]
    #expect(follower.follow(routes) == [])
  }

  @Test func mutingByTheServerInterruptsAndABeginningInSilenceDoesNot() {
    var follower = RouteFollower()
    var routes = Self.plugged()
    _ = follower.follow(routes)
    routes.streams[7]?.isMuted = true
    #expect(follower.follow(routes) == [.interruption(.muting)])
    #expect(follower.follow(routes) == [])
    routes.streams[7]?.isMuted = false
    #expect(follower.follow(routes) == [.over])

    var other = RouteFollower()
    routes.streams[7]?.isMuted = true
    #expect(other.follow(routes) == [])
    routes.streams[7]?.isMuted = false
    #expect(other.follow(routes) == [])
  }

  /// A stream that runs dry is replaced by another one, which during a call is silent from its first moment.
  @Test func aCallIsNotMissedWhenItsStreamIsReplaced() {
    var follower = RouteFollower()
    var routes = Self.plugged()
    _ = follower.follow(routes)
    routes.streams = [:]
    #expect(follower.follow(routes) == [])
    routes.streams = [8: .init(sink: 1, isMuted: true)]
    #expect(follower.follow(routes) == [.interruption(.muting)])
    // Who goes on all the same is not interrupted again.
    routes.streams = [9: .init(sink: 1, isMuted: true)]
    #expect(follower.follow(routes) == [])
    routes.streams[9]?.isMuted = false
    #expect(follower.follow(routes) == [.over])
  }

  @Test func whatBeginsDuringACallWaitsForItsEnd() {
    var follower = RouteFollower()
    var routes = Self.plugged()
    routes.streams[7]?.isMuted = true
    routes.hasCall = true
    #expect(follower.follow(routes) == [.interruption(.muting)])
    #expect(follower.follow(routes) == [])
    routes.hasCall = false
    routes.streams[7]?.isMuted = false
    #expect(follower.follow(routes) == [.over])
  }

  @Test func whatIsPulledBeforeAnythingPlaysIsNotLost() {
    var follower = RouteFollower()
    var routes = Self.plugged()
    routes.streams = [:]
    _ = follower.follow(routes)
    routes.sinks[1] = .init(name: "card", port: "speaker", unplugged: [Self.headphones])
    #expect(follower.follow(routes) == [])
  }
}
