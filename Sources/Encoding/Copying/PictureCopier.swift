// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg
import Decoding
import Video

/// The packets of a recording's picture for a span of its sound, undecoded: from the keyframe before the span to
/// the last that is seen in it.
///
/// Times are given out from the start of the span on; what comes before it is negative. In a file that joins the sound
/// where packets of it are missing, the picture follows the sound: there its frames pass in no time.
final class PictureCopier {
  /// Seconds of the container at which the span begins and ends.
  let start: Double
  let end: Double
  /// What times are given out in.
  let timeBase: AVRational

  private let file: MediaFile
  private var container: FFmpegContainer
  private var stream: UnsafeMutablePointer<AVStream>
  /// What is known of the sound that the picture follows; nil where the file keeps its gaps.
  private let sound: PictureTimes?
  /// Seconds of it before the span.
  private let soundBefore: Double
  /// Units that a unit of the track's is divided into.
  private let fineness: Int64
  /// The start of the span, and how long it is.
  private let origin: Int64
  private let length: Int64
  /// Read, but not given out: those seen after the span, which others in it may lean on.
  private var held: [UnsafeMutablePointer<AVPacket>] = []
  private var ready: [UnsafeMutablePointer<AVPacket>] = []
  /// Read after so long a leap that its time may be wrong, which the next one tells.
  private var leapt: UnsafeMutablePointer<AVPacket>?
  private var lastTime = Int64.min
  private var hasEnded = false

  /// Units in a second, at least, where frames have to pass in no time.
  private static let fineUnits = 90_000

  /// Opens the picture, and goes to the keyframe.
  ///
  /// - Parameter joinsSound: whether the file has no gaps where packets of the sound are missing.
  /// - Throws: `.noPicture`, `.untimedPicture`, `.source`.
  init(
    _ source: MediaSource, _ span: Range<FramePosition>, joinsSound: Bool
  ) throws(EncodingError) {
    let file = source.file.path
    let rate = source.description.format.rate
    soundBefore = span.lowerBound.seconds(at: rate)
    do throws(VideoError) {
      let times = try PictureTimes(source)
      times.approach(span.lowerBound)
      times.approach(span.upperBound)
      start = times.seconds(at: span.lowerBound)
      end = times.seconds(at: span.upperBound)
      sound = joinsSound ? times : nil
    } catch {
      throw EncodingError(.noPicture(error), file: file)
    }
    self.file = source.file
    (container, stream) = try Self.open(source.file)
    let base = stream.pointee.time_base
    let units = Double(base.den) / Double(max(base.num, 1))
    fineness = joinsSound ? max(Int64(Double(Self.fineUnits) / max(units, 1)), 1) : 1
    timeBase = AVRational(num: base.num, den: Int32(clamping: Int64(base.den) * fineness))
    origin = Int64(exactly: (start * units * Double(fineness)).rounded()) ?? 0
    let seconds =
      joinsSound ? (span.upperBound - span.lowerBound).seconds(at: rate) : end - start
    length = Int64(exactly: (seconds * units * Double(fineness)).rounded(.up)) ?? 0
    guard stream.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_NONE else {
      let problem = VideoError(.unsupportedCodec(codec), file: source.file.path)
      throw EncodingError(.noPicture(problem), file: source.file.path)
    }
    try goToKeyframe()
    while !hasBegun, !hasEnded { read() }
    guard !lacksTimes else { throw EncodingError(.untimedPicture, file: source.file.path) }
  }

  private static func open(
    _ file: MediaFile
  ) throws(EncodingError) -> (FFmpegContainer, UnsafeMutablePointer<AVStream>) {
    let container = try EncodingError.reading { () throws(DecodingError) in
      let container = try FFmpegContainer(file)
      try container.findStreams()
      return container
    }
    guard let stream = container.pictureStream else {
      throw EncodingError(.noPicture(VideoError(.noVideo, file: file.path)), file: file.path)
    }
    for other in container.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    return (container, stream)
  }

  deinit { for packet in held + ready + [leapt].compactMap(\.self) { Self.free(packet) } }

