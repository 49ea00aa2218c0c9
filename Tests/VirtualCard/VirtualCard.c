// SPDX-License-Identifier: GPL-3.0-or-later

#include "VirtualCard.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { FAULT_LIMIT = 4096 };

struct scripted_fault {
  virtual_card_fault kind;
  long frame;
  int amount;
};

struct virtual_card {
  pthread_mutex_t lock;  // guards everything below

  float *kept;
  size_t kept_capacity;
  size_t kept_count;
  long total_played;
  int opened;
  pthread_t writer;

  struct scripted_fault faults[FAULT_LIMIT];
  int fault_count;
  int next_fault;
  int refusals;  // times left that `prepare` answers "again"
  int calls_left;  // until it is unplugged; 0 for never
  int stalled;   // looks at the clock left; negative for ever
  bool is_unplugged;
  bool is_failing;
  bool is_dead;
  bool is_orphan;
  bool waits_for_listener;
  virtual_card_format format;
  double clock_speed;  // 0: virtual
  long started;        // nanoseconds
  long clocked;        // frames of time that have passed since then
  long first_write;

  // A card of another process, which keeps the system's time:
  bool is_foreign;
  int capture;    // a file that gets what is played
  char *absence;  // a file; while there is one the card is unplugged

  // While the card is open:
  snd_pcm_ioplug_t io;
  snd_pcm_uframes_t boundary;
  float *buffer;
  long written;  // since the last prepare, as is `played`
  long played;
  bool is_running;
};

// The clock.

static void write_down(virtual_card *card, long frames) {
  size_t channels = card->io.channels;
  for (long done = 0; done < frames;) {
    long place = (card->played + done) % (long)card->io.buffer_size;
    long count = (long)card->io.buffer_size - place;
    if (count > frames - done) count = frames - done;
    size_t size = (size_t)count * channels * sizeof(float);
    if (write(card->capture, card->buffer + (size_t)place * channels, size) != (ssize_t)size) abort();
    done += count;
  }
}

static void keep(virtual_card *card, long frames) {
  if (card->is_foreign) write_down(card, frames);
  size_t channels = card->io.channels;
  for (long i = 0; i < frames; i++) {
    const float *frame = card->buffer + (size_t)((card->played + i) % (long)card->io.buffer_size) * channels;
    for (size_t c = 0; c < channels && card->kept_count < card->kept_capacity; c++)
      card->kept[card->kept_count++] = frame[c];
  }
  card->played += frames;
  card->total_played += frames;
}

static void unplug(virtual_card *card) {
  card->is_running = false;
  card->is_unplugged = true;
  snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
}

// Takes note that alsa-lib calls, which may be when the card goes.
static void count_call(virtual_card *card) {
  if (card->calls_left > 0 && --card->calls_left == 0) unplug(card);
}

static void fail(virtual_card *card, struct scripted_fault fault) {
  card->next_fault++;
  switch (fault.kind) {
  case VIRTUAL_CARD_XRUN:
    card->is_running = false;
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
    break;
  case VIRTUAL_CARD_SUSPEND:
    card->is_running = false;
    card->refusals = fault.amount;
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
    break;
  case VIRTUAL_CARD_STALL:
    card->stalled = fault.amount;
    break;
  case VIRTUAL_CARD_UNPLUG: unplug(card); break;
  case VIRTUAL_CARD_EIO:
    card->is_failing = true;
    break;
  case VIRTUAL_CARD_ORPHAN:
    card->is_running = false;
    card->is_orphan = true;
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
    break;
  case VIRTUAL_CARD_DEAD:
    card->is_running = false;
    card->is_dead = true;
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
    break;
  }
}

