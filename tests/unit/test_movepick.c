// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates and their order against a plain sort; what a cutoff teaches; one at a time or all at
// once.
// sanitizers: asan
#include "engine/proof.h"
#include "engine/search/movepick.h"
#include "tests/support/search_rig.h"

#include <stdlib.h>

static SearchRig rig;

// --- the oracle: all candidates by the definition, sorted by the definition ---

static double rank_of(Move move) {
    const Search *search = &rig.search;
    const EvalModel *model = rig.eval.model;
    double black = model->slow_point(&rig.eval, &rig.board, move, BLACK);
    double white = model->slow_point(&rig.eval, &rig.board, move, WHITE);
    Colour one = search->params.select == SELECT_OWN ? search->own : rig.board.side;
    return search->params.select == SELECT_BOARD  ? 0
           : search->params.select == SELECT_BOTH ? black + white
           : one == BLACK                         ? black
                                                  : white;
}

static int distance(Move a, Move b) {
    int dx = abs(a % rig.board.width - b % rig.board.width);
    int dy = abs(a / rig.board.width - b / rig.board.width);
    return dx > dy ? dx : dy;
}

static double part_of(int ply, Move move, OrderPart part) {
    const Search *search = &rig.search;
    Colour mover = rig.board.side, one = part.colour == ORDER_OWN ? search->own : mover;
    Move last = board_last_played(&rig.board);
    const EvalModel *model = rig.eval.model;
    bool is_shared = search->params.history_shared;
    switch (part.key) {
    case ORDER_SCORE:
        if (part.colour == ORDER_OWN || part.colour == ORDER_MOVER)
            return model->slow_point(&rig.eval, &rig.board, move, one);
        return model->slow_point(&rig.eval, &rig.board, move, BLACK) +
               model->slow_point(&rig.eval, &rig.board, move, WHITE);
    case ORDER_CENTER:
        return -fmax(fabs(move % rig.board.width - (rig.board.width - 1) / 2.0),
                     fabs(move / rig.board.width - (rig.board.height - 1) / 2.0));
    case ORDER_DISTANCE:
        return -distance(move, last == MOVE_NONE ? board_centre(&rig.board) : last);
    case ORDER_HISTORY:
        if (part.colour == ORDER_BOTH && !is_shared)
            return search->history[BLACK][move] + search->history[WHITE][move];
        return search->history[is_shared ? BLACK : one][move];
    case ORDER_KILLER:
        return move == search->killer[ply][0] ? 2 : move == search->killer[ply][1];
    case ORDER_COUNTER:
        return last != MOVE_NONE && search->counter[mover][last] == move;
    case ORDER_KEY_NB:
        break;
    }
    return 0;
}

static double term_of[ORDER_MAX_TERMS][BOARD_MAX_CELLS];

static void fill_terms(int ply) {
    const OrderList *order = &rig.search.params.order;
    for (int t = 0; t < order->term_count; t++)
        for (Move move = 0; move < board_cell_count(&rig.board); move++) {
            term_of[t][move] = 0;
            for (int p = 0; p < order->term[t].part_count && board_is_free(&rig.board, move); p++)
                term_of[t][move] += part_of(ply, move, order->term[t].part[p]);
        }
}

// Is a to be searched before b?
static bool goes_before(Move a, Move b) {
    for (int t = 0; t < rig.search.params.order.term_count; t++)
        if (term_of[t][a] != term_of[t][b])
            return term_of[t][a] > term_of[t][b];
    return a < b;
}

static void swap_moves(Move *a, Move *b) {
    Move moved = *a;
    *a = *b;
    *b = moved;
}

