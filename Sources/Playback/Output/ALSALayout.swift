// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import Glibc

/// How a PCM takes samples.
enum ALSAEncoding: CaseIterable {
  case float, int32, int24, int16

  var code: snd_pcm_format_t {
    switch self {
    case .float: SND_PCM_FORMAT_FLOAT
    case .int32: SND_PCM_FORMAT_S32
    case .int24: SND_PCM_FORMAT_S24
    case .int16: SND_PCM_FORMAT_S16
    }
  }

  /// Writes samples, rounded to the nearest and cut off at full scale.
  func encode(_ samples: UnsafePointer<Float>, count: Int, into target: UnsafeMutableRawPointer) {
    switch self {
    case .float: target.copyMemory(from: samples, byteCount: count * 4)
    case .int32, .int24:
      let scale = self == .int32 ? 2_147_483_648.0 : 8_388_608.0
      let words = target.assumingMemoryBound(to: Int32.self)
      for index in 0..<count {
        let value = (Double(samples[index]) * scale).rounded()
        words[index] = Int32(max(-scale, min(scale - 1, value)))
      }
    case .int16:
      let words = target.assumingMemoryBound(to: Int16.self)
      for index in 0..<count {
        let value = (samples[index] * 32768).rounded()
        words[index] = Int16(max(-32768, min(32767, value)))
      }
    }
  }
}

/// What a PCM and a session have agreed on.
struct ALSALayout {
  let format: AudioFormat
  let encoding: ALSAEncoding
  let periodFrames: Int
  let bufferFrames: Int

  static func configure(
    _ pcm: OpaquePointer, name: String, settings: RenderSettings
  ) throws(PlaybackError) -> ALSALayout {
    var memory: OpaquePointer?
    try checked("snd_pcm_hw_params_malloc", name, snd_pcm_hw_params_malloc(&memory))
    guard let hardware = memory else { throw PlaybackError(.noResources, subject: name) }
    defer { snd_pcm_hw_params_free(hardware) }
    try checked("snd_pcm_hw_params_any", name, snd_pcm_hw_params_any(pcm, hardware))
    try checked(
      "snd_pcm_hw_params_set_access", name,
      snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    let encoding = ALSAEncoding.allCases.first {
      snd_pcm_hw_params_test_format(pcm, hardware, $0.code) == 0
    }
    guard let encoding else { throw PlaybackError(.unsupportedFormat, subject: name) }
    try checked(
      "snd_pcm_hw_params_set_format", name,
      snd_pcm_hw_params_set_format(pcm, hardware, encoding.code))
    var channels = UInt32(settings.format.channels)
    try checked(
      "snd_pcm_hw_params_set_channels_near", name,
      snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels))
    var rate = UInt32(settings.format.rate.hertz)
    try checked(
      "snd_pcm_hw_params_set_rate_near", name,
      snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil))
    var period = snd_pcm_uframes_t(max(1, settings.period * Double(rate)))
    try checked(
      "snd_pcm_hw_params_set_period_size_near", name,
      snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
    var buffer = period * snd_pcm_uframes_t(max(2, settings.periods))
    try checked(
      "snd_pcm_hw_params_set_buffer_size_near", name,
      snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
    try checked("snd_pcm_hw_params", name, snd_pcm_hw_params(pcm, hardware))
    try configureSoftware(pcm, name: name, period: period, buffer: buffer)
    guard let sampleRate = SampleRate(hertz: Int(rate)),
      let format = AudioFormat(rate: sampleRate, channels: Int(channels))
    else { throw PlaybackError(.unsupportedFormat, subject: name) }
    return ALSALayout(
      format: format, encoding: encoding, periodFrames: Int(period), bufferFrames: Int(buffer))
  }

  private static func configureSoftware(
    _ pcm: OpaquePointer, name: String, period: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
  ) throws(PlaybackError) {
    var memory: OpaquePointer?
    try checked("snd_pcm_sw_params_malloc", name, snd_pcm_sw_params_malloc(&memory))
    guard let software = memory else { throw PlaybackError(.noResources, subject: name) }
    defer { snd_pcm_sw_params_free(software) }
    try checked("snd_pcm_sw_params_current", name, snd_pcm_sw_params_current(pcm, software))
    // It starts when it is told to, and wakes when there is room for a period.
    var boundary: snd_pcm_uframes_t = 0
    try checked(
      "snd_pcm_sw_params_get_boundary", name, snd_pcm_sw_params_get_boundary(software, &boundary))
    try checked(
      "snd_pcm_sw_params_set_start_threshold", name,
      snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
    try checked(
      "snd_pcm_sw_params_set_avail_min", name,
      snd_pcm_sw_params_set_avail_min(pcm, software, period))
    try checked("snd_pcm_sw_params", name, snd_pcm_sw_params(pcm, software))
  }
}

/// The one place through which alsa-lib's return codes pass while a PCM is opened.
@discardableResult
func checked(
  _ call: String, _ name: String, _ result: Int32
) throws(PlaybackError) -> Int32 {
  guard result < 0 else { return result }
  let kind: PlaybackError.Kind =
    switch (call, -result) {
    case (_, EBUSY), (_, EAGAIN): .deviceBusy
    case (_, EACCES), (_, EPERM): .deviceNotPermitted
    case (_, ENOMEM): .noResources
    case ("snd_pcm_open", ENOENT), ("snd_pcm_open", ENXIO), ("snd_pcm_open", ENODEV),
      ("snd_pcm_open", EINVAL):
      .noSuchDevice
    case ("snd_pcm_open", _): .deviceFailed
    case (_, EINVAL): .unsupportedFormat
    default: .deviceFailed
    }
  throw PlaybackError(
    kind, subject: name, call: call, code: -result,
    detail: ALSAMessages.last ?? String(cString: snd_strerror(result)))
}
