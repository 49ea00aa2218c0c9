// SPDX-License-Identifier: GPL-3.0-or-later
#include "VirtualPulse.h"

#include <fcntl.h>
#include <poll.h>
#include <pulse/pulseaudio.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { words = 16, turn = 20 };

// Nothing of libpulse's own: opaque to whoever holds one.
struct pa_mainloop {
  pa_mainloop_api interface;
  int waker;
  int patience;
};

struct pa_context {
  pa_context_notify_cb_t state_changed;
  void *state_data;
  pa_context_subscribe_cb_t changed;
  void *data;
  bool is_ready;
  char told[words];
};

struct pa_operation {
  int nothing;
};

static pa_context *only;
static pa_client_info_cb_t clients_asked;
static pa_sink_input_info_cb_t streams_asked;
static pa_sink_info_cb_t sinks_asked;
static void *asked_data;
static pa_operation operation;

// The only property that anybody asks for is the process, and it is this one, where it is told.
struct pa_proplist {
  char process[words];
};

// Of a client or a stream: VIRTUAL_PULSE_PROCESS names which of them tells its process.
static pa_proplist *properties_of(const char *kind) {
  pa_proplist *properties = calloc(1, sizeof *properties);
  const char *telling = getenv("VIRTUAL_PULSE_PROCESS");
  if (telling && !strcmp(telling, kind)) snprintf(properties->process, words, "%d", (int)getpid());
  return properties;
}

