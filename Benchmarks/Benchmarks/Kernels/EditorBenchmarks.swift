// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Benchmark
import Editor
import Quran
import TerminalUI

/// From a key to a frame, without the terminal: a night of 700 markers on a screen of 200x50.
func addEditorBenchmarks() {
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock], warmupIterations: 20, maxDuration: .seconds(3), maxIterations: 3000)
  let close = night(zoomedBy: 6)
  Benchmark("Frame, 700 markers, all in sight", configuration: configuration) { benchmark in
    let all = night(zoomedBy: 0)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { blackHole(view(all)) }
  }
  Benchmark("Frame, 700 markers, zoomed in", configuration: configuration) { benchmark in
    for _ in benchmark.scaledIterations { blackHole(view(close)) }
  }
  Benchmark("Key to frame, a marker nudged", configuration: configuration) { benchmark in
    var state = close
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      blackHole(reduce(&state, .input(.key(KeyEvent(".")))))
      blackHole(view(state))
    }
  }
  Benchmark("Key to frame, a segment confirmed, and undone", configuration: configuration) {
    benchmark in
    var state = close
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      for action in [Action.segmentCommit, .undo] {
        blackHole(reduce(&state, .perform(action)))
        blackHole(view(state))
      }
    }
  }
}

private func night(zoomedBy steps: Int) -> State {
  let rate = SampleRate(hertz: 44_100)!
  let length = FrameCount(seconds: 5400, at: rate)
  var document = AnnotationDocument(length: length, rate: rate)
  do {
    for index in 1...700 {
      let position = FramePosition(length.frames * Int64(index) / 701)
      try document.apply(
        .addMarker(
          Marker(
            id: MarkerID(Int64(index)), position: position, origin: .detected, confidence: 0.8)))
      if index % 2 == 0, let ayah = AyahReference(absoluteIndex: index) {
        try document.apply(
          .assign(
            .from(MarkerID(Int64(index))), Attribution(.ayah(ayah)), confirming: index % 4 == 0))
      }
    }
  } catch {
    preconditionFailure("\(error)")
  }
  var state = State(size: Size(columns: 200, rows: 50))
  var effects = reduce(
    &state,
    .opened(
      OpenedRecording(
        card: RecordingCard(title: "night 12", reciter: "A reciter"),
        annotation: WorkingAnnotation(document),
        overview: (0..<2000).map { Float($0 % 100) / 100 },
        pauses: document.markers.map {
          FramePosition($0.position.frames - 20_000)..<$0.position
        })))
  // 10 ms each: a voice, and a breath every 7.7 s.
  let codes = (0..<540_000).map { hop -> UInt8 in
    hop % 770 < 60 ? UInt8(130 + hop % 5) : UInt8(190 + hop * 37 % 50)
  }
  effects += reduce(&state, .levels(first: 0, codes: codes))
  for _ in 0..<350 { effects += reduce(&state, .perform(.segmentNext)) }
  for _ in 0..<steps { effects += reduce(&state, .perform(.zoomIn)) }
  while !effects.isEmpty {
    guard case .load(let request) = effects.removeFirst() else { continue }
    let columns = (0..<request.columns).map { column in
      let level = Float(column % 37) / 40
      return WaveformWindow.Column(minimum: -level, maximum: level, rms: level / 2)
    }
    let window = WaveformWindow(span: request.span, columns: columns)
    effects += reduce(&state, .waveform(window, for: request))
  }
  return state
}
