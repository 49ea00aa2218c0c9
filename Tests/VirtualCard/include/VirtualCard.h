// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>
#include <stddef.h>

// A sound card for tests: an ALSA ioplug device that keeps what it played, on which things go wrong at
// frames named beforehand.
//
// Its clock is virtual unless `virtual_card_set_clock` makes it a real one. Time passes when the player waits for the card (a period at a time) or asks for
// its delay (a quarter of one), and at no other moment; so it is as fast as the player, and what the player
// learns about the card stays true until it asks again.
//
// In real time, for programs that are run as a person runs them, it is had by configuration alone:
//
//     pcm_type.tilawa_card { lib "/path/of/libVirtualCard.so" }
//     pcm.NAME { type tilawa_card capture "/file" absence "/other" }
//
// What is played is appended to `capture`, as floats; the card is unplugged while there is a file `absence`. With
// `ppm N` its clock is so many millionths too fast.
//
// Elsewhere a card is opened under the name that `virtual_card_pcm_name` gives, with a configuration that has
// `virtual_card_configuration`'s text in it. All functions may be called from any thread.
typedef struct virtual_card virtual_card;

typedef enum {
  VIRTUAL_CARD_XRUN,     // stops, as if it had run dry; what it holds is lost to it
  VIRTUAL_CARD_SUSPEND,  // the same by a suspend, `amount` times refusing to be prepared again
  VIRTUAL_CARD_STALL,    // plays nothing for `amount` looks at the clock, or for ever if negative
  VIRTUAL_CARD_UNPLUG,   // gone: ENODEV, until plugged in again
  VIRTUAL_CARD_EIO,      // writing fails with EIO while the card runs
  VIRTUAL_CARD_ORPHAN,   // stops as if it had run dry and cannot be prepared again, as with a dead PulseAudio
  VIRTUAL_CARD_DEAD,     // can be prepared and never plays again, as with a dead PipeWire
} virtual_card_fault;

// Makes a card that can keep so many samples; frames beyond them are counted only.
virtual_card *virtual_card_create(size_t sample_capacity);
void virtual_card_destroy(virtual_card *card);

// How the card takes samples from now on; floats unless told otherwise.
typedef enum { VIRTUAL_CARD_FLOAT, VIRTUAL_CARD_S32, VIRTUAL_CARD_S24, VIRTUAL_CARD_S16 } virtual_card_format;
void virtual_card_set_format(virtual_card *card, virtual_card_format format);

// Lets the card play by the system's clock, so many times as fast as it should; 0 for the virtual clock.
void virtual_card_set_clock(virtual_card *card, double speed);

// By the virtual clock, no time passes while there is no room for what would be played: a listener who takes it all, and
// nobody else, decides how fast.
void virtual_card_wait_for_listener(virtual_card *card);

// Writes the name to open the card by.
void virtual_card_pcm_name(const virtual_card *card, char *text, size_t size);
// Writes the ALSA configuration that names the plugin at a path.
void virtual_card_configuration(const char *library, char *text, size_t size);

// Lets something happen when so many frames have been played in all. Faults are given in order.
void virtual_card_add_fault(virtual_card *card, virtual_card_fault fault, long frame, int amount);
// Lets the card go in the n-th call of alsa-lib from now on, before that does anything; 0 for never.
void virtual_card_unplug_at_call(virtual_card *card, int call);
// Makes the card work again.
void virtual_card_plug(virtual_card *card);

// Frames played in all, faults that have happened, and times that the card was opened.
long virtual_card_played(virtual_card *card);
int virtual_card_faults(virtual_card *card);
int virtual_card_opened(virtual_card *card);
// Copies samples that were played, from sample `first` on, and returns how many.
size_t virtual_card_copy(virtual_card *card, float *target, size_t first, size_t count);
// Takes the first samples that were played away from the card, and returns how many.
size_t virtual_card_take(virtual_card *card, float *target, size_t count);
// When it was first written to since it was last prepared, in nanoseconds of CLOCK_MONOTONIC; 0 before.
long virtual_card_first_write(virtual_card *card);
// The thread that last wrote to the card, as `pthread_self` names it; 0 before.
unsigned long virtual_card_writer(virtual_card *card);
