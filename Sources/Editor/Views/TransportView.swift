// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension Screen {
  /// Whether it plays, where, how fast and how loud, and what is switched on.
  func drawTransport(on surface: inout Surface, in rect: Rect) {
    let transport = state.transport
    var line = StyledText(" ")
    switch transport.phase {
    case .playing: line.append("▶ playing ", Style(.playhead).bold)
    case .paused:
      switch transport.wait {
      case .goesOn: line.append("‖ waiting for the device  ", Style(.warning).bold)
      case .staysPaused: line.append("‖ paused, no device  ", Style(.warning).bold)
      case nil: line.append("‖ paused  ", Style(.playhead))
      }
    case .stopped: line.append("■ stopped ", Style(.dim))
    }
    line.append(TerminalText(Clock.text(transport.position, state.rate)), Style.plain.bold)
    line.append(" / " + TerminalText(Clock.text(state.end, state.rate)))
    if state.growth > .zero {
      let seconds = FramePosition.zero + state.growth
      line.append(" +\(Clock.text(seconds, state.rate, decimals: 0))", Style(.accent))
    }
    // What there is no room for is left out whole.
    func add(_ text: TerminalText, _ style: Style) {
      if line.width + text.width < rect.size.columns { line.append(text, style) }
    }
    add("  \(Self.times(transport.speed))", Style(transport.speed == 1 ? .dim : .accent))
    if transport.fault == nil {
      add("  vol \(Int((state.settings.volume * 100).rounded()))%", Style(.dim))
    } else {
      add("  no sound", Style(.warning).bold)
    }
    if transport.gain != 0 {
      let sign = transport.gain > 0 ? "+" : ""
      add("  gain \(sign)\(Int(transport.gain)) dB", Style(.accent))
    }
    if transport.limited > 0 { add("  limited \(transport.limited) dB", Style(.warning)) }
    if transport.isLooping, transport.phase != .stopped { add("  loop", Style(.accent)) }
    if state.settings.equaliser.isOn { add("  eq", Style(.accent)) }
    let snap = TerminalText("  snap \(state.settings.snaps ? "on" : "off")")
    add(snap, Style(state.settings.snaps ? .dim : .warning))
    if !state.settings.follows { add("  no follow", Style(.dim)) }
    switch state.facts.suggestedBy {
    case .detected: add("  found by pauses", Style(.dim))
    case .aligned:
      let isDoubtful = state.judgement.doubt != nil
      add(isDoubtful ? "  aligned, doubtful" : "  aligned", Style(isDoubtful ? .warning : .dim))
    case .person, nil: break
    }
    surface.within(rect) { surface in
      _ = surface.write(line.truncated(to: surface.size.columns - 1), at: .zero)
    }
  }

  private static func times(_ speed: Double) -> TerminalText {
    let hundredths = Int((speed * 100).rounded())
    if hundredths % 100 == 0 { return "\(hundredths / 100)x" }
    let places = hundredths % 10 == 0 ? 1 : 2
    return TerminalText(Clock.decimal(speed, places: places) + "x")
  }
}
