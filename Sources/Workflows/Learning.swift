// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import Alignment
public import Analysis
import AudioCore

/// A recording of which a person has confirmed something.
public struct LearningMaterial: Sendable {
  public var logMel: LogMelFrames
  public var envelope: Envelope
  public var stretches: [ConfirmedStretch]

  public init(logMel: LogMelFrames, envelope: Envelope, stretches: [ConfirmedStretch]) {
    self.logMel = logMel
    self.envelope = envelope
    self.stretches = stretches
  }
}

/// How edges that took no part in learning are found without what was learnt and with it.
public struct LearningTrial: Hashable, Sendable {
  /// Edges tried.
  public var edges = 0
  /// How many of them lie more than a quarter of a second from where the person has them,
  public var wrongBefore = 0
  public var wrongAfter = 0
  /// and how far they lie from there on average, in seconds; one that is not found counts as one second.
  public var distanceBefore = 0.0
  public var distanceAfter = 0.0
  /// Whether it is worth having.
  public var isAccepted = false
}

/// What came of learning.
public struct LearningOutcome: Sendable {
  /// Frames of 40 ms that were learnt from, and edges.
  public var frames = 0
  public var edges = 0
  /// Nil where too little is confirmed to try.
  public var voiceTrial: LearningTrial?
  public var placementTrial: LearningTrial?
  /// For each recording likewise.
  public var ownTrials: [LearningTrial?] = []
  /// Of all recordings; nil where nothing helps.
  public var voice: VoiceAdaptation?
  public var placement: EdgePlacement?
  /// For each recording its own; nil where that of all serves as well or nothing helps.
  public var ownPlacements: [EdgePlacement?] = []
}

/// Learns a voice and where edges are put from what a person has confirmed of recordings of one reciter, and keeps only what
/// helps where it was not learnt.
public struct Learning: Sendable {
  public var workflow: AlignmentWorkflow

  public init(_ workflow: AlignmentWorkflow) { self.workflow = workflow }

  /// One stretch in so many takes no part in learning; what was learnt is tried there.
  private static let heldOut = 3
  /// Edges without which a trial says nothing.
  private static let fewestEdges = 4
  /// Confirmed edges from which on each third of them is enough for a trial.
  public static let worthTrying = heldOut * fewestEdges
  /// Recordings from which on what is learnt of some is tried on others.
  private static let fewestRecordings = 3
  /// Frames without which a voice is not learnt: half a minute; and with which it is learnt as well as with more: ten.
  private static let fewestFrames = 750
  private static let mostFrames = 15_000
  /// What wrong edges and distances have to fall to. With as many wrong edges as before allowed, a voice made clean recordings
  /// worse (`Scripts/measure-learning.py --by first`: 41 errors became 48).
  private static let fewer = 0.9
  private static let nearer = 0.85
  /// Seconds within which an edge is right, as in `EdgeEvidence`.
  private static let tolerance = 0.25

  private typealias Hearings = [[StretchHearing?]]

  /// Blocks.
  ///
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised.
  public func learn(
    _ materials: [LearningMaterial], progress: (@Sendable (Double) -> Void)? = nil
  ) throws(AnalysisError) -> LearningOutcome {
    var outcome = LearningOutcome()
    var hearings = try hear(materials, by: workflow.network)
    outcome.edges = hearings.joined().reduce(0) { $0 + ($1?.edges.count ?? 0) }
    try learnVoice(materials, &hearings, &outcome, progress)
    learnPlacement(hearings, &outcome)
    return outcome
  }

  /// The same stretches heard by a network; placed as usual.
  private func hear(
    _ materials: [LearningMaterial], by network: AcousticNetwork
  ) throws(AnalysisError) -> Hearings {
    var workflow = workflow
    workflow.network = network
    workflow.placement = nil
    var result: Hearings = []
    for material in materials {
      let scores = network.scores(of: material.logMel, threadCount: workflow.threadCount)
      let aligner = try workflow.aligner(
        HeardRecording(envelope: material.envelope, scores: scores))
      result.append(material.stretches.map { aligner.hear($0) })
      if workflow.stopFlag.isStopped { throw .cancelled }
    }
    return result
  }

