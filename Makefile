# gomolab: build, test, lint. `make help` lists the targets.
# One build directory a mode, so that switching between release and sanitizers needs no clean.

MODE ?= release
BUILD := build/$(MODE)

STD := -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
WARNINGS := -pedantic -Wall -Wextra -Wshadow -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes \
            -Wwrite-strings -Wpointer-arith -Wformat=2 -Wconversion -Wno-sign-conversion
# No fused multiply-add: evaluations in doubles must be the same bits on every machine.
FLOATS := -ffp-contract=off
own_CFLAGS.release := -O3 -march=native -g
own_CFLAGS.debug := -O0 -g -DGOMOLAB_DEBUG
own_CFLAGS.asan := -O1 -g -DGOMOLAB_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
own_CFLAGS.tsan := -O1 -g -DGOMOLAB_DEBUG -fsanitize=thread -fno-omit-frame-pointer
own_LDFLAGS.asan := -fsanitize=address,undefined
own_LDFLAGS.tsan := -fsanitize=thread

own_CFLAGS := $(STD) $(WARNINGS) $(FLOATS) $(own_CFLAGS.$(MODE)) -pthread -I. $(WERROR)
own_LDFLAGS := -pthread $(own_LDFLAGS.$(MODE))
LIBS := -lyaml -lsqlite3 -ljansson -lgsl -lgslcblas -lm

SOURCES := $(sort $(wildcard engine/*.c engine/*/*.c harness/*/*.c))
MAIN := harness/cli/main.c
LIB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(MAIN),$(SOURCES)))
LIBRARY := $(BUILD)/libgomolab.a
PROGRAM := $(BUILD)/gomolab
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
STUBS := $(patsubst tests/stub/%.c,$(BUILD)/tests/stub/%,$(sort $(wildcard tests/stub/*.c)))

.PHONY: all programs tests
.DELETE_ON_ERROR:

all: programs ## build build/gomolab
	@mkdir -p build && if [ "$(MODE)" = release ]; then ln -sf release/gomolab build/gomolab; fi

programs: $(if $(wildcard $(MAIN)),$(PROGRAM),$(LIBRARY))

$(LIBRARY): $(LIB_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(PROGRAM): $(BUILD)/harness/cli/main.o $(LIBRARY)
	$(CC) $(own_CFLAGS) $(CFLAGS) -o $@ $^ $(own_LDFLAGS) $(LDFLAGS) $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(own_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

tests: $(UNIT_TESTS) $(STUBS)

$(BUILD)/tests/unit/%: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(dir $@)
	$(CC) $(own_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -o $@ $< $(LIBRARY) $(own_LDFLAGS) $(LDFLAGS) -lcmocka $(LIBS)

$(BUILD)/tests/stub/%: tests/stub/%.c
	@mkdir -p $(dir $@)
	$(CC) $(own_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -o $@ $< $(own_LDFLAGS) $(LDFLAGS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
