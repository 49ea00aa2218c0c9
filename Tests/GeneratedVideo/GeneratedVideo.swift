// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import Glibc

/// A video whose frames carry their number as bars of black and white, for tests and measurements.
public struct GeneratedVideo: Sendable {
  /// FFmpeg's names.
  public var container = "mov"
  /// Whether MP4 is written in pieces, as by programs that save a livestream.
  public var isFragmented = false
  public var codec = "mpeg4"
  public var soundCodec: String? = "pcm_s16le"
  public var width = 320
  public var height = 180
  /// What times are counted in.
  public var unitsPerSecond: Int32 = 30_000
  /// Seconds at which each frame appears.
  public var times: [Double]
  public var keyframeEvery = 50
  public var bFrames = 2
  /// Whether frames seen before a keyframe may lean on it (H.264).
  public var opensGroups = false
  public var soundRate = 48_000
  public var soundStart = 0.0
  public var soundSeconds: Double
  /// After so many seconds of sound, so many are missing.
  public var soundGap: (after: Double, seconds: Double)?
  /// Degrees clockwise that a player has to turn it.
  public var rotation = 0
  /// Turns the picture into noise so that it is as hard to decode as a filmed one.
  public var noise = 0
  /// The luma of white bars. The number can be read from 235; less changes the picture less from frame to frame.
  public var white = 235

  /// Frames at even distances.
  public init(frames: Int, rate: Double, start: Double = 0) {
    times = (0..<frames).map { start + Double($0) / rate }
    soundSeconds = Double(frames) / rate
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(description: String) { self.description = description }
  }

  /// Bars in a frame: the bits of its number, the highest at the left.
  public static let bars = 12

  /// The number that a picture shows, in 3 bytes a pixel; nil where a bar is neither black nor white.
  public static func number(in pixels: [UInt8], width: Int, height: Int) -> Int? {
    number { bar in
      let column = (2 * bar + 1) * width / (2 * bars)
      let start = 3 * (height / 2 * width + column)
      guard pixels.indices.contains(start + 2) else { return nil }
      return (Int(pixels[start]) + Int(pixels[start + 1]) + Int(pixels[start + 2])) / 3
    }
  }

  /// The number, from the brightness of the middle of each bar, 0 to 255.
  public static func number(brightness: (Int) -> Int?) -> Int? {
    var number = 0
    for bar in 0..<bars {
      guard let light = brightness(bar), !(100...155).contains(light) else { return nil }
      number = number << 1 | (light > 127 ? 1 : 0)
    }
    return number
  }

  /// Writes the file.
  public func write(to path: String) throws {
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check("format", avformat_alloc_output_context2(&context, nil, container, path))
    guard let context else { throw Failure(description: "no context") }
    defer { avformat_free_context(context) }
    let picture = try Track(codec, in: context, opensGroups: opensGroups) { encoder in
      encoder.pointee.width = Int32(width)
      encoder.pointee.height = Int32(height)
      encoder.pointee.pix_fmt = codec == "mjpeg" ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P
      encoder.pointee.time_base = AVRational(num: 1, den: unitsPerSecond)
      encoder.pointee.gop_size = Int32(keyframeEvery)
      encoder.pointee.max_b_frames = Int32(codec == "mjpeg" ? 0 : bFrames)
      encoder.pointee.bit_rate = Int64(width * height * 12)
      encoder.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    }
    defer { picture.close() }
    if rotation != 0 { try picture.turn(by: rotation) }
    let sound = try soundCodec.map { name in
      try Track(name, in: context) { encoder in
        encoder.pointee.sample_rate = Int32(soundRate)
        encoder.pointee.sample_fmt = name == "aac" ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16
        encoder.pointee.time_base = AVRational(num: 1, den: Int32(soundRate))
        encoder.pointee.bit_rate = 64_000
        av_channel_layout_default(&encoder.pointee.ch_layout, 1)
      }
    }
    defer { sound?.close() }
    try check("open", avio_open(&context.pointee.pb, path, AVIO_FLAG_WRITE))
    defer { avio_closep(&context.pointee.pb) }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if isFragmented { av_dict_set(&options, "movflags", "frag_keyframe+empty_moov", 0) }
    try check("header", avformat_write_header(context, &options))
    var soundDone: Int64 = 0
    let soundEnd = Int64(soundSeconds * Double(soundRate))
    for number in times.indices {
      while let sound, soundDone < soundEnd,
        seconds(ofSound: soundDone) <= times[number]
      {
        soundDone += try sendSound(from: soundDone, to: soundEnd, on: sound, context)
      }
      try sendPicture(number, on: picture, context)
    }
    while let sound, soundDone < soundEnd {
      soundDone += try sendSound(from: soundDone, to: soundEnd, on: sound, context)
    }
    try picture.send(nil, context, lasting: duration)
    try sound?.send(nil, context)
    try check("trailer", av_write_trailer(context))
  }

