// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Testing

@testable import Editor

@Suite struct WaveformWindowTests {
  /// A recording of 100 s whose levels are known.
  private func desk() -> Desk {
    var desk = Desk(document)
    #expect(requests(&desk).count == 1, "nothing else is known yet")
    let codes = (0..<10_000).map { UInt8(80 + $0 % 90) }
    desk.send(.levels(first: 0, codes: codes))
    return desk
  }

  private var document: AnnotationDocument {
    AnnotationDocument(length: FrameCount(100_000), rate: rate)
  }

  /// What has been asked for since the last look, each answered.
  private func requests(_ desk: inout Desk) -> [WindowRequest] {
    let requests = desk.effects.compactMap { effect -> WindowRequest? in
      if case .load(let request) = effect, request.use == .waveform { request } else { nil }
    }
    desk.effects = []
    for request in requests {
      let column = WaveformWindow.Column(minimum: -0.5, maximum: 0.5, rms: 0.2)
      let columns = [WaveformWindow.Column](repeating: column, count: request.columns)
      desk.send(.waveform(WaveformWindow(span: request.span, columns: columns), for: request))
    }
    return requests
  }

  @Test func whatIsDrawnByLevelsAsksForNoSamples() {
    var desk = self.desk()
    #expect(desk.state.hasWaveform)
    desk.press("+ + - pagedown Z")
    #expect(requests(&desk).isEmpty)
    // A column of two halves has four hops of ten frames at least.
    while desk.state.viewport.framesPerColumn >= 80 { desk.press("+") }
    #expect(requests(&desk).isEmpty)
    while desk.state.viewport.framesPerColumn >= 40 { desk.press("+") }
    #expect(!requests(&desk).isEmpty)
  }

  @Test func linearWaveformsAndTheLevelsOfTheDetectorNeedSamples() {
    for keys in ["d d", "t"] {
      var desk = self.desk()
      desk.press("+ + " + keys)
      #expect(!requests(&desk).isEmpty, "\(keys)")
      desk.press("+")
      #expect(!requests(&desk).isEmpty, "\(keys)")
    }
  }

  @Test func whereLevelsEndSamplesAreDrawn() {
    var desk = Desk(document)
    _ = requests(&desk)
    desk.send(.levels(first: 0, codes: [UInt8](repeating: 90, count: 5000)))
    desk.press("+ +")
    #expect(desk.state.viewport.span.upperBound < FramePosition(50_000))
    #expect(requests(&desk).isEmpty)
    desk.press("pagedown pagedown")
    #expect(desk.state.viewport.span.upperBound > FramePosition(50_000))
    #expect(!requests(&desk).isEmpty)
  }
}
