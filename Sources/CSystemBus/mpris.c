// SPDX-License-Identifier: GPL-3.0-or-later
#include "CSystemBus.h"

#define READER(name)                                                                                              \
  static int read_##name(sd_bus *bus, const char *path, const char *interface, const char *property,              \
                         sd_bus_message *reply, void *userdata, sd_bus_error *error) {                             \
    (void)bus, (void)path, (void)interface, (void)property, (void)error;                                          \
    const mpris_door *door = userdata;                                                                            \
    return door->read(door->context, mpris_property_##name, reply);                                               \
  }

#define WRITER(name)                                                                                              \
  static int write_##name(sd_bus *bus, const char *path, const char *interface, const char *property,             \
                          sd_bus_message *value, void *userdata, sd_bus_error *error) {                            \
    (void)bus, (void)path, (void)interface, (void)property, (void)error;                                          \
    const mpris_door *door = userdata;                                                                            \
    return door->write(door->context, mpris_property_##name, value);                                              \
  }

#define CALLER(name)                                                                                              \
  static int call_##name(sd_bus_message *message, void *userdata, sd_bus_error *error) {                          \
    (void)error;                                                                                                  \
    return answer(message, userdata, mpris_method_##name);                                                        \
  }

static int answer(sd_bus_message *message, const mpris_door *door, mpris_method method) {
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(message, &reply);
  if (result >= 0) result = door->call(door->context, method, message, reply);
  if (result >= 0) result = sd_bus_send(NULL, reply, NULL);
  sd_bus_message_unref(reply);
  return result < 0 ? result : 1;
}

READER(can_quit)
READER(can_raise)
READER(has_track_list)
READER(identity)
READER(uri_schemes)
READER(mime_types)
READER(playback_status)
READER(loop_status)
WRITER(loop_status)
READER(rate)
WRITER(rate)
READER(shuffle)
WRITER(shuffle)
READER(metadata)
READER(volume)
WRITER(volume)
READER(position)
READER(minimum_rate)
READER(maximum_rate)
READER(can_go_next)
READER(can_go_previous)
READER(can_play)
READER(can_pause)
READER(can_seek)
READER(can_control)
READER(tracks)
READER(can_edit_tracks)
READER(playlist_count)
READER(orderings)
READER(active_playlist)

CALLER(raise)
CALLER(quit)
CALLER(next)
CALLER(previous)
CALLER(pause)
CALLER(play_pause)
CALLER(stop)
CALLER(play)
CALLER(seek)
CALLER(set_position)
CALLER(open_uri)
CALLER(get_tracks_metadata)
CALLER(add_track)
CALLER(remove_track)
CALLER(go_to)
CALLER(activate_playlist)
CALLER(get_playlists)

#define OPEN SD_BUS_VTABLE_UNPRIVILEGED
#define CONSTANT (SD_BUS_VTABLE_PROPERTY_CONST)
#define CHANGES (SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
#define INVALIDATES (SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION)

static const sd_bus_vtable root[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("CanQuit", "b", read_can_quit, 0, CONSTANT),
    SD_BUS_PROPERTY("CanRaise", "b", read_can_raise, 0, CONSTANT),
    SD_BUS_PROPERTY("HasTrackList", "b", read_has_track_list, 0, CONSTANT),
    SD_BUS_PROPERTY("Identity", "s", read_identity, 0, CONSTANT),
    SD_BUS_PROPERTY("SupportedUriSchemes", "as", read_uri_schemes, 0, CONSTANT),
    SD_BUS_PROPERTY("SupportedMimeTypes", "as", read_mime_types, 0, CONSTANT),
    SD_BUS_METHOD("Raise", NULL, NULL, call_raise, OPEN),
    SD_BUS_METHOD("Quit", NULL, NULL, call_quit, OPEN),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("PlaybackStatus", "s", read_playback_status, 0, CHANGES),
    SD_BUS_WRITABLE_PROPERTY("LoopStatus", "s", read_loop_status, write_loop_status, 0, CHANGES | OPEN),
    SD_BUS_WRITABLE_PROPERTY("Rate", "d", read_rate, write_rate, 0, CHANGES | OPEN),
    SD_BUS_WRITABLE_PROPERTY("Shuffle", "b", read_shuffle, write_shuffle, 0, CHANGES | OPEN),
    SD_BUS_PROPERTY("Metadata", "a{sv}", read_metadata, 0, CHANGES),
    SD_BUS_WRITABLE_PROPERTY("Volume", "d", read_volume, write_volume, 0, CHANGES | OPEN),
    // Goes on by itself, so that no change of it is told.
    SD_BUS_PROPERTY("Position", "x", read_position, 0, 0),
    SD_BUS_PROPERTY("MinimumRate", "d", read_minimum_rate, 0, CHANGES),
    SD_BUS_PROPERTY("MaximumRate", "d", read_maximum_rate, 0, CHANGES),
    SD_BUS_PROPERTY("CanGoNext", "b", read_can_go_next, 0, CHANGES),
    SD_BUS_PROPERTY("CanGoPrevious", "b", read_can_go_previous, 0, CHANGES),
    SD_BUS_PROPERTY("CanPlay", "b", read_can_play, 0, CHANGES),
    SD_BUS_PROPERTY("CanPause", "b", read_can_pause, 0, CHANGES),
    SD_BUS_PROPERTY("CanSeek", "b", read_can_seek, 0, CHANGES),
    SD_BUS_PROPERTY("CanControl", "b", read_can_control, 0, CONSTANT),
    SD_BUS_METHOD("Next", NULL, NULL, call_next, OPEN),
    SD_BUS_METHOD("Previous", NULL, NULL, call_previous, OPEN),
    SD_BUS_METHOD("Pause", NULL, NULL, call_pause, OPEN),
    SD_BUS_METHOD("PlayPause", NULL, NULL, call_play_pause, OPEN),
    SD_BUS_METHOD("Stop", NULL, NULL, call_stop, OPEN),
    SD_BUS_METHOD("Play", NULL, NULL, call_play, OPEN),
    SD_BUS_METHOD("Seek", "x", NULL, call_seek, OPEN),
    SD_BUS_METHOD("SetPosition", "ox", NULL, call_set_position, OPEN),
    SD_BUS_METHOD("OpenUri", "s", NULL, call_open_uri, OPEN),
    SD_BUS_SIGNAL("Seeked", "x", 0),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable track_list[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Tracks", "ao", read_tracks, 0, INVALIDATES),
    SD_BUS_PROPERTY("CanEditTracks", "b", read_can_edit_tracks, 0, CHANGES),
    SD_BUS_METHOD("GetTracksMetadata", "ao", "aa{sv}", call_get_tracks_metadata, OPEN),
    SD_BUS_METHOD("AddTrack", "sob", NULL, call_add_track, OPEN),
    SD_BUS_METHOD("RemoveTrack", "o", NULL, call_remove_track, OPEN),
    SD_BUS_METHOD("GoTo", "o", NULL, call_go_to, OPEN),
    SD_BUS_SIGNAL("TrackListReplaced", "aoo", 0),
    SD_BUS_SIGNAL("TrackAdded", "a{sv}o", 0),
    SD_BUS_SIGNAL("TrackRemoved", "o", 0),
    SD_BUS_SIGNAL("TrackMetadataChanged", "oa{sv}", 0),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable playlists[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("PlaylistCount", "u", read_playlist_count, 0, CHANGES),
    SD_BUS_PROPERTY("Orderings", "as", read_orderings, 0, CHANGES),
    SD_BUS_PROPERTY("ActivePlaylist", "(b(oss))", read_active_playlist, 0, CHANGES),
    SD_BUS_METHOD("ActivatePlaylist", "o", NULL, call_activate_playlist, OPEN),
    SD_BUS_METHOD("GetPlaylists", "uusb", "a(oss)", call_get_playlists, OPEN),
    SD_BUS_SIGNAL("PlaylistChanged", "(oss)", 0),
    SD_BUS_VTABLE_END,
};

int mpris_add(sd_bus *bus, const mpris_door *door, int has_playlists) {
  void *userdata = (void *)door;
  int result = sd_bus_add_object_vtable(bus, NULL, MPRIS_PATH, MPRIS_ROOT, root, userdata);
  if (result >= 0) result = sd_bus_add_object_vtable(bus, NULL, MPRIS_PATH, MPRIS_PLAYER, player, userdata);
  if (result >= 0) result = sd_bus_add_object_vtable(bus, NULL, MPRIS_PATH, MPRIS_TRACK_LIST, track_list, userdata);
  if (result >= 0 && has_playlists)
    result = sd_bus_add_object_vtable(bus, NULL, MPRIS_PATH, MPRIS_PLAYLISTS, playlists, userdata);
  return result;
}