static int slow_list(int ply, Move first, Move *out) {
    int count = board_slow_candidates(&rig.board, out), limit = rig.search.params.limit;
    double rank[BOARD_MAX_CELLS] = {0};
    bool cut = limit && count > limit;
    for (int i = 0; i < count && cut; i++)
        rank[out[i]] = rank_of(out[i]);
    for (int i = 1; i < count; i++) // by rank, then board order
        for (int j = i; j > 0 && rank[out[j]] > rank[out[j - 1]]; j--)
            swap_moves(&out[j], &out[j - 1]);
    count = cut ? limit : count;
    fill_terms(ply);
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && goes_before(out[j], out[j - 1]); j--)
            swap_moves(&out[j], &out[j - 1]);
    for (int i = 0; i < count; i++)
        if (out[i] == first) {
            memmove(out + 1, out, (size_t)i * sizeof *out);
            out[0] = first;
        }
    return count;
}

// Things to order by that a search would have left behind.
static void leave_traces(Rng *rng) {
    int cells = board_cell_count(&rig.board);
    for (int i = 0; i < 12; i++) {
        rig.search.history[rng_below(rng, 2)][rng_below(rng, (uint64_t)cells)] +=
            (double)(1 + rng_below(rng, 3));
        rig.search.counter[rng_below(rng, 2)][rng_below(rng, (uint64_t)cells)] =
            (Move)rng_below(rng, (uint64_t)cells);
    }
    for (int i = 0; i < 2; i++)
        rig.search.killer[3][i] = random_free_cell(&rig.board, rng, true);
    Move last = board_last_played(&rig.board);
    if (last != MOVE_NONE)
        rig.search.counter[rig.board.side][last] = random_free_cell(&rig.board, rng, true);
}

static void check_lists(Rng *rng) {
    Move expected[BOARD_MAX_CELLS], any = random_free_cell(&rig.board, rng, true);
    const Move FIRST[] = {MOVE_NONE, any};
    for (size_t i = 0; i < ARRAY_LEN(FIRST); i++) {
        Move first = FIRST[i];
        int count = slow_list(3, first, expected);
        bool is_candidate = first == MOVE_NONE;
        for (int j = 0; j < count; j++)
            is_candidate |= expected[j] == first;
        if (!is_candidate)
            continue; // a wish for a move that the limit leaves out is for movepick_fill alone
        MoveList *list = movepick_fill(&rig.search, 3, first);
        assert_int_equal(list->count, count);
        assert_memory_equal(list->move, expected, (size_t)count * sizeof expected[0]);
        list = movepick_begin(&rig.search, 3, first); // and one after another
        assert_int_equal(list->count, count);
        for (int j = 0; j < count; j++)
            assert_int_equal(movepick_move(&rig.search, 3, j), expected[j]);
    }
}

static const char *const ORDERS[] = {
    "[]",
    "[score]",
    "[score:own]",
    "[score:mover]",
    "[score:both]",
    "[center]",
    "[distance]",
    "[history]",
    "[history:own,score]",
    "[history:both,center]",
    "[killer,score]",
    "[score,history,killer]",
    "[score,center]",
    "[counter,score]",
    "[score+history+killer+counter]",
    "[history+center]",
    "[distance,score:mover,history]",
};
static const char *const SELECTS[] = {"both", "own", "mover", "board"};

static void test_movepick__equals_a_plain_sort(void **state) {
    (void)state;
    Rng rng = rng_init(41);
    for (size_t o = 0; o < ARRAY_LEN(ORDERS); o++)
        for (size_t s = 0; s < ARRAY_LEN(SELECTS); s++) {
            char settings[256];
            static const int LIMITS[] = {0, 1, 2, 7, 20, 484};
            int limit = LIMITS[(o + s) % ARRAY_LEN(LIMITS)];
            snprintf(settings, sizeof settings,
                     "search.order=%s moves.select=%s moves.limit=%d history.table=%s", ORDERS[o],
                     SELECTS[s], limit, o % 3 ? "colour" : "shared");
            fresh_board(&rig.board, 9, 9, 5, (Rule)(s % RULE_NB), o % 4 ? 2 : 0);
            random_stones(&rig.board, &rng, 1 + (int)rng_below(&rng, 30));
            rig_open_here(&rig, settings);
            rig.search.own = (Colour)rng_below(&rng, 2);
            leave_traces(&rng);
            check_lists(&rng);
            rig_close(&rig);
        }
}

