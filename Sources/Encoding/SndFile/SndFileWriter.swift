// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
import CSndFile

/// Writes WAV and FLAC with libsndfile. Belongs to one thread.
package final class SndFileWriter {
  package enum Container: Hashable, Sendable {
    case flac
    /// WAV, or RF64 where the sizes in a WAV cannot hold the length.
    case wav(expected: FrameCount)
  }

  private let sink: FileSink
  private let channels: Int
  private var handle: OpaquePointer?
  /// Keeps the callbacks' context alive for as long as libsndfile may call them.
  private let context: Unmanaged<FileSink>

  /// FLAC has no float and at most 8 channels.
  /// - Throws: `.refused` for a rate, channel count or depth that the container does not have.
  package init(
    _ sink: FileSink, container: Container, depth: SampleDepth, format: AudioFormat,
    tags: AudioTags = AudioTags()
  ) throws(EncodingError) {
    self.sink = sink
    channels = format.channels
    var info = SF_INFO()
    info.samplerate = Int32(format.rate.hertz)
    info.channels = Int32(format.channels)
    info.format = Self.type(container, depth, format) | Self.subtype(depth)
    var callbacks = SF_VIRTUAL_IO(
      get_filelen: { Unmanaged<FileSink>.fromOpaque($0!).takeUnretainedValue().size },
      seek: { distance, origin, context in
        Unmanaged<FileSink>.fromOpaque(context!).takeUnretainedValue()
          .seek(by: distance, from: Int32(origin))
      },
      read: { target, count, context in
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
        let sink = Unmanaged<FileSink>.fromOpaque(context!).takeUnretainedValue()
        return sf_count_t(max(0, sink.read(into: buffer)))
      },
      write: { bytes, count, context in
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        let sink = Unmanaged<FileSink>.fromOpaque(context!).takeUnretainedValue()
        return sink.write(buffer) ? count : 0
      },
      tell: { Unmanaged<FileSink>.fromOpaque($0!).takeUnretainedValue().offset })
    context = Unmanaged.passRetained(sink)
    handle = sf_open_virtual(&callbacks, Int32(SFM_WRITE), &info, context.toOpaque())
    guard let handle else {
      context.release()
      if let failure = sink.failure { throw failure }
      let code = sf_error(nil)
      throw EncodingError(
        .refused("\(format.rate), \(format.channels) channels"), file: sink.path,
        call: "sf_open_virtual", code: code, detail: String(cString: sf_error_number(code)))
    }
    // The chunk of peaks holds the time of day, so that no two files were the same.
    sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    for (field, text) in tags.fields {
      try checked("sf_set_string", sf_set_string(handle, field.soundFileString, text))
    }
  }

  deinit {
    if let handle {
      sf_close(handle)
      context.release()
    }
  }

  /// Writes samples left-justified in 32 bits, of which the depth keeps the upper ones.
  package func write(_ samples: UnsafeBufferPointer<Int32>) throws(EncodingError) {
    let frames = sf_count_t(samples.count / channels)
    try checked("sf_writef_int", sf_writef_int(handle, samples.baseAddress, frames), of: frames)
  }

  /// Writes samples within -1...1 to a file of floats, as they are.
  package func write(_ samples: UnsafeBufferPointer<Float>) throws(EncodingError) {
    let frames = sf_count_t(samples.count / channels)
    try checked(
      "sf_writef_float", sf_writef_float(handle, samples.baseAddress, frames), of: frames)
  }

  /// Completes the headers and lets go of the file, which stays open. Does nothing the second time.
  package func finish() throws(EncodingError) {
    guard let handle else { return }
    self.handle = nil
    let code = sf_close(handle)
    context.release()
    try checked("sf_close", code)
  }

  private func checked(
    _ call: String, _ count: sf_count_t, of wanted: sf_count_t
  ) throws(EncodingError) {
    try checked(call, count == wanted ? 0 : max(1, sf_error(handle)))
  }

  private func checked(_ call: String, _ code: Int32) throws(EncodingError) {
    if let failure = sink.failure { throw failure }
    guard code != 0 else { return }
    throw EncodingError(
      .inputOutput, file: sink.path, call: call, code: code,
      detail: String(cString: sf_error_number(code)))
  }

  private static func type(
    _ container: Container, _ depth: SampleDepth, _ format: AudioFormat
  ) -> Int32 {
    switch container {
    case .flac: return Int32(SF_FORMAT_FLAC)
    case .wav(let expected):
      let bytes = expected.frames * Int64(format.channels * depth.bits / 8)
      // A megabyte for headers and tags.
      if bytes > Int64(UInt32.max) - 1 << 20 { return Int32(SF_FORMAT_RF64) }
      return Int32(format.channels > 2 ? SF_FORMAT_WAVEX : SF_FORMAT_WAV)
    }
  }

  private static func subtype(_ depth: SampleDepth) -> Int32 {
    switch depth {
    case .bits16: Int32(SF_FORMAT_PCM_16)
    case .bits24: Int32(SF_FORMAT_PCM_24)
    case .float32: Int32(SF_FORMAT_FLOAT)
    }
  }
}

extension AudioTags.Field {
  fileprivate var soundFileString: Int32 {
    switch self {
    case .title: Int32(SF_STR_TITLE)
    case .artist: Int32(SF_STR_ARTIST)
    case .album: Int32(SF_STR_ALBUM)
    case .genre: Int32(SF_STR_GENRE)
    case .date: Int32(SF_STR_DATE)
    case .track: Int32(SF_STR_TRACKNUMBER)
    case .comment: Int32(SF_STR_COMMENT)
    }
  }
}
