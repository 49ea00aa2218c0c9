// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg
import Decoding

/// Puts packets of a recording into a container of their own, undecoded.
final class PacketCopier {
  private let reader: CodedPacketReader
  private let watch: CutWatch
  /// The recording, for messages.
  private let file: String
  private let kind: AudioFileKind
  private let cut: PacketCut
  /// How the copy is described where the recording's own words do not fit.
  private var hertz: Int
  private var setup: [UInt8]
  /// Bytes of each packet that the new container has no place for.
  private var headerLength = 0
  /// A packet that is not of the recording, put before the first.
  private var priming: [UInt8]?

  /// Opus should converge within 80 ms (RFC 7845, section 4.2); stereo was seen to take 105 ms.
  private static let opusPreroll: Int64 = 24_000

  var lead: FrameCount { FrameCount(cut.lead) }
  var tail: FrameCount { FrameCount(cut.tail) }
  var frameCount: FrameCount { FrameCount(Int64(cut.audibleUnits.count) * cut.framesPerUnit) }

  /// - Parameter span: frames as heard, delay not counted.
  /// - Throws: `.notCopyable`, `.source`.
  init(
    _ reader: CodedPacketReader, _ span: Range<FramePosition>, as kind: AudioFileKind,
    of source: MediaSource, _ watch: CutWatch
  ) throws(EncodingError) {
    self.reader = reader
    self.watch = watch
    self.kind = kind
    file = source.file.path
    hertz = reader.stream.hertz
    setup = reader.stream.setup
    let index = reader.index
    let delay = index.audible.lowerBound
    let decodedSpan = (delay + span.lowerBound.frames)..<(delay + span.upperBound.frames)
    let framesPerPacket = Int64(max(index.framesPerPacket, 1))
    switch kind {
    case .mp3:
      // Two granules: one overlaps with the first that counts, and needs to overlap with another. What
      // they borrow, the priming frame lends.
      cut = PacketCut(index, span: decodedSpan, prerollFrames: 1152)
      priming = try Self.primingFrame(reader, cut.packets.lowerBound, source)
    case .m4a:
      if setup.isEmpty {
        if let header = try Self.adtsHeader(reader) {
          hertz = header.hertz
          setup = header.setup
          headerLength = header.length
        } else if let plain = ADTSHeader.setup(hertz: hertz, channels: reader.stream.channels) {
          setup = plain
        } else {
          throw EncodingError(.notCopyable(codec: "this kind of AAC"), file: source.file.path)
        }
      }
      let framesPerUnit = max(1, source.description.format.rate.hertz / max(hertz, 1))
      // One packet overlaps; SBR remembers more.
      let isPlain = framesPerUnit == 1 && framesPerPacket == 1024
      cut = PacketCut(
        index, span: decodedSpan, prerollFrames: (isPlain ? 1 : 3) * framesPerPacket,
        framesPerUnit: Int64(framesPerUnit))
    case .opus:
      cut = PacketCut(index, span: decodedSpan, prerollFrames: Self.opusPreroll)
      try declarePreSkip(source)
    case .ogg:
      cut = PacketCut(index, startingWithPacketOf: decodedSpan)
    case .wav, .flac:
      throw EncodingError(.notCopyable(codec: reader.stream.codec), file: source.file.path)
    }
  }

  /// Writes the file, but for its place in the folder.
  ///
  /// - Parameter picture: goes beside the sound, into an MP4 or a QuickTime file.
  func write(
    to sink: FileSink, tags: AudioTags,
    with picture: (packets: PictureCopier, container: PictureContainer)? = nil
  ) throws(EncodingError) {
    let call = FFmpegCall(sink: sink)
    let priming = Int64(priming == nil ? 0 : reader.index.framesPerPacket)
    let delay = cut.audibleUnits.lowerBound + priming
    let muxer = try FFmpegMuxer(
      sink, format: picture?.container.rawValue ?? FFmpegMuxer.name(of: kind), hertz: hertz,
      tags: tags, picture: picture?.packets
    ) { parameters throws(EncodingError) in
      try self.describe(parameters, delay: delay, call)
    }
    func givePicture(before seconds: Double) throws(EncodingError) {
      guard let packets = picture?.packets else { return }
      try packets.give(before: seconds) { packet throws(EncodingError) in
        try muxer.write(packet, ofPicture: packets)
      }
    }
    var held: UnsafeMutablePointer<AVPacket>? = try call.allocated(
      "av_packet_alloc", av_packet_alloc() as UnsafeMutablePointer<AVPacket>?)
    defer { av_packet_free(&held) }
    guard let packet = held else { return }

    if let bytes = self.priming {
      try fill(packet, bytes, from: -delay, length: priming, call)
      try packet.declareTrim(delay: delay, call)
      try muxer.write(packet, hertz: hertz)
    }
    for number in cut.packets {
      try watch.check()
      let coded = try EncodingError.reading { () throws(DecodingError) in
        try reader.packet(number)
      }
      guard let coded, coded.count > headerLength else { throw fault(at: number) }
      let units = cut.units(ofPacket: number, reader.index)
      let isLast = number + 1 == cut.packets.upperBound
      let padding = isLast ? units.upperBound - cut.audibleUnits.upperBound : 0
      let start = units.lowerBound - cut.audibleUnits.lowerBound
      try givePicture(before: Double(start) / Double(max(hertz, 1)))
      let length = Int64(cut.audibleUnits.count)
      // FFmpeg, decoding, misplaces a span that lies far within the last packet of an m4a.
      let needsAnother = isLast && kind == .m4a && -start >= length && length > 1
      // MP3 says in the tag what is padding; elsewhere the last packet is said to be shorter.
      let duration = Int64(units.count) - (kind == .mp3 ? 0 : padding) - (needsAnother ? 1 : 0)
      try fill(packet, coded[headerLength...], from: start, length: duration, call)
      if kind == .mp3, isLast { try packet.declareTrim(padding: padding, call) }
      try muxer.write(packet, hertz: hertz)
      if needsAnother {
        try fill(packet, coded[headerLength...], from: length - 1, length: 1, call)
        try muxer.write(packet, hertz: hertz)
      }
      watch.progress?(
        Double(number + 1 - cut.packets.lowerBound) / Double(cut.packets.count))
    }
    try givePicture(before: .infinity)
    try muxer.finish()
  }

