// SPDX-License-Identifier: GPL-3.0-or-later
// The searches against plain minimax: same value and same move under every ordering, table,
// deepening and root window; and the properties every search has: the position is untouched, limits
// are kept, wins are found and preferred early.
// sanitizers: asan
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "engine/search/search.h"
#include "engine/search/selective.h"
#include "engine/search/value.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static Engine *make_engine(const char *const (*knobs)[2], int count, int side, int k, Rule rule) {
    KnobSet set = knob_defaults();
    ErrorText err = {{0}};
    for (int i = 0; i < count; i++)
        if (knob_set_text(&set, knobs[i][0], knobs[i][1], &err))
            fail_msg("%s", err.text);
    EngineSetup setup = {&set, side, side, k, rule, clock_monotonic()};
    Engine *engine = NULL;
    if (engine_new(&setup, &engine, &err))
        fail_msg("%s", err.text);
    return engine;
}

static ThinkReport think(Engine *engine, const Board *position, int depth) {
    ErrorText err = {{0}};
    ThinkReport report;
    ThinkLimits limits = {.depth = depth};
    engine_clear(engine, 1);
    assert_int_equal(engine_set_position(engine, position, &err), STATUS_OK);
    uint64_t key = engine_board(engine)->key;
    double before = engine_static_value(engine);
    engine_think(engine, &limits, &report);
    assert_int_equal(engine_board(engine)->key, key);
    assert_int_equal(engine_board(engine)->stone_count, position->stone_count);
    assert_true(engine_static_value(engine) == before);
    return report;
}

// Candidates under test: what is set on top of the reference's knobs.
static const struct {
    const char *name;
    const char *knobs[6][2];
} VARIANTS[] = {
    {"alphabeta by score", {{"search.order", "[score]"}}},
    {"alphabeta in board order", {{"search.order", "[]"}}},
    {"alphabeta by own score", {{"search.order", "[score:own]"}}},
    {"alphabeta by centre", {{"search.order", "[center]"}}},
    {"alphabeta by distance", {{"search.order", "[distance, score]"}}},
    {"alphabeta by history", {{"search.order", "[history]"}}},
    {"alphabeta by decayed history",
     {{"search.order", "[history+center]"}, {"history.bonus", "halving:100"}}},
    {"alphabeta by killers", {{"search.order", "[killer, score, history]"}}},
    {"alphabeta with a table", {{"search.tt_mb", "1"}}},
    {"alphabeta deepening",
     {{"search.deepening", "yes"}, {"search.tt_mb", "1"}, {"search.order", "[killer, history]"}}},
    {"pvs", {{"search.algorithm", "pvs"}}},
    {"pvs, everything",
     {{"search.algorithm", "pvs"},
      {"search.tt_mb", "1"},
      {"search.deepening", "yes"},
      {"search.order", "[killer, score, history]"}}},
    {"full root windows", {{"search.root", "full"}}},
};

static Engine *make_variant(size_t v, const char *const (*base)[2], int base_count, int side, int k,
                            Rule rule) {
    const char *knobs[16][2];
    int count = 0;
    for (int i = 0; i < base_count; i++, count++) {
        knobs[count][0] = base[i][0];
        knobs[count][1] = base[i][1];
    }
    for (int i = 0; i < 6 && VARIANTS[v].knobs[i][0]; i++, count++) {
        knobs[count][0] = VARIANTS[v].knobs[i][0];
        knobs[count][1] = VARIANTS[v].knobs[i][1];
    }
    return make_engine((const char *const(*)[2])knobs, count, side, k, rule);
}

typedef struct World {
    int side, k, radius, depth, positions, stones;
    const char *model;
} World;

