// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
public import Analysis
import Annotation
import AudioCore
import Decoding
import Glibc
public import Quran
public import Timings

extension AlignmentWorkflow {
  /// Whether a file holds the ayat that it is named by, whole and alone; whether it is cut, the other files of its set tell
  /// (``AyahFileCheck/judgingCuts(in:)``). Blocks.
  ///
  /// - Parameter words: when its words are said, as somebody has published it, for a file with one ayah.
  /// - Throws: ``AnalysisError`` where something other than the file is wrong, or the flag was raised.
  public func checkAyahFile(
    _ path: String, holds ayat: AyahRange, words: PublishedTimings.Ayah? = nil
  ) throws(AnalysisError) -> AyahFileCheck {
    let recording: AnalyzedRecording
    do throws(AnalysisError) {
      recording = try measure(path: path, track: nil)
    } catch {
      guard case .decoding(let problem) = error else { throw error }
      return AyahFileCheck([.notDecodable(problem.explanation)])
    }
    var check = AyahFileCheck([])
    if let warning = recording.warnings.first(where: { $0.isDamage }) {
      check.findings.append(.damaged(warning.description))
    }
    let heard = heard(recording)
    let aligner = try aligner(heard)
    guard aligner.hearsVoice else {
      check.findings.append(.silent)
      return check
    }
    let held = aligner.heldText(of: ayat)
    if stopFlag.isStopped { throw .cancelled }
    if held.map({ aligner.isOtherText($0) }) ?? true {
      let other = aligner.likeliestAyah(insteadOf: ayat)
      if stopFlag.isStopped { throw .cancelled }
      check.otherEvidence = other?.advantage
      guard let other, other.advantage < Self.clearlyOther else {
        check.findings.append(.otherAyah(heard: other?.ayah))
        return check
      }
    }
    guard let held else { return check }
    (check.startLevel, check.endLevel) = try Self.edgeLevels(recording.envelope)
    check.startEvidence = held.start.gain
    check.endEvidence = held.end.gain
    check.findings += check.edgeFindings(held, in: ayat)
    if let words {
      let spoken = try spokenWords(of: words.ayah, in: heard)
      do throws(WordsCheck.Obstacle) {
        check.add(try WordsCheck(words, heard: spoken))
      } catch {
        check.wordsObstacle = error
      }
    }
    return check
  }

  /// When the words of a file with one ayah are heard; none where another text is.
  private func spokenWords(
    of ayah: AyahReference, in heard: HeardRecording
  ) throws(AnalysisError) -> [WordsCheck.Heard] {
    let rate = heard.envelope.grid.rate
    let words = try words(of: ayah, in: .zero..<(.zero + heard.envelope.length), of: heard)
    return (words ?? []).map {
      .init(
        $0.number, from: $0.span.lowerBound.seconds(at: rate),
        to: $0.span.upperBound.seconds(at: rate))
    }
  }

  /// Nats by which another place fits better where that is what is heard: 48 to 302 for 45 swapped files, 36 at most for
  /// short ayat that are the right ones (`Scripts/measure-ayah-files.py`).
  private static let clearlyOther = 40.0

  /// How loud the first and the last twentieth of a second are, in decibels below the loudest twentieth part.
  private static func edgeLevels(
    _ envelope: Envelope
  ) throws(AnalysisError) -> (start: Double, end: Double) {
    let levels = try envelope.hops(in: 0..<envelope.hopCount).map { Double($0.meanSquare) }
    guard !levels.isEmpty else { return (-100, -100) }
    let loud = levels.sorted()[levels.count * 19 / 20]
    func level(_ hops: ArraySlice<Double>) -> Double {
      let mean = hops.reduce(0, +) / Double(hops.count)
      return max(
        -100, 10 * log10(max(mean, .leastNormalMagnitude) / max(loud, .leastNormalMagnitude)))
    }
    return (level(levels.prefix(5)), level(levels.suffix(5)))
  }
}

extension AyahFileCheck {
  /// What the edges of a text tell of a file that is named by some ayat, but for cuts.
  fileprivate mutating func edgeFindings(_ held: HeldText, in ayat: AyahRange) -> [AyahFileFinding]
  {
    let (start, end) = (held.start, held.end)
    let isOtherStart = start.gain > Self.leastEvidence
    let isOtherEnd = end.gain > Self.leastEvidence
    if isOtherStart && isOtherEnd {
      // All of it lies before what it is named by, or after it.
      if end.ayah < ayat.first { return [.otherAyah(heard: end.ayah)] }
      if start.ayah > ayat.last { return [.otherAyah(heard: start.ayah)] }
    }
    var findings: [AyahFileFinding] = []
    if isOtherStart, start.ayah < ayat.first {
      findings.append(.alsoHolds(start.ayah, isWhole: start.word == 0))
    } else {
      startMissing = isOtherStart && start.ayah == ayat.first ? start.word : 0
    }
    if isOtherEnd, end.ayah > ayat.last {
      findings.append(.alsoHolds(end.ayah, isWhole: end.word + 1 == end.wordCount))
    } else {
      endMissing = isOtherEnd && end.ayah == ayat.last ? end.wordCount - 1 - end.word : 0
    }
    return findings
  }

  /// Nats by which a neighbour is heard: of 1,200 files without one, one has more
  /// (`Scripts/measure-ayah-files.py`).
  private static let leastEvidence = 20.0
}

extension DecodingWarning {
  /// Whether a part of the recording is missing or changed.
  fileprivate var isDamage: Bool {
    switch self {
    case .endsEarly, .cutOff, .formatChange, .damaged, .missing: true
    case .notFinite, .cancelledChannels: false
    }
  }
}