  private func sendPicture(
    _ number: Int, on track: Track, _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws {
    guard var frame = av_frame_alloc() as UnsafeMutablePointer<AVFrame>? else { return }
    defer { release(&frame) }
    frame.pointee.width = Int32(width)
    frame.pointee.height = Int32(height)
    frame.pointee.format = track.encoder.pointee.pix_fmt.rawValue
    try check("buffer", av_frame_get_buffer(frame, 0))
    frame.pointee.pts = Int64((times[number] * Double(unitsPerSecond)).rounded())
    let stride = Int(frame.pointee.linesize.0)
    let luma = frame.pointee.data.0!
    var random = UInt32(truncatingIfNeeded: number &* 2_654_435_761 | 1)
    for row in 0..<height {
      for column in 0..<width {
        let bit = Self.bars - 1 - column * Self.bars / width
        var light = number >> bit & 1 == 1 ? white - noise : 16
        if noise > 0 {
          random = random &* 1_664_525 &+ 1_013_904_223
          light += Int(random >> 24) * noise / 256
        }
        luma[row * stride + column] = UInt8(light)
      }
    }
    for row in 0..<(height + 1) / 2 {
      memset(frame.pointee.data.1! + row * Int(frame.pointee.linesize.1), 128, (width + 1) / 2)
      memset(frame.pointee.data.2! + row * Int(frame.pointee.linesize.2), 128, (width + 1) / 2)
    }
    try track.send(frame, context, lasting: duration)
  }

  /// Of one frame, for files whose last would else last no time at all and never be shown.
  private var duration: Int64 {
    guard let first = times.first, let last = times.last, times.count > 1 else { return 1 }
    return Int64((last - first) / Double(times.count - 1) * Double(unitsPerSecond))
  }

  /// When a frame of the sound is heard.
  private func seconds(ofSound frame: Int64) -> Double {
    let seconds = Double(frame) / Double(soundRate)
    let gap = soundGap.map { seconds < $0.after ? 0 : $0.seconds } ?? 0
    return soundStart + seconds + gap
  }

  private func sendSound(
    from start: Int64, to end: Int64, on track: Track,
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws -> Int64 {
    guard var frame = av_frame_alloc() as UnsafeMutablePointer<AVFrame>? else { return 0 }
    defer { release(&frame) }
    let usual = track.encoder.pointee.frame_size
    let count = min(usual > 0 ? Int64(usual) : 1024, end - start)
    frame.pointee.nb_samples = Int32(count)
    frame.pointee.format = track.encoder.pointee.sample_fmt.rawValue
    frame.pointee.sample_rate = Int32(soundRate)
    av_channel_layout_default(&frame.pointee.ch_layout, 1)
    try check("buffer", av_frame_get_buffer(frame, 0))
    frame.pointee.pts = Int64(seconds(ofSound: start) * Double(soundRate) + 0.5)
    let bytes = Int(count) * (track.encoder.pointee.sample_fmt == AV_SAMPLE_FMT_FLTP ? 4 : 2)
    memset(frame.pointee.data.0!, 0, bytes)
    // A click in each second, so that there is something to hear.
    if track.encoder.pointee.sample_fmt == AV_SAMPLE_FMT_S16 {
      frame.pointee.data.0!.withMemoryRebound(to: Int16.self, capacity: Int(count)) { samples in
        for offset in 0..<Int(count) where (Int(start) + offset) % soundRate < 480 {
          samples[offset] = offset % 96 < 48 ? 8000 : -8000
        }
      }
    }
    try track.send(frame, context)
    return count
  }

  private func release(_ frame: inout UnsafeMutablePointer<AVFrame>) {
    var done: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&done)
  }
}

private func check(_ call: String, _ result: Int32) throws {
  if result < 0 { throw GeneratedVideo.Failure(description: "\(call): \(result)") }
}

/// One stream of the file with its encoder.
private final class Track {
  let encoder: UnsafeMutablePointer<AVCodecContext>
  private let stream: UnsafeMutablePointer<AVStream>

