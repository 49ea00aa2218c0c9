#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Puts together what `make install` installs: the stripped program, its completions and its man page.
#
#   Scripts/package.sh PROGRAM GENERATE-MANUAL FOLDER
#
# GENERATE-MANUAL is the tool of that name from swift-argument-parser.
set -euo pipefail
program=$1 generate_manual=$2 folder=$3

rm -rf "$folder"
mkdir -p "$folder"

install -m 755 "$program" "$folder/tilawa-annotate"
if command -v strip >/dev/null; then strip "$folder/tilawa-annotate"; fi

"$program" --generate-completion-script bash >"$folder/tilawa-annotate.bash"
"$program" --generate-completion-script zsh >"$folder/_tilawa-annotate"
"$program" --generate-completion-script fish >"$folder/tilawa-annotate.fish"

date=()
if day=$(git log -1 --format=%cs 2>/dev/null) && [[ -n $day ]]; then date=(--date "$day"); fi
# The editor's keys, in mdoc's lists.
keys=$("$program" edit --keys --markdown | sed 's/\\|/\x01/g' | awk -F' *\\| *' '
  /^### / { if (open) print ".El"; print ".Ss " substr($0, 5); print ".Bl -tag -width 18n"; open = 1; next }
  /^\| (key|-)/ || /^\|-/ || NF < 4 { next }
  {
    gsub(/`/, "")
    gsub(/\001/, "|")
    gsub(/\\/, "\\e")
    keys = $2 == "" ? "(no key)" : $2
    printf ".It \\&%s\n\\&%s: %s\n", keys, $3, $4
  }
  END { if (open) print ".El" }')

# The generator also lists commands that are hidden and `help`; it fills examples as if they were prose,
# and knows nothing of our exit codes.
"$generate_manual" "$program" --output-directory - "${date[@]}" |
  keys=$keys awk '
    function end_example() { if (example) { print ".Ed"; example = 0 } }
    /^\.Bl/ { depth++ }
    /^\.It Em / && depth == 1 { hidden = ($3 == "auto-detect-worker" || $3 == "detection-features" || $3 == "acoustic-features" || $3 == "place-features" || $3 == "alignment-edges" || $3 == "help") }
    /^\.El/ { depth--; if (depth == 0) hidden = 0 }
    hidden { next }
    /^  / { if (!example) { print ".Bd -literal"; example = 1 } print substr($0, 3); next }
    { end_example() }
    /^$/ { print ".Pp"; next }
    /^\.Ex -std/ {
      print ".Bl -tag -width 6n"
      print ".It 0\nAll went well."
      print ".It 1\nSome of several inputs failed; the results of the others are there."
      print ".It 64\nThe command line is not right."
      print ".It 65\nAn input holds no audio that can be read, or is damaged beyond reading."
      print ".It 66\nAn input does not exist or may not be read."
      print ".It 69\nSomething that is needed is not available, such as a codec."
      print ".It 74\nReading or writing failed."
      print ".It 130\nInterrupted; finished results are there."
      print ".El"
      next
    }
    { print }
    END {
      end_example()
      print ".Sh KEYS OF THE EDITOR"
      print "Each can be bound to others in config.toml, under [keys]."
      print ENVIRON["keys"]
      print ".Sh ENVIRONMENT"
      print ".Bl -tag -width 6n"
      print ".It TILAWA_HOME\nOne folder for everything that the program keeps."
      print ".It XDG_CACHE_HOME\nThe folder in which the folder tilawa of analysed waveforms lies;"
      print "without it, .cache in HOME. All of it may be deleted at any time."
      print ".It TMPDIR\nFor the nameless file that a run with --no-cache works in; else /tmp."
      print ".It NO_COLOR\nHonoured: nothing is coloured."
      print ".El"
    }
  ' >"$folder/tilawa-annotate.1"
