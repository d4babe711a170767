// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments from YAML: every key, players and sweeps, --set, the resolved text, and what each
// mistake is called.
#include "engine/base/check.h"
#include "harness/cli/config.h"
#include "harness/cli/config_draft.h"
#include "tests/support/scratch_folder.h"

#include <string.h>

#define TWO "players: [{name: a}, {name: b}]\n"

static void load(const char *text, Experiment *out) {
    ErrorText err = {0};
    *out = (Experiment){0};
    if (config_parse_experiment(text, "e.yaml", out, &err))
        fail_msg("%s", err.text);
}

static void test_config_experiment__defaults(void **state) {
    (void)state;
    Experiment e;
    load(TWO, &e);
    assert_string_equal(e.name, "e");
    assert_int_equal(e.rule, RULE_FREESTYLE);
    assert_int_equal(e.width, 15);
    assert_int_equal(e.height, 15);
    assert_int_equal(e.k, 5);
    assert_null(e.openings.file);
    assert_int_equal(e.openings.random_plies, 0);
    assert_int_equal(e.schedule, SCHEDULE_ROUND_ROBIN);
    assert_int_equal(e.pairs, 1);
    assert_int_equal(e.clock.margin_ms, 50);
    assert_int_equal(e.seed, 1);
    assert_false(e.sprt.enabled);
    assert_int_equal(e.player_count, 2);
    assert_string_equal(e.players[1].name, "b");
    experiment_release(&e);
}

static void test_config_experiment__every_key(void **state) {
    (void)state;
    Experiment e;
    load("name: all\nrule: standard\nboard: {width: 9, height: 7}\nin_a_row: 4\n"
         "openings: {file: sub/book.txt, format: pos, rows: top, order: random, transform: yes}\n"
         "schedule: gauntlet\ngauntlet_heads: 2\npairs: 12\n"
         "clock: {move_ms: 100, match_ms: 60000, increment_ms: 5, margin_ms: 7, start_ms: 8, "
         "end_ms: 9, first_ms: 10}\n"
         "seed: 18446744073709551615\n"
         "adjudicate: {resign_plies: 3, resign_value: 1e4, draw_plies: 100, max_moves: 200, vcf: "
         "on}\n"
         "allow_duplicates: true\nsymmetries: yes\nstop_after_failures: 5\n"
         "players: [{name: a}, {name: b}, {name: c}]\n",
         &e);
    assert_string_equal(e.name, "all");
    assert_int_equal(e.rule, RULE_STANDARD);
    assert_int_equal(e.width, 9);
    assert_int_equal(e.height, 7);
    assert_int_equal(e.k, 4);
    assert_string_equal(e.openings.file, "sub/book.txt");
    assert_string_equal(e.openings.file_text, "sub/book.txt");
    assert_int_equal(e.openings.format, OPENING_POS);
    assert_int_equal(e.openings.rows, ROWS_TOP);
    assert_int_equal(e.openings.order, OPENING_SHUFFLED);
    assert_true(e.openings.transform);
    assert_int_equal(e.schedule, SCHEDULE_GAUNTLET);
    assert_int_equal(e.gauntlet_heads, 2);
    assert_int_equal(e.pairs, 12);
    assert_int_equal(e.clock.move_ms, 100);
    assert_int_equal(e.clock.match_ms, 60000);
    assert_int_equal(e.clock.increment_ms, 5);
    assert_int_equal(e.clock.margin_ms, 7);
    assert_int_equal(e.clock.start_ms, 8);
    assert_int_equal(e.clock.end_ms, 9);
    assert_int_equal(e.clock.first_ms, 10);
    assert_true(e.seed == UINT64_MAX);
    assert_int_equal(e.adjudicate.resign_plies, 3);
    assert_true(e.adjudicate.resign_value == 10000);
    assert_int_equal(e.adjudicate.draw_plies, 100);
    assert_int_equal(e.adjudicate.max_moves, 200);
    assert_true(e.adjudicate.vcf);
    assert_true(e.allow_duplicates);
    assert_true(e.symmetries);
    assert_int_equal(e.stop_after_failures, 5);
    experiment_release(&e);
}

