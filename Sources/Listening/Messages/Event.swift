// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
public import Quran
public import TerminalUI

/// What has happened.
public enum Event: Sendable {
  case input(InputEvent)
  case perform(Action)
  /// Time has passed since the player began.
  case tick(Duration)
  /// What is heard.
  case playing(NowPlaying)
  /// What the engine plays, or played last: other programs may have asked for other repetitions and gaps.
  case asked(PlaybackItem)
  /// What other programs ask for: an amplitude of at least 0, another order or the one that was, a saved list.
  case askedVolume(Double)
  case askedShuffle(Bool)
  case askedList(String)
  /// So many decibels the limiter takes away.
  case limited(Int)
  /// What is being fetched, or why that takes longer; nil while nothing is.
  case fetching(String?)
  /// Something a person should be told.
  case told(Notice)
  /// What was found before playing began: each stays for a moment, whatever is told meanwhile.
  case toldFirst([Notice])
  /// An ayah was not heard when its turn came, or could not be fetched.
  case missed(AyahReference)
  /// An ayah has come that counted as missing.
  case arrived(AyahReference)
  case waveform(Waveform)
  case picture(Picture)
  /// Images can be shown in true pixels from now on, in cells of this size, or no more.
  case pixels(CellPixels?)
  /// What of an item cannot be heard, what others have of it, and why, as far as that is known.
  case checked(
    PlaybackItem.ID, missing: [AyahRange], fillable: [AyahRange],
    reasons: [AyahReference: String] = [:])
  /// Items for the queue that were asked for, with the seed if a list among them is shuffled; or why there are none.
  case found([QueueEntry], next: Bool, seed: UInt64? = nil)
  case notFound(String)
  /// The items of a saved list, to be heard in place of what is in the queue.
  case foundList([QueueEntry], named: String, seed: UInt64? = nil)
}

/// What has to be done.
public enum Effect: Hashable, Sendable {
  case togglePause
  case pause
  case next
  case previous
  case nextItem
  case previousItem
  case go(PlaybackItem.ID)
  case seek(AyahReference)
  /// The ayah that is heard, looked up anew.
  case again
  /// So many seconds of the recording on, or back.
  case move(Double)
  case setItems([PlaybackItem])
  case setSpeed(Double)
  case setVolume(Double)
  case setEqualiser(Equaliser)
  case setFades(inMilliseconds: Int, outMilliseconds: Int)
  case setPausesAfterAyah(Bool)
  /// Of every item, from now on.
  case setRepeats(ayah: RepeatCount, range: RepeatCount)
  case setPractice(RangePractice)
  case setGap(milliseconds: Int, factor: Double)
  /// Plays items from a place, or from the first.
  case play([PlaybackItem], from: PlaybackStart?)
  /// Stops what plays; riwayat are not mixed.
  case changeRiwayah(Riwayah)
  /// Looks up what of an item cannot be heard.
  case check(PlaybackItem)
  /// Reads the shape of an ayah's sound.
  case loadWaveform(AudioClip)
  /// Shows the picture of what is heard in this size, or none; answered by ``Event/picture(_:)`` whenever
  /// another frame is to be seen.
  case showPicture(PictureWish?)
  /// Finds what a person has typed for the queue.
  case find(String, next: Bool)
  /// Finds what is in a saved list.
  case findList(String)
  case keep(Settings)
  /// Keeps a reciter's place in the order in which they are heard, counted from 0 among all.
  case moveReciter(ReciterID, toPlace: Int)
  /// Keeps whether a reciter's sources are used.
  case useSources(of: ReciterID, Bool)
  /// Opens the window with the picture, or closes it.
  case toggleWindow
  case toggleFullScreen
  case setMouse(Bool)
  case redraw
  case suspend
  case quit
}

/// The shape of a clip's sound.
public struct Waveform: Hashable, Sendable {
  public let clip: AudioClip
  /// From the first frame of the clip to its last, evenly spaced; samples of -1...1.
  public let bars: [ColumnChart.Bar]

  public init(_ clip: AudioClip, bars: [ColumnChart.Bar]) {
    self.clip = clip
    self.bars = bars
  }
}
