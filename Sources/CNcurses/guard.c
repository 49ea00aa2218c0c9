// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "include/guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

// Handlers read what follows. It is written while `is_guarded` is 0, before they are installed.
static int input_descriptor, output_descriptor;
static struct termios original_modes, held_modes, raw_modes;
struct sequence {
  size_t count;
  char bytes[];
};
// Both may change while handlers are installed; the one before is left to whoever may be reading it.
static struct sequence *_Atomic enter_sequence;
static struct sequence *_Atomic leave_sequence;
static int wake_descriptor = -1;

static atomic_int is_guarded;  // between guard_start and guard_stop
static atomic_int is_shown;    // since guard_start; before it, input is only held
static atomic_int is_entered;  // the terminal has our modes now
static atomic_int pending;     // bits of guard_event
static atomic_int requested;   // those of them that ask the program to end, once they came

enum kind { fault, request, hang_up, stop, resume, resize };

static const struct {
  int number;
  enum kind kind;
  int event;
} signals[] = {
    {SIGILL, fault, 0},
    {SIGTRAP, fault, 0},
    {SIGSEGV, fault, 0},
    {SIGBUS, fault, 0},
    {SIGFPE, fault, 0},
    {SIGABRT, fault, 0},
    {SIGSYS, fault, 0},
    {SIGINT, request, guard_interrupted},
    {SIGQUIT, request, guard_quit},
    {SIGTERM, request, guard_terminated},
    {SIGHUP, hang_up, guard_hung_up},
    {SIGTSTP, stop, 0},
    {SIGCONT, resume, guard_continued},
    {SIGWINCH, resize, guard_resized},
};
enum { signal_count = sizeof signals / sizeof signals[0] };
static struct sigaction previous_actions[signal_count];

static void write_all(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(output_descriptor, bytes, count);
    if (written < 0 && errno == EAGAIN) {
      struct pollfd output = {output_descriptor, POLLOUT, 0};
      // A terminal that takes nothing for a second has gone, or is held by Ctrl-S.
      if (poll(&output, 1, 1000) <= 0) return;
      continue;
    }
    if (written < 0 && errno != EINTR) return;
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    }
  }
}

