// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
public import AudioCore

extension LabelFormat {
  /// The labels in a file of this format; times may be any within 31 years of the start.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the line, or in JSON the path;
  ///   ``ExchangeError/tooMuch(_:_:at:)`` beyond a ``LabelLimit``.
  public func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    switch self {
    case .annotation: try AnnotationJSON.labels(in: input)
    case .audacity: try AudacityLabels.labels(in: input)
    case .textgrid: try TextGrid.labels(in: input)
    case .eaf: try ELAN.labels(in: input)
    case .vtt: try WebVTT.labels(in: input)
    case .srt: try SubRip.labels(in: input)
    case .csv: try CSV.labels(in: input)
    case .tsv: try TSV.labels(in: input)
    case .json: try SegmentsJSON.labels(in: input)
    case .rttm: try RTTM.labels(in: input)
    case .cue: try CueSheet.labels(in: input)
    case .chapters: try PodcastChapters.labels(in: input)
    case .ffmetadata: try FFMetadata.labels(in: input)
    case .quranSegments: try QuranSegments.labels(in: input)
    }
  }
}

extension LabelImport {
  /// Reads a file and makes an annotation of it.
  ///
  /// An ``LabelFormat/annotation`` is taken as it is, with its own origins and confirmations; it must
  /// be of a recording as long and of the same rate. For all else see
  /// ``init(_:tier:length:rate:isConfirmed:tolerance:)``.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``, ``ExchangeError/tooMuch(_:_:at:)``,
  ///   ``ExchangeError/noSuchTier(_:tiers:)``, ``ExchangeError/unfittingAnnotation(reason:)``.
  public init(
    reading input: LabelInput, as format: LabelFormat, tier: String? = nil, length: FrameCount,
    rate: SampleRate, isConfirmed: Bool = false, tolerance: Double = defaultTolerance
  ) throws(ExchangeError) {
    guard format == .annotation else {
      try self.init(
        format.labels(in: input), tier: tier, length: length, rate: rate,
        isConfirmed: isConfirmed, tolerance: tolerance)
      return
    }
    let document = try AnnotationJSON.recording(from: input).document
    guard document.length == length, document.rate == rate else {
      throw .unfittingAnnotation(
        reason: "the annotation belongs to a recording of \(document.length) at \(document.rate);"
          + " this recording has \(length) at \(rate)")
    }
    self.init(document)
  }
}

extension LabelFormat {
  /// The annotation of a recording in this format; nothing is read or written.
  ///
  /// - Parameters:
  ///   - inclusion: which segments; nil for those that users of the format want.
  ///   - cells: how ``csv`` and ``tsv`` write texts; the others are no tables.
  public func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion? = nil,
    cells: CellText = .verbatim
  ) -> String {
    let inclusion = inclusion ?? usualInclusion
    return switch self {
    case .annotation: AnnotationJSON.text(of: recording)
    case .audacity: AudacityLabels.text(of: recording, including: inclusion)
    case .textgrid: TextGrid.text(of: recording, including: inclusion)
    case .eaf: ELAN.text(of: recording, including: inclusion)
    case .vtt: WebVTT.text(of: recording, including: inclusion)
    case .srt: SubRip.text(of: recording, including: inclusion)
    case .csv: CSV.text(of: recording, including: inclusion, cells: cells)
    case .tsv: TSV.text(of: recording, including: inclusion, cells: cells)
    case .json: SegmentsJSON.text(of: recording, including: inclusion)
    case .rttm: RTTM.text(of: recording, including: inclusion)
    case .cue: CueSheet.text(of: recording, including: inclusion)
    case .chapters: PodcastChapters.text(of: recording, including: inclusion)
    case .ffmetadata: FFMetadata.text(of: recording, including: inclusion)
    case .quranSegments: QuranSegments.text(of: recording, including: inclusion)
    }
  }

  /// What is written when nobody says: all for those who edit, what is recited for those who listen.
  public var usualInclusion: Inclusion {
    switch self {
    case .annotation, .audacity, .textgrid, .eaf, .csv, .tsv, .json: .everything
    case .rttm: .assigned
    case .vtt, .srt, .cue, .chapters, .ffmetadata, .quranSegments: .recited
    }
  }
}
