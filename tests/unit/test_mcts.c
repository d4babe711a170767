// SPDX-License-Identifier: GPL-3.0-or-later
// Monte Carlo tree search: wins are found and stop the search, losses are delayed, proofs agree
// with the solver of endgames, limits and memory hold, and the same seed gives the same tree.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "engine/proof.h"
#include "engine/search/mcts_tree.h"
#include "engine/search/value.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef const char *Setting[2];

static KnobSet knobs_of(const Setting *settings) { // ends with a row of NULL
    KnobSet set = knob_defaults();
    ErrorText err = {{0}};
    set.number[KNOB_SEARCH_ALGORITHM] = ALGORITHM_MCTS;
    set.number[KNOB_MCTS_MEMORY_MB] = 8;
    for (; (*settings)[0]; settings++)
        if (knob_set_text(&set, (*settings)[0], (*settings)[1], &err))
            fail_msg("%s", err.text);
    return set;
}

static Engine *make_engine(const Setting *settings, int side, int k, Rule rule, Clock clock) {
    KnobSet set = knobs_of(settings);
    EngineSetup setup = {&set, side, side, k, rule, clock};
    ErrorText err = {{0}};
    Engine *engine = NULL;
    if (engine_new(&setup, &engine, &err))
        fail_msg("%s", err.text);
    return engine;
}

static ThinkReport think_seeded(Engine *engine, const Board *position, uint64_t seed) {
    ErrorText err = {{0}};
    ThinkReport report;
    ThinkLimits limits = {0};
    engine_clear(engine, seed);
    assert_int_equal(engine_set_position(engine, position, &err), STATUS_OK);
    uint64_t key = engine_board(engine)->key;
    double before = engine_static_value(engine);
    engine_think(engine, &limits, &report);
    assert_int_equal(engine_board(engine)->key, key);
    assert_true(engine_static_value(engine) == before);
    return report;
}

static ThinkReport think(Engine *engine, const Board *position) {
    return think_seeded(engine, position, 1);
}

// The four ways to judge a leaf that the tests go through: by the default evaluation and by
// playouts, each alone and with the threat map's help.
static const Setting KINDS[][8] = {
    {{"mcts.playouts", "4000"}},
    {{"mcts.playouts", "4000"}, {"mcts.leaf", "playout"}},
    {{"mcts.playouts", "1000"},
     {"eval.model", "threat"},
     {"search.threats", "yes"},
     {"search.vcf", "leaves"},
     {"moves.forced", "yes"},
     {"mcts.scale", "200"}},
    {{"mcts.playouts", "1000"},
     {"eval.model", "threat"},
     {"search.threats", "yes"},
     {"mcts.leaf", "playout"},
     {"mcts.scale", "200"}},
};

static const Board *play(const char *moves, int side, Rule rule) {
    static Board position;
    ErrorText err = {{0}};
    fresh_board(&position, side, side, 5, rule, 2);
    if (notation_play_moves(&position, ROWS_BOTTOM, moves, &err))
        fail_msg("%s", err.text);
    return &position;
}

static void test_mcts__wins_are_found_and_end_the_search(void **state) {
    (void)state;
    for (size_t kind = 0; kind < ARRAY_LEN(KINDS); kind++)
        for (int rule = 0; rule < RULE_NB; rule++) {
            Engine *engine = make_engine(KINDS[kind], 15, 5, (Rule)rule, clock_monotonic());
            ThinkReport five = think(engine, play("h8 a1 i8 a3 j8 a5 k8 a7", 15, (Rule)rule));
            assert_true(five.value == VALUE_WIN - 1);
            assert_true(five.cost.nodes < 100);
            assert_int_equal(five.pv_length, 1);
            ThinkReport three = think(engine, play("h8 a1 i8 a3 j8 a5", 15, (Rule)rule));
            assert_true(value_is_win(three.value));
            assert_true(three.cost.nodes < 1000 + 3000 * (kind < 2));
            assert_false(three.stopped);
            engine_free(engine);
        }
}

