// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the store share: a folder of their own, an experiment, and games that depend on
// their slot only.
#pragma once

#include "engine/base/rng.h"
#include "harness/store/store_merge.h"
#include "harness/store/store_read.h"
#include "harness/store/store_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        Status ok_status = (call);                                                                 \
        if (ok_status)                                                                             \
            fail_msg("%s: %s: %s", #call, status_name(ok_status), err.text);                       \
    } while (0)

#define REFUSED(call, status, words)                                                               \
    do {                                                                                           \
        assert_string_equal(status_name(call), status_name(status));                               \
        if (!strstr(err.text, words))                                                              \
            fail_msg("'%s' says nothing of '%s'", err.text, words);                                \
    } while (0)

static char fixture_folder[256];

static inline int fixture_setup(void **state) {
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(fixture_folder, sizeof fixture_folder, "%s/gomolab-store-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(fixture_folder) ? 0 : -1;
}

static inline int fixture_teardown(void **state) {
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture_folder);
    return system(command);
}

// A path in the test's own folder; four may be in use at once.
static inline const char *fixture_path(const char *name) {
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", fixture_folder, name);
    return path[next];
}

enum { FIXTURE_PLAYERS = 3, FIXTURE_PLIES = 9 };

static inline Experiment *fixture_experiment(void) {
    static const char *const NAMES[FIXTURE_PLAYERS] = {"d2", "d4", "d6"};
    static PlayerSpec players[FIXTURE_PLAYERS];
    static Experiment experiment;
    for (int i = 0; i < FIXTURE_PLAYERS; i++)
        players[i] = (PlayerSpec){.name = (char *)NAMES[i], .knobs = knob_defaults()};
    experiment = (Experiment){.name = (char *)"fixture",
                              .text = (char *)"name: fixture\n",
                              .width = 15,
                              .height = 15,
                              .k = 5,
                              .pairs = 50,
                              .seed = 0xfedcba9876543210u,
                              .players = players,
                              .player_count = FIXTURE_PLAYERS};
    return &experiment;
}

static inline StoreRun fixture_run(const char *path) {
    return (StoreRun){.path = path,
                      .experiment = fixture_experiment(),
                      .version = "1.0",
                      .jobs = 2,
                      .planned_games = 300};
}

static inline Store *fixture_open(const char *path) {
    ErrorText err = {""};
    StoreRun run = fixture_run(path);
    StoreResume resume;
    Store *store = NULL;
    OK(store_open_run(&run, &store, &resume, &err));
    store_resume_release(&resume);
    return store;
}

// The game of a slot, always the same; moves lie on a diagonal walk over the board.
static inline GameRecord *fixture_game(int64_t slot) {
    static const char RESULTS[] = "BWDBWBWW";
    GameRecord *game = game_record_new();
    int a = (int)(slot / 2 % FIXTURE_PLAYERS), b = (a + 1) % FIXTURE_PLAYERS;
    Rng rng = rng_init(rng_mix(17, (uint64_t)slot));
    game->slot = slot;
    game->pair = slot / 2;
    game->opening = slot / 2 / FIXTURE_PLAYERS;
    game->black = slot % 2 ? b : a;
    game->white = slot % 2 ? a : b;
    game->width = game->height = 15;
    game->opening_plies = (int)(game->opening % 4);
    game->result = RESULTS[rng_below(&rng, sizeof RESULTS - 1)];
    game->reason = game->result == 'D'  ? REASON_BOARD_FULL
                   : rng_below(&rng, 9) ? REASON_FIVE
                                        : REASON_TIMEOUT;
    game->seed = rng_next(&rng);
    game->wall_us = (int64_t)rng_below(&rng, 1000000);
    if (game->reason == REASON_TIMEOUT)
        game->note = strdup("late by 12 ms");
    if (game->reason == REASON_TIMEOUT) // by a program
        game->watch[game->result == 'B' ? WHITE : BLACK] = (SeatWatch){true, slot % 3, 900, 30};
    int plies = FIXTURE_PLIES + (int)rng_below(&rng, 40);
    for (int ply = 1; ply <= plies; ply++) {
        MoveRecord move = {.move = (Move)((ply * 16 + (int)slot) % 225)};
        if (ply > game->opening_plies) {
            move.known = KNOWN_ALL;
            move.value = (double)rng_below(&rng, 2000) / 8 - 100;
            move.cost = (SearchCost){.nodes = 20 + rng_below(&rng, 500),
                                     .interior = 10,
                                     .leaves = 15,
                                     .cutoffs = 8,
                                     .first_cutoffs = 5,
                                     .branches = 70,
                                     .tt_probes = 4,
                                     .tt_hits = 1,
                                     .time_us = (int64_t)rng_below(&rng, 300),
                                     .depth = 2 * game->black + 2,
                                     .seldepth = 7};
        }
        if (!game_record_add(game, &move, move.known ? "h8 i9" : NULL))
            fail_msg("out of memory");
    }
    return game;
}

