// SPDX-License-Identifier: GPL-3.0-or-later
#include <curses.h>
#include <term.h>

#include "include/terminfo.h"

int terminfo_load(const char *type, int descriptor) {
  int status = -1;
  if (cur_term != NULL) del_curterm(cur_term);
  setupterm(type, descriptor, &status);
  return status;
}

const char *terminfo_string(const char *name) {
  const char *string = tigetstr(name);
  return string == (const char *)-1 ? NULL : string;
}

const char *terminfo_string_for(const char *name, int parameter) {
  const char *string = terminfo_string(name);
  return string == NULL ? NULL : tiparm(string, parameter);
}

int terminfo_number(const char *name) {
  int number = tigetnum(name);
  return number < 0 ? -1 : number;
}

bool terminfo_flag(const char *name) { return tigetflag(name) > 0; }
