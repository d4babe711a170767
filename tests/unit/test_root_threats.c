// SPDX-License-Identifier: GPL-3.0-or-later
// What threats prove at the root: wins with their lines, the moves that hold against fours and no
// others, moves that lose to threats, and the table that the proofs are kept in.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/search/root_threats.h"
#include "engine/search/vcf.h"
#include "engine/search/vct_table.h"
#include "tests/support/search_rig.h"

static SearchRig rig;

#define VCF "search.algorithm=pvs eval.model=threat search.vcf=root "
#define VCT "search.algorithm=pvs eval.model=threat search.vct=root "

static void assert_unchanged(uint64_t key) {
    assert_int_equal(rig.board.key, key);
    assert_true(threat_map_slow_agrees(rig.eval.threats, &rig.board));
}

static void test_root_threats__wins_have_a_line_that_wins(void **state) {
    (void)state;
    static const struct {
        const char *moves, *settings;
        int plies; // 0: no win
    } CASES[] = {
        {"h8 a1 i8 a3 j8 a5 k8 a7", VCF, 1},
        {"h8 a1 i8 a3 j8 a5", VCF, 3},
        {"h8 a1 i8 a3 j8 a5", VCT, 3},
        {"h8 i9 g7", VCF, 0},
        {"h8 i9 g7", VCT, 0},
        {"h8 a1 i8 a3 j8 a5", "search.algorithm=pvs eval.model=threat search.vcf=leaves", 0},
        {"h8 a1 i8 a3 j8 a5 k8 a7 l8", VCF, 0}, // over
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        SearchResult result = {.move = -7};
        rig_open(&rig, 15, RULE_FREESTYLE, CASES[i].moves, CASES[i].settings);
        uint64_t key = rig.board.key;
        bool wins = root_threats_win(&rig.search, &result);
        assert_unchanged(key);
        assert_int_equal(wins, CASES[i].plies > 0);
        if (!wins) {
            assert_int_equal(result.move, -7);
        } else {
            Colour mover = rig.board.side;
            assert_true(result.value == VALUE_WIN - CASES[i].plies);
            assert_int_equal(result.pv.length, CASES[i].plies);
            assert_int_equal(result.pv.move[0], result.move);
            for (int ply = 0; ply < result.pv.length; ply++) {
                assert_true(board_is_free(&rig.board, result.pv.move[ply]));
                board_place(&rig.board, result.pv.move[ply]);
            }
            assert_true(rig.board.wins[mover] > 0);
        }
        rig_close(&rig);
    }
}

// Does the side to move win by fours? Asked of a solver of its own.
static bool wins_by_fours(void) {
    static VcfSolver solver;
    static ThreatMap map;
    ErrorText err = {{0}};
    VcfResult result;
    assert_int_equal(threat_map_init(&map, &rig.board, NULL, &err), STATUS_OK);
    assert_int_equal(vcf_init(&solver, &rig.board, &map, 12, &err), STATUS_OK);
    vcf_solve(&solver, VCF_MAX_FOURS, 0, &result);
    vcf_release(&solver);
    return result.answer == VCF_WIN || result.answer == VCF_FIVE_NOW;
}

static bool is_four(Move cell) {
    return rig.eval.threats->threat[rig.board.side][cell] >= THREAT_FOUR;
}

// The kept moves are just those after which the enemy has no win by fours, and the mover's fours.
static bool check_restriction(void) {
    uint64_t key = rig.board.key;
    root_threats_restrict(&rig.search);
    assert_unchanged(key);
    bool kept[BOARD_MAX_CELLS] = {false}, any_holds = false;
    for (int i = 0; i < rig.search.root_count; i++) {
        kept[rig.search.root_move[i]] = true;
        assert_true(i == 0 || rig.search.root_move[i] > rig.search.root_move[i - 1]);
    }
    for (Move cell = 0; cell < board_cell_count(&rig.board); cell++) {
        if (!board_is_free(&rig.board, cell))
            continue;
        bool four = is_four(cell);
        eval_place(&rig.eval, &rig.board, cell);
        bool holds = !wins_by_fours();
        eval_undo(&rig.eval, &rig.board);
        any_holds |= holds && !four;
        if (rig.search.root_count)
            assert_int_equal(kept[cell], four || holds);
    }
    if (!any_holds)
        assert_int_equal(rig.search.root_count, 0); // left alone
    return rig.search.root_count > 0;
}

