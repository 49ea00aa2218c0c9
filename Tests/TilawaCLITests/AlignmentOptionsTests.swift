// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import Testing

@testable import TilawaCLI

@Suite struct AlignmentOptionsTests {
  private func command(_ arguments: String...) throws -> AutoDetectCommand {
    try AutoDetectCommand.parse(arguments + ["night.m4a"])
  }

  @Test func aSurahMeansAllOfIt() throws {
    let options = try command("--start", "baqarah", "--end", "2").alignment
    #expect(options.arguments == ["--start", "2:1", "--end", "2:286"])
  }

  @Test(arguments: [
    ["--end", "2:3"], ["--prayer", "taraweeh"], ["--start", "2:5", "--end", "2:4"],
    ["--start", "115"], ["--start", "2:1", "--detector", "fixed"],
    ["--start", "1:1", "--prayer", "x"],
  ])
  func refusesWhatDoesNotGoTogether(arguments: [String]) {
    #expect(throws: (any Error).self) { try AutoDetectCommand.parse(arguments + ["night.m4a"]) }
  }

  @Test func workersAreToldTheSame() throws {
    let options = try command("--start", "2:1", "--end", "2:20", "--prayer", "taraweeh").alignment
    let again = try AlignmentOptions.parse(options.arguments)
    #expect(again.request == options.request)
    #expect(options.request?.prayer == .taraweeh)
  }
}
