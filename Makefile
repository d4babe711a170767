# SPDX-License-Identifier: GPL-3.0-or-later
# gomolab: build, test, lint. `make help` lists the targets.
# One build directory a mode, so that switching between release and sanitizers needs no clean.

MAKEFLAGS += --no-print-directory

MODE ?= release
BUILD := build/$(MODE)
PREFIX ?= /usr/local

STD := -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
WARNINGS := -pedantic -Wall -Wextra -Wshadow -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes \
            -Wwrite-strings -Wpointer-arith -Wformat=2 -Wconversion -Wno-sign-conversion
# No fused multiply-add: evaluations in doubles must be the same bits on every machine.
FLOATS := -ffp-contract=off
sanitize.asan := -fsanitize=address,undefined -fno-sanitize-recover=all
sanitize.tsan := -fsanitize=thread
sanitize.fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
own_CFLAGS.release := -O3 -march=native -g
own_CFLAGS.debug := -O0 -g -DGOMOLAB_DEBUG
own_CFLAGS.asan := -O1 -g -DGOMOLAB_DEBUG $(sanitize.asan) -fno-omit-frame-pointer
own_CFLAGS.tsan := -O1 -g -DGOMOLAB_DEBUG $(sanitize.tsan) -fno-omit-frame-pointer
own_CFLAGS.fuzz := -O1 -g -DGOMOLAB_DEBUG $(sanitize.fuzz) -fno-omit-frame-pointer
# Warnings are errors wherever only developers build; `make check` and CI say so for release, too.
WERROR.asan := -Werror
WERROR.tsan := -Werror
WERROR.fuzz := -Werror
WERROR ?= $(WERROR.$(MODE))
# libFuzzer comes with clang only.
ifeq ($(MODE),fuzz)
CC := clang
endif

own_CFLAGS := $(STD) $(WARNINGS) $(FLOATS) $(own_CFLAGS.$(MODE)) -pthread -I. $(WERROR)
own_LDFLAGS := -pthread $(sanitize.$(MODE))
# gcc's shared libubsan writes its reports to standard error whatever log_path says; the static one does not.
ifeq ($(findstring clang,$(CC)),)
own_LDFLAGS += $(if $(filter asan,$(MODE)),-static-libubsan)
endif
LIBS := -lyaml -lsqlite3 -ljansson -lgsl -lgslcblas -lm
COMPILE = $(CC) $(own_CFLAGS) $(object_CFLAGS) $(CPPFLAGS) $(CFLAGS)

SOURCES := $(sort $(wildcard engine/*.c engine/*/*.c harness/*/*.c))
MAIN := harness/cli/main.c
LIB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(MAIN),$(SOURCES)))
LIBRARY := $(BUILD)/libgomolab.a
PROGRAM := $(BUILD)/gomolab
test_programs = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard $(1))))
UNIT_TESTS := $(call test_programs,tests/unit/test_*.c)
LONG_TESTS := $(call test_programs,tests/long/test_*.c)
STUBS := $(call test_programs,tests/stub/*.c)
FUZZERS := $(call test_programs,tests/fuzz/fuzz_*.c)
C_FILES := $(sort $(wildcard engine/*.[ch] engine/*/*.[ch] harness/*/*.[ch] tests/*/*.[ch]))

# One short line a step; V=1 shows the commands.
ifndef V
say_cc = @echo "  CC    $@";
say_link = @echo "  LINK  $@";
say_scan = @echo "  SCAN  $<";
endif

.DELETE_ON_ERROR:
.SECONDARY: # objects of tests are kept, so that a second `make tests` has nothing to do

.PHONY: all programs
all: programs ## build build/gomolab (MODE=release|debug|asan|tsan, CC=gcc|clang)
	@if [ "$(MODE)" = release ] && [ -e $(PROGRAM) ]; then ln -sf release/gomolab build/gomolab; fi

programs: $(if $(wildcard $(MAIN)),$(PROGRAM),$(LIBRARY))

# Everything is compiled again when the compiler or a flag changes: this file holds the command line, and is only written
# when that is another one.
FLAGS_FILE := $(BUILD)/flags
$(FLAGS_FILE): FORCE
	@mkdir -p $(dir $@)
	@echo '$(subst ','\'',$(COMPILE))' | cmp -s - $@ || echo '$(subst ','\'',$(COMPILE))' > $@
.PHONY: FORCE

$(LIBRARY): $(LIB_OBJECTS)
	@rm -f $@
	$(say_link) ar rcs $@ $^

$(PROGRAM): $(BUILD)/harness/cli/main.o $(LIBRARY)
	$(say_link) $(COMPILE) -o $@ $^ $(own_LDFLAGS) $(LDFLAGS) $(LIBS)

$(BUILD)/%.o: %.c $(FLAGS_FILE)
	@mkdir -p $(dir $@)
	$(say_cc) $(COMPILE) -MMD -MP -c -o $@ $<

# The commit goes into one object, which is compiled again when it changes.
COMMIT_FILE := $(BUILD)/commit
$(COMMIT_FILE): FORCE
	@mkdir -p $(dir $@)
	@commit=$$(test ! -e .git || git describe --always --dirty 2>/dev/null); \
	 echo "$$commit" | cmp -s - $@ || echo "$$commit" > $@