static int set_modes(const struct termios *modes) {
  while (tcsetattr(input_descriptor, TCSANOW, modes) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

static int enter(void) {
  // In the background this stops the process until it comes to the foreground.
  bool has_screen = atomic_load(&is_shown);
  int problem = set_modes(has_screen ? &raw_modes : &held_modes);
  if (problem != 0) return problem;
  atomic_store(&is_entered, 1);
  if (!has_screen) return 0;
  struct sequence *sequence = atomic_load(&enter_sequence);
  write_all(sequence->bytes, sequence->count);
  return 0;
}

static void leave(void) {
  if (!atomic_exchange(&is_entered, 0)) return;
  if (atomic_load(&is_shown)) {
    struct sequence *sequence = atomic_load(&leave_sequence);
    write_all(sequence->bytes, sequence->count);
    // Mouse reports that nobody reads any more would be typed into the shell.
    tcflush(input_descriptor, TCIFLUSH);
  }
  set_modes(&original_modes);
}

static void notify(int event) {
  atomic_fetch_or(&pending, event);
  uint64_t one = 1;
  ssize_t ignored = write(wake_descriptor, &one, sizeof one);
  (void)ignored;
}

/// Takes the terminal after it was given back, or after another program may have had it.
static void take_again(void) {
  enter();
  notify(guard_continued);
}

static int index_of(int number) {
  for (int index = 0; index < signal_count; index++) {
    if (signals[index].number == number) return index;
  }
  return -1;
}

static void handle(int number);

static void install(int index) {
  struct sigaction action = {0};
  action.sa_handler = handle;
  // A stack of its own, for a fault may be an overflow of the stack.
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(signals[index].number, &action, &previous_actions[index]);
  // What was ignored on purpose, as by nohup, stays so.
  enum kind kind = signals[index].kind;
  bool is_optional = kind == request || kind == hang_up || kind == stop;
  if (is_optional && previous_actions[index].sa_handler == SIG_IGN) {
    sigaction(signals[index].number, &previous_actions[index], NULL);
  }
}

/// Lets the signal have the effect that it had before, now.
static void let_through(int index) {
  int number = signals[index].number;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  struct sigaction action = previous_actions[index];
  sigaction(number, &action, NULL);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

static void handle(int number) {
  int saved = errno;
  int index = index_of(number);
  switch (signals[index].kind) {
    case fault:
      leave();
      let_through(index);
      break;
    case request:
    case hang_up:
      if (!atomic_load(&is_shown)) {
        // There is no screen yet that would answer.
        leave();
        let_through(index);
      } else if (signals[index].kind == hang_up) {
        // The shell and the system may each send one when a window closes: a second one is nobody's wish to
        // end the program before it has kept its work.
        if (!(atomic_fetch_or(&requested, guard_hung_up) & guard_hung_up)) notify(guard_hung_up);
      } else if (atomic_fetch_or(&requested, signals[index].event) & signals[index].event) {
        // Nobody has answered the first one.
        leave();
        let_through(index);
      } else {
        notify(signals[index].event);
      }
      break;
    case stop:
      leave();
      let_through(index);
      // Here the process goes on; SIGCONT has been handled, or will be. None comes where the process was not stopped,
      // as in a group that nobody could continue (orphaned: POSIX.1-2017, 2.4.3).
      install(index);
      if (atomic_load(&is_guarded) && !atomic_load(&is_entered)) take_again();
      break;
    case resume: take_again(); break;
    case resize: notify(signals[index].event); break;
  }
  errno = saved;
}

static struct sequence *copy_of(const char *bytes, size_t count) {
  struct sequence *copy = malloc(sizeof *copy + count);
  if (copy == NULL) return NULL;
  copy->count = count;
  memcpy(copy->bytes, bytes, count);
  return copy;
}

static int prepare_once(void) {
  if (wake_descriptor < 0) {
    wake_descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake_descriptor < 0) return errno;
    atexit(guard_stop);
    static char stack[64 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
  }
  return 0;
}

int guard_hold(int input, int output, const char **call) {
  if (atomic_load(&is_guarded)) return 0;
  *call = "eventfd";
  int problem = prepare_once();
  if (problem != 0) return problem;
  *call = "tcgetattr";
  if (tcgetattr(input, &original_modes) != 0) return errno;
  held_modes = original_modes;
  held_modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
  held_modes.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
  held_modes.c_cc[VMIN] = 1;
  held_modes.c_cc[VTIME] = 0;
  raw_modes = original_modes;
  cfmakeraw(&raw_modes);
  raw_modes.c_cc[VMIN] = 1;
  raw_modes.c_cc[VTIME] = 0;
  input_descriptor = input;
  output_descriptor = output;
  atomic_store(&pending, 0);
  atomic_store(&requested, 0);
  atomic_store(&is_guarded, 1);
  for (int index = 0; index < signal_count; index++) install(index);
  *call = "tcsetattr";
  problem = enter();
  if (problem != 0) guard_stop();
  return problem;
}

int guard_start(int input, int output, const char *enter_string, size_t enter_length,
                const char *leave_string, size_t leave_length, const char **call) {
  *call = "open the terminal twice";
  if (atomic_load(&is_shown)) return EBUSY;
  int problem = guard_hold(input, output, call);
  if (problem != 0) return problem;
  free(atomic_load(&enter_sequence));
  free(atomic_load(&leave_sequence));
  atomic_store(&enter_sequence, copy_of(enter_string, enter_length));
  atomic_store(&leave_sequence, copy_of(leave_string, leave_length));
  *call = "malloc";
  if (atomic_load(&enter_sequence) == NULL || atomic_load(&leave_sequence) == NULL) {
    guard_stop();
    return ENOMEM;
  }
  atomic_store(&is_shown, 1);
  *call = "tcsetattr";
  problem = enter();
  if (problem != 0) guard_stop();
  return problem;
}

void guard_set_enter(const char *enter_string, size_t enter_length) {
  struct sequence *copy = copy_of(enter_string, enter_length);
  // Without memory for it, the terminal is taken again as before.
  if (copy != NULL) atomic_store(&enter_sequence, copy);
}

bool guard_set_leave(const char *leave_string, size_t leave_length) {
  struct sequence *copy = copy_of(leave_string, leave_length);
  if (copy != NULL) atomic_store(&leave_sequence, copy);
  return copy != NULL;
}

void guard_stop(void) {
  if (!atomic_exchange(&is_guarded, 0)) return;
  leave();
  atomic_store(&is_shown, 0);
  for (int index = 0; index < signal_count; index++) {
    // Whoever has hung up may say so again while the program ends.
    bool has_gone = signals[index].kind == hang_up && (atomic_load(&requested) & guard_hung_up);
    if (!has_gone) sigaction(signals[index].number, &previous_actions[index], NULL);
  }
}

int guard_descriptor(void) { return wake_descriptor; }

int guard_take(void) {
  uint64_t count;
  ssize_t ignored = read(wake_descriptor, &count, sizeof count);
  (void)ignored;
  return atomic_exchange(&pending, 0);
}

void guard_wake(void) {
  if (wake_descriptor >= 0) notify(guard_woken);
}

void guard_suspend(void) { kill(0, SIGTSTP); }
