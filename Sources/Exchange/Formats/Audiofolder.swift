// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import Quran

/// An audio file that holds one ayah, or a part of it, cut out of a recording.
public struct AyahFile: Hashable, Sendable {
  /// Relative to the folder of all of them, with `/` between folders.
  public var name: String
  public var passage: Passage

  public init(name: String, passage: Passage) {
    self.name = name
    self.passage = passage
  }

  /// A file for each ayah heard in a recording, pairs and runs cut at their joins: `002255.flac`, and
  /// `002255-2.flac` for the second time it is heard, whole or in part.
  public static func files(of recording: AnnotatedRecording, ending: String) -> [AyahFile] {
    var times: [AyahReference: Int] = [:]
    return recording.document.segments.flatMap(\.passages).map { passage in
      let time = times[passage.ayah, default: 0] + 1
      times[passage.ayah] = time
      let number = String(passage.ayah.surah.number * 1000 + passage.ayah.ayah)
      let name = String(repeating: "0", count: 6 - number.count) + number
      return AyahFile(
        name: "\(name)\(time == 1 ? "" : "-\(time)").\(ending)", passage: passage)
    }
  }
}

/// The table that makes a folder of audio files a data set: `metadata.csv` with `file_name` first.
///
/// Source: Hugging Face, "Create an audio dataset", AudioFolder.
public enum Audiofolder {
  /// Columns are `file_name,surah,ayah,part,surah_name,start,end,duration,source,reciter,riwayah,`
  /// `recording_date`; times are seconds in the recording with the fewest decimals that give back the
  /// frame, `part` is empty for a whole ayah.
  public static func metadata(of files: [AyahFile], from recording: AnnotatedRecording) -> String {
    let rate = recording.document.rate
    let header = [
      "file_name", "surah", "ayah", "part", "surah_name", "start", "end", "duration", "source",
      "reciter", "riwayah", "recording_date",
    ]
    let rows = files.map { file in
      let passage = file.passage
      return [
        file.name,
        String(passage.ayah.surah.number),
        String(passage.ayah.ayah),
        passage.part?.rawValue ?? "",
        passage.ayah.surah.name,
        TimeText.seconds(passage.span.lowerBound, at: rate),
        TimeText.seconds(passage.span.upperBound, at: rate),
        TimeText.seconds(passage.span.length, at: rate),
        recording.mediaFile ?? "",
        recording.reciter ?? "",
        recording.riwayah?.rawValue ?? "",
        recording.recordingDate ?? "",
      ]
    }
    return ([header] + rows).map(CSV.line).joined()
  }
}