static void test_config_experiment__shorthands(void **state) {
    (void)state;
    Experiment e;
    scratch_file_write("p.yaml", "search.depth: 2\n");
    load("board: 10x7\nopenings: book.txt\nplayers: [p.yaml, {base: p.yaml, name: q, search.depth: "
         "3}]\n",
         &e);
    assert_int_equal(e.width, 10);
    assert_int_equal(e.height, 7);
    assert_string_equal(e.openings.file, "book.txt");
    assert_string_equal(e.players[0].name, "p");
    assert_int_equal(knob_int(&e.players[0].knobs, KNOB_SEARCH_DEPTH), 2);
    assert_int_equal(knob_int(&e.players[1].knobs, KNOB_SEARCH_DEPTH), 3);
    experiment_release(&e);
    load("openings: {random: 4}\n" TWO, &e);
    assert_int_equal(e.openings.random_plies, 4);
    experiment_release(&e);
}

static void test_config_experiment__sprt(void **state) {
    (void)state;
    Experiment e;
    load("sprt: {elo0: -3, elo1: 4.5, alpha: 0.1, beta: 0.2, model: logistic}\npairs: 100\n" TWO,
         &e);
    assert_true(e.sprt.enabled);
    assert_true(e.sprt.elo0 == -3 && e.sprt.elo1 == 4.5 && e.sprt.alpha == 0.1 &&
                e.sprt.beta == 0.2);
    assert_false(e.sprt.normalized);
    assert_int_equal(e.pairs, 100);
    assert_false(e.pairs_until_sprt);
    experiment_release(&e);
    load("sprt: {}\n" TWO, &e); // the defaults, and as many pairs as it takes
    assert_true(e.sprt.enabled && e.sprt.normalized && e.sprt.elo1 == 10);
    assert_true(e.pairs_until_sprt);
    experiment_release(&e);
}

static void test_config_experiment__sweeps_multiply(void **state) {
    (void)state;
    Experiment e;
    scratch_file_write("classic.yaml", "search.depth: 2\n");
    load("players: [{name: anchor}]\n"
         "sweep:\n  base: classic.yaml\n  moves.limit: 7\n  eval.defense: [0.8, 1.0]\n"
         "  search: {order: [score, [history, killer], []]}\n",
         &e);
    static const char *const NAMES[] = {
        "anchor",
        "classic eval.defense=0.8 search.order=score",
        "classic eval.defense=0.8 search.order=[history,killer]",
        "classic eval.defense=0.8 search.order=[]",
        "classic eval.defense=1.0 search.order=score",
        "classic eval.defense=1.0 search.order=[history,killer]",
        "classic eval.defense=1.0 search.order=[]",
    };
    assert_int_equal(e.player_count, ARRAY_LEN(NAMES));
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        assert_string_equal(e.players[i].name, NAMES[i]);
    assert_int_equal(knob_int(&e.players[3].knobs, KNOB_MOVES_LIMIT), 7);
    assert_int_equal(e.players[3].knobs.order.term_count, 0);
    assert_int_equal(e.players[5].knobs.order.term_count, 2);
    assert_true(knob_real(&e.players[5].knobs, KNOB_EVAL_DEFENSE) == 1.0);
    experiment_release(&e);
}

