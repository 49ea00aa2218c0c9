// SPDX-License-Identifier: GPL-3.0-or-later
#include "VirtualJack.h"

#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/inotify.h>
#include <unistd.h>

static const char name_of_jack[] = "Headphone Jack";

typedef struct {
  snd_ctl_ext_t device;
  char *path;
} jack;

static bool is_plugged(const jack *jack) {
  char state = '0';
  int file = open(jack->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  if (read(file, &state, 1) != 1) state = '0';
  close(file);
  return state == '1';
}

static void close_jack(snd_ctl_ext_t *device) {
  jack *jack = device->private_data;
  close(device->poll_fd);
  free(jack->path);
  free(jack);
}

static int count_elements(snd_ctl_ext_t *device) {
  (void)device;
  return 1;
}

static int name_element(snd_ctl_ext_t *device, unsigned offset, snd_ctl_elem_id_t *id) {
  (void)device, (void)offset;
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_CARD);
  snd_ctl_elem_id_set_name(id, name_of_jack);
  return 0;
}

static snd_ctl_ext_key_t find_element(snd_ctl_ext_t *device, const snd_ctl_elem_id_t *id) {
  (void)device;
  return strcmp(snd_ctl_elem_id_get_name(id), name_of_jack) ? SND_CTL_EXT_KEY_NOT_FOUND : 0;
}

static int describe_element(snd_ctl_ext_t *device, snd_ctl_ext_key_t key, int *type, unsigned *access,
                            unsigned *count) {
  (void)device, (void)key;
  *type = SND_CTL_ELEM_TYPE_BOOLEAN;
  *access = SND_CTL_EXT_ACCESS_READ;
  *count = 1;
  return 0;
}

static int read_element(snd_ctl_ext_t *device, snd_ctl_ext_key_t key, long *value) {
  (void)key;
  *value = is_plugged(device->private_data);
  return 0;
}

static void subscribe(snd_ctl_ext_t *device, int wanted) { (void)device, (void)wanted; }

static int read_event(snd_ctl_ext_t *device, snd_ctl_elem_id_t *id, unsigned *mask) {
  char notes[512];
  if (read(device->poll_fd, notes, sizeof notes) <= 0) return -EAGAIN;
  name_element(device, 0, id);
  *mask = SND_CTL_EVENT_MASK_VALUE;
  return 1;
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_jack,
    .elem_count = count_elements,
    .elem_list = name_element,
    .find_elem = find_element,
    .get_attribute = describe_element,
    .read_integer = read_element,
    .subscribe_events = subscribe,
    .read_event = read_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(tilawa_jack) {
  (void)root;
  const char *path = NULL;
  snd_config_iterator_t entry, next;
  snd_config_for_each(entry, next, conf) {
    snd_config_t *setting = snd_config_iterator_entry(entry);
    const char *key;
    if (snd_config_get_id(setting, &key) >= 0 && strcmp(key, "file") == 0)
      snd_config_get_string(setting, &path);
  }
  if (!path) return -EINVAL;
  jack *jack = calloc(1, sizeof *jack);
  if (!jack) return -ENOMEM;
  jack->path = strdup(path);
  snd_ctl_ext_t *device = &jack->device;
  device->version = SND_CTL_EXT_VERSION;
  device->callback = &callbacks;
  device->private_data = jack;
  strcpy(device->id, "tilawa_jack");
  strcpy(device->driver, "tilawa_jack");
  strcpy(device->name, "Virtual jack");
  strcpy(device->longname, "Virtual jack");
  strcpy(device->mixername, "Virtual jack");
  device->poll_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  inotify_add_watch(device->poll_fd, path, IN_CLOSE_WRITE);
  int result = snd_ctl_ext_create(device, name, mode);
  if (result < 0) {
    close_jack(device);
    return result;
  }
  *handlep = device->handle;
  return 0;
}
SND_CTL_PLUGIN_SYMBOL(tilawa_jack);
