// SPDX-License-Identifier: GPL-3.0-or-later
// Players from YAML: what is read, how bases merge, where values come from, and what each mistake
// is called.
#include "engine/base/check.h"
#include "harness/cli/config.h"
#include "tests/support/scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_config_player__nested_and_dotted_keys_are_the_same(void **state) {
    (void)state;
    PlayerSpec nested = {0}, dotted = {0};
    ErrorText err = {0};
    assert_int_equal(
        config_parse_player("name: p\nsearch: {depth: 3, order: [history+center, score:own]}\n"
                            "eval:\n  defense: 0.5\n",
                            "p.yaml", &nested, &err),
        STATUS_OK);
    assert_int_equal(config_parse_player(
                         "name: p\nsearch.depth: 3\nsearch.order: \"history+center, score:own\"\n"
                         "eval.defense: .5\n",
                         "p.yaml", &dotted, &err),
                     STATUS_OK);
    Text a = {0}, b = {0};
    player_spec_write_json(&nested, &a);
    player_spec_write_json(&dotted, &b);
    assert_string_equal(text_cstr(&a), text_cstr(&b));
    assert_int_equal(knob_int(&nested.knobs, KNOB_SEARCH_DEPTH), 3);
    assert_int_equal(nested.knobs.order.term_count, 2);
    text_release(&a);
    text_release(&b);
    player_spec_release(&nested);
    player_spec_release(&dotted);
}

static void test_config_player__an_empty_file_is_the_default_player(void **state) {
    (void)state;
    PlayerSpec player = {0};
    ErrorText err = {0};
    assert_int_equal(config_parse_player("", "some/where/plain.yaml", &player, &err), STATUS_OK);
    KnobSet defaults = knob_defaults();
    assert_memory_equal(player.knobs.number, defaults.number, sizeof defaults.number);
    assert_string_equal(player.name, "plain"); // the name of its file
    player_spec_release(&player);
}

static const char *origin_of(const ConfigListing *listing, const char *key) {
    for (int i = 0; i < listing->count; i++)
        if (strcmp(listing->entries[i].key, key) == 0)
            return listing->entries[i].origin;
    return "nowhere";
}

static void test_config_player__bases_merge_and_origins_are_kept(void **state) {
    (void)state;
    scratch_file_write("bottom.yaml",
                       "name: bottom\nsearch:\n  depth: 2\n  nodes: 100\neval.two: 5\n");
    scratch_file_write("sub/middle.yaml", "base: ../bottom.yaml\nsearch.depth: 3\n");
    scratch_file_write("top.yaml", "base: sub/middle.yaml\neval.two: 6\n");
    static const char *words[] = {"moves.radius=1", "search.order=[]"};
    OptionList sets = {words, 2};
    ConfigListing listing = {0};
    PlayerSpec player = {0};
    ErrorText err = {0};
    assert_int_equal(config_load_player("top.yaml", &sets, &player, &listing, &err), STATUS_OK);
    assert_string_equal(player.name, "top");
    assert_string_equal(player.source, "top.yaml");
    assert_int_equal(knob_int(&player.knobs, KNOB_SEARCH_DEPTH), 3);
    assert_int_equal(knob_int(&player.knobs, KNOB_SEARCH_NODES), 100);
    assert_int_equal(knob_int(&player.knobs, KNOB_MOVES_RADIUS), 1);
    assert_int_equal(player.knobs.order.term_count, 0);
    assert_true(knob_real(&player.knobs, KNOB_EVAL_TWO) == 6);
    assert_string_equal(origin_of(&listing, "search.depth"), "sub/middle.yaml:2");
    assert_string_equal(origin_of(&listing, "search.nodes"), "sub/../bottom.yaml:4");
    assert_string_equal(origin_of(&listing, "eval.two"), "top.yaml:2");
    assert_string_equal(origin_of(&listing, "moves.radius"), "--set moves.radius=1");
    assert_string_equal(origin_of(&listing, "eval.five"), "default");
    assert_int_equal(listing.count, KNOB_NB + 1); // every knob, and the name
    config_listing_release(&listing);
    player_spec_release(&player);
}

