// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import Encoding
import Glibc

/// An open ALSA capture device.
final class ALSACapture: CaptureInput {
  let format: AudioFormat
  var depth: SampleDepth { sampleFormat.depth }

  private let call: ALSACall
  private let pcm: OpaquePointer
  private let sampleFormat: ALSAFormat
  private var clock: GapClock
  private var raw: [UInt8] = []
  /// When something was last heard, in nanoseconds.
  private var lastHeard: Int64

  /// A device that says nothing for so long is gone: one that is there sends silence.
  private static let patience: Int64 = 5_000_000_000
  /// Microseconds that the device is asked to keep for us, while the disk or the processor is busy.
  private static let bufferTime: UInt32 = 2_000_000
  private static let periodTime: UInt32 = 50_000

  init(_ request: CaptureRequest) throws(CaptureError) {
    ALSACall.silence
    let call = ALSACall(device: request.device)
    var opened: OpaquePointer?
    try call.checked(
      "snd_pcm_open",
      snd_pcm_open(&opened, request.device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)))
    guard let pcm = opened else {
      throw CaptureError(.deviceFailed, device: request.device, call: "snd_pcm_open")
    }
    do throws(CaptureError) {
      (format, sampleFormat) = try Self.negotiate(pcm, request, call)
      try call.checked("snd_pcm_prepare", snd_pcm_prepare(pcm))
      try call.checked("snd_pcm_start", snd_pcm_start(pcm))
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
    self.call = call
    self.pcm = pcm
    let now = Self.now()
    lastHeard = now
    clock = GapClock(rate: format.rate, startedAt: now)
  }

  deinit { snd_pcm_close(pcm) }

  func next(
    into buffer: UnsafeMutableBufferPointer<Int32>
  ) throws(CaptureError) -> CaptureEvent {
    let ready = snd_pcm_wait(pcm, 100)
    if ready < 0 { return try recover(from: ready, "snd_pcm_wait") }
    if ready == 0 { return try quiet() }
    let capacity = buffer.count / format.channels
    let needed = buffer.count * sampleFormat.bytesPerSample
    if raw.count < needed { raw = Array(repeating: 0, count: needed) }
    let got = raw.withUnsafeMutableBytes {
      snd_pcm_readi(pcm, $0.baseAddress, snd_pcm_uframes_t(capacity))
    }
    if got == -Int(EAGAIN) || got == 0 { return try quiet() }
    if got < 0 { return try recover(from: Int32(got), "snd_pcm_readi") }
    lastHeard = Self.now()
    let lost = clock.didRead(at: lastHeard, waiting: Int64(snd_pcm_avail_update(pcm)))
    let samples = UnsafeMutableBufferPointer(rebasing: buffer[..<(got * format.channels)])
    raw.withUnsafeBytes { sampleFormat.unpack($0, into: samples) }
    return .frames(got, lostBefore: lost)
  }

  private func quiet() throws(CaptureError) -> CaptureEvent {
    if Self.now() - lastHeard > Self.patience {
      throw CaptureError(
        .deviceLost, device: call.device, detail: "no data for 5 seconds")
    }
    // A device that is always ready and gives nothing must not keep a processor busy.
    usleep(5_000)
    return .nothing
  }

  /// Starts the device anew after an overrun or a sleep.
  private func recover(from code: Int32, _ name: String) throws(CaptureError) -> CaptureEvent {
    if snd_pcm_state(pcm) == SND_PCM_STATE_DISCONNECTED {
      throw call.failure(name, -ENODEV, as: .deviceLost)
    }
    switch -code {
    case EPIPE: break
    case ESTRPIPE:
      let resumed = snd_pcm_resume(pcm)
      if resumed == -EAGAIN { return try quiet() }
    case EINTR, EAGAIN: return .nothing
    default: throw call.failure(name, code, as: .deviceLost)
    }
    // Some devices recover for ever without a frame.
    _ = try quiet()
    try call.checked("snd_pcm_prepare", as: .deviceLost, snd_pcm_prepare(pcm))
    try call.checked("snd_pcm_start", as: .deviceLost, snd_pcm_start(pcm))
    clock.didRestart(at: Self.now())
    return .nothing
  }

  /// Finds the rate, channel count and sample format nearest to what is asked for.
  private static func negotiate(
    _ pcm: OpaquePointer, _ request: CaptureRequest, _ call: ALSACall
  ) throws(CaptureError) -> (AudioFormat, ALSAFormat) {
    var allocated: OpaquePointer?
    try call.checked("snd_pcm_hw_params_malloc", snd_pcm_hw_params_malloc(&allocated))
    defer { snd_pcm_hw_params_free(allocated) }
    guard let parameters = allocated else {
      throw CaptureError(.deviceFailed, device: request.device, call: "snd_pcm_hw_params_malloc")
    }
    func refuse(_ call: String, _ detail: String) -> CaptureError {
      CaptureError(.noUsableFormat, device: request.device, call: call, detail: detail)
    }
    try call.checked("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, parameters))
    // Without being asked for a rate, the device's own is best.
    try call.checked(
      "snd_pcm_hw_params_set_rate_resample",
      snd_pcm_hw_params_set_rate_resample(pcm, parameters, request.rate == nil ? 0 : 1))
    try call.checked(
      "snd_pcm_hw_params_set_access", as: .noUsableFormat,
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    let sampleFormat = ALSAFormat.preferred(deep: request.wantsDeepSamples).first {
      snd_pcm_hw_params_set_format(pcm, parameters, $0.pcmFormat) == 0
    }
    guard let sampleFormat else {
      throw refuse("snd_pcm_hw_params_set_format", "no 16, 24 or 32-bit samples")
    }
    let counts = request.channels.map { [$0] } ?? [2, 1]
    let count = counts.first {
      snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(clamping: $0)) == 0
    }
    guard let count else {
      throw refuse("snd_pcm_hw_params_set_channels", "not \(counts[0]) channels")
    }
    let rates = request.rate.map { [$0.hertz] } ?? [48_000, 44_100]
    let exact = rates.first {
      snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(clamping: $0), 0) == 0
    }
    var rate = UInt32(clamping: exact ?? rates[0])
    if exact == nil {
      try call.checked(
        "snd_pcm_hw_params_set_rate_near", as: .noUsableFormat,
        snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil))
    }
    var bufferTime = Self.bufferTime
    var periodTime = Self.periodTime
    // What a device makes of these is its own affair.
    snd_pcm_hw_params_set_period_time_near(pcm, parameters, &periodTime, nil)
    snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &bufferTime, nil)
    try call.checked(
      "snd_pcm_hw_params", as: .noUsableFormat, snd_pcm_hw_params(pcm, parameters))
    guard let sampleRate = SampleRate(hertz: Int(rate)), count <= 8,
      let format = AudioFormat(rate: sampleRate, channels: count)
    else { throw refuse("snd_pcm_hw_params", "\(rate) Hz, \(count) channels") }
    return (format, sampleFormat)
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
