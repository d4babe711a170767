// SPDX-License-Identifier: GPL-3.0-or-later
// Files of verifications: every key, what holds without it, and every mistake with its place.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/cli/verify_config.h"
#include "tests/support/scratch_folder.h"

#include <string.h>

static Status load(const char *text, VerifyConfig *out, ErrorText *err) {
    scratch_file_write("v.yaml", text);
    *err = (ErrorText){""};
    return verify_config_load("v.yaml", NULL, NULL, -1, out, err);
}

static void test_verify_config__a_player_alone_has_every_default(void **state) {
    (void)state;
    VerifyConfig config;
    ErrorText err;
    bool is_own = true;
    if (load("search.depth: 3\n", &config, &err))
        fail_msg("%s", err.text);
    assert_int_equal(verify_config_is("v.yaml", &is_own, &err), STATUS_OK);
    assert_false(is_own);
    assert_null(config.name);
    assert_null(config.positions_file);
    assert_null(config.positions_db);
    assert_int_equal(config.random, 50);
    assert_int_equal(config.limit, 0);
    assert_int_equal(config.plies[0], 4);
    assert_int_equal(config.plies[1], 30);
    assert_int_equal(config.seed, 1);
    assert_int_equal(config.depth_count, 3);
    assert_int_equal(config.depths[2], 3);
    assert_int_equal(config.node_limit, 1000000);
    assert_int_equal(config.board, 15);
    assert_int_equal(config.tie, VERIFY_TIE_BOARD);
    assert_int_equal(config.player.number[KNOB_SEARCH_DEPTH], 3);
    assert_int_equal(config.reference.number[KNOB_SEARCH_ALGORITHM], ALGORITHM_MINIMAX);
    assert_true(config.candidates.count > 20); // all
    verify_config_release(&config);
}

static void test_verify_config__every_key_is_read(void **state) {
    (void)state;
    VerifyConfig config;
    ErrorText err;
    scratch_file_write("base.yaml", "search.depth: 5\n");
    if (load("name: mine\n"
             "player: base.yaml\n"
             "reference: {search.algorithm: alphabeta, search.depth: 2}\n"
             "candidates: [table, {name: wide, moves.limit: 12}, {moves.limit: 13}]\n"
             "positions: {file: sub/p.tsv, db: /tmp/g.db, random: 7, plies: [0, 9], limit: 8,\n"
             "            seed: 18446744073709551615}\n"
             "depths: [4, 2]\n"
             "rule: standard\n"
             "board: 10\n"
             "node_limit: 1000000000000000\n"
             "tie: order\n",
             &config, &err))
        fail_msg("%s", err.text);
    assert_string_equal(config.name, "mine");
    assert_string_equal(config.positions_file, "sub/p.tsv");
    assert_string_equal(config.positions_db, "/tmp/g.db");
    assert_int_equal(config.player.number[KNOB_SEARCH_DEPTH], 5);
    assert_int_equal(config.reference.number[KNOB_SEARCH_DEPTH], 2);
    assert_int_equal(config.reference.number[KNOB_SEARCH_ALGORITHM], ALGORITHM_ALPHABETA);
    assert_int_equal(config.candidates.count, 3);
    assert_string_equal(config.candidates.items[0].name, "table");
    assert_string_equal(config.candidates.items[1].name, "wide");
    assert_int_equal(config.candidates.items[1].knobs.number[KNOB_MOVES_LIMIT], 12);
    assert_string_equal(config.candidates.items[2].name, "candidate-3");
    assert_int_equal(config.random, 7);
    assert_int_equal(config.limit, 8);
    assert_int_equal(config.plies[0], 0);
    assert_int_equal(config.plies[1], 9);
    assert_true(config.seed == UINT64_MAX);
    assert_int_equal(config.depth_count, 2);
    assert_int_equal(config.depths[0], 4);
    assert_int_equal(config.rule, RULE_STANDARD);
    assert_int_equal(config.board, 10);
    assert_true(config.node_limit == INT64_C(1000000000000000));
    assert_int_equal(config.tie, VERIFY_TIE_ORDER);
    verify_config_release(&config);
}

