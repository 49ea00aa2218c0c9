// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Small files that claim to be large.
@Suite struct HostileFileTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// 40 kB, in which a text of two gigabytes begins.
  static func textInRIFF(_ form: String, _ chunks: [UInt8]) -> [UInt8] {
    let info =
      Array("LIST".utf8) + little(0x7FFF_FF00) + Array("INFOINAM".utf8) + little(0x7FFF_FE00)
    let head = Array("RIFF".utf8) + little(39_992) + Array(form.utf8) + chunks + info
    return head + [UInt8](repeating: 0, count: 40_000 - head.count)
  }

  static var files: [(name: String, bytes: [UInt8])] {
    let format =
      Array("fmt ".utf8) + little(16) + [1, 0, 1, 0] + little(8000) + little(16_000) + [
        2, 0, 16, 0,
      ]
    return [
      ("text.wav", textInRIFF("WAVE", format)), ("text.avi", textInRIFF("AVI ", [])),
      ("packets.m4a", movie(trackCount: 1, packets: 88_000_000)),
      ("tracks.m4a", movie(trackCount: 20, packets: 10_000_000)),
      ("fragment.m4a", movie(trackCount: 1, packets: 0, fragment: 80_000_000)),
    ]
  }

  @Test(arguments: files.map(\.name))
  func takesNoMemoryForWhatIsNotThere(_ name: String) throws {
    let bytes = try #require(Self.files.first { $0.name == name }).bytes
    let path = try folder.write(bytes, to: name)
    let worker = Process()
    let (input, output) = (Pipe(), Pipe())
    worker.executableURL = URL(fileURLWithPath: Program.path)
    worker.arguments = ["auto-detect-worker", "--format", "jsonl", "--no-cache"]
    worker.environment = ProcessInfo.processInfo.environment.merging(
      ["TILAWA_HOME": program.home]) { $1 }
    worker.standardInput = input
    worker.standardOutput = output
    try worker.run()
    try input.fileHandleForWriting.write(contentsOf: Data(path.utf8 + [0]))
    // The answer ends with the report, and the worker waits for the next file.
    var answer = ""
    while !answer.contains("\n{\"schema\""),
      case let data = output.fileHandleForReading.availableData,
      !data.isEmpty
    { answer += String(decoding: data, as: UTF8.self) }
    let status = try String(
      contentsOfFile: "/proc/\(worker.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let kilobytes = try #require(Int(line.filter(\.isNumber)))
    #expect(kilobytes < 512 << 10)
    #expect(answer.contains("\"error\""))
    try input.fileHandleForWriting.close()
    worker.waitUntilExit()
    #expect(worker.terminationReason == .exit && worker.terminationStatus == 0)
  }

  private static func movie(
    trackCount: Int, packets: UInt32, fragment: UInt32? = nil
  ) -> [UInt8] {
    let entry =
      [UInt8](repeating: 0, count: 6) + [0, 1] + [UInt8](repeating: 0, count: 8)
      + [0, 2, 0, 16, 0, 0, 0, 0] + big(44_100 << 16)
    let description = big(0) + big(1) + box("mp4a", entry)
    let tables =
      box("stsd", description) + box("stts", big(0) + big(1) + big(packets) + big(1024))
      + box("stsc", big(0) + big(1) + big(1) + big(packets) + big(1))
      + box("stsz", big(0) + big(2) + big(packets)) + box("stco", big(0) + big(1) + big(3000))
    let references = box("dinf", box("dref", big(0) + big(1) + box("url ", big(1))))
    let media =
      box("mdhd", big(0) + big(0) + big(0) + big(44_100) + big(.max >> 1) + [0x55, 0xC4, 0, 0])
      + box("hdlr", big(0) + big(0) + Array("soun".utf8) + [UInt8](repeating: 0, count: 13))
      + box("minf", box("smhd", big(0) + big(0)) + references + box("stbl", tables))
    let tracks = (1...trackCount).flatMap { number in
      box(
        "trak",
        box(
          "tkhd",
          big(7) + big(0) + big(0) + big(UInt32(number)) + big(0) + big(1000)
            + [UInt8](repeating: 0, count: 60))
          + box("mdia", media))
    }
    let header =
      big(0) + big(0) + big(0) + big(1000) + big(1000) + [UInt8](repeating: 0, count: 80)
    var file = box("ftyp", Array("M4A ".utf8) + big(0) + Array("M4A ".utf8))
    let extends = box("mvex", box("trex", big(0) + big(1) + big(1) + big(1024) + big(2) + big(0)))
    file += box("moov", box("mvhd", header) + tracks + (fragment == nil ? [] : extends))
    if let fragment {
      let run = box("tfhd", big(0) + big(1)) + box("trun", big(1) + big(fragment) + big(100))
      file += box("moof", box("mfhd", big(0) + big(1)) + box("traf", run))
    }
    return file + box("mdat", [UInt8](repeating: 0x21, count: 40_000 - min(file.count, 39_000)))
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(UInt32(8 + content.count)) + Array(type.utf8) + content
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func little(_ number: UInt32) -> [UInt8] { big(number).reversed() }
}