static void compare_world(const World *world, Rule rule, uint64_t seed) {
    char radius[8];
    snprintf(radius, sizeof radius, "%d", world->radius);
    const char *const base[][2] = {{"eval.model", world->model},
                                   {"moves.radius", radius},
                                   {"moves.limit", "9"},
                                   {"eval.defense", "1.2"}};
    Engine *reference = make_engine((const char *const[][2]){{"eval.model", world->model},
                                                             {"moves.radius", radius},
                                                             {"moves.limit", "9"},
                                                             {"eval.defense", "1.2"},
                                                             {"search.algorithm", "minimax"}},
                                    5, world->side, world->k, rule);
    Engine *variant[ARRAY_LEN(VARIANTS)];
    for (size_t v = 0; v < ARRAY_LEN(VARIANTS); v++)
        variant[v] = make_variant(v, base, 4, world->side, world->k, rule);
    Rng rng = rng_init(seed);
    static Board position;
    for (int i = 0; i < world->positions; i++) {
        fresh_board(&position, world->side, world->side, world->k, rule, world->radius);
        random_stones(&position, &rng, 1 + (int)rng_below(&rng, (uint64_t)world->stones));
        for (int depth = 1; depth <= world->depth; depth++) {
            ThinkReport expected = think(reference, &position, depth);
            for (size_t v = 0; v < ARRAY_LEN(VARIANTS); v++) {
                ThinkReport found = think(variant[v], &position, depth);
                if (found.value != expected.value || found.move != expected.move)
                    fail_msg("%s, %dx%d, position %d, depth %d: %g %s, minimax %g %s",
                             VARIANTS[v].name, world->side, world->side, i, depth, found.value,
                             notation_square(&position, found.move).text, expected.value,
                             notation_square(&position, expected.move).text);
            }
        }
    }
    for (size_t v = 0; v < ARRAY_LEN(VARIANTS); v++)
        engine_free(variant[v]);
    engine_free(reference);
}

static void test_search__every_variant_plays_the_move_of_minimax(void **state) {
    (void)state;
    static const World WORLDS[] = {
        {15, 5, 2, 3, 12, 40, "shape"},
        {7, 5, 1, 4, 6, 24, "shape"},
        {4, 3, 0, 4, 10, 8, "none"},
        {5, 4, 2, 4, 8, 14, "none"},
    };
    for (size_t w = 0; w < ARRAY_LEN(WORLDS); w++)
        for (int rule = 0; rule < RULE_NB; rule++)
            compare_world(&WORLDS[w], (Rule)rule, 100 + w);
}

static void test_search__a_quicker_win_and_a_slower_loss_are_better(void **state) {
    (void)state;
    static Board position;
    ErrorText err = {{0}};
    Engine *engine = make_engine(NULL, 0, 15, 5, RULE_FREESTYLE);
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, "h8 a1 i8 a3 j8 a5", &err),
                     STATUS_OK);
    ThinkReport win_in_3 = think(engine, &position, 4); // an open three: open four, then five
    assert_true(win_in_3.value == VALUE_WIN - 3);
    assert_int_equal(win_in_3.pv_length, 3);
    board_place(&position, win_in_3.move);
    ThinkReport loss_in_2 = think(engine, &position, 4);
    assert_true(loss_in_2.value == -(VALUE_WIN - 2));
    board_place(&position, loss_in_2.move);
    ThinkReport win_in_1 = think(engine, &position, 4);
    assert_true(win_in_1.value == VALUE_WIN - 1);
    engine_free(engine);
}

static void test_search__finished_and_full_positions_have_no_move(void **state) {
    (void)state;
    static Board position;
    ErrorText err = {{0}};
    Engine *engine = make_engine(NULL, 0, 15, 5, RULE_FREESTYLE);
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(
        notation_play_moves(&position, ROWS_BOTTOM, "h8 a1 i8 a3 j8 a5 k8 a7 l8", &err), STATUS_OK);
    ThinkReport report = think(engine, &position, 3);
    assert_int_equal(report.move, MOVE_NONE);
    assert_true(report.value == -VALUE_WIN);
    engine_free(engine);

    engine = make_engine(NULL, 0, 5, 5, RULE_FREESTYLE);
    fresh_board(&position, 5, 5, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_set_board(&position, "XOXOX/OXOXO/OXXOX/XOOXO/OXOXO", BLACK, &err),
                     STATUS_OK);
    report = think(engine, &position, 3);
    assert_int_equal(report.move, MOVE_NONE);
    assert_true(report.value == 0);
    engine_free(engine);
}

