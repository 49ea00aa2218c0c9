// SPDX-License-Identifier: GPL-3.0-or-later

extension ELAN {
  /// Reads all tiers.
  ///
  /// A time slot without time lies evenly between its neighbours in the time order, with a warning. An
  /// annotation that refers to another has its span, shared evenly among several on one tier.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    let document = ELANDocument()
    try XMLReader.read(input, as: .eaf, into: document)
    return try document.file()
  }
}

private final class ELANDocument: XMLHandler {
  private struct Slot {
    var milliseconds: Double?
    var line: Int
  }

  private struct Annotation {
    enum Place {
      case slots(String, String)
      case reference(String)
    }
    var id: String
    var place: Place
    var line: Int
    var value = ""
  }

  private struct Tier {
    var name: String
    var annotations: [Annotation] = []
  }

  private static let format = LabelFormat.eaf
  private var slots: [Slot] = []
  private var slotIndex: [String: Int] = [:]
  private var tiers: [Tier] = []
  private var current: Annotation?
  private var isInValue = false
  private var isDocument = false
  private var origin: Double?
  private var warnings: [ImportWarning] = []
  private var labelCounter = LabelCounter(format)
  private var slotCounter = LabelCounter(format)

  // MARK: Elements

  func start(
    _ element: String, attributes: [String: String], line: Int
  ) throws(ExchangeError) {
    func attribute(_ name: String) throws(ExchangeError) -> String {
      guard let value = attributes[name] else {
        throw Self.format.fault(line, "<\(singleLine(element))> lacks \(name)")
      }
      return value
    }
    if !isDocument {
      guard element == "ANNOTATION_DOCUMENT" else {
        throw Self.format.fault(line, "the outermost element is not ANNOTATION_DOCUMENT")
      }
      isDocument = true
    }
    switch element {
    case "HEADER":
      if let unit = attributes["TIME_UNITS"], unit != "milliseconds" {
        throw Self.format.fault(
          line, "times in \(quoted(unit)); save it in ELAN with times in milliseconds")
      }
    case "MEDIA_DESCRIPTOR":
      if origin == nil {
        let text = attributes["TIME_ORIGIN"] ?? "0"
        guard let offset = TimeReading.decimal(text) else {
          throw Self.format.fault(line, "TIME_ORIGIN \(quoted(text)) is not a number")
        }
        origin = offset
        if offset != 0 {
          warnings.append(
            ImportWarning(.line(line), "times are shifted by TIME_ORIGIN, \(offset) ms"))
        }
      }
    case "TIME_SLOT":
      let id = try attribute("TIME_SLOT_ID")
      guard slotIndex[id] == nil else {
        throw Self.format.fault(line, "a second time slot \(quoted(id))")
      }
      var time: Double?
      if let text = attributes["TIME_VALUE"] {
        guard let number = TimeReading.decimal(text) else {
          throw Self.format.fault(line, "\(quoted(text)) is not a number of milliseconds")
        }
        _ = try Self.format.checked(number / 1000, at: .line(line))
        time = number
      }
      // Annotations may share slots, and each has two at most.
      if slots.count.isMultiple(of: 2) { try slotCounter.add(at: .line(line)) }
      slotIndex[id] = slots.count
      slots.append(Slot(milliseconds: time, line: line))
    case "TIER":
      guard tiers.count < LabelLimit.tiers.value else {
        throw .tooMuch(.tiers, Self.format, at: .line(line))
      }
      tiers.append(Tier(name: try attribute("TIER_ID")))
    case "ALIGNABLE_ANNOTATION":
      try begin(
        Annotation(
          id: try attribute("ANNOTATION_ID"),
          place: .slots(try attribute("TIME_SLOT_REF1"), try attribute("TIME_SLOT_REF2")),
          line: line))
    case "REF_ANNOTATION":
      try begin(
        Annotation(
          id: try attribute("ANNOTATION_ID"), place: .reference(try attribute("ANNOTATION_REF")),
          line: line))
    case "ANNOTATION_VALUE": isInValue = current != nil
    default: break
    }
  }

  private func begin(_ annotation: Annotation) throws(ExchangeError) {
    guard current == nil, !tiers.isEmpty else {
      throw Self.format.fault(annotation.line, "an annotation outside a tier")
    }
    try labelCounter.add(at: .line(annotation.line))
    current = annotation
  }

  func characters(_ text: String) { if isInValue { current?.value += text } }