static void test_config_experiment__bases(void **state) {
    (void)state;
    Experiment e = {0};
    ErrorText err = {0};
    scratch_file_write("sub/base.yaml",
                       "pairs: 9\nseed: 4\nclock.move_ms: 5\nopenings: {file: book.txt}\n"
                       "sprt: {elo1: 5}\nplayers: [{name: a}, {name: b}]\n");
    scratch_file_write("top.yaml",
                       "base: sub/base.yaml\nseed: 5\nclock: {margin_ms: 1}\nsprt: none\n");
    assert_int_equal(config_load_experiment("top.yaml", NULL, &e, NULL, &err), STATUS_OK);
    assert_string_equal(e.name, "top");
    assert_int_equal(e.pairs, 9);
    assert_int_equal(e.seed, 5);
    assert_int_equal(e.clock.move_ms, 5);
    assert_int_equal(e.clock.margin_ms, 1);
    assert_string_equal(e.openings.file, "sub/book.txt");
    assert_string_equal(e.openings.file_text, "sub/book.txt"); // as seen from top.yaml
    assert_false(e.sprt.enabled);
    experiment_release(&e);
    scratch_file_write("top.yaml",
                       "base: sub/base.yaml\nopenings.random: 3\n"); // takes the file's place
    assert_int_equal(config_load_experiment("top.yaml", NULL, &e, NULL, &err), STATUS_OK);
    assert_null(e.openings.file);
    assert_int_equal(e.openings.random_plies, 3);
    experiment_release(&e);
}

