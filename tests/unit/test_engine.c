// SPDX-License-Identifier: GPL-3.0-or-later
// The facade: what a new game forgets, what a position carries over, limits to the node, moves that
// need no search, and boards that the player judges by another rule than the game.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "engine/search/value.h"
#include "tests/support/player_file.h"
#include "tests/support/random_board.h"

static Board position;

static Status try_engine(const char *settings, int width, int height, int k, Rule rule,
                         Engine **out, ErrorText *err) {
    KnobSet knobs = knob_defaults();
    player_set_all(&knobs, settings);
    EngineSetup setup = {&knobs, width, height, k, rule, clock_monotonic()};
    return engine_new(&setup, out, err);
}

static Engine *open_engine(const char *settings, int side, Rule rule) {
    Engine *engine = NULL;
    ErrorText err = {{0}};
    if (try_engine(settings, side, side, 5, rule, &engine, &err))
        fail_msg("%s: %s", settings, err.text);
    engine_clear(engine, 1);
    return engine;
}

static void set_up(Engine *engine, const char *moves) {
    const Board *board = engine_board(engine);
    ErrorText err = {{0}};
    fresh_board(&position, board->width, board->height, board->k, board->rule, 2);
    if (notation_play_moves(&position, ROWS_BOTTOM, moves, &err) ||
        engine_set_position(engine, &position, &err))
        fail_msg("%s", err.text);
}

static ThinkReport think(Engine *engine, ThinkLimits limits) {
    ThinkReport report;
    uint64_t key = engine_board(engine)->key;
    double before = engine_static_value(engine);
    engine_think(engine, &limits, &report);
    assert_int_equal(engine_board(engine)->key, key);
    assert_true(engine_static_value(engine) == before || isnan(before));
    assert_true(report.static_value == before);
    return report;
}

static const char SOME[] = "h8 i9 g7 j10 i8 g8 h10 k11 h12";

// --- limits

// The limit of nodes is kept to the node, wherever in an iteration it falls.
static void test_engine__a_limit_of_nodes_is_kept(void **state) {
    (void)state;
    static const char *const PLAYERS[] = {
        "search.depth=3",
        "search.depth=3 search.deepening=yes",
        "search.depth=3 search.deepening=yes search.tt_mb=1 search.algorithm=pvs",
        "search.depth=2 search.algorithm=minimax",
        "search.depth=3 search.deepening=yes search.count_root=no",
        "search.depth=3 search.deepening=yes search.aspiration=5",
        "search.depth=5 search.deepening=yes search.tt_mb=1 search.algorithm=pvs "
        "search.null_move=1 "
        "search.iid=3 search.singular=3 search.lmr=yes search.threats=yes eval.model=threat"};
    for (size_t p = 0; p < ARRAY_LEN(PLAYERS); p++) {
        Engine *engine = open_engine(PLAYERS[p], 15, RULE_FREESTYLE);
        set_up(engine, SOME);
        uint64_t whole = think(engine, (ThinkLimits){0}).cost.nodes;
        for (uint64_t limit = 1; limit <= whole + 1; limit += limit < 60 ? 1 : limit / 20) {
            set_up(engine, SOME); // forgets the table
            ThinkReport report = think(engine, (ThinkLimits){.nodes = limit});
            if (report.cost.nodes > limit)
                fail_msg("%s: %llu nodes, limit %llu", PLAYERS[p],
                         (unsigned long long)report.cost.nodes, (unsigned long long)limit);
            assert_int_equal(report.stopped, limit <= whole);
            assert_true(board_is_free(engine_board(engine), report.move));
            assert_int_equal(report.pv[0], report.move);
            assert_false(isnan(report.value));
        }
        engine_free(engine);
    }
}

// The sooner of two limits counts, the player's own or that of the move.
static void test_engine__the_sooner_limit_counts(void **state) {
    (void)state;
    Engine *engine = open_engine("search.nodes=300 search.depth=4", 15, RULE_FREESTYLE);
    set_up(engine, SOME);
    assert_int_equal(think(engine, (ThinkLimits){0}).cost.nodes, 300);
    assert_int_equal(think(engine, (ThinkLimits){.nodes = 200}).cost.nodes, 200);
    assert_int_equal(think(engine, (ThinkLimits){.nodes = 900}).cost.nodes, 300);
    ThinkReport shallow = think(engine, (ThinkLimits){.depth = 1});
    assert_int_equal(shallow.cost.depth, 1);
    assert_false(shallow.stopped);
    engine_free(engine);
}

