#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a Debian system ready to build tilawa-annotate: looks for what is needed and installs what is
# missing, and nothing else. Safe to run again; a run that finds everything changes nothing.
#
#   Scripts/setup.sh              what building needs
#   Scripts/setup.sh bench        that, and what `make bench` needs
#   Scripts/setup.sh manual       that, and what the man page needs
#   Scripts/setup.sh peers        that, and the programs that tests try our formats, screens and sound on;
#                                 without them these tests skip (one more of them wants chromium)
set -euo pipefail

least_swift=6.1

# A command, and the Debian package that brings it.
tools=(pkg-config:pkg-config make:make git:git)
# A Debian package, and the pkg-config module to look for on other systems.
libraries=(
  libsndfile1-dev:sndfile libmpg123-dev:libmpg123 libfftw3-dev:fftw3f libncursesw5-dev:ncursesw
  libsqlite3-dev:sqlite3 libasound2-dev:alsa libavformat-dev:libavformat
  libavcodec-dev:libavcodec libavutil-dev:libavutil libswresample-dev:libswresample
  librubberband-dev:rubberband libsystemd-dev:libsystemd libcairo2-dev:cairo
  libexpat1-dev:expat libebur128-dev:libebur128 libcurl4-openssl-dev:libcurl
  libswscale-dev:libswscale zlib1g-dev:zlib libpulse-dev:libpulse
)

for extra in "$@"; do
  case "$extra" in
    bench) tools+=(ffmpeg:ffmpeg flac:flac lame:lame python3:python3) ;;
    manual) tools+=(python3:python3) ;;
    peers)
      tools+=(
        ffmpeg:ffmpeg praat:praat python3:python3 tmux:tmux pulseaudio:pulseaudio parec:pulseaudio-utils
        dbus-daemon:dbus-daemon playerctl:playerctl gdbus:libglib2.0-bin mpv:mpv
      )
      libraries+=(libasound2-plugins:alsa python3-dbusmock:dbus-1)
      ;;
    *)
      echo "setup: unknown extra '$extra' (bench, manual, peers)" >&2
      exit 64
      ;;
  esac
done

say() { echo "setup: $*"; }
fail() {
  echo "setup: $*" >&2
  exit 69
}

check_swift() {
  command -v "${SWIFT:-swift}" >/dev/null || fail "no Swift toolchain found on PATH.
  Version $least_swift or newer is needed; https://www.swift.org/install/linux/ has it for Debian 12.
  Once it is installed, 'swift --version' must answer."
  local answer version
  answer=$("${SWIFT:-swift}" --version 2>/dev/null || true)
  version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$answer" | head -n 1)
  [[ -n $version ]] || fail "'${SWIFT:-swift} --version' gave no version:
  $("${SWIFT:-swift}" --version 2>&1 || true)
  The Debian packages that a toolchain needs are on https://www.swift.org/install/linux/."
  [[ $(printf '%s\n' "$least_swift" "$version" | sort -V | head -n 1) == "$least_swift" ]] ||
    fail "Swift $version is too old: $least_swift or newer is needed
  (https://www.swift.org/install/linux/)."
}

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Sets `missing`, the Debian packages to install.
find_missing() {
  missing=()
  local entry
  for entry in "${tools[@]}"; do
    command -v "${entry%%:*}" >/dev/null || missing+=("${entry#*:}")
  done
  for entry in "${libraries[@]}"; do
    if command -v dpkg-query >/dev/null; then
      is_installed "${entry%%:*}" || missing+=("${entry%%:*}")
    elif ! pkg-config --exists "${entry#*:}" 2>/dev/null; then
      missing+=("${entry%%:*}")
    fi
  done
}

install_missing() {
  command -v apt-get >/dev/null || fail "this system has no apt-get, so these have to be installed \
by hand (their names in Debian 12):
  ${missing[*]}"
  local root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || fail "neither root nor sudo; as root, run
  apt-get install ${missing[*]}"
    root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! {
    "${root[@]}" apt-get update -q &&
      "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    fail "apt-get failed; its messages are above."
  fi
  rm -f "$log"
}

check_swift
find_missing
if [[ ${#missing[@]} -gt 0 ]]; then
  install_missing
  find_missing
  [[ ${#missing[@]} -eq 0 ]] || fail "still missing after the installation: ${missing[*]}"
fi