static void test_config_experiment__sets_reach_the_longest_name(void **state) {
    (void)state;
    static const char *words[] = {
        "seed=9",
        "d.search.depth=2",
        "d.4.search.depth=4",
        "d-4.x.eval.two=3",
        "moves.radius=1", // every player of our own
        "clock.move_ms=50",
        "d.4.search.order=[history, score]",
    };
    OptionList sets = {words, ARRAY_LEN(words)};
    Experiment e = {0};
    ErrorText err = {0};
    ConfigListing listing = {0};
    scratch_file_write(
        "e.yaml",
        "players: [{name: d}, {name: d.4}, {name: d-4.x}, {name: x, engine.command: sh}]\n");
    if (config_load_experiment("e.yaml", &sets, &e, &listing, &err))
        fail_msg("%s", err.text);
    assert_int_equal(e.seed, 9);
    assert_int_equal(e.clock.move_ms, 50);
    assert_int_equal(knob_int(&e.players[0].knobs, KNOB_SEARCH_DEPTH), 2);
    assert_int_equal(knob_int(&e.players[1].knobs, KNOB_SEARCH_DEPTH), 4);
    assert_int_equal(e.players[1].knobs.order.term_count, 2);
    assert_true(knob_real(&e.players[2].knobs, KNOB_EVAL_TWO) == 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(knob_int(&e.players[i].knobs, KNOB_MOVES_RADIUS), 1);
    bool is_seen = false;
    for (int i = 0; i < listing.count; i++) {
        const ConfigEntry *entry = &listing.entries[i];
        if (entry->player && strcmp(entry->player, "d.4") == 0 &&
            strcmp(entry->key, "search.depth") == 0) {
            assert_string_equal(entry->value, "4");
            assert_string_equal(entry->origin, "--set d.4.search.depth=4");
            is_seen = true;
        }
    }
    assert_true(is_seen);
    config_listing_release(&listing);
    experiment_release(&e);
}

// The resolved text reads back to the same experiment, and from then on to the same text.
static void test_config_experiment__the_resolved_text_reads_back(void **state) {
    (void)state;
    static const char *words[] = {"classic eval.defense=0.5.search.depth=3", "seed=77"};
    OptionList sets = {words, ARRAY_LEN(words)};
    Experiment first = {0}, second = {0}, third = {0};
    ErrorText err = {0};
    scratch_file_write("classic.yaml", "search: {depth: 2, order: [score:own+center, history]}\n");
    scratch_file_write("sub/e.yaml", "name: 'it: \"works\" # ü'\nboard: 9x8\nrule: "
                                     "standard\nopenings: {file: ../book.txt, rows: top}\n"
                                     "sprt: {elo1: 3.25}\npairs: until-sprt\nclock.move_ms: 5\n"
                                     "players: [{name: 'a: b', engine: {command: ./x, args: ['', ' "
                                     "# '], dir: .., env: {A: 'b c'}}}]\n"
                                     "sweep: {base: ../classic.yaml, eval.defense: [0.5]}\n");
    if (config_load_experiment("sub/e.yaml", &sets, &first, NULL, &err) ||
        config_parse_experiment(first.text, "stored", &second, &err) ||
        config_parse_experiment(second.text, "stored", &third, &err))
        fail_msg("%s", err.text);
    Text a = {0}, b = {0};
    experiment_write_identity(&first, &a);
    experiment_write_identity(&second, &b);
    assert_string_equal(text_cstr(&a), text_cstr(&b));
    assert_string_equal(second.text, third.text);
    assert_string_equal(strchr(first.text, '\n'),
                        strchr(second.text, '\n')); // but for "# resolved from"
    assert_string_equal(first.openings.file, "sub/../book.txt");
    assert_string_equal(second.openings.file, "sub/../book.txt");
    assert_string_equal(second.players[0].external.command, "sub/x");
    assert_int_equal(knob_int(&second.players[1].knobs, KNOB_SEARCH_DEPTH), 3);
    assert_int_equal(second.seed, 77);
    text_release(&a);
    text_release(&b);
    experiment_release(&first);
    experiment_release(&second);
    experiment_release(&third);
}

typedef struct BadCase {
    const char *text, *message;
} BadCase;

static const BadCase BAD[] = {
    {"pears: 3\n" TWO, "e.yaml:1:1: unknown key 'pears', nearest is 'pairs'"},
    {"clock: {move: 3}\n" TWO, "e.yaml:1:9: unknown key 'clock.move', nearest is 'clock.move_ms'"},
    {"clock: 5\n" TWO, "e.yaml:1:8: clock: '5', expected a map of clock.* keys"},
    {"search.depth: 3\n" TWO,
     "e.yaml:1:1: search.depth is a key of a player: give it inside 'players' or 'sweep'"},
    {"rule: renju\n" TWO, "e.yaml:1:7: rule: 'renju', expected one of freestyle|standard"},
    {"board: 23\n" TWO, "e.yaml:1:8: board: '23', expected a side 2..22, WxH, or {width, height}"},
    {"board: 15x\n" TWO,
     "e.yaml:1:8: board: '15x', expected a side 2..22, WxH, or {width, height}"},
    {"board: {width: 1}\n" TWO, "e.yaml:1:16: board.width: '1', expected a whole number 2..22"},
    {"clock: {move_ms: 9, increment_ms: 5}\n" TWO,
     "e.yaml:1:35: clock.increment_ms: 5 has no effect without clock.match_ms"},
    {"in_a_row: 6\nboard: 5\n" TWO, "e.yaml:1:11: in_a_row: 6 do not fit on the 5x5 board"},
    {"in_a_row: 4\nplayers: [{name: a}, {name: b, engine: {command: x}}]\n",
     "e.yaml:1:11: in_a_row: 4, but player 'b' is a program: expected 5"},
    {"openings: {rows: up}\n" TWO, "e.yaml:1:18: openings.rows: 'up', expected one of bottom|top"},
    {"openings: {file: a, random: 3}\n" TWO,
     "e.yaml:1:21: openings.random and openings.file together, expected one of them"},
    {"board: 3\nin_a_row: 3\nopenings: {random: 9}\n" TWO,
     "e.yaml:3:20: openings.random: 9 plies fill the board of 9 cells"},
    {"pairs: 0\n" TWO,
     "e.yaml:1:8: pairs: '0', expected a whole number 1..1000000000 or until-sprt"},
    {"pairs: until-sprt\n" TWO,
     "e.yaml:1:8: pairs: until-sprt without a test, expected an 'sprt' block"},
    {"seed: -1\n" TWO, "e.yaml:1:7: seed: '-1', expected a whole number 0..18446744073709551615"},
    {"seed: 18446744073709551616\n" TWO,
     "e.yaml:1:7: seed: '18446744073709551616', expected a whole number 0..18446744073709551615"},
    {"sprt: {elo0: 5, elo1: 5}\n" TWO,
     "e.yaml:1:23: sprt: elo0 5 and elo1 5, expected elo0 < elo1"},
    {"sprt: {elo0: 200, elo1: 400}\n" TWO,
     "e.yaml:1:25: sprt: elo0 200 and elo1 400: in normalized Elo such a test would never end, "
     "expected both within +-231"},
    {"sprt: {elo0: -300, elo1: 0}\n" TWO,
     "e.yaml:1:26: sprt: elo0 -300 and elo1 0: in normalized Elo such a test would never end, "
     "expected both within +-231"},
    {"sprt: {alpha: 0.7}\n" TWO, "e.yaml:1:15: sprt.alpha: '0.7', expected a number 1e-06..0.5"},
    {"sprt: yes\n" TWO, "e.yaml:1:7: sprt: 'yes', expected a map of sprt.* keys, or none"},
    {"sprt: {}\nplayers: [{name: a}, {name: b}, {name: c}]\n",
     "e.yaml:1:1: sprt: 3 players, expected two"},
    {"schedule: gauntlet\ngauntlet_heads: 2\n" TWO,
     "e.yaml:3:10: gauntlet_heads: 2 of 2 players leave no opponent"},
    {"name: x\n", "e.yaml:1:1: 0 players, expected at least two (players, sweep)"},
    {"players: []\n", "e.yaml:1:10: 0 players, expected at least two (players, sweep)"},
    {"players: [{name: a}]\n", "e.yaml:1:10: 1 player, expected at least two (players, sweep)"},
    {"players: {a: 1}\n", "e.yaml:1:10: players: a map, expected a list of players"},
    {"players: [{name: a}, {name: a}]\n",
     "e.yaml:1:22: player name 'a' is taken (line 1), expected another 'name'"},
    {"players: [{name: a}, {search.depth: 3}]\n",
     "e.yaml:1:22: a player without a name, expected 'name: ...'"},
    {"players: [{name: a}, [b]]\n",
     "e.yaml:1:22: a list, expected the path of a player or a map of its keys"},
    {"players: [{name: a}, none.yaml]\n",
     "e.yaml:1:22: base 'none.yaml': none.yaml: No such file or directory"},
    {"players:\n  - {name: a}\n  - {name: b, search.dept: 3}\n",
     "e.yaml:3:15: unknown key 'search.dept', nearest is 'search.depth'"},
    {"sweep: {}\n" TWO,
     "e.yaml:1:8: sweep: nothing varies, expected a list of values (eval.defense: [0.8, 1.0])"},
    {"sweep: {name: s, eval.defense: []}\n" TWO,
     "e.yaml:1:32: sweep: eval.defense has no values, expected a list of them"},
    {"sweep: {name: s, eval.defense: 1}\n" TWO,
     "e.yaml:1:8: sweep: nothing varies, expected a list of values (eval.defense: [0.8, 1.0])"},
    {"sweep: {name: s, eval.defence: [1]}\n" TWO,
     "e.yaml:1:18: unknown key 'eval.defence', nearest is 'eval.defense'"},
    {"sweep: {name: s, eval.defense: [1, 11]}\n" TWO,
     "e.yaml:1:36: eval.defense: '11', expected a number 0..10"},
    {"sweep: {name: s, eval.defense: [1, 1]}\n",
     "e.yaml:1:8: player name 's eval.defense=1' is taken (line 1), expected another 'name'"},
    {"sweep: {base: none.yaml, eval.defense: [1]}\n",
     "e.yaml:1:15: base 'none.yaml': none.yaml: No such file or directory"},
    {"base: none.yaml\n" TWO, "e.yaml:1:7: base 'none.yaml': none.yaml: No such file or directory"},
    {"allow_duplicates: perhaps\n" TWO,
     "e.yaml:1:19: allow_duplicates: 'perhaps', expected yes or no"},
};

static void test_config_experiment__mistakes_have_a_place_and_a_name(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        Experiment e = {0};
        ErrorText err = {0};
        Status status = config_parse_experiment(BAD[i].text, "e.yaml", &e, &err);
        if (status != STATUS_INVALID && status != STATUS_NOT_FOUND)
            fail_msg("accepted (%s): %s", status_name(status), BAD[i].text);
        assert_string_equal(err.text, BAD[i].message);
        assert_null(e.players);
    }
}