// Everything that is not exact, switched on together.
static Engine *make_selective(void) {
    static const char *const KNOBS[][2] = {
        {"search.algorithm", "pvs"}, {"search.deepening", "yes"},
        {"search.tt_mb", "1"},       {"search.vcf", "both"},
        {"search.threats", "yes"},   {"search.tt_deeper", "yes"},
        {"search.null_move", "2"},   {"search.lmr", "yes"},
        {"search.late_moves", "12"}, {"search.futility", "60"},
        {"search.extend", "yes"},    {"moves.forced", "yes"},
        {"eval.model", "threat"},    {"search.order", "[score, killer, history]"},
    };
    return make_engine(KNOBS, (int)ARRAY_LEN(KNOBS), 15, 5, RULE_FREESTYLE);
}

// Each selective knob changes the search by itself: none waits for another one to be on. (All but
// search.tt_deeper: within one search an entry is deeper only where lines were extended.)
static void test_search__every_selective_knob_acts_alone(void **state) {
    (void)state;
    static const char *const KNOBS[][2] = {
        {"search.vcf", "leaves"}, {"search.threats", "yes"},  {"search.null_move", "2"},
        {"search.lmr", "yes"},    {"search.late_moves", "1"}, {"search.futility", "100"},
        {"search.razor", "100"},  {"search.singular", "1"},   {"search.extend", "yes"},
        {"moves.forced", "yes"},
    };
    static Board position;
    ErrorText err = {{0}};
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, "h8 i9 h9 g8 i10 g7 j9 g10", &err),
                     STATUS_OK);
    uint64_t plain_nodes = 0;
    for (size_t knob = 0; knob <= ARRAY_LEN(KNOBS); knob++) {
        const char *knobs[][2] = {
            {"search.algorithm", "pvs"},
            {"search.deepening", "yes"},
            {"search.tt_mb", "1"},
            {"eval.model", "threat"},
            {"moves.limit", "10"},
            {knob ? KNOBS[knob - 1][0] : "search.order", knob ? KNOBS[knob - 1][1] : "[score]"}};
        Engine *engine = make_engine((const char *const(*)[2])knobs, (int)ARRAY_LEN(knobs), 15, 5,
                                     RULE_FREESTYLE);
        uint64_t nodes = think(engine, &position, 5).cost.nodes;
        if (knob == 0)
            plain_nodes = nodes;
        else if (nodes == plain_nodes)
            fail_msg("%s alone changes nothing", KNOBS[knob - 1][0]);
        engine_free(engine);
    }
}

// A line that is extended ply after ply has more depth left than any root: the tables by depth end
// with a row for all of it.
static void test_search__depths_beyond_the_deepest_root_have_a_row(void **state) {
    (void)state;
    static const char *const KNOBS[][2] = {{"search.algorithm", "pvs"},
                                           {"search.lmr", "yes"},
                                           {"search.late_moves", "4"},
                                           {"search.extend", "yes"}};
    static Board board;
    static Eval eval;
    static Search search;
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    for (size_t i = 0; i < ARRAY_LEN(KNOBS); i++)
        assert_int_equal(knob_set_text(&knobs, KNOBS[i][0], KNOBS[i][1], &err), STATUS_OK);
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(eval_init(&eval, &knobs, &board, &err), STATUS_OK);
    assert_int_equal(search_init(&search, &knobs, &board, &eval, &err), STATUS_OK);
    SearchNode deepest = {.depth_plies = SEARCH_MAX_PLY - 1, .is_improving = true},
               beyond = deepest;
    for (int more = 1; more <= SEARCH_MAX_PLY; more++) {
        beyond.depth_plies = deepest.depth_plies + more;
        for (int index = 2; index < 2 * BOARD_MAX_CELLS; index += 7) {
            assert_int_equal(selective_reduction(&search, &beyond, 0, index),
                             selective_reduction(&search, &deepest, 0, index));
            assert_int_equal(selective_skips(&search, &beyond, 0, index, 0),
                             selective_skips(&search, &deepest, 0, index, 0));
        }
    }
    search_release(&search);
    eval_release(&eval);
}

