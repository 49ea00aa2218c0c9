// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// The shape of a gain that rises from 0 to 1; one that falls is the same shape backwards.
///
/// With x the part of the fade that has passed, 0...1.
public enum FadeCurve: String, CaseIterable, Hashable, Sendable {
  /// x: two related signals cross at constant amplitude.
  case linear
  /// sin(pi x / 2): two unrelated signals cross at constant power.
  case equalPower
  /// log10(1 + 9x): rises at once, arrives slowly.
  case logarithmic
  /// (10^x - 1) / 9, the inverse of the logarithmic one: holds back, arrives at once.
  case exponential
  /// 3x^2 - 2x^3: level at both ends.
  case sCurve

  /// The gain of the incoming sound, clamped to 0...1 outside the fade.
  public func rising(_ x: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    return switch self {
    case .linear: x
    case .equalPower: sin(x * .pi / 2)
    case .logarithmic: log10(1 + 9 * x)
    case .exponential: (pow(10, x) - 1) / 9
    case .sCurve: x * x * (3 - 2 * x)
    }
  }

  /// The gain of the outgoing sound.
  public func falling(_ x: Double) -> Double { rising(1 - x) }
}

/// A fade of so many frames: frame k of it, counted from 0, has the gain at x = k / length, so that a
/// rise begins with silence and a fall with full level.
public struct Fade: Hashable, Sendable {
  /// Frames at the session's rate; 0 for no fade.
  public var length: FrameCount
  public var curve: FadeCurve

  public static let none = Fade(.zero, .linear)

  public init(_ length: FrameCount, _ curve: FadeCurve) {
    self.length = length
    self.curve = curve
  }

  func rising(_ frame: Int) -> Float {
    length <= .zero ? 1 : Float(curve.rising(Double(frame) / Double(length.frames)))
  }

  func falling(_ frame: Int) -> Float {
    length <= .zero ? 0 : Float(curve.falling(Double(frame) / Double(length.frames)))
  }
}