static void test_engine__a_raised_flag_still_gives_a_move(void **state) {
    (void)state;
    static const char *const PLAYERS[] = {
        "search.depth=12",
        "search.depth=12 search.deepening=yes",
        "search.algorithm=minimax search.depth=8",
        "search.algorithm=mcts mcts.playouts=100000000 mcts.memory_mb=1",
        "search.algorithm=greedy",
        "search.algorithm=random"};
    atomic_bool stop = true;
    for (size_t p = 0; p < ARRAY_LEN(PLAYERS); p++) {
        Engine *engine = open_engine(PLAYERS[p], 15, RULE_FREESTYLE);
        set_up(engine, SOME);
        ThinkReport report = think(engine, (ThinkLimits){.stop = &stop});
        assert_true(board_is_free(engine_board(engine), report.move));
        assert_true(report.cost.nodes < 5000);
        engine_free(engine);
    }
}

// --- games and positions

static void assert_same_answer(const ThinkReport *a, const ThinkReport *b) {
    assert_int_equal(a->move, b->move);
    assert_true(a->value == b->value);
    assert_int_equal(a->cost.nodes, b->cost.nodes);
    assert_int_equal(a->cost.tt_hits, b->cost.tt_hits);
    assert_int_equal(a->pv_length, b->pv_length);
    assert_memory_equal(a->pv, b->pv, (size_t)a->pv_length * sizeof a->pv[0]);
}

static const char *const LEARNERS[] = {
    "search.depth=4 search.deepening=yes search.tt_mb=1 search.order=[history,killer,counter]",
    "search.algorithm=pvs search.depth=5 search.deepening=yes search.tt_mb=1 eval.model=threat",
    "search.algorithm=mcts mcts.playouts=300 mcts.memory_mb=1 mcts.leaf=playout",
    "search.algorithm=random",
    "search.algorithm=pvs search.depth=3 eval.model=threat search.vcf=both search.vct=root",
};

// Whatever was thought before, a new game (and a new position) is as for a new engine.
static void test_engine__a_new_game_knows_nothing_of_the_last(void **state) {
    (void)state;
    for (size_t p = 0; p < ARRAY_LEN(LEARNERS); p++) {
        Engine *used = open_engine(LEARNERS[p], 15, RULE_FREESTYLE);
        Engine *fresh = open_engine(LEARNERS[p], 15, RULE_FREESTYLE);
        set_up(used, "h8 h9 g8 g9 f8");
        think(used, (ThinkLimits){0});
        set_up(used, SOME); // the very position that is asked for again
        think(used, (ThinkLimits){0});
        engine_clear(used, 7);
        engine_clear(fresh, 7);
        set_up(used, SOME);
        set_up(fresh, SOME);
        ThinkReport a = think(used, (ThinkLimits){0}), b = think(fresh, (ThinkLimits){0});
        assert_same_answer(&a, &b);
        engine_free(used);
        engine_free(fresh);
    }
}

static void test_engine__placing_is_setting_up(void **state) {
    (void)state;
    for (size_t p = 0; p < ARRAY_LEN(LEARNERS); p++) {
        Engine *placed = open_engine(LEARNERS[p], 15, RULE_FREESTYLE);
        Engine *whole = open_engine(LEARNERS[p], 15, RULE_FREESTYLE);
        set_up(whole, SOME);
        engine_place(placed, 0);
        engine_undo(placed);
        for (int i = 0; i < position.stone_count; i++)
            engine_place(placed, position.moves[i]);
        ThinkReport a = think(placed, (ThinkLimits){0}), b = think(whole, (ThinkLimits){0});
        assert_same_answer(&a, &b);
        assert_true(engine_static_value(placed) == engine_static_value(whole));
        engine_free(placed);
        engine_free(whole);
    }
}

static void test_engine__two_engines_share_nothing(void **state) {
    (void)state;
    Engine *one = open_engine(LEARNERS[0], 15, RULE_FREESTYLE);
    set_up(one, SOME);
    ThinkReport alone = think(one, (ThinkLimits){0});
    Engine *other = open_engine(LEARNERS[0], 15, RULE_STANDARD);
    set_up(other, "h8 h9 g8");
    think(other, (ThinkLimits){0});
    set_up(one, SOME);
    ThinkReport again = think(one, (ThinkLimits){0});
    assert_same_answer(&alone, &again);
    engine_free(one);
    engine_free(other);
}

