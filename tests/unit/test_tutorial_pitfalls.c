// SPDX-License-Identifier: GPL-3.0-or-later
// The mistakes that tutorials on Gomoku programs warn of, each as a test that this program does not
// make it.
// sanitizers: asan
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "tests/support/player_file.h"

#include <math.h>
#include <pthread.h>

static const char *const SEARCHERS[] = {"pygame.yaml", "windows-full.yaml", "study-shared.yaml",
                                        "thesis-gameover.yaml"};
enum { SEARCHER_NB = 4 };

static Engine *open_player(const char *file, const char *settings, const char *moves) {
    Engine *engine = NULL;
    Board *board = malloc(sizeof *board);
    ErrorText err = {{0}};
    KnobSet knobs = tutorial_player(file);
    player_set_all(&knobs, settings);
    EngineSetup setup = {&knobs, 15, 15, 5, RULE_FREESTYLE, clock_monotonic()};
    assert_non_null(board);
    if (board_init(board, 15, 15, 5, RULE_FREESTYLE, 0, &err) ||
        notation_play_moves(board, ROWS_BOTTOM, moves, &err) || engine_new(&setup, &engine, &err))
        fail_msg("%s", err.text);
    engine_clear(engine, 1);
    if (engine_set_position(engine, board, &err))
        fail_msg("%s", err.text);
    free(board);
    return engine;
}

static ThinkReport think(const char *file, const char *settings, const char *moves,
                         bool as_played) {
    ThinkReport report;
    Engine *engine = open_player(file, settings, moves);
    engine_think(engine, &(ThinkLimits){.as_played = as_played}, &report);
    engine_free(engine);
    return report;
}

static void expect_move(const ThinkReport *report, const char *want) {
    Board board = {.width = 15, .height = 15};
    assert_string_equal(notation_square(&board, report->move).text, want);
}

// "The first move is always the same": with an opening near the centre, seeds differ, and all stay
// near it.
static void test_pitfall__first_move_always_the_same(void **state) {
    (void)state;
    int seen = 0;
    Engine *engine = open_player("pointwise.yaml", "play.opening=near_centre", "-");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ThinkReport report;
        engine_clear(engine, seed);
        engine_think(engine, &(ThinkLimits){.as_played = true}, &report);
        int dx = report.move % 15 - 7, dy = report.move / 15 - 7;
        assert_true(dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1);
        seen |= 1 << ((dy + 1) * 3 + dx + 1);
    }
    engine_free(engine);
    assert_true(seen & (seen - 1)); // more than one cell
}

// "It builds its own four instead of stopping five in one": the penalty for such cells cures it.
static void test_pitfall__builds_instead_of_blocking(void **state) {
    (void)state;
    // black has a closed four d8-g8 (h8 is white), white a closed three of its own that it would
    // love to extend
    static const char MOVES[] = "d8 h8 e8 h9 f8 h10 g8";
    ThinkReport with = think("windows-full.yaml", "search.depth=1", MOVES, false);
    expect_move(&with, "c8");
    ThinkReport without =
        think("windows-full.yaml", "search.depth=1 eval.kill_penalty=0", MOVES, false);
    assert_true(without.move != with.move);
}

// "Count carries over from one direction to the next", "only one direction is tested", "only one
// side of the stone".
static void test_pitfall__win_in_every_direction_and_in_no_other(void **state) {
    (void)state;
    static Board board;
    ErrorText err = {{0}};
    static const int STEP[4] = {1, 15, 16, 14};
    for (int d = 0; d < 4; d++)
        for (int last = 0; last < 5; last++) {    // the last stone may be any of the five
            Move start = (Move)(d == 3 ? 14 : 0); // far from everything: from a corner
            assert_int_equal(board_init(&board, 15, 15, 5, RULE_FREESTYLE, 0, &err), STATUS_OK);
            for (int i = 0; i < 5; i++)
                if (i != last)
                    board_put(&board, (Move)(start + i * STEP[d]), BLACK, BLACK);
            assert_int_equal(board.wins[BLACK], 0);
            assert_true(board_wins_at(&board, (Move)(start + last * STEP[d]), BLACK));
            board_put(&board, (Move)(start + last * STEP[d]), BLACK, BLACK);
            assert_int_equal(board.wins[BLACK], 1);
        }
    assert_int_equal(board_init(&board, 15, 15, 5, RULE_FREESTYLE, 0, &err), STATUS_OK);
    assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, "h8 a1 i8 a2 j8 b1 h9 b2 h10", &err),
                     STATUS_OK);
    assert_int_equal(board.wins[BLACK], 0); // three and three from one corner stone are no five
}

// "The first move takes for ever": the empty board is no search at all.
static void test_pitfall__first_move_takes_for_ever(void **state) {
    (void)state;
    for (int p = 0; p < SEARCHER_NB; p++) {
        if (strncmp(SEARCHERS[p], "windows", 7) == 0)
            continue; // every empty cell is a move of that one, and that is its pitfall
        ThinkReport report = think(SEARCHERS[p], "", "-", true);
        expect_move(&report, "h8");
        assert_true(report.cost.nodes < 3000);
    }
}

// "It can win and plays elsewhere": with a five at hand every player that tests for wins takes it,
// at any depth.
static void test_pitfall__can_win_and_plays_elsewhere(void **state) {
    (void)state;
    static const char FOUR[] = "d8 c8 e8 a1 f8 a3 g8 c1";
    for (int depth = 1; depth <= 3; depth++) {
        char settings[64];
        snprintf(settings, sizeof settings, "search.depth=%d", depth);
        ThinkReport pygame = think("pygame.yaml", settings, FOUR, false);
        expect_move(&pygame, "h8");
        ThinkReport thesis = think("thesis-gameover.yaml", settings, FOUR, false);
        expect_move(&thesis, "h8");
        ThinkReport study = think("study-shared.yaml", settings, FOUR, false);
        expect_move(&study, "h8");
    }
    ThinkReport greedy = think("pointwise.yaml", "", FOUR, false);
    expect_move(&greedy, "h8");
}

