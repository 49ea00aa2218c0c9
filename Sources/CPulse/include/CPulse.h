// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <pulse/context.h>
#include <pulse/introspect.h>
#include <pulse/mainloop.h>
#include <pulse/operation.h>
#include <pulse/proplist.h>
#include <pulse/subscribe.h>

// The functions of libpulse that are called, without the `pa_` that their names begin with.
#define TILAWA_PULSE_FUNCTIONS(F)                                                                  \
  F(mainloop_new) F(mainloop_free) F(mainloop_get_api) F(mainloop_prepare) F(mainloop_poll)        \
  F(mainloop_dispatch) F(mainloop_wakeup) F(context_new) F(context_unref) F(context_connect)       \
  F(context_disconnect) F(context_get_state) F(context_set_state_callback)                         \
  F(context_set_subscribe_callback) F(context_subscribe) F(context_get_sink_input_info_list)       \
  F(context_get_sink_info_list) F(context_get_client_info_list) F(operation_unref)                 \
  F(proplist_gets)

typedef struct {
#define F(name) __typeof__(pa_##name) *_Nonnull name;
  TILAWA_PULSE_FUNCTIONS(F)
#undef F
} tilawa_pulse;

// The library of PulseAudio's clients, which PipeWire serves as well. It is loaded where it is installed and not
// linked, so that the program runs without it; false where it is not there. Once loaded it stays.
_Bool tilawa_load_pulse(tilawa_pulse *_Nonnull pulse);
