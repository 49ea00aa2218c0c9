// SPDX-License-Identifier: GPL-3.0-or-later

#include "checksums.h"

#include "json.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// Numbers of our own for `xFileControl`; SQLite keeps those below 100.
enum { control_require = 7451001, control_faults = 7451002 };

typedef struct {
  sqlite3_file base;
  int has_checksums;
  int policy;
  /// Where a page gets its checksum on the way out; SQLite's own copy stays as it is.
  unsigned char *page;
  int page_size;
  struct checksum_faults faults;
} ChecksumFile;

static sqlite3_vfs *real_vfs;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((ChecksumFile *)file + 1); }

/// Two running sums, each fed with the other, of the page's 32-bit words, least byte first. Both steps can be
/// reversed, so a difference in any one bit stays one to the end.
static void compute(const unsigned char *bytes, int count, unsigned char out[checksum_bytes]) {
  uint32_t first = 0, second = 0;
  for (int at = 0; at + 8 <= count; at += 8) {
    uint32_t words[2];
    memcpy(words, bytes + at, sizeof words);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    words[0] = __builtin_bswap32(words[0]);
    words[1] = __builtin_bswap32(words[1]);
#endif
    first += words[0] + second;
    second += words[1] + first;
  }
  for (int byte = 0; byte < 4; byte++) {
    out[byte] = (unsigned char)(first >> (8 * byte));
    out[4 + byte] = (unsigned char)(second >> (8 * byte));
  }
}

static int is_page(int count, sqlite3_int64 offset) {
  return count >= 512 && count <= 65536 && (count & (count - 1)) == 0 && offset % count == 0;
}

static int is_header(const unsigned char *bytes, int count, sqlite3_int64 offset) {
  return offset == 0 && count >= 100 && memcmp(bytes, "SQLite format 3", 16) == 0;
}

static int close_file(sqlite3_file *file) {
  free(((ChecksumFile *)file)->page);
  ((ChecksumFile *)file)->page = NULL;
  return real(file)->pMethods->xClose(real(file));
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  ChecksumFile *file = (ChecksumFile *)base;
  int result = real(base)->pMethods->xRead(real(base), bytes, count, offset);
  if (result != SQLITE_OK) return result;
  if (is_header(bytes, count, offset) && ((unsigned char *)bytes)[20] == checksum_bytes) {
    file->has_checksums = 1;
  }
  if (!file->has_checksums || !is_page(count, offset)) return SQLITE_OK;
  unsigned char expected[checksum_bytes];
  compute(bytes, count - checksum_bytes, expected);
  if (memcmp((unsigned char *)bytes + count - checksum_bytes, expected, checksum_bytes) == 0) {
    return SQLITE_OK;
  }
  uint32_t page = (uint32_t)(offset / count) + 1;
  int64_t noted = file->faults.count < checksum_longest_list ? file->faults.count
                                                             : checksum_longest_list;
  for (int64_t at = 0; at < noted; at++) {
    if (file->faults.pages[at] == page) {
      return file->policy == checksum_note ? SQLITE_OK : SQLITE_IOERR_DATA;
    }
  }
  if (noted < checksum_longest_list) file->faults.pages[noted] = page;
  file->faults.count++;
  return file->policy == checksum_note ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  ChecksumFile *file = (ChecksumFile *)base;
  if (is_header(bytes, count, offset)) {
    int reserves = ((const unsigned char *)bytes)[20] == checksum_bytes;
    // A checksum would overwrite content.
    if (file->has_checksums && !reserves) return SQLITE_IOERR_WRITE;
    if (reserves) file->has_checksums = 1;
  }
  if (!file->has_checksums || !is_page(count, offset)) {
    return real(base)->pMethods->xWrite(real(base), bytes, count, offset);
  }
  if (file->page_size != count) {
    unsigned char *page = realloc(file->page, (size_t)count);
    if (!page) return SQLITE_IOERR_NOMEM;
    file->page = page;
    file->page_size = count;
  }
  memcpy(file->page, bytes, (size_t)(count - checksum_bytes));
  compute(file->page, count - checksum_bytes, file->page + count - checksum_bytes);
  return real(base)->pMethods->xWrite(real(base), file->page, count, offset);
}

