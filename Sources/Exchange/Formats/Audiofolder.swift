// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import Quran

/// An audio file that holds one ayah, or a part of it, cut out of a recording.
public struct AudiofolderEntry: Hashable, Sendable {
  /// Relative to the folder of all of them, with `/` between folders.
  public var fileName: String
  public var passage: Passage

  public init(fileName: String, passage: Passage) {
    self.fileName = fileName
    self.passage = passage
  }
}

/// The table that makes a folder of audio files a data set: `metadata.csv` with `file_name` first.
///
/// Source: Hugging Face, "Create an audio dataset", AudioFolder.
public enum Audiofolder {
  /// Columns are `file_name,surah,ayah,part,surah_name,start,end,duration,source,reciter,riwayah,`
  /// `recording_date`; times are seconds in the recording with the fewest decimals that give back the
  /// frame, `part` is empty for a whole ayah.
  public static func metadata(
    of files: [AudiofolderEntry], from recording: AnnotatedRecording, cells: CellText = .verbatim
  ) -> String {
    let rate = recording.document.rate
    let header = [
      "file_name", "surah", "ayah", "part", "surah_name", "start", "end", "duration", "source",
      "reciter", "riwayah", "recording_date",
    ]
    let rows = files.map { file in
      let passage = file.passage
      return [
        file.fileName,
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
    return ([header] + rows).map { CSV.line($0.map(cells.cell)) }.joined()
  }
}
