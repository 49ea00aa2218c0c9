// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
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

  @Test(arguments: [ColorDepth.eight, .sixteen])
  func textInASelectionIsWhiteWithFewColours(depth: ColorDepth) {
    let standard = theme.resolve(Style(.standard, on: .role(.selection)), depth: depth)
    for role in [Role.dim, .accent, .confirmed, .suggested, .unsure, .unassigned, .unused, .error] {
      #expect(theme.resolve(Style(role).on(.selection), depth: depth) == standard)
    }
  }

  /// By the contrast of the guidelines for the web (WCAG 2.1, 1.4.3).
  @Test func textInASelectionCanBeRead() {
    func luminance(_ color: ResolvedColor?) throws -> Double {
      guard case .number(let number) = try #require(color) else { throw CancellationError() }
      let parts = Theme.rgb(number)
      let linear = [parts.0, parts.1, parts.2].map { part in
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    for role in Role.allCases where theme[role].selected != nil {
      let style = theme.resolve(Style(role).on(.selection), depth: .palette)
      let contrast =
        try? (luminance(style.foreground) + 0.05) / (luminance(style.background) + 0.05)
      #expect(contrast ?? 0 >= 4.5, "\(role)")
    }
  }

  @Test func withEightColoursNothingIsDrawnInBoldBlack() {
    for role in Role.allCases where ![.cursorLine, .bar].contains(role) {
      #expect(theme.resolve(Style(role), depth: .eight).foreground != 0)
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
