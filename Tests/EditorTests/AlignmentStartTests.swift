// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Editor

/// Where an alignment begins that a person asks for.
@Suite struct AlignmentStartTests {
  @Test func whereTheSelectedSegmentIsConfirmedItBeginsWithTheNextThatIsNot() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("e '84:1 enter home A")
    guard case .detection(let panel)? = desk.state.panel else {
      Issue.record("no panel")
      return
    }
    #expect(panel.span == span(10_000, 100_000))
    #expect(panel.parameters.first == ayah("84:2"))
  }
}