  func end(_ element: String) {
    switch element {
    case "ANNOTATION_VALUE": isInValue = false
    case "ALIGNABLE_ANNOTATION", "REF_ANNOTATION":
      if let annotation = current { tiers[tiers.count - 1].annotations.append(annotation) }
      current = nil
    default: break
    }
  }

  // MARK: Times

  func file() throws(ExchangeError) -> LabelFile {
    let times = try slotTimes()
    let spans = try spans(slotTimes: times)
    var file = LabelFile(tiers: [])
    for tier in tiers {
      var labels: [Label] = []
      for annotation in tier.annotations {
        guard let span = spans[annotation.id] else { continue }
        let place = TextPlace.line(annotation.line)
        labels.append(
          Label(
            start: try Self.format.checked(span.start / 1000, at: place),
            end: try Self.format.checked(span.end / 1000, at: place), text: annotation.value,
            place: place))
      }
      file.tiers.append(LabelTier(name: tier.name, labels: labels))
    }
    file.warnings = warnings
    return file
  }

  /// Milliseconds of each slot in the recording, those without a time between their neighbours.
  private func slotTimes() throws(ExchangeError) -> [Double] {
    let shift = origin ?? 0
    var times: [Double] = []
    var last = 0.0
    var index = 0
    while index < slots.count {
      if let time = slots[index].milliseconds {
        times.append(time + shift)
        last = time
        index += 1
        continue
      }
      let first = index
      while index < slots.count, slots[index].milliseconds == nil { index += 1 }
      guard index < slots.count, let next = slots[index].milliseconds, last <= next else {
        throw Self.format.fault(
          slots[first].line,
          "the last time slots have no time; add a TIME_VALUE")
      }
      let count = index - first
      for step in 1...count {
        times.append(last + (next - last) * Double(step) / Double(count + 1) + shift)
      }
      warnings.append(
        ImportWarning(
          .line(slots[first].line),
          "\(count == 1 ? "a time slot" : "\(count) time slots") without time; spaced evenly between"
            + " the neighbours"))
    }
    return times
  }

  private typealias Span = (start: Double, end: Double)

  private struct Siblings: Hashable {
    var tier: Int
    var parent: String
  }

  /// The span of each annotation by its name.
  private func spans(slotTimes: [Double]) throws(ExchangeError) -> [String: Span] {
    var spans: [String: Span] = [:]
    var references: [String: (siblings: Siblings, line: Int)] = [:]
    var families: [Siblings: [String]] = [:]
    for (index, tier) in tiers.enumerated() {
      for annotation in tier.annotations {
        guard spans[annotation.id] == nil, references[annotation.id] == nil else {
          throw Self.format.fault(annotation.line, "a second annotation \(quoted(annotation.id))")
        }
        switch annotation.place {
        case .slots(let first, let last):
          guard let first = slotIndex[first], let last = slotIndex[last] else {
            throw Self.format.fault(annotation.line, "a time slot that is not in TIME_ORDER")
          }
          let span = (start: slotTimes[first], end: slotTimes[last])
          try Self.format.checkOrder(
            span.start / 1000, span.end / 1000, at: .line(annotation.line))
          spans[annotation.id] = span
        case .reference(let parent):
          let siblings = Siblings(tier: index, parent: parent)
          references[annotation.id] = (siblings, annotation.line)
          families[siblings, default: []].append(annotation.id)
        }
      }
    }
    for id in tiers.flatMap(\.annotations).map(\.id) {
      try resolve(id, references, families, &spans)
    }
    return spans
  }

  /// Climbs to an ancestor whose span is known and comes back with those of all on the way.
  private func resolve(
    _ id: String, _ references: [String: (siblings: Siblings, line: Int)],
    _ families: [Siblings: [String]], _ spans: inout [String: Span]
  ) throws(ExchangeError) {
    var path = [id]
    var onPath: Set<String> = [id]
    while let id = path.last {
      guard spans[id] == nil else {
        path.removeLast()
        continue
      }
      guard let (siblings, line) = references[id] else { return }
      if let parent = spans[siblings.parent] {
        let children = families[siblings] ?? []
        for (index, child) in children.enumerated() {
          func share(_ part: Int) -> Double {
            parent.start + (parent.end - parent.start) * Double(part) / Double(children.count)
          }
          spans[child] = (share(index), share(index + 1))
        }
      } else {
        guard references[siblings.parent] != nil, onPath.insert(siblings.parent).inserted else {
          throw Self.format.fault(
            line, "it refers to \(quoted(siblings.parent)), which is missing or refers back to it")
        }
        path.append(siblings.parent)
      }
    }
  }
}