static void test_engine__other_games_are_refused(void **state) {
    (void)state;
    static const struct {
        int width, height, k;
        Rule rule;
        const char *message;
    } CASES[] = {
        {15, 14, 5, RULE_FREESTYLE,
         "the position is 15x14, 5 in a row, freestyle; the engine plays another game"},
        {14, 15, 5, RULE_FREESTYLE,
         "the position is 14x15, 5 in a row, freestyle; the engine plays another game"},
        {15, 15, 4, RULE_FREESTYLE,
         "the position is 15x15, 4 in a row, freestyle; the engine plays another game"},
        {15, 15, 5, RULE_STANDARD,
         "the position is 15x15, 5 in a row, standard; the engine plays another game"},
    };
    Engine *engine = open_engine("", 15, RULE_FREESTYLE);
    set_up(engine, SOME);
    uint64_t key = engine_board(engine)->key;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {{0}};
        fresh_board(&position, CASES[i].width, CASES[i].height, CASES[i].k, CASES[i].rule, 2);
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_INVALID);
        assert_string_equal(err.text, CASES[i].message);
        assert_int_equal(engine_board(engine)->key, key); // as it was
    }
    engine_free(engine);
    engine_free(NULL);
}

static void test_engine__what_cannot_be_made_is_said(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int width, height, k;
        Status status;
        const char *message;
    } CASES[] = {
        {"", 1, 15, 5, STATUS_INVALID, "board 1x15: sides must be 2..22"},
        {"", 15, 23, 5, STATUS_INVALID, "board 15x23: sides must be 2..22"},
        {"", 15, 15, 7, STATUS_INVALID, "7 in a row: must be 2..6"},
        {"", 15, 15, 6, STATUS_UNSUPPORTED, "eval.model shape knows five in a row only, not 6"},
        {"eval.model=windows", 15, 15, 4, STATUS_UNSUPPORTED,
         "eval.model windows knows five in a row only, not 4"},
        {"eval.model=threat", 4, 15, 5, STATUS_UNSUPPORTED,
         "eval.model threat plays on sides 5..22, not on 4x15"},
        {"eval.model=threat", 15, 3, 5, STATUS_UNSUPPORTED,
         "eval.model threat plays on sides 5..22, not on 15x3"},
        {"eval.model=none search.vcf=root", 9, 9, 4, STATUS_UNSUPPORTED,
         "threats are known for five in a row only, not 4"},
        {"eval.model=none search.vct=root", 9, 9, 6, STATUS_UNSUPPORTED,
         "threats are known for five in a row only, not 6"},
        {"search.algorithm=minimax search.tt_mb=1", 15, 15, 5, STATUS_INVALID,
         "search.tt_mb: plain minimax uses no transposition table; set it to 0"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Engine *engine = NULL;
        ErrorText err = {{0}};
        assert_int_equal(try_engine(CASES[i].settings, CASES[i].width, CASES[i].height, CASES[i].k,
                                    RULE_FREESTYLE, &engine, &err),
                         CASES[i].status);
        assert_string_equal(err.text, CASES[i].message);
        assert_null(engine);
    }
}

// --- the rule of the player and that of the game

// Six in a row are a win to a player of freestyle and none in a standard game: it must go on.
static void test_engine__a_game_over_by_its_own_rule_only_goes_on(void **state) {
    (void)state;
    static const char SIX[] = "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9 f8";
    static const char *const PLAYERS[] = {"", "search.algorithm=minimax search.depth=2",
                                          "search.algorithm=greedy",
                                          "search.algorithm=mcts mcts.playouts=50 mcts.memory_mb=1",
                                          "search.algorithm=pvs search.vcf=both search.vct=root"};
    ErrorText err = {{0}};
    for (size_t p = 0; p < ARRAY_LEN(PLAYERS); p++) {
        char settings[128];
        Engine *engine = NULL;
        snprintf(settings, sizeof settings, "%s search.rule=freestyle", PLAYERS[p]);
        assert_int_equal(try_engine(settings, 15, 15, 5, RULE_STANDARD, &engine, &err), STATUS_OK);
        fresh_board(&position, 15, 15, 5, RULE_STANDARD, 2);
        assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, SIX, &err), STATUS_OK);
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        assert_false(engine_game_is_over(engine));
        ThinkReport report = think(engine, (ThinkLimits){.as_played = true});
        assert_true(board_is_free(&position, report.move));
        engine_free(engine);
    }
}

