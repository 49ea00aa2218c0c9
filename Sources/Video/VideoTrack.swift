// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg
import CSwscale
import Decoding

/// The picture track of an open container: its packets in file order, and the clock of the sound beside it.
final class VideoTrack {
  let description: VideoDescription
  /// Degrees clockwise that a decoded frame has to be turned.
  let rotation: Int
  /// Seconds of one frame, as a guess.
  let frameSeconds: Double
  var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }
  private(set) var clock: SoundClock

  private let container: FFmpegContainer
  private let stream: UnsafeMutablePointer<AVStream>
  private let sound: UnsafeMutablePointer<AVStream>?
  private let packet: UnsafeMutablePointer<AVPacket>
  /// Packets that were read before it was their turn.
  private var pending: [UnsafeMutablePointer<AVPacket>] = []
  private var knowsSound = false
  /// Looks for sound beyond what is kept of the picture; opened where that is needed.
  private var scout: FFmpegContainer?
  /// Says when frames are seen where H.264 alone knows.
  private let order: PictureOrder?

  /// Packets of the picture that may come before the first of the sound.
  private static let patience = 300
  /// Seconds of the picture that are kept until the sound is come to. The end of a longer gap is looked for by the scout.
  private static let longestGap = 2.0
  /// Without a rate, and for frames without a time.
  private static let usualRate = 25.0

  /// - Parameters:
  ///   - rate: of the sound as it is decoded.
  ///   - index: its packets.
  ///   - soundTrack: counted from 1.
  init(
    _ file: MediaFile, rate: SampleRate, index: SeekIndex?, soundTrack: Int
  ) throws(VideoError) {
    container = try Self.open(file)
    let streams = container.streams
    let audio = streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    sound = audio.indices.contains(soundTrack - 1) ? audio[soundTrack - 1] : nil
    guard let stream = container.pictureStream else {
      throw VideoError(.noVideo, file: file.path)
    }
    for other in streams where other != stream && other != sound {
      other.pointee.discard = AVDISCARD_ALL
    }
    guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else {
      throw VideoError(.outOfMemory, file: file.path)
    }
    self.packet = packet
    self.stream = stream
    let knowsOrder = stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_H264
    order =
      knowsOrder && !Self.tellsWhenSeen(container) ? PictureOrder(stream.pointee.codecpar) : nil
    rotation = Self.rotation(of: stream)
    description = Self.describe(stream, in: container, rotation: rotation)
    frameSeconds = 1 / (description.frameRate ?? Self.usualRate)
    clock = SoundClock(rate: rate, index: index)
    readUpToSound()
  }

  private static func open(_ file: MediaFile) throws(VideoError) -> FFmpegContainer {
    do throws(DecodingError) {
      let container = try FFmpegContainer(file)
      let isComplete = container.streams.allSatisfy { stream in
        let parameters = stream.pointee.codecpar.pointee
        return parameters.codec_type != AVMEDIA_TYPE_VIDEO
          || (parameters.width > 0 && frameRate(of: stream, in: container).num > 0)
      }
      if !isComplete || container.streams.isEmpty { try container.findStreams() }
      return container
    } catch { throw VideoError(error) }
  }

  deinit {
    forgetPending()
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  /// Whether the container says when each frame is seen, and not only when it is decoded.
  var tellsWhenSeen: Bool { Self.tellsWhenSeen(container) }

  private static func tellsWhenSeen(_ container: FFmpegContainer) -> Bool {
    String(cString: container.context.pointee.iformat.pointee.name) != "avi"
  }

  /// Why reading ended before the end.
  var failure: DecodingError? { container.failure }

  /// The picture's next packet, to be freed by the caller; nil at the end.
  func nextPacket() -> UnsafeMutablePointer<AVPacket>? {
    guard let order else { return takePacket() }
    return order.nextPacket { takePacket() }
  }

  private func takePacket() -> UnsafeMutablePointer<AVPacket>? {
    guard let next = pending.isEmpty ? readPacket() : pending.removeFirst() else { return nil }
    if clock.followsPackets { readSound(of: next) }
    return next
  }

  /// Reads on until it is known which frame of the sound belongs to a packet: whether a gap begins before it.
  private func readSound(of next: UnsafeMutablePointer<AVPacket>) {
    guard let sound, let due = Self.seconds(next.pointee.pts, of: stream) else { return }
    while lastSound < due, pending.count < Self.patience {
      let newest = pending.last.flatMap { Self.seconds($0.pointee.dts, of: stream) }
      if let newest, newest > due + Self.longestGap { break }
      guard readOn(sound) else { return }
    }
    if lastSound < due { scoutBeyondPending(from: due) }
  }

  /// Learns where the sound goes on that has not come by the last packet of the picture that is kept.
  private func scoutBeyondPending(from start: Double) {
    if scout == nil { scout = try? Self.open(container.file) }
    guard let scout, let newest = pending.last.flatMap({ Self.seconds($0.pointee.dts, of: stream) })
    else { return }
    learnSound(fromSeconds: start, to: newest, by: scout)
  }

  /// Whether a frame can be decoded with nothing before it lies after one time and not after another,
  /// as far as the container knows; its own time, in the track's units.
  func keyframe(after earlier: Int64, notAfter seconds: Double) -> Int64? {
    guard let wanted = units(seconds) else { return nil }
    let number = av_index_search_timestamp(stream, wanted, AVSEEK_FLAG_BACKWARD)
    guard number >= 0, let entry = avformat_index_get_entry(stream, number),
      entry.pointee.timestamp > earlier
    else { return nil }
    return entry.pointee.timestamp
  }

  /// Seconds between keyframes, as a rule, or less.
  static let farSeconds = 2.0

  /// Whether so many seconds lie after a time in the track's units, and by more than keyframes lie apart.
  func lies(_ seconds: Double, farAfter time: Int64) -> Bool {
    guard time != .min, let near = units(seconds - Self.farSeconds) else { return false }
    return near > time
  }

  /// Goes to a keyframe before a time; to one at the start where there is none. False when the container
  /// cannot.
  func seek(toSeconds seconds: Double) -> Bool {
    guard goToKeyframe(beforeSeconds: seconds) else { return false }
    if clock.followsPackets { readUpToSound() }
    return true
  }

  /// Takes in the packets of sound between two times and the first after them, however far away, and leaves the
  /// picture out.
  func learnSound(fromSeconds start: Double, to end: Double) {
    forgetPending()
    lastSound = -.infinity
    learnSound(fromSeconds: start, to: end, by: container)
  }

  private func learnSound(
    fromSeconds start: Double, to end: Double, by container: FFmpegContainer
  ) {
    guard let sound, goToKeyframe(beforeSeconds: start, in: container) else { return }
    while true {
      av_packet_unref(packet)
      guard av_read_frame(container.context, packet) >= 0 else { break }
      if packet.pointee.stream_index == sound.pointee.index {
        takeSound(sound)
        if lastSound > end { return }
      } else if clock.isBehindLastPacket(packet.pointee.pos) {
        break
      }
    }
    // No sound comes any more.
    lastSound = .infinity
  }

  private func goToKeyframe(beforeSeconds seconds: Double) -> Bool {
    forgetPending()
    lastSound = -.infinity
    return goToKeyframe(beforeSeconds: seconds, in: container)
  }

  private func goToKeyframe(beforeSeconds seconds: Double, in container: FFmpegContainer) -> Bool {
    let start = firstTime ?? 0
    let target = max(units(seconds) ?? start, start)
    let (context, number) = (container.context, stream.pointee.index)
    return av_seek_frame(context, number, target, AVSEEK_FLAG_BACKWARD) >= 0
      || avformat_seek_file(context, number, .min, target, .max, 0) >= 0
  }

  /// Whether no frame can lie before a time.
  func isBeforeStart(_ seconds: Double) -> Bool {
    guard let firstTime, let target = units(seconds) else { return seconds <= 0 }
    return target <= firstTime
  }

  /// A time of a packet or frame in seconds; nil for none.
  func seconds(_ time: Int64) -> Double? { Self.seconds(time, of: stream) }

  // MARK: - Reading

  private func readPacket() -> UnsafeMutablePointer<AVPacket>? {
    while true {
      av_packet_unref(packet)
      guard av_read_frame(container.context, packet) >= 0 else { return nil }
      if packet.pointee.stream_index == stream.pointee.index { return av_packet_clone(packet) }
      if let sound, packet.pointee.stream_index == sound.pointee.index { takeSound(sound) }
    }
  }

  /// Reads on until it is known which frame of the sound belongs to the times here.
  private func readUpToSound() {
    guard let sound else { return }
    knowsSound = false
    while !knowsSound, pending.count < Self.patience {
      guard readOn(sound) else { return }
    }
    guard !knowsSound, clock.followsPackets,
      let start = pending.first.flatMap({ Self.seconds($0.pointee.dts, of: stream) })
    else { return }
    scoutBeyondPending(from: start)
  }

  /// Takes a packet in, and keeps it if it is the picture's. False at the end.
  private func readOn(_ sound: UnsafeMutablePointer<AVStream>) -> Bool {
    av_packet_unref(packet)
    guard av_read_frame(container.context, packet) >= 0 else { return false }
    if packet.pointee.stream_index == stream.pointee.index {
      if let copy = av_packet_clone(packet) { pending.append(copy) }
    } else if packet.pointee.stream_index == sound.pointee.index {
      takeSound(sound)
    }
    return true
  }

  private var hasBegun = false
  /// Seconds of the packet of sound that was taken in last.
  private var lastSound = -Double.infinity

  private func takeSound(_ sound: UnsafeMutablePointer<AVStream>) {
    let time = packet.pointee.pts == tilawa_AV_NOPTS_VALUE ? packet.pointee.dts : packet.pointee.pts
    let known = Self.seconds(time, of: sound)
    if let known { lastSound = known }
    if !hasBegun {
      hasBegun = true
      let parameters = sound.pointee.codecpar.pointee
      let delay = max(Self.skippedSamples(packet), Int64(parameters.initial_padding))
      clock.begin(at: (known ?? 0) + Double(delay) / Double(max(parameters.sample_rate, 1)))
    } else if let known {
      clock.take(offset: packet.pointee.pos, seconds: known)
    }
    knowsSound = true
  }

  private func forgetPending() {
    order?.forget()
    for held in pending {
      var held: UnsafeMutablePointer<AVPacket>? = held
      av_packet_free(&held)
    }
    pending = []
  }

  /// When the first frame is seen; nil where the container does not say. Reads up to its packet, which may lie far behind the
  /// first of the sound.
  func firstSeconds() -> Double? {
    if pending.isEmpty, let packet = readPacket() { pending.append(packet) }
    return (firstTime ?? pending.first?.pointee.pts).flatMap { seconds($0) }
  }

  private var firstTime: Int64? {
    let time = stream.pointee.start_time
    return time == tilawa_AV_NOPTS_VALUE ? nil : time
  }

  private func units(_ seconds: Double) -> Int64? {
    let base = stream.pointee.time_base
    guard base.num > 0, base.den > 0 else { return nil }
    // One more, for what rounding took.
    return Int64(exactly: (seconds * Double(base.den) / Double(base.num)).rounded(.up))
  }

  private static func seconds(_ time: Int64, of stream: UnsafeMutablePointer<AVStream>) -> Double? {
    let base = stream.pointee.time_base
    guard time != tilawa_AV_NOPTS_VALUE, base.den > 0 else { return nil }
    return Double(time) * Double(base.num) / Double(base.den)
  }

  /// What the sound's first packet says to throw away of it (`AV_PKT_DATA_SKIP_SAMPLES`).
  private static func skippedSamples(_ packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
    var size = 0
    let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size)
    guard let data, size >= 4 else { return 0 }
    return (0..<4).reduce(0) { $0 | Int64(data[$1]) << (8 * Int64($1)) }
  }

  // MARK: - Description

  private static func rotation(of stream: UnsafeMutablePointer<AVStream>) -> Int {
    var size = 0
    let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard let data, size >= 9 * MemoryLayout<Int32>.size else { return 0 }
    let degrees = data.withMemoryRebound(to: Int32.self, capacity: 9) {
      av_display_rotation_get($0)
    }
    guard degrees.isFinite else { return 0 }
    let quarters = Int((-degrees / 90).rounded()) % 4
    return (quarters + 4) % 4 * 90
  }

  /// The usual rate; 0 where the header does not say it, as in fragmented MP4.
  private static func frameRate(
    of stream: UnsafeMutablePointer<AVStream>, in container: FFmpegContainer
  ) -> AVRational {
    let guess = av_guess_frame_rate(container.context, stream, nil)
    // AVI has one rate, in its header.
    return guess.num > 0 || tellsWhenSeen(container) ? guess : stream.pointee.avg_frame_rate
  }

  private static func describe(
    _ stream: UnsafeMutablePointer<AVStream>, in container: FFmpegContainer, rotation: Int
  ) -> VideoDescription {
    let parameters = stream.pointee.codecpar.pointee
    let aspect = av_guess_sample_aspect_ratio(container.context, stream, nil)
    let stretch = aspect.num > 0 && aspect.den > 0 ? Double(aspect.num) / Double(aspect.den) : 1
    let width = (Double(parameters.width) * stretch).rounded()
    let size = (wide: Int(exactly: width) ?? 0, high: Int(parameters.height))
    let rate = frameRate(of: stream, in: container)
    let isTurned = rotation % 180 != 0
    let isKnown = rate.num > 0 && rate.den > 0 && rate.num / rate.den < 1000
    let seconds = isKnown ? Double(rate.num) / Double(rate.den) : 0
    // Of a recording whose rate varies this is the highest.
    let mean = av_q2d(stream.pointee.avg_frame_rate)
    let isConstant = mean == 0 || abs(mean - seconds) < seconds / 10
    return VideoDescription(
      codec: FFmpegContainer.codecName(of: stream) ?? "unknown",
      width: isTurned ? size.high : size.wide, height: isTurned ? size.wide : size.high,
      frameRate: isKnown && isConstant ? seconds : nil,
      problem: problem(with: stream).map { VideoError($0, file: container.file.path) })
  }

  /// An 8K picture has 33 million.
  static let maxPixels: Int64 = 40_000_000

  private static func problem(with stream: UnsafeMutablePointer<AVStream>) -> VideoError.Kind? {
    let parameters = stream.pointee.codecpar.pointee
    guard Int64(parameters.width) * Int64(parameters.height) <= maxPixels else {
      return .tooLarge(width: Int(parameters.width), height: Int(parameters.height))
    }
    guard avcodec_find_decoder(parameters.codec_id) != nil else {
      return .unsupportedCodec(FFmpegContainer.codecName(of: stream))
    }
    return nil
  }
}
