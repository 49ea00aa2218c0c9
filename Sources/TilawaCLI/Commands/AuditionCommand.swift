// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Decoding
import Listening
import Playback

/// `audition RECORDING`
struct AuditionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audition",
    abstract: "Play a segment, an ayah or a time span of a recording.",
    discussion: """
      In a terminal: space pauses, the arrows seek, with shift (or , and .) by 5 s, with alt (or < and >) by 15 s, \
      [ and ] change the speed, ( and ) the gain, e switches the equaliser, q quits. \
      Without --exact, each join of a loop is smoothed over 5 ms.

      EXAMPLES:
        tilawa-annotate audition "Night 3" --segment 12 --loop forever --speed 0.5
        tilawa-annotate audition "Night 3" --ayah 2:5 --edge end --loop 5 --gap 300ms
        tilawa-annotate audition voice.m4a --from 1:23.5 --until 1:30 --output part.wav
      """)

  @OptionGroup
  var soundOptions: SoundOptions

  @Option(help: "How many times to play it: a number, or forever.")
  var loop: TimesArgument?

  @Option(help: "Silence between repetitions, such as 300ms, at any speed.")
  var gap: DurationArgument?

  @Option(parsing: .unconditional, help: "Gain in decibels; negative is quieter.")
  var gain = 0.0

  @Flag(help: "Use the equaliser, with its last settings in the player.")
  var equaliser = false

  @Flag(help: "Play the recording's exact frames, with no fades.")
  var exact = false

  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions<AuditionHelp>

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if let problem = gap?.missingUnit { throw ValidationError("The number in --gap \(problem).") }
    if gap != nil, loop == nil { throw ValidationError("--gap needs --loop.") }
    guard (-60...60).contains(gain) else {
      throw ValidationError("--gain must be between -60 and 60.")
    }
    if exact, equaliser { throw ValidationError("Use --exact or --equaliser, not both.") }
    if let loop, loop.times == nil, outputOptions.output != nil {
      throw ValidationError("--loop forever cannot be written to a file; give a number.")
    }
  }

  func run() async throws {
    let command = self
    try await runReporting {
      let sound = try command.soundOptions.sound(in: command.libraryOptions)
      if let path = command.outputOptions.output {
        try command.write(sound, to: path)
      } else {
        try command.play(sound)
      }
    }
  }

  private func write(_ sound: Sound, to path: String) throws(Failure) {
    let format = sound.source.description.format
    try SoundFileRun(
      sound: sound, item: item(of: sound, at: format.rate), settings: settings(format),
      speed: outputOptions.speed, equaliser: sliders.equaliser, path: path,
      isReplacing: outputOptions.force
    ).run()
  }

  private func play(_ sound: Sound) throws(Failure) {
    let device = try outputOptions.deviceName()
    let session: RenderSession
    do throws(PlaybackError) {
      session = try RenderSession(
        .alsa(device), settings: settings(sound.source.description.format))
    } catch {
      throw Failure(error)
    }
    session.speed = outputOptions.speed
    try Audition(
      sound, item(of: sound, at: session.format.rate), in: session, on: device,
      resumes: try Configuration().resumesAfterInterruption, isExact: exact, settings: sliders
    ).run()
  }

  /// As the player was left, but for its gain.
  private var sliders: Settings {
    var settings = Settings()
    if let library = try? libraryOptions.openExisting() {
      settings = PlayerMemory.settings(in: library)
    }
    settings.hasEqualiser = equaliser
    settings.gain = 0
    return settings
  }

  private func settings(_ format: AudioFormat) -> RenderSettings {
    let settings = RenderSettings(format: format)
    return exact ? settings.exact : settings
  }

  /// - Parameter rate: the session's.
  private func item(of sound: Sound, at rate: SampleRate) -> RenderItem {
    var item = RenderItem(.audio(sound.source, sound.span))
    item.repetitions = loop.map(\.times) ?? 1
    if let gap { item.gap = FrameCount(seconds: gap.seconds, at: rate) }
    item.gainDecibels = gain
    return item
  }
}

enum AuditionHelp: OutputHelp {
  static var speed: ArgumentHelp { "Speed, 0.25 to 3; the pitch stays the same. Default: 1." }

  static var output: ArgumentHelp { "Write a WAV file of 32-bit floats instead of playing." }
}
