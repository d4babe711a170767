// SPDX-License-Identifier: GPL-3.0-or-later
// Where finished games go. play hands them over, the store takes them; neither knows the other.
#pragma once

#include "engine/base/status.h"
#include "harness/record/game_record.h"

// One taker of finished games, as a function and what it needs.
typedef struct GameSink {
    // Takes ownership of `record` in every case, failure included. May block while the taker is
    // behind (so that memory stays bounded). A failure (disk full: STATUS_IO) is final: the run
    // should stop starting games. Thread: any, several at once.
    Status (*take)(void *ctx, GameRecord *record, ErrorText *err);
    void *ctx; // borrowed
} GameSink;

// Hands one game over. Thread: any, several at once.
static inline Status game_sink_take(const GameSink *sink, GameRecord *record, ErrorText *err) {
    return sink->take(sink->ctx, record, err);
}
