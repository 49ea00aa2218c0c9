// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import FoundationXML
import Testing

@testable import Exchange

@Suite struct WaveformPictureTests {
  @Test func isAPNGOfTheSizeOfItsLayout() throws {
    let picture = WaveformPicture(recitation(seconds: 130), width: 900)
    let png = try picture.png()
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let layout = try WaveformPictureLayout(duration: 130, width: 900, secondsPerRow: nil)
    #expect(layout.rowCount == 3)
    #expect(bigEndian(png[16..<20]) == 900)
    #expect(bigEndian(png[20..<24]) == layout.height)
  }

  @Test func isWellFormedSVGOfTheSameSize() throws {
    let svg = try WaveformPicture(recitation(seconds: 130), width: 900).svg()
    let reader = RootReader()
    let parser = XMLParser(data: Data(svg))
    parser.delegate = reader
    #expect(parser.parse(), "\(parser.parserError as Any)")
    let layout = try WaveformPictureLayout(duration: 130, width: 900, secondsPerRow: nil)
    #expect(reader.name == "svg")
    #expect(reader.attributes["viewBox"] == "0 0 900 \(layout.height)")
  }

  @Test func isTheSameEveryTime() throws {
    let picture = WaveformPicture(recitation(seconds: 61), width: 700)
    #expect(try picture.png() == picture.png())
    #expect(try picture.svg() == picture.svg())
  }

  @Test func showsEachOfItsParts() throws {
    let whole = recitation(seconds: 40)
    let png = try WaveformPicture(whole, width: 700).png()
    let changes: [(String, (inout WaveformPictureContent) -> Void)] = [
      ("title", { $0.title += "!" }),
      ("columns", { $0.columns.removeAll() }),
      ("pauses", { $0.pauses[0].confidence = 0 }),
      ("boundary's time", { $0.boundaries[0].time += 1 }),
      ("boundary's confidence", { $0.boundaries[0].confidence = 0 }),
      ("label", { $0.boundaries[0].label = "3:1" }),
      ("noise floor", { $0.noiseFloor = [] }),
      ("threshold", { $0.threshold = [0.2] }),
    ]
    for (part, change) in changes {
      var content = whole
      change(&content)
      #expect(try WaveformPicture(content, width: 700).png() != png, "\(part)")
    }
    #expect(try WaveformPicture(whole, width: 700, scale: .decibels).png() != png)
    #expect(try WaveformPicture(whole, width: 700, secondsPerRow: 10).png() != png)
  }

  @Test(arguments: [WaveformPicture.Scale.linear, .decibels])
  func survivesNonsense(scale: WaveformPicture.Scale) throws {
    let odd = [Double.nan, .infinity, -.infinity, -1, 0, 5, 1e300]
    for value in odd {
      let amplitude = Float(value)
      let content = WaveformPictureContent(
        title: "a\0b\n\u{202E}\u{1B}[2J" + String(repeating: "س", count: 2000), duration: 10,
        columns: [
          .init(minimum: amplitude, maximum: amplitude, rms: amplitude),
          .init(minimum: -1, maximum: 1, rms: 0.1),
        ], detector: "\u{7}",
        pauses: [
          .init(start: value, end: 4, confidence: value),
          .init(start: 5, end: value, confidence: 1),
        ],
        boundaries: [.init(time: value, confidence: value, label: "\n")],
        noiseFloor: [amplitude, 0.1], threshold: [amplitude])
      let layout = try WaveformPictureLayout(duration: 10, width: 640, secondsPerRow: nil)
      let png = try WaveformPicture(content, width: 640, scale: scale).png()
      #expect(bigEndian(png[16..<20]) == 640 && bigEndian(png[20..<24]) == layout.height)
      let svg = try WaveformPicture(content, width: 640, scale: scale).svg()
      #expect(XMLParser(data: Data(svg)).parse(), "\(value)")
      let empty = WaveformPictureContent(title: "", duration: min(value, 1e6), columns: [])
      let picture = try WaveformPicture(empty, width: 640, secondsPerRow: nil, scale: scale).png()
      #expect(bigEndian(picture[16..<20]) == 640)
    }
  }

  @Test func showsAReport() {
    var report = everyKind
    report.file = "nights/3/night.m4a"
    report.boundaries = [
      .init(frame(5.231), confidence: 0.97), .init(frame(7), confidence: 0.5),
      .init(frame(28), confidence: 0.2),
    ]
    let content = WaveformPictureContent(report, columns: [], threshold: [0.02])
    #expect(content.title == "night.m4a")
    #expect(content.duration == 30)
    #expect(content.detector == "adaptive")
    #expect(content.pauses.map(\.confidence) == [0.93, 0.5])
    #expect(content.boundaries.map(\.label) == ["2:285", "", ""])
    #expect(abs(content.boundaries[0].time - 5.231) < 1e-4)
    #expect(content.threshold == [0.02])
  }