  /// Whether a container takes the picture as it is coded; FFmpeg's name of the container.
  func fits(_ format: UnsafePointer<AVOutputFormat>) -> Bool {
    avformat_query_codec(format, stream.pointee.codecpar.pointee.codec_id, FF_COMPLIANCE_NORMAL)
      == 1
  }

  var codec: String { FFmpegContainer.codecName(of: stream) ?? "unknown" }

  /// Says in another container's stream what the picture is.
  func describe(_ target: UnsafeMutablePointer<AVStream>, _ call: FFmpegCall) throws(EncodingError)
  {
    try call.checked(
      "avcodec_parameters_copy",
      avcodec_parameters_copy(target.pointee.codecpar, stream.pointee.codecpar))
    // Containers have numbers of their own for codecs.
    target.pointee.codecpar.pointee.codec_tag = 0
    target.pointee.time_base = timeBase
    target.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
    target.pointee.sample_aspect_ratio = av_guess_sample_aspect_ratio(
      container.context, stream, nil)
    target.pointee.disposition |= AV_DISPOSITION_DEFAULT
    var size = 0
    let turn = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard let turn, size > 0 else { return }
    let room = try call.allocated(
      "av_stream_new_side_data",
      av_stream_new_side_data(target, AV_PKT_DATA_DISPLAYMATRIX, size))
    room.update(from: turn, count: size)
  }

  /// Whether players have to turn it, as the pictures of phones.
  var isTurned: Bool {
    var size = 0
    guard let matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
      size >= 9 * MemoryLayout<Int32>.size
    else { return false }
    // The cosine of the angle and its sine.
    return matrix.withMemoryRebound(to: Int32.self, capacity: 9) { $0[0] < 0 || $0[1] != 0 }
  }

