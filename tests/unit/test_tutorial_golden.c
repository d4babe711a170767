// SPDX-License-Identifier: GPL-3.0-or-later
// The five tutorial systems against values computed by independent programs (tests/data/seeds):
// every static value, point score, search value, best move, and count of nodes, cutoffs and
// evaluations, doubles bit for bit.
//
// A row of a file names a kind; a table here says which player and which settings make it. Under a
// sanitizer the rows of more than THIN_NODES nodes are thinned out.
// sanitizers: asan
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "engine/eval/eval.h"
#include "engine/eval/runs.h"
#include "harness/record/positions.h"
#include "tests/support/player_file.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { THIN_NODES = 2000, THIN_KEEP = 40 };
#else
enum { THIN_NODES = 1 << 30, THIN_KEEP = 1 };
#endif

enum { FIELD_MAX = 256, LINE_MAX_BYTES = 4096 };

typedef struct Row {
    char line[LINE_MAX_BYTES];
    char *field[FIELD_MAX];
    int fields;
} Row;

typedef struct Kind {
    const char *kind; // up to a ':'
    const char *player;
    const char *settings;
} Kind;

static PositionList positions;

static FILE *open_data(const char *name) {
    char path[512];
    const char *root = getenv("GOMOLAB_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/seeds/%s", root ? root : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

static bool next_row(FILE *file, Row *row) {
    if (!fgets(row->line, sizeof row->line, file))
        return false;
    row->line[strcspn(row->line, "\n")] = '\0';
    row->fields = 0;
    for (char *c = row->line; c && row->fields < FIELD_MAX;) {
        row->field[row->fields++] = c;
        c = strchr(c, '\t');
        if (c)
            *c++ = '\0';
    }
    return true;
}

static int read_positions(void **state) {
    (void)state;
    char path[512];
    ErrorText err = {{0}};
    const char *root = getenv("GOMOLAB_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/seeds/positions.tsv", root ? root : ".");
    if (positions_read(path, 15, &positions, &err))
        fail_msg("%s", err.text);
    return 0;
}

static int free_positions(void **state) {
    (void)state;
    positions_release(&positions);
    return 0;
}

static void set_up(const char *id, Rule rule, int radius, Board *board) {
    ErrorText err = {{0}};
    for (int i = 0; i < positions.count; i++)
        if (strcmp(positions.items[i].id, id) == 0) {
            if (position_set_up(&positions.items[i], rule, radius, board, &err))
                fail_msg("%s", err.text);
            return;
        }
    fail_msg("no position %s", id);
}

static void expect_number(const Row *row, const char *what, double got, const char *want) {
    Text text = {0};
    if (isnan(got))
        text_append(&text, "-");
    else
        text_append_double(&text, got);
    if (strcmp(text_cstr(&text), want) != 0)
        fail_msg("%s %s %s: %s %s, want %s", row->field[0], row->field[2], row->field[3], what,
                 text_cstr(&text), want);
    text_release(&text);
}

// --- searches
// ---------------------------------------------------------------------------------------------------------

static const Kind *find_kind(const Kind *kinds, const char *name) {
    size_t length = strcspn(name, ":");
    for (; kinds->kind; kinds++)
        if (strlen(kinds->kind) == length && strncmp(kinds->kind, name, length) == 0)
            return kinds;
    return NULL;
}

static void expect_search(const Row *row, const Kind *kind, bool has_leaves) {
    static Board board;
    Engine *engine = NULL;
    ErrorText err = {{0}};
    KnobSet knobs = tutorial_player(kind->player);
    player_set_all(&knobs, kind->settings);
    if (knob_int(&knobs, KNOB_SEARCH_ALGORITHM) != ALGORITHM_GREEDY)
        player_set(&knobs, "search.depth", row->field[3]);
    set_up(row->field[0], RULE_FREESTYLE, 0, &board);
    EngineSetup setup = {&knobs, 15, 15, 5, RULE_FREESTYLE, clock_monotonic()};
    if (engine_new(&setup, &engine, &err) || engine_set_position(engine, &board, &err))
        fail_msg("%s", err.text);
    ThinkReport report;
    bool as_played = strncmp(kind->kind, "get_best", 8) == 0;
    engine_think(engine, &(ThinkLimits){.as_played = as_played}, &report);
    expect_number(row, "value", report.value, row->field[4]);
    const char *move = notation_square(&board, report.move).text;
    if (strcmp(move, row->field[5]) != 0)
        fail_msg("%s %s %s: move %s, want %s", row->field[0], row->field[2], row->field[3], move,
                 row->field[5]);
    if (!as_played) {
        expect_number(row, "nodes", (double)report.cost.nodes, row->field[6]);
        expect_number(row, "cutoffs", (double)report.cost.cutoffs, row->field[7]);
        if (has_leaves)
            expect_number(row, "leaves", (double)report.cost.leaves, row->field[8]);
    }
    engine_free(engine);
}

// --- statics
// ----------------------------------------------------------------------------------------------------------

static void expect_static(const Row *row, const Kind *kind) {
    static Board board;
    static Eval eval;
    ErrorText err = {{0}};
    KnobSet knobs = tutorial_player(kind->player);
    player_set_all(&knobs, kind->settings);
    Rule rule =
        knob_int(&knobs, KNOB_SEARCH_RULE) == SEARCH_RULE_STANDARD ? RULE_STANDARD : RULE_FREESTYLE;
    set_up(row->field[0], rule, 0, &board);
    if (eval_init(&eval, &knobs, &board, &err))
        fail_msg("%s", err.text);
    const char *name = row->field[2];
    Colour own = board.side, enemy = colour_other(own);
    double got;
    if (strcmp(name, "own_sum") == 0)
        got = (double)eval.sum[own];
    else if (strcmp(name, "opp_sum") == 0)
        got = (double)eval.sum[enemy];
    else if (strcmp(name, "own_kills") == 0) // kill_penalty=1: the difference to the bare sum
        got = (double)eval.sum[enemy] - eval_value(&eval, &board, enemy);
    else if (strcmp(name, "opp_kills") == 0)
        got = (double)eval.sum[own] - eval_value(&eval, &board, own);
    else if (strcmp(name, "game_over") == 0)
        got = board.wins[BLACK] > 0 || board.wins[WHITE] > 0 || board_is_full(&board);
    else
        got = eval_value(&eval, &board, own);
    expect_number(row, "value", got, row->field[4]);
    double slow = eval.model->slow_value(&eval, &board, own);
    assert_true(slow == eval_value(&eval, &board, own));
    eval_release(&eval);
}

static void expect_file(const char *file_name, const Kind *statics, const Kind *searches,
                        bool has_leaves) {
    static Row row;
    FILE *file = open_data(file_name);
    int rows = 0;
    next_row(file, &row);
    while (next_row(file, &row)) {
        const Kind *kind = find_kind(statics, row.field[2]);
        if (kind) {
            expect_static(&row, kind);
            rows++;
            continue;
        }
        kind = find_kind(searches, row.field[2]);
        if (!kind)
            fail_msg("%s: kind %s is not known", file_name, row.field[2]);
        if (++rows % THIN_KEEP == 0 || strtod(row.field[6], NULL) < THIN_NODES)
            expect_search(&row, kind, has_leaves);
    }
    fclose(file);
    assert_true(rows > 1000);
}

static void test_golden__pygame(void **state) {
    (void)state;
    static const Kind STATICS[] = {
        {"own_sum", "pygame.yaml", ""},
        {"opp_sum", "pygame.yaml", ""},
        {"static", "pygame.yaml", ""},
        {"static_x10", "pygame-tenths.yaml", ""},
        {0},
    };
    static const Kind SEARCHES[] = {
        {"ab", "pygame.yaml", ""},
        {"ab_x10", "pygame-tenths.yaml", ""},
        {"mm", "pygame.yaml", "search.algorithm=minimax"},
        {"ab_noorder", "pygame-unordered.yaml", ""},
        {"easy_wired", "pygame-easy-wired.yaml", ""},
        {"medium_wired", "pygame-medium-wired.yaml", ""},
        {"hard_wired", "pygame-hard-wired.yaml", ""},
        {"expert_wired", "pygame-expert-wired.yaml", ""},
        {"get_best", "pygame.yaml", ""},
        {0},
    };
    expect_file("s0.tsv", STATICS, SEARCHES, true);
}

static void test_golden__windows(void **state) {
    (void)state;
    static const Kind STATICS[] = {
        {"window_sum_lit", "windows-lit.yaml", "eval.kill_penalty=0"},
        {"window_sum_full", "windows-full.yaml", "eval.kill_penalty=0"},
        {"opp_kills", "windows-full.yaml", "eval.kill_penalty=1"},
        {"own_kills", "windows-full.yaml", "eval.kill_penalty=1"},
        {"static_lit", "windows-lit.yaml", ""},
        {"static_full", "windows-full.yaml", ""},
        {0},
    };
    static const Kind SEARCHES[] = {
        {"ab_lit_rm", "windows-lit.yaml", ""},
        {"ab_full_rm", "windows-full.yaml", ""},
        {"ab_lit_hist", "windows-lit.yaml", "search.order=[history+center]"},
        {"ab_full_hist", "windows-full.yaml", "search.order=[history+center]"},
        {"mm_lit_rm", "windows-lit.yaml", "search.algorithm=minimax"},
        {"mm_full_rm", "windows-full.yaml", "search.algorithm=minimax"},
        {0},
    };
    expect_file("s1.tsv", STATICS, SEARCHES, true);
}

static void test_golden__study(void **state) {
    (void)state;
    static const Kind STATICS[] = {
        {"own_sum", "study.yaml", ""},
        {"opp_sum", "study.yaml", ""},
        {"static", "study.yaml", ""},
        {"static_x10", "study-tenths.yaml", ""},
        {0},
    };
    static const Kind SEARCHES[] = {
        {"ab_order", "study.yaml", ""},
        {"ab_rm", "study-unordered.yaml", ""},
        {"mm_rm", "study-minimax.yaml", "search.order=[]"},
        {"mm_order", "study-minimax.yaml", ""},
        {"ab_order_x10", "study-tenths.yaml", ""},
        {"abs_order", "study-shared.yaml", ""},
        {0},
    };
    expect_file("s3.tsv", STATICS, SEARCHES, false);
}

static void test_golden__thesis(void **state) {
    (void)state;
    static const Kind STATICS[] = {
        {"own_sum", "thesis.yaml", ""},
        {"opp_sum", "thesis.yaml", ""},
        {"static_x10", "thesis.yaml", ""},
        {"game_over", "thesis.yaml", ""},
        {0},
    };
    static const Kind SEARCHES[] = {
        {"ab", "thesis.yaml", ""},
        {"ab_rm", "thesis-unordered.yaml", ""},
        {"mm", "thesis.yaml", "search.algorithm=minimax"},
        {"ab_go", "thesis-gameover.yaml", ""},
        {"mm_go", "thesis-gameover.yaml", "search.algorithm=minimax"},
        {0},
    };
    expect_file("s4.tsv", STATICS, SEARCHES, true);
}

// --- point scores
// -----------------------------------------------------------------------------------------------------

static void expect_points(const char *file_name, const char *player) {
    static Row row;
    static Board board;
    static Eval eval;
    ErrorText err = {{0}};
    KnobSet knobs = tutorial_player(player);
    Rule rule =
        knob_int(&knobs, KNOB_SEARCH_RULE) == SEARCH_RULE_STANDARD ? RULE_STANDARD : RULE_FREESTYLE;
    FILE *file = open_data(file_name);
    int rows = 0;
    for (next_row(file, &row); next_row(file, &row); rows++) {
        set_up(row.field[0], rule, 0, &board);
        if (eval_init(&eval, &knobs, &board, &err))
            fail_msg("%s", err.text);
        Colour colour = row.field[1][0] == 'b' ? BLACK : WHITE;
        assert_int_equal(row.fields, 2 + 225);
        for (Move cell = 0; cell < 225; cell++) {
            assert_true((row.field[2 + cell][0] == '-') == (board.cells[cell] != EMPTY));
            if (board.cells[cell] == EMPTY)
                expect_number(&row, notation_square(&board, cell).text,
                              eval_point(&eval, &board, cell, colour), row.field[2 + cell]);
        }
        eval_release(&eval);
    }
    fclose(file);
    assert_int_equal(rows, 166);
}

static void test_golden__point_scores(void **state) {
    (void)state;
    expect_points("s0_points.tsv", "pygame.yaml");
    expect_points("s3_points.tsv", "study.yaml");
    expect_points("s4_points.tsv", "thesis.yaml");
}

static void test_golden__pointwise(void **state) {
    (void)state;
    static Row row;
    static char no_depth[] = "", one[] = "1", zero[] = "0";
    FILE *file = open_data("s2.tsv");
    int rows = 0;
    for (next_row(file, &row); next_row(file, &row); rows++) {
        char settings[64];
        snprintf(settings, sizeof settings, "eval.defense=%s", row.field[2] + 1);
        Kind kind = {row.field[2], "pointwise.yaml", settings};
        // id stm kind value move ties: no depth and no counts
        Row search = row;
        for (int i = 0; i < 2; i++)
            search.field[4 + i] = row.field[3 + i];
        search.field[3] = no_depth;
        search.field[6] = strcmp(row.field[4], "-") ? one : zero;
        search.field[7] = zero;
        expect_search(&search, &kind, false);
    }
    fclose(file);
    assert_int_equal(rows, 415);
}

static void test_golden__pointwise_cells(void **state) {
    (void)state;
    static Row row;
    static Board board;
    static Eval eval;
    ErrorText err = {{0}};
    KnobSet knobs = tutorial_player("pointwise.yaml");
    FILE *file = open_data("s2_scores.tsv");
    int rows = 0;
    for (next_row(file, &row); next_row(file, &row); rows++) {
        set_up(row.field[0], RULE_FREESTYLE, 0, &board);
        if (eval_init(&eval, &knobs, &board, &err))
            fail_msg("%s", err.text);
        for (Move cell = 0; cell < 225; cell++)
            if (board.cells[cell] == EMPTY) {
                double score =
                    eval.own_scale * eval_point(&eval, &board, cell, board.side) +
                    eval.enemy_weight * eval_point(&eval, &board, cell, colour_other(board.side));
                expect_number(&row, notation_square(&board, cell).text, score, row.field[2 + cell]);
            }
        eval_release(&eval);
    }
    fclose(file);
    assert_int_equal(rows, 83);
}

static void test_golden__window_tables(void **state) {
    (void)state;
    static Row row;
    FILE *file = open_data("s1_table243.tsv");
    static const char *const TABLES[] = {"lit", "full"};
    int rows = 0;
    for (next_row(file, &row); next_row(file, &row); rows++)
        for (int t = 0; t < 2; t++) { // a board of one window: 5 cells wide, and too low for others
            static Board board;
            static Eval eval;
            ErrorText err = {{0}};
            KnobSet knobs = knob_defaults();
            player_set(&knobs, "eval.model", "windows");
            player_set(&knobs, "eval.windows", TABLES[t]);
            player_set(&knobs, "eval.kill_penalty", "0");
            assert_int_equal(board_init(&board, 5, 2, 5, RULE_FREESTYLE, 0, &err), STATUS_OK);
            for (int i = 0; i < 5; i++)
                if (strcmp(row.field[i], "0") != 0)
                    board_put(&board, (Move)i, row.field[i][0] == '1' ? BLACK : WHITE, BLACK);
            assert_int_equal(eval_init(&eval, &knobs, &board, &err), STATUS_OK);
            expect_number(&row, TABLES[t], eval_value(&eval, &board, BLACK), row.field[5 + t]);
            eval_release(&eval);
        }
    fclose(file);
    assert_int_equal(rows, 243);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden__window_tables),   cmocka_unit_test(test_golden__point_scores),
        cmocka_unit_test(test_golden__pointwise_cells), cmocka_unit_test(test_golden__pointwise),
        cmocka_unit_test(test_golden__pygame),          cmocka_unit_test(test_golden__windows),
        cmocka_unit_test(test_golden__study),           cmocka_unit_test(test_golden__thesis),
    };
    return cmocka_run_group_tests(tests, read_positions, free_positions);
}
