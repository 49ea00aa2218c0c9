// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CFFmpeg
public import Decoding

/// Decodes the picture of a recording, frame by frame, each with the frame of the sound it appears with.
///
/// It has a demuxer and a decoder of its own and shares nothing with the sound's but the open file.
/// Blocks; belongs to one thread.
public final class VideoReader {
  public var description: VideoDescription { track.description }

  var path: String { file.path }

  /// Whether frames that no other frame is made from are left out, and the others may be a little coarse: for
  /// those who look at many.
  var readsReferencesOnly = false {
    didSet {
      codec.pointee.skip_loop_filter = readsReferencesOnly ? AVDISCARD_ALL : AVDISCARD_DEFAULT
    }
  }

  private let file: MediaFile
  private let openTrack: () throws(VideoError) -> VideoTrack
  private var track: VideoTrack
  private let codec: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private var scaler = PictureScaler()
  /// Decoded already, and next in turn.
  private var held: [DecodedFrame] = []
  private var last: FramePosition?
  private var hasEnded = false
  /// Nothing before this time is whole: it leans on what lies before the keyframe that was gone to.
  private var firstWhole: Int64?
  private var needsKeyframe = true
  private var lastPacketTime = Int64.min
  /// When packets were decoded whose container does not say when their frames are seen (AVI), in order, until a frame
  /// takes it. Each packet is a frame, so that the frames are seen at the same times in this order.
  private var decodingTimes: [Int64]?
  private var lastLeap: Int64?
  /// The seconds towards which it leapt last without knowing of a keyframe.
  private var blindLeap: Double?
  /// Of the first frame of all, once it was gone to.
  private var start: FramePosition?

  /// Packets that are looked through for a keyframe: a container that lands farther from one has none that
  /// could be gone to. A minute at 25 a second.
  private static let keyframePatience = 1500

  /// Opens the picture of a recording whose sound is open.
  ///
  /// Throws ``VideoError``; `.noVideo` for most recordings.
  public convenience init(_ source: MediaSource) throws(VideoError) {
    try self.init(
      source.file, rate: source.description.format.rate, index: source.seekIndex,
      soundTrack: source.description.track)
  }

  /// - Parameters:
  ///   - rate: of the sound as it is decoded.
  ///   - index: the packets of the sound, by which gaps in it are known.
  ///   - soundTrack: counted from 1.
  public init(
    _ file: MediaFile, rate: SampleRate, index: SeekIndex? = nil, soundTrack: Int = 1
  ) throws(VideoError) {
    self.file = file
    openTrack = { () throws(VideoError) in
      try VideoTrack(file, rate: rate, index: index, soundTrack: soundTrack)
    }
    track = try openTrack()
    if let problem = track.description.problem { throw problem }
    let parameters = track.parameters
    let decoder = avcodec_find_decoder(parameters.pointee.codec_id)
    guard let context = avcodec_alloc_context3(decoder) as UnsafeMutablePointer<AVCodecContext>?,
      let frame = av_frame_alloc() as UnsafeMutablePointer<AVFrame>?
    else { throw VideoError(.outOfMemory, file: file.path) }
    codec = context
    self.frame = frame
    context.pointee.max_pixels = VideoTrack.maxPixels
    // With one thread it is known how many packets the decoder has taken before it gives out a frame.
    context.pointee.thread_count = track.tellsWhenSeen ? 2 : 1
    guard avcodec_parameters_to_context(context, parameters) >= 0,
      avcodec_open2(context, decoder, nil) >= 0
    else { throw VideoError(.damaged, file: file.path) }
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
    var codec: UnsafeMutablePointer<AVCodecContext>? = codec
    avcodec_free_context(&codec)
  }