// From the whole board instead of stone by stone: the same lists.
static void test_movepick__from_scratch_is_the_same(void **state) {
    (void)state;
    Rng rng = rng_init(42);
    for (int round = 0; round < 12; round++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "search.incremental=no search.order=[score,killer] moves.limit=%d", round);
        fresh_board(&rig.board, 9, 9, 5, (Rule)(round % RULE_NB), round % 3);
        random_stones(&rig.board, &rng, 1 + (int)rng_below(&rng, 30));
        rig_open_here(&rig, settings);
        leave_traces(&rng);
        check_lists(&rng);
        rig_close(&rig);
    }
}

static void test_movepick__boards_without_stones_or_cells(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "-", "");
    assert_int_equal(movepick_fill(&rig.search, 0, MOVE_NONE)->count, 1);
    assert_int_equal(rig.search.list[0].move[0], board_centre(&rig.board));
    rig_close(&rig);
    rig_open(&rig, 15, RULE_FREESTYLE, "-", "moves.empty=none");
    assert_int_equal(movepick_fill(&rig.search, 0, MOVE_NONE)->count, 0);
    rig_close(&rig);
    rig_open(&rig, 5, RULE_FREESTYLE, "-", "moves.radius=0 moves.empty=none moves.limit=0");
    assert_int_equal(movepick_fill(&rig.search, 0, MOVE_NONE)->count, 25); // all are candidates
    rig_close(&rig);
    ErrorText err = {{0}};
    fresh_board(&rig.board, 5, 5, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_set_board(&rig.board, "XOXOX/OXOXO/OXXOX/XOOXO/OXOXO", BLACK, &err),
                     STATUS_OK);
    rig_open_here(&rig, "");
    assert_int_equal(movepick_fill(&rig.search, 0, MOVE_NONE)->count, 0);
    rig_close(&rig);
}

// --- the ordering by one sum

#define QUICK "search.algorithm=pvs search.threats=yes eval.model=threat "

static void test_movepick__quick_lists_hold_every_candidate_once(void **state) {
    (void)state;
    Rng rng = rng_init(43);
    for (int round = 0; round < 60; round++) {
        Move expected[BOARD_MAX_CELLS];
        fresh_board(&rig.board, 5 + round % 18, 9, 5, (Rule)(round % RULE_NB), 2);
        random_stones(&rig.board, &rng, 1 + (int)rng_below(&rng, 20));
        rig_open_here(&rig, QUICK "search.order=[score+history+killer+counter] moves.limit=0");
        assert_true(rig.search.params.quick_order);
        leave_traces(&rng);
        int count = board_slow_candidates(&rig.board, expected);
        Move first = round % 3 ? (Move)MOVE_NONE : random_free_cell(&rig.board, &rng, true);
        MoveList *list = movepick_fill(&rig.search, 3, first);
        bool seen[BOARD_MAX_CELLS] = {false};
        assert_int_equal(list->count, count);
        if (first != MOVE_NONE && count)
            assert_int_equal(list->move[0], first);
        for (int i = 0; i < count; i++)
            seen[list->move[i]] = true;
        for (int i = 0; i < count; i++)
            assert_true(seen[expected[i]]);
        Move all[BOARD_MAX_CELLS];
        memcpy(all, list->move, sizeof all);
        movepick_begin(&rig.search, 3, first);
        for (int i = 0; i < count; i++)
            assert_int_equal(movepick_move(&rig.search, 3, i), all[i]);
        rig_close(&rig);
    }
}

