// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Playback

@Suite struct EffectsTests {
  @Test(arguments: FadeCurve.allCases)
  func curvesRiseFromSilenceToFullLevel(_ curve: FadeCurve) {
    #expect(curve.rising(0) == 0 && curve.rising(1) == 1)
    #expect(curve.rising(-1) == 0 && curve.rising(2) == 1)
    let values = (0...100).map { curve.rising(Double($0) / 100) }
    #expect(zip(values, values.dropFirst()).allSatisfy { pair in pair.0 < pair.1 })
    #expect(
      (0...100).allSatisfy { abs(curve.falling(Double($0) / 100) - values[100 - $0]) < 1e-12 })
  }

  @Test func curvesHaveTheShapesTheyAreNamedFor() {
    #expect(FadeCurve.linear.rising(0.3) == 0.3)
    for x in stride(from: 0.05, to: 1, by: 0.05) {
      let power = pow(FadeCurve.equalPower.rising(x), 2) + pow(FadeCurve.equalPower.falling(x), 2)
      #expect(abs(power - 1) < 1e-12)
      #expect(abs(FadeCurve.exponential.rising(FadeCurve.logarithmic.rising(x)) - x) < 1e-12)
      #expect(abs(FadeCurve.sCurve.rising(x) + FadeCurve.sCurve.falling(x) - 1) < 1e-12)
    }
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func theResponseIsTheCookbooks(_ hertz: Int) {
    let rate = rate(hertz)
    let equaliser = Equaliser(bands: [1, 0, 0.75, 0.25, 1, 0.9], preamp: 0.6)
    #expect(abs(equaliser.preampDecibels - 3) < 1e-9)
    for frequency in [20.0, 60, 100, 150, 300, 400, 700, 1000, 2000, 2400, 5000, 15_000, 19_000] {
      var expected = 3.0
      for band in 0..<6 {
        expected += cookbookDecibels(
          band: band, gain: equaliser.decibels(ofBand: band), at: frequency, rate: Double(hertz))
      }
      let measured = measuredDecibels(equaliser, at: frequency, rate: hertz)
      #expect(abs(measured - expected) < 0.01)
      #expect(abs(equaliser.gainDecibels(at: frequency, rate: rate) - expected) < 1e-6)
    }
  }

  /// The cookbook's transfer functions as printed there, in the s-plane, through the bilinear transform.
  private func cookbookDecibels(
    band: Int, gain: Double, at frequency: Double, rate: Double
  ) -> Double {
    let a = pow(10, gain / 40)
    let centre = Equaliser.frequencies[band]
    let omega = 2 * Double.pi * centre / rate
    // s on the unit circle of frequency, in units of the centre.
    let s = tan(.pi * frequency / rate) / tan(omega / 2)
    func magnitude(_ real: Double, _ imaginary: Double) -> Double {
      (real * real + imaginary * imaginary).squareRoot()
    }
    let ratio: Double
    switch band {
    case 0:
      // A (s^2 + sqrt(A)/Q s + A) / (A s^2 + sqrt(A)/Q s + 1), 1/Q = sqrt(2) at slope 1.
      let middle = a.squareRoot() * 2.0.squareRoot() * s
      ratio = a * magnitude(a - s * s, middle) / magnitude(1 - a * s * s, middle)
    case 5:
      let middle = a.squareRoot() * 2.0.squareRoot() * s
      ratio = a * magnitude(1 - a * s * s, middle) / magnitude(a - s * s, middle)
    default:
      // (s^2 + s A/Q + 1) / (s^2 + s/(A Q) + 1), 1/Q = 2 sinh(ln(2)/2 BW w0/sin(w0)).
      let inverseQ = 2 * sinh(log(2) / 2 * 0.5 * omega / sin(omega))
      ratio = magnitude(1 - s * s, s * a * inverseQ) / magnitude(1 - s * s, s * inverseQ / a)
    }
    return 20 * log10(ratio)
  }

  /// The gain of a sine that went through the stage that plays.
  private func measuredDecibels(_ equaliser: Equaliser, at frequency: Double, rate hertz: Int)
    -> Double
  {
    var stage = EqualiserStage(channels: 1, rate: hertz)
    var parameters = OutputParameters(equaliser, volume: 1, rate: rate(hertz))
    stage.set(&parameters, atOnce: true)
    let step = 2 * Double.pi * frequency / Double(hertz)
    var samples = (0..<(2 * hertz)).map { Float(0.1 * sin(step * Double($0))) }
    samples.withUnsafeMutableBufferPointer {
      stage.process($0.baseAddress!, frames: $0.count)
    }
    // The second second, when the filters have settled, against sine and cosine.
    var real = 0.0
    var imaginary = 0.0
    for index in hertz..<(2 * hertz) {
      real += Double(samples[index]) * cos(step * Double(index))
      imaginary += Double(samples[index]) * sin(step * Double(index))
    }
    let amplitude = (real * real + imaginary * imaginary).squareRoot() * 2 / Double(hertz)
    return 20 * log10(amplitude / 0.1)
  }

  @Test func aBandAbove045OfTheRateDoesNothing() {
    let treble = Equaliser(bands: [0.5, 0.5, 0.5, 0.5, 0.5, 1])
    #expect(treble.filters(at: rate(32_000))[5] == .identity)
    #expect(treble.filters(at: rate(44_100))[5] != .identity)
  }

  @Test func flatSettingsLeaveEverySampleAsItIs() {
    var stage = EqualiserStage(channels: 2, rate: 48_000)
    var random = SplitMix64(state: 1)
    let samples = (0..<9600).map { _ in Float.random(in: -1...1, using: &random) }
    var changed = OutputParameters(Equaliser(bands: [1, 1, 1]), volume: 0.5, rate: rate(48_000))
    var flat = OutputParameters(.flat, volume: 1, rate: rate(48_000))
    var processed = samples
    processed.withUnsafeMutableBufferPointer {
      stage.process($0.baseAddress!, frames: 1000)
      stage.set(&changed, atOnce: false)
      stage.process($0.baseAddress! + 2000, frames: 1000)
      stage.set(&flat, atOnce: false)
      stage.process($0.baseAddress! + 4000, frames: 2800)
    }
    #expect(processed[..<2000] == samples[..<2000])
    #expect(processed[2000..<4000] != samples[2000..<4000])
    // 20 ms after the change back.
    #expect(processed[5922...] == samples[5922...])
  }

  @Test func changesAreSmoothAndTheSizeOfBlocksMakesNoDifference() {
    var results: [[Float]] = []
    for block in [1, 7, 4096] {
      var stage = EqualiserStage(channels: 1, rate: 48_000)
      var samples = (0..<9600).map { (frame: Int) -> Float in
        let phase: Double = 2 * .pi * 200 * Double(frame) / 48_000
        return Float(0.1 * sin(phase))
      }
      var full = OutputParameters(
        Equaliser(bands: [1, 1, 1, 1, 1, 1], preamp: 1), volume: 1, rate: rate(48_000))
      samples.withUnsafeMutableBufferPointer {
        stage.set(&full, atOnce: false)
        for start in stride(from: 0, to: 9600, by: block) {
          stage.process($0.baseAddress! + start, frames: min(block, 9600 - start))
        }
      }
      results.append(samples)
    }
    #expect(results[0] == results[1] && results[1] == results[2])
    // A sine of 200 Hz has no steps but its own, however loud it has become.
    let steps = zip(results[0], results[0].dropFirst()).map { pair in abs(pair.0 - pair.1) }
    let loudest = results[0].map(abs).max()!
    let steepest: Double = 1.2 * 2 * .pi * 200 / 48_000
    #expect(steps.max()! < loudest * Float(steepest))
  }

  @Test func theBoostTellsWhatHeadroomIsMissing() {
    #expect(Equaliser.flat.boostDecibels(at: rate(48_000)) == 0)
    #expect(Equaliser(bands: [0, 0]).boostDecibels(at: rate(48_000)) < 0.01)
    #expect(abs(Equaliser(preamp: 1).boostDecibels(at: rate(48_000)) - 15) < 1e-9)
    let treble = Equaliser(bands: [0.5, 0.5, 0.5, 1], preamp: 0.5).boostDecibels(at: rate(48_000))
    #expect(abs(treble - 12) < 0.05)
  }

  @Test func slidersAreClampedAndMissingBandsFlat() {
    let equaliser = Equaliser(bands: [2, -1, .nan], preamp: 7)
    #expect(equaliser.bands == [1, 0, 0.5, 0.5, 0.5, 0.5] && equaliser.preamp == 1)
  }

  @Test func clippingIsCountedAndHeadroomTold() throws {
    let recordings = try Recordings()
    let source = try recordings.make(frames: 4800) { _, _ in 0.5 }
    let stage = try Stage()
    stage.session.equaliser = Equaliser(preamp: 0.7)
    _ = stage.play([item(source, 0..<4800)], frames: 4800)
    let level = stage.session.takeLevel()
    #expect(abs(level.headroomDecibels - 0.0206) < 0.001 && level.clippedSamples == 0)
    // What is too loud as it is in the file is limited too.
    let loud = try recordings.make(frames: 4800) { _, _ in 1.2 }
    let plain = try Stage()
    _ = plain.play([item(loud, 0..<4800)], frames: 4800)
    let limited = plain.session.takeLevel()
    #expect(limited.clippedSamples == 0 && abs(limited.limitedDecibels - 1.584) < 0.001)
  }

  @Test func volumeIsHeardAtOnceAndWithoutAStep() throws {
    let recordings = try Recordings()
    let source = try recordings.make(frames: 48_000) { _, _ in 1 }
    let stage = try Stage()
    stage.session.append([item(source, 0..<48_000)])
    stage.session.play()
    stage.output.advance(5000)
    stage.session.volume = 0.25
    stage.output.advance(5000)
    let heard = stage.output.played
    #expect(heard[4999] == 1 && heard[9999] == 0.25)
    // A full device, and 20 ms.
    #expect(heard[5000 + 256 + 960 + 64] == 0.25)
    let steps = zip(heard, heard.dropFirst()).map { pair in abs(pair.0 - pair.1) }
    #expect(steps.max()! <= 0.75 / 59)
  }
}