// Lets so many frames of time pass.
static void advance(virtual_card *card, long frames) {
  if (card->absence && access(card->absence, F_OK) == 0 && !card->is_unplugged) unplug(card);
  while (frames > 0 && card->is_running) {
    if (card->stalled != 0) {
      if (card->stalled > 0) card->stalled--;
      return;
    }
    if (card->is_failing) return;
    if (card->is_dead) {
      card->is_running = false;
      snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
      return;
    }
    long count = frames;
    if (count > card->written - card->played) count = card->written - card->played;
    bool is_due = false;
    if (card->next_fault < card->fault_count) {
      long left = card->faults[card->next_fault].frame - card->total_played;
      if (left < 0) left = 0;
      if (left <= count) {
        count = left;
        is_due = true;
      }
    }
    keep(card, count);
    frames -= count;
    if (is_due) {
      fail(card, card->faults[card->next_fault]);
    } else if (frames > 0) {
      card->is_running = false;
      snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
    }
  }
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

// Lets the time pass that has passed, or by the virtual clock so many frames.
static void look_at_clock(virtual_card *card, long frames) {
  if (card->clock_speed > 0) {
    long due = (long)((double)(now() - card->started) * 1e-9 * card->clock_speed * card->io.rate);
    frames = due - card->clocked;
    card->clocked = due;
    // Where nothing is left a foreign card waits rather than runs dry, so that a machine with other work to
    // do changes nothing of what is heard.
    if (card->is_foreign && frames > card->written - card->played) frames = card->written - card->played;
  } else if (card->waits_for_listener) {
    long room = (long)((card->kept_capacity - card->kept_count) / card->io.channels);
    if (frames > room) frames = room;
  }
  advance(card, frames);
}

static int state_error(virtual_card *card) {
  if (card->is_unplugged) return -ENODEV;
  switch (card->io.state) {
  case SND_PCM_STATE_XRUN: return -EPIPE;
  case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
  default: return 0;
  }
}

// What alsa-lib calls.

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  snd_pcm_sframes_t result = card->is_unplugged ? -ENODEV : (snd_pcm_sframes_t)((snd_pcm_uframes_t)card->played % card->boundary);
  pthread_mutex_unlock(&card->lock);
  return result;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  look_at_clock(card, (long)io->period_size / 4 + 1);
  *delay = card->written - card->played;
  int result = card->is_orphan ? -EIO : state_error(card);
  pthread_mutex_unlock(&card->lock);
  return result;
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count, unsigned short *events) {
  (void)descriptors;
  (void)count;
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  uint64_t ticks;
  if (card->clock_speed > 0 && read(io->poll_fd, &ticks, sizeof ticks) < 0) ticks = 0;
  look_at_clock(card, (long)io->period_size);
  *events = state_error(card) ? POLLERR : POLLOUT;
  pthread_mutex_unlock(&card->lock);
  return 0;
}

static float sample(const void *samples, size_t index, virtual_card_format format) {
  switch (format) {
  case VIRTUAL_CARD_S32: return (float)(((const int32_t *)samples)[index] / 2147483648.0);
  // The lower three bytes count.
  case VIRTUAL_CARD_S24: return (float)((int32_t)(((const uint32_t *)samples)[index] << 8) / 2147483648.0);
  case VIRTUAL_CARD_S16: return (float)(((const int16_t *)samples)[index] / 32768.0);
  default: return ((const float *)samples)[index];
  }
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
                                       snd_pcm_uframes_t size) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  card->writer = pthread_self();
  snd_pcm_sframes_t result = (snd_pcm_sframes_t)size;
  if (card->is_unplugged) result = -ENODEV;
  else if (card->is_failing && card->is_running) result = -EIO;
  if (result > 0) {
    size_t channels = io->channels;
    const char *source = (const char *)areas->addr + (areas->first + areas->step * offset) / 8;
    for (snd_pcm_uframes_t i = 0; i < size; i++) {
      size_t place = (size_t)((card->written + (long)i) % (long)io->buffer_size);
      for (size_t c = 0; c < channels; c++)
        card->buffer[place * channels + c] = sample(source, i * channels + c, card->format);
    }
    if (card->written == 0) card->first_write = now();
    card->written += (long)size;
  }
  pthread_mutex_unlock(&card->lock);
  return result;
}

static int card_start(snd_pcm_ioplug_t *io) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  int result = card->is_unplugged ? -ENODEV : 0;
  card->is_running = result == 0;
  card->started = now();
  card->clocked = 0;
  pthread_mutex_unlock(&card->lock);
  return result;
}