static void test_config_experiment__cycles_are_refused(void **state) {
    (void)state;
    Experiment e = {0};
    ErrorText err = {0};
    scratch_file_write("one.yaml", "base: sub/two.yaml\n" TWO);
    scratch_file_write("sub/two.yaml", "base: ../one.yaml\n");
    assert_int_equal(config_load_experiment("one.yaml", NULL, &e, NULL, &err), STATUS_INVALID);
    assert_string_equal(
        err.text, "sub/two.yaml:1:7: base '../one.yaml' leads back to one.yaml: a cycle of bases");
}

static void test_config_experiment__wrong_sets_are_named(void **state) {
    (void)state;
    static const BadCase SETS[] = {
        {"sede=3", "--set sede=3: unknown key 'sede', nearest is 'seed'"},
        {"seed", "--set seed: expected KEY=VALUE"},
        {"seed=x", "--set seed=x: seed: 'x', expected a whole number 0..18446744073709551615"},
        {"a.search.dpth=3",
         "--set a.search.dpth=3: unknown key 'search.dpth', nearest is 'search.depth'"},
        {"alhpa.search.depth=3",
         "--set alhpa.search.depth=3: unknown player 'alhpa', nearest is 'alpha'"},
        {"a.name=c", "--set a.name=c: the name of a player cannot be changed by --set"},
        {"search.depth=99",
         "--set search.depth=99: search.depth: '99', expected a whole number 1..64"},
        {"base=x.yaml", "--set base=x.yaml: base: only in a file"},
    };
    scratch_file_write("e.yaml", "players: [{name: a}, {name: alpha}]\n");
    for (size_t i = 0; i < ARRAY_LEN(SETS); i++) {
        const char *words[] = {SETS[i].text};
        OptionList sets = {words, 1};
        Experiment e = {0};
        ErrorText err = {0};
        Status status = config_load_experiment("e.yaml", &sets, &e, NULL, &err);
        if (status == STATUS_OK)
            fail_msg("accepted: %s", SETS[i].text);
        assert_string_equal(err.text, SETS[i].message);
    }
}

