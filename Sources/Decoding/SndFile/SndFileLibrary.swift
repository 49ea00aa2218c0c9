// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile

/// Names and errors of libsndfile.
enum SndFileLibrary {
  static var version: String { String(cString: sf_version_string()) }

  static func openError(file: String) -> DecodingError {
    let code = sf_error(nil)
    let detail = String(cString: sf_error_number(code))
    return DecodingError(
      .damaged, file: file, call: "sf_open_virtual", code: code, detail: detail)
  }

  static func containerName(_ format: Int32) -> String {
    switch Int(format) & Int(SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV, SF_FORMAT_WAVEX: "WAV"
    case SF_FORMAT_RF64: "RF64"
    case SF_FORMAT_W64: "Wave64"
    case SF_FORMAT_FLAC: "FLAC"
    case SF_FORMAT_AIFF: "AIFF"
    case SF_FORMAT_CAF: "CAF"
    case SF_FORMAT_AU: "AU"
    default: "libsndfile format \(format)"
    }
  }

  static func precision(_ format: Int32) -> SamplePrecision {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: .integer(bits: 8)
    case SF_FORMAT_PCM_16, SF_FORMAT_ALAC_16: .integer(bits: 16)
    case SF_FORMAT_ALAC_20: .integer(bits: 20)
    case SF_FORMAT_PCM_24, SF_FORMAT_ALAC_24: .integer(bits: 24)
    case SF_FORMAT_PCM_32, SF_FORMAT_ALAC_32: .integer(bits: 32)
    case SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE: .float
    default: .lossy
    }
  }

  static func codecName(_ format: Int32) -> String {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: "PCM 8-bit"
    case SF_FORMAT_PCM_16: "PCM 16-bit"
    case SF_FORMAT_PCM_24: "PCM 24-bit"
    case SF_FORMAT_PCM_32: "PCM 32-bit"
    case SF_FORMAT_FLOAT: "PCM float"
    case SF_FORMAT_DOUBLE: "PCM double"
    default: "compressed"
    }
  }
}