  /// Why a packet has nothing in it: the recording ends there, or is damaged.
  private func fault(at number: Int) -> EncodingError {
    let index = reader.index
    let start = index.startFrame(ofPacket: number)
    let last = (try? reader.packet(cut.packets.upperBound - 1)) ?? nil
    guard let last, last.count > headerLength else {
      let missing = index.startFrame(ofPacket: cut.packets.upperBound) - start
      return EncodingError(.endsEarly(missing: FrameCount(missing)), file: file)
    }
    let decodedHertz = Double(hertz) * Double(cut.framesPerUnit)
    let seconds = Double(max(start - index.audible.lowerBound, 0)) / decodedHertz
    return EncodingError(.damaged(at: seconds), file: file)
  }

  private func fill(
    _ packet: UnsafeMutablePointer<AVPacket>, _ bytes: some Collection<UInt8>, from start: Int64,
    length: Int64, _ call: FFmpegCall
  ) throws(EncodingError) {
    av_packet_unref(packet)
    try call.checked("av_new_packet", av_new_packet(packet, Int32(bytes.count)))
    UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: bytes.count)
      .copyBytes(from: bytes)
    packet.pointee.pts = start
    packet.pointee.dts = packet.pointee.pts
    packet.pointee.duration = length
    packet.pointee.flags |= AV_PKT_FLAG_KEY
  }

  private func describe(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, delay: Int64, _ call: FFmpegCall
  ) throws(EncodingError) {
    let descriptor = try call.allocated(
      "avcodec_descriptor_get_by_name", avcodec_descriptor_get_by_name(reader.stream.codec))
    parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
    parameters.pointee.codec_id = descriptor.pointee.id
    parameters.pointee.sample_rate = Int32(hertz)
    parameters.pointee.frame_size = Int32(
      Int64(reader.index.framesPerPacket) / cut.framesPerUnit)
    parameters.pointee.initial_padding = Int32(clamping: delay)
    av_channel_layout_default(&parameters.pointee.ch_layout, Int32(reader.stream.channels))
    guard !setup.isEmpty else { return }
    let room = try call.allocated(
      "av_mallocz", av_mallocz(setup.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)))
    room.copyMemory(from: setup, byteCount: setup.count)
    parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(setup.count)
  }

  /// Puts how much is not to be heard into the OpusHead (RFC 7845, section 5.1).
  private func declarePreSkip(_ source: MediaSource) throws(EncodingError) {
    guard setup.count >= 19, setup.starts(with: "OpusHead".utf8),
      let preSkip = UInt16(exactly: cut.audibleUnits.lowerBound)
    else {
      throw EncodingError(.notCopyable(codec: "this kind of Opus"), file: source.file.path)
    }
    setup[10] = UInt8(preSkip & 0xFF)
    setup[11] = UInt8(preSkip >> 8)
  }

  private static func primingFrame(
    _ reader: CodedPacketReader, _ first: Int, _ source: MediaSource
  ) throws(EncodingError) -> [UInt8] {
    let bytes = try EncodingError.reading { () throws(DecodingError) in try reader.packet(first) }
    guard let bytes,
      let frame = try MP3Reservoir.primingFrame(before: first, bytes, of: reader)
    else {
      throw EncodingError(.notCopyable(codec: "this kind of MP3"), file: source.file.path)
    }
    return frame
  }

  private static func adtsHeader(
    _ reader: CodedPacketReader
  ) throws(EncodingError) -> ADTSHeader? {
    let bytes = try EncodingError.reading { () throws(DecodingError) in try reader.packet(0) }
    return bytes.flatMap { ADTSHeader($0) }
  }
}