  /// The next frame; nil at the end. Positions only ever grow.
  func next() throws(VideoError) -> DecodedFrame? {
    if !held.isEmpty { return held.removeFirst() }
    var before = last
    let far = FrameCount(seconds: VideoTrack.farSeconds, at: track.clock.rate)
    var frame = try decodedFrame()
    while let leapt = frame, let known = before, leapt.position - known > far {
      // The frame after it tells whether its time is right.
      last = known
      guard let following = try decodedFrame() else {
        last = leapt.position
        return leapt
      }
      if following.position > leapt.position {
        held = [following]
        return leapt
      }
      (frame, before) = (following, known)
    }
    return frame
  }

  /// The next frame that is decoded, later than the last; nil at the end.
  private func decodedFrame() throws(VideoError) -> DecodedFrame? {
    while true {
      let result = avcodec_receive_frame(codec, frame)
      if result >= 0 {
        if let decoded = takeFrame() { return decoded }
      } else if hasEnded {
        if let failure = track.failure { throw VideoError(failure) }
        // What was there when it was opened is there no longer.
        if file.hasShrunk { throw VideoError(.cutShort, file: path) }
        return nil
      } else {
        // A frame that fails to decode is gone; the one after it may be good.
        sendPacket()
      }
    }
  }

  /// Goes so far back that ``next()`` begins at or before a position, unless the picture begins after it.
  func seek(to position: FramePosition) throws(VideoError) {
    var back = 0.0
    while true {
      let seconds = track.clock.seconds(at: position) - back
      try jump(toSeconds: seconds)
      let first = try next()
      // It is farther on, behind a gap in the sound that was found on the way.
      if track.clock.seconds(at: position) - back > seconds + VideoTrack.farSeconds { continue }
      giveBack(first)
      if let first, first.position <= position || first.position == start { return }
      if track.isBeforeStart(seconds) {
        // Not every container finds its way back to its first frame.
        track = try openTrack()
        reset()
        let first = try next()
        giveBack(first)
        start = first?.position
        return
      }
      // Where the container counts keyframes by when they are decoded, or knows none, it lands late.
      back = back == 0 ? 1 : 2 * back
    }
  }

  /// Goes ahead to the last keyframe that is not past a position, if decoding has not come there yet. Where the container does
  /// not know its keyframes, as in MPEG-TS, one is likely within some seconds.
  func leap(towards position: FramePosition) throws(VideoError) -> Bool {
    let target = track.clock.seconds(at: position)
    if let time = track.keyframe(after: lastPacketTime, notAfter: target) {
      guard time != lastLeap else { return false }
      try seek(to: position)
      lastLeap = time
      return true
    }
    guard track.lies(target, farAfter: lastPacketTime),
      blindLeap.map({ abs(target - $0) > VideoTrack.farSeconds }) ?? true
    else { return false }
    try seek(to: position)
    blindLeap = target
    return true
  }

  /// The frame that is seen at a position: the newest that is not past it; nil before the first, unless that one
  /// begins with the sound.
  public func picture(
    at position: FramePosition, as request: PictureRequest
  ) throws(VideoError) -> VideoPicture? {
    try seek(to: position)
    var seen: DecodedFrame?
    while let frame = try next() {
      if frame.position > position {
        giveBack(frame)
        break
      }
      seen = frame
    }
    if seen == nil, let held = held.first, held.position <= Self.earliestStart(at: track.clock.rate)
    {
      seen = held
    }
    guard let seen else { return nil }
    return picture(of: seen, as: request)
  }

  /// Pictures begin later than the sound by as much as its encoder is late, where the container cannot say so: one that
  /// begins before this is seen from the beginning.
  static func earliestStart(at rate: SampleRate) -> FramePosition {
    FramePosition(seconds: 0.1, at: rate)
  }

  /// The first frame's position; nil where none can be decoded.
  public func firstPosition() throws(VideoError) -> FramePosition? {
    try seek(to: FramePosition(.min / 2))
    return held.first?.position
  }

