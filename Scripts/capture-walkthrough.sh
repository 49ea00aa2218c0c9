#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Captures the screens of the editor's walkthrough from the program itself, by the keys that the walkthrough
# tells of, and the table of all keys.
#
#   Scripts/capture-walkthrough.sh PROGRAM [PAGE]
#
# In the page (Documentation/editor.md), the block after each `<!-- screen: NAME -->` is replaced by the screen of that name, and what
# stands between `<!-- keys:begin -->` and `<!-- keys:end -->` by the table. Needs tmux.
set -euo pipefail
program=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
page=$(realpath "${2:-$root/Documentation/editor.md}")

work=$(mktemp -d)
tell() { tmux -S "$work/tmux" -f /dev/null -u "$@"; }
trap 'tell kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
  echo "capture-walkthrough: $*" >&2
  exit 1
}
command -v tmux >/dev/null || fail "tmux is not installed"

# A recording, a library of its own, and a device that makes no sound.
cp "$root/Fixtures/flac-44k-stereo.flac" "$work/night3.flac"
mkdir "$work/home" "$work/screens"
echo 'pcm.!default { type null }' >"$work/asound.conf"

seen() { tell capture-pane -p | sed 's/ *$//'; }

# Waits until the screen shows a text.
await() {
  local now=''
  for _ in $(seq 600); do
    now=$(seen)
    if [[ $now == *"$1"* ]]; then return; fi
    sleep 0.1
  done
  fail "'$1' never came:
$now"
}

press() { tell send-keys "$@"; }

# Keeps the screen when nothing moves on it any more.
keep() {
  local now='' before='nothing'
  while [[ $now != "$before" ]]; do
    before=$now
    sleep 0.3
    now=$(seen)
  done
  echo "$now" >"$work/screens/$1"
}

LANG=C.UTF-8 tell new-session -d -x 80 -y 24 \
  "cd '$work' && exec env -u NO_COLOR -u LC_ALL LANG=C.UTF-8 TERM=tmux-256color TILAWA_HOME='$work/home' \
    ALSA_CONFIG_PATH='$work/asound.conf' '$program' night3.flac" \
  \; set -g status off \; resize-window -x 80 -y 24

await 'New here?'
keep opened
press f
await 'From which ayah?'
press -l '112:1'
await '113:2'
keep filled
press Enter
await '6 assigned of 6'
for number in 1 2 3; do
  press Enter
  await "$number confirmed, 6 assigned"
done
press Space
await 'paused'
press Up Down
await 'paused  0:15.264'
keep reviewed
press X t
await '╷0:15.0'
keep close

"$program" edit --keys --markdown >"$work/keys"

awk -v screens="$work/screens" -v keys="$work/keys" '
  function show(file,  line) {
    while ((getline line < file) > 0) print line
    if (close(file) != 0) exit 1
  }
  /^<!-- screen: [a-z]+ -->$/ {
    print
    print "```text"
    show(screens "/" $3)
    print "```"
    isOld = 1
    next
  }
  isOld && /^```/ { fences++; if (fences == 2) { isOld = fences = 0 }; next }
  isOld { if (fences == 0) isOld = 0; else next }
  /^<!-- keys:begin -->$/ { print; print ""; show(keys); print ""; isKeys = 1; next }
  /^<!-- keys:end -->$/ { isKeys = 0 }
  !isKeys { print }
' "$page" >"$work/page.md"
cp "$work/page.md" "$page"
