// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import Testing

@testable import Editor

@Suite struct AssignmentTests {
  @Test func previousPlusOneIsFilledIn() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:285"))
    desk.press("down e enter")
    #expect(desk.labels == ["2:285", "2:286!"])
  }

  @Test func theSurahOfTheTitleIsFilledInAtTheStartAndConfirmedByNothingElse() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.state.card = RecordingCard(title: "emad_036")
    desk.press("enter")
    #expect(desk.labels == ["-", "-", "-"], "it may begin with a lead-in")
    #expect(desk.state.context == .assignment)
    desk.press("enter")
    #expect(desk.labels == ["36:1!", "-", "-"])
    desk.press("u f")
    #expect(desk.screen.contains("beginning with 36:1"))
    desk.press("esc down e")
    #expect(!desk.screen.contains("Ya-Sin"), "what comes later is not known")
  }

  @Test func aSurahIsFoundByAPartOfItsName() throws {
    var desk = Desk(try document(10_000))
    desk.press("e 'kahf tab '10 enter")
    #expect(desk.labels == ["18:10!", "-"])
  }

  @Test func aWholeReferenceCanBeTypedAtOnce() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '2:255 enter")
    #expect(desk.labels == ["2:255!", "-"])
  }

  @Test func whatDoesNotGoWithTheRestIsSaid() throws {
    var desk = Desk(
      try document(20_000, 40_000, 60_000).assigning(1, "55:30").assigning(2, "55:31")
        .assigning(3, "55:32"))
    desk.press("down e '55:33 alt-enter")
    #expect(
      desk.state.notice?.text
        == "55:31 missing before this; C lists what is odd")
    desk.press("u e '55:31 alt-enter")
    #expect(desk.state.notice?.text.contains("missing") != true)
    desk.press("u home e '55:32 alt-enter")
    #expect(desk.state.notice?.text.contains("C lists what is odd") == true, "what comes after too")
  }

  @Test func whatIsTypedReplacesWhatWasFilledIn() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:285"))
    desk.press("down e 'mulk tab '3 enter")
    #expect(desk.labels == ["2:285", "67:3!"])
  }

  @Test func aKeyThatNobodyTypesIsSaidToDoNothingAndChangesNothing() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:285"))
    desk.press("down e f10")
    #expect(desk.state.notice?.text == "F10 does nothing here")
    desk.press("'mulk tab '3 enter")
    #expect(desk.labels == ["2:285", "67:3!"], "what is typed still replaces what was filled in")
  }

  @Test(arguments: ["takbir", "ameen", "silence", "speech", "noise"])
  func aReasonTypedAsTheSurahIsTakenAsTheReason(name: String) throws {
    var desk = Desk(try document(10_000))
    desk.press("e '\(name) enter")
    #expect(desk.labels.first == "unused: \(name)!", "\(desk.labels)")
  }

  @Test(arguments: [
    ("isti'adhah", "isti'adhah!"), ("Basmalah", "basmalah!"), ("istiadhah", "isti'adhah!"),
    ("isti'adhah+and+basmalah", "isti'adhah + basmalah!"),
  ])
  func aLeadInIsNamedByTypingWhereverTheTextGoes(name: String, label: String) throws {
    for key in ["alt-l", "alt-l down", "alt-l down down", "alt-a tab tab", "alt-s", "alt-u", ""] {
      var desk = Desk(try document(10_000))
      desk.state.card = RecordingCard(title: "036")
      desk.press("e \(key)")
      if key == "alt-l down" { desk.press("tab") }
      desk.press("'\(name) enter")
      #expect(desk.labels.first == label, "\(key): \(desk.labels) \(desk.state.notice?.text ?? "")")
    }
  }

  @Test func whatFollowsALeadInTypedIsTheSurahAndNothingElseIsTaken() throws {
    var desk = Desk(try document(10_000))
    desk.press("e alt-l 'basmalah 'mulk enter")
    #expect(desk.document.segments[0].assignment == .leadIn(.basmalah(of: Surah(67)!)))
    desk.press("up e alt-l down down 'baqarah enter")
    let both = Assignment.leadIn(.istiadhahAndBasmalah(of: Surah(2)!))
    #expect(desk.document.segments[0].assignment == both, "the lead-in chosen stays")
    desk = Desk(try document(10_000))
    desk.press("e alt-l 'xyz enter")
    #expect(desk.edits.isEmpty)
    #expect(desk.state.notice?.text == "No lead-in is called xyz; choose with up and down")
  }

  /// Wherever two ayat are typed or pasted, both are taken.
  @Test(arguments: [
    // In the field of the other surah, of its ayah, of the ayah, and of the last one.
    ("alt-x 'baqarah tab '286 tab", "2:286 3:1", "2:286 | 3:1!"),
    ("alt-x 'baqarah tab '286 tab", "3:1", "2:286 | 3:1!"),
    ("alt-x 'baqarah tab '286 tab", "4:176 | 5:1", "4:176 | 5:1!"),
    ("alt-x 'baqarah tab '5 tab", "2:7", "2:5-7!"),
    ("alt-x 'baqarah tab '5 tab", "2:57", "2:5-57!"),
    ("alt-x 'baqarah tab '5 tab", "114:1-3", "114:1-3!"),
    ("alt-x 'baqarah tab '286 tab tab", "3:1", "2:286 | 3:1!"),
    ("alt-x 'baqarah tab", "2:286 3:1", "2:286 | 3:1!"),
    ("'baqarah tab", "2:286 3:1", "2:286 | 3:1!"), ("'baqarah tab", "3:5", "3:5!"),
    ("'baqarah tab", "5-7", "2:5-7!"), ("alt-s 'baqarah tab '5 tab", "7", "2:5-7!"),
    ("alt-s 'baqarah tab '286 tab", "3:1", "2:286 | 3:1!"),
    ("alt-s 'baqarah tab '5 tab", "2:7", "2:5-7!"),
  ])
  func twoAyatLandInBothFieldsWhereverTheyAreTyped(
    keys: String, text: String, label: String
  ) throws {
    for isPasted in [false, true] {
      // A number and a hyphen are pasted as what they are nowhere else.
      if isPasted, !text.contains(":") { continue }
      var desk = Desk(try document(10_000))
      desk.press("e \(keys)")
      if isPasted { desk.send(.input(.paste(text))) } else { desk.type(text) }
      desk.press("enter")
      #expect(desk.labels.first == label, "\(desk.labels) \(desk.state.notice?.text ?? "")")
    }
  }

  @Test(arguments: [
    ("114:1-3", "114:1-3!"), ("3:5-7", "3:5-7!"), ("al-mulk 2-4", "67:2-4!"),
    ("3:5 - 3:7", "3:5-7!"), ("2:286 3:1", "2:286 | 3:1!"), ("2:286 | 3:1", "2:286 | 3:1!"),
  ])
  func twoAyatTypedAsTheSurahAreSeveralOrAcrossSurahs(text: String, label: String) throws {
    for key in ["", "alt-s", "alt-x", "alt-l down", "alt-u"] {
      var desk = Desk(try document(10_000))
      desk.press("e \(key)")
      if key == "alt-s" || key == "alt-x" { desk.press("shift-tab") }
      if key == "alt-u", !text.first!.isNumber { continue }
      desk.type(text)
      desk.press("enter")
      #expect(desk.labels.first == label, "\(key): \(desk.labels) \(desk.state.notice?.text ?? "")")
    }
  }

  @Test func takingBackTheSecondAyahGoesBackToOne() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '114:1-3 backspace backspace enter")
    #expect(desk.labels.first == "114:1!")
  }

  @Test(arguments: ["2:255", "baqarah 255", "al-baqarah:255"])
  func anAyahTypedWhereALeadInStandsIsThatAyah(text: String) throws {
    for keys in ["alt-l", "alt-l down", "alt-l down down tab", "alt-l 'basmalah", "'basmalah"] {
      var desk = Desk(try document(10_000).assigning(1, "84:1"))
      desk.press("e \(keys)")
      desk.type(text)
      desk.press("enter")
      #expect(desk.labels.first == "2:255!", "\(keys): \(desk.labels)")
    }
    var before = try document(10_000)
    try before.apply(.assign(.first, Attribution(.leadIn(.basmalah(of: Surah(84)!)))))
    var desk = Desk(before)
    desk.press("e")
    desk.type(text)
    desk.press("enter")
    #expect(desk.labels.first == "2:255!", "\(desk.labels)")
  }

  @Test func aLeadInTakesASurahAlone() throws {
    var desk = Desk(try document(10_000))
    desk.press("e alt-l down '2: enter")
    #expect(desk.state.notice?.text == "\"2:\" is not an ayah; write it as 2:255 or baqarah 255")
    desk.press("'287 enter")
    #expect(desk.state.notice?.text == "Surah 2 has 286 ayat; 2:287 does not exist")
    #expect(desk.edits.isEmpty)
    desk.press("backspace backspace backspace backspace enter")
    #expect(desk.document.segments[0].assignment == .leadIn(.basmalah(of: Surah(2)!)))
  }

  @Test(arguments: ["basmalah", "takbir"])
  func deletingANameGoesBackToTheSurah(name: String) throws {
    var desk = Desk(try document(10_000).assigning(1, "84:1"))
    desk.press("e '\(name)")
    for _ in name { desk.press("backspace") }
    desk.press("enter")
    #expect(desk.state.notice?.text == "Which surah?")
    desk.press("'2:255 enter")
    #expect(desk.labels.first == "2:255!")
  }

  @Test func aNameThatTurnsIntoThatOfASurahIsTheSurah() throws {
    var desk = Desk(try document(10_000))
    desk.press("e 'basmalah")
    for _ in "smalah" { desk.press("backspace") }
    desk.type("qarah 255")
    desk.press("enter")
    #expect(desk.labels.first == "2:255!")
  }

  @Test(arguments: ["3:1 2:286", "3:1 3:1", "114:3-1"])
  func theSecondAyahComesAfterTheFirst(text: String) throws {
    var desk = Desk(try document(10_000))
    desk.press("e")
    desk.type(text)
    desk.press("enter")
    let first = text.prefix { $0 != " " && $0 != "-" }
    #expect(desk.state.notice?.text == "The second ayah must come after the first, \(first)")
    #expect(desk.edits.isEmpty)
  }

  @Test(arguments: [
    ("", "36:82-37:3", "36:82-37:3", "As-Saffat"), ("", "2:286 - 3:2", "2:286-3:2", "Ali 'Imran"),
    ("alt-s 'baqarah tab '285 tab", "3:1", "2:285-3:1", "Ali 'Imran"),
  ])
  func aRangeOverTheEndOfASurahIsRefusedWhereAyatBetweenWouldBeLost(
    keys: String, text: String, range: String, surah: String
  ) throws {
    var desk = Desk(try document(10_000))
    desk.press("e \(keys)")
    desk.type(text)
    desk.press("enter")
    #expect(
      desk.state.notice?.text
        == "One segment cannot hold \(range); add a marker where \(surah) begins")
    #expect(desk.edits.isEmpty)
    desk = Desk(try document(10_000))
    desk.press("e '2:286-3:1 enter")
    #expect(desk.labels.first == "2:286 | 3:1!", "nothing lies between")
  }

  @Test(arguments: ["2:255-", "1:1-7 2:1-5", "2:286 3:1-3", "2:284-286 3:1", "juz 30"])
  func whatNoSegmentTakesIsRefusedWithWhatItTakes(text: String) throws {
    var desk = Desk(try document(10_000))
    desk.press("e")
    desk.type(text)
    #expect(desk.screen.contains("A segment takes 2:255, 2:1-5 or 2:286 3:1"))
    desk.press("enter")
    #expect(desk.edits.isEmpty)
  }

  @Test func ayatThatDoNotExistAreNamed() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '114:1-35 enter")
    #expect(desk.state.notice?.text == "Surah 114 has 6 ayat; 114:35 does not exist")
    desk.press("ctrl-u 'xqzv enter")
    #expect(desk.state.notice?.text == "No surah, lead-in or reason has this name")
    #expect(desk.edits.isEmpty)
  }

  @Test func digitsOfAnyScriptAreTheNumberOfAnAyah() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:5"))
    desk.press("e tab '٢٥٥ enter")
    #expect(desk.labels.first == "2:255!")
    desk.press("e tab")
    desk.send(.input(.paste("٢٨")))
    desk.press("enter")
    #expect(desk.labels.first == "2:28!")
  }

  @Test func theScrollBarOfTheSurahsScrollsThem() throws {
    var desk = Desk(try document(10_000))
    desk.press("e")
    let list = AssignmentLayout(
      desk.layout.smallPanel, AssignmentPanel(desk.state, desk.state.selectedSegment)
    ).choices
    let bar = list.columns.upperBound - 1
    desk.mouse(.press(.left), bar, list.origin.row)
    desk.mouse(.drag(.left), bar, list.rows.upperBound - 1)
    #expect(desk.screen.contains("114 An-Nas"), "\(desk.screen)")
    desk.click(list.origin.column + 3, list.rows.upperBound - 1)
    desk.press("enter")
    #expect(desk.labels.first == "114:1!")
  }

  @Test func lettersInTheFieldOfAnAyahGoToTheSurah() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:5"))
    desk.press("e tab 'mulk tab '3 enter")
    #expect(desk.labels.first == "67:3!")
  }

  @Test func aReasonIsNamedByTypingAndNothingElseIsTaken() throws {
    for name in ["takbir", "tasmee", "salam", "silence", "speech", "noise"] {
      var desk = Desk(try document(10_000))
      desk.press("e alt-u '\(name) enter")
      #expect(desk.labels.first == "unused: \(name)!", "\(desk.labels)")
    }
    var desk = Desk(try document(10_000))
    desk.press("e alt-u 'takbeer enter")
    #expect(desk.edits.isEmpty)
    #expect(desk.state.notice?.text.contains("No reason is called takbeer") == true)
    desk.press("backspace backspace backspace enter")
    #expect(desk.labels.first == "unused: takbir!", "\(desk.labels)")
  }

  @Test func aSimilarNameCanBeChosen() throws {
    var desk = Desk(try document(10_000))
    desk.press("e 'takbeer down tab '1 enter")
    #expect(desk.labels == ["81:1!", "-"])
  }

  @Test func nothingIsConfirmedBeforeItIsValid() throws {
    var desk = Desk(try document(10_000))
    desk.press("e enter")
    #expect(desk.state.notice?.text == "Which surah?")
    desk.press("'mulk enter")
    #expect(desk.state.notice?.text == "Which ayah of Al-Mulk?")
    desk.press("tab '99 enter")
    #expect(desk.state.notice?.text == "Al-Mulk has only 30 ayat")
    #expect(desk.edits.isEmpty)
    #expect(!desk.state.isAvailable(.panelAccept))
  }

  @Test func aPartOfAnAyah() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '2:282 alt-p alt-p enter")
    #expect(desk.labels == ["2:282 (middle)!", "-"])
  }

  @Test func severalAyatAreDividedByTheirLengths() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '112:1 alt-s '3 enter")
    #expect(desk.labels == ["112:1-3!", "-"])
    let joins = try #require(desk.document.segments[0].assignment?.joins)
    #expect(joins.count == 2)
    #expect(joins[0] < joins[1] && joins[1] < FramePosition(10_000))
  }

  @Test func aPairAcrossSurahsHasASplitThatKeysMove() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '8:75 alt-x")
    #expect(desk.state.context == .assignment)
    let panel = try #require(desk.assignmentPanel)
    let join = panel.joins[0]
    desk.press("alt-right alt-right alt-right enter")
    let expected = Assignment.crossSurah(
      ayah("8:75"), join: join + FrameCount(30), end: ayah("9:1"))
    #expect(desk.document.segments[0].assignment == expected)
  }

  @Test func theSplitIsMovedByTheMouseAndAsksForTheSegmentsWaveform() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '8:75 alt-x")
    let request = desk.effects.compactMap { effect -> WindowRequest? in
      if case .load(let request) = effect, request.use == .miniature { request } else { nil }
    }
    #expect(request.map(\.span) == [span(0, 10_000)])
    let panel = try #require(desk.assignmentPanel)
    let strip = AssignmentLayout(desk.layout.smallPanel, panel).strip
    desk.mouse(.press(.left), strip.origin.column + strip.size.columns / 4, strip.origin.row)
    desk.mouse(.drag(.left), strip.origin.column + strip.size.columns / 2, strip.origin.row)
    desk.mouse(.release(.left), strip.origin.column + strip.size.columns / 2, strip.origin.row)
    desk.press("enter")
    let joins = desk.document.segments[0].assignment?.joins ?? []
    #expect(joins.count == 1)
    #expect(joins.allSatisfy { span(4800, 5200).contains($0) })
  }

  @Test func theTimeOfASplitIsReadWhereverItLies() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '8:75 alt-x")
    let panel = try #require(desk.assignmentPanel)
    let strip = AssignmentLayout(desk.layout.smallPanel, panel).strip
    for column in [0, strip.size.columns / 2, strip.size.columns - 6, strip.size.columns - 1] {
      desk.mouse(.press(.left), strip.origin.column + column, strip.origin.row)
      desk.mouse(.release(.left), strip.origin.column + column, strip.origin.row)
      let time = Clock.text(try #require(desk.assignmentPanel).joins[0], desk.state.rate)
      #expect(
        ["▲─" + time, time + "─▲"].contains(where: desk.screen.contains), "\(time)\n\(desk.screen)")
    }
  }

  @Test func theOtherSurahFollowsTheOneThatIsTyped() throws {
    var desk = Desk(try document(10_000))
    desk.press("e alt-x '8:75")
    let panel = try #require(desk.assignmentPanel)
    #expect(panel.other.reference == ayah("9:1"))
    desk.press("ctrl-u '10:109 enter")
    #expect(desk.labels == ["10:109 | 11:1!", "-"])
  }

  @Test func textOnAChoiceGoesToTheSurahOrNamesAReason() throws {
    var desk = Desk(try document(10_000))
    desk.press("e alt-l down enter")
    #expect(desk.state.notice?.text == "Which surah?")
    desk.press("'mulk enter")
    #expect(desk.document.segments[0].assignment == .leadIn(.basmalah(of: Surah(67)!)))
    desk.press("down e alt-u 'n enter")
    #expect(desk.document.segments[1].assignment == .unused(.noise))
  }

  @Test func bothAyatOfAPairMustBeOfDifferentSurahs() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '2:1 alt-x '2 enter")
    #expect(desk.edits.isEmpty)
    #expect(
      desk.state.notice?.text == "Both ayat are in one surah: assign several ayat instead")
  }

  @Test func leadInsNameTheSurahOfTheirBasmalah() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '36:1 alt-l down down enter")
    let expected = Assignment.leadIn(.istiadhahAndBasmalah(of: try #require(Surah(36))))
    #expect(desk.document.segments[0].assignment == expected)
  }

  @Test func theBasmalahBeforeASurahIsAPartOfItsFirstAyah() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '112:1 alt-b")
    #expect(desk.screen.contains("Basmalah"))
    desk.press("enter")
    #expect(
      desk.document.segments[0].assignment == .ayah(ayah("112:1"), withBasmalah: true))
    // Opened again it is as it was said, and can be taken back.
    desk.press("up e alt-b enter")
    #expect(desk.document.segments[0].assignment == .ayah(ayah("112:1")))
    desk.press("up e ctrl-u '111:5 alt-x alt-b enter")
    let pair = try #require(desk.document.segments[0].assignment)
    #expect(pair.description == "basmalah + 111:5 | 112:1")
    desk.press("up e alt-a ctrl-u '112:2 alt-b")
    #expect(desk.state.notice?.text == "No surah with a basmalah begins here")
  }

  @Test func theFirstAndTheNinthSurahHaveNoBasmalahOfTheirOwn() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '9:1 alt-l down enter")
    #expect(desk.state.notice?.text == "At-Tawbah has no basmalah")
    #expect(desk.edits.isEmpty)
  }

  @Test func aReasonIsChosenInTheAssignmentToo() throws {
    var desk = Desk(try document(10_000))
    desk.press("e alt-u down enter")
    #expect(desk.labels == ["unused: ameen!", "-"])
  }

  @Test func theSegmentIsHeardAgainAndAgainMeanwhile() throws {
    var desk = Desk(try document(10_000))
    desk.press("down e")
    let loop = PlaybackCommand.play(
      span: span(10_000, 100_000), from: FramePosition(10_000), looping: true)
    #expect(desk.played == [loop])
  }

  @Test func altEnterConfirmsAndGoesOn() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '2:1 alt-enter")
    #expect(desk.selected == 2)
    #expect(desk.state.transport.target == .segment(.from(MarkerID(1))))
  }

  @Test func anAssignmentIsOpenedAsItIs() throws {
    var before = try document(10_000)
    let joins = [FramePosition(3000), FramePosition(7000)]
    let range = AyahRange(first: ayah("112:1"), last: ayah("112:3"))!
    try before.apply(.assign(.first, Attribution(.ayat(range, joins: joins))))
    var desk = Desk(before)
    desk.press("e enter")
    #expect(desk.document.segments[0].assignment == .ayat(range, joins: joins))
    #expect(desk.document.segments[0].isConfirmed)
  }
}

extension Desk {
  /// Types a text that may hold spaces.
  fileprivate mutating func type(_ text: String) {
    for character in text { send(.input(.key(KeyEvent(character)))) }
  }

  fileprivate var assignmentPanel: AssignmentPanel? {
    if case .assignment(let panel) = state.panel { panel } else { nil }
  }
}
