// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CChild.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

// Between `fork` and `execve` nothing but what a signal handler may do: other threads may have held any lock.
static _Noreturn void become(const char *path, char *const arguments[], char *const environment[], int socket, int output,
                             int errors, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent) _exit(127);
  (void)setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0) _exit(127);
  if (dup2(output < 0 ? nowhere : output, STDOUT_FILENO) < 0) _exit(127);
  if (dup2(errors < 0 ? nowhere : errors, STDERR_FILENO) < 0) _exit(127);
  if (socket == 3 ? fcntl(socket, F_SETFD, 0) < 0 : socket >= 0 && dup2(socket, 3) < 0) _exit(127);
  (void)close_range(socket < 0 ? 3 : 4, ~0U, 0);
  execve(path, arguments, environment);
  _exit(127);
}

pid_t child_start(const char *path, char *const arguments[], char *const environment[], int socket, int output,
                  int errors) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) become(path, arguments, environment, socket, output, errors, parent);
  return child < 0 ? -errno : child;
}
