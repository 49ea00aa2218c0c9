// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
public import TerminalUI

/// How it sounds; remembered from one time to the next.
public struct Settings: Hashable, Sendable {
  /// 1 is the recordings' own.
  public var speed = 1.0
  /// An amplitude, 0...1.
  public var volume = 1.0
  /// Decibels, heard whether the equaliser is on or not.
  public var gain = 0.0
  public var hasEqualiser = false
  /// Sliders of 0...1.
  public var bands = [Double](repeating: 0.5, count: Equaliser.bandCount)
  public var preamp = 0.5
  public var crossfadeMilliseconds = 0
  public static let longestCrossfadeMilliseconds = 5000
  public var crossfadeCurve = FadeCurve.equalPower
  public var fadeInMilliseconds = 5
  public var fadeOutMilliseconds = 150
  /// Of a video; small is beside the words, large in place of them and the queue.
  public var pictureSize = PictureSize.off
  public var pictureAspect = AspectMode.fit

  public init() {}

  /// Takes over what differs between two others.
  public mutating func take(changesFrom old: Settings, to new: Settings) {
    func take<Value: Equatable>(_ path: WritableKeyPath<Settings, Value>) {
      if new[keyPath: path] != old[keyPath: path] { self[keyPath: path] = new[keyPath: path] }
    }
    take(\.speed)
    take(\.volume)
    take(\.gain)
    take(\.hasEqualiser)
    take(\.bands)
    take(\.preamp)
    take(\.crossfadeMilliseconds)
    take(\.crossfadeCurve)
    take(\.fadeInMilliseconds)
    take(\.fadeOutMilliseconds)
    take(\.pictureSize)
    take(\.pictureAspect)
  }

  /// By three decibels.
  public mutating func changeGain(up: Bool) {
    gain = min(max(gain + (up ? 3 : -3), Self.gains.lowerBound), Self.gains.upperBound)
  }

  static let gains = -15.0...15.0

  /// `gain +3 dB`; nil where there is none.
  public var gainText: String? { Self.gainText(gain) }

  /// `gain +3 dB`, `gain -1.5 dB`; nil for none.
  public static func gainText(_ decibels: Double) -> String? {
    let tenths = Int((decibels * 10).rounded())
    guard tenths != 0 else { return nil }
    let (whole, tenth) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return "gain \(tenths > 0 ? "+" : "-")\(whole)\(tenth == 0 ? "" : ".\(tenth)") dB"
  }

  /// What the sound goes through: the sliders where they are on, and the gain.
  public var equaliser: Equaliser {
    hasEqualiser
      ? Equaliser(bands: bands, preamp: preamp, gain: gain) : Equaliser(gain: gain)
  }

  /// The next of the speeds that two keys lead through.
  public static func speed(after speed: Double, faster: Bool) -> Double {
    let step = 0.05
    // What is nearly a step counts as one.
    let place = (speed / step * 1000).rounded() / 1000
    let next = faster ? place.rounded(.down) + 1 : place.rounded(.up) - 1
    return (min(max(next * step, 0.25), 3) * 100).rounded() / 100
  }
}

extension Settings: Codable {
  private enum Key: String, CodingKey {
    case speed, volume, gain, equaliser, bands, preamp, crossfade, curve, fadeIn, fadeOut
    case picture, aspect
  }

  /// What is not there, or out of range, is as usual.
  public init(from decoder: any Decoder) throws {
    self.init()
    let content = try decoder.container(keyedBy: Key.self)
    func number(_ key: Key, _ usual: Double, in range: ClosedRange<Double>) -> Double {
      let value = (try? content.decode(Double.self, forKey: key)) ?? usual
      return value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : usual
    }
    func milliseconds(_ key: Key, _ usual: Int) -> Int {
      Int(number(key, Double(usual), in: 0...10_000).rounded())
    }
    speed = number(.speed, 1, in: 0.25...3)
    volume = number(.volume, 1, in: 0...1)
    gain = number(.gain, 0, in: Self.gains)
    hasEqualiser = (try? content.decode(Bool.self, forKey: .equaliser)) ?? false
    if let bands = try? content.decode([Double].self, forKey: .bands),
      bands.count == Equaliser.bandCount, bands.allSatisfy({ (0...1).contains($0) })
    {
      self.bands = bands
    }
    preamp = number(.preamp, 0.5, in: 0...1)
    crossfadeMilliseconds = milliseconds(.crossfade, crossfadeMilliseconds)
    if let name = try? content.decode(String.self, forKey: .curve) {
      crossfadeCurve = FadeCurve(rawValue: name) ?? crossfadeCurve
    }
    fadeInMilliseconds = milliseconds(.fadeIn, fadeInMilliseconds)
    fadeOutMilliseconds = milliseconds(.fadeOut, fadeOutMilliseconds)
    pictureSize = (try? content.decode(PictureSize.self, forKey: .picture)) ?? pictureSize
    pictureAspect = (try? content.decode(AspectMode.self, forKey: .aspect)) ?? pictureAspect
  }

  public func encode(to encoder: any Encoder) throws {
    var content = encoder.container(keyedBy: Key.self)
    try content.encode(speed, forKey: .speed)
    try content.encode(volume, forKey: .volume)
    try content.encode(gain, forKey: .gain)
    try content.encode(hasEqualiser, forKey: .equaliser)
    try content.encode(bands, forKey: .bands)
    try content.encode(preamp, forKey: .preamp)
    try content.encode(crossfadeMilliseconds, forKey: .crossfade)
    try content.encode(crossfadeCurve.rawValue, forKey: .curve)
    try content.encode(fadeInMilliseconds, forKey: .fadeIn)
    try content.encode(fadeOutMilliseconds, forKey: .fadeOut)
    try content.encode(pictureSize, forKey: .picture)
    try content.encode(pictureAspect, forKey: .aspect)
  }
}
