// SPDX-License-Identifier: GPL-3.0-or-later
// The second playing, and the comparison.
#include "harness/play/replay.h"

#include "harness/play/game.h"
#include "harness/play/seats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A database may have been edited, or its configuration: nothing in it is trusted to index arrays.
static Status check_fits(const Experiment *experiment, const GameRecord *stored, ErrorText *err) {
    int players = experiment->player_count;
    if (stored->black < 0 || stored->white < 0 || stored->black >= players ||
        stored->white >= players || stored->black == stored->white)
        return error_set(err, STATUS_INVALID, "slot %" PRId64 ": players %d and %d of %d",
                         stored->slot, stored->black, stored->white, players);
    if (stored->width != experiment->width || stored->height != experiment->height)
        return error_set(
            err, STATUS_INVALID, "slot %" PRId64 ": a game on %dx%d in an experiment on %dx%d",
            stored->slot, stored->width, stored->height, experiment->width, experiment->height);
    if (stored->opening_plies > stored->move_count)
        return error_set(err, STATUS_INVALID,
                         "slot %" PRId64 ": its moves were not kept (--no-move-log)", stored->slot);
    return STATUS_OK;
}

Status replay_game(const Experiment *experiment, const GameRecord *stored, GameRecord **out,
                   ErrorText *err) {
    Status status = check_fits(experiment, stored, err);
    Seat *black = NULL, *white = NULL;
    atomic_bool stop = false;
    Move opening[BOARD_MAX_CELLS];
    Referee *referee = malloc(sizeof *referee);
    if (!status && !referee)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory for a game");
    if (!status)
        status = referee_init(referee, experiment, err);
    if (!status)
        status = seat_open(experiment, stored->black, &black, err);
    if (!status)
        status = seat_open(experiment, stored->white, &white, err);
    if (!status) {
        for (int i = 0; i < stored->opening_plies; i++)
            // From the record rather than from the plan: imported games and runs whose file of
            // openings has changed since can be replayed as well.
            opening[i] = stored->moves[i].move;
        GameSetup setup = {.experiment = experiment,
                           .slot = {.slot = stored->slot,
                                    .pair = stored->pair,
                                    .opening = stored->opening,
                                    .black = stored->black,
                                    .white = stored->white,
                                    .seed = stored->seed},
                           .opening = opening,
                           .opening_count = stored->opening_plies,
                           .seats = {black, white},
                           .clock = clock_monotonic(),
                           .stop = &stop};
        status = game_play(&setup, referee, out, err);
    }
    seat_free(black);
    seat_free(white);
    free(referee);
    return status;
}

// --- comparing -----------------------------------------------------------------------------------

// `differences` counts all of them, `max_lines` limits what is printed; ply 0 stands for the game
// as a whole.
typedef struct Comparison {
    int ply, max_lines, differences;
    Text *out;
} Comparison;

static void differ(Comparison *comparison, const char *what, const char *stored,
                   const char *again) {
    if (comparison->differences++ >= comparison->max_lines)
        return;
    if (comparison->ply > 0)
        text_printf(comparison->out, "ply %d: ", comparison->ply);
    text_printf(comparison->out, "%s %s stored, %s now\n", what, stored, again);
}

static void compare_text(Comparison *comparison, const char *what, const char *stored,
                         const char *again) {
    if (strcmp(stored, again) != 0)
        differ(comparison, what, stored, again);
}

static void compare_count(Comparison *comparison, const char *what, uint64_t stored,
                          uint64_t again) {
    char left[24], right[24];
    if (stored == again)
        return;
    snprintf(left, sizeof left, "%" PRIu64, stored);
    snprintf(right, sizeof right, "%" PRIu64, again);
    differ(comparison, what, left, right);
}

static void compare_value(Comparison *comparison, double stored, double again) {
    Text left = {0}, right = {0};
    if (stored != again) { // infinities are equal to themselves
        text_append_double(&left, stored);
        text_append_double(&right, again);
        differ(comparison, "value", text_cstr(&left), text_cstr(&right));
    }
    text_release(&left);
    text_release(&right);
}

static void compare_costs(Comparison *comparison, const MoveRecord *stored,
                          const MoveRecord *again) {
    const SearchCost *a = &stored->cost, *b = &again->cost;
    // Whole numbers and doubles of a deterministic search must be equal to the bit; clocks never
    // are and are left out.
    unsigned known = stored->known & again->known;
    if (known & KNOWN_VALUE)
        compare_value(comparison, stored->value, again->value);
    if (known & KNOWN_DEPTH)
        compare_count(comparison, "depth", (uint64_t)a->depth, (uint64_t)b->depth);
    if (known & KNOWN_SELDEPTH)
        compare_count(comparison, "seldepth", (uint64_t)a->seldepth, (uint64_t)b->seldepth);
    if (known & KNOWN_NODES)
        compare_count(comparison, "nodes", a->nodes, b->nodes);
    if (known & KNOWN_COUNTERS) {
        compare_count(comparison, "interior", a->interior, b->interior);
        compare_count(comparison, "leaves", a->leaves, b->leaves);
        compare_count(comparison, "cutoffs", a->cutoffs, b->cutoffs);
        compare_count(comparison, "first_cutoffs", a->first_cutoffs, b->first_cutoffs);
        compare_count(comparison, "tt_probes", a->tt_probes, b->tt_probes);
        compare_count(comparison, "tt_hits", a->tt_hits, b->tt_hits);
    }
    if (known & KNOWN_PV && stored->pv && again->pv)
        compare_text(comparison, "pv", stored->pv, again->pv);
}

// "h8" of a cell on the board of the game.
static SquareText square_of(const Experiment *experiment, Move move) {
    SquareText square = {"-"};
    if (move >= 0)
        snprintf(square.text, sizeof square.text, "%c%d", 'a' + move % experiment->width,
                 // Boards have at most 22 rows; the mask shows the compiler that the text has room.
                 (experiment->height - move / experiment->width) & 31);
    return square;
}

int replay_compare(const Experiment *experiment, const GameRecord *stored, const GameRecord *again,
                   int max_lines, Text *out) {
    Comparison comparison = {.max_lines = max_lines, .out = out};
    bool same_game = true; // after the first other move everything differs: it is not compared
    for (int i = 0; i < stored->move_count && i < again->move_count && same_game; i++) {
        const MoveRecord *a = &stored->moves[i], *b = &again->moves[i];
        comparison.ply = i + 1;
        same_game = a->move == b->move;
        if (same_game)
            compare_costs(&comparison, a, b);
        else
            differ(&comparison, "move", square_of(experiment, a->move).text,
                   square_of(experiment, b->move).text);
    }
    comparison.ply = 0;
    compare_count(&comparison, "plies", (uint64_t)stored->move_count, (uint64_t)again->move_count);
    compare_text(&comparison, "result", (char[]){stored->result, '\0'},
                 (char[]){again->result, '\0'});
    compare_text(&comparison, "reason", game_reason_name(stored->reason),
                 game_reason_name(again->reason));
    return comparison.differences;
}
