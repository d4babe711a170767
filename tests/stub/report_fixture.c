// SPDX-License-Identifier: GPL-3.0-or-later
// Makes databases with known contents for tests of reports, pictures and replays, through the store
// like any run.
//
//   usage: report_fixture KIND OUT.db [PLAYERS [OPENINGS]]
//
// KIND: ladder (depths 2, 4, 6, ...; each game decided by player and colour alone), names (the same
// with names that need care), perfect (the later player wins every game), one-pair, failures,
// silent (no moves stored), empty (no games).
#include "engine/base/rng.h"
#include "harness/store/store_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYERS_MAX = 12, WIDTH = 15 };

typedef struct Fixture {
    const char *kind;
    int players, openings;
    PlayerSpec player[PLAYERS_MAX];
    char name[PLAYERS_MAX][32];
} Fixture;

static const char *const HARD_NAMES[PLAYERS_MAX] = {
    "my_engine_v2",
    "alpha^2 {tt}",
    "100 %",
    "it's \"quoted\"",
    "五子棋引擎",
    "a|b,c",
    "threats-with-a-very-long-name-that-goes-on-and-on",
    "d7\\n",
    "@home",
    "`backtick`",
    "$HOME",
    "#9"};

static bool is_kind(const Fixture *fixture, const char *kind) {
    return strcmp(fixture->kind, kind) == 0;
}

static void players_make(Fixture *fixture) {
    for (int i = 0; i < fixture->players; i++) {
        snprintf(fixture->name[i], sizeof fixture->name[i], "d%d", 2 * i + 2);
        fixture->player[i] = (PlayerSpec){.name = fixture->name[i], .knobs = knob_defaults()};
        fixture->player[i].knobs.number[KNOB_SEARCH_DEPTH] = 2 * i + 2;
        if (is_kind(fixture, "names"))
            fixture->player[i].name = (char *)HARD_NAMES[i];
    }
}

// 'B', 'W' or 'D' of a game. Ladder: the deeper player wins as black always, as white in every
// other opening; every tenth opening is drawn both times.
static char result_of(const Fixture *fixture, int64_t opening, int black, int white) {
    if (is_kind(fixture, "perfect"))
        return black > white ? 'B' : 'W';
    if (is_kind(fixture, "one-pair"))
        return 'B';
    if (opening % 10 == 9)
        return 'D';
    return black > white || opening % 2 == 0 ? 'B' : 'W';
}

// Stones: the winner makes five in a row from h8 to the right, or from d5; the loser plays along
// the top.
static Move stone_at(int ply, bool black_wins) {
    int turn = (ply - 1) / 2;
    bool is_black = ply % 2 == 1;
    return (Move)(is_black == black_wins ? 7 * WIDTH + 7 + turn : 2 * WIDTH + 2 * turn);
}

static bool moves_add(GameRecord *game, Rng *rng) {
    int plies = game->result == 'W' ? 10 : game->result == 'D' ? 12 : 9;
    for (int ply = 1; ply <= plies; ply++) {
        MoveRecord move = {.move = stone_at(ply, game->result != 'W')};
        if (game->result == 'D')
            move.move = (Move)((ply * 17) % (WIDTH * WIDTH));
        if (ply > game->opening_plies) {
            int depth = 2 * (ply % 2 ? game->black : game->white) + 2;
            uint64_t nodes = (UINT64_C(20) << depth) + rng_below(rng, UINT64_C(20) << depth);
            move.known = KNOWN_ALL;
            move.value = ply % 2 ? ply * 12.5 : ply * -12.5;
            move.cost = (SearchCost){.nodes = nodes,
                                     .interior = nodes / 4,
                                     .leaves = nodes - nodes / 4,
                                     .cutoffs = nodes / 5,
                                     .first_cutoffs = nodes / 10,
                                     .branches = nodes / 4 * 7,
                                     .time_us = (int64_t)nodes / 2,
                                     .depth = depth,
                                     .seldepth = depth};
        }
        if (!game_record_add(game, &move, move.known ? "h8 i9 j10 g7" : NULL))
            return false;
    }
    return true;
}