static void test_verify_config__shorthands(void **state) {
    (void)state;
    VerifyConfig config;
    ErrorText err;
    if (load("player: {search.depth: 2}\ncandidates: alphabeta\ndepths: 6\n", &config, &err))
        fail_msg("%s", err.text);
    assert_int_equal(config.candidates.count, 1);
    assert_string_equal(config.candidates.items[0].name, "alphabeta");
    assert_int_equal(config.depth_count, 1);
    assert_int_equal(config.depths[0], 6);
    verify_config_release(&config);
}

// What the command line says goes before the file; a player's knobs may be changed by --set.
static void test_verify_config__the_command_line_counts_more(void **state) {
    (void)state;
    VerifyConfig config;
    ErrorText err = {""};
    const char *sets[] = {"search.depth=4"}, *words[] = {"pvs", "random:2"};
    OptionList set_list = {sets, 1}, word_list = {words, 2};
    scratch_file_write("v.yaml", "player: {search.depth: 2}\ncandidates: [no-such-word]\n"
                                 "positions.seed: 5\n");
    if (verify_config_load("v.yaml", &set_list, &word_list, 9, &config, &err))
        fail_msg("%s", err.text);
    assert_int_equal(config.player.number[KNOB_SEARCH_DEPTH], 4);
    assert_int_equal(config.seed, 9);
    assert_int_equal(config.candidates.count, 3);
    assert_string_equal(config.candidates.items[0].name, "pvs");
    verify_config_release(&config);
    words[0] = "no-such-word";
    assert_int_equal(verify_config_load("v.yaml", NULL, &word_list, -1, &config, &err),
                     STATUS_INVALID);
    assert_ptr_equal(strstr(err.text, "--candidate: "), err.text);
    sets[0] = "search.depht=4";
    assert_int_equal(verify_config_load("v.yaml", &set_list, NULL, -1, &config, &err),
                     STATUS_INVALID);
    assert_string_equal(err.text, "--set search.depht=4: unknown key 'search.depht', nearest is "
                                  "'search.depth'");
}

#define P "player: {search.depth: 2}\n"

