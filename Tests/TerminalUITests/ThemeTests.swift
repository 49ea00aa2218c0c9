// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
  private let theme = Theme.standard

  @Test func suggestedAndConfirmedDifferAtEveryDepth() {
    for depth in [ColorDepth.mono, .eight, .sixteen, .palette] {
      let styles = [Role.suggested, .confirmed, .unused].map {
        theme.resolve(Style($0), depth: depth)
      }
      #expect(Set(styles).count == styles.count)
    }
  }

  @Test func selectionIsSeenAtEveryDepth() {
    for depth in [ColorDepth.mono, .eight, .sixteen, .palette] {
      for role in Role.allCases where role != .selection {
        let plain = theme.resolve(Style(role), depth: depth)
        #expect(theme.resolve(Style(role).on(.selection), depth: depth) != plain)
      }
    }
  }

  @Test func numbersStayWithinTheDepth() {
    for depth in [ColorDepth.mono, .eight, .sixteen] {
      let limit = depth == .mono ? 0 : depth == .eight ? 8 : 16
      for number in UInt8.min...UInt8.max {
        for color in [Color.palette(number), .ansi(number)] {
          let resolved = theme.resolve(Style(color, on: color), depth: depth)
          for part in [resolved.foreground, resolved.background].compactMap(\.self) {
            #expect(part < limit)
          }
        }
      }
    }
  }

  @Test func reversedBeforeAReversedBackgroundIsUpright() {
    let style = Style(.standard, on: .role(.selection))
    #expect(theme.resolve(style, depth: .mono).attributes == .reverse)
    #expect(theme.resolve(style.reversed, depth: .mono).attributes == [])
  }

  @Test func plainTextKeepsItsContrastOnColouredBackgrounds() {
    let style = Style(.standard, on: .role(.selection))
    #expect(theme.resolve(style, depth: .palette).foreground == 255)
    #expect(theme.resolve(style, depth: .eight).attributes == .bold)
    #expect(theme.resolve(.plain, depth: .palette) == .plain)
  }

  @Test func nearestOfTheSixteen() {
    #expect(Theme.nearestOf16(196) == 9)
    #expect(Theme.nearestOf16(21) == 4)
    #expect(Theme.nearestOf16(231) == 15)
    #expect(Theme.nearestOf16(232) == 0)
    #expect(Theme.nearestOf16(244) == 8)
  }

  @Test func rolesCanBeGivenOtherColours() {
    var theme = Theme()
    theme[.confirmed].palette = 99
    #expect(theme.resolve(Style(.confirmed), depth: .palette).foreground == 99)
    #expect(theme.resolve(Style(.suggested), depth: .palette).foreground == 172)
  }
}