// The other way round the game is over, whatever the player takes six for.
static void test_engine__a_game_over_by_the_games_rule_is_over(void **state) {
    (void)state;
    static const char SIX[] = "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9 f8",
                      FIVE[] = "c8 a1 d8 a3 e8 a5 g8 a7 f8";
    Engine *engine = open_engine("search.rule=standard", 15, RULE_FREESTYLE);
    ErrorText err = {{0}};
    for (int i = 0; i < 2; i++) {
        fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
        assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, i ? SIX : FIVE, &err),
                         STATUS_OK);
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        assert_true(engine_game_is_over(engine));
    }
    engine_free(engine);
    engine = open_engine("", 5, RULE_FREESTYLE);
    assert_false(engine_game_is_over(engine));
    fresh_board(&position, 5, 5, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_set_board(&position, "XOXOX/OXOXO/OXXOX/XOOXO/OXOXO", BLACK, &err),
                     STATUS_OK);
    assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
    assert_true(engine_game_is_over(engine)); // full
    engine_free(engine);
}

static void test_engine__what_it_takes_for_five_follows_its_rule(void **state) {
    (void)state;
    static const char GAP[] = "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9"; // f8 makes six
    for (int game = 0; game < RULE_NB; game++)
        for (int own = 0; own < RULE_NB; own++) {
            Engine *engine = NULL;
            ErrorText err = {{0}};
            assert_int_equal(try_engine(own == RULE_FREESTYLE
                                            ? "search.rule=freestyle search.depth=1"
                                            : "search.rule=standard search.depth=1",
                                        15, 15, 5, (Rule)game, &engine, &err),
                             STATUS_OK);
            fresh_board(&position, 15, 15, 5, (Rule)game, 2);
            assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, GAP, &err), STATUS_OK);
            assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
            assert_int_equal(engine_board(engine)->rule, own);
            ThinkReport report = think(engine, (ThinkLimits){0});
            bool plays_six = strcmp(notation_square(&position, report.move).text, "f8") == 0;
            assert_int_equal(plays_six && value_is_win(report.value), own == RULE_FREESTYLE);
            engine_free(engine);
        }
}

// --- moves without a search

static void assert_instant(const ThinkReport *report, const char *square) {
    assert_string_equal(notation_square(&position, report->move).text, square);
    assert_true(isnan(report->value));
    assert_int_equal(report->cost.nodes, 0);
    assert_int_equal(report->pv_length, 1);
    assert_false(report->stopped);
}

static void test_instant__prechecks(void **state) {
    (void)state;
    static const struct {
        const char *precheck, *moves, *square; // NULL: searched
    } CASES[] = {
        {"none", "h8 a1 i8 a3 j8 a5 k8 a7", NULL},
        {"win", "h8 a1 i8 a3 j8 a5 k8 a7", "g8"}, // the first on the board
        {"win", "h8 g8 i8 a3 j8 a5 k8 a7", "l8"},
        {"win", "a1 h8 a3 i8 a5 j8 o15 k8", NULL}, // only the enemy's
        {"win_block", "a1 h8 a3 i8 a5 j8 o15 k8", "g8"},
        {"win_block", "a1 h8 b1 i8 c1 j8 d1 k8", "e1"}, // one's own comes first
        {"win_block", "h8 i9 g7", NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        char settings[64];
        snprintf(settings, sizeof settings, "play.precheck=%s search.depth=1", CASES[i].precheck);
        Engine *engine = open_engine(settings, 15, RULE_FREESTYLE);
        set_up(engine, CASES[i].moves);
        ThinkReport played = think(engine, (ThinkLimits){.as_played = true});
        ThinkReport shown = think(engine, (ThinkLimits){0}); // the search alone
        assert_true(shown.cost.nodes > 0 && !isnan(shown.value));
        if (CASES[i].square)
            assert_instant(&played, CASES[i].square);
        else
            assert_true(played.cost.nodes > 0);
        engine_free(engine);
    }
}

static void test_instant__openings(void **state) {
    (void)state;
    static const int SIDES[] = {5, 6, 15, 22};
    for (size_t i = 0; i < ARRAY_LEN(SIDES); i++) {
        int side = SIDES[i];
        Engine *engine = open_engine("play.opening=centre", side, RULE_FREESTYLE);
        set_up(engine, "-");
        ThinkReport report = think(engine, (ThinkLimits){.as_played = true});
        assert_int_equal(report.move, side / 2 * side + side / 2);
        assert_int_equal(report.cost.nodes, 0);
        set_up(engine, "a1"); // not the first stone any more
        assert_true(think(engine, (ThinkLimits){.as_played = true}).cost.nodes > 0);
        engine_free(engine);

        engine = open_engine("play.opening=near_centre", side, RULE_FREESTYLE);
        int seen[9] = {0};
        for (uint64_t seed = 0; seed < 200; seed++) {
            engine_clear(engine, seed);
            report = think(engine, (ThinkLimits){.as_played = true});
            int dx = report.move % side - side / 2, dy = report.move / side - side / 2;
            assert_true(dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1);
            seen[(dy + 1) * 3 + dx + 1]++;
        }
        for (int cell = 0; cell < 9; cell++)
            assert_in_range(seen[cell], 8, 40); // each of the nine
        engine_free(engine);
    }
}

// Randomness 1 never searches, 0 always does, and between them it is that share.
static void test_instant__randomness_is_a_share(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int low, high;
    } CASES[] = {{"play.randomness=0 search.depth=1", 0, 0},
                 {"play.randomness=0.25 search.depth=1", 30, 70},
                 {"play.randomness=1 search.depth=1", 200, 200}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Engine *engine = open_engine(CASES[i].settings, 15, RULE_FREESTYLE);
        int by_chance = 0;
        set_up(engine, SOME);
        for (int move = 0; move < 200; move++) {
            ThinkReport report = think(engine, (ThinkLimits){.as_played = true});
            by_chance += isnan(report.value);
            assert_true(board_is_free(engine_board(engine), report.move));
        }
        assert_in_range(by_chance, CASES[i].low, CASES[i].high);
        engine_free(engine);
    }
}

