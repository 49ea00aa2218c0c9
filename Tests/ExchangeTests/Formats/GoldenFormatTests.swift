// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Testing

@testable import Exchange

/// Whole texts, as the programs that read them want them.
@Suite struct GoldenFormatTests {
  private func text(_ format: LabelFormat, _ inclusion: Inclusion? = nil) throws -> String {
    format.text(of: try shortRecording(), including: inclusion)
  }

  @Test func audacity() throws {
    #expect(
      try text(.audacity) == """
        0.000000\t5.000000\tisti'adhah + basmalah (2)
        5.000000\t15.000000\t2:286 | 3:1
        10.000000\t10.000000\t3:1
        15.000000\t20.000000\t93:1-3
        15.873016\t15.873016\t93:2
        17.006803\t17.006803\t93:3
        20.000000\t25.000000\tunused: takbir
        25.000000\t27.500000\t2:5 (end)
        27.500000\t30.000000\t

        """)
  }

  @Test func textGrid() throws {
    let text = try text(.textgrid)
    #expect(
      text.hasPrefix(
        """
        File type = "ooTextFile"
        Object class = "TextGrid"

        xmin = 0
        xmax = 30
        tiers? <exists>
        size = 4
        item []:
            item [1]:
                class = "IntervalTier"
                name = "segments"
                xmin = 0
                xmax = 30
                intervals: size = 6
                intervals [1]:
                    xmin = 0
                    xmax = 5
                    text = "isti'adhah + basmalah (2)"

        """))
    #expect(
      text.contains(
        """
            item [2]:
                class = "TextTier"
                name = "joins"
                xmin = 0
                xmax = 30
                points: size = 3
                points [1]:
                    number = 10
                    mark = "3:1"
                points [2]:
                    number = 15.87302
                    mark = "93:2"

        """))
    #expect(text.contains("text = \"in one breath;\n\"\"quickly\"\"\"\n"))
  }

  @Test func elan() throws {
    let lines = try text(.eaf).split(separator: "\n").map { String($0.drop { $0 == " " }) }
    let head: [String] = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      [
        #"<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-03-11T00:00:00Z" FORMAT="3.0" VERSION="3.0""#,
        #"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#,
        #"xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">"#,
      ].joined(separator: " "),
      #"<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">"#,
      [
        #"<MEDIA_DESCRIPTOR MEDIA_URL="./night-27.m4a" MIME_TYPE="audio/mp4""#,
        #"RELATIVE_MEDIA_URL="./night-27.m4a"/>"#,
      ].joined(separator: " "),
      #"<PROPERTY NAME="lastUsedAnnotationId">13</PROPERTY>"#,
      "</HEADER>",
      "<TIME_ORDER>",
    ]
    #expect(Array(lines.prefix(7)) == head)
    let tiers: [String] = ["joins", "notes", "flags"].map {
      #"<TIER LINGUISTIC_TYPE_REF="\#($0)" PARENT_REF="segments" PARTICIPANT="محمد" TIER_ID="\#($0)">"#
    }
    #expect(lines.filter { $0.hasPrefix("<TIER") }.dropFirst() == tiers[...])
    for line in [
      #"<TIER LINGUISTIC_TYPE_REF="segments" PARTICIPANT="محمد" TIER_ID="segments">"#,
      #"<ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts5">"#,
      #"<ALIGNABLE_ANNOTATION ANNOTATION_ID="a4" TIME_SLOT_REF1="ts4" TIME_SLOT_REF2="ts5">"#,
      #"<REF_ANNOTATION ANNOTATION_ID="a5" ANNOTATION_REF="a2">"#,
    ] { #expect(lines.contains(line)) }
  }

  @Test func webVTT() throws {
    #expect(
      try text(.vtt) == """
        WEBVTT

        00:00:00.000 --> 00:00:05.000
        Isti'adhah + basmalah (Al-Baqarah)

        00:00:05.000 --> 00:00:10.000
        Al-Baqarah 286

        00:00:10.000 --> 00:00:15.000
        Ali 'Imran 1

        00:00:15.000 --> 00:00:15.873
        Ad-Duhaa 1

        00:00:15.873 --> 00:00:17.007
        Ad-Duhaa 2

        00:00:17.007 --> 00:00:20.000
        Ad-Duhaa 3

        00:00:25.000 --> 00:00:27.500
        Al-Baqarah 5 (end)

        """)
  }

  @Test func subRip() throws {
    #expect(
      try text(.srt).hasPrefix(
        """
        1
        00:00:00,000 --> 00:00:05,000
        Isti'adhah + basmalah (Al-Baqarah)

        2
        00:00:05,000 --> 00:00:10,000
        Al-Baqarah 286

        """))
  }

  @Test func tables() throws {
    let lines = [
      "start,end,kind,label,surah,ayah,confidence,joins,confirmed,flagged,note",
      "0,5,lead_in,isti'adhah + basmalah (2),2,,,,yes,,",
      "5,15,cross_surah,2:286 | 3:1,2,286,,10,yes,yes,\"in one breath;\n\"\"quickly\"\"\"",
      "15,20,ayat,93:1-3,93,1,,15.87302 17.0068,,,",
      "20,25,unused,unused: takbir,,,0.25,,,,",
      "25,27.5,ayah,2:5 (end),2,5,0.5,,,,",
      "27.5,30,unassigned,,,,,,,,",
      "",
    ]
    #expect(try text(.csv) == lines.joined(separator: "\r\n"))
    #expect(
      try text(.tsv).split(separator: "\n")[2]
        == "5\t15\tcross_surah\t2:286 | 3:1\t2\t286\t\t10\tyes\tyes\tin one breath; \"quickly\"")
  }

  @Test func json() throws {
    let lines = try text(.json, .recited).split(separator: "\n").map { String($0) }
    #expect(lines.count == 7)
    let head = [
      #"{"schema":"tilawa.segments/1","file":"night-27.m4a","title":"Night 27","reciter":"محمد","#,
      #""riwayah":"hafs","recording_date":"2026-03-11","duration_seconds":30,"sample_rate":44100,"#,
      #""frames":1323000,"#,
    ]
    #expect(lines[0] == head.joined())
    #expect(lines[2].contains(#""confidence":null,"confirmed":true"#), "a decision is sure")
    let pair = [
      #"{"start":5,"end":15,"label":"2:286 | 3:1","assignment":{"kind":"cross_surah","surah":2,"#,
      #""ayah":286,"join":10,"end_surah":3,"end_ayah":1},"confidence":null,"confirmed":true,"#,
      #""flagged":true,"note":"in one breath;\n\"quickly\""},"#,
    ]
    #expect(lines[3] == pair.joined())
  }

  @Test func rttm() throws {
    let text = try text(.rttm)
    #expect(
      text.split(separator: "\n")[..<3] == [
        "SPEAKER night-27 1 0.000000 5.000000 <NA> <NA> isti'adhah_+_basmalah_(2) <NA> <NA>",
        "SPEAKER night-27 1 5.000000 5.000000 <NA> <NA> 2:286 <NA> <NA>",
        "SPEAKER night-27 1 10.000000 5.000000 <NA> <NA> 3:1 <NA> <NA>",
      ])
    #expect(
      text.split(separator: "\n").allSatisfy { line in
        line.split(separator: " ", omittingEmptySubsequences: false).count == 10
      })
  }

  @Test func cueSheet() throws {
    #expect(
      try text(.cue).hasPrefix(
        """
        REM DATE "2026-03-11"
        PERFORMER "محمد"
        TITLE "Night 27"
        FILE "night-27.m4a" WAVE
          TRACK 01 AUDIO
            TITLE "Isti'adhah + basmalah (Al-Baqarah)"
            PERFORMER "محمد"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Al-Baqarah 286"
            PERFORMER "محمد"
            INDEX 01 00:05:00

        """))
    #expect(
      try text(.cue).hasSuffix(
        """
            TITLE "Al-Baqarah 5 (end)"
            PERFORMER "محمد"
            INDEX 00 00:20:00
            INDEX 01 00:25:00

        """))
  }

  @Test func podcastChapters() throws {
    #expect(
      try text(.chapters).hasPrefix(
        """
        {"version":"1.2.0","title":"Night 27","author":"محمد","fileName":"night-27.m4a",
        "chapters":[
        {"startTime":0,"endTime":5,"title":"Isti'adhah + basmalah (Al-Baqarah)"},
        {"startTime":5,"endTime":10,"title":"Al-Baqarah 286"},

        """))
    #expect(try text(.chapters).hasSuffix("\n]}\n"))
  }

  @Test func ffmetadata() throws {
    #expect(
      try text(.ffmetadata).hasPrefix(
        """
        ;FFMETADATA1
        title=Night 27
        artist=محمد
        date=2026-03-11
        [CHAPTER]
        TIMEBASE=1/44100
        START=0
        END=220500
        title=Isti'adhah + basmalah (Al-Baqarah)

        """))
  }

  @Test func audiofolder() throws {
    var recording = try shortRecording()
    recording.mediaFile = "a, b.wav"
    let names = [
      "002286.wav", "003001.wav", "093001.wav", "093002.wav", "093003.wav", "002005-end.wav",
    ]
    let passages = recording.document.segments.flatMap(\.passages)
    #expect(passages.count == names.count)
    let entries = zip(names, passages).map { AudiofolderEntry(fileName: $0, passage: $1) }
    let tail = "\"a, b.wav\",محمد,hafs,2026-03-11"
    #expect(
      Audiofolder.metadata(of: entries, from: recording)
        == [
          "file_name,surah,ayah,part,surah_name,start,end,duration,source,reciter,riwayah,"
            + "recording_date",
          "002286.wav,2,286,,Al-Baqarah,5,10,5,\(tail)",
          "003001.wav,3,1,,Ali 'Imran,10,15,5,\(tail)",
          "093001.wav,93,1,,Ad-Duhaa,15,15.87302,0.87302,\(tail)",
          "093002.wav,93,2,,Ad-Duhaa,15.87302,17.0068,1.13379,\(tail)",
          "093003.wav,93,3,,Ad-Duhaa,17.0068,20,2.9932,\(tail)",
          "002005-end.wav,2,5,end,Al-Baqarah,25,27.5,2.5,\(tail)",
          "",
        ].joined(separator: "\r\n"))
  }
}