static GameRecord *game_make(const Fixture *fixture, int64_t slot, int64_t opening, int black,
                             int white) {
    GameRecord *game = game_record_new();
    if (!game)
        return NULL;
    Rng rng = rng_init(rng_mix(5, (uint64_t)slot));
    game->slot = slot;
    game->pair = slot / 2;
    game->opening = opening;
    game->black = black;
    game->white = white;
    game->width = game->height = WIDTH;
    game->opening_plies = (int)(opening % 3);
    game->result = result_of(fixture, opening, black, white);
    game->reason = game->result == 'D' ? REASON_ADJUDICATED : REASON_FIVE;
    if (is_kind(fixture, "failures") && game->result == 'B') {
        game->reason = opening % 3 == 0   ? REASON_TIMEOUT
                       : opening % 3 == 1 ? REASON_CRASH
                                          : REASON_ILLEGAL;
        game->note = strdup("late by 12 ms");
    }
    game->wall_us = 1000;
    if (!moves_add(game, &rng)) {
        game_record_free(game);
        return NULL;
    }
    return game;
}

static Status games_write(const Fixture *fixture, GameSink sink, ErrorText *err) {
    int64_t slot = 0;
    for (int64_t opening = 0; opening < fixture->openings; opening++)
        for (int a = 0; a < fixture->players; a++)
            for (int b = a + 1; b < fixture->players; b++)
                for (int swap = 0; swap < 2; swap++) {
                    GameRecord *game =
                        game_make(fixture, slot++, opening, swap ? b : a, swap ? a : b);
                    Status status = game ? game_sink_take(&sink, game, err)
                                         : error_set(err, STATUS_NO_MEMORY, "out of memory");
                    if (status)
                        return status;
                }
    return STATUS_OK;
}

static Status database_write(const Fixture *fixture, const Experiment *experiment, const char *path,
                             ErrorText *err) {
    StoreRun run = {
        .path = path, .experiment = experiment, .version = "1.0", .jobs = 1, .planned_games = 1000};
    StoreWriterOptions options = {.skip_moves = is_kind(fixture, "silent")};
    StoreResume resume = {0};
    Store *store = NULL;
    StoreWriter *writer = NULL;
    Status status = store_open_run(&run, &store, &resume, err);
    if (status)
        return status;
    store_resume_release(&resume);
    status = store_writer_start(store, &options, &writer, err);
    if (status == STATUS_OK) {
        status = games_write(fixture, store_writer_sink(writer), err);
        Status stopped = store_writer_stop(writer, NULL, err);
        status = status ? status : stopped;
    }
    if (status == STATUS_OK)
        status = store_finish_run(store, true, err);
    store_close(store);
    return status;
}

int main(int argc, char **argv) {
    Fixture fixture = {.kind = argc > 1 ? argv[1] : "", .players = 3, .openings = 20};
    int64_t number;
    if (argc > 3 && text_parse_int(argv[3], 1, PLAYERS_MAX, &number))
        fixture.players = (int)number;
    if (argc > 4 && text_parse_int(argv[4], 0, 100000, &number))
        fixture.openings = (int)number;
    if (is_kind(&fixture, "one-pair"))
        fixture.players = 2, fixture.openings = 1;
    if (is_kind(&fixture, "empty"))
        fixture.openings = 0;
    if (argc < 3) {
        fputs("usage: report_fixture KIND OUT.db [PLAYERS [OPENINGS]]\n", stderr);
        return 2;
    }
    players_make(&fixture);
    Experiment experiment = {.name = (char *)"depth-ladder",
                             .text = (char *)"name: depth-ladder\n",
                             .width = WIDTH,
                             .height = WIDTH,
                             .k = 5,
                             .pairs = 50,
                             .seed = 1,
                             .players = fixture.player,
                             .player_count = fixture.players};
    if (is_kind(&fixture, "sprt"))
        experiment.sprt = (SprtSpec){.enabled = true,
                                     .elo0 = 0,
                                     .elo1 = 10,
                                     .alpha = 0.05,
                                     .beta = 0.05,
                                     .normalized = true};
    ErrorText err = {""};
    Status status = database_write(&fixture, &experiment, argv[2], &err);
    if (status)
        fprintf(stderr, "%s\n", err.text);
    return status ? 1 : 0;
}