// A seed is a game: the same moves by chance again, other ones from another.
static void test_engine__seeds_decide_what_chance_plays(void **state) {
    (void)state;
    Engine *engine = open_engine("search.algorithm=random", 15, RULE_FREESTYLE);
    Move games[3][30];
    static const uint64_t SEEDS[] = {5, 5, 6};
    for (int game = 0; game < 3; game++) {
        engine_clear(engine, SEEDS[game]);
        for (int i = 0; i < 30; i++) {
            games[game][i] = think(engine, (ThinkLimits){.as_played = true}).move;
            engine_place(engine, games[game][i]);
        }
    }
    assert_memory_equal(games[0], games[1], sizeof games[0]);
    assert_memory_not_equal(games[0], games[2], sizeof games[0]);
    engine_free(engine);
}

// The last cell is played, and nothing after it.
static void test_engine__the_last_cell(void **state) {
    (void)state;
    static const char *const PLAYERS[] = {
        "",
        "search.algorithm=pvs search.tt_mb=1 search.deepening=yes",
        "search.algorithm=random",
        "search.algorithm=greedy",
        "search.algorithm=mcts mcts.playouts=20 mcts.memory_mb=1",
        "search.algorithm=minimax",
        "moves.radius=1 play.precheck=win_block"};
    ErrorText err = {{0}};
    for (size_t p = 0; p < ARRAY_LEN(PLAYERS); p++)
        for (Move cell = 0; cell < 25; cell += 6) {
            Engine *engine = open_engine(PLAYERS[p], 5, RULE_FREESTYLE);
            char rows[] = "XOXOX/OXOXO/OXXOX/XOOXO/OXOXO";
            rows[cell + cell / 5] = '.';
            fresh_board(&position, 5, 5, 5, RULE_FREESTYLE, 2);
            assert_int_equal(notation_set_board(&position, rows, WHITE, &err), STATUS_OK);
            assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
            assert_int_equal(think(engine, (ThinkLimits){.as_played = true}).move, cell);
            engine_place(engine, cell);
            assert_int_equal(think(engine, (ThinkLimits){.as_played = true}).move, MOVE_NONE);
            engine_free(engine);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine__a_limit_of_nodes_is_kept),
        cmocka_unit_test(test_engine__the_sooner_limit_counts),
        cmocka_unit_test(test_engine__a_raised_flag_still_gives_a_move),
        cmocka_unit_test(test_engine__a_new_game_knows_nothing_of_the_last),
        cmocka_unit_test(test_engine__placing_is_setting_up),
        cmocka_unit_test(test_engine__two_engines_share_nothing),
        cmocka_unit_test(test_engine__other_games_are_refused),
        cmocka_unit_test(test_engine__what_cannot_be_made_is_said),
        cmocka_unit_test(test_engine__a_game_over_by_its_own_rule_only_goes_on),
        cmocka_unit_test(test_engine__a_game_over_by_the_games_rule_is_over),
        cmocka_unit_test(test_engine__what_it_takes_for_five_follows_its_rule),
        cmocka_unit_test(test_instant__prechecks),
        cmocka_unit_test(test_instant__openings),
        cmocka_unit_test(test_instant__randomness_is_a_share),
        cmocka_unit_test(test_engine__seeds_decide_what_chance_plays),
        cmocka_unit_test(test_engine__the_last_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
