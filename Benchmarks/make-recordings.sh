#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes the recordings that compare.py measures, as far as they are not there yet:
#
#   night.wav .flac .mp3 .m4a       90 minutes, stereo, 44.1 kHz
#   night-3h.m4a                    3 hours of it
#   night-10h.flac .mp3 .wav        10 hours of it (the WAV is an RF64, since it is longer than 4 GiB)
#
#   Benchmarks/make-recordings.sh FOLDER
set -euo pipefail
folder=$1
mkdir -p "$folder"
cd "$folder"

# Runs a command whose last argument is the file to make, and names the file so only when it is whole.
make_file() {
  local name=$1
  shift
  [[ -s $name ]] && return
  echo "making $name"
  "$@" "part-$name" </dev/null
  mv "part-$name" "$name"
}
encode() { ffmpeg -nostdin -v error -y "$@"; }

needed=$((12 * 1024 * 1024))
available=$(df --output=avail -k . | tail -n 1)
has_room=yes
if [[ ! -s night-10h.wav && $available -lt $needed ]]; then
  has_room=
  echo "less than 12 GiB free here: without the recordings of 10 hours" >&2
fi

# Three minutes of voiced bursts with pauses of 0.55 s over a little noise; a night is thirty of them.
left='0.35*(sin(2*PI*(140+20*sin(2*PI*0.3*t))*t)+0.5*sin(2*PI*2*(140+20*sin(2*PI*0.3*t))*t)'
left+='+0.3*sin(2*PI*5*140*t))*(0.5+0.5*sin(2*PI*4.3*t))*gt(mod(t,4.7),0.55)'
left+='+0.0012*(random(0)-0.5)'
right='0.3*(sin(2*PI*(140+20*sin(2*PI*0.3*t))*t)+0.5*sin(2*PI*2*(140+20*sin(2*PI*0.3*t))*t)'
right+='+0.25*sin(2*PI*7*140*t))*(0.5+0.5*sin(2*PI*4.3*t))*gt(mod(t,4.7),0.55)'
right+='+0.0012*(random(1)-0.5)'
if [[ ! -s night.wav ]]; then
  make_file base.wav encode -f lavfi -i "aevalsrc='$left|$right':s=44100:d=180" -c:a pcm_s16le
  make_file night.wav encode -stream_loop 29 -i base.wav -c:a pcm_s16le
  rm -f base.wav
fi
make_file night.flac encode -i night.wav -c:a flac
make_file night.mp3 lame --quiet -b 128 night.wav
make_file night.m4a encode -i night.wav -c:a aac -b:a 128k
make_file night-3h.m4a encode -stream_loop 1 -i night.m4a -c copy
[[ $has_room ]] || exit 0
make_file night-10h.mp3 encode -stream_loop 6 -i night.mp3 -t 36000 -c copy
make_file night-10h.flac encode -stream_loop 6 -i night.wav -t 36000 -c:a flac
make_file night-10h.wav encode -stream_loop 6 -i night.wav -t 36000 -c copy -rf64 always
