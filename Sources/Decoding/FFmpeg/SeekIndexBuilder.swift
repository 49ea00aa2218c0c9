// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// Finds every packet of a track and how many frames it decodes to.
///
/// An m4a has a table of all that; elsewhere the packets are read once, and where their length cannot be
/// seen from outside, decoded once.
struct SeekIndexBuilder {
  let file: MediaFile
  let parameters: CodecParameters
  let opening: StreamOpening
  private(set) var warnings: [DecodingWarning] = []

  /// No recording has so many frames (over 11 years at 768 kHz); headers that say so are wrong.
  static let longest: Int64 = 1 << 48

  private var offsets: [Int64] = []
  private var sizes: [UInt32] = []
  private var durations: [UInt32] = []
  private var gaps: PacketGaps

  init(file: MediaFile, parameters: CodecParameters, opening: StreamOpening) {
    self.file = file
    self.parameters = parameters
    self.opening = opening
    gaps = PacketGaps(rate: opening.format.rate)
  }

  mutating func build(_ demuxer: FFmpegDemuxer) throws(DecodingError) -> SeekIndex {
    let isTable = readTable(demuxer)
    var padding: Int64 = 0
    if !isTable { padding = try readPackets(FFmpegDemuxer(file, track: demuxer.track)) }
    if durations.isEmpty { throw DecodingError(.noFrames, file: file.path) }
    var index = SeekIndex(
      kind: opening.isDirect ? .directPackets : .demuxedPackets, offsets: offsets, sizes: sizes,
      durations: durations)
    let packetTable = try coreAudioTable(demuxer)
    // Of what a CAF file says about its ends FFmpeg takes up nothing.
    let start = min(packetTable?.primingFrames ?? opening.delay, index.decodedLength)
    var end = max(start, index.decodedLength - padding)
    if let length = try audibleLength(demuxer, packetTable), (0..<Self.longest).contains(length) {
      let promised = start + length - gaps.missing
      // A header may cut padding off the last packets. One that is far off is wrong, not a cut.
      if promised < end, end - promised <= 2 * Int64(opening.framesPerPacket) { end = promised }
      // Of a fragmented file, whose header lists no packets, the length is an estimate.
      let isCounted = packetTable != nil || demuxer.stream.pointee.nb_frames > 0
      if isCounted, promised > end + Int64(opening.framesPerPacket), warnings.isEmpty {
        let found = FrameCount(end - start)
        warnings.append(.endsEarly(promised: FrameCount(promised - start), found: found))
      }
    }
    index.audible = start..<end
    if let first = gaps.first {
      let position = FramePosition(max(first - start, 0))
      warnings.append(.missing(at: position, frames: FrameCount(gaps.missing)))
    }
    return index
  }

  /// Takes over the packet table that the demuxer read from the file's header.
  private mutating func readTable(_ demuxer: FFmpegDemuxer) -> Bool {
    let stream = demuxer.stream
    let count = avformat_index_get_entries_count(stream)
    // Only the mov family has a complete table, and only when the file is not fragmented.
    guard demuxer.containerName.hasPrefix("mov"), count > 0, stream.pointee.nb_frames > 0,
      opening.isDirect
    else { return false }
    offsets.reserveCapacity(Int(count))
    sizes.reserveCapacity(Int(count))
    durations.reserveCapacity(Int(count))
    let base = stream.pointee.time_base
    let hasExactTimes =
      base.num == 1 && Int(base.den) == opening.format.rate.hertz
      && parameters.codec == AV_CODEC_ID_OPUS
    var missing: Int64 = 0
    for number in 0..<count {
      guard let entry = avformat_index_get_entry(stream, number) else { break }
      let size = UInt32(clamping: entry.pointee.size)
      var duration = frames(ofPacketOf: Int(size))
      if hasExactTimes, number + 1 < count,
        let next = avformat_index_get_entry(stream, number + 1)
      {
        duration = UInt32(clamping: next.pointee.timestamp - entry.pointee.timestamp)
      }
      let isInside = entry.pointee.pos >= 0 && entry.pointee.pos <= file.size - Int64(size)
      if missing > 0 || !isInside {
        missing += Int64(duration)
        continue
      }
      gaps.take(frames: duration, at: entry.pointee.timestamp, in: base)
      offsets.append(entry.pointee.pos)
      sizes.append(size)
      durations.append(duration)
    }
    if missing > 0 {
      let found = durations.reduce(0) { $0 + Int64($1) }
      warnings.append(
        .endsEarly(promised: FrameCount(found + missing), found: FrameCount(found)))
    }
    return true
  }