static void test_config_player__external_engines(void **state) {
    (void)state;
    scratch_file_write(
        "sub/ext.yaml",
        "name: ext\nsearch.nodes: 500\n"
        "engine:\n  command: ./brain\n  args: [-x, 'a b']\n  dir: data\n"
        "  env: {THREADS: 1}\n  restart: game\n  gap_ms: 10\n  suspend: yes\n  memory_mb: 350\n"
        "  threads: 1\n");
    PlayerSpec player = {0};
    ErrorText err = {0};
    assert_int_equal(config_load_player("sub/ext.yaml", NULL, &player, NULL, &err), STATUS_OK);
    const ExternalSpec *external = &player.external;
    assert_string_equal(external->command, "sub/brain");
    assert_string_equal(external->command_text, "./brain");
    assert_int_equal(external->arg_count, 2);
    assert_string_equal(external->args[1], "a b");
    assert_string_equal(external->dir, "sub/data");
    assert_int_equal(external->env_count, 1);
    assert_string_equal(external->env[0], "THREADS=1");
    assert_int_equal(external->restart, RESTART_GAME);
    assert_int_equal(external->gap_ms, 10);
    assert_true(external->suspend);
    assert_int_equal(external->memory_mb, 350);
    assert_int_equal(external->threads, 1);
    assert_int_equal(knob_int(&player.knobs, KNOB_SEARCH_DEPTH), 0); // nobody asked for a depth
    assert_int_equal(knob_int(&player.knobs, KNOB_SEARCH_NODES), 500);
    player_spec_release(&player);
}

static void test_config_player__a_command_without_slash_is_looked_up_in_path(void **state) {
    (void)state;
    PlayerSpec player = {0};
    ErrorText err = {0};
    assert_int_equal(config_parse_player("engine: {command: sh}", "x.yaml", &player, &err),
                     STATUS_OK);
    assert_string_equal(player.external.command_text, "sh");
    assert_int_equal(player.external.command[0], '/');
    player_spec_release(&player);
    assert_int_equal(
        config_parse_player("engine: {command: no-such-brain}", "x.yaml", &player, &err),
        STATUS_OK);
    assert_string_equal(player.external.command,
                        "no-such-brain"); // the run will say that it cannot be executed
    player_spec_release(&player);
}

typedef struct BadCase {
    const char *text, *message;
} BadCase;

