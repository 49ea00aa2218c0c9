// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import ReciterSources
import Testing

struct KnownSourceTests {
  @Test func everyOneHasANameOfItsOwnAndAnEncryptedAddress() throws {
    let all = KnownSource.all
    #expect(Set(all.map(\.id)).count == all.count && Set(all.map(\.pattern)).count == all.count)
    for known in all {
      let pattern = try SourcePattern(known.pattern)
      #expect(!pattern.isInsecure && pattern.isBySurah == known.id.hasSuffix("-surahs"))
      let url = pattern.url(of: try #require(AyahReference("2:255")))
      #expect(url.hasSuffix(pattern.isBySurah ? "/002.mp3" : "/002255.mp3"))
    }
  }
}