  /// Reads all packets once and returns the padding that the last one carries.
  private mutating func readPackets(_ demuxer: FFmpegDemuxer) throws(DecodingError) -> Int64 {
    let lengths = try PacketLengths(parameters, opening: opening, file: file.path)
    var padding: Int64 = 0
    var excess: Int64 = 0
    while try demuxer.nextPacket() {
      let packet = demuxer.packet
      if offsets.isEmpty { excess = vorbisExcess(packet) }
      padding = max(0, StreamOpening.discardedSamples(packet) - excess)
      offsets.append(packet.pointee.pos)
      sizes.append(UInt32(clamping: packet.pointee.size))
      let frames = try lengths.frames(in: packet)
      let time =
        packet.pointee.pts == tilawa_AV_NOPTS_VALUE ? packet.pointee.dts : packet.pointee.pts
      gaps.take(frames: frames, at: time, in: demuxer.stream.pointee.time_base)
      durations.append(frames)
    }
    return padding
  }

  /// Frames of padding that FFmpeg sees too many at the end of a Vorbis stream.
  ///
  /// It takes the first packet, which gives none, for frames before zero, but where the first page of
  /// sound is also the last it forgets to count from before zero.
  private func vorbisExcess(_ packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
    guard parameters.codec == AV_CODEC_ID_VORBIS else { return 0 }
    let start = packet.pointee.pts == tilawa_AV_NOPTS_VALUE ? 0 : packet.pointee.pts
    return max(0, packet.pointee.duration + start)
  }

  private func frames(ofPacketOf size: Int) -> UInt32 {
    let bytes = parameters.bytesPerFrame
    return UInt32(clamping: bytes > 0 ? size / bytes : opening.framesPerPacket)
  }

  private func coreAudioTable(
    _ demuxer: FFmpegDemuxer
  ) throws(DecodingError) -> CoreAudioChunks.PacketTable? {
    demuxer.containerName == "caf" ? try CoreAudioChunks(file).packetTable : nil
  }

  /// How many frames the container says are to be heard.
  private func audibleLength(
    _ demuxer: FFmpegDemuxer, _ packetTable: CoreAudioChunks.PacketTable?
  ) throws(DecodingError) -> Int64? {
    if let packetTable { return packetTable.validFrames }
    guard demuxer.containerName.hasPrefix("mov") else { return nil }
    let boxes = try ISOMediaBoxes(file)
    if let length = iTunesLength(demuxer) { return length }
    let rate = Int64(opening.format.rate.hertz)
    let stream = demuxer.stream.pointee
    guard stream.duration > 0, stream.time_base.den > 0 else { return nil }
    let edited = av_rescale(
      stream.duration, rate * Int64(stream.time_base.num), Int64(stream.time_base.den))
    // The edit list counts in movie time, often milliseconds. Where the packets' own durations agree
    // with it that far, they say it to the frame.
    guard demuxer.track <= boxes.audioTracks.count, boxes.movieTimescale > 0 else { return edited }
    let media = boxes.audioTracks[demuxer.track - 1]
    guard media.mediaTimescale > 0 else { return nil }
    guard let duration = media.mediaDuration else { return edited }
    let whole = av_rescale(duration, rate, media.mediaTimescale)
    // `av_rescale` gives the least number there is where the result would not fit.
    guard (0..<Self.longest).contains(whole), (0..<Self.longest).contains(edited) else {
      return edited
    }
    let exact = whole - opening.delay
    return abs(exact - edited) <= rate / boxes.movieTimescale + 1 ? exact : edited
  }

  /// The valid length in Apple's gapless tag: four hexadecimal fields, of which the second is the delay,
  /// the third the padding and the fourth the number of frames between them.
  private func iTunesLength(_ demuxer: FFmpegDemuxer) -> Int64? {
    for metadata in [demuxer.stream.pointee.metadata, demuxer.context.pointee.metadata] {
      guard let entry = av_dict_get(metadata, "iTunSMPB", nil, 0) else { continue }
      let fields = String(cString: entry.pointee.value).split(separator: " ")
      guard fields.count >= 4, let length = Int64(fields[3], radix: 16),
        (1..<Self.longest).contains(length)
      else { continue }
      return av_rescale(length, Int64(opening.format.rate.hertz), Int64(max(parameters.rate, 1)))
    }
    return nil
  }
}