// The table itself: no key twice, defaults that hold, words for people, the rules of engine/board.
static void test_config_experiment__the_table_is_sane(void **state) {
    (void)state;
    ConfigKeyTable keys = config_experiment_keys();
    for (int i = 0; i < keys.count; i++) {
        assert_int_equal(config_key_find(keys, keys.rows[i].key), i);
        assert_true(strlen(keys.rows[i].meaning) > 0);
    }
    const ConfigKey *rule = &keys.rows[config_key_find(keys, "rule")];
    const char *start;
    for (int i = 0; i < RULE_NB; i++) {
        size_t length = text_choice_at(rule->choices, i, &start);
        assert_int_equal(length, strlen(rule_name((Rule)i)));
        assert_memory_equal(start, rule_name((Rule)i), length);
    }
    assert_int_equal(text_choice_at(rule->choices, RULE_NB, &start), 0);
}

// The files that experiments of these tests name.
static int enter(void **state) {
    if (scratch_folder_enter(state))
        return -1;
    scratch_file_write("book.txt", "h8\n");
    scratch_file_write("sub/book.txt", "h8\n");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_experiment__defaults),
        cmocka_unit_test(test_config_experiment__every_key),
        cmocka_unit_test(test_config_experiment__shorthands),
        cmocka_unit_test(test_config_experiment__sprt),
        cmocka_unit_test(test_config_experiment__sweeps_multiply),
        cmocka_unit_test(test_config_experiment__bases),
        cmocka_unit_test(test_config_experiment__sets_reach_the_longest_name),
        cmocka_unit_test(test_config_experiment__the_resolved_text_reads_back),
        cmocka_unit_test(test_config_experiment__mistakes_have_a_place_and_a_name),
        cmocka_unit_test(test_config_experiment__cycles_are_refused),
        cmocka_unit_test(test_config_experiment__wrong_sets_are_named),
        cmocka_unit_test(test_config_experiment__the_table_is_sane),
    };
    return cmocka_run_group_tests(tests, enter, scratch_folder_leave);
}