static const BadCase BAD[] = {
    {"name: p\nsearch: {depht: 3}\n",
     "p.yaml:2:10: unknown key 'search.depht', nearest is 'search.depth'"},
    {"name: p\nserch:\n  depth: 3\n",
     "p.yaml:3:3: unknown key 'serch.depth', nearest is 'search.depth'"},
    {"name: p\nqqqqqqqqqqqqqqqqqqq: 3\n",
     "p.yaml:2:1: unknown key 'qqqqqqqqqqqqqqqqqqq'; `gomolab keys` lists them"},
    {"search.depth: four", "p.yaml:1:15: search.depth: 'four', expected a whole number 1..64"},
    {"search:\n  depth: 65\n", "p.yaml:2:10: search.depth: '65', expected a whole number 1..64"},
    {"search.depth:\n", "p.yaml:1:14: search.depth: no value"},
    {"search.depth: [1, 2]", "p.yaml:1:15: search.depth: '[1, 2]', expected a whole number 1..64"},
    {"search.depth: {a: 1}",
     "p.yaml:1:16: unknown key 'search.depth.a', nearest is 'search.depth'"},
    {"search.depth: {}", "p.yaml:1:15: search.depth: a map, expected a value"},
    {"search: 4", "p.yaml:1:9: search: '4', expected a map of search.* keys"},
    {"search.order: [score, [history]]",
     "p.yaml:1:23: search.order: a list inside a list, expected a word"},
    {"search.order: [scre]",
     "p.yaml:1:15: search.order: 'scre' is no ordering term, expected score, center, distance, "
     "history, killer or counter, nearest is 'score'"},
    {"eval.defense: -1", "p.yaml:1:15: eval.defense: '-1', expected a number 0..10"},
    {"search.depth: 3\nsearch: {depth: 4}",
     "p.yaml:2:10: 'search.depth' is given twice, first on line 1"},
    {"search.depth: 3\nsearch.depth: 4",
     "p.yaml:2:1: 'search.depth' is given twice, first on line 1"},
    {"- a\n- b\n", "p.yaml:1:1: a list, expected a map of keys and values"},
    {"hello", "p.yaml:1:1: 'hello', expected a map of keys and values"},
    {"name: [a]", "p.yaml:1:7: name: a list, expected text"},
    {"name: ''", "p.yaml:1:7: name: '', expected 1..200 printable characters"},
    {"name: \"a\\tb\"", "p.yaml:1:7: name: 'a b', expected 1..200 printable characters"},
    {"base: nowhere.yaml",
     "p.yaml:1:7: base 'nowhere.yaml': nowhere.yaml: No such file or directory"},
    {"base: sub", "p.yaml:1:7: base 'sub': sub: Is a directory"},
    {"base: [a]", "p.yaml:1:7: base: a list, expected the path of a player"},
    {"a: &x [*x]", "p.yaml:1:4: nested deeper than 24 levels"},
    {"<<: {a: 1}",
     "p.yaml:1:1: merge keys ('<<') are not read; start from another file with 'base: FILE'"},
    {"? [a]\n: b", "p.yaml:1:3: a map key must be a word, not a list or map"},
    {"name: \"a\\0b\"", "p.yaml:1:7: a NUL character, expected text"},
    {"name: a\n---\nname: b\n", "p.yaml:3:1: a second document, expected one a file"},
    {"name: 'a",
     "p.yaml:1:9: not YAML: found unexpected end of stream, while scanning a quoted scalar"},
    {"name: a\n\tb: c",
     "p.yaml:2:1: not YAML: found a tab character that violates indentation, while scanning a "
     "plain scalar"},
    {"engine.gap_ms: 5", "p.yaml:1:1: engine.gap_ms without engine.command"},
    {"engine: {}", "p.yaml:1:9: engine: an empty map, expected engine.command at least"},
    {"engine: {command: x, gap_ms: -1}",
     "p.yaml:1:30: engine.gap_ms: '-1', expected a whole number 0..60000"},
    {"engine: {command: x, protocol: uci}",
     "p.yaml:1:32: engine.protocol: 'uci', expected one of gomocup"},
    {"engine: {command: x, restart: no}",
     "p.yaml:1:31: engine.restart: 'no', expected one of never|failure|game"},
    {"engine: {command: x, args: a}", "p.yaml:1:28: engine.args: 'a', expected a list of words"},
    {"engine: {command: x, args: [[a]]}", "p.yaml:1:29: engine.args: a list, expected a word"},
    {"engine: {command: x, env: [A]}", "p.yaml:1:28: engine.env: expected NAME: value"},
    {"engine: {comand: x}",
     "p.yaml:1:10: unknown key 'engine.comand', nearest is 'engine.command'"},
    {"engine: {command: x, gap: 3}",
     "p.yaml:1:22: unknown key 'engine.gap', nearest is 'engine.gap_ms'"},
    {"engine: {command: x}\neval.two: 3",
     "p.yaml:2:1: eval.two has no effect on the external engine 'x'; only "
     "search.depth, search.nodes and search.time_ms are told to it"},
    {"search.algorithm: minimax\nsearch.tt_mb: 4",
     "p.yaml:2:15: player 'p': search.tt_mb: plain minimax uses no transposition table; set it to "
     "0"},
};

static void test_config_player__mistakes_have_a_place_and_a_name(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        PlayerSpec player = {0};
        ErrorText err = {0};
        Status status = config_parse_player(BAD[i].text, "p.yaml", &player, &err);
        if (status != STATUS_INVALID && status != STATUS_NOT_FOUND)
            fail_msg("accepted (%s): %s", status_name(status), BAD[i].text);
        assert_string_equal(err.text, BAD[i].message);
        assert_null(player.name);
    }
}

static void test_config_player__cycles_of_bases_are_refused(void **state) {
    (void)state;
    PlayerSpec player = {0};
    ErrorText err = {0};
    scratch_file_write("a.yaml", "base: b.yaml\n");
    scratch_file_write(
        "b.yaml",
        "search.depth: 1\nbase: ./sub/../a.yaml\n"); // another spelling of the same file
    scratch_file_write("self.yaml", "base: self.yaml\n");
    assert_int_equal(config_load_player("a.yaml", NULL, &player, NULL, &err), STATUS_INVALID);
    assert_string_equal(
        err.text, "b.yaml:2:7: base './sub/../a.yaml' leads back to a.yaml: a cycle of bases");
    assert_int_equal(config_load_player("self.yaml", NULL, &player, NULL, &err), STATUS_INVALID);
    assert_string_equal(
        err.text, "self.yaml:1:7: base 'self.yaml' leads back to self.yaml: a cycle of bases");
}

