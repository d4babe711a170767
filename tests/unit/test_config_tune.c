// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tunes: every key, and the mistakes that the tests of the command leave out.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/cli/config_tune.h"
#include "tests/support/scratch_folder.h"

#include <string.h>

static const char MINIMAL[] = "base: base.yaml\n"
                              "openings: book.txt\n"
                              "budget: {games: 480}\n"
                              "knobs: [{key: eval.defense, low: 0.5, high: 2.5}]\n";

static Status load(const char *text, const OptionList *sets, TuneSpec *out, ErrorText *err) {
    scratch_file_write("base.yaml", "name: start\nsearch.depth: 2\n");
    scratch_file_write("book.txt", "h8\nh8i9\n");
    scratch_file_write("t.yaml", text);
    *err = (ErrorText){""};
    return config_load_tune("t.yaml", sets, out, NULL, err);
}

static void test_config_tune__what_is_not_said_has_its_default(void **state) {
    (void)state;
    TuneSpec spec = {0};
    ErrorText err;
    if (load(MINIMAL, NULL, &spec, &err))
        fail_msg("%s", err.text);
    assert_string_equal(spec.name, "t"); // of the file
    assert_string_equal(spec.method, "spsa");
    assert_string_equal(spec.text, MINIMAL);
    assert_string_equal(spec.base_path, "base.yaml");
    assert_null(spec.output);
    assert_int_equal(spec.budget_games, 480);
    assert_int_equal(spec.scan_pairs, 100);
    assert_int_equal(spec.seed, 1);
    assert_true(spec.held_out == 0.5);
    assert_int_equal(spec.knob_count, 1);
    assert_int_equal(spec.order_count, 0);
    assert_int_equal(spec.proof.anchor_count, 0);
    assert_true(spec.knobs[0].start == spec.base.knobs.number[KNOB_EVAL_DEFENSE]);
    assert_false(spec.knobs[0].is_log || spec.knobs[0].is_whole);
    assert_string_equal(spec.said_at[TUNE_KEY_BUDGET], "t.yaml:3:17: budget.games");
    assert_string_equal(spec.said_at[TUNE_KEY_OUTPUT], "t.yaml:1:1: output"); // nowhere: the file
    assert_int_equal(spec.match.width, 15);
    assert_int_equal(spec.match.openings.file_hash.text[16], '\0');
    tune_spec_release(&spec);
}

static void test_config_tune__every_key_is_read(void **state) {
    (void)state;
    TuneSpec spec = {0};
    ErrorText err;
    const char *set[] = {"budget.iterations=7", "seed=18446744073709551615"};
    OptionList sets = {set, 2};
    if (load(
            "name: mine\nmethod: random\noutput: sub/out.yaml\nrule: standard\nboard: 13\n"
            "split: 0.25\nopenings: {file: book.txt, format: pos, rows: top}\n"
            "player: {search.depth: 3, name: inner}\n"
            "scan: {pairs: 11}\n"
            "spsa: {pairs: 4, effect_elo: 5, rate: 0.02, alpha: 0.7, gamma: 0.2, stability: 0.3}\n"
            "random: {pairs: 16, z: 2}\n"
            "texel: {database: g.db, positions: 5, per_game: 3, folds: 4, l2: 0.1}\n"
            "knobs:\n"
            "  - {key: eval.five, low: 1000, high: 100000, start: 20000, scale: log}\n"
            "  - {key: search.depth, low: 1, high: 5}\n"
            "constraints: [five > depth]\n"
            "proof: {pairs: 9, anchor_pairs: 8, transfer_pairs: 7, elo0: -1, elo1: 6, alpha: 0.1,\n"
            "        beta: 0.2, anchors: [{name: one}, {name: other, search.depth: 1}]}\n",
            &sets, &spec, &err)) {
        // Not every key has the name used here: the message names the nearest.
        fail_msg("%s", err.text);
    }
    assert_string_equal(spec.name, "mine");
    assert_string_equal(spec.method, "random");
    assert_string_equal(spec.output, "sub/out.yaml");
    assert_int_equal(spec.match.rule, RULE_STANDARD);
    assert_int_equal(spec.match.height, 13);
    assert_true(spec.held_out == 0.25);
    assert_int_equal(spec.match.openings.rows, ROWS_TOP);
    assert_true(spec.seed == UINT64_MAX);
    assert_int_equal(spec.budget_iterations, 7);
    assert_string_equal(spec.base.name, "inner");
    assert_null(spec.base_path);
    assert_int_equal(spec.scan_pairs, 11);
    assert_int_equal(spec.spsa.pairs, 4);
    assert_true(spec.spsa.rate == 0.02 && spec.spsa.alpha == 0.7 && spec.spsa.gamma == 0.2);
    assert_int_equal(spec.random.pairs, 16);
    assert_true(spec.random.z == 2);
    assert_string_equal(spec.texel.database, "g.db");
    assert_int_equal(spec.texel.positions, 5);
    assert_int_equal(spec.knob_count, 2);
    assert_true(spec.knobs[0].is_log && !spec.knobs[1].is_log);
    assert_true(spec.knobs[1].is_whole);
    assert_true(spec.base.knobs.number[KNOB_EVAL_FIVE] == 20000); // the start is the base's
    assert_int_equal(spec.order_count, 1);
    assert_int_equal(spec.proof.pairs, 9);
    assert_int_equal(spec.proof.anchor_count, 2);
    assert_string_equal(spec.proof.anchors[1].name, "other");
    assert_true(spec.proof.elo0 == -1 && spec.proof.beta == 0.2);
    tune_spec_release(&spec);
}