  // MARK: - The voice

  /// Learns from two thirds of the stretches and tries on the third, three times; then learns from all.
  ///
  /// - Parameter hearings: what the voice makes of them afterwards, if it is accepted.
  private func learnVoice(
    _ materials: [LearningMaterial], _ hearings: inout Hearings, _ outcome: inout LearningOutcome,
    _ progress: (@Sendable (Double) -> Void)?
  ) throws(AnalysisError) {
    let all = labelled(materials, hearings) { _ in true }
    outcome.frames = all.reduce(0) { $0 + $1.count }
    guard outcome.frames >= Self.fewestFrames else { return }
    let learning = VoiceLearning(threadCount: workflow.threadCount, stopFlag: workflow.stopFlag)
    let rounds = Double(Self.heldOut + 1)
    func network(
      _ examples: [LabelledFrames], round: Int
    ) throws(AnalysisError) -> (network: AcousticNetwork, voice: VoiceAdaptation)? {
      let voice = learning.learn(examples, for: workflow.network) {
        progress?((Double(round) + $0) / rounds)
      }
      if workflow.stopFlag.isStopped { throw .cancelled }
      guard let voice, let weights = workflow.network.weights.adapted(by: voice) else { return nil }
      return (AcousticNetwork(weights), voice)
    }
    var trial = LearningTrial()
    var loss = (before: 0.0, after: 0.0)
    for round in 0..<Self.heldOut {
      let learnt = labelled(materials, hearings) { $0 % Self.heldOut != round }
      let tried = labelled(materials, hearings) { $0 % Self.heldOut == round }
      guard let adapted = try network(learnt, round: round)?.network,
        let before = learning.loss(of: tried, by: workflow.network),
        let after = learning.loss(of: tried, by: adapted)
      else { return }
      loss.before += before
      loss.after += after
      let heard = try hear(materials, by: adapted)
      for (number, pair) in zip(hearings.joined(), heard.joined()).enumerated()
      where number % Self.heldOut == round {
        trial.add(pair.0?.edges, pair.1?.edges, Self.tolerance)
      }
    }
    // That frames fit better is no proof: they do so where edges get worse.
    trial.isAccepted =
      trial.edges >= Self.fewestEdges && loss.after < loss.before
      && Double(trial.wrongAfter) < Double(trial.wrongBefore) * Self.fewer
      && trial.distanceAfter <= trial.distanceBefore
    trial.finish()
    outcome.voiceTrial = trial
    guard trial.isAccepted, let (network, voice) = try network(all, round: Self.heldOut) else {
      return
    }
    outcome.voice = voice
    hearings = try hear(materials, by: network)
  }

  /// The frames of stretches whose number is wanted, counted through all recordings; no more than are of use.
  private func labelled(
    _ materials: [LearningMaterial], _ hearings: Hearings, where isWanted: (Int) -> Bool
  ) -> [LabelledFrames] {
    var number = 0
    var frames = 0
    return zip(materials, hearings).map { material, stretches in
      var labels = [UInt8?](repeating: nil, count: material.logMel.count)
      for stretch in stretches {
        defer { number += 1 }
        guard isWanted(number), frames < Self.mostFrames, let stretch else { continue }
        for (frame, label) in zip(stretch.frames, stretch.labels) { labels[frame] = label }
        frames += stretch.frames.count
      }
      return LabelledFrames(material.logMel, labels: labels)
    }
  }

  // MARK: - Placement

