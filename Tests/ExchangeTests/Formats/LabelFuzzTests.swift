// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Exchange

/// Good files with random damage: an annotation or a typed error, and nothing else.
@Suite struct LabelFuzzTests {
  /// 60 for each format, or 5,000 when `TILAWA_THOROUGH` is set; another number there gives others.
  static let thorough = ProcessInfo.processInfo.environment["TILAWA_THOROUGH"]
  static let mutationCount = thorough == nil ? 60 : 5000
  static let seed = thorough.flatMap { UInt64($0) } ?? 1

  @Test(arguments: LabelFormat.allCases)
  func damagedFileGivesAnAnnotationOrATypedError(_ format: LabelFormat) throws {
    let recording = try shortRecording()
    let good = Array(format.text(of: recording, including: .everything).utf8)
    let units = Array(String(decoding: good, as: UTF8.self).utf16)
    let utf16: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    var random = SplitMix64(
      state: format.rawValue.utf8.reduce(Self.seed) { $0 &* 131 &+ UInt64($1) })
    var failures = 0
    for round in 0..<Self.mutationCount {
      var bytes = round.isMultiple(of: 10) ? utf16 : good
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, using: &random) }
      do throws(ExchangeError) {
        let result = try LabelImport(
          reading: bytes, as: format, length: recording.document.length,
          rate: recording.document.rate, isConfirmed: round.isMultiple(of: 2),
          tolerance: round.isMultiple(of: 3) ? 0 : LabelImport.defaultTolerance)
        #expect(result.document.length == recording.document.length)
        #expect(result.warnings.allSatisfy { !$0.description.isEmpty })
      } catch {
        failures += 1
        #expect(!error.description.isEmpty)
      }
      _ = LabelFormat(of: bytes)
    }
    #expect(failures > 0)
  }

  /// Numbers and marks that readers have to expect.
  private static let pieces = [
    "nan", "inf", "-1", "-0", "1e999", "99999999999999999999", "0x1p3", "\"", "\t", "\n", "\n\n",
    "\r", "<", ">", "&", "&#0;", "&amp;", "]]>", "-->", "\\", "=", ";", "#", "[CHAPTER]", "\u{0}",
    "\u{202E}", "{", "}", "[", "]", ",", ":", "|", "2:1-6:236", "2:286 | 3:1", "0", "1", "!",
  ].map { Array($0.utf8) }

  private static func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    func place() -> Int { Int.random(in: 0...bytes.count, using: &random) }
    func run(_ longest: Int) -> Range<Int> {
      let start = place()
      return start..<min(bytes.count, start + Int.random(in: 0...longest, using: &random))
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.removeSubrange(place()...)
    case 1: bytes.removeSubrange(run(40))
    case 2: bytes.insert(contentsOf: bytes[run(200)], at: place())
    case 3: bytes.replaceSubrange(run(8), with: pieces.randomElement(using: &random) ?? [])
    case 4: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place())
    case 5: for index in run(6) { bytes[index] = .random(in: 0...255, using: &random) }
    case 6:
      // A digit for a digit keeps most formats whole.
      for _ in 0..<8 {
        let index = place()
        if index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] {
          bytes[index] = .random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &random)
        }
      }
    default:
      for index in run(3) { bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    }
  }
}