// Each part of the sum moves its move forward, for either side and either table of history.
static void test_movepick__quick_order_listens_to_each_part(void **state) {
    (void)state;
    static const char *const MOVES[] = {"h8 i9 c3", "h8 i9 c3 d12"}; // white, then black to move
    for (int side = 0; side < 2; side++)
        for (int shared = 0; shared < 2; shared++)
            for (int part = 0; part < 3; part++) {
                char settings[256];
                snprintf(settings, sizeof settings,
                         QUICK "search.order=[score+history+killer+counter] moves.limit=0 "
                               "history.gravity=yes history.table=%s",
                         shared ? "shared" : "colour");
                rig_open(&rig, 15, RULE_FREESTYLE, MOVES[side], settings);
                MoveList *list = movepick_fill(&rig.search, 0, MOVE_NONE);
                Move late = list->move[list->count / 2];
                int before = list->count / 2, now = 0;
                Colour mover = rig.board.side;
                if (part == 0)
                    rig.search.history[shared ? BLACK : mover][late] = 8000;
                else if (part == 1)
                    rig.search.killer[0][1] = late;
                else
                    rig.search.counter[mover][board_last_played(&rig.board)] = late;
                list = movepick_fill(&rig.search, 0, MOVE_NONE);
                while (list->move[now] != late)
                    now++;
                if (now >= before)
                    fail_msg("part %d, side %d, shared %d: no nearer to the front", part, side,
                             shared);
                rig_close(&rig);
            }
}

// An ordering without the score, or by one side's, is not that sum: it is sorted as it says.
static void test_movepick__other_orderings_are_not_quick(void **state) {
    (void)state;
    static const char *const OTHERS[] = {"[]",
                                         "[center]",
                                         "[history]",
                                         "[killer+counter]",
                                         "[score+center]",
                                         "[score:own]",
                                         "[score+history:both]",
                                         "[score+distance]",
                                         "[score,history]"};
    Rng rng = rng_init(44);
    for (size_t i = 0; i < ARRAY_LEN(OTHERS); i++) {
        char settings[256];
        snprintf(settings, sizeof settings, QUICK "moves.limit=0 search.order=%s", OTHERS[i]);
        fresh_board(&rig.board, 9, 9, 5, RULE_FREESTYLE, 2);
        random_stones(&rig.board, &rng, 12);
        rig_open_here(&rig, settings);
        leave_traces(&rng);
        check_lists(&rng);
        rig_close(&rig);
    }
}

// However large a history grows without gravity, it stays one part of the sum.
static void test_movepick__quick_order_bears_any_history(void **state) {
    (void)state;
    static const double SIZES[] = {1e4, 1e9, 1e15, 1e300, -1e300};
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9 c3", QUICK "search.order=[score+history]");
        MoveList *list = movepick_fill(&rig.search, 0, MOVE_NONE);
        int count = list->count;
        Move last = list->move[count - 1], front = list->move[0];
        rig.search.history[WHITE][SIZES[i] > 0 ? last : front] = SIZES[i];
        list = movepick_fill(&rig.search, 0, MOVE_NONE);
        assert_int_equal(list->count, count);
        for (int j = 0; j < count; j++)
            assert_true(board_is_free(&rig.board, list->move[j]));
        if (SIZES[i] >= 1e9)
            assert_int_equal(list->move[0], last);
        if (SIZES[i] < 0)
            assert_int_not_equal(list->move[0], front);
        rig_close(&rig);
    }
}

// --- what must be answered

static void check_forced(const char *moves, const char *expected, const char *settings) {
    rig_open(&rig, 15, RULE_FREESTYLE, moves, settings);
    MoveList *list = movepick_fill(&rig.search, 0, MOVE_NONE);
    Text text = {0};
    for (Move cell = 0; cell < board_cell_count(&rig.board); cell++)
        for (int i = 0; i < list->count; i++)
            if (list->move[i] == cell)
                text_printf(&text, " %s", notation_square(&rig.board, cell).text);
    if (strcmp(text_cstr(&text), expected) != 0)
        fail_msg("after %s:%s, expected%s", moves, text_cstr(&text), expected);
    text_release(&text);
    rig_close(&rig);
}

static void test_movepick__forced_answers(void **state) {
    (void)state;
    static const char FORCED[] = "moves.forced=yes moves.limit=0";
    check_forced("h8 a1 i8 a3 j8 a5 k8", " g8", FORCED);    // one of two fives
    check_forced("h8 g8 i8 a3 j8 a5 k8", " l8", FORCED);    // the only one
    check_forced("h8 g8 i8 a3 j8 a5 k8 a7", " l8", FORCED); // black's own five
    check_forced("h8 a1 i8 a3 j8", " f8 g8 k8 l8", FORCED); // an open three
    check_forced("h8 c1 i8 d1 j8 e1 o15 a9", " f8 g8 k8 l8 a1 b1 f1 g1",
                 FORCED); // and own fours
}

