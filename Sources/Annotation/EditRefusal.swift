// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// Why an edit, a change or a kept document was not accepted; nothing was changed then.
public enum EditRefusal: Error, Hashable, Sendable {
  case unknownMarker(MarkerID)
  case unknownSegment(SegmentID)
  /// On the first frame or before it, or after the last.
  case markerOutsideRecording(FramePosition)
  case twoMarkersOnOneFrame(FramePosition)
  case markersOutOfOrder(FramePosition, FramePosition)
  case markerInUse(MarkerID)
  /// Ids are positive.
  case unusableMarkerID(MarkerID)
  /// Not strictly between the edges of its segment.
  case joinOutsideSegment(FramePosition, Range<FramePosition>)
  case joinsOutOfOrder(FramePosition, FramePosition)
  /// Counted from 0.
  case noSuchJoin(SegmentID, Int)
  case wrongNumberOfJoins(Int, for: AyahRange)
  case pairWithinOneSurah(AyahReference, AyahReference)
  case runOfOneAyah(AyahReference)
  /// None of the surahs that begin in it opens with one.
  case noBasmalah(Assignment)
  case nothingToConfirm
  case confirmedBetweenUnconfirmedEdges(SegmentID)
  case nothingToFill
  case suggestionOutsideRange(FramePosition)
  /// A word that is empty, begins before the one before it has ended, or lies outside the recording.
  case wordsOutOfOrder(FramePosition)
  /// Counted from 1.
  case noSuchWord(AyahReference, Int)
  case noSingleFirstSegment
  case documentChanged
}

extension EditRefusal: CustomStringConvertible {
  /// What is wrong and what to do instead, in one line without a full stop; places as frames.
  public var description: String { message { "\($0)" } }

  /// The same with places as minutes and seconds, `1:02.345`.
  public func message(at rate: SampleRate) -> String { message { time($0, at: rate) } }

  private func message(_ place: (FramePosition) -> String) -> String {
    switch self {
    case .unknownMarker(let id):
      "there is no \(id); it may have been deleted"
    case .unknownSegment(let id):
      "\(id) does not exist; its marker may have been deleted"
    case .markerOutsideRecording(let position):
      "\(place(position)) is not inside the recording; put the marker after its start and before its end"
    case .twoMarkersOnOneFrame(let position):
      "there is already a marker at \(place(position)); choose another place"
    case .markersOutOfOrder(let left, let right):
      "the markers at \(place(left)) and \(place(right)) are in the wrong order"
    case .markerInUse(let id):
      "there is already a \(id); give the new one another number"
    case .unusableMarkerID(let id):
      "\(id) is not a valid marker number; use a positive one"
    case .joinOutsideSegment(let join, let span):
      "the join at \(place(join)) is not inside its segment;"
        + " put it after \(place(span.lowerBound)) and before \(place(span.upperBound))"
    case .joinsOutOfOrder(let left, let right):
      "the join at \(place(right)) does not come after the one before it, at \(place(left))"
    case .noSuchJoin(let segment, let index):
      "\(segment) has no join \(index < .max ? index + 1 : index);"
        + " joins are parts of cross-surah pairs and of several ayat in one breath"
    case .wrongNumberOfJoins(let count, let range):
      "\(range.numericDescription) are \(range.count) ayat and need \(range.count - 1) joins, not \(count)"
    case .pairWithinOneSurah(let ayah, let end):
      "\(ayah) and \(end) are in one surah; assign them as several ayat"
    case .runOfOneAyah(let ayah):
      "\(ayah) is one ayah, not several; assign it alone"
    case .noBasmalah(let assignment):
      "\(assignment.withBasmalah(false)) has no basmalah before it; only the first ayah of a surah has one, except in surahs 1 and 9"
    case .nothingToConfirm:
      "an unassigned segment cannot be confirmed; assign it or mark it unused first"
    case .confirmedBetweenUnconfirmedEdges(let segment):
      "\(segment) is confirmed but its edges are not"
    case .nothingToFill:
      "there is nothing to fill here; start at a segment that is neither confirmed nor unused"
    case .suggestionOutsideRange(let position):
      "the suggestion at \(place(position)) is not inside the range that was searched"
    case .wordsOutOfOrder(let position):
      "the word at \(place(position)) is empty, overlaps another or lies outside the recording"
    case .noSuchWord(let ayah, let number):
      "\(ayah) has no word \(number); it has \(QuranSounds.wordCount(of: ayah))"
    case .noSingleFirstSegment:
      "only the first segment may start without a marker"
    case .documentChanged:
      "the annotation has changed since; this step no longer fits"
    }
  }
}

/// Minutes and seconds to the millisecond.
private func time(_ position: FramePosition, at rate: SampleRate) -> String {
  let seconds = position.seconds(at: rate).magnitude
  let milliseconds = Int(exactly: (seconds * 1000).rounded()) ?? .max
  let (whole, thousandths) = milliseconds.quotientAndRemainder(dividingBy: 1000)
  let secondsPart = String(100 + whole % 60).dropFirst()
  let fraction = String(1000 + thousandths).dropFirst()
  return "\(position < .zero ? "-" : "")\(whole / 60):\(secondsPart).\(fraction)"
}
