// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import Glibc

/// A PCM of alsa-lib, in non-blocking mode.
///
/// A fault is recognised by the state and by what calls return; what to do about it, and for how long,
/// is the output loop's. After a fault the number of unheard frames comes from `snd_pcm_status`, which
/// still knows it.
final class ALSAOutput: OutputDevice {
  let format: AudioFormat
  let periodFrames: Int
  let bufferFrames: Int
  var isRealTime: Bool { true }

  private let pcm: OpaquePointer
  private let status: OpaquePointer
  private let encoding: ALSAEncoding
  /// Samples as the device wants them, where those are not floats.
  private let encoded: UnsafeMutableRawPointer
  private static let encodedFrames = 1024
  private let descriptors: UnsafeMutablePointer<pollfd>
  private let descriptorCount: Int
  private var isSuspended = false
  /// Times in a row that it held nothing and yet had no room.
  private var contradictions = 0
  private static let contradictionLimit = 3

  /// Opens a PCM by name.
  ///
  /// Throws `.noSuchDevice`, `.deviceBusy`, `.deviceNotPermitted`, `.unsupportedFormat` or
  /// `.deviceFailed`.
  init(name: String, settings: RenderSettings) throws(PlaybackError) {
    ALSAMessages.keepFromTerminal()
    ALSAMessages.forget()
    var opened: OpaquePointer?
    try checked(
      "snd_pcm_open", name,
      snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, tilawa_SND_PCM_NONBLOCK))
    guard let pcm = opened else {
      throw PlaybackError(.deviceFailed, subject: name, call: "snd_pcm_open")
    }
    do throws(PlaybackError) {
      let layout = try ALSALayout.configure(pcm, name: name, settings: settings)
      format = layout.format
      encoding = layout.encoding
      periodFrames = layout.periodFrames
      bufferFrames = layout.bufferFrames
      var status: OpaquePointer?
      try checked("snd_pcm_status_malloc", name, snd_pcm_status_malloc(&status))
      guard let status else { throw PlaybackError(.noResources, subject: name) }
      self.status = status
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
    self.pcm = pcm
    encoded = .allocate(byteCount: Self.encodedFrames * format.channels * 4, alignment: 16)
    descriptorCount = max(0, Int(snd_pcm_poll_descriptors_count(pcm)))
    descriptors = .allocate(capacity: descriptorCount + 1)
    descriptors.initialize(
      repeating: pollfd(fd: -1, events: 0, revents: 0), count: descriptorCount + 1)
  }

  deinit {
    snd_pcm_status_free(status)
    encoded.deallocate()
    descriptors.deallocate()
  }

  func prepare() -> DeviceAnswer {
    if isSuspended {
      // On hardware this ends the suspend; whether it worked or is not supported, prepare follows.
      if snd_pcm_resume(pcm) == -EAGAIN { return .again }
      isSuspended = false
    }
    contradictions = 0
    let result = snd_pcm_prepare(pcm)
    if result == -EAGAIN || result == -EBUSY { return .again }
    return result < 0 ? fault(result) : .frames(0)
  }

  func start() -> DeviceAnswer {
    let result = snd_pcm_start(pcm)
    return result < 0 ? fault(result) : .frames(0)
  }

  func room() -> DeviceAnswer {
    // A suspended plugin still tells how much room it has.
    switch snd_pcm_state(pcm) {
    case SND_PCM_STATE_SUSPENDED: return fault(-ESTRPIPE)
    case SND_PCM_STATE_XRUN: return fault(-EPIPE)
    case SND_PCM_STATE_DISCONNECTED: return fault(-ENODEV)
    default: break
    }
    if contradictions >= Self.contradictionLimit { return fault(-EPIPE) }
    let result = snd_pcm_avail_update(pcm)
    return result < 0 ? fault(Int32(result)) : .frames(min(result, bufferFrames))
  }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> DeviceAnswer {
    var result: snd_pcm_sframes_t
    if encoding == .float {
      result = snd_pcm_writei(pcm, samples, snd_pcm_uframes_t(frames))
    } else {
      let count = min(frames, Self.encodedFrames)
      encoding.encode(samples, count: count * format.channels, into: encoded)
      result = snd_pcm_writei(pcm, encoded, snd_pcm_uframes_t(count))
    }
    if result == -snd_pcm_sframes_t(EAGAIN) { return .frames(0) }
    return result < 0 ? fault(Int32(result)) : .frames(result)
  }

  func unheard() -> DeviceAnswer {
    let state = snd_pcm_state(pcm)
    if state == SND_PCM_STATE_DISCONNECTED { return .fault(.disconnected, ENODEV) }
    // PulseAudio's plugin tells the delay after an underrun as well, and nothing else that is true.
    if state == SND_PCM_STATE_RUNNING || state == SND_PCM_STATE_PREPARED
      || state == SND_PCM_STATE_XRUN
    {
      var delay: snd_pcm_sframes_t = 0
      let result = snd_pcm_delay(pcm, &delay)
      if result == 0 {
        noteContradiction(state, delay)
        return .frames(max(0, delay))
      }
      let isStopped = result == -EPIPE || result == -ESTRPIPE || state == SND_PCM_STATE_XRUN
      if !isStopped { return fault(result) }
    }
    let result = snd_pcm_status(pcm, status)
    if result < 0, result != -EPIPE, result != -ESTRPIPE { return fault(result) }
    if snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING { return .frames(0) }
    // The delay of a stopped device is not defined; what it has not played fills its buffer.
    let filled = bufferFrames - Int(snd_pcm_status_get_avail(status))
    return .frames(min(max(0, filled), bufferFrames))
  }

  /// An underrun that the device does not notice: the count of what PulseAudio's plugin has played goes
  /// round with the buffer, which then is full for ever of what was heard long ago.
  private func noteContradiction(_ state: snd_pcm_state_t, _ delay: snd_pcm_sframes_t) {
    let isContradiction =
      state == SND_PCM_STATE_RUNNING && delay <= 0 && snd_pcm_avail_update(pcm) < bufferFrames / 2
    contradictions = isContradiction ? contradictions + 1 : 0
  }

  func stop() { _ = snd_pcm_drop(pcm) }

  func wait(wake: Int32, forRoom: Bool, milliseconds: Int) {
    descriptors[0] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    var count = 1
    if forRoom, descriptorCount > 0 {
      let got = snd_pcm_poll_descriptors(pcm, descriptors + 1, UInt32(descriptorCount))
      if got > 0 { count += Int(got) }
    }
    let ready = poll(descriptors, nfds_t(count), Int32(milliseconds))
    guard ready > 0, count > 1 else { return }
    // Devices that are plugins keep their clocks going in this call.
    var events: UInt16 = 0
    _ = snd_pcm_poll_descriptors_revents(pcm, descriptors + 1, UInt32(count - 1), &events)
  }

  func close() { snd_pcm_close(pcm) }

  /// What an error number means, in the state that the PCM is in.
  private func fault(_ code: Int32) -> DeviceAnswer {
    switch (code, snd_pcm_state(pcm)) {
    case (-EAGAIN, _): return .again
    case (-ENODEV, _), (-EBADFD, SND_PCM_STATE_DISCONNECTED), (_, SND_PCM_STATE_DISCONNECTED):
      return .fault(.disconnected, -code)
    case (-ESTRPIPE, _), (_, SND_PCM_STATE_SUSPENDED):
      isSuspended = true
      return .fault(.suspended, -code)
    case (-EPIPE, _), (_, SND_PCM_STATE_XRUN): return .fault(.underrun, -code)
    default: return .fault(.failing, -code)
    }
  }
}