// Where the enemy threatens a double threat, what is left out loses: proved for some of it.
static void test_movepick__what_meets_no_danger_loses(void **state) {
    (void)state;
    static ThreatsProof proof;
    Rng rng = rng_init(45);
    ErrorText err = {{0}};
    int left_out = 0;
    for (int round = 0; round < 600 && left_out < 40; round++) {
        fresh_board(&rig.board, 11, 11, 5, (Rule)(round % RULE_NB), 2);
        random_stones(&rig.board, &rng, 6 + round % 10);
        Move all[BOARD_MAX_CELLS];
        int count = board_candidates(&rig.board, all), asked = 0;
        rig_open_here(&rig, QUICK "moves.forced=yes moves.limit=0");
        const MoveList *list = movepick_fill(&rig.search, 0, MOVE_NONE);
        Colour enemy = colour_other(rig.board.side);
        const ThreatMap *map = rig.eval.threats;
        bool is_plain = rig.board.wins[BLACK] + rig.board.wins[WHITE] == 0 &&
                        !threat_map_count(map, enemy, THREAT_FIVE) &&
                        !threat_map_count(map, enemy, THREAT_OPEN_FOUR) &&
                        !threat_map_count(map, rig.board.side, THREAT_FIVE);
        for (int i = 0; is_plain && i < count && asked < 4; i++) {
            bool is_kept = false;
            for (int j = 0; j < list->count; j++)
                is_kept |= list->move[j] == all[i];
            if (is_kept)
                continue;
            board_place(&rig.board, all[i]);
            assert_int_equal(proof_vct(&rig.board, 4000, &proof, &err), STATUS_OK);
            assert_int_equal(proof.answer, PROOF_WIN);
            board_undo(&rig.board);
            asked++;
        }
        left_out += asked;
        rig_close(&rig);
    }
    assert_true(left_out >= 20);
}

static void test_movepick__learning_follows_the_knobs(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int depth, root_depth, index;
        bool is_own;         // is the searching player to move?
        double own, waiting; // histories afterwards, of the mover and of the other colour
    } CASES[] = {
        {"search.order=[history]", 5, 8, 2, true, 25, 0},
        {"search.order=[history]", 5, 8, 2, false, 25, 0},
        {"search.order=[score]", 5, 8, 2, true, 0, 0}, // nobody reads it
        {"search.order=[history] history.bonus=flat:7", 5, 8, 2, true, 7, 0},
        {"search.order=[history] history.bonus=halving:64", 5, 8, 2, true, 8, 0},
        {"search.order=[history] history.bonus=halving:7", 5, 8, 2, true, 0, 0}, // 7 / 8, floored
        {"search.order=[history] history.bonus=halving:64", 8, 8, 2, true, 64, 0},
        {"search.order=[history] history.nodes=max", 5, 8, 2, true, 25, 0},
        {"search.order=[history] history.nodes=max", 5, 8, 2, false, 0, 0},
        {"search.order=[history] history.skip_first=yes", 5, 8, 0, true, 0, 0},
        {"search.order=[history] history.skip_first=yes", 5, 8, 1, true, 25, 0},
        {"search.order=[history] history.gravity=yes", 5, 8, 0, true, 800, 0}, // 32 times
        {"search.order=[history] history.gravity=yes", 64, 64, 0, true, 2048, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9", CASES[i].settings);
        rig.search.own = CASES[i].is_own ? BLACK : WHITE;
        rig.search.root_depth = CASES[i].root_depth;
        movepick_fill(&rig.search, 2, MOVE_NONE);
        Move move = rig.search.list[2].move[CASES[i].index];
        movepick_learn(&rig.search, CASES[i].depth, 2, move, CASES[i].index);
        if (rig.search.history[BLACK][move] != CASES[i].own ||
            rig.search.history[WHITE][move] != CASES[i].waiting)
            fail_msg("%s: %g and %g", CASES[i].settings, rig.search.history[BLACK][move],
                     rig.search.history[WHITE][move]);
        rig_close(&rig);
    }
}