static inline void assert_same_game(const GameRecord *got, const GameRecord *want) {
    assert_int_equal(got->slot, want->slot);
    assert_int_equal(got->pair, want->pair);
    assert_int_equal(got->opening, want->opening);
    assert_int_equal(got->black, want->black);
    assert_int_equal(got->white, want->white);
    assert_int_equal(got->width, want->width);
    assert_int_equal(got->height, want->height);
    assert_int_equal(got->opening_plies, want->opening_plies);
    assert_int_equal(got->result, want->result);
    assert_int_equal(got->reason, want->reason);
    assert_true(got->seed == want->seed);
    assert_int_equal(got->wall_us, want->wall_us);
    for (int colour = BLACK; colour <= WHITE; colour++) {
        assert_int_equal(got->watch[colour].is_watched, want->watch[colour].is_watched);
        assert_int_equal(got->watch[colour].dropped_lines, want->watch[colour].dropped_lines);
        assert_int_equal(got->watch[colour].idle_us, want->watch[colour].idle_us);
        assert_int_equal(got->watch[colour].idle_cpu_us, want->watch[colour].idle_cpu_us);
    }
    assert_string_equal(got->note ? got->note : "", want->note ? want->note : "");
    assert_int_equal(got->move_count, want->move_count);
    for (int i = 0; i < got->move_count; i++) {
        const MoveRecord *g = &got->moves[i], *w = &want->moves[i];
        assert_int_equal(g->move, w->move);
        assert_int_equal(g->known, w->known);
        assert_true(g->value == w->value);
        assert_memory_equal(&g->cost, &w->cost, sizeof g->cost);
        assert_string_equal(g->pv ? g->pv : "", w->pv ? w->pv : "");
    }
}

// Writes the games first, first + step, ... below end.
static inline void fixture_write(Store *store, int64_t first, int64_t end, int64_t step) {
    ErrorText err = {""};
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    for (int64_t slot = first; slot < end; slot += step)
        OK(game_sink_take(&sink, fixture_game(slot), &err));
    OK(store_writer_stop(writer, NULL, &err));
}

// How many games are in a database, all of which must be as they were written.
static inline int64_t fixture_check_games(const char *path) {
    ErrorText err = {""};
    Store *store = NULL;
    StoreCursor *cursor = NULL;
    bool found;
    int64_t games = 0;
    OK(store_open(path, &store, &err));
    OK(store_games_open(store, 0, &cursor, &err));
    for (;;) {
        GameRecord *got = NULL;
        OK(store_games_next_full(cursor, &got, &found, &err));
        if (!found)
            break;
        GameRecord *want = fixture_game(got->slot);
        assert_same_game(got, want);
        game_record_free(want);
        game_record_free(got);
        games++;
    }
    store_cursor_close(cursor);
    store_close(store);
    return games;
}

// A database of the games that `make` gives for the slots from 0 on, written and still open.
static inline Store *fixture_store_of(const char *path, int64_t games,
                                      GameRecord *(*make)(int64_t slot)) {
    ErrorText err = {""};
    Store *store = fixture_open(path);
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    for (int64_t slot = 0; slot < games; slot++)
        OK(game_sink_take(&sink, make(slot), &err));
    OK(store_writer_stop(writer, NULL, &err));
    return store;
}
