// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import Testing
import Timings

@Suite("Published words of a file with one ayah, compared with what is heard")
struct WordsCheckTests {
  /// 112:1 has four words.
  private let ayah = AyahReference(surah: 112, ayah: 1)!
  private let heard: [WordsCheck.Heard] = [
    .init(1, from: 0.4, to: 0.9), .init(2, from: 0.9, to: 1.5), .init(3, from: 1.5, to: 2.4),
    .init(4, from: 2.4, to: 3.6),
  ]

  private func published(_ starts: [Int], numbers: [ClosedRange<Int>]? = nil)
    -> PublishedTimings.Ayah
  {
    let numbers = numbers ?? starts.indices.map { $0 + 1...$0 + 1 }
    return .init(
      ayah, start: nil,
      words: zip(numbers, starts).map { .init($0, $1..<$1 + 300) })
  }

  @Test func whatAgreesFitsAndStaysAsItIs() throws {
    let words = published([410, 950, 1480, 2500])
    let check = try WordsCheck(words, heard: heard)
    #expect(check.fits && check.wrong.isEmpty && abs(check.shift) < 0.06)
    #expect(check.repaired == words)
  }

  @Test func theFirstWordMayBeToldToBeginWithTheFile() throws {
    let late = heard.map { WordsCheck.Heard($0.number, from: $0.start + 2, to: $0.end + 2) }
    let check = try WordsCheck(published([0, 2900, 3500, 4400]), heard: late)
    #expect(check.fits)
  }

  @Test func aShiftIsFoundAndTakenOff() throws {
    let check = try WordsCheck(published([1400, 1900, 2500, 3400]), heard: heard)
    #expect(!check.fits && check.wrong.isEmpty && abs(check.shift - 1) < 0.01)
    #expect(check.repaired.words.map(\.span.lowerBound) == [400, 900, 1500, 2400])
  }

  @Test func aWordThatIsWrongIsNamedAndTheHeardOnesTakeItsPlace() throws {
    let check = try WordsCheck(published([400, 900, 2300, 2400]), heard: heard)
    #expect(check.wrong.map(\.number) == [3] && abs(check.wrong[0].seconds - 0.8) < 0.01)
    #expect(check.repaired.words.map(\.span.lowerBound) == [400, 900, 1500, 2400])
    #expect(try WordsCheck(check.repaired, heard: heard).fits)
  }

  @Test func aRepeatedWordIsComparedWithTheNearest() throws {
    let again = heard + [.init(3, from: 4, to: 4.6), .init(4, from: 4.6, to: 5.5)]
    let words = published(
      [400, 900, 1500, 2400, 4000, 4600], numbers: [1...1, 2...2, 3...3, 4...4, 3...3, 4...4])
    #expect(try WordsCheck(words, heard: again).fits)
  }

  @Test func otherWordsAndThoseThatAreHardlyHeardAreNotCompared() {
    func obstacle(_ starts: [Int], _ heard: [WordsCheck.Heard]) -> WordsCheck.Obstacle? {
      do throws(WordsCheck.Obstacle) {
        _ = try WordsCheck(published(starts), heard: heard)
        return nil
      } catch {
        return error
      }
    }
    #expect(
      obstacle([400, 900, 1500, 2400, 3000], heard) == .otherWords(published: 5, text: 4))
    #expect(obstacle([400, 900, 1500, 2400], Array(heard.prefix(1))) == .notHeard)
    #expect(obstacle([], heard) == .otherWords(published: 0, text: 4))
  }
}
