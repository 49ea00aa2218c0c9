// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Names whose bytes are not UTF-8, in every place that takes a path.
@Suite struct FileNameTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    try folder.copy(of: "wav-s16-8k-mono.wav", as: "sound.wav")
  }

  /// Runs commands of a shell in which `$p` is the program and `$e` a byte that is "é" in Latin 1.
  private func shell(_ script: String) async throws -> Program.Outcome {
    try await program.run(
      ["-c", "set -e; p=\"$0\"; e=$(printf '\\351')\n" + script, Program.path], as: "/bin/sh",
      in: folder.path)
  }

  @Test func recordingIsFoundByArgumentAndInFolders() async throws {
    let single = try await shell(
      "mv sound.wav nuit$e.wav; \"$p\" auto-detect --format jsonl nuit$e.wav")
    #expect(single.code == 0, "\(single.errors)")
    #expect(try JSONReport.lines(single.output).map(\.file) == ["nuit\u{10FFE9}.wav"])
    // The name in the results is as good as the one on disk.
    let again = try await program.run(["auto-detect", "nuit\u{10FFE9}.wav"], in: folder.path)
    #expect(again.code == 0)
    #expect(again.output.contains("nuit\u{FFFD}.wav"))
    let several = try await shell(
      "mkdir in$e; cp nuit$e.wav in$e/1$e.wav; cp nuit$e.wav in$e/2.wav; \"$p\" auto-detect --format jsonl in$e"
    )
    #expect(several.code == 0, "\(several.errors)")
    #expect(
      Set(try JSONReport.lines(several.output).map(\.file))
        == ["in\u{10FFE9}/1\u{10FFE9}.wav", "in\u{10FFE9}/2.wav"])
    let missing = try await shell("\"$p\" auto-detect none$e.wav")
    #expect(missing.code == 66)
    #expect(missing.errors.contains("none\u{FFFD}.wav: no such file"))
  }

  @Test func resultsAreWrittenUnderSuchNames() async throws {
    let outcome = try await shell(
      """
      "$p" auto-detect sound.wav --output out$e.txt --format audacity; test -s out$e.txt
      mkdir grids$e; cp sound.wav so$e.wav
      "$p" auto-detect sound.wav so$e.wav --format textgrid --output grids$e/
      test -s grids$e/sound.TextGrid; test -s grids$e/so$e.TextGrid
      "$p" waveform so$e.wav --output picture$e.png; test -s picture$e.png
      "$p" audition so$e.wav --output copy$e.wav; test -s copy$e.wav
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test func libraryLiesAndReadsUnderSuchNames() async throws {
    let outcome = try await shell(
      """
      cp sound.wav nuit$e.wav; mkdir run$e; L="--library lib$e"
      "$p" import nuit$e.wav $L
      "$p" list $L
      cp sound.wav here$e.wav; printf x >>here$e.wav
      "$p" import --in-place here$e.wav --title Here $L
      printf '0\\t1.2\\t112:1\\n1.2\\t3\\t112:2\\n' >labels$e.txt
      "$p" import-labels Here labels$e.txt $L
      "$p" export Here --output out$e.TextGrid $L; test -s out$e.TextGrid
      "$p" show "$PWD/here$e.wav" $L
      "$p" check --thorough $L
      "$p" backup copy$e $L; test -s copy$e; test -s lib$e/library.sqlite
      cd run$e; "$p" list --library ../lib$e
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("nuit\u{FFFD}"))
    #expect(outcome.output.contains("Here"))
  }
}
