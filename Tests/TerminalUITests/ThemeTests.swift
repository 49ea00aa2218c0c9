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

  @Test(arguments: [ColorDepth.eight, .sixteen, .palette, .direct])
  func whatIsDimStressedOrConfirmedIsReadInASelection(depth: ColorDepth) {
    let theme = Theme.standard
    let standard = theme.resolve(Style(.standard, on: .role(.selection)), depth: depth)
    for role in [Role.dim, .accent, .confirmed] {
      #expect(theme.resolve(Style(role).on(.selection), depth: depth) == standard)
    }
    #expect(theme.resolve(Style(.suggested).on(.selection), depth: depth) != standard)
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
    for depth in [ColorDepth.mono, .eight, .sixteen, .palette] {
      let limits: [ColorDepth: Int] = [.mono: 0, .eight: 8, .sixteen: 16, .palette: 256]
      for number in UInt8.min...UInt8.max {
        for color in [Color.palette(number), .ansi(number), .rgb(number, 255 - number, 99)] {
          let resolved = theme.resolve(Style(color, on: color), depth: depth)
          for part in [resolved.foreground, resolved.background].compactMap(\.self) {
            guard case .number(let told) = part else {
              Issue.record("\(part) at \(depth)")
              continue
            }
            #expect(Int(told) < limits[depth] ?? 0)
          }
        }
      }
    }
  }

  @Test func coloursOfPicturesAreTheNearestThereAre() {
    let style = Style(.rgb(250, 4, 3), on: .rgb(100, 101, 99))
    #expect(
      theme.resolve(style, depth: .direct)
        == ResolvedStyle(foreground: .rgb(250, 4, 3), background: .rgb(100, 101, 99)))
    #expect(
      theme.resolve(style, depth: .palette) == ResolvedStyle(foreground: 196, background: 241))
    #expect(theme.resolve(style, depth: .sixteen) == ResolvedStyle(foreground: 9, background: 8))
    #expect(theme.resolve(style, depth: .mono) == .plain)
    #expect(theme.resolve(Style(.confirmed), depth: .direct).foreground == 33)
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
