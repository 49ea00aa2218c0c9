# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make` lists the targets. Everything they make lies in .build/ and Benchmarks/out/.

PREFIX ?= /usr/local
TIMES ?= 1
DESTDIR ?=
SWIFT ?= swift
# From nothing the tests are built in less time without debug information and by whole modules, each read once (which
# write an object per file, as SwiftPM expects, only if told a number of threads). `make test TEST_FLAGS=` builds as
# `swift build --build-tests` does. The index of the sources is needed: SwiftPM looks for tests in it.
TEST_FLAGS ?= -debug-info-format none -Xswiftc -whole-module-optimization \
	-Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo
PYTHON ?= python3

BINARY := .build/release/tilawa-annotate
PACKAGE := .build/package
DEMO := Fixtures/flac-44k-stereo.flac
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks

export SWIFT

.DEFAULT_GOAL := help
.PHONY: help setup setup-bench build demo build-tests test test-long test-thorough test-under-load sanitize release-check package install uninstall fixtures walkthrough \
	pictures bench accuracy lint format clean

help:
	@echo 'make demo                  sets up, builds, and finds the pauses in a short recording'
	@echo 'make test                  sets up, builds, and runs the tests; test-long has the rest'
	@echo 'make build                 sets up, and builds the release: $(BINARY)'
	@echo 'make install               the program, completions for bash, zsh and fish, and a man page,'
	@echo '                           under PREFIX=/usr/local'
	@echo 'make uninstall             removes what install put there'
	@echo
	@echo 'make setup                 installs the Debian packages that are missing (by sudo, if not root)'
	@echo 'make package               builds the files that install installs, in $(PACKAGE)'
	@echo 'make test-long             the tests that take long or need the processor to themselves'
	@echo 'make test-thorough         all tests in their long forms: an hour and more'
	@echo 'make test-under-load       the tests that timing can affect, on a busy processor; TIMES=1'
	@echo 'make sanitize              tests under the thread and address sanitizers'
	@echo 'make release-check         all of these: tests 20 times idle, 3 times under load, and lint'
	@echo 'make fixtures              regenerates Fixtures/'
	@echo 'make walkthrough           captures the screens and the table of keys in Documentation/editor.md'
	@echo 'make pictures              draws screens of the editor as PNG into Benchmarks/out/screens; RECORDINGS=, PYTHON= with'
	@echo '                           pyte and Pillow'
	@echo 'make accuracy              how well ayat are found in the recordings of TILAWA_CORPUS, against the baseline'
	@echo 'make bench                 speed and memory beside ffmpeg: 12 GB of disk, 10 minutes'
	@echo "make lint                  the formatter's strict check, as in .ci/run"
	@echo 'make format                formats all Swift sources'
	@echo 'make clean                 removes everything built, and the recordings of bench'

setup:
	@Scripts/setup.sh

setup-bench:
	@Scripts/setup.sh bench

build: setup
	@$(SWIFT) build -c release --static-swift-stdlib --product tilawa-annotate

demo: build
	@echo
	@echo 'Half a minute of synthetic recitation with five ends of ayat and seven breaths:'
	@echo
	@echo '  $$ tilawa-annotate auto-detect $(DEMO)'
	@$(BINARY) auto-detect --no-cache $(DEMO)
	@echo
	@echo 'For your own recordings: $(BINARY) auto-detect RECORDING...'
	@echo 'More: --help, and README.md. To install it: make install'

build-tests: setup
	@$(SWIFT) build --build-tests $(TEST_FLAGS)

test: build-tests
	@if command -v $(PYTHON) >/dev/null; then $(PYTHON) -m unittest discover -s Scripts/tests; \
		else echo 'the tests of Scripts/ are skipped: no $(PYTHON)'; fi
	@Scripts/test.sh --short

test-long: build-tests
	@Scripts/test.sh --long

test-thorough: build-tests
	@TILAWA_THOROUGH=1 Scripts/test.sh

test-under-load: build-tests
	@Scripts/test-under-load.sh $(TIMES)

sanitize: setup
	@Scripts/sanitize.sh

release-check: setup
	@Scripts/release-check.sh

package: build
	@$(SWIFT) build -c release --static-swift-stdlib --product generate-manual
	@Scripts/package.sh $(BINARY) .build/release/generate-manual $(PACKAGE)

# Under sudo nothing is built, so that no file in .build/ comes to belong to root.
install: $(if $(SUDO_UID),,package)
	@test -d $(PACKAGE) || { echo "Run 'make package' first, without sudo." >&2; exit 1; }
	@install -D -m 755 $(PACKAGE)/tilawa-annotate $(DESTDIR)$(PREFIX)/bin/tilawa-annotate
	@install -D -m 644 $(PACKAGE)/tilawa-annotate.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/tilawa-annotate
	@install -D -m 644 $(PACKAGE)/_tilawa-annotate \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tilawa-annotate
	@install -D -m 644 $(PACKAGE)/tilawa-annotate.fish \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tilawa-annotate.fish
	@install -D -m 644 $(PACKAGE)/tilawa-annotate.1 \
		$(DESTDIR)$(PREFIX)/share/man/man1/tilawa-annotate.1
	@echo 'Installed $(DESTDIR)$(PREFIX)/bin/tilawa-annotate, its completions and its man page.'

uninstall:
	@rm -f $(DESTDIR)$(PREFIX)/bin/tilawa-annotate \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/tilawa-annotate \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tilawa-annotate \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tilawa-annotate.fish \
		$(DESTDIR)$(PREFIX)/share/man/man1/tilawa-annotate.1
	@echo 'Removed tilawa-annotate from $(DESTDIR)$(PREFIX).'

fixtures:
	@$(PYTHON) Fixtures/generate.py

walkthrough: build
	@Scripts/capture-walkthrough.sh $(BINARY)

pictures: build
	@$(PYTHON) Scripts/draw-screens.py --program $(BINARY) --output Benchmarks/out/screens $(RECORDINGS)

accuracy: $(if $(TILAWA_CORPUS),build)
	@$(PYTHON) Scripts/measure-accuracy.py --program $(BINARY)

bench: setup-bench build
	@Benchmarks/compare.sh $(BINARY)

lint:
	@$(SWIFT) format --version >/dev/null 2>&1 || { \
		echo "This toolchain has no 'swift format'; Swift 6.0 and newer bring it." >&2; exit 1; }
	@$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@$(PYTHON) Scripts/count-constants.py
	@echo 'lint: no problems found'

format:
	@$(SWIFT) format --in-place --parallel --recursive $(SWIFT_SOURCES)

clean:
	@rm -rf .build .build-*-sanitizer Benchmarks/.build Benchmarks/out