// White learns into its own table, or into the one table there is.
static void test_movepick__white_learns_too(void **state) {
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        rig_open(&rig, 15, RULE_FREESTYLE, "h8",
                 shared ? "search.order=[history] history.table=shared" : "search.order=[history]");
        movepick_fill(&rig.search, 1, MOVE_NONE);
        Move move = rig.search.list[1].move[4];
        movepick_learn(&rig.search, 3, 1, move, 4);
        assert_true(rig.search.history[shared ? BLACK : WHITE][move] == 9);
        assert_true(rig.search.history[shared ? WHITE : BLACK][move] == 0);
        assert_int_equal(movepick_fill(&rig.search, 1, MOVE_NONE)->move[0], move);
        rig_close(&rig);
    }
}

// With gravity what was tried before the cutoff loses as much, and nothing passes the limit.
static void test_movepick__gravity_bounds_and_punishes(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9", "search.order=[history] history.gravity=yes");
    movepick_fill(&rig.search, 0, MOVE_NONE);
    Move tried = rig.search.list[0].move[0], cutter = rig.search.list[0].move[1];
    double last = 0;
    for (int i = 0; i < 200; i++) {
        movepick_learn(&rig.search, 10, 0, cutter, 1);
        assert_true(rig.search.history[BLACK][cutter] >= last);
        last = rig.search.history[BLACK][cutter];
    }
    assert_true(last > 8000 && last <= 8192);
    assert_true(rig.search.history[BLACK][tried] == -last);
    rig_close(&rig);
}

static void test_movepick__killers_and_counters(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9", "search.order=[killer,counter] moves.limit=0");
    Move a = rig_cell(&rig, "g7"), b = rig_cell(&rig, "g9"), last = rig_cell(&rig, "i9");
    movepick_fill(&rig.search, 4, MOVE_NONE);
    movepick_learn(&rig.search, 3, 4, a, 1);
    assert_int_equal(rig.search.killer[4][0], a);
    assert_int_equal(rig.search.killer[4][1], MOVE_NONE);
    movepick_learn(&rig.search, 3, 4, b, 1);
    movepick_learn(&rig.search, 3, 4, b, 1); // twice the same is one killer
    assert_int_equal(rig.search.killer[4][0], b);
    assert_int_equal(rig.search.killer[4][1], a);
    assert_int_equal(rig.search.killer[5][0], MOVE_NONE); // of another ply
    assert_int_equal(rig.search.counter[BLACK][last], b);
    assert_int_equal(rig.search.counter[WHITE][last], MOVE_NONE);
    MoveList *list = movepick_fill(&rig.search, 4, MOVE_NONE);
    assert_int_equal(list->move[0], b);
    assert_int_equal(list->move[1], a);
    search_clear(&rig.search); // a new game knows none of it
    assert_int_equal(rig.search.killer[4][0], MOVE_NONE);
    assert_int_equal(rig.search.counter[BLACK][last], MOVE_NONE);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movepick__equals_a_plain_sort),
        cmocka_unit_test(test_movepick__from_scratch_is_the_same),
        cmocka_unit_test(test_movepick__boards_without_stones_or_cells),
        cmocka_unit_test(test_movepick__quick_lists_hold_every_candidate_once),
        cmocka_unit_test(test_movepick__quick_order_listens_to_each_part),
        cmocka_unit_test(test_movepick__other_orderings_are_not_quick),
        cmocka_unit_test(test_movepick__quick_order_bears_any_history),
        cmocka_unit_test(test_movepick__forced_answers),
        cmocka_unit_test(test_movepick__what_meets_no_danger_loses),
        cmocka_unit_test(test_movepick__learning_follows_the_knobs),
        cmocka_unit_test(test_movepick__white_learns_too),
        cmocka_unit_test(test_movepick__gravity_bounds_and_punishes),
        cmocka_unit_test(test_movepick__killers_and_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