// What a selective search calls won must be won: played on by the winner from its own answers
// against every defence that the full search prefers, it makes its five.
static void test_search__wins_that_selective_search_claims_are_played_out(void **state) {
    (void)state;
    static Board position;
    Rng rng = rng_init(21);
    Engine *selective = make_selective();
    Engine *defender =
        make_engine((const char *const[][2]){{"moves.limit", "0"}}, 1, 15, 5, RULE_FREESTYLE);
    int claims = 0;
    for (int i = 0; i < 40; i++) {
        fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
        random_stones(&position, &rng, 8 + (int)rng_below(&rng, 30));
        if (position.wins[BLACK] + position.wins[WHITE])
            continue;
        ThinkReport report = think(selective, &position, 6);
        if (!value_is_win(report.value))
            continue;
        Colour winner = position.side;
        int plies = (int)(VALUE_WIN - report.value);
        claims++;
        for (int ply = 0; ply < plies && !position.wins[winner]; ply++) {
            Engine *mover = position.side == winner ? selective : defender;
            board_place(&position, think(mover, &position, position.side == winner ? 6 : 2).move);
            assert_int_equal(position.wins[colour_other(winner)], 0);
        }
        assert_true(position.wins[winner] > 0);
    }
    assert_true(claims >= 10);
    engine_free(selective);
    engine_free(defender);
}

static void test_search__node_limit_is_kept_and_deterministic(void **state) {
    (void)state;
    static Board position;
    Rng rng = rng_init(6);
    Engine *engine =
        make_engine((const char *const[][2]){{"search.deepening", "yes"}, {"search.nodes", "2000"}},
                    2, 15, 5, RULE_FREESTYLE);
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    random_stones(&position, &rng, 16);
    ThinkReport first = think(engine, &position, 20), second = think(engine, &position, 20);
    assert_true(first.stopped);
    assert_true(first.cost.nodes <= 2000);
    assert_int_equal(first.cost.nodes, second.cost.nodes);
    assert_int_equal(first.move, second.move);
    assert_true(first.move != MOVE_NONE && first.value == second.value);
    engine_free(engine);
}

static void test_search__empty_board_and_counters(void **state) {
    (void)state;
    static Board position;
    Engine *engine = make_engine(NULL, 0, 15, 5, RULE_FREESTYLE);
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    ThinkReport report = think(engine, &position, 2);
    assert_int_equal(report.move, board_centre(&position));
    assert_true(report.cost.nodes >= report.cost.interior + report.cost.leaves);
    assert_true(report.cost.cutoffs >= report.cost.first_cutoffs);
    assert_true(report.cost.cutoffs <= report.cost.interior);
    assert_int_equal(report.cost.depth, 2);
    engine_free(engine);
}

// A clock that advances by a fixed step whenever it is read.
static int64_t step_clock(void *ctx) {
    int64_t *now_ns = ctx;
    return *now_ns += 200000;
}