static void test_mcts__fives_and_open_fours_are_stopped(void **state) {
    (void)state;
    for (size_t kind = 0; kind < ARRAY_LEN(KINDS); kind++)
        for (int rule = 0; rule < RULE_NB; rule++) {
            Engine *engine = make_engine(KINDS[kind], 15, 5, (Rule)rule, clock_monotonic());
            const Board *position = play("a1 g8 h8 a3 i8 a5 j8 a7 k8", 15, (Rule)rule);
            assert_string_equal(notation_square(position, think(engine, position).move).text, "l8");
            position = play("h8 a1 i8 a15 j8", 15, (Rule)rule); // an open three
            const char *move = notation_square(position, think(engine, position).move).text;
            assert_non_null(strstr("f8 g8 k8 l8", move));
            engine_free(engine);
        }
}

static void test_mcts__longest_resistance_when_everything_loses(void **state) {
    (void)state;
    // White faces two cells where black makes five: stopping one takes a ply more than stopping
    // none.
    Engine *engine = make_engine(KINDS[0], 15, 5, RULE_FREESTYLE, clock_monotonic());
    const Board *position = play("h8 a1 i8 a15 j8 o1 k8", 15, RULE_FREESTYLE);
    ThinkReport report = think(engine, position);
    assert_true(report.value == -(VALUE_WIN - 2));
    assert_true(report.move != MOVE_NONE);
    engine_free(engine);
}

// In worlds that can be solved to the end, with every empty cell a candidate, a proof of the tree
// is the truth.
static void test_mcts__proofs_agree_with_the_endgame_solver(void **state) {
    (void)state;
    static const struct {
        int side, k, stones;
    } WORLDS[] = {{3, 3, 2}, {4, 3, 3}, {4, 4, 9}, {5, 4, 12}};
    static const Setting SETTINGS[] = {{"eval.model", "none"},
                                       {"moves.limit", "0"},
                                       {"moves.radius", "0"},
                                       {"mcts.playouts", "30000"},
                                       {NULL, NULL}};
    static Board position;
    static EndProof truth;
    ErrorText err = {{0}};
    Rng rng = rng_init(11);
    int proven = 0;
    for (size_t w = 0; w < ARRAY_LEN(WORLDS); w++)
        for (int i = 0; i < 6; i++) {
            fresh_board(&position, WORLDS[w].side, WORLDS[w].side, WORLDS[w].k, (Rule)(i % RULE_NB),
                        0);
            random_stones(&position, &rng, WORLDS[w].stones);
            if (position.wins[BLACK] + position.wins[WHITE])
                continue;
            Engine *engine = make_engine(SETTINGS, WORLDS[w].side, WORLDS[w].k, position.rule,
                                         clock_monotonic());
            ThinkReport report = think(engine, &position);
            engine_free(engine);
            assert_int_equal(proof_end(&position, 1, 0, &truth, &err), STATUS_OK);
            assert_true(truth.solved);
            if (value_is_win(report.value))
                assert_int_equal(truth.outcome, 1);
            else if (value_is_loss(report.value))
                assert_int_equal(truth.outcome, -1);
            else if (report.cost.nodes < 30000)
                assert_int_equal(truth.outcome, 0);
            print_message("%zu %d nodes %d value %g out %d\n", w, i, (int)report.cost.nodes,
                          report.value, truth.outcome);
            proven += report.cost.nodes < 30000;
        }
    assert_true(proven >= 15);
}

static void test_mcts__same_seed_same_tree(void **state) {
    (void)state;
    Board position;
    Rng rng = rng_init(6);
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    random_stones(&position, &rng, 9);
    int differing = 0;
    for (size_t kind = 0; kind < ARRAY_LEN(KINDS); kind++) {
        Engine *engine = make_engine(KINDS[kind], 15, 5, RULE_FREESTYLE, clock_monotonic());
        ThinkReport first = think(engine, &position), again = think(engine, &position);
        ThinkReport other = think_seeded(engine, &position, 2);
        assert_int_equal(first.move, again.move);
        assert_true(first.value == again.value);
        assert_int_equal(first.cost.nodes, again.cost.nodes);
        assert_int_equal(first.cost.seldepth, again.cost.seldepth);
        assert_memory_equal(first.pv, again.pv, (size_t)first.pv_length * sizeof first.pv[0]);
        differing += first.value != other.value;
        engine_free(engine);
    }
    assert_true(differing <= 2); // playouts draw lots, evaluations do not
}

