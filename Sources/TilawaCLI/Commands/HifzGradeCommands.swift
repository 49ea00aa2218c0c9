// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Foundation
import Library
import Listening
import Quran

/// `good`, or `3`.
struct GradeArgument: ExpressibleByArgument, Hashable {
  let grade: RecallGrade

  init?(argument: String) {
    let number = Int(argument).flatMap(RecallGrade.init)
    guard let grade = number ?? RecallGrade(named: argument.lowercased()) else { return nil }
    self.grade = grade
  }

  static var allValueStrings: [String] { RecallGrade.allCases.map(\.name) }
}

extension HifzCommand {
  struct Grade: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "grade",
      abstract: "Grade a unit that you recited elsewhere: again, hard, good or easy.")

    @Argument(help: "The unit, such as 78:1-5 or '78:5 | 78:6'.")
    var unit: String

    @Argument(help: "again, hard, good or easy, or 1 to 4.")
    var grade: GradeArgument

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let range = try HifzCommand.range(unit)
      guard let known = try library.hifzUnits().first(where: { $0.range == range }) else {
        throw Failure(
          code: "usage",
          message: "\(unit) is not a unit; 'hifz list' shows all units, 'hifz add' adds some"
        )
      }
      let now = Date()
      try library.addHifzReviews([HifzReview(range, at: now, grade: grade.grade.rawValue)])
      let rules = Rules(try Configuration())
      var recalled = RecallUnit(known, rules.scheduler)
      let time = Int(now.timeIntervalSince1970)
      recalled.take(grade.grade, at: time, rules.scheduler)
      StandardStreams.say(
        "\(recalled.name) is due in \(waitText((recalled.memory?.due ?? time) - time))")
    }
  }

  /// A line of an exported log.
  private struct ExportedReview: ExportedLine {
    static let schema = "tilawa.hifz/1"

    var schema = ExportedReview.schema
    var id: String
    var at: Int64
    var first: String
    var last: String
    var grade: Int

    init(_ review: HifzReview) {
      id = review.id
      at = Int64(review.at.timeIntervalSince1970)
      first = review.range.first.description
      last = review.range.last.description
      grade = review.grade
    }

    /// Nil where it makes no sense.
    var review: HifzReview? {
      guard schema == Self.schema, UUID(uuidString: id) != nil,
        RecallGrade(rawValue: grade) != nil, let first = AyahReference(first),
        let last = AyahReference(last), let range = AyahRange(first: first, last: last)
      else { return nil }
      return HifzReview(
        id: id.lowercased(), range, at: Date(timeIntervalSince1970: Double(at)), grade: grade)
    }
  }

  struct Export: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write all grades as JSON Lines, for another machine.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let reviews = try library.hifzReviews()
      try ExportedLog.write(reviews.map { ExportedReview($0) }, to: file, isReplacing: force)
      StandardStreams.say("wrote \(PlainText.count(reviews.count, "grade"))")
    }
  }

  struct Import: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Merge the grades that another machine exported.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let reviews = try ExportedLog.read(file) { (line: ExportedReview) in line.review }
      let count = try library.addHifzReviews(reviews)
      StandardStreams.say(
        "merged \(PlainText.count(count, "grade")); \(reviews.count - count) were already here")
    }
  }
}