static void test_root_threats__keeps_the_moves_that_hold(void **state) {
    (void)state;
    Rng rng = rng_init(111);
    int restricted = 0;
    for (int round = 0; round < 250 && restricted < 12; round++) {
        fresh_board(&rig.board, 9, 9, 5, (Rule)(round % RULE_NB), 2);
        for (int i = 0; i < 6 + round % 14; i++) {
            Move cell = random_free_cell(&rig.board, &rng, true);
            if (!board_wins_at(&rig.board, cell, rig.board.side))
                board_place(&rig.board, cell);
        }
        rig_open_here(&rig, VCF);
        bool fives = threat_map_count(rig.eval.threats, BLACK, THREAT_FIVE) ||
                     threat_map_count(rig.eval.threats, WHITE, THREAT_FIVE);
        if (!fives)
            restricted += check_restriction();
        rig_close(&rig);
    }
    assert_true(restricted >= 8);
}

static void test_root_threats__does_not_restrict_without_need(void **state) {
    (void)state;
    static const char *const CALM[] = {
        "h8 i9 g7",                // nothing threatens
        "h8 a1 i8 a3 j8 a5 k8",    // a five does: no question of fours
        "h8 a1 i8 a3 j8 a5 k8 a7", // an own five
        "-",
    };
    for (size_t i = 0; i < ARRAY_LEN(CALM); i++) {
        rig_open(&rig, 15, RULE_FREESTYLE, CALM[i], VCF);
        rig.search.root_count = 3; // of an earlier search
        rig.search.root_loss[5] = 9;
        root_threats_restrict(&rig.search);
        assert_int_equal(rig.search.root_count, 0);
        assert_int_equal(rig.search.root_loss[5], 0);
        rig_close(&rig);
    }
}

static void test_root_threats__applies_in_the_order_of_the_list(void **state) {
    (void)state;
    static MoveList list;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8", VCF);
    static const Move CANDIDATES[] = {40, 10, 30, 20}, KEPT[] = {5, 20, 40, 70};
    memcpy(list.move, CANDIDATES, sizeof CANDIDATES);
    list.count = 4;
    root_threats_apply(&rig.search, &list); // nothing to apply
    assert_int_equal(list.count, 4);
    memcpy(rig.search.root_move, KEPT, sizeof KEPT);
    rig.search.root_count = 4;
    root_threats_apply(&rig.search, &list);
    static const Move EXPECTED[] = {40, 20, 5, 70};
    assert_int_equal(list.count, 4);
    assert_memory_equal(list.move, EXPECTED, sizeof EXPECTED);
    rig_close(&rig);
}

// A move that leaves the enemy an open three loses to threats; each is asked once, from depth 3 on.
static void test_root_threats__values_of_moves_that_lose(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 a1 i8 a3 j8", VCT);
    Move elsewhere = rig_cell(&rig, "o15"), holds = rig_cell(&rig, "k8");
    uint64_t key = rig.board.key;
    root_threats_restrict(&rig.search);
    rig.search.root_depth = 2;
    assert_true(root_threats_value(&rig.search, elsewhere, 11) == 11); // too shallow
    rig.search.root_depth = 3;
    assert_true(root_threats_value(&rig.search, elsewhere, 11) == -(VALUE_WIN - 4));
    assert_true(root_threats_value(&rig.search, elsewhere, 12) == -(VALUE_WIN - 4)); // remembered
    assert_true(root_threats_value(&rig.search, elsewhere, VALUE_WIN - 9) == VALUE_WIN - 9);
    uint64_t left = rig.search.root_nodes_left;
    assert_true(root_threats_value(&rig.search, holds, 13) == 13);
    assert_true(rig.search.root_nodes_left <= left);
    assert_int_equal(rig.search.root_loss[holds], -1);
    assert_unchanged(key);
    rig.search.root_loss[elsewhere] = 0;
    rig.search.root_nodes_left = 0; // none left to ask with
    assert_true(root_threats_value(&rig.search, elsewhere, 14) == 14);
    rig_close(&rig);
}