static void test_mcts__columns_are_filled(void **state) {
    (void)state;
    static const Setting SETTINGS[] = {{"mcts.playouts", "500"}, {NULL, NULL}};
    Engine *engine = make_engine(SETTINGS, 15, 5, RULE_FREESTYLE, clock_monotonic());
    ThinkReport report = think(engine, play("h8 i9 g10", 15, RULE_FREESTYLE));
    assert_int_equal(report.cost.nodes, 501); // the root and the simulations
    assert_true(report.cost.leaves <= 500 && report.cost.leaves > 400);
    assert_true(report.cost.interior > 0 && report.cost.branches >= report.cost.interior);
    assert_int_equal(report.cost.depth, report.pv_length);
    assert_true(report.pv_length >= 1 && report.pv[0] == report.move);
    assert_true(report.cost.seldepth >= report.pv_length);
    assert_true(report.value > -1e6 && report.value < 1e6);
    assert_false(report.stopped);
    engine_free(engine);
}

static void test_mcts__a_full_tree_goes_on(void **state) {
    (void)state;
    static const Setting SETTINGS[] = {
        {"mcts.playouts", "20000"}, {"mcts.memory_mb", "1"}, {"moves.limit", "0"}, {NULL, NULL}};
    Engine *engine = make_engine(SETTINGS, 15, 5, RULE_FREESTYLE, clock_monotonic());
    ThinkReport report = think(engine, play("h8 i9 g10", 15, RULE_FREESTYLE));
    uint64_t room = 1024 * 1024 / sizeof(MctsNode);
    assert_int_equal(report.cost.nodes, 20001);
    assert_true(report.cost.branches < room); // the root besides
    assert_true(report.cost.branches > room - 300);
    engine_free(engine);
}

// A clock that moves on by a microsecond whenever somebody looks.
static int64_t ticking_ns(void *ctx) { return *(int64_t *)ctx += 1000; }

static void test_mcts__limits_are_kept(void **state) {
    (void)state;
    int64_t now = 0;
    static const Setting BY_NODES[] = {{"search.nodes", "777"}, {NULL, NULL}};
    static const Setting BY_TIME[] = {{"search.time_ms", "1"}, {NULL, NULL}};
    Engine *engine = make_engine(BY_NODES, 15, 5, RULE_FREESTYLE, clock_monotonic());
    ThinkReport report = think(engine, play("h8 i9 g10", 15, RULE_FREESTYLE));
    assert_int_equal(report.cost.nodes, 777);
    assert_true(report.stopped);
    engine_free(engine);
    engine = make_engine(BY_TIME, 15, 5, RULE_FREESTYLE, (Clock){ticking_ns, &now});
    report = think(engine, play("h8 i9 g10", 15, RULE_FREESTYLE));
    assert_true(report.stopped && report.move != MOVE_NONE);
    assert_true(report.cost.nodes > 10000 && report.cost.nodes < 17000); // a look every 16
    engine_free(engine);
}

static void test_mcts__one_node_still_gives_a_move(void **state) {
    (void)state;
    static const Setting SETTINGS[] = {{"search.nodes", "1"}, {NULL, NULL}};
    Engine *engine = make_engine(SETTINGS, 15, 5, RULE_FREESTYLE, clock_monotonic());
    ThinkReport report = think(engine, play("h8 i9 g10", 15, RULE_FREESTYLE));
    assert_true(report.move != MOVE_NONE);
    assert_int_equal(report.pv_length, 1);
    assert_int_equal(report.cost.nodes, 1);
    engine_free(engine);
}

// Whole games against itself, from the empty board to the end, on the smallest and largest boards.
static void test_mcts__plays_games_on_every_board(void **state) {
    (void)state;
    static const int SIDES[] = {5, 6, 9, 15, 20};
    Setting settings[8];
    for (size_t i = 0; i < ARRAY_LEN(SIDES); i++)
        for (int kind = 0; kind < (int)ARRAY_LEN(KINDS); kind++) {
            memcpy(settings, KINDS[kind], sizeof settings);
            settings[0][1] = "40";
            Engine *engine = make_engine((const Setting *)settings, SIDES[i], 5,
                                         (Rule)(kind % RULE_NB), clock_monotonic());
            engine_clear(engine, 5);
            const Board *board = engine_board(engine);
            while (!board->wins[BLACK] && !board->wins[WHITE] && !board_is_full(board)) {
                ThinkReport report;
                ThinkLimits limits = {.as_played = true};
                engine_think(engine, &limits, &report);
                assert_true(board_is_free(board, report.move));
                assert_true(report.cost.nodes <= 41 + 64 * 41); // fours at leaves come on top
                engine_place(engine, report.move);
            }
            engine_free(engine);
        }
}

