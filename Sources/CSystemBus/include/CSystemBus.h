// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

// A media player on a bus, as MPRIS 2 has it: the tables of its interfaces, whose entries have one door, so that
// what is asked for comes through as a number.
//
// https://specifications.freedesktop.org/mpris-spec/latest/

#define MPRIS_PATH "/org/mpris/MediaPlayer2"
#define MPRIS_ROOT "org.mpris.MediaPlayer2"
#define MPRIS_PLAYER "org.mpris.MediaPlayer2.Player"
#define MPRIS_TRACK_LIST "org.mpris.MediaPlayer2.TrackList"
#define MPRIS_PLAYLISTS "org.mpris.MediaPlayer2.Playlists"

typedef enum mpris_property : int {
  mpris_property_can_quit,
  mpris_property_can_raise,
  mpris_property_has_track_list,
  mpris_property_identity,
  mpris_property_uri_schemes,
  mpris_property_mime_types,
  mpris_property_playback_status,
  mpris_property_loop_status,
  mpris_property_rate,
  mpris_property_shuffle,
  mpris_property_metadata,
  mpris_property_volume,
  mpris_property_position,
  mpris_property_minimum_rate,
  mpris_property_maximum_rate,
  mpris_property_can_go_next,
  mpris_property_can_go_previous,
  mpris_property_can_play,
  mpris_property_can_pause,
  mpris_property_can_seek,
  mpris_property_can_control,
  mpris_property_tracks,
  mpris_property_can_edit_tracks,
  mpris_property_playlist_count,
  mpris_property_orderings,
  mpris_property_active_playlist,
} mpris_property;

typedef enum mpris_method : int {
  mpris_method_raise,
  mpris_method_quit,
  mpris_method_next,
  mpris_method_previous,
  mpris_method_pause,
  mpris_method_play_pause,
  mpris_method_stop,
  mpris_method_play,
  mpris_method_seek,
  mpris_method_set_position,
  mpris_method_open_uri,
  mpris_method_get_tracks_metadata,
  mpris_method_add_track,
  mpris_method_remove_track,
  mpris_method_go_to,
  mpris_method_activate_playlist,
  mpris_method_get_playlists,
} mpris_method;

// Called on the thread that runs the bus. Each returns 0 or more, or a negative errno, which is then the answer.
typedef struct mpris_door {
  void *context;
  // Appends the value to `reply`.
  int (*read)(void *context, mpris_property property, sd_bus_message *reply);
  // Takes the value from `message`.
  int (*write)(void *context, mpris_property property, sd_bus_message *message);
  // Fills `reply`, which is sent afterwards.
  int (*call)(void *context, mpris_method method, sd_bus_message *message, sd_bus_message *reply);
} mpris_door;

// Registers the interfaces, that of playlists only where it is wanted. `door` must stay where it is.
int mpris_add(sd_bus *bus, const mpris_door *door, int has_playlists);
