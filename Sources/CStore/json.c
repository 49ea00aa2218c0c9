// SPDX-License-Identifier: GPL-3.0-or-later

#include "json.h"

#include <string.h>

// The grammar of RFC 8259; a cursor moves over a text that ends with a zero byte, and NULL is a fault.

/// Deeper than anything the program writes, and no danger to the stack.
enum { deepest = 200 };

static const char *value(const char *at, int depth);

static const char *space(const char *at) { return at + strspn(at, " \t\n\r"); }

static const char *digits(const char *at) {
  size_t count = strspn(at, "0123456789");
  return count ? at + count : NULL;
}

static const char *number(const char *at) {
  if (*at == '-') at++;
  at = *at == '0' ? at + 1 : digits(at);
  if (at && *at == '.') at = digits(at + 1);
  if (at && (*at == 'e' || *at == 'E')) {
    at++;
    if (*at == '+' || *at == '-') at++;
    at = digits(at);
  }
  return at;
}

static const char *string(const char *at) {
  if (*at++ != '"') return NULL;
  while (*at != '"') {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at++ != '\\') continue;
    if (*at == 'u') {
      if (strspn(at + 1, "0123456789abcdefABCDEF") < 4) return NULL;
      at += 5;
    } else if (*at && strchr("\"\\/bfnrt", *at)) {
      at++;
    } else {
      return NULL;
    }
  }
  return at + 1;
}

/// The members of an object, or the elements of an array.
static const char *list(const char *at, int depth, char end) {
  at = space(at + 1);
  if (*at == end) return at + 1;
  while (1) {
    if (end == '}') {
      at = string(space(at));
      if (!at) return NULL;
      at = space(at);
      if (*at++ != ':') return NULL;
    }
    at = value(at, depth + 1);
    if (!at) return NULL;
    if (*at == end) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static const char *word(const char *at, const char *word) {
  return strncmp(at, word, strlen(word)) == 0 ? at + strlen(word) : NULL;
}

static const char *value(const char *at, int depth) {
  if (depth > deepest) return NULL;
  at = space(at);
  switch (*at) {
    case '{': at = list(at, depth, '}'); break;
    case '[': at = list(at, depth, ']'); break;
    case '"': at = string(at); break;
    case 't': at = word(at, "true"); break;
    case 'f': at = word(at, "false"); break;
    case 'n': at = word(at, "null"); break;
    default: at = number(at); break;
  }
  return at ? space(at) : NULL;
}

static void json_valid(sqlite3_context *context, int count, sqlite3_value **arguments) {
  (void)count;
  const char *text = (const char *)sqlite3_value_text(arguments[0]);
  int length = sqlite3_value_bytes(arguments[0]);
  const char *end = text ? value(text, 0) : NULL;
  sqlite3_result_int(context, end != NULL && end == text + length);
}

int json_valid_install(sqlite3 *connection) {
  return sqlite3_create_function(connection, "json_valid", 1,
                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                 json_valid, NULL, NULL);
}