static int card_stop(snd_pcm_ioplug_t *io) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  card->is_running = false;
  pthread_mutex_unlock(&card->lock);
  return 0;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  count_call(card);
  int result = 0;
  if (card->is_unplugged) result = -ENODEV;
  else if (card->is_orphan) result = -EIO;
  else if (card->refusals > 0) {
    card->refusals--;
    result = -EAGAIN;
  } else {
    card->written = 0;
    card->played = 0;
    card->first_write = 0;
    card->is_running = false;
  }
  pthread_mutex_unlock(&card->lock);
  return result;
}

static int card_resume(snd_pcm_ioplug_t *io) {
  (void)io;
  return -ENOSYS;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
  (void)parameters;
  virtual_card *card = io->private_data;
  float *buffer = calloc(io->buffer_size * io->channels, sizeof(float));
  pthread_mutex_lock(&card->lock);
  free(card->buffer);
  card->buffer = buffer;
  if (card->clock_speed > 0) {
    long tick = (long)(1e9 * (double)io->period_size / io->rate / card->clock_speed);
    struct timespec interval = {tick / 1000000000L, tick % 1000000000L};
    timerfd_settime(io->poll_fd, 0, &(struct itimerspec){interval, interval}, NULL);
  }
  pthread_mutex_unlock(&card->lock);
  return buffer ? 0 : -ENOMEM;
}

static int card_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  virtual_card *card = io->private_data;
  return snd_pcm_sw_params_get_boundary(parameters, &card->boundary);
}

static void put_away(virtual_card *card) {
  close(card->capture);
  free(card->absence);
  virtual_card_destroy(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
  virtual_card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  card->is_running = false;
  close(io->poll_fd);
  free(card->buffer);
  card->buffer = NULL;
  pthread_mutex_unlock(&card->lock);
  if (card->is_foreign) put_away(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .transfer = card_transfer,
    .close = card_close,
    .hw_params = card_hw_params,
    .sw_params = card_sw_params,
    .prepare = card_prepare,
    .resume = card_resume,
    .delay = card_delay,
    .poll_revents = card_poll_revents,
};

static int constrain(snd_pcm_ioplug_t *io, virtual_card_format format) {
  static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  static const unsigned int names[] = {SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_S24, SND_PCM_FORMAT_S16};
  const unsigned int formats[] = {names[format]};
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 8);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, 8000, 192000);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 20);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, 1 << 22);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
  return error;
}

// The card whose address the configuration holds.
static virtual_card *configured_card(snd_config_t *configuration) {
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, configuration) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *key, *text;
    if (snd_config_get_id(entry, &key) < 0 || strcmp(key, "address") != 0) continue;
    if (snd_config_get_string(entry, &text) < 0) return NULL;
    return (virtual_card *)(uintptr_t)strtoull(text + 1, NULL, 16);
  }
  return NULL;
}