static const struct {
    const char *text, *message;
} BAD[] = {
    {P "depth: [1]\n", "v.yaml:2:1: unknown key 'depth', nearest is 'depths'"},
    {P "positions: {radom: 3}\n",
     "v.yaml:2:13: unknown key 'positions.radom', nearest is 'positions.random'"},
    {P "depths: []\n", "v.yaml:2:9: depths: expected up to 16 whole numbers 1..64"},
    {P "depths: [0]\n", "v.yaml:2:10: depths: '0', expected up to 16 whole numbers 1..64"},
    {P "depths: [1, 65]\n", "v.yaml:2:13: depths: '65', expected up to 16 whole numbers 1..64"},
    {P "depths: [1, [2]]\n", "v.yaml:2:13: depths: a list, expected up to 16 whole numbers 1..64"},
    {P "depths: {a: 1}\n", "v.yaml:2:9: depths: expected up to 16 whole numbers 1..64"},
    {P "depths: [2, 3, 2]\n", "v.yaml:2:9: depths: 2 is given twice"},
    {P "candidates: ['pvs', 'search.tt_mb=1;search.depth=4']\n",
     "v.yaml:2:21: candidate 'search.tt_mb=1;search.depth=4': all are searched to the same depths"},
    {P "depths: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n",
     "v.yaml:2:9: depths: expected up to 16 whole numbers 1..64"},
    {P "positions.plies: 5\n",
     "v.yaml:2:18: positions.plies: expected two numbers, the smaller first"},
    {P "positions.plies: [9, 4]\n",
     "v.yaml:2:18: positions.plies: expected two numbers, the smaller first"},
    {P "positions.plies: [1, 2, 3]\n",
     "v.yaml:2:18: positions.plies: expected two whole numbers 0..400"},
    {P "positions.plies: [1, 401]\n",
     "v.yaml:2:22: positions.plies: '401', expected two whole numbers 0..400"},
    {P "positions.file: [a]\n", "v.yaml:2:17: positions.file: a list, expected the path of a file"},
    {P "positions.db:\n", "v.yaml:2:14: positions.db: nothing, expected the path of a database"},
    {P "positions.random: 0\n",
     "v.yaml:2:19: positions.random: '0', expected a whole number 1..10000000"},
    {P "node_limit: x\n", "v.yaml:2:13: node_limit: 'x', expected a whole number 1..1e+15"},
    {P "rule: renju\n", "v.yaml:2:7: rule: 'renju', expected one of freestyle|standard"},
    {P "board: 23\n", "v.yaml:2:8: board: '23', expected a whole number 2..22"},
    {P "tie: none\n", "v.yaml:2:6: tie: 'none', expected one of board|order"},
    {P "candidates: []\n", "v.yaml:2:13: candidates: none, expected at least one"},
    {P "candidates: [[pvs]]\n", "v.yaml:2:14: a list, expected a name or a map"},
    {P "candidates: [pvs, orderngs]\n", "v.yaml:2:19: candidate 'orderngs': expected "},
    {"player: {search.algorithm: pvs, search.lmr: yes}\ncandidates: [pvs, alphabeta]\n",
     "v.yaml:2:19: candidate 'alphabeta': search.lmr and search.singular ask "},
    {P "candidates: [{moves.limt: 3}]\n",
     "v.yaml:2:15: unknown key 'moves.limt', nearest is 'moves.limit'"},
    {P "candidates: [{search.algorithm: minimax, search.tt_mb: 1}]\n",
     "v.yaml:2:14: search.tt_mb: plain minimax uses no transposition table; set it to 0"},
    {P "reference: minimax\n", "v.yaml:2:12: reference: expected a map of a player's keys"},
    {P "reference: {search.depth: x}\n",
     "v.yaml:2:27: search.depth: 'x', expected a whole number 1..64"},
    {"depths: [1]\n", "v.yaml:1:1: no player, expected 'player: PATH'"},
    {"player: nowhere.yaml\n", "v.yaml:1:9: base 'nowhere.yaml': nowhere.yaml: No such file"},
    {"player: {search.algorithm: greedy}\n",
     "v.yaml:1:9: search.algorithm greedy: only minimax, alphabeta and pvs have minimax values"},
    {"search.algorithm: mcts\n", "v.yaml:1:1: search.algorithm mcts: only minimax"},
    {"- a\n", "v.yaml:1:1: a list, expected a map of keys and values"},
    {P "name: [x]\n", "v.yaml:2:7: name: a list, expected text"},
};

static void test_verify_config__mistakes_have_a_place_and_a_name(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        VerifyConfig config = {.random = 77};
        ErrorText err;
        Status status = load(BAD[i].text, &config, &err);
        if ((status != STATUS_INVALID && status != STATUS_NOT_FOUND) ||
            strncmp(err.text, BAD[i].message, strlen(BAD[i].message)) != 0)
            fail_msg("%s: '%s', expected '%s'", BAD[i].text, err.text, BAD[i].message);
        assert_int_equal(config.random, 77); // untouched
    }
}

static void test_verify_config__a_program_cannot_be_verified(void **state) {
    (void)state;
    VerifyConfig config;
    ErrorText err;
    assert_int_equal(load("player: {engine: {command: sh}}\n", &config, &err), STATUS_UNSUPPORTED);
    assert_string_equal(err.text, "v.yaml:1:9: an external program cannot be verified");
    bool is_own;
    assert_int_equal(verify_config_is("nowhere.yaml", &is_own, &err), STATUS_NOT_FOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verify_config__a_player_alone_has_every_default),
        cmocka_unit_test(test_verify_config__every_key_is_read),
        cmocka_unit_test(test_verify_config__shorthands),
        cmocka_unit_test(test_verify_config__the_command_line_counts_more),
        cmocka_unit_test(test_verify_config__mistakes_have_a_place_and_a_name),
        cmocka_unit_test(test_verify_config__a_program_cannot_be_verified),
    };
    return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