  /// Gives out the packets that are decoded before a time, in seconds from the start of the span; each is the
  /// callee's for the time of the call.
  func give(
    before seconds: Double, _ body: (UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> Void
  ) throws(EncodingError) {
    let limit = seconds * Double(timeBase.den) / Double(max(timeBase.num, 1))
    while true {
      if ready.isEmpty, !hasEnded { read() }
      guard let packet = ready.first else {
        if hasEnded { return }
        continue
      }
      guard Double(packet.pointee.dts) < limit else { return }
      ready.removeFirst()
      defer { Self.free(packet) }
      try body(packet)
    }
  }

  /// Has the frame that is seen at the start of the span appear just there, and not before it. Players that drop
  /// every frame before an edit list's start, as FFmpeg does, would else show all others too early.
  func beginAtStart() {
    while lastTime <= 0, !hasEnded { read() }
    let seen = (ready + held).filter { $0.pointee.pts <= 0 }.max { $0.pointee.pts < $1.pointee.pts }
    seen?.pointee.pts = 0
  }

  /// When the first frame is seen, in seconds from the start of the span; nil where there is none.
  var firstSeconds: Double? {
    (ready.first ?? held.first).map {
      Double($0.pointee.pts) * Double(timeBase.num) / Double(max(timeBase.den, 1))
    }
  }

  // MARK: - Reading

  /// Goes to the last keyframe that is not past the start of the span, or to the first of all.
  private func goToKeyframe() throws(EncodingError) {
    let base = stream.pointee.time_base
    let second = Int64(Double(base.den) / Double(max(base.num, 1)))
    let first = stream.pointee.start_time == tilawa_AV_NOPTS_VALUE ? 0 : stream.pointee.start_time
    var back: Int64 = 0
    while true {
      let (distance, isTooFar) = back.multipliedReportingOverflow(by: second)
      let target = isTooFar || back < 0 ? first : max(origin / fineness &- distance, first)
      if av_seek_frame(container.context, stream.pointee.index, target, AVSEEK_FLAG_BACKWARD) < 0 {
        avformat_seek_file(container.context, stream.pointee.index, .min, target, .max, 0)
      }
      // Where the container counts keyframes by when they are decoded, or knows none, it lands late, even behind the last.
      let packet = next()
      if let packet, packet.pointee.pts <= 0 { return take(packet) }
      if let packet { Self.free(packet) }
      if target <= first {
        // Not every container finds its way back to its first frame.
        (container, stream) = try Self.open(file)
        read()
        return
      }
      back = back == 0 ? 1 : 2 &* back
    }
  }

  /// The next packet of the picture, the first of all a keyframe; timed from the start of the span.
  private func next() -> UnsafeMutablePointer<AVPacket>? {
    guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else { return nil }
    while av_read_frame(container.context, packet) >= 0 {
      let isKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
      if packet.pointee.stream_index == stream.pointee.index, isKey || hasBegun {
        let (pts, dts) = (packet.pointee.pts, packet.pointee.dts)
        let known = pts == tilawa_AV_NOPTS_VALUE ? dts : pts
        if pts == tilawa_AV_NOPTS_VALUE, stream.pointee.codecpar.pointee.video_delay > 0 {
          lacksTimes = true
        }
        if known != tilawa_AV_NOPTS_VALUE {
          packet.pointee.pts = sinceStart(known)
          packet.pointee.dts = sinceStart(dts == tilawa_AV_NOPTS_VALUE ? known : dts)
          packet.pointee.duration &*= fineness
          return packet
        }
      }
      av_packet_unref(packet)
    }
    Self.free(packet)
    return nil
  }

  /// A time of the track's in units from the start of the span on.
  private func sinceStart(_ time: Int64) -> Int64 {
    let fine = time &* fineness &- origin
    guard let sound else { return fine }
    let units = Double(timeBase.den) / Double(max(timeBase.num, 1))
    let seconds = Double(time) * Double(fineness) / units
    let missing = seconds - start - (sound.sound(untilSeconds: seconds) - soundBefore)
    return fine &- (Int64(exactly: (missing * units).rounded()) ?? 0)
  }

  private var hasBegun = false
  /// Whether frames are seen in another order than they are stored, and the container does not say in which (AVI).
  private var lacksTimes = false

  private func read() {
    let packet = next()
    if let leapt {
      self.leapt = nil
      // One that comes later is decoded later, if its time is right.
      if let packet, packet.pointee.dts < leapt.pointee.dts {
        Self.free(leapt)
      } else {
        take(leapt)
      }
    }
    guard let packet, !hasEnded else {
      if let packet { Self.free(packet) }
      hasEnded = true
      return
    }
    if lastTime > .min, packet.pointee.dts - lastTime > units(Self.leap) {
      leapt = packet
    } else {
      take(packet)
    }
  }

  private func units(_ seconds: Double) -> Int64 {
    Int64(exactly: (seconds * Double(timeBase.den) / Double(max(timeBase.num, 1))).rounded())
      ?? .max
  }

  private func take(_ packet: UnsafeMutablePointer<AVPacket>) {
    // No picture is seen so long before there is any sound.
    if !hasBegun, packet.pointee.pts < -units(soundBefore + Self.longestLead) {
      return Self.free(packet)
    }
    hasBegun = true
    guard packet.pointee.dts < length else {
      // All that follow are seen later still.
      hasEnded = true
      return Self.free(packet)
    }
    // Containers want times that only ever grow.
    if packet.pointee.dts <= lastTime {
      guard sound != nil || packet.pointee.pts > lastTime else { return Self.free(packet) }
      packet.pointee.dts = lastTime + 1
    }
    // A picture is seen soon after it is decoded, whatever a damaged packet says.
    if packet.pointee.pts - packet.pointee.dts > units(Self.longestDelay) {
      packet.pointee.pts = packet.pointee.dts
    }
    packet.pointee.pts = max(packet.pointee.pts, packet.pointee.dts)
    lastTime = packet.pointee.dts
    held.append(packet)
    if packet.pointee.pts < length {
      ready += held
      held = []
    }
  }

  /// Seconds from the decoding of a picture until it is seen, at most.
  private static let longestDelay = 10.0
  /// Seconds that a picture begins before the sound, at most.
  private static let longestLead = 600.0
  /// Seconds between two pictures from which on it is asked whether that is so.
  private static let leap = 2.0

  private static func free(_ packet: UnsafeMutablePointer<AVPacket>) {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }
}