// A card of this process alone, when the configuration says where what it plays goes.
static virtual_card *foreign_card(snd_config_t *configuration) {
  const char *capture = NULL, *absence = NULL;
  long ppm = 0;
  snd_config_t *entry;
  if (snd_config_search(configuration, "capture", &entry) < 0) return NULL;
  if (snd_config_get_string(entry, &capture) < 0) return NULL;
  if (snd_config_search(configuration, "absence", &entry) >= 0) snd_config_get_string(entry, &absence);
  if (snd_config_search(configuration, "ppm", &entry) >= 0) snd_config_get_integer(entry, &ppm);
  int file = open(capture, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  virtual_card *card = virtual_card_create(0);
  card->is_foreign = true;
  card->clock_speed = 1 + 1e-6 * (double)ppm;
  card->capture = file;
  card->absence = absence ? strdup(absence) : NULL;
  card->is_unplugged = absence && access(absence, F_OK) == 0;
  return card;
}

SND_PCM_PLUGIN_DEFINE_FUNC(tilawa_card) {
  (void)root;
  virtual_card *card = foreign_card(conf);
  if (!card) card = configured_card(conf);
  if (!card || stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  if (card->is_unplugged) {
    if (card->is_foreign) put_away(card);
    return -ENODEV;
  }
  memset(&card->io, 0, sizeof card->io);
  card->io.version = SND_PCM_IOPLUG_VERSION;
  card->io.name = "virtual card";
  card->io.callback = &callbacks;
  card->io.private_data = card;
  card->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  card->io.poll_events = POLLIN;
  // Always ready: the virtual clock has to be looked at in order to move.
  card->io.poll_fd =
      card->clock_speed > 0 ? timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK) : eventfd(1, EFD_CLOEXEC);
  int error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  if (error < 0) return error;
  error = constrain(&card->io, card->format);
  if (error < 0) {
    snd_pcm_ioplug_delete(&card->io);
    return error;
  }
  card->opened++;
  *pcmp = card->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(tilawa_card);

// What tests call.

virtual_card *virtual_card_create(size_t sample_capacity) {
  virtual_card *card = calloc(1, sizeof *card);
  pthread_mutex_init(&card->lock, NULL);
  card->kept = calloc(sample_capacity, sizeof(float));
  card->kept_capacity = sample_capacity;
  return card;
}

void virtual_card_destroy(virtual_card *card) {
  pthread_mutex_destroy(&card->lock);
  free(card->kept);
  free(card);
}

void virtual_card_pcm_name(const virtual_card *card, char *text, size_t size) {
  // A letter ahead of the digits keeps alsa-lib from taking them for a number.
  snprintf(text, size, "tilawa_card:x%llx", (unsigned long long)(uintptr_t)card);
}

void virtual_card_configuration(const char *library, char *text, size_t size) {
  snprintf(text, size,
           "pcm_type.tilawa_card { lib \"%s\" }\n"
           "pcm.tilawa_card { @args [ ADDRESS ] @args.ADDRESS { type string } type tilawa_card address $ADDRESS }\n",
           library);
}

void virtual_card_set_format(virtual_card *card, virtual_card_format format) {
  pthread_mutex_lock(&card->lock);
  card->format = format;
  pthread_mutex_unlock(&card->lock);
}

void virtual_card_set_clock(virtual_card *card, double speed) {
  pthread_mutex_lock(&card->lock);
  card->clock_speed = speed;
  pthread_mutex_unlock(&card->lock);
}

long virtual_card_first_write(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  long result = card->first_write;
  pthread_mutex_unlock(&card->lock);
  return result;
}

void virtual_card_add_fault(virtual_card *card, virtual_card_fault fault, long frame, int amount) {
  pthread_mutex_lock(&card->lock);
  if (card->fault_count < FAULT_LIMIT) card->faults[card->fault_count++] = (struct scripted_fault){fault, frame, amount};
  pthread_mutex_unlock(&card->lock);
}

void virtual_card_unplug_at_call(virtual_card *card, int call) {
  pthread_mutex_lock(&card->lock);
  card->calls_left = call;
  pthread_mutex_unlock(&card->lock);
}

void virtual_card_plug(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  card->is_unplugged = false;
  card->is_failing = false;
  card->is_dead = false;
  card->is_orphan = false;
  card->stalled = 0;
  pthread_mutex_unlock(&card->lock);
}

long virtual_card_played(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  long result = card->total_played;
  pthread_mutex_unlock(&card->lock);
  return result;
}

int virtual_card_faults(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  int result = card->next_fault;
  pthread_mutex_unlock(&card->lock);
  return result;
}

int virtual_card_opened(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  int result = card->opened;
  pthread_mutex_unlock(&card->lock);
  return result;
}

size_t virtual_card_copy(virtual_card *card, float *target, size_t first, size_t count) {
  pthread_mutex_lock(&card->lock);
  size_t available = first < card->kept_count ? card->kept_count - first : 0;
  if (count > available) count = available;
  memcpy(target, card->kept + first, count * sizeof(float));
  pthread_mutex_unlock(&card->lock);
  return count;
}

size_t virtual_card_take(virtual_card *card, float *target, size_t count) {
  pthread_mutex_lock(&card->lock);
  if (count > card->kept_count) count = card->kept_count;
  memcpy(target, card->kept, count * sizeof(float));
  memmove(card->kept, card->kept + count, (card->kept_count - count) * sizeof(float));
  card->kept_count -= count;
  pthread_mutex_unlock(&card->lock);
  return count;
}

void virtual_card_wait_for_listener(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  card->waits_for_listener = true;
  pthread_mutex_unlock(&card->lock);
}

unsigned long virtual_card_writer(virtual_card *card) {
  pthread_mutex_lock(&card->lock);
  unsigned long result = (unsigned long)card->writer;
  pthread_mutex_unlock(&card->lock);
  return result;
}