// Positions full of fours, where the solvers at the root and at the leaves count nearly all nodes:
// no limit of time may wait for them.
static void test_search__solvers_of_threats_keep_the_limit_of_time(void **state) {
    (void)state;
    static const char *const MOVES[] = {
        "l10 j12 j14 l11 n11 o8 n9 k9 k10 j10 i11 i9 j9 h8 g7 k8 i8 k7 l6 j7 "
        "l7 i6 h5 l8 m8 k6 k5 m7 n6 h7 n10 n8 g8 h10 h9 g11 j8 l12 k11 i12 "
        "h12 g6 j6 l5 k12 g10 f10 k14 g13 e6 h11 f13 f6 f5 f8 d7 f9 f7 f12 f11 "
        "c8 h4 f4 d10 e5 c7 d9 e9 e11 f14 j4 i3",
        "e8 g9 f8 d7 j9 g8 h7 g7 g10 f6 g6 i8 h8 f7 d5 h10 h11 i10 h9 i12 "
        "i11 j11 k9 l9 k10 h5 c7 l8 l7 i6 i7 k7 j8 l10 m9 g5 i5 j7 k8 h4 "
        "i3 f4 g4 e3 d2 e5 d4 d3 g3 e4 e6 d8 e7 k12 l12 e10 i2 h3 h2 g12 "
        "d9 h12 j12 f12 e12 f11 g11 f13 f14 j4 c5 m6 m11 k6 m4",
    };
    static const char *const KNOBS[][2] = {
        {"search.algorithm", "pvs"}, {"search.deepening", "yes"}, {"search.depth", "40"},
        {"search.vcf", "both"},      {"search.vct", "root"},      {"search.threats", "yes"},
        {"eval.model", "threat"},    {"moves.radius", "3"},       {"moves.limit", "40"}};
    static Board position;
    ErrorText err = {{0}};
    int64_t now_ns = 0;
    KnobSet set = knob_defaults();
    for (size_t i = 0; i < ARRAY_LEN(KNOBS); i++)
        assert_int_equal(knob_set_text(&set, KNOBS[i][0], KNOBS[i][1], &err), STATUS_OK);
    EngineSetup setup = {&set, 15, 15, 5, RULE_FREESTYLE, {step_clock, &now_ns}};
    Engine *engine = NULL;
    assert_int_equal(engine_new(&setup, &engine, &err), STATUS_OK);
    for (size_t i = 0; i < ARRAY_LEN(MOVES); i++) {
        ThinkReport report;
        fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
        assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, MOVES[i], &err), STATUS_OK);
        engine_clear(engine, 1);
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        engine_think(engine, &(ThinkLimits){.time_ms = 10}, &report); // 50 looks at the clock
        assert_true(report.move != MOVE_NONE);
        assert_true(report.cost.nodes <= 50 * 1024);
    }
    engine_free(engine);
}

// The clock is read rarely, a move is always ready, and a soft limit ends a search before the hard
// one.
static void test_search__limits_of_time_are_kept(void **state) {
    (void)state;
    static Board position;
    ErrorText err = {{0}};
    int64_t now_ns = 0;
    KnobSet set = knob_defaults();
    assert_int_equal(knob_set_text(&set, "search.deepening", "yes", &err), STATUS_OK);
    assert_int_equal(knob_set_text(&set, "search.depth", "20", &err), STATUS_OK);
    EngineSetup setup = {&set, 15, 15, 5, RULE_FREESTYLE, {step_clock, &now_ns}};
    Engine *engine = NULL;
    assert_int_equal(engine_new(&setup, &engine, &err), STATUS_OK);
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, "h8 i9 g7 j10", &err), STATUS_OK);
    uint64_t nodes[3];
    const ThinkLimits limits[3] = {
        {.time_ms = 1}, {.time_ms = 100}, {.time_ms = 100, .soft_ms = 20}};
    for (int i = 0; i < 3; i++) {
        ThinkReport report;
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        int64_t began_ns = now_ns;
        engine_think(engine, &limits[i], &report);
        assert_true(report.move != MOVE_NONE);
        int64_t took_ns = now_ns - began_ns;
        assert_true(took_ns <= limits[i].time_ms * 1000000 + 1000000);
        assert_true(took_ns / 200000 <= (int64_t)(report.cost.nodes / 500) + 40);
        nodes[i] = report.cost.nodes;
    }
    assert_true(nodes[0] < nodes[2] && nodes[2] < nodes[1]);
    engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search__limits_of_time_are_kept),
        cmocka_unit_test(test_search__solvers_of_threats_keep_the_limit_of_time),
        cmocka_unit_test(test_search__every_variant_plays_the_move_of_minimax),
        cmocka_unit_test(test_search__a_quicker_win_and_a_slower_loss_are_better),
        cmocka_unit_test(test_search__finished_and_full_positions_have_no_move),
        cmocka_unit_test(test_search__every_selective_knob_acts_alone),
        cmocka_unit_test(test_search__depths_beyond_the_deepest_root_have_a_row),
        cmocka_unit_test(test_search__wins_that_selective_search_claims_are_played_out),
        cmocka_unit_test(test_search__node_limit_is_kept_and_deterministic),
        cmocka_unit_test(test_search__empty_board_and_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