  @Test func refusesSizesThatCannotBeDrawn() {
    let content = recitation(seconds: 3)
    for width in [Int.min, -1, 0, 639, 8001, .max] {
      #expect(throws: ExchangeError.self) { try WaveformPicture(content, width: width).png() }
    }
    #expect(throws: ExchangeError.self) {
      try WaveformPicture(content, width: 640, secondsPerRow: 1e-300).png()
    }
    var endless = content
    endless.duration = 1e300
    #expect(throws: ExchangeError.self) {
      try WaveformPicture(endless, width: 640, secondsPerRow: 60).svg()
    }
  }

  @Test func saysWhatCairoSays() {
    #expect(
      throws: ExchangeError.cairo(
        call: "cairo_image_surface_create", status: 32,
        text: "invalid value (typically too big) for the size of the input (surface, pattern, etc.)"
      )
    ) {
      _ = try CairoCanvas(.png, width: 100_000, height: 1)
    }
  }

  private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Keeps the first element of a document.
private final class RootReader: NSObject, XMLParserDelegate {
  var name = ""
  var attributes: [String: String] = [:]

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard name.isEmpty else { return }
    name = elementName
    self.attributes = attributes
  }
}

@Suite struct WaveformPictureLayoutTests {
  @Test(
    arguments: [
      (0, nil, 1, 1), (3, nil, 3, 1), (60, nil, 60, 1), (61, nil, 60, 2), (2700, nil, 60, 45),
      (5400, nil, 120, 45), (36_000, nil, 1200, 30), (300, 60, 60, 5), (300, 1000, 300, 1),
      (10, -1, 1, 1), (.nan, nil, 1, 1),
    ] as [(Double, Double?, Double, Int)])
  func breaksIntoRows(duration: Double, asked: Double?, perRow: Double, rows: Int) throws {
    let layout = try WaveformPictureLayout(duration: duration, width: 1600, secondsPerRow: asked)
    #expect(layout.rowCount == rows)
    if asked != -1 { #expect(layout.secondsPerRow == perRow) }
  }

  @Test func rowsFollowOneAnother() throws {
    let layout = try WaveformPictureLayout(duration: 130, width: 1600, secondsPerRow: 60)
    #expect(layout.span(ofRow: 0) == 0...60)
    #expect(layout.span(ofRow: 2) == 120...130)
    #expect(layout.x(of: 60, inRow: 1) == 24)
    #expect(layout.x(of: 90, inRow: 1) == 800)
    #expect(layout.x(of: 120, inRow: 1) == 1576)
    #expect(layout.ticks(ofRow: 2) == [120_000, 125_000, 130_000])
  }

  @Test(arguments: [1.0, 3, 10, 60, 120, 600, 3600, 7200, 86_400])
  func keepsTicksApart(perRow: Double) throws {
    let layout = try WaveformPictureLayout(
      duration: perRow * 2, width: 1600, secondsPerRow: perRow)
    let spacing = Double(layout.tickStep) / 1000 / perRow * layout.plotWidth
    #expect(spacing >= 90)
    #expect(layout.ticks(ofRow: 1).count >= 2)
  }

  @Test func summarisesColumns() {
    let content = WaveformPictureContent(
      title: "", duration: 4,
      columns: [
        .init(minimum: -0.5, maximum: 0.25, rms: 0.3),
        .init(minimum: -0.1, maximum: 0.75, rms: 0.4),
        .init(minimum: .nan, maximum: .infinity, rms: .nan), .init(minimum: 0, maximum: 0, rms: 0),
      ])
    let summary = content.summary(from: 0, to: 2)
    #expect(summary.minimum == -0.5 && summary.maximum == 0.75)
    #expect(abs(summary.rms - 0.353_553) < 1e-5)
    #expect(content.summary(from: 2.2, to: 2.3) == .init(minimum: 0, maximum: 0, rms: 0))
    #expect(content.summary(from: 90, to: 99) == .init(minimum: 0, maximum: 0, rms: 0))
    #expect(content.peak == 0.75)
    #expect(content.value(of: [1, 2], at: 1.9) == 1)
    #expect(content.value(of: [1, 2], at: 4) == 2)
    #expect(content.value(of: [], at: 4) == nil)
  }
}
