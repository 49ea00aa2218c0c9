// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import Quran

/// A remark about an alignment. Only ``text(_:)`` puts it into words.
public enum AlignmentRemark: Hashable, Sendable {
  /// No voice is heard.
  case noVoice
  /// What is heard does not fit the text that was told.
  case otherText(first: AyahReference)
  /// It was searched for in a range, and fits nowhere.
  case noPlace(AyahRange)
  /// Of the places in which it was searched for, many fit equally well.
  case manyPlaces
  /// It begins outside of the range in which it was searched for.
  case beginsOutside(AyahReference, AyahRange)
  /// It sounds like another place of the Quran.
  case soundsLike(AyahReference, told: AyahReference)
  /// The recording begins with another ayah than was told,
  case beginsWith(AyahReference, told: AyahReference)
  /// or ends with another.
  case endsWith(AyahReference, told: AyahReference)
  /// What a person has confirmed leaves no room for an ayah and what follows it.
  case noRoom(AyahReference)
  /// Ayat are repeated at a time of the recording, in seconds.
  case heardAgain(AyahRange, isPart: Bool, seconds: Double)
  /// Ayat are heard for the first time after one that comes later in the Quran.
  case outOfOrder(AyahRange, after: AyahReference, seconds: Double)
  /// Ayat are not heard.
  case leftOut(AyahRange, seconds: Double)
  /// Told as no prayer, but al-Fatiha is heard so many times.
  case isPrayer(fatihas: Int)
  /// Told as a prayer, but no al-Fatiha is heard.
  case isNoPrayer
  /// The sounds of what is recited are not known; those of Hafs were listened for.
  case otherReading(Riwayah)

  /// Whether the recording probably does not match its description.
  public var isDoubt: Bool {
    switch self {
    case .noVoice, .otherText, .noPlace, .manyPlaces, .beginsOutside, .soundsLike, .beginsWith,
      .endsWith, .noRoom, .isPrayer:
      true
    case .heardAgain, .outOfOrder, .leftOut, .isNoPrayer, .otherReading: false
    }
  }

  /// The code in JSON.
  public var code: String {
    switch self {
    case .noVoice: "no_voice"
    case .otherText: "other_text"
    case .noPlace: AlignmentJudgement.StartCode.noPlace.rawValue
    case .manyPlaces: AlignmentJudgement.StartCode.manyPlaces.rawValue
    case .beginsOutside: AlignmentJudgement.StartCode.beginsOutside.rawValue
    case .soundsLike: "sounds_like"
    case .beginsWith: "begins_with"
    case .endsWith: "ends_with"
    case .noRoom: "no_room"
    case .heardAgain: "heard_again"
    case .outOfOrder: "out_of_order"
    case .leftOut: "left_out"
    case .isPrayer: "is_prayer"
    case .isNoPrayer: "is_no_prayer"
    case .otherReading: "other_reading"
    }
  }

  /// Where a person acts on a remark.
  public enum Place: Sendable {
    case commandLine, editor
  }

  /// One sentence: what was found, and what to do.
  ///
  /// That for the editor is kept with a recording, and commands show it too: it names no keys.
  public func text(_ place: Place) -> String {
    let isCommand = place == .commandLine
    switch self {
    case .noVoice:
      return isCommand ? "no speech detected; check the file and --track" : "no speech detected"
    case .otherText(let first):
      return "the recitation does not match \(first) and the following ayat; check "
        + (isCommand
          ? "--start, or use --surah 1-114 to search" : "the first ayah, or search for it")
    case .noPlace(let range):
      let place = range == .wholeQuran ? "in the Quran" : "in \(range.numericDescription)"
      return "the recitation fits no place \(place) well; "
        + (isCommand ? "use --start" : "set the first ayah")
    case .manyPlaces:
      return "many places fit equally well; "
        + (isCommand ? "use --start" : "set the first ayah")
    case .beginsOutside(let found, let range):
      return "\(found) is outside \(range.numericDescription); "
        + (isCommand ? "use --start" : "check the range")
    case .soundsLike(let found, let told):
      return "this sounds like \(found), not like \(told); "
        + (isCommand ? "try --start \(found)" : "try \(found) as the first ayah")
    case .beginsWith(let found, let told):
      return "the recitation begins with \(found), not \(told); "
        + (isCommand ? "try --start \(found)" : "try \(found) as the first ayah")
    case .endsWith(let found, let told):
      return "the recitation ends with \(found), not \(told); "
        + (isCommand ? "try --end \(found)" : "try \(found) as the last ayah")
    case .noRoom(let ayah):
      return
        "the confirmed segments leave no room for \(ayah) and the following ayat; check them"
    case .heardAgain(let ayat, let isPart, let seconds):
      let time = Self.clock(seconds)
      if ayat.count > 1 { return "\(ayat.numericDescription) are repeated at \(time)" }
      return "\(isPart ? "a part of " : "")\(ayat.first) is repeated at \(time)"
    case .outOfOrder(let ayat, let later, let seconds):
      return
        "\(ayat.numericDescription) \(ayat.count == 1 ? "comes" : "come") after \(later) at \(Self.clock(seconds))"
    case .leftOut(let ayat, let seconds):
      let what = ayat.count == 1 ? "\(ayat.first) is" : "\(ayat.numericDescription) are"
      return "\(what) missing at \(Self.clock(seconds))"
    case .isPrayer(let fatihas):
      return "al-Fatiha occurs \(fatihas) times, as in prayers; if this is a prayer, "
        + (isCommand ? "use --prayer taraweeh" : "set Prayer")
    case .isNoPrayer:
      return "al-Fatiha was not found; if this is not a prayer, "
        + (isCommand ? "remove --prayer" : "set Prayer to no")
    case .otherReading(let riwayah):
      return "the sounds of \(riwayah.displayName) are not available; "
        + "the sounds of Hafs were used instead, so check the edges"
    }
  }

  /// As it is kept with a recording.
  public var kept: AlignmentJudgement.Remark {
    .init(code: code, text: text(.editor), seconds: seconds)
  }

  /// Where in the recording it is of; nil where it is of all of it.
  private var seconds: Double? {
    switch self {
    case .heardAgain(_, _, let seconds), .outOfOrder(_, _, let seconds), .leftOut(_, let seconds):
      seconds
    case .noVoice, .otherText, .noPlace, .manyPlaces, .beginsOutside, .soundsLike, .beginsWith,
      .endsWith, .noRoom, .isPrayer, .isNoPrayer, .otherReading:
      nil
    }
  }

  /// Minutes and seconds, hours where there are any.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = whole / 60 % 60
    return whole >= 3600
      ? "\(whole / 3600):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }
}