$(BUILD)/engine/base/version.o: $(COMMIT_FILE)
$(BUILD)/engine/base/version.o: private object_CFLAGS = $(shell sed 's/..*/-DGOMOLAB_COMMIT=\\"&\\"/' $(COMMIT_FILE))

.PHONY: tests
tests: $(UNIT_TESTS) $(STUBS)

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(LIBRARY)
	$(say_link) $(COMPILE) -o $@ $< $(LIBRARY) $(own_LDFLAGS) $(LDFLAGS) -lcmocka $(LIBS)

$(BUILD)/tests/long/%: $(BUILD)/tests/long/%.o $(LIBRARY)
	$(say_link) $(COMPILE) -o $@ $< $(LIBRARY) $(own_LDFLAGS) $(LDFLAGS) -lcmocka $(LIBS)

$(BUILD)/tests/stub/%: $(BUILD)/tests/stub/%.o $(LIBRARY)
	$(say_link) $(COMPILE) -o $@ $< $(LIBRARY) $(own_LDFLAGS) $(LDFLAGS) $(LIBS)

$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(LIBRARY)
	$(say_link) $(COMPILE) -fsanitize=fuzzer -o $@ $< $(LIBRARY) $(own_LDFLAGS) $(LDFLAGS) $(LIBS)

# Tests. JOBS is how many test files run at once.
JOBS ?= 2
RUN_TESTS = sh scripts/run-tests.sh --mode $(MODE) --jobs $(JOBS)

.PHONY: test test-long asan tsan fuzz fuzz-programs
test: all tests ## run every unit and command test; ends with "N passed, N failed"
	@$(RUN_TESTS)

test-long: all tests $(LONG_TESTS) ## the same and the slow tests of tests/long
	@$(RUN_TESTS) --long

asan: ## unit and command tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) MODE=asan test

tsan: ## unit and command tests under ThreadSanitizer
	@$(MAKE) MODE=tsan test

fuzz-programs: $(FUZZERS)

FUZZ_SECONDS ?= 5
fuzz: ## run every fuzz target for FUZZ_SECONDS (5) each, from its seeds in tests/fuzz/corpus
	@$(MAKE) MODE=fuzz fuzz-programs
	@sh scripts/run-fuzz.sh --seconds $(FUZZ_SECONDS) $(subst $(BUILD),build/fuzz,$(FUZZERS))

# The gates.
.PHONY: format lint analyze check
format: ## lay out every C file as .clang-format says
	clang-format -i $(C_FILES)

lint: ## layers, include cycles, banned names, contracts, function lengths, layout
	@python3 scripts/lint.py

# One stamp a source file: the analyser runs in parallel, and only on what changed.
ANALYZED := $(patsubst %.c,build/analyze/%.ok,$(SOURCES))
# Shallow follows no call deeper than it must; ANALYZER_MODE=deep takes ten times as long and, without knowing other
# files, mostly doubts what their contracts promise: to be read by hand now and then.
ANALYZER_MODE ?= shallow
ANALYZE := clang --analyze --analyzer-output text -Xclang -analyzer-werror -Xclang -analyzer-config \
           -Xclang mode=$(ANALYZER_MODE) $(STD) $(WARNINGS) -Werror -I. -DGOMOLAB_DEBUG -D_GNU_SOURCE=
build/analyze/%.ok: %.c
	@mkdir -p $(dir $@)
	$(say_scan) $(ANALYZE) $(if $(filter engine/base/status.c,$<),,-include scripts/analyzer_model.h) -MMD -MP -MF $(@:.ok=.d) -MT $@ $<
	@touch $@

analyze: $(ANALYZED) ## clang's static analyser (what scan-build runs) over every source file

# `check` does not repeat the release tests, which CI has just run with `make test`; it builds them as errors only.
check: ## lint, warnings as errors, analyser, sanitizer runs, a little fuzzing
	@$(MAKE) lint
	@$(MAKE) WERROR=-Werror all tests
	@$(MAKE) analyze
	@$(MAKE) asan
	@$(MAKE) tsan
	@$(MAKE) fuzz

.PHONY: study-gomocup
study-gomocup: all ## rate Gomocup's results (418 984 games) and compare with its published ratings
	@sh scripts/study-gomocup.sh

.PHONY: study-synthetic study-healing bench-tune
study-synthetic: all ## judge the tuner on surfaces whose truth is known (about a minute)
	@sh scripts/study-synthetic.sh

study-healing: all ## tune damaged weights, MINUTES (5) a tune; goes on where it was stopped (about 2 hours)
	@bash scripts/study-healing.sh --minutes $(or $(MINUTES),5)

bench-tune: all ## games/s of the tuner against those of a plain match
	@bash scripts/measure-tune.sh

.PHONY: bench bench-external demo install clean help
bench: all ## speed of the search on fixed positions, and the signature of its nodes
	@$(PROGRAM) bench

bench-external: all tests ## what a move of an external program costs, against the floor of a pipe
	@sh scripts/bench-external.sh

demo: all ## play a short depth ladder, print the report, draw the plots (about 3 minutes)
	@sh scripts/demo.sh --no-install

install: all ## copy the program to $(DESTDIR)$(PREFIX)/bin
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/gomolab

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

-include $(shell find $(BUILD) build/analyze -name '*.d' 2>/dev/null)
