// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// audiowaveform's JSON format, version 2 written, versions 1 and 2 read.
///
/// One object: `version`, `channels`, `sample_rate`, `samples_per_pixel`, `bits`, `length`, `data`
/// (lowest and highest value of each channel, pixel by pixel). Source: audiowaveform,
/// `doc/DataFormat.md`.
public enum AudiowaveformJSON {
  /// One line, ended.
  public static func text(
    of peaks: WaveformPeaks, resolution: WaveformPeaks.Resolution = .bits16
  ) -> String {
    var data: [JSONValue] = []
    data.reserveCapacity(peaks.minima.count * 2)
    for (low, high) in zip(peaks.minima, peaks.maxima) {
      data.append(.integer(Int(low / resolution.divisor)))
      data.append(.integer(Int(high / resolution.divisor)))
    }
    return JSONValue.object([
      .init("version", .integer(2)),
      .init("channels", .integer(peaks.channels)),
      .init("sample_rate", .integer(peaks.rate.hertz)),
      .init("samples_per_pixel", .integer(peaks.samplesPerPixel)),
      .init("bits", .integer(resolution.rawValue)),
      .init("length", .integer(peaks.length)),
      .init("data", .array(data)),
    ]).text + "\n"
  }

  /// Reads a whole file. Values of 8 bits come back times 256.
  ///
  /// - Throws: ``ExchangeError/malformedJSON(offset:reason:)`` or
  ///   ``ExchangeError/malformedWaveform(reason:)``.
  public static func peaks(from bytes: [UInt8]) throws(ExchangeError) -> WaveformPeaks {
    let document = try JSONValue(parsing: bytes)
    // Version 1 was written without the key.
    let version = document["version"] == nil ? 1 : try integer("version", of: document)
    guard version == 1 || version == 2 else {
      throw .malformedWaveform(reason: "unknown version \(version)")
    }
    let channels = version == 1 ? 1 : try integer("channels", of: document)
    let bits = try integer("bits", of: document)
    guard let resolution = WaveformPeaks.Resolution(rawValue: bits) else {
      throw .malformedWaveform(reason: "values of \(bits) bits")
    }
    guard case .array(let data) = document["data"] else {
      throw .malformedWaveform(reason: "no array \"data\"")
    }
    let length = try integer("length", of: document)
    guard (1...64).contains(channels), data.count.isMultiple(of: 2 * channels),
      data.count / (2 * channels) == length
    else {
      throw .malformedWaveform(
        reason: "\(data.count) values are not \(length) pairs of \(channels) channels")
    }
    var values: [Int16] = []
    values.reserveCapacity(data.count)
    for item in data {
      guard let number = item.integer, let narrow = Int16(exactly: number) else {
        throw .malformedWaveform(reason: "a value that is not an integer of \(bits) bits")
      }
      let (value, isTooWide) = narrow.multipliedReportingOverflow(by: resolution.divisor)
      guard !isTooWide else {
        throw .malformedWaveform(reason: "\(narrow) is not an integer of \(bits) bits")
      }
      values.append(value)
    }
    return try WaveformPeaks.checked(
      hertz: try integer("sample_rate", of: document),
      samplesPerPixel: try integer("samples_per_pixel", of: document), channels: channels,
      minima: stride(from: 0, to: values.count, by: 2).map { values[$0] },
      maxima: stride(from: 1, to: values.count, by: 2).map { values[$0] })
  }

  private static func integer(
    _ key: String, of document: JSONValue
  ) throws(ExchangeError) -> Int {
    guard let value = document[key]?.integer else {
      throw .malformedWaveform(reason: "no integer \"\(key)\"")
    }
    return value
  }
}