static int control(sqlite3_file *base, int operation, void *argument) {
  ChecksumFile *file = (ChecksumFile *)base;
  switch (operation) {
    case control_require:
      file->has_checksums = 1;
      file->policy = *(int *)argument;
      return SQLITE_OK;
    case control_faults:
      memcpy(argument, &file->faults, sizeof file->faults);
      return SQLITE_OK;
    default:
      return real(base)->pMethods->xFileControl(real(base), operation, argument);
  }
}

static int characteristics(sqlite3_file *file) {
  int all = real(file)->pMethods->xDeviceCharacteristics(real(file));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
  // Only of a whole page can be told whether it matches.
  all &= ~SQLITE_IOCAP_SUBPAGE_READ;
#endif
  return all;
}

// A page in mapped memory would be read behind the shim's back.
static int fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
  (void)file, (void)offset, (void)count;
  *page = NULL;
  return SQLITE_OK;
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
  return real(file)->pMethods->xUnfetch(real(file), offset, page);
}

// What is passed on as it is.

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}
static int sync_file(sqlite3_file *file, int flags) {
  return real(file)->pMethods->xSync(real(file), flags);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
static int unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
static int is_reserved(sqlite3_file *file, int *answer) {
  return real(file)->pMethods->xCheckReservedLock(real(file), answer);
}
static int sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}
static int map_shared(sqlite3_file *file, int page, int size, int extends, void volatile **at) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, at);
}
static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int unmap_shared(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods methods = {
  3, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock, unlock,
  is_reserved, control, sector_size, characteristics, map_shared, lock_shared, barrier,
  unmap_shared, fetch, unfetch,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags,
                     int *out_flags) {
  (void)vfs;
  if (!(flags & SQLITE_OPEN_MAIN_DB)) {
    return real_vfs->xOpen(real_vfs, name, base, flags, out_flags);
  }
  ChecksumFile *file = (ChecksumFile *)base;
  memset(file, 0, sizeof *file);
  int result = real_vfs->xOpen(real_vfs, name, real(base), flags, out_flags);
  if (result != SQLITE_OK) return result;
  file->policy = checksum_fail;
  // What VACUUM INTO writes: its first page may come last.
  file->has_checksums = name && sqlite3_uri_boolean(name, "checksums", 0);
  base->pMethods = &methods;
  return SQLITE_OK;
}

static sqlite3_vfs shim;
static int installed = SQLITE_ERROR;

static void install(void) {
  real_vfs = sqlite3_vfs_find(NULL);
  // The methods of an older interface are fewer.
  if (!real_vfs || real_vfs->iVersion < 3) return;
  // What is not named here is the real one's own, which does not look at who calls it but at its data.
  shim = *real_vfs;
  shim.pNext = NULL;
  shim.zName = "tilawa-checksums";
  shim.szOsFile = real_vfs->szOsFile + (int)sizeof(ChecksumFile);
  shim.xOpen = open_file;
  installed = sqlite3_vfs_register(&shim, 1);
}

int checksums_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // VACUUM INTO is told by a URI that its copy has checksums. Where SQLite runs already it may know them, or say so later.
  sqlite3_config(SQLITE_CONFIG_URI, 1);
  int result = sqlite3_initialize();
  if (result != SQLITE_OK) return result;
  pthread_once(&once, install);
  return installed;
}

int checksums_require(sqlite3 *connection, enum checksum_policy policy) {
  int value = (int)policy;
  return sqlite3_file_control(connection, "main", control_require, &value);
}

int checksums_faults(sqlite3 *connection, struct checksum_faults *faults) {
  return sqlite3_file_control(connection, "main", control_faults, faults);
}

int checksums_reserved_bytes(sqlite3 *connection) {
  int count = -1;
  int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
  return result == SQLITE_OK ? count : -1;
}

int checksums_reserve_bytes(sqlite3 *connection) {
  int count = checksum_bytes;
  return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

int store_harden(sqlite3 *connection, int keeps_log) {
  int result = json_valid_install(connection);
  if (result == SQLITE_OK) {
    result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  }
  if (result == SQLITE_OK) result = store_trust_schema(connection, 0);
  if (result == SQLITE_OK && keeps_log) {
    result = sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
  }
  return result;
}

int store_trust_schema(sqlite3 *connection, int trusts) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusts, (int *)0);
}
