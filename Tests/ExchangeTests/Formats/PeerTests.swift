// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Exchange

/// The programs that the formats belong to read what is written, and what they write is read.
@Suite struct PeerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a program that must succeed; gives back its standard output.
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) \(arguments)")
    return String(decoding: data, as: UTF8.self)
  }

  private func write(_ format: LabelFormat, _ recording: AnnotatedRecording, _ name: String) throws
    -> String
  {
    try folder.write(Array(format.text(of: recording).utf8), to: name)
  }

  private func imported(
    _ path: String, _ format: LabelFormat, _ recording: AnnotatedRecording
  ) throws -> AnnotationDocument {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    return try LabelImport(
      reading: bytes, as: format, length: recording.document.length,
      rate: recording.document.rate
    ).document
  }

  /// What all of these formats keep of a document.
  private func kept(_ document: AnnotationDocument) -> [String] {
    document.segments.map {
      "\($0.span) \($0.assignment as Any) \($0.content.note) \($0.content.isFlagged)"
    }
  }

  // MARK: Praat

  private static let praatScript = """
    form Files
      sentence Source
      sentence Short
      sentence Long
    endform
    Read from file: source$
    tiers = Get number of tiers
    for tier to tiers
      name$ = Get tier name: tier
      isInterval = Is interval tier: tier
      if isInterval
        count = Get number of intervals: tier
      else
        count = Get number of points: tier
      endif
      appendInfoLine: name$, " ", count
    endfor
    Save as short text file: short$
    Save as text file: long$
    """

  @Test(.enabled(if: isInstalled("praat"), "praat is not installed"))
  func praatReadsAndWritesTextGrids() throws {
    let script = try folder.write(Array(Self.praatScript.utf8), to: "script.praat")
    var recordings = RandomRecordings(seed: 20)
    for round in 0..<3 {
      let recording = round == 0 ? try shortRecording() : try recordings.recording(at: cdRate)
      let source = try write(.textgrid, recording, "source.TextGrid")
      let short = folder.path("short.TextGrid")
      let long = folder.path("long.TextGrid")
      let output = try run("praat", ["--run", script, source, short, long])
      if round == 0 { #expect(output == "segments 6\njoins 3\nnotes 3\nflags 3\n") }
      #expect(output.hasPrefix("segments \(recording.document.segments.count)\n"))
      for path in [short, long] {
        #expect(
          kept(try imported(path, .textgrid, recording)) == kept(recording.document))
      }
    }
  }

  // MARK: FFmpeg

  @Test(.enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"))
  func ffmpegTurnsSubtitlesIntoEachOther() throws {
    let recording = try shortRecording()
    let there = try write(.vtt, recording, "a.vtt")
    let back = try write(.srt, recording, "b.srt")
    _ = try run("ffmpeg", ["-v", "error", "-xerror", "-i", there, folder.path("a.srt")])
    _ = try run("ffmpeg", ["-v", "error", "-xerror", "-i", back, folder.path("b.vtt")])
    let expected = kept(try imported(there, .vtt, recording))
    #expect(expected.count == 9)
    #expect(kept(try imported(folder.path("a.srt"), .srt, recording)) == expected)
    #expect(kept(try imported(folder.path("b.vtt"), .vtt, recording)) == expected)
  }

  private struct Chapters: Decodable {
    struct Chapter: Decodable {
      let time_base: String
      let start: Int64
      let end: Int64
      let tags: [String: String]
    }
    struct Format: Decodable { let tags: [String: String] }
    let chapters: [Chapter]
    let format: Format
  }

  @Test(.enabled(if: isInstalled("ffprobe"), "ffprobe is not installed"))
  func ffprobeReadsChaptersToTheFrame() throws {
    var recordings = RandomRecordings(seed: 21)
    for round in 0..<4 {
      var recording = round == 0 ? try shortRecording() : try recordings.recording(at: cdRate)
      recording.title = "a = b; #c \\ d"
      let path = try write(.ffmetadata, recording, "chapters.ffmetadata")
      let output = try run(
        "ffprobe",
        ["-v", "error", "-f", "ffmetadata", "-show_chapters", "-show_format", "-of", "json", path])
      let read = try JSONDecoder().decode(Chapters.self, from: Data(output.utf8))
      let pieces = recording.pieces(.recited)
      #expect(read.chapters.map(\.start) == pieces.map(\.span.lowerBound.frames))
      #expect(read.chapters.map(\.end) == pieces.map(\.span.upperBound.frames))
      #expect(read.chapters.map { $0.tags["title"] } == pieces.map(\.title))
      #expect(read.chapters.allSatisfy { $0.time_base == "1/44100" })
      #expect(read.format.tags["title"] == recording.title)

      guard isInstalled("ffmpeg") else { continue }
      let again = folder.path("again.ffmetadata")
      _ = try run(
        "ffmpeg", ["-v", "error", "-y", "-f", "ffmetadata", "-i", path, "-f", "ffmetadata", again])
      #expect(
        kept(try imported(again, .ffmetadata, recording))
          == kept(try imported(path, .ffmetadata, recording)))
    }
  }

  // MARK: A browser

  @Test(.enabled(if: isInstalled("chromium"), "chromium is not installed"))
  func aBrowserShowsTheCues() throws {
    let recording = try shortRecording()
    let vtt = JSONValue.string(LabelFormat.vtt.text(of: recording)).text
    // The timer keeps the page from being written out before the track has loaded.
    let page = """
      <!doctype html><video id="video"></video><pre id="cues"></pre><script>
      const track = document.createElement('track')
      track.src = URL.createObjectURL(new Blob([\(vtt)], {type: 'text/vtt'}))
      track.onload = () => { cues.textContent = JSON.stringify(
        Array.from(track.track.cues).map(c => [c.startTime, c.endTime, c.getCueAsHTML().textContent])) }
      video.append(track)
      track.track.mode = 'hidden'
      setTimeout(() => {}, 2000)
      </script>
      """
    let path = try folder.write(Array(page.utf8), to: "cues.html")
    let output = try run(
      "chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000",
        "--user-data-dir=\(folder.path("profile"))", "--dump-dom", "file://" + path,
      ])
    let start = try #require(output.range(of: "<pre id=\"cues\">")).upperBound
    let text = output[start...].prefix(upTo: try #require(output[start...].firstIndex(of: "<")))
    let cues = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[Any]])
    let rate = recording.document.rate
    let pieces = recording.pieces(.recited)
    #expect(cues.count == pieces.count)
    for (cue, piece) in zip(cues, pieces) {
      let start = try #require(cue[0] as? Double)
      #expect(abs(start - piece.span.lowerBound.seconds(at: rate)) <= 0.0005)
      #expect(cue[2] as? String == piece.title)
    }
  }

  // MARK: XML

  /// What `EAFv3.0.xsd` asks for, as far as it concerns what is written: the order of elements, the
  /// attributes that have to be there, and that all references lead somewhere.
  private static let elanScript = """
    import sys, xml.etree.ElementTree as tree
    root = tree.parse(sys.argv[1]).getroot()
    assert root.tag == 'ANNOTATION_DOCUMENT'
    assert {'DATE', 'AUTHOR', 'VERSION'} <= root.attrib.keys() and root.get('FORMAT') == '3.0'
    order = ['HEADER', 'TIME_ORDER', 'TIER', 'LINGUISTIC_TYPE', 'CONSTRAINT']
    places = [order.index(child.tag) for child in root]
    assert places == sorted(places) and places.count(0) == 1 and places.count(1) == 1
    for media in root.iter('MEDIA_DESCRIPTOR'):
        assert {'MEDIA_URL', 'MIME_TYPE'} <= media.attrib.keys()
    times = [int(slot.get('TIME_VALUE')) for slot in root.iter('TIME_SLOT')]
    assert times == sorted(times)
    slots = {s.get('TIME_SLOT_ID'): int(s.get('TIME_VALUE')) for s in root.iter('TIME_SLOT')}
    assert len(slots) == len(times)
    constraints = {c.get('STEREOTYPE') for c in root.iter('CONSTRAINT')}
    types = {t.get('LINGUISTIC_TYPE_ID'): t for t in root.iter('LINGUISTIC_TYPE')}
    tiers = {t.get('TIER_ID') for t in root.iter('TIER')}
    spans, names = {}, set()
    for tier in root.iter('TIER'):
        kind = types[tier.get('LINGUISTIC_TYPE_REF')]
        parent, constraint = tier.get('PARENT_REF'), kind.get('CONSTRAINTS')
        assert (parent is None) == (constraint is None)
        assert parent is None or parent in tiers and constraint in constraints
        reached = 0
        for annotation in tier:
            [body] = annotation
            assert annotation.tag == 'ANNOTATION' and [v.tag for v in body] == ['ANNOTATION_VALUE']
            name = body.get('ANNOTATION_ID')
            assert name not in names
            names.add(name)
            if body.tag == 'ALIGNABLE_ANNOTATION':
                assert kind.get('TIME_ALIGNABLE') == 'true'
                start, end = slots[body.get('TIME_SLOT_REF1')], slots[body.get('TIME_SLOT_REF2')]
                assert reached <= start < end
                reached = end
                spans[name] = (start, end)
                if parent:
                    assert any(s <= start and end <= e for s, e in spans.values())
            else:
                assert body.tag == 'REF_ANNOTATION' and kind.get('TIME_ALIGNABLE') == 'false'
                assert body.get('ANNOTATION_REF') in spans
    print(len(names))
    """

  @Test(.enabled(if: isInstalled("python3"), "python3 is not installed"))
  func elanFilesHoldToTheirSchema() throws {
    let script = try folder.write(Array(Self.elanScript.utf8), to: "check.py")
    var recordings = RandomRecordings(seed: 22)
    for round in 0..<4 {
      let recording = round == 0 ? try shortRecording() : try recordings.recording(at: cdRate)
      let output = try run("python3", [script, try write(.eaf, recording, "a.eaf")])
      if round == 0 { #expect(output == "13\n") }
    }
  }
}

private func isInstalled(_ program: String) -> Bool {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  return folders.contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}
