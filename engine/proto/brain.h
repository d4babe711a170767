// SPDX-License-Identifier: GPL-3.0-or-later
// Being a Gomocup engine: lines of a manager in, lines of ours out, an Engine (engine.h) in
// between.
//
// A Brain is a state machine without I/O and threads: whoever runs it (harness/play/brain_stdio.h)
// feeds whole lines and gets whole answers, one write an answer. Known: START, RECTSTART, RESTART,
// BEGIN, TURN, PLAY, BOARD, TAKEBACK, INFO, ABOUT, END, and of Yixin's extensions YXBOARD, YXSTOP
// (and STOP), INFO max_depth and max_node. `INFO seed N` is an extension of ours: a player with
// randomness then answers as it would in-process under that seed. Anything else is answered with
// UNKNOWN, a command that cannot be obeyed with ERROR and no change.
//
// BOARD takes stones in any order and number; the side of field 1 is to move.
#pragma once

#include "engine/base/clock.h"
#include "engine/engine.h"

typedef struct Brain Brain; // opaque; owns an engine once START was given

// What a brain is for its life, and who hears it.
typedef struct BrainSetup {
    const KnobSet *knobs; // the player; copied
    const char *name;     // for ABOUT; borrowed for the life of the brain, as is `version`
    const char *version;
    Clock clock;
    int64_t margin_ms; // kept back from every time limit; -1 = 30 ms, a twentieth of it and twice
                       // what searches were late by of late, at most half (brain_time.h)

    atomic_bool
        *stop; // borrowed, may be NULL: set by whoever reads ahead to end the search in progress
    void (*write)(void *ctx, const char *bytes,
                  size_t count); // one or more whole lines, to be flushed
    void *ctx;                   // borrowed
} BrainSetup;

// Makes a brain without a board. STATUS_NO_MEMORY. Freed by brain_free. Thread: owner.
Status brain_new(const BrainSetup *setup, Brain **out, ErrorText *err) MUST_CHECK;
// Frees the brain and its engine; NULL is fine. Thread: owner.
void brain_free(Brain *brain);

// Obeys one line (without its end; any bytes). Thinks inside the call when a move is due; time
// counts from `received_ns` on the brain's clock. False after END. Thread: owner.
bool brain_line(Brain *brain, const char *line, size_t length, int64_t received_ns);
