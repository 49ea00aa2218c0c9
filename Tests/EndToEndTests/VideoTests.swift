// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GeneratedVideo
import TestSupport
import Testing

/// Commands that know of the picture.
@Suite struct VideoTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    var video = GeneratedVideo(frames: 75, rate: 25)
    video.container = "mp4"
    video.soundCodec = "aac"
    try video.write(to: folder.path("night.mp4"))
  }

  private func picture(_ name: String) throws -> (number: Int?, width: Int, height: Int) {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    return try #require(GeneratedVideo.number(inPNG: Array(bytes)))
  }

  @Test func aFrameIsTheOneThatIsSeenWithTheSound() async throws {
    let file = folder.path("night.mp4")
    let run = try await program.run(
      "frame", file, "--at", "0:01.25", "--output", folder.path("x.png"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(try picture("x.png") == (31, 320, 180))
    let again = try await program.run(
      "frame", file, "--at", "1.25", "--output", folder.path("x.png"))
    #expect(again.code == 64)
    #expect(again.errors.contains("--force"))
    let small = try await program.run(
      "frame", file, "--at", "0", "--width", "120", "--force", "-o", folder.path("x.png"))
    #expect(small.code == 0, "\(small.errors)")
    let shown = try picture("x.png")
    #expect((shown.width, shown.height) == (120, 68))
    let unnamed = try await program.run(["frame", file, "--at", "2.9"], in: folder.path)
    #expect(unnamed.code == 0, "\(unnamed.errors)")
    #expect(try picture("night-2.9s.png").number == 72)
    let beyond = try await program.run(["frame", file, "--at", "100"], in: folder.path)
    #expect(beyond.errors.contains("ends at 0:03; using its last frame"), "\(beyond.errors)")
    #expect(try picture("night-3.0s.png").number == 74)
  }

  @Test func aPictureThatCannotBeDecodedIsListed() async throws {
    var video = GeneratedVideo(frames: 25, rate: 25)
    (video.container, video.codec, video.soundCodec) = ("mp4", "libx264", "aac")
    try video.write(to: folder.path("odd.mp4"))
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("odd.mp4"))))
    for name in bytes.ranges(of: Array("avc1".utf8)) {
      bytes.replaceSubrange(name, with: Array("xvc9".utf8))
    }
    try folder.write(bytes, to: "odd.mp4")
    let imported = try await program.run("import", folder.path("odd.mp4"))
    #expect(imported.code == 0, "\(imported.errors)")
    let table = try await program.run("list", "--video")
    #expect(table.output.contains("xvc9, 320x180, 25 a second; cannot be decoded"), "\(table)")
    let shown = try await program.run("show", "odd", "--brief")
    #expect(shown.output.contains("xvc9, 320x180, 25 a second; cannot be decoded"), "\(shown)")
    let json = try await program.run("list", "--video", "--format", "json")
    #expect(json.output.contains("\"decodable\":false"), "\(json.output)")
    let frame = try await program.run("frame", "odd", "--at", "0.5", "-o", folder.path("x.png"))
    #expect(frame.code != 0)
    #expect(frame.errors.contains("xvc9") && frame.errors.hasSuffix("cannot decode\n"))
  }

  @Test func aRecordingWithoutAPictureSaysSo() async throws {
    let run = try await program.run(
      "frame", FixtureFolder.path("m4a-aac.m4a"), "--at", "1", "-o", folder.path("x.png"))
    #expect(run.code == 65)
    #expect(run.errors.contains("has no picture, only sound"))
    #expect(!(try folder.contents.contains("x.png")))
  }

  @Test func theLibraryKnowsWhatHasAPicture() async throws {
    let sound = FixtureFolder.path("m4a-aac.m4a")
    let run = try await program.run("import", folder.path("night.mp4"), sound)
    #expect(run.code == 0, "\(run.errors)")
    let shown = try await program.run("show", "night", "--brief")
    #expect(shown.output.contains("picture    mpeg4, 320x180, 25 a second\n"), "\(shown.output)")
    let all = try await program.run("list", "--format", "json")
    let withPicture = try await program.run("list", "--video", "--format", "json")
    func titles(_ text: String) throws -> [String] {
      let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
      return (list ?? []).compactMap { $0["title"] as? String }
    }
    #expect(try titles(all.output).count == 2)
    #expect(try titles(withPicture.output) == ["night"])
    let examined = try await program.run("doctor", folder.path("night.mp4"), sound)
    #expect(examined.output.components(separatedBy: "  picture   ").count == 2)
    #expect(examined.output.contains("  picture   mpeg4, 320x180, 25 a second\n"))
    let table = try await program.run("list", "--video")
    #expect(table.output.contains("mpeg4, 320x180, 25 a second"))
    let taken = try await program.run(
      "frame", "night", "--at", "2", "--output", folder.path("y.png"))
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(try picture("y.png").number == 50)
  }

  @Test func aPassageIsCopiedWithItsPicture() async throws {
    var video = GeneratedVideo(frames: 250, rate: 25)
    video.container = "mp4"
    video.soundCodec = "aac"
    try video.write(to: folder.path("long.mp4"))
    try await program.importing(
      folder.path("long.mp4"), detecting: false, labels: "0\t2\ta\n2\t4\tb\n4\t10\tc\n")
    let run = try await program.run(
      ["export", "long", "--segment", "2", "--output", "part.mp4"], in: folder.path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("part.mp4: cut to the frame"), "\(run.errors)")
    let frame = try await program.run(
      ["frame", "part.mp4", "--at", "1.01", "--output", "part.png"], in: folder.path)
    #expect(frame.code == 0, "\(frame.errors)")
    #expect(try picture("part.png").number == 75)
    let again = try await program.run(
      ["export", "long", "--segment", "2", "--output", "part.mp4"], in: folder.path)
    #expect(again.code != 0 && again.errors.contains("already exists"))
    let beyond = try await program.run(
      ["export", "long", "--from", "8", "--until", "90", "--output", "end.mp4"], in: folder.path)
    #expect(beyond.code == 0 && beyond.errors.contains("long ends at 0:10, before --until"))
    let wrong = try await program.run(
      ["export", "long", "--format", "video", "--output", "part.avi"], in: folder.path)
    #expect(wrong.code == 64 && wrong.errors.contains(".mp4, .mov or .mkv"))
    let mixed = try await program.run(
      ["export", "long", "--segment", "2", "--output", "part.csv"], in: folder.path)
    #expect(mixed.code == 64 && mixed.errors.contains("--format video"))
  }
}