static void test_mcts__finished_and_full_positions_have_no_move(void **state) {
    (void)state;
    static Board position;
    ErrorText err = {{0}};
    Engine *engine = make_engine(KINDS[0], 15, 5, RULE_FREESTYLE, clock_monotonic());
    ThinkReport report = think(engine, play("h8 a1 i8 a3 j8 a5 k8 a7 l8", 15, RULE_FREESTYLE));
    assert_int_equal(report.move, MOVE_NONE);
    assert_true(report.value == -VALUE_WIN);
    engine_free(engine);
    engine = make_engine(KINDS[0], 5, 5, RULE_FREESTYLE, clock_monotonic());
    fresh_board(&position, 5, 5, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_set_board(&position, "XOXOX/OXOXO/OXXOX/XOOXO/OXOXO", BLACK, &err),
                     STATUS_OK);
    report = think(engine, &position);
    assert_int_equal(report.move, MOVE_NONE);
    assert_true(report.value == 0);
    board_clear(&position); // one cell left, and nobody can win
    assert_int_equal(notation_set_board(&position, "XOXOX/OXOXO/OXXO./XOOXO/OXOXO", BLACK, &err),
                     STATUS_OK);
    report = think(engine, &position);
    assert_string_equal(notation_square(&position, report.move).text, "e3");
    assert_true(report.value == 0);
    assert_true(report.cost.nodes < 10);
    engine_free(engine);
}

static void test_mcts__what_makes_no_sense_is_refused(void **state) {
    (void)state;
    static const Setting DEPTH_ONLY[] = {{"search.depth", "6"}, {NULL, NULL}};
    static const Setting TABLE[] = {{"mcts.playouts", "10"}, {"search.tt_mb", "1"}, {NULL, NULL}};
    static const Setting TERMINAL[] = {
        {"mcts.playouts", "10"}, {"search.terminal", "none"}, {NULL, NULL}};
    static const Setting WIN_VALUE[] = {
        {"mcts.playouts", "10"}, {"search.win_value", "static"}, {NULL, NULL}};
    const struct {
        const Setting *settings;
        const char *reason;
    } REFUSED[] = {{WIN_VALUE, "search.win_value"},
                   {DEPTH_ONLY, "mcts.playouts"},
                   {TABLE, "search.tt_mb"},
                   {TERMINAL, "search.terminal"}};
    for (size_t i = 0; i < ARRAY_LEN(REFUSED); i++) {
        KnobSet set = knobs_of(REFUSED[i].settings);
        ErrorText err = {{0}};
        assert_int_equal(knob_check(&set, &err), STATUS_INVALID);
        assert_non_null(strstr(err.text, REFUSED[i].reason));
    }
    KnobSet set = knobs_of(KINDS[0]);
    ErrorText err = {{0}};
    assert_int_equal(knob_check(&set, &err), STATUS_OK);
    int64_t machine_mb = sysconf(_SC_PHYS_PAGES) / 1024 * sysconf(_SC_PAGESIZE) / 1024;
    set.number[KNOB_MCTS_MEMORY_MB] = (double)(machine_mb + 1); // not allocated: refused
    assert_int_equal(knob_check(&set, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "mcts.memory_mb"));
    set.number[KNOB_SEARCH_ALGORITHM] = ALGORITHM_ALPHABETA; // not asked for: fine
    assert_int_equal(knob_check(&set, &err), STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mcts__wins_are_found_and_end_the_search),
        cmocka_unit_test(test_mcts__fives_and_open_fours_are_stopped),
        cmocka_unit_test(test_mcts__longest_resistance_when_everything_loses),
        cmocka_unit_test(test_mcts__proofs_agree_with_the_endgame_solver),
        cmocka_unit_test(test_mcts__same_seed_same_tree),
        cmocka_unit_test(test_mcts__columns_are_filled),
        cmocka_unit_test(test_mcts__a_full_tree_goes_on),
        cmocka_unit_test(test_mcts__limits_are_kept),
        cmocka_unit_test(test_mcts__one_node_still_gives_a_move),
        cmocka_unit_test(test_mcts__plays_games_on_every_board),
        cmocka_unit_test(test_mcts__finished_and_full_positions_have_no_move),
        cmocka_unit_test(test_mcts__what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
