// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB

/// The tables, and the steps by which a library made by an older version comes to have them.
///
/// Steps are only ever added. Times are whole seconds since 1970, places are frames.
enum Schema {
  /// "tilw", by which `file` and we tell a library from any other database.
  static let applicationID: Int32 = 0x7469_6c77

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: version1) }
    migrator.registerMigration("2") { try $0.execute(sql: version2) }
    migrator.registerMigration(withChecksums) { try $0.execute(sql: version3) }
    migrator.registerMigration("4") { try $0.execute(sql: version4) }
    migrator.registerMigration("5") { db in
      try db.execute(sql: version5)
      try ReciterSource.adoptAddressesOfReciters(db)
    }
    migrator.registerMigration("6") { try $0.execute(sql: version6) }
    migrator.registerMigration("7") { try $0.execute(sql: version7) }
    migrator.registerMigration("8") { try $0.execute(sql: version8) }
    migrator.registerMigration("9") { try $0.execute(sql: version9) }
    migrator.registerMigration("10") { try $0.execute(sql: version10) }
    migrator.registerMigration("11") { try $0.execute(sql: version11) }
    migrator.registerMigration("12") { try $0.execute(sql: version12) }
    migrator.registerMigration("13") { try $0.execute(sql: version13) }
    migrator.registerMigration("14") { try $0.execute(sql: version14) }
    migrator.registerMigration("15") { try $0.execute(sql: version15) }
    migrator.registerMigration("16") { try $0.execute(sql: version16) }
    migrator.registerMigration("17") { try $0.execute(sql: version17) }
    return migrator
  }

  /// The step from which on the pages of the database have checksums.
  static let withChecksums = "3"

  private static let riwayat = "('hafs','shuba','qalun','warsh','douri','sousi','bazzi','qunbul')"
  private static let origins = "('detected','aligned','person')"

  private static var version2: String {
    """
    -- What an alignment said of the annotation as the edit left it.
    ALTER TABLE journal ADD COLUMN judgement TEXT CHECK (judgement IS NULL OR json_valid(judgement));
    """
  }

  /// What all UUIDs look like that the library gives.
  private static var uuids: String {
    let digits = String(repeating: "[0-9a-f]", count: 4)
    return "\(digits)\(digits)-\(digits)-\(digits)-\(digits)-\(digits)\(digits)\(digits)"
  }

  /// Rows from before stay as they are, for 'check' to name.
  private static var version3: String {
    let isPlaced = """
      (NEW.isInPlace = 1 OR ((NEW.path GLOB 'Recordings/?*' OR NEW.path GLOB 'Bin/?*')
        AND substr(NEW.path, instr(NEW.path, '/') + 1) NOT IN ('.', '..')
        AND instr(substr(NEW.path, instr(NEW.path, '/') + 1), '/') = 0))
      """
    return """
      -- A copy lies in one of the library's two folders, and nowhere else.
      CREATE TRIGGER recordingEntersTheLibrary BEFORE INSERT ON recording
        WHEN NOT (\(isPlaced)) BEGIN SELECT RAISE(ABORT, 'a path that leads out of the library'); END;
      CREATE TRIGGER recordingStaysInTheLibrary BEFORE UPDATE OF path, isInPlace ON recording
        WHEN NOT (\(isPlaced)) BEGIN SELECT RAISE(ABORT, 'a path that leads out of the library'); END;
      -- Files are named by it.
      CREATE TRIGGER recordingHasAnID BEFORE INSERT ON recording
        WHEN NEW.uuid NOT GLOB '\(uuids)' BEGIN SELECT RAISE(ABORT, 'no UUID'); END;
      CREATE TRIGGER recordingKeepsItsID BEFORE UPDATE OF uuid ON recording
        WHEN NEW.uuid IS NOT OLD.uuid BEGIN SELECT RAISE(ABORT, 'a UUID that changes'); END;
      """
  }

  /// The columns of `reciter` that held one address stay empty from now on.
  private static var version5: String {
    """
    -- Where published recitations are: a folder of the user's, or a pattern of addresses.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      -- What is fetched lies in Sources/{uuid}.
      uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
      name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(trim(name)) > 0),
      reciterID INTEGER REFERENCES reciter ON DELETE SET NULL,
      riwayah TEXT NOT NULL CHECK (riwayah IN \(riwayat)),
      folder TEXT,
      pattern TEXT,
      ayahOffset INTEGER NOT NULL CHECK (abs(ayahOffset) < 300),
      isEnabled INTEGER NOT NULL CHECK (isEnabled IN (0, 1)),
      allowsPrivate INTEGER NOT NULL CHECK (allowsPrivate IN (0, 1)),
      allowsInsecure INTEGER NOT NULL CHECK (allowsInsecure IN (0, 1)),
      CHECK ((folder IS NULL) <> (pattern IS NULL))
    ) STRICT;

    -- A file that was fetched whole.
    CREATE TABLE sourceFile (
      sourceID INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      hash BLOB NOT NULL CHECK (length(hash) = 16),
      etag TEXT,
      fetchedAt INTEGER NOT NULL,
      PRIMARY KEY (sourceID, ayah)
    ) STRICT, WITHOUT ROWID;

    -- What a server did not have, or did not give, and until when it is not asked again.
    CREATE TABLE sourceAbsence (
      sourceID INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      status INTEGER NOT NULL,
      until INTEGER NOT NULL,
      PRIMARY KEY (sourceID, ayah)
    ) STRICT, WITHOUT ROWID;
    """
  }

  private static var version6: String {
    """
    -- What was heard, an ayah's hearing a row. Names are repeated, so that it outlives what it names and can be
    -- merged with that of another machine. Rows are only added, or forgotten.
    CREATE TABLE heard (
      uuid TEXT NOT NULL PRIMARY KEY CHECK (length(uuid) = 36),
      -- When it ended.
      at INTEGER NOT NULL,
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      riwayah TEXT NOT NULL CHECK (riwayah IN \(riwayat)),
      reciter TEXT,
      media TEXT NOT NULL,
      -- Frames of the recording that were heard, of how many the ayah has, and how many make a second.
      frames INTEGER NOT NULL CHECK (frames > 0),
      length INTEGER NOT NULL CHECK (length > 0),
      rate INTEGER NOT NULL CHECK (rate > 0),
      speed REAL NOT NULL CHECK (speed > 0)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX heardByTime ON heard (at);
    CREATE INDEX heardByAyah ON heard (ayah, at);
    """
  }

  private static var version7: String {
    """
    -- The file of published timings; needed where a file of the source holds a whole surah.
    ALTER TABLE source ADD COLUMN timings TEXT;

    -- Where an ayah lies within the file of its surah, in milliseconds, once that was checked or the user trusts it.
    CREATE TABLE sourceSpan (
      sourceID INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      start INTEGER NOT NULL CHECK (start >= 0),
      end INTEGER NOT NULL CHECK (end > start),
      -- Of the file that was checked; NULL where they are trusted for any.
      bytes INTEGER CHECK (bytes > 0),
      PRIMARY KEY (sourceID, ayah)
    ) STRICT, WITHOUT ROWID;
    """
  }

  private static var version8: String {
    """
    -- The published segments that no person confirmed.
    CREATE INDEX segmentUnconfirmed ON segment (recordingID) WHERE isManual = 0;
    -- Whether the editor undoes an edit together with the one before it.
    ALTER TABLE journal ADD COLUMN joinsPrevious INTEGER NOT NULL DEFAULT 0
      CHECK (joinsPrevious IN (0, 1));
    """
  }

  private static var version9: String {
    """
    -- Ayat that a person learns by heart together, and joins, which are the last ayah of a unit and the first of the next.
    CREATE TABLE hifzUnit (
      first INTEGER NOT NULL CHECK (first BETWEEN 1 AND 6236),
      last INTEGER NOT NULL CHECK (last BETWEEN first AND 6236),
      isJoin INTEGER NOT NULL CHECK (isJoin IN (0, 1)),
      addedAt INTEGER NOT NULL,
      PRIMARY KEY (first, last)
    ) STRICT, WITHOUT ROWID;

    -- How they were recited, once a row; what is due follows from these alone. They outlive their unit, and can be
    -- merged with those of another machine.
    CREATE TABLE hifzReview (
      uuid TEXT NOT NULL PRIMARY KEY CHECK (length(uuid) = 36),
      first INTEGER NOT NULL CHECK (first BETWEEN 1 AND 6236),
      last INTEGER NOT NULL CHECK (last BETWEEN first AND 6236),
      at INTEGER NOT NULL,
      grade INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 4)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX hifzReviewByUnit ON hifzReview (first, last, at);
    """
  }

  private static var version10: String {
    """
    -- Lines such as '2:1-2 = 2:1', where a source's counting splits or joins ayat.
    ALTER TABLE source ADD COLUMN mapping TEXT
      CHECK (mapping IS NULL OR (length(mapping) > 0 AND ayahOffset = 0));

    -- By its name, since an ayah may be in several files.
    CREATE TABLE namedSourceFile (
      sourceID INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
      name TEXT NOT NULL,
      -- The first in it.
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      url TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      hash BLOB NOT NULL CHECK (length(hash) = 16),
      etag TEXT,
      fetchedAt INTEGER NOT NULL,
      PRIMARY KEY (sourceID, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO namedSourceFile
      SELECT sourceID, name, ayah, url, bytes, hash, etag, fetchedAt FROM sourceFile;
    DROP TABLE sourceFile;
    ALTER TABLE namedSourceFile RENAME TO sourceFile;
    """
  }

  private static var version11: String {
    """
    -- When its words are said: 'number,start,end' in milliseconds from the ayah's start, ';' between them.
    ALTER TABLE sourceSpan ADD COLUMN words TEXT CHECK (words IS NULL OR length(words) > 0);
    """
  }

  private static var version12: String {
    """
    -- Frames of those heard during which the picture of the recording was seen.
    ALTER TABLE heard ADD COLUMN watched INTEGER NOT NULL DEFAULT 0
      CHECK (watched BETWEEN 0 AND frames);
    """
  }

  private static var version13: String {
    """
    -- Whether its timings count where no check has found them right, in files that come later as well.
    ALTER TABLE source ADD COLUMN trustsTimings INTEGER NOT NULL DEFAULT 0
      CHECK (trustsTimings IN (0, 1));
    UPDATE source SET trustsTimings = 1
      WHERE timings IS NOT NULL
        AND EXISTS (SELECT 1 FROM sourceSpan WHERE sourceID = source.id AND bytes IS NULL);
    """
  }

  private static var version14: String {
    """
    -- Folders and files are named by these, so nothing else may pass for one.
    CREATE TRIGGER sourceHasAnID BEFORE INSERT ON source
      WHEN NEW.uuid NOT GLOB '\(uuids)' BEGIN SELECT RAISE(ABORT, 'no UUID'); END;
    CREATE TRIGGER sourceKeepsItsID BEFORE UPDATE OF uuid ON source
      WHEN NEW.uuid IS NOT OLD.uuid BEGIN SELECT RAISE(ABORT, 'a UUID that changes'); END;
    CREATE TRIGGER sourceFileHasAName BEFORE INSERT ON sourceFile
      WHEN instr(NEW.name, '/') > 0 OR NEW.name IN ('', '.', '..')
      BEGIN SELECT RAISE(ABORT, 'a path instead of a name'); END;

    -- Whether it is not the file that the manifest of its source speaks of.
    ALTER TABLE sourceFile ADD COLUMN differs INTEGER NOT NULL DEFAULT 0 CHECK (differs IN (0, 1));

    -- Timings that a server did not have, or did not give, and until when it is not asked again. Of a file with the
    -- timings of all surahs the first stands for it.
    CREATE TABLE sourceTimingsAbsence (
      sourceID INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
      surah INTEGER NOT NULL CHECK (surah BETWEEN 1 AND 114),
      until INTEGER NOT NULL,
      PRIMARY KEY (sourceID, surah)
    ) STRICT, WITHOUT ROWID;
    """
  }

  private static var version15: String {
    """
    -- The files of sources that were compared with published timings, whatever came of it: how long they were, and the
    -- hash of the timings. Others wait for that.
    CREATE TABLE sourceComparison (
      sourceID INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
      file TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      timings BLOB NOT NULL CHECK (length(timings) = 16),
      PRIMARY KEY (sourceID, file)
    ) STRICT, WITHOUT ROWID;
    """
  }

  private static var version16: String {
    """
    -- Why the timings do not count; null where they do, and where another program has compared them.
    ALTER TABLE sourceComparison ADD remark TEXT;
    """
  }

  private static var version17: String {
    """
    -- Whether its ayah was heard whole by then, in this hearing or in pieces that followed each other.
    ALTER TABLE heard ADD COLUMN isWhole INTEGER NOT NULL DEFAULT 0 CHECK (isWhole IN (0, 1));
    UPDATE heard SET isWhole = frames * 10 >= length * 9;
    """
  }

  private static var version4: String {
    """
    -- When a word of an ayah is heard, as the latest alignment has it.
    CREATE TABLE word (
      recordingID INTEGER NOT NULL REFERENCES recording ON DELETE CASCADE,
      start INTEGER NOT NULL CHECK (start >= 0),
      end INTEGER NOT NULL CHECK (end > start),
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      -- A whitespace token of the QPC Hafs text, from 1 on.
      number INTEGER NOT NULL CHECK (number > 0),
      PRIMARY KEY (recordingID, start)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER wordInsideRecording BEFORE INSERT ON word
      WHEN NEW.end > (SELECT length FROM recording WHERE id = NEW.recordingID)
      BEGIN SELECT RAISE(ABORT, 'a word after the end of its recording'); END;
    """
  }

  private static var version1: String {
    """
    PRAGMA application_id = \(applicationID);

    CREATE TABLE reciter (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE CHECK (length(trim(name)) > 0),
      riwayah TEXT NOT NULL CHECK (riwayah IN \(riwayat)),
      baseURL TEXT,
      fileNamePattern TEXT,
      ayahOffset INTEGER NOT NULL DEFAULT 0 CHECK (abs(ayahOffset) < 300),
      -- The lower the sooner it is heard.
      priority INTEGER NOT NULL,
      CHECK ((baseURL IS NULL) = (fileNamePattern IS NULL)),
      UNIQUE (name, riwayah)
    ) STRICT;

    CREATE TABLE night (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(trim(name)) > 0)
    ) STRICT;

    CREATE TABLE recording (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
      title TEXT NOT NULL,
      -- Relative to the library's folder, or absolute where the file was left in its place.
      path TEXT NOT NULL UNIQUE CHECK (length(path) > 0),
      isInPlace INTEGER NOT NULL CHECK (isInPlace IN (0, 1) AND isInPlace = (path LIKE '/%')),
      track INTEGER CHECK (track > 0),
      fileSize INTEGER NOT NULL CHECK (fileSize > 0),
      -- Nanoseconds since 1970; a hint that spares the reading of `probe`.
      fileModified INTEGER NOT NULL,
      probe BLOB NOT NULL CHECK (length(probe) = 16),
      contentHash BLOB NOT NULL CHECK (length(contentHash) = 16),
      container TEXT NOT NULL,
      codec TEXT NOT NULL,
      rate INTEGER NOT NULL CHECK (rate BETWEEN 1 AND 768000),
      channels INTEGER NOT NULL CHECK (channels BETWEEN 1 AND 64),
      length INTEGER NOT NULL CHECK (length > 0),
      recordedAt INTEGER,
      importedAt INTEGER NOT NULL,
      removedAt INTEGER,
      reciterID INTEGER REFERENCES reciter ON DELETE SET NULL,
      riwayah TEXT NOT NULL CHECK (riwayah IN \(riwayat)),
      nightID INTEGER REFERENCES night ON DELETE SET NULL,
      nightOrder INTEGER,
      status TEXT NOT NULL DEFAULT 'none' CHECK (status IN ('none', 'partial', 'complete')),
      coversSurahStart INTEGER CHECK (coversSurahStart BETWEEN 1 AND 114),
      coversSurahEnd INTEGER CHECK (coversSurahEnd BETWEEN coversSurahStart AND 114),
      -- Grows with every edit, so that a second editor is noticed.
      revision INTEGER NOT NULL DEFAULT 0,
      -- The latest revision whose segments are as published.
      publishedRevision INTEGER CHECK (publishedRevision <= revision),
      CHECK ((coversSurahStart IS NULL) = (coversSurahEnd IS NULL))
    ) STRICT;
    CREATE INDEX recordingByContent ON recording (contentHash);
    CREATE INDEX recordingByReciter ON recording (reciterID);
    CREATE INDEX recordingByNight ON recording (nightID, nightOrder);

    -- A marker and the segment that starts at it; number 0 is the start of the recording.
    CREATE TABLE marker (
      recordingID INTEGER NOT NULL REFERENCES recording ON DELETE CASCADE,
      id INTEGER NOT NULL CHECK (id >= 0),
      position INTEGER NOT NULL CHECK ((id = 0) = (position = 0) AND position >= 0),
      origin TEXT CHECK (origin IN \(origins)),
      isMarkerConfirmed INTEGER NOT NULL CHECK (isMarkerConfirmed IN (0, 1)),
      markerConfidence REAL CHECK (markerConfidence BETWEEN 0 AND 1),
      -- `json_valid` of NULL is 0 in older versions of SQLite.
      assignment TEXT CHECK (assignment IS NULL OR json_valid(assignment)),
      assignmentOrigin TEXT CHECK (assignmentOrigin IN \(origins)),
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      isConfirmed INTEGER NOT NULL CHECK (isConfirmed IN (0, 1)),
      note TEXT NOT NULL,
      isFlagged INTEGER NOT NULL CHECK (isFlagged IN (0, 1)),
      PRIMARY KEY (recordingID, id),
      UNIQUE (recordingID, position),
      CHECK ((id = 0) = (origin IS NULL)),
      CHECK ((assignment IS NULL) = (assignmentOrigin IS NULL)),
      CHECK (isConfirmed = 0 OR (assignment IS NOT NULL AND (id = 0 OR isMarkerConfirmed = 1)))
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER markerInsideRecording BEFORE INSERT ON marker
      WHEN NEW.position >= (SELECT length FROM recording WHERE id = NEW.recordingID)
      BEGIN SELECT RAISE(ABORT, 'a marker after the end of its recording'); END;

    -- Every edit with what it did; those undone come last and wait to be redone.
    CREATE TABLE journal (
      id INTEGER PRIMARY KEY,
      recordingID INTEGER NOT NULL REFERENCES recording ON DELETE CASCADE,
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      edit TEXT NOT NULL CHECK (json_valid(edit)),
      change TEXT NOT NULL CHECK (json_valid(change)),
      madeAt INTEGER NOT NULL,
      isUndone INTEGER NOT NULL DEFAULT 0 CHECK (isUndone IN (0, 1)),
      UNIQUE (recordingID, sequence)
    ) STRICT;

    -- What a recording offers for playback: written when its annotation is published.
    CREATE TABLE segment (
      id INTEGER PRIMARY KEY,
      recordingID INTEGER NOT NULL REFERENCES recording ON DELETE CASCADE,
      ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
      start INTEGER NOT NULL CHECK (start >= 0),
      end INTEGER NOT NULL CHECK (end > start),
      kind TEXT NOT NULL CHECK (kind IN ('ayah', 'cross_surah', 'ayat', 'lead_in')),
      assignment TEXT NOT NULL CHECK (json_valid(assignment)),
      basmalahSurah INTEGER CHECK (basmalahSurah BETWEEN 1 AND 114),
      isManual INTEGER NOT NULL CHECK (isManual IN (0, 1)),
      confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      publishedAt INTEGER NOT NULL,
      UNIQUE (recordingID, ordinal),
      CHECK (kind = 'lead_in' OR basmalahSurah IS NULL)
    ) STRICT;
    CREATE INDEX segmentByBasmalah ON segment (basmalahSurah) WHERE basmalahSurah IS NOT NULL;

    -- An ayah or a part of one heard in a published segment of a recording that is not in the bin.
    -- Reciter, riwayah and rank are repeated here so that one index finds the best at once.
    CREATE TABLE passage (
      segmentID INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
      ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
      ayah INTEGER NOT NULL CHECK (ayah BETWEEN 1 AND 6236),
      start INTEGER NOT NULL CHECK (start >= 0),
      end INTEGER NOT NULL CHECK (end > start),
      part TEXT CHECK (part IN ('beginning', 'middle', 'end')),
      role TEXT NOT NULL CHECK (role IN ('whole', 'pair_first', 'pair_end', 'run')),
      -- Whether it is the one to hear of its ayah's repeats in the recording.
      isBest INTEGER NOT NULL CHECK (isBest IN (0, 1) AND (part IS NULL OR isBest = 0)),
      recordingID INTEGER NOT NULL REFERENCES recording ON DELETE CASCADE,
      reciterID INTEGER REFERENCES reciter ON DELETE SET NULL,
      riwayah TEXT NOT NULL CHECK (riwayah IN \(riwayat)),
      isManual INTEGER NOT NULL CHECK (isManual IN (0, 1)),
      confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      publishedAt INTEGER NOT NULL,
      PRIMARY KEY (segmentID, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX passageByRank ON passage
      (riwayah, ayah, reciterID, isManual DESC, confidence DESC, publishedAt DESC, recordingID DESC)
      WHERE isBest = 1;
    CREATE UNIQUE INDEX passageBestOfRecording ON passage (recordingID, ayah) WHERE isBest = 1;
    CREATE INDEX passageByAyah ON passage (ayah);
    CREATE INDEX passageByRecording ON passage (recordingID);
    CREATE INDEX passageByReciter ON passage (reciterID);

    -- The ayat that a recording has published whole, a bit each.
    CREATE TABLE coverage (
      recordingID INTEGER PRIMARY KEY REFERENCES recording ON DELETE CASCADE,
      ayat BLOB NOT NULL CHECK (length(ayat) = \(AyahSet.byteCount))
    ) STRICT;

    -- How loud each hundredth of a second is: by this a re-encoded file is known again.
    CREATE TABLE fingerprint (
      recordingID INTEGER PRIMARY KEY REFERENCES recording ON DELETE CASCADE,
      levels BLOB NOT NULL
    ) STRICT;

    CREATE TABLE setting (
      key TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE listeningSession (
      id INTEGER PRIMARY KEY,
      startedAt INTEGER NOT NULL,
      updatedAt INTEGER NOT NULL,
      request TEXT NOT NULL CHECK (json_valid(request)),
      position TEXT NOT NULL CHECK (json_valid(position))
    ) STRICT;
    """
  }
}