// --- the table of proof numbers

static VctTable table;

static void put(uint64_t key, uint32_t pn, uint32_t dn) {
    vct_table_store(&table, key, (VctNumbers){.pn = pn, .dn = dn});
}

static void test_vct_table__gives_back_numbers_and_proofs(void **state) {
    (void)state;
    VctNumbers found = {.pn = 3, .dn = 4, .plies = 5};
    ErrorText err = {{0}};
    assert_int_equal(vct_table_init(&table, 8, &err), STATUS_OK);
    assert_false(vct_table_find(&table, 77, &found));
    assert_true(found.pn == 3 && found.dn == 4 && found.plies == 5); // untouched
    put(77, 5, 9);
    assert_true(vct_table_find(&table, 77, &found));
    assert_true(found.pn == 5 && found.dn == 9);
    vct_table_store(&table, 77, vct_proved(13));
    assert_true(vct_table_find(&table, 77, &found));
    assert_true(found.pn == 0 && found.dn == VCT_INFINITE && found.plies == 13);
    vct_table_store(&table, 77, vct_disproved());
    assert_true(vct_table_find(&table, 77, &found));
    assert_true(found.pn == VCT_INFINITE && found.dn == 0);
    vct_table_clear(&table);
    assert_false(vct_table_find(&table, 77, &found));
    vct_table_release(&table);
    assert_null(table.entries);
}

// In a full bucket the entry goes that cost the least work; proofs and disproofs stay longest.
static void test_vct_table__keeps_what_cost_most(void **state) {
    (void)state;
    VctNumbers found;
    ErrorText err = {{0}};
    assert_int_equal(vct_table_init(&table, 8, &err), STATUS_OK);
    uint64_t step = table.mask + 1; // keys of one bucket
    vct_table_store(&table, 1 * step, vct_proved(5));
    vct_table_store(&table, 2 * step, vct_disproved());
    put(3 * step, 100, 100);
    put(4 * step, 2, 3);
    put(5 * step, 1, 1); // in the place of the cheapest
    assert_false(vct_table_find(&table, 4 * step, &found));
    put(6 * step, 40, 1);
    assert_false(vct_table_find(&table, 5 * step, &found));
    assert_true(vct_table_find(&table, 1 * step, &found) && found.plies == 5);
    assert_true(vct_table_find(&table, 2 * step, &found) && found.dn == 0);
    assert_true(vct_table_find(&table, 3 * step, &found) && found.pn == 100);
    assert_true(vct_table_find(&table, 6 * step, &found) && found.pn == 40);
    put(6 * step, 1, 2); // of the same position the newest counts
    assert_true(vct_table_find(&table, 6 * step, &found) && found.pn == 1 && found.dn == 2);
    vct_table_release(&table);
}

static void test_vct_table__never_gives_back_anything_else(void **state) {
    (void)state;
    enum { KEYS = 600 };
    uint32_t last[KEYS] = {0};
    ErrorText err = {{0}};
    Rng rng = rng_init(112);
    assert_int_equal(vct_table_init(&table, 8, &err), STATUS_OK);
    for (int i = 0; i < 20000; i++) {
        VctNumbers found;
        uint64_t which = rng_below(&rng, KEYS), key = rng_mix(3, which);
        if (vct_table_find(&table, key, &found))
            assert_true(found.pn == last[which] && found.dn == last[which] + 1);
        last[which] = 1 + (uint32_t)rng_below(&rng, 1000);
        put(key, last[which], last[which] + 1);
        assert_true(vct_table_find(&table, key, &found) && found.pn == last[which]);
    }
    vct_table_release(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root_threats__wins_have_a_line_that_wins),
        cmocka_unit_test(test_root_threats__keeps_the_moves_that_hold),
        cmocka_unit_test(test_root_threats__does_not_restrict_without_need),
        cmocka_unit_test(test_root_threats__applies_in_the_order_of_the_list),
        cmocka_unit_test(test_root_threats__values_of_moves_that_lose),
        cmocka_unit_test(test_vct_table__gives_back_numbers_and_proofs),
        cmocka_unit_test(test_vct_table__keeps_what_cost_most),
        cmocka_unit_test(test_vct_table__never_gives_back_anything_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