  init(
    _ name: String, in context: UnsafeMutablePointer<AVFormatContext>,
    opensGroups: Bool = false, _ configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
  ) throws {
    guard let codec = avcodec_find_encoder_by_name(name),
      let encoder = avcodec_alloc_context3(codec) as UnsafeMutablePointer<AVCodecContext>?,
      let stream = avformat_new_stream(context, nil) as UnsafeMutablePointer<AVStream>?
    else { throw GeneratedVideo.Failure(description: "no encoder \(name)") }
    self.encoder = encoder
    self.stream = stream
    encoder.pointee.thread_count = 1
    configure(encoder)
    if context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
      encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if name == "libx264" {
      av_dict_set(&options, "preset", "ultrafast", 0)
      let parameters =
        "scenecut=0:bframes=\(encoder.pointee.max_b_frames):open-gop=\(opensGroups ? 1 : 0)"
      av_dict_set(&options, "x264-params", parameters, 0)
    }
    try check("encoder", avcodec_open2(encoder, codec, &options))
    try check("parameters", avcodec_parameters_from_context(stream.pointee.codecpar, encoder))
    stream.pointee.time_base = encoder.pointee.time_base
  }

  func close() {
    var encoder: UnsafeMutablePointer<AVCodecContext>? = encoder
    avcodec_free_context(&encoder)
  }

  func turn(by degrees: Int) throws {
    let size = 9 * MemoryLayout<Int32>.size
    guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size) else {
      throw GeneratedVideo.Failure(description: "side data")
    }
    data.withMemoryRebound(to: Int32.self, capacity: 9) { matrix in
      // Clockwise, in 16.16 and 2.30 fixed point.
      let (sine, cosine): (Int32, Int32) =
        switch degrees {
        case 90: (1, 0)
        case 180: (0, -1)
        default: (-1, 0)
        }
      let values = [cosine << 16, sine << 16, 0, -sine << 16, cosine << 16, 0, 0, 0, 1 << 30]
      for (place, value) in values.enumerated() { matrix[place] = value }
    }
  }

  func send(
    _ frame: UnsafeMutablePointer<AVFrame>?, _ context: UnsafeMutablePointer<AVFormatContext>,
    lasting duration: Int64 = 0
  ) throws {
    try check("send", avcodec_send_frame(encoder, frame))
    guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else { return }
    defer {
      var done: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&done)
    }
    while avcodec_receive_packet(encoder, packet) >= 0 {
      packet.pointee.stream_index = stream.pointee.index
      if packet.pointee.duration == 0 { packet.pointee.duration = duration }
      av_packet_rescale_ts(packet, encoder.pointee.time_base, stream.pointee.time_base)
      try check("write", av_interleaved_write_frame(context, packet))
    }

  }
}

extension GeneratedVideo {
  /// The number that a picture file shows.
  public static func number(inPNG bytes: [UInt8]) -> (number: Int?, width: Int, height: Int)? {
    guard let codec = avcodec_find_decoder(AV_CODEC_ID_PNG),
      let context = avcodec_alloc_context3(codec) as UnsafeMutablePointer<AVCodecContext>?,
      let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>?,
      let frame = av_frame_alloc() as UnsafeMutablePointer<AVFrame>?
    else { return nil }
    defer {
      var (context, packet, frame) = (Optional(context), Optional(packet), Optional(frame))
      av_frame_free(&frame)
      av_packet_free(&packet)
      avcodec_free_context(&context)
    }
    guard avcodec_open2(context, codec, nil) >= 0,
      av_new_packet(packet, Int32(bytes.count)) >= 0
    else { return nil }
    memcpy(packet.pointee.data, bytes, bytes.count)
    guard avcodec_send_packet(context, packet) >= 0, avcodec_receive_frame(context, frame) >= 0,
      frame.pointee.format == AV_PIX_FMT_RGB24.rawValue, let data = frame.pointee.data.0
    else { return nil }
    let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
    var pixels: [UInt8] = []
    for row in 0..<height {
      pixels += UnsafeBufferPointer(
        start: data + row * Int(frame.pointee.linesize.0), count: 3 * width)
    }
    return (number(in: pixels, width: width, height: height), width, height)
  }
}
