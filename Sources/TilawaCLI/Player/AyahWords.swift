// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import AudioCore
import Dispatch
import Playback
import ReciterSources
import Workflows

/// Hears when the words are said of ayat that nobody has timed word by word: those of published recitations, and of
/// recordings that were annotated by hand. On a queue of its own; what was heard once is kept while the program runs.
final class AyahWords: Sendable {
  private let file: @Sendable (MediaKey) -> (path: String, track: Int?)?
  private let network: AcousticNetwork
  private let queue = DispatchQueue(label: "tilawa.words", qos: .utility)
  private let known = Monitor<[AudioClip: WordTimings?]>([:])
  /// The recording that was heard last: ayat mostly follow each other in one.
  private let last = Monitor<(media: MediaKey, heard: HeardRecording)?>(nil)
  private let stop = StopFlag()

  /// - Parameter file: where the recording of a clip is; nil where it is not to be found.
  init(
    network: AcousticNetwork,
    file: @escaping @Sendable (MediaKey) -> (path: String, track: Int?)?
  ) {
    self.network = network
    self.file = file
  }

  /// Nil as long as they are not known, and where they cannot be.
  func known(of clip: AyahClip) -> WordTimings? {
    known.update { $0[clip.audio] ?? nil }
  }

  /// Begins to listen, unless that was done before.
  func load(_ clip: AyahClip) {
    guard needsHearing(clip) else { return }
    queue.async { [self] in _ = words(of: clip) }
  }

  /// Blocks until they are known. Nil where another text is heard, or the sound cannot be read.
  func words(of clip: AyahClip) -> WordTimings? {
    guard needsHearing(clip) else { return known(of: clip) }
    let words = hear(clip)
    if !stop.isStopped { known.update { $0[clip.audio] = .some(words) } }
    return words
  }

  func close() { stop.stop() }

  /// An ayah that shares a breath or a file with another cannot be heard alone.
  private func needsHearing(_ clip: AyahClip) -> Bool {
    clip.words == nil && !clip.sharesBreath && clip.together == nil
      && known.update { $0[clip.audio] == nil }
  }

  private func hear(_ clip: AyahClip) -> WordTimings? {
    var workflow = AlignmentWorkflow(
      network: network, threadCount: 1, sidecars: UserFolders.sidecars, stopFlag: stop)
    workflow.riwayah = clip.riwayah
    guard let heard = heard(clip.audio.media, workflow),
      let words = try? workflow.words(of: clip.ayah, in: clip.audio.span, of: heard)
    else { return nil }
    return WordTimings(words, in: clip.audio)
  }

  private func heard(_ media: MediaKey, _ workflow: AlignmentWorkflow) -> HeardRecording? {
    if let last = last.update({ $0 }), last.media == media { return last.heard }
    guard let file = file(media),
      let recording = try? workflow.measure(path: file.path, track: file.track)
    else { return nil }
    let heard = workflow.heard(recording)
    last.update { $0 = (media, heard) }
    return heard
  }
}
