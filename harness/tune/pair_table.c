// SPDX-License-Identifier: GPL-3.0-or-later
// Two seats that are kept while their knobs stay the same, and the games of a pair.
#include "harness/tune/pair_table.h"

#include "engine/board/symmetry.h"
#include "harness/play/game.h"
#include "harness/play/seats.h"
#include "harness/tune/params.h"

#include <stdlib.h>
#include <string.h>

// What a random number is for.
// Without a salt the opening of a pair would tell something about the play of its games.
enum { SALT_OPENING = 0x4F50, SALT_SYMMETRY = 0x5359, SALT_GAME = 0x4741 };

struct PairTable {
    const TuneSpec *spec;
    const OpeningSet *openings;
    PoolControl *control;
    Experiment experiment; // its players are `players`; nothing else is owned
    PlayerSpec players[2]; // borrowed parts
    Seat *seats[2];        // owned
    bool has_values[2];
    double values[2][TUNE_MAX_KNOBS]; // that the seats were made with
    int64_t seating;
    Referee referee;
    Move moves[BOARD_MAX_CELLS];
};

Status pair_table_new(const TuneSpec *spec, const OpeningSet *openings, PoolControl *control,
                      PairTable **out, ErrorText *err) {
    PairTable *table = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a table");
    table->spec = spec;
    table->openings = openings;
    table->control = control;
    table->experiment = spec->match;
    table->experiment.players = table->players;
    table->experiment.player_count = 2;
    table->seating = -1;
    Status status = referee_init(&table->referee, &table->experiment, err);
    if (status)
        free(table);
    else
        *out = table;
    return status;
}

void pair_table_free(PairTable *table) {
    if (!table)
        return;
    seat_free(table->seats[0]);
    seat_free(table->seats[1]);
    free(table);
}

// Makes the player of a side, unless the one that sits there is the same.
static Status sit_down(PairTable *table, const PairRequest *request, int side, ErrorText *err) {
    const CrewSides *sides = request->sides;
    const double *values = side == 0 ? request->trial->plus : request->trial->minus;
    size_t size = (size_t)table->spec->knob_count * sizeof *values;
    // Making a player costs a tenth of a pair; the seating number changes when the players
    // themselves do.
    bool same = table->seats[side] && table->seating == request->seating &&
                (!sides->takes_values[side] || memcmp(values, table->values[side], size) == 0);
    if (same)
        return STATUS_OK;
    seat_free(table->seats[side]);
    table->seats[side] = NULL;
    table->players[side] = *sides->player[side];
    KnobSet *knobs = &table->players[side].knobs;
    if (sides->takes_values[side])
        params_apply(table->spec, values, knobs);
    memcpy(table->values[side], values, size);
    // After the values: depth may be among the knobs that are tuned.
    knobs->number[KNOB_SEARCH_DEPTH] += sides->depth_plus;
    return seat_open(&table->experiment, side, &table->seats[side], err);
}

static int place_opening(PairTable *table, const PairRequest *request, int64_t *index) {
    const CrewSides *sides = request->sides;
    uint64_t seed = request->trial->seed;
    Rng rng = rng_init(rng_mix(seed, SALT_OPENING));
    int64_t place = sides->in_order ? request->stage_pair % sides->opening_count
                                    : (int64_t)rng_below(&rng, (uint64_t)sides->opening_count);
    int width = table->openings->width, height = table->openings->height, count;
    rng = rng_init(rng_mix(seed, SALT_SYMMETRY));
    // One of the board's symmetries, both games the same: more different games from one book.
    int symmetry = (int)rng_below(&rng, (uint64_t)symmetry_count(width, height));
    *index = sides->openings[place];
    const Move *stones = opening_set_get(table->openings, *index, &count);
    for (int i = 0; i < count; i++)
        table->moves[i] = symmetry_apply(width, height, symmetry, stones[i]);
    return count;
}

static Status play_game(PairTable *table, const PairRequest *request, int game, int opening_count,
                        TuneResult *out, ErrorText *err) {
    GameRecord *record = NULL;
    // The plus side is black first; with an opening of odd length it is white who moves first.
    int plus_colour = game == 0 ? BLACK : WHITE;
    GameSetup setup = {.experiment = &table->experiment,
                       .opening = table->moves,
                       .opening_count = opening_count,
                       .clock = clock_monotonic(),
                       .stop = &table->control->drop};
    setup.slot =
        (PlanSlot){.slot = 2 * request->stage_pair + game,
                   .pair = request->stage_pair,
                   .black = plus_colour == BLACK ? 0 : 1,
                   .white = plus_colour == BLACK ? 1 : 0,
                   .seed = rng_mix(rng_mix(request->trial->seed, SALT_GAME), (uint64_t)game)};
    setup.seats[plus_colour] = table->seats[0];
    setup.seats[colour_other((Colour)plus_colour)] = table->seats[1];
    Status status = game_play(&setup, &table->referee, &record, err);
    if (status)
        return status;
    char won = plus_colour == BLACK ? 'B' : 'W';
    out->half_points[game] = record->result == 'D' ? 1 : record->result == won ? 2 : 0;
    game_record_free(record);
    return STATUS_OK;
}

// Both seats before the opening: a player that cannot be made ends the run before a game has begun.
Status pair_table_play(PairTable *table, const PairRequest *request, TuneResult *out,
                       ErrorText *err) {
    int64_t index;
    Status status = sit_down(table, request, 0, err);
    if (!status)
        status = sit_down(table, request, 1, err);
    table->seating = request->seating;
    int count = status ? 0 : place_opening(table, request, &index);
    for (int game = 0; game < 2 && !status; game++)
        status = play_game(table, request, game, count, out, err);
    return status;
}
