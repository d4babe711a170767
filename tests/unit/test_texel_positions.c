// SPDX-License-Identifier: GPL-3.0-or-later
// Positions chosen from stored games, and their slopes: against the engine itself, and against
// shapes by definition.
#include "engine/base/check.h"
#include "engine/board/pattern.h"
#include "engine/engine.h"
#include "harness/tune/texel_positions.h"
#include "store_fixture.h"

#include <math.h>

enum { GAMES = 60, KNOBS = 6 };

static const KnobId KNOB[KNOBS] = {KNOB_EVAL_OPEN_THREE, KNOB_EVAL_THREE,   KNOB_EVAL_OPEN_TWO,
                                   KNOB_EVAL_TWO,        KNOB_EVAL_DEFENSE, KNOB_EVAL_KILL_PENALTY};

// A game of random moves near the stones: long enough for shapes of every kind.
static GameRecord *random_game(int64_t slot) {
    ErrorText err = {""};
    Board *board = malloc(sizeof *board);
    GameRecord *game = game_record_new();
    Rng rng = rng_init(rng_mix(4, (uint64_t)slot));
    OK(board_init(board, 15, 15, 5, RULE_FREESTYLE, 1, &err));
    *game = (GameRecord){.slot = slot,
                         .pair = slot / 2,
                         .black = (int)(slot % 2),
                         .white = (int)(1 - slot % 2),
                         .width = 15,
                         .height = 15,
                         .opening_plies = 3,
                         .result = 'D',
                         .reason = slot == 7 ? REASON_TIMEOUT : REASON_FIVE};
    while (!board_is_full(board) && !board->wins[BLACK] && !board->wins[WHITE]) {
        Move moves[BOARD_MAX_CELLS];
        int count = board_candidates(board, moves);
        Move move = count ? moves[rng_below(&rng, (uint64_t)count)] : board_centre(board);
        board_place(board, move);
        assert_true(game_record_add(game, &(MoveRecord){.move = move}, NULL));
    }
    if (board->wins[BLACK] || board->wins[WHITE])
        game->result = board->wins[BLACK] ? 'B' : 'W';
    free(board);
    return game;
}

static TexelPositions chosen(Store *store, TexelChoice choice) {
    ErrorText err = {""};
    TexelPositions positions = {0};
    OK(texel_positions_add(&positions, store, &choice, &err));
    return positions;
}

// By the definition of shapes: walks every line cell by cell.
static bool slow_is_quiet(const Board *board) {
    for (int line = 0; line < board->geometry.line_count; line++)
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            int first = bits_lowest(~board->geometry.wall[line]), length = 0;
            uint32_t stones = 0;
            for (int i = 0; i <= board->geometry.length[line]; i++) {
                int cell = i < board->geometry.length[line]
                               ? board->cells[line_cell(&board->geometry, line, first + i)]
                               : (colour ^ 1);
                if (cell != (colour ^ 1)) {
                    stones |= (uint32_t)(cell == colour) << length++;
                    continue;
                }
                PatternCounts counts = pattern_slow_counts(board->rule, length, stones);
                if (pattern_count(counts, PATTERN_FIVE) ||
                    pattern_count(counts, PATTERN_OPEN_FOUR) || pattern_count(counts, PATTERN_FOUR))
                    return false;
                length = 0;
                stones = 0;
            }
        }
    return true;
}

static void test_texel_positions__quiet_means_no_four(void **state) {
    (void)state;
    ErrorText err = {""};
    Board *board = malloc(sizeof *board);
    int quiet = 0, loud = 0;
    OK(board_init(board, 15, 15, 5, RULE_FREESTYLE, 2, &err));
    for (int64_t slot = 0; slot < 30; slot++) {
        GameRecord *game = random_game(slot);
        board_clear(board);
        for (int ply = 0; ply < game->move_count; ply++) {
            board_place(board, game->moves[ply].move);
            bool want = slow_is_quiet(board);
            assert_int_equal(texel_position_is_quiet(board), want);
            quiet += want;
            loud += !want;
        }
        game_record_free(game);
    }
    assert_true(quiet > 100 && loud > 100);
    free(board);
}