// "IndexError at the border", "best_move is None on a full board", "the stone was not taken back".
static void test_pitfall__borders_full_boards_and_the_board_afterwards(void **state) {
    (void)state;
    static const char EDGES[] = "a1 o15 a15 o1 h1 h15 a8 o8 b1 n15 c1 m15 d1 a2";
    for (int p = 0; p < SEARCHER_NB; p++) {
        Engine *engine = open_player(SEARCHERS[p], "search.depth=2", EDGES);
        static Board before;
        before = *engine_board(engine);
        ThinkReport report;
        engine_think(engine, &(ThinkLimits){0}, &report);
        assert_true(board_is_free(&before, report.move));
        assert_int_equal(engine_board(engine)->key, before.key);
        assert_memory_equal(engine_board(engine)->cells, before.cells, sizeof before.cells);
        assert_int_equal(engine_board(engine)->stone_count, before.stone_count);
        while (!board_is_full(engine_board(engine))) // fill it in no order that makes sense
            for (Move cell = 0; cell < 225; cell += 7) {
                Move free_cell = cell;
                while (free_cell < 225 && !board_is_free(engine_board(engine), free_cell))
                    free_cell++;
                if (free_cell < 225)
                    engine_place(engine, free_cell);
            }
        engine_think(engine, &(ThinkLimits){.as_played = true}, &report);
        assert_int_equal(report.move, MOVE_NONE);
        engine_free(engine);
    }
}

// "Pruning without ordering saves little."
static void test_pitfall__pruning_without_ordering(void **state) {
    (void)state;
    static const char MOVES[] = "h8 i9 g8 i8 i7 g9 h9 h7";
    ThinkReport ordered = think("thesis.yaml", "search.depth=3", MOVES, false);
    ThinkReport unordered = think("thesis-unordered.yaml", "search.depth=3", MOVES, false);
    assert_true(ordered.value == unordered.value);
    assert_true(unordered.cost.nodes > 3 * ordered.cost.nodes);
}

// "The same position is searched twice when two moves are swapped": one key, and the table knows
// it.
static void test_pitfall__transpositions(void **state) {
    (void)state;
    Engine *one = open_player("thesis-table.yaml", "", "h8 i9 g7 f6"),
           *other = open_player("thesis-table.yaml", "", "g7 i9 h8 f6");
    assert_int_equal(engine_board(one)->key, engine_board(other)->key);
    engine_free(one);
    engine_free(other);
    ThinkReport with = think("thesis-table.yaml", "search.depth=4", "h8 i9 g8", false);
    ThinkReport without = think("thesis-gameover.yaml", "search.depth=4", "h8 i9 g8", false);
    assert_true(with.cost.tt_hits > 0);
    assert_true(with.value == without.value && with.move == without.move);
    assert_true(with.cost.nodes < without.cost.nodes);
}

// "An overline is counted as a win": not by the player that plays exactly five, whatever the game's
// rule.
static void test_pitfall__overline_counted_as_win(void **state) {
    (void)state;
    static const char GAP[] = "c8 a1 d8 a3 e8 c1 g8 c3 h8 e1"; // f8 would make six
    ThinkReport exact = think("thesis-gameover.yaml", "search.depth=1", GAP, false);
    assert_true(exact.move != 15 * 7 + 5);
    ThinkReport five_or_more =
        think("thesis-gameover.yaml", "search.depth=1 search.rule=freestyle", GAP, false);
    expect_move(&five_or_more, "f8");
}

// "Threads share one board": engines in threads answer as they do alone.
static void *think_in_thread(void *out) {
    *(ThinkReport *)out = think("study-shared.yaml", "search.depth=3", "h8 i9 g8 f8", false);
    return NULL;
}

static void test_pitfall__boards_shared_between_threads(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    ThinkReport reports[THREADS],
        alone = think("study-shared.yaml", "search.depth=3", "h8 i9 g8 f8", false);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, think_in_thread, &reports[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(reports[i].value == alone.value && reports[i].move == alone.move);
        assert_int_equal(reports[i].cost.nodes, alone.cost.nodes);
    }
}

// "Without the opponent's part it only attacks": an open three is stopped because it counts.
static void test_pitfall__attack_only(void **state) {
    (void)state;
    static const char THREE[] = "h8 a1 i8 c1 j8";
    ThinkReport greedy = think("pointwise.yaml", "", THREE, false);
    assert_true(greedy.move == 7 * 15 + 6 || greedy.move == 7 * 15 + 10); // g8 or k8
    ThinkReport blind = think("pointwise.yaml", "eval.defense=0", THREE, false);
    assert_true(blind.move / 15 != 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pitfall__first_move_always_the_same),
        cmocka_unit_test(test_pitfall__builds_instead_of_blocking),
        cmocka_unit_test(test_pitfall__win_in_every_direction_and_in_no_other),
        cmocka_unit_test(test_pitfall__first_move_takes_for_ever),
        cmocka_unit_test(test_pitfall__can_win_and_plays_elsewhere),
        cmocka_unit_test(test_pitfall__borders_full_boards_and_the_board_afterwards),
        cmocka_unit_test(test_pitfall__pruning_without_ordering),
        cmocka_unit_test(test_pitfall__transpositions),
        cmocka_unit_test(test_pitfall__overline_counted_as_win),
        cmocka_unit_test(test_pitfall__boards_shared_between_threads),
        cmocka_unit_test(test_pitfall__attack_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
