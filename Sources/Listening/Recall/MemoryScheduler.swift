// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How well something was recited by heart.
public enum RecallGrade: Int, Hashable, Sendable, CaseIterable {
  /// Not known, or only with help.
  case again = 1
  case hard, good, easy

  public var name: String {
    switch self {
    case .again: "again"
    case .hard: "hard"
    case .good: "good"
    case .easy: "easy"
    }
  }

  public init?(named name: String) {
    guard let grade = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = grade
  }
}

/// How well something is known, as its grades tell. Times are in seconds since 1970.
public struct Memory: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    /// New, at one of the first steps, counted from 0.
    case learning(step: Int)
    case known
    /// Forgotten, and on the way back.
    case relearning(step: Int)
  }

  public internal(set) var phase: Phase
  /// Days after which nine times in ten it would still be known.
  public internal(set) var stability: Double
  /// 1...10.
  public internal(set) var difficulty: Double
  public internal(set) var due: Int
  public internal(set) var last: Int
}

/// When something is to be recited again: FSRS-6, "free spaced repetition scheduler", with the weights that its
/// authors publish (open-spaced-repetition, 21 numbers fitted to the reviews of many people).
///
/// Nothing in it is left to chance: the same grades give the same days.
public struct MemoryScheduler: Hashable, Sendable {
  /// How likely it is to be still known on the day it is due.
  public let retention: Double

  private static let weights = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835,
    0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
  ]
  private static let decay = -weights[20]
  /// By which ``Memory/stability`` is the time to nine times in ten.
  private static let factor = pow(0.9, 1 / decay) - 1
  private static let day = 86_400
  /// Of the published scheduler: a minute and ten for what is new, ten for what was forgotten.
  private static let learningSteps = [60, 600]
  private static let relearningSteps = [600]
  private static let longestDays = 36_500.0
  private static let leastStability = 0.001
  private static let difficulties = 1.0...10.0

  /// - Parameter retention: 0.7...0.97; what lies outside is moved inside.
  public init(retention: Double = 0.9) { self.retention = min(max(retention, 0.7), 0.97) }

  /// How likely it is to be known at a time, 0...1.
  public func chance(_ memory: Memory, at time: Int) -> Double {
    let days = max(0, (time - memory.last) / Self.day)
    return pow(1 + Self.factor * Double(days) / memory.stability, Self.decay)
  }

  /// What a grade makes of a memory; nil for none yet.
  public func memory(after grade: RecallGrade, at time: Int, _ memory: Memory?) -> Memory {
    guard var memory else {
      var new = Memory(
        phase: .learning(step: 0),
        stability: max(Self.weights[grade.rawValue - 1], Self.leastStability),
        difficulty: Self.clamped(Self.firstDifficulty(grade)), due: time, last: time)
      schedule(&new, grade, at: time)
      return new
    }
    if time - memory.last < Self.day {
      memory.stability = Self.stabilitySameDay(memory.stability, grade)
    } else {
      let chance = chance(memory, at: time)
      memory.stability =
        grade == .again
        ? Self.stabilityForgotten(memory, chance) : Self.stabilityKnown(memory, chance, grade)
    }
    memory.stability = max(memory.stability, Self.leastStability)
    memory.difficulty = Self.difficulty(memory.difficulty, after: grade)
    schedule(&memory, grade, at: time)
    return memory
  }

  /// All grades of one thing, the earliest first.
  public func memory(after grades: [(grade: RecallGrade, at: Int)]) -> Memory? {
    grades.reduce(nil) { memory, review in
      self.memory(after: review.grade, at: review.at, memory)
    }
  }

  // MARK: The next time

  private func schedule(_ memory: inout Memory, _ grade: RecallGrade, at time: Int) {
    memory.last = time
    switch memory.phase {
    case .learning(let step):
      take(step, of: Self.learningSteps, grade, &memory) { .learning(step: $0) }
    case .relearning(let step):
      take(step, of: Self.relearningSteps, grade, &memory) { .relearning(step: $0) }
    case .known where grade == .again:
      memory.phase = .relearning(step: 0)
      memory.due = time + Self.relearningSteps[0]
    case .known:
      memory.due = time + days(memory.stability) * Self.day
    }
  }

  private func take(
    _ step: Int, of steps: [Int], _ grade: RecallGrade, _ memory: inout Memory,
    phase: (Int) -> Memory.Phase
  ) {
    func wait(_ seconds: Int, at step: Int) {
      memory.phase = phase(step)
      memory.due = memory.last + seconds
    }
    switch grade {
    case .again: wait(steps[0], at: 0)
    case .hard where step == 0 && steps.count == 1: wait(steps[0] * 3 / 2, at: 0)
    case .hard where step == 0: wait((steps[0] + steps[1]) / 2, at: 0)
    case .hard: wait(steps[step], at: step)
    case .good where step + 1 < steps.count: wait(steps[step + 1], at: step + 1)
    case .good, .easy:
      memory.phase = .known
      memory.due = memory.last + days(memory.stability) * Self.day
    }
  }

  private func days(_ stability: Double) -> Int {
    let days = stability / Self.factor * (pow(retention, 1 / Self.decay) - 1)
    return Int(min(max(days.rounded(.toNearestOrEven), 1), Self.longestDays))
  }

  // MARK: What a grade says

  private static func firstDifficulty(_ grade: RecallGrade) -> Double {
    weights[4] - exp(weights[5] * Double(grade.rawValue - 1)) + 1
  }

  private static func clamped(_ difficulty: Double) -> Double {
    min(max(difficulty, difficulties.lowerBound), difficulties.upperBound)
  }

  private static func difficulty(_ difficulty: Double, after grade: RecallGrade) -> Double {
    let step = -weights[6] * Double(grade.rawValue - 3)
    let moved = difficulty + (difficulties.upperBound - difficulty) * step / 9
    return clamped(weights[7] * firstDifficulty(.easy) + (1 - weights[7]) * moved)
  }

  private static func stabilitySameDay(_ stability: Double, _ grade: RecallGrade) -> Double {
    let growth =
      exp(weights[17] * (Double(grade.rawValue - 3) + weights[18])) * pow(stability, -weights[19])
    return stability * (grade == .again ? growth : max(growth, 1))
  }

  private static func stabilityForgotten(_ memory: Memory, _ chance: Double) -> Double {
    let long =
      weights[11] * pow(memory.difficulty, -weights[12])
      * (pow(memory.stability + 1, weights[13]) - 1) * exp((1 - chance) * weights[14])
    return min(long, memory.stability / exp(weights[17] * weights[18]))
  }

  private static func stabilityKnown(
    _ memory: Memory, _ chance: Double, _ grade: RecallGrade
  ) -> Double {
    let bonus = grade == .hard ? weights[15] : grade == .easy ? weights[16] : 1
    return memory.stability
      * (1 + exp(weights[8]) * (11 - memory.difficulty) * pow(memory.stability, -weights[9])
        * (exp((1 - chance) * weights[10]) - 1) * bonus)
  }
}