  /// The keyframe before a position, as far as the container finds it, decoded by itself: that takes the time of
  /// one frame. Nil where there is none, or it is damaged.
  func keyframe(
    at position: FramePosition, as request: PictureRequest
  ) throws(VideoError) -> VideoPicture? {
    try jump(toSeconds: track.clock.seconds(at: position))
    var left = Self.keyframePatience
    while needsKeyframe, !hasEnded, left > 0 {
      sendPacket()
      left -= 1
    }
    // Nothing follows, so that the decoder gives out what it has.
    if !hasEnded { avcodec_send_packet(codec, nil) }
    hasEnded = true
    return try next().flatMap { picture(of: $0, as: request) }
  }

  func picture(of frame: DecodedFrame, as request: PictureRequest) -> VideoPicture? {
    scaler.picture(of: frame, turned: track.rotation, as: request)
  }

  /// Has a frame come again as the next one.
  private func giveBack(_ frame: DecodedFrame?) {
    if let frame { held.insert(frame, at: 0) }
  }

  // MARK: - Packets and frames

  private func jump(toSeconds seconds: Double) throws(VideoError) {
    if !track.seek(toSeconds: seconds) { track = try openTrack() }
    reset()
  }

  private func reset() {
    avcodec_flush_buffers(codec)
    held = []
    last = nil
    hasEnded = false
    needsKeyframe = true
    firstWhole = nil
    decodingTimes = nil
    lastPacketTime = .min
    lastLeap = nil
  }

  private func sendPacket() {
    guard let packet = track.nextPacket() else {
      hasEnded = true
      avcodec_send_packet(codec, nil)
      return
    }
    defer {
      var done: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&done)
    }
    let time = packet.pointee.dts == tilawa_AV_NOPTS_VALUE ? packet.pointee.pts : packet.pointee.dts
    if time != tilawa_AV_NOPTS_VALUE { lastPacketTime = max(lastPacketTime, time) }
    if needsKeyframe {
      guard packet.pointee.flags & AV_PKT_FLAG_KEY != 0 else { return }
      needsKeyframe = false
      let pts = packet.pointee.pts
      firstWhole = pts == tilawa_AV_NOPTS_VALUE ? nil : pts
      // Who leaves frames out cannot tell which of them a time is of.
      if firstWhole == nil, !readsReferencesOnly { decodingTimes = [] }
    }
    if time != tilawa_AV_NOPTS_VALUE { decodingTimes?.append(time) }
    codec.pointee.skip_frame = readsReferencesOnly ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    avcodec_send_packet(codec, packet)
  }

  private func takeFrame() -> DecodedFrame? {
    defer { av_frame_unref(frame) }
    var time = frame.pointee.best_effort_timestamp
    if let times = decodingTimes, !times.isEmpty {
      // Before the first frame the decoder has dropped those that lean on what lies before the keyframe.
      let late = last == nil ? times.count - 1 - Int(codec.pointee.has_b_frames) : 0
      let index = hasEnded ? 0 : min(max(late, 0), times.count - 1)
      time = times[index]
      decodingTimes?.removeFirst(index + 1)
    }
    if let firstWhole, time != tilawa_AV_NOPTS_VALUE, time < firstWhole { return nil }
    let position: FramePosition
    if let seconds = track.seconds(time) {
      position = track.clock.position(atSeconds: seconds)
    } else {
      let step = FrameCount(seconds: track.frameSeconds, at: track.clock.rate)
      position = last.map { $0 + step } ?? track.clock.position(atSeconds: 0)
    }
    // Times that go back are wrong, and a frame without room of its own is never seen.
    if let last, position <= last { return nil }
    last = position
    return DecodedFrame(taking: frame, position: position)
  }
}

/// A frame as it was decoded.
final class DecodedFrame {
  let position: FramePosition
  let pointer: UnsafeMutablePointer<AVFrame>

  init?(taking frame: UnsafeMutablePointer<AVFrame>, position: FramePosition) {
    guard let copy = av_frame_alloc() as UnsafeMutablePointer<AVFrame>? else { return nil }
    av_frame_move_ref(copy, frame)
    pointer = copy
    self.position = position
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }
}