  private func learnPlacement(_ hearings: Hearings, _ outcome: inout LearningOutcome) {
    let examples = hearings.map { $0.map { ($0?.edges ?? []).compactMap { $0 } } }
    let recordings = examples.indices.filter { examples[$0].contains { !$0.isEmpty } }
    // What holds for some recordings of a reciter need not hold for others.
    if recordings.count >= Self.fewestRecordings {
      var trial = LearningTrial()
      for index in recordings {
        let others = recordings.filter { $0 != index }.flatMap { examples[$0].flatMap { $0 } }
        trial.add(examples[index].flatMap { $0 }, EdgePlacement(learning: others), Self.tolerance)
      }
      if let placement = EdgePlacement(
        learning: recordings.flatMap { examples[$0].flatMap { $0 } }),
        trial.judge(fewest: Self.fewestEdges, nearer: Self.nearer)
      {
        outcome.placement = placement
      }
      trial.finish()
      outcome.placementTrial = trial
    }
    for stretches in examples {
      let (own, trial) = ownPlacement(stretches.flatMap { $0 }, outcome.placement)
      outcome.ownTrials.append(trial)
      outcome.ownPlacements.append(own)
    }
  }

  /// What one recording tells, where it helps there more than what all tell.
  private func ownPlacement(
    _ examples: [EdgePlacement.Example], _ common: EdgePlacement?
  ) -> (placement: EdgePlacement?, trial: LearningTrial?) {
    guard let placement = EdgePlacement(learning: examples)?.completed(by: common) else {
      return (nil, nil)
    }
    var trial = LearningTrial()
    for round in 0..<Self.heldOut {
      func part(_ isTried: Bool) -> [EdgePlacement.Example] {
        examples.enumerated().filter { ($0.offset % Self.heldOut == round) == isTried }
          .map(\.element)
      }
      trial.add(
        part(true), common, EdgePlacement(learning: part(false))?.completed(by: common) ?? common,
        Self.tolerance)
    }
    let isBetter = trial.judge(fewest: Self.fewestEdges, nearer: Self.nearer)
    trial.finish()
    return (isBetter ? placement : nil, trial)
  }
}

extension LearningTrial {
  /// Adds what was found of the same edges before and after.
  fileprivate mutating func add(
    _ before: [EdgePlacement.Example?]?, _ after: [EdgePlacement.Example?]?, _ tolerance: Double
  ) {
    // Of a stretch that neither hears nothing is known.
    guard before != nil || after != nil else { return }
    let count = max(before?.count ?? 0, after?.count ?? 0)
    func distance(_ examples: [EdgePlacement.Example?]?, _ index: Int) -> Double {
      guard let examples, let example = examples[index] else { return 1 }
      return abs(example.found - example.confirmed)
    }
    for index in 0..<count { add(distance(before, index), distance(after, index), tolerance) }
  }

  /// Adds edges as they are placed, before as usual.
  fileprivate mutating func add(
    _ examples: [EdgePlacement.Example], _ placement: EdgePlacement?, _ tolerance: Double
  ) {
    add(examples, nil, placement, tolerance)
  }

  fileprivate mutating func add(
    _ examples: [EdgePlacement.Example], _ before: EdgePlacement?, _ after: EdgePlacement?,
    _ tolerance: Double
  ) {
    for example in examples {
      func distance(_ placement: EdgePlacement?) -> Double {
        let place = (placement ?? EdgePlacement()).place(example.found, in: example.pause)
        return abs(place - example.confirmed)
      }
      add(distance(before), distance(after), tolerance)
    }
  }

  private mutating func add(_ before: Double, _ after: Double, _ tolerance: Double) {
    edges += 1
    if before > tolerance { wrongBefore += 1 }
    if after > tolerance { wrongAfter += 1 }
    distanceBefore += min(before, 1)
    distanceAfter += min(after, 1)
  }

  fileprivate mutating func judge(fewest: Int, nearer: Double) -> Bool {
    isAccepted =
      edges >= fewest && wrongAfter <= wrongBefore && distanceAfter < distanceBefore * nearer
    return isAccepted
  }

  /// Makes averages of sums.
  fileprivate mutating func finish() {
    guard edges > 0 else { return }
    distanceBefore /= Double(edges)
    distanceAfter /= Double(edges)
  }
}