static void test_config_player__mistakes_in_a_base_are_placed_there(void **state) {
    (void)state;
    PlayerSpec player = {0};
    ErrorText err = {0};
    scratch_file_write("good.yaml", "base: bad.yaml\n");
    scratch_file_write("bad.yaml", "\nsearch.depth: x\n");
    assert_int_equal(config_load_player("good.yaml", NULL, &player, NULL, &err), STATUS_INVALID);
    assert_string_equal(err.text,
                        "bad.yaml:2:15: search.depth: 'x', expected a whole number 1..64");
    assert_int_equal(config_load_player("missing.yaml", NULL, &player, NULL, &err),
                     STATUS_NOT_FOUND);
    assert_string_equal(err.text, "missing.yaml: No such file or directory");
}

static void test_config_player__sets_are_judged_like_files(void **state) {
    (void)state;
    static const BadCase SETS[] = {
        {"search.depth", "--set search.depth: expected KEY=VALUE"},
        {"=3", "--set =3: expected KEY=VALUE"},
        {"search.depth=x",
         "--set search.depth=x: search.depth: 'x', expected a whole number 1..64"},
        {"search.depth=", "--set search.depth=: search.depth: '', expected a whole number 1..64"},
        {"depth=3", "--set depth=3: unknown key 'depth', nearest is 'search.depth'"},
        {"search.order=[score", "--set search.order=[score: expected a list in [] or a map in {}"},
    };
    for (size_t i = 0; i < ARRAY_LEN(SETS); i++) {
        const char *words[] = {SETS[i].text};
        OptionList sets = {words, 1};
        PlayerSpec player = {0};
        ErrorText err = {0};
        scratch_file_write("p.yaml", "name: p\n");
        Status status = config_load_player("p.yaml", &sets, &player, NULL, &err);
        assert_true(status == STATUS_INVALID || status == STATUS_NOT_FOUND);
        assert_string_equal(err.text, SETS[i].message);
    }
}

static void test_config_player__aliases_are_followed_within_bounds(void **state) {
    (void)state;
    PlayerSpec player = {0};
    ErrorText err = {0};
    assert_int_equal(
        config_parse_player("eval: {open_four: &v 7, four: *v}", "p.yaml", &player, &err),
        STATUS_OK);
    assert_true(knob_real(&player.knobs, KNOB_EVAL_FOUR) == 7);
    player_spec_release(&player);
    // Nine levels of nine aliases would be 400 million values.
    Text bomb = {0};
    text_append(&bomb, "a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (char c = 'b'; c < 'j'; c++) {
        text_printf(&bomb, "%c: &%c [", c, c);
        for (int i = 0; i < 9; i++)
            text_printf(&bomb, "%s*%c", i ? ", " : "", c - 1);
        text_append(&bomb, "]\n");
    }
    assert_int_equal(config_parse_player(text_cstr(&bomb), "p.yaml", &player, &err),
                     STATUS_INVALID);
    assert_non_null(strstr(err.text, "more than 100000 values"));
    text_release(&bomb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_player__nested_and_dotted_keys_are_the_same),
        cmocka_unit_test(test_config_player__an_empty_file_is_the_default_player),
        cmocka_unit_test(test_config_player__bases_merge_and_origins_are_kept),
        cmocka_unit_test(test_config_player__external_engines),
        cmocka_unit_test(test_config_player__a_command_without_slash_is_looked_up_in_path),
        cmocka_unit_test(test_config_player__mistakes_have_a_place_and_a_name),
        cmocka_unit_test(test_config_player__cycles_of_bases_are_refused),
        cmocka_unit_test(test_config_player__mistakes_in_a_base_are_placed_there),
        cmocka_unit_test(test_config_player__sets_are_judged_like_files),
        cmocka_unit_test(test_config_player__aliases_are_followed_within_bounds),
    };
    return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
