// SPDX-License-Identifier: GPL-3.0-or-later
// Positions near the edges, for every way of choosing a move: boards almost and quite full, the
// smallest and the largest, a five for both sides, and lost games that must last.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/engine.h"
#include "harness/cli/config.h"
#include "tests/unit/puzzles.h"

static const char *const PLAYERS[] = {"random", "greedy", "minimax", "classic", "strong", "mcts"};

static Board board;

// A player of configs/players for boards like the global one, with node and time limits that end
// soon.
static Engine *open_player(const char *name, int depth, const char *nodes) {
    char path[512];
    const char *root = getenv("GOMOLAB_SOURCE");
    PlayerSpec spec = {0};
    ErrorText err = {{0}};
    Engine *engine = NULL;
    snprintf(path, sizeof path, "%s/configs/players/%s.yaml", root ? root : ".", name);
    if (config_load_player(path, NULL, &spec, NULL, &err))
        fail_msg("%s", err.text);
    bool is_mcts = strcmp(name, "mcts") == 0;
    KnobSet knobs = spec.knobs;
    player_spec_release(&spec);
    Status status = knob_set_text(&knobs, "search.time_ms", "0", &err);
    if (!status)
        status = knob_set_text(&knobs, is_mcts ? "mcts.playouts" : "search.nodes",
                               is_mcts ? "300" : nodes, &err);
    if (!status && depth) {
        char text[16];
        snprintf(text, sizeof text, "%d", depth);
        status = knob_set_text(&knobs, "search.depth", text, &err);
    }
    EngineSetup setup = {&knobs, board.width, board.height, board.k, board.rule, clock_monotonic()};
    if (!status)
        status = engine_new(&setup, &engine, &err);
    if (status)
        fail_msg("%s: %s", name, err.text);
    engine_clear(engine, 1);
    return engine;
}

static Move answer(Engine *engine, ThinkReport *report) {
    ThinkLimits limits = {.as_played = true};
    ErrorText err = {{0}};
    if (engine_set_position(engine, &board, &err))
        fail_msg("%s", err.text);
    engine_think(engine, &limits, report);
    return report->move;
}

// The move of each player in a position given by rows.
static void each_answers(const char *rows, const char *side, void (*judge)(const char *, Move)) {
    set_up(&board, "freestyle", 5, rows, side);
    for (size_t i = 0; i < ARRAY_LEN(PLAYERS); i++) {
        ThinkReport report;
        Engine *engine = open_player(PLAYERS[i], 0, "3000");
        judge(PLAYERS[i], answer(engine, &report));
        engine_free(engine);
    }
}

static void has_none(const char *player, Move move) {
    if (move != MOVE_NONE)
        fail_msg("%s plays %d on a full board", player, move);
}

static void is_legal(const char *player, Move move) {
    if (!board_is_free(&board, move))
        fail_msg("%s plays %d, which is not free", player, move);
}

static void wins(const char *player, Move move) {
    is_legal(player, move);
    bool searches = strcmp(player, "random") != 0 && strcmp(player, "greedy") != 0;
    if (searches && !board_wins_at(&board, move, board.side))
        fail_msg("%s plays %d and leaves the five", player, move);
}

static void test_edges__full_boards_have_no_move(void **state) {
    (void)state;
    each_answers("XXOOX/OOXXO/XXOOX/OOXXO/XXOOX", "O", has_none);
}

static void test_edges__one_and_two_empty_cells(void **state) {
    (void)state;
    each_answers("XXOOX/OOXXO/XXOOX/OOXXO/XXOO.", "X", is_legal);
    each_answers("XXOOX/OOXXO/XX.OX/OOXXO/XXOO.", "O", is_legal);
    each_answers("XOOOX/.OXXO/OXXOO/OOXXO/XXXX.", "X", wins);
    each_answers("XOOOX/.OXXO/.XOOX/.OXXO/.XOOX", "X", is_legal);
}

static void test_edges__smallest_and_largest_boards(void **state) {
    (void)state;
    for (int side = 5; side <= 20; side += 15)
        for (size_t i = 0; i < ARRAY_LEN(PLAYERS); i++) {
            ErrorText err = {{0}};
            ThinkReport report;
            assert_int_equal(board_init(&board, side, side, 5, RULE_FREESTYLE, 0, &err), STATUS_OK);
            Engine *engine = open_player(PLAYERS[i], 0, "500");
            int stones = side == 5 ? 25 : 12;
            for (int stone = 0; stone < stones; stone++) { // corners first, then by its own moves
                Move corner = (Move)(board_cell_count(&board) - 1 - stone);
                Move move = stone < 2 ? corner : answer(engine, &report);
                if (board.wins[BLACK] + board.wins[WHITE] > 0)
                    break;
                is_legal(PLAYERS[i], move);
                board_place(&board, move);
            }
            engine_free(engine);
        }
}

static void test_edges__own_five_before_the_enemys(void **state) {
    (void)state;
    each_answers("......./......./.XXXX../......./.OOOO../......./.......", "X", wins);
    each_answers("......./......./.XXXX../......./.OOOO../......./.......", "O", wins);
    each_answers("XXXX.OO/......./O....../O....../O....../O....../.......", "O", wins);
}

// Where every move loses, the one that loses last is played.
static void test_edges__a_lost_game_lasts(void **state) {
    (void)state;
    static const char *const LASTING[] = {"classic", "strong"};
    static Row row;
    FILE *file = open_table("small_exact.tsv", &row);
    int judged = 0;
    while (next_row(file, &row)) {
        if (strcmp(row.field[6], "LOSS") != 0 || strtol(row.field[2], NULL, 10) != 5)
            continue;
        set_up(&board, row.field[3], 5, row.field[4], row.field[5]);
        for (size_t i = 0; i < ARRAY_LEN(LASTING); i++) {
            ThinkReport report;
            Engine *engine = open_player(LASTING[i], 14, "0");
            Move move = answer(engine, &report);
            engine_free(engine);
            char cell[16];
            snprintf(cell, sizeof cell, " %d,%d ", move % board.width, move / board.width);
            char list[LINE_CAP];
            snprintf(list, sizeof list, " %s ", row.field[9]);
            if (!strstr(list, cell))
                fail_msg("%s: %s plays%s: the game lasts longer after%s", row.field[0], LASTING[i],
                         cell, list);
        }
        judged++;
    }
    fclose(file);
    assert_true(judged > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges__full_boards_have_no_move),
        cmocka_unit_test(test_edges__one_and_two_empty_cells),
        cmocka_unit_test(test_edges__smallest_and_largest_boards),
        cmocka_unit_test(test_edges__own_five_before_the_enemys),
        cmocka_unit_test(test_edges__a_lost_game_lasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