#define KNOB "knobs: [{key: eval.defense, low: 0.5, high: 2.5}]\n"
#define BASE "base: base.yaml\n"
#define BOOK "openings: book.txt\n"
#define GAMES "budget.games: 480\n"

static const struct {
    const char *text, *message;
} BAD[] = {
    {BASE BOOK GAMES KNOB "name: a/b\n", "t.yaml:5:7: name: 'a/b', expected a file name"},
    {BASE BOOK GAMES KNOB "name: .x\n", "t.yaml:5:7: name: '.x', expected a file name"},
    {BASE BOOK GAMES KNOB "name: ''\n", "t.yaml:5:7: name: '', expected a file name"},
    {BASE GAMES KNOB "openings: ''\n", "t.yaml:4:11: openings: '', expected the path of a file"},
    {BASE GAMES KNOB "openings: [a]\n",
     "t.yaml:4:11: openings: a list, expected the path of a file"},
    {BASE GAMES KNOB "openings.file: sub/none.txt\n",
     "t.yaml:4:16: openings.file: sub/none.txt: No such file or directory"},
    {BASE GAMES KNOB "openings: {file: book.txt, from: pos}\n",
     "t.yaml:4:28: unknown key 'openings.from'; `gomolab keys --tune` lists them"},
    {BASE BOOK GAMES "knobs: {}\n", "t.yaml:4:8: knobs: a map, expected a list of knobs to tune"},
    {BASE BOOK GAMES "knobs: []\n", "t.yaml:4:8: knobs: a list, expected a list of knobs to tune"},
    {BASE BOOK GAMES "knobs: [five]\n", "t.yaml:4:9: knobs: 'five', expected a map"},
    {BOOK GAMES KNOB "player: classic\n",
     "t.yaml:4:9: player: 'classic', expected a map of a player's keys"},
    {BOOK GAMES KNOB "player: {engine: {command: sh}}\n",
     "t.yaml:4:9: the base is an external program: its knobs cannot be tuned"},
    {BASE BOOK GAMES KNOB "constraints: a > b\n",
     "t.yaml:5:14: constraints: 'a > b', expected a list of chains"},
    {BASE BOOK GAMES KNOB "constraints: [[a]]\n",
     "t.yaml:5:15: constraints: a list, expected a chain"},
    {BASE BOOK GAMES KNOB "constraints: [eval.defense > defense]\n",
     "t.yaml:5:15: constraints: defense > defense cannot be kept"},
    {BASE BOOK GAMES KNOB "proof.anchors: base.yaml\n",
     "t.yaml:5:16: proof.anchors: 'base.yaml', expected a list of players"},
    {BASE BOOK GAMES KNOB "proof.anchors: [{name: new}]\n",
     "t.yaml:5:17: proof.anchors: the name 'new' is taken, give another with 'name:'"},
    {BASE BOOK GAMES KNOB "proof.anchors: [{name: a}, {name: a}]\n",
     "t.yaml:5:28: proof.anchors: the name 'a' is taken"},
    {BASE BOOK GAMES KNOB "proof.anchors: [[a]]\n",
     "t.yaml:5:17: proof.anchors: a list, expected the path of a player"},
    {BASE BOOK GAMES KNOB "proof.alpha: 0\n", "t.yaml:5:14: proof.alpha: '0', expected a number"},
    {BASE BOOK GAMES KNOB "board: 1\n", "t.yaml:5:8: board: '1', expected a whole number"},
    {BASE BOOK GAMES KNOB "seed: -1\n",
     "t.yaml:5:7: seed: '-1', expected a whole number 0..18446744073709551615"},
    {BASE BOOK KNOB "method: sense\nscan.pairs: 0\n",
     "t.yaml:5:13: scan.pairs: 0 leaves method sense nothing to do"},
    {BASE BOOK KNOB "method: texel\n",
     "t.yaml:4:9: texel.database: none is named, expected the database of a run"},
    {BASE BOOK KNOB "method: texel\ntexel.database: ''\n",
     "t.yaml:5:17: texel.database: '', expected the path of a file"},
    {BASE BOOK GAMES KNOB "texel.folds: 1\n",
     "t.yaml:5:14: texel.folds: 1, expected 0, or 2 and more"},
    {BASE BOOK GAMES KNOB "budget: {iterations: 5}\n", "t.yaml:5:22: more than one budget"},
};