static void read_state(char *state) {
  memset(state, 0, words);
  const char *path = getenv("VIRTUAL_PULSE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  if (read(file, state, words - 1) < 0) state[0] = 0;
  close(file);
}

pa_mainloop *pa_mainloop_new(void) {
  pa_mainloop *loop = calloc(1, sizeof *loop);
  loop->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return loop;
}

void pa_mainloop_free(pa_mainloop *loop) {
  close(loop->waker);
  free(loop);
}

pa_mainloop_api *pa_mainloop_get_api(pa_mainloop *loop) { return &loop->interface; }

int pa_mainloop_prepare(pa_mainloop *loop, int timeout) {
  loop->patience = timeout < 0 || timeout / 1000 > turn ? turn : timeout / 1000;
  return 0;
}

int pa_mainloop_poll(pa_mainloop *loop) {
  struct pollfd waker = {loop->waker, POLLIN, 0};
  bool is_asked = clients_asked || streams_asked || sinks_asked || (only && !only->is_ready);
  poll(&waker, 1, is_asked ? 0 : loop->patience);
  return 0;
}

static void tell_clients(pa_context *context) {
  pa_proplist *properties = properties_of("client");
  pa_client_info info = {.index = 57, .name = "tilawa-annotate", .proplist = properties};
  pa_client_info_cb_t asked = clients_asked;
  clients_asked = NULL;
  asked(context, &info, 0, asked_data);
  asked(context, NULL, 1, asked_data);
  pa_proplist_free(properties);
}

static void tell_streams(pa_context *context) {
  char state[words];
  read_state(state);
  pa_proplist *properties = properties_of("stream");
  pa_sink_input_info info = {.index = 7, .name = "play", .client = 57, .sink = 3, .proplist = properties};
  info.mute = !strcmp(state, "muted");
  pa_sink_input_info_cb_t asked = streams_asked;
  streams_asked = NULL;
  asked(context, &info, 0, asked_data);
  asked(context, NULL, 1, asked_data);
  pa_proplist_free(properties);
}

static void tell_sinks(pa_context *context) {
  char state[words];
  read_state(state);
  bool is_pulled = !strcmp(state, "unplugged");
  pa_sink_port_info headphones = {.name = "analog-output-headphones"};
  headphones.available = is_pulled ? PA_PORT_AVAILABLE_NO : PA_PORT_AVAILABLE_YES;
  pa_sink_port_info speaker = {.name = "analog-output-speaker", .available = PA_PORT_AVAILABLE_UNKNOWN};
  pa_sink_port_info *ports[] = {&headphones, &speaker, NULL};
  pa_sink_info info = {.index = 3, .name = "card", .n_ports = 2, .ports = ports};
  // As module-switch-on-port-available does.
  info.active_port = is_pulled ? &speaker : &headphones;
  pa_sink_info_cb_t asked = sinks_asked;
  sinks_asked = NULL;
  asked(context, &info, 0, asked_data);
  asked(context, NULL, 1, asked_data);
  // Whoever changes the state may want to know that it has been told before.
  char path[4096];
  snprintf(path, sizeof path, "%s.asked", getenv("VIRTUAL_PULSE"));
  close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

int pa_mainloop_dispatch(pa_mainloop *loop) {
  (void)loop;
  if (!only) return 0;
  if (!only->is_ready) {
    only->is_ready = true;
    if (only->state_changed) only->state_changed(only, only->state_data);
  }
  if (clients_asked) tell_clients(only);
  if (streams_asked) tell_streams(only);
  if (sinks_asked) tell_sinks(only);
  char state[words];
  read_state(state);
  if (strcmp(state, only->told)) {
    memcpy(only->told, state, words);
    if (only->changed) only->changed(only, PA_SUBSCRIPTION_EVENT_CARD | PA_SUBSCRIPTION_EVENT_CHANGE, 0, only->data);
  }
  return 0;
}

void pa_mainloop_wakeup(pa_mainloop *loop) {
  eventfd_write(loop->waker, 1);
}

pa_context *pa_context_new(pa_mainloop_api *interface, const char *name) {
  (void)interface, (void)name;
  only = calloc(1, sizeof *only);
  read_state(only->told);
  return only;
}

void pa_context_unref(pa_context *context) {
  only = NULL;
  free(context);
}

int pa_context_connect(pa_context *context, const char *server, pa_context_flags_t flags, const pa_spawn_api *spawn) {
  (void)context, (void)server, (void)flags, (void)spawn;
  return 0;
}

void pa_context_disconnect(pa_context *context) { (void)context; }

pa_context_state_t pa_context_get_state(const pa_context *context) {
  return context->is_ready ? PA_CONTEXT_READY : PA_CONTEXT_CONNECTING;
}

void pa_context_set_state_callback(pa_context *context, pa_context_notify_cb_t changed, void *data) {
  context->state_changed = changed;
  context->state_data = data;
}

void pa_context_set_subscribe_callback(pa_context *context, pa_context_subscribe_cb_t changed, void *data) {
  context->changed = changed;
  context->data = data;
}

pa_operation *pa_context_subscribe(pa_context *context, pa_subscription_mask_t mask, pa_context_success_cb_t done,
                                   void *data) {
  (void)context, (void)mask, (void)done, (void)data;
  return &operation;
}

pa_operation *pa_context_get_client_info_list(pa_context *context, pa_client_info_cb_t asked, void *data) {
  (void)context;
  clients_asked = asked;
  asked_data = data;
  return &operation;
}

pa_operation *pa_context_get_sink_input_info_list(pa_context *context, pa_sink_input_info_cb_t asked, void *data) {
  (void)context;
  streams_asked = asked;
  asked_data = data;
  return &operation;
}

pa_operation *pa_context_get_sink_info_list(pa_context *context, pa_sink_info_cb_t asked, void *data) {
  (void)context;
  sinks_asked = asked;
  asked_data = data;
  return &operation;
}

void pa_operation_unref(pa_operation *done) { (void)done; }

void pa_proplist_free(pa_proplist *properties) { free(properties); }

const char *pa_proplist_gets(const pa_proplist *properties, const char *key) {
  bool is_known = !strcmp(key, PA_PROP_APPLICATION_PROCESS_ID) && properties->process[0];
  return is_known ? properties->process : NULL;
}
