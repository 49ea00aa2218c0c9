// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import Glibc

/// What a file says of itself, as any program that made it may have written it; not to be trusted.
public struct MediaTags: Hashable, Sendable {
  /// Names in lower case, such as `title`; of container and audio track, the container's first.
  public let values: [String: String]

  /// Values longer than this are cut, since nobody reads them.
  private static let longest = 1000

  public init(values: [String: String] = [:]) { self.values = values }

  /// Reads the tags of a file; none where it has none that FFmpeg knows, or is no audio.
  public init(_ file: MediaFile, track: Int? = nil) {
    guard let demuxer = try? FFmpegDemuxer(file, track: track) else {
      values = [:]
      return
    }
    var values: [String: String] = [:]
    for dictionary in [demuxer.stream.pointee.metadata, demuxer.context.pointee.metadata] {
      var entry: UnsafeMutablePointer<AVDictionaryEntry>?
      while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
        entry = next
        guard let key = next.pointee.key, let value = next.pointee.value else { continue }
        let text = String(cString: value).prefix(Self.longest)
        if !text.isEmpty { values[String(cString: key).lowercased()] = String(text) }
      }
    }
    self.values = values
  }

  public var title: String? { values["title"] }
  public var artist: String? { values["artist"] ?? values["album_artist"] }

  /// When it was recorded, in seconds since 1970; a date without a time is noon of that day, UTC.
  public var recordedAt: Int64? {
    for name in ["creation_time", "date", "year", "time", "origination_date"] {
      if let text = values[name], let seconds = Self.seconds(text) { return seconds }
    }
    return nil
  }

  /// `2024-01-05T20:10:00.000000Z`, `2024-01-05 20:10:00`, `2024-01-05`.
  static func seconds(_ text: String) -> Int64? {
    let digits = Array(text.utf8.prefix(19))
    func number(_ range: Range<Int>) -> Int32? {
      guard range.upperBound <= digits.count else { return nil }
      return Int32(String(decoding: digits[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    parts.tm_hour = 12
    if let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19) {
      (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    }
    let seconds = Int64(timegm(&parts))
    // Recorders without a clock write 1904 or 1970.
    return seconds > 86_400 ? seconds : nil
  }
}