static void test_config_tune__mistakes_have_a_place_and_a_name(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        TuneSpec spec = {.seed = 77};
        ErrorText err;
        Status status = load(BAD[i].text, NULL, &spec, &err);
        if ((status != STATUS_INVALID && status != STATUS_NOT_FOUND) ||
            strncmp(err.text, BAD[i].message, strlen(BAD[i].message)) != 0)
            fail_msg("%s: '%s', expected '%s'", BAD[i].text, err.text, BAD[i].message);
        assert_true(spec.seed == 77); // untouched
    }
}

static void test_config_tune__the_command_line_is_judged_alike(void **state) {
    (void)state;
    static const char *const WORDS[][2] = {
        {"knobs=1", "--set knobs=1: knobs: only in a file"},
        {"proof.anchors=[]", "--set proof.anchors=[]: proof.anchors: only in a file"},
        {"spsa.rate=2", "--set spsa.rate=2: spsa.rate: '2', expected a number"},
        {"spsa.rat=2", "--set spsa.rat=2: unknown key 'spsa.rat', nearest is 'spsa.rate'"},
        {"split", "--set split: "},
        {"openings.file=", "--set openings.file=: openings.file: '', expected the path of a file"},
    };
    for (size_t i = 0; i < ARRAY_LEN(WORDS); i++) {
        TuneSpec spec = {0};
        ErrorText err;
        const char *set[] = {WORDS[i][0]};
        OptionList sets = {set, 1};
        assert_int_equal(load(MINIMAL, &sets, &spec, &err), STATUS_INVALID);
        if (strncmp(err.text, WORDS[i][1], strlen(WORDS[i][1])) != 0)
            fail_msg("'%s', expected '%s'", err.text, WORDS[i][1]);
    }
}

static void test_config_tune__a_file_of_a_tune_has_knobs(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_tune;
    } CASES[] = {
        {"knobs: []", true}, {"name: x\nplayers: []", false}, {"", false}, {"- knobs", false}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        bool is_tune = !CASES[i].is_tune;
        ErrorText err;
        scratch_file_write("k.yaml", CASES[i].text);
        assert_int_equal(config_tune_is("k.yaml", &is_tune, &err), STATUS_OK);
        assert_int_equal(is_tune, CASES[i].is_tune);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_tune__what_is_not_said_has_its_default),
        cmocka_unit_test(test_config_tune__every_key_is_read),
        cmocka_unit_test(test_config_tune__mistakes_have_a_place_and_a_name),
        cmocka_unit_test(test_config_tune__the_command_line_is_judged_alike),
        cmocka_unit_test(test_config_tune__a_file_of_a_tune_has_knobs),
    };
    return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