static void test_texel_positions__few_of_each_game_by_seed_and_slot(void **state) {
    (void)state;
    Store *store = fixture_store_of(fixture_path("few.db"), GAMES, random_game);
    TexelPositions all = chosen(store, (TexelChoice){.per_game = 500, .seed = 1}),
                   few = chosen(store, (TexelChoice){.per_game = 4, .seed = 1}),
                   again = chosen(store, (TexelChoice){.per_game = 4, .seed = 1}),
                   other = chosen(store, (TexelChoice){.per_game = 4, .seed = 2}),
                   cut = chosen(store, (TexelChoice){.per_game = 4, .positions = 50, .seed = 1});
    assert_int_equal(all.games_seen, GAMES);
    assert_int_equal(all.faulty_games, 1);
    assert_int_equal(all.count, all.quiet);
    assert_true(few.count <= 4 * (GAMES - 1) && few.count > 2 * GAMES);
    assert_int_equal(few.count, again.count);
    size_t size = (size_t)few.count * sizeof *few.place;
    assert_memory_equal(few.place, again.place, size);
    assert_int_equal(other.count, few.count);
    assert_true(memcmp(few.place, other.place, size) != 0);
    assert_int_equal(cut.count, 50);
    assert_memory_equal(few.place, cut.place, 49 * sizeof *few.place);
    for (int64_t g = 0; g < few.game_count; g++) {
        const TexelGame *game = &few.games[g];
        assert_in_range(game->place_count, 1, 4);
        for (int i = 0; i < game->place_count; i++) {
            int16_t place = few.place[game->first_place + i];
            assert_true(place > 3);
            assert_true(i == 0 || place > few.place[game->first_place + i - 1]);
        }
        assert_true(g == 0 || game->group >= few.games[g - 1].group);
    }
    texel_positions_release(&all);
    texel_positions_release(&few);
    texel_positions_release(&again);
    texel_positions_release(&other);
    texel_positions_release(&cut);
    store_close(store);
}

static double engine_value(const TexelPositions *positions, int64_t game_index, int place,
                           const KnobSet *knobs) {
    ErrorText err = {""};
    Engine *engine = NULL;
    EngineSetup setup = {.knobs = knobs,
                         .width = 15,
                         .height = 15,
                         .k = 5,
                         .rule = RULE_FREESTYLE,
                         .clock = clock_monotonic()};
    OK(engine_new(&setup, &engine, &err));
    for (int i = 0; i < place; i++)
        engine_place(engine, positions->moves[positions->games[game_index].first_move + i]);
    double value = engine_static_value(engine);
    engine_free(engine);
    return value;
}

// Anywhere in the space of knobs, the value from slopes is what the engine says there.
static void test_texel_positions__slopes_give_the_evaluation_everywhere(void **state) {
    (void)state;
    ErrorText err = {""};
    Store *store = fixture_store_of(fixture_path("slopes.db"), GAMES, random_game);
    TexelPositions positions = chosen(store, (TexelChoice){.per_game = 3, .seed = 1});
    KnobSet start = knob_defaults();
    start.number[KNOB_EVAL_DEFENSE] = 1.3;
    OK(texel_positions_measure(&positions, &start, KNOB, KNOBS, &err));
    assert_int_equal(positions.cross_count, 4); // defense and each weight that shapes have
    TexelKnob bounds[KNOBS];
    for (int i = 0; i < KNOBS; i++)
        bounds[i] = (TexelKnob){start.number[KNOB[i]], -1e6, 1e6, 1};
    TexelData data = texel_positions_data(&positions, bounds, KNOBS);
    Rng rng = rng_init(12);
    bool some_differ = false;
    for (int64_t g = 0; g < positions.game_count; g += 3) {
        const TexelGame *game = &positions.games[g];
        int64_t row = game->first_place + game->place_count - 1;
        KnobSet knobs = start;
        double weight[KNOBS];
        for (int i = 0; i < KNOBS; i++) {
            weight[i] =
                KNOB[i] == KNOB_EVAL_DEFENSE ? 3 * rng_unit(&rng) : (double)rng_below(&rng, 3000);
            knobs.number[KNOB[i]] = weight[i];
        }
        knobs.number[KNOB_EVAL_ARITHMETIC] = ARITHMETIC_DOUBLE;
        double want = engine_value(&positions, g, positions.place[row], &knobs);
        double got = texel_value(&data, row, weight, NULL);
        if (fabs(got - want) > 1e-6 * (1 + fabs(want)))
            fail_msg("game %d: %f, the engine says %f", (int)g, got, want);
        some_differ |= fabs(want - data.value[row]) > 1;
        char mover = positions.place[row] % 2 ? 'W' : 'B';
        assert_true(data.outcome[row] == (game->result == 'D' ? 0.5 : game->result == mover));
    }
    assert_true(some_differ);
    for (int i = 0; i < KNOBS; i++)
        assert_false(positions.is_curved[i]);
    texel_positions_release(&positions);
    store_close(store);
}

static void test_texel_positions__nothing_to_measure_is_said(void **state) {
    (void)state;
    ErrorText err = {""};
    TexelPositions positions = {0};
    KnobSet start = knob_defaults();
    REFUSED(texel_positions_measure(&positions, &start, KNOB, KNOBS, &err), STATUS_INVALID,
            "no quiet positions in 0 games");
    texel_positions_release(&positions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texel_positions__quiet_means_no_four),
        cmocka_unit_test(test_texel_positions__few_of_each_game_by_seed_and_slot),
        cmocka_unit_test(test_texel_positions__slopes_give_the_evaluation_everywhere),
        cmocka_unit_test(test_texel_positions__nothing_to_measure_is_said),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
