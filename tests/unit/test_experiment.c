// SPDX-License-Identifier: GPL-3.0-or-later
// What makes two runs one experiment: each field that decides the games changes the identity and
// is named as the difference; the others do neither.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/record/experiment.h"
#include "harness/record/experiment_diff.h"
#include "tests/support/scratch_folder.h"

#include <jansson.h>
#include <string.h>

// An experiment with a program among its players; nothing in it is owned.
typedef struct Sample {
    Experiment experiment;
    PlayerSpec players[2];
    char *args[2], *env[1];
} Sample;

static void sample_make(Sample *s) {
    *s = (Sample){.args = {(char *)"--hash", (char *)"64"}, .env = {(char *)"A=1"}};
    s->players[0] = (PlayerSpec){.name = (char *)"ours \"1\"", .knobs = knob_defaults()};
    s->players[1] = (PlayerSpec){.name = (char *)"五子棋", .knobs = knob_defaults()};
    ExternalSpec *external = &s->players[1].external;
    external->command = (char *)"/opt/engine";
    external->command_text = (char *)"../engine";
    external->args = s->args;
    external->arg_count = 2;
    external->env = s->env;
    external->env_count = 1;
    external->restart = RESTART_FAILURE;
    s->experiment =
        (Experiment){.name = (char *)"sample",
                     .path = (char *)"a.yaml",
                     .text = (char *)"name: sample",
                     .width = 15,
                     .height = 15,
                     .k = 5,
                     .pairs = 10,
                     .seed = UINT64_MAX,
                     .clock = {1000, 60000, 100, 50, 5000, 500, 2000},
                     .openings = {.file = (char *)"b.txt", .file_text = (char *)"b.txt"},
                     .sprt = {true, 0, 10, 0.05, 0.05, true},
                     .players = s->players,
                     .player_count = 2};
}

static char *identity_of(const Sample *s) {
    Text text = {0};
    experiment_write_identity(&s->experiment, &text);
    assert_false(text.failed);
    json_t *json = json_loads(text_cstr(&text), JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json); // a canonical text is JSON
    json_decref(json);
    return text.data;
}

#define CHANGES(what, named)                                                                       \
    do {                                                                                           \
        Sample sample_here;                                                                        \
        sample_make(&sample_here);                                                                 \
        Sample *s = &sample_here;                                                                  \
        Experiment *e = &s->experiment;                                                            \
        (void)e;                                                                                   \
        what;                                                                                      \
        compare(s, named, #what);                                                                  \
    } while (0)

// `named`: how the difference must begin; NULL: there is none.
static void compare(const Sample *here, const char *named, const char *what) {
    Sample original;
    sample_make(&original);
    char *a = identity_of(&original), *b = identity_of(here);
    Text said = {0};
    bool differs = experiment_diff(a, b, &said);
    if (differs != (named != NULL) || (named && strncmp(text_cstr(&said), named, strlen(named))))
        fail_msg("%s: '%s'", what, text_cstr(&said));
    text_release(&said);
    free(a);
    free(b);
}

static void test_experiment__what_decides_the_games_is_named(void **state) {
    (void)state;
    CHANGES(e->name = (char *)"other", "name is \"sample\" there, \"other\" here");
    CHANGES(e->rule = RULE_STANDARD, "rule is \"freestyle\" there, \"standard\" here");
    CHANGES(e->width = 19, "width is 15 there, 19 here");
    CHANGES(e->height = 13, "height is");
    CHANGES(e->k = 6, "k is 5 there, 6 here");
    CHANGES(e->seed--, "seed is \"18446744073709551615\" there, \"18446744073709551614\" here");
    CHANGES(e->schedule = SCHEDULE_GAUNTLET, "schedule is");
    CHANGES(e->gauntlet_heads = 2, "heads is");
    CHANGES(e->openings.file_text = (char *)"c.txt", "openings.file is \"b.txt\" there, \"c.txt\"");
    CHANGES(e->openings.format = OPENING_PSQ, "openings.format is \"auto\" there, \"psq\" here");
    CHANGES(e->openings.rows = ROWS_TOP, "openings.rows is");
    CHANGES(e->openings.order = OPENING_SHUFFLED, "openings.order is");
    CHANGES(e->openings.random_plies = 4, "openings.random is 0 there, 4 here");
    CHANGES(e->openings.transform = true, "openings.transform is");
    CHANGES(e->clock.move_ms = 0, "clock.move_ms is 1000 there, 0 here");
    CHANGES(e->clock.match_ms = 0, "clock.match_ms is");
    CHANGES(e->clock.increment_ms = 0, "clock.increment_ms is");
    CHANGES(e->clock.margin_ms = 0, "clock.margin_ms is");
    CHANGES(e->clock.start_ms = 1, "clock.start_ms is");
    CHANGES(e->clock.first_ms = 1, "clock.first_ms is");
    CHANGES(e->clock.end_ms = 1, "clock.end_ms is");
    CHANGES(e->adjudicate.resign_plies = 3, "adjudicate.resign_plies is");
    CHANGES(e->adjudicate.resign_value = 0.1, "adjudicate.resign_value is 0 there, 0.1 here");
    CHANGES(e->adjudicate.draw_plies = 3, "adjudicate.draw_plies is");
    CHANGES(e->adjudicate.max_moves = 3, "adjudicate.max_moves is");
    CHANGES(e->adjudicate.vcf = true, "adjudicate.vcf is false there, true here");
    CHANGES(e->sprt.elo0 = -1, "sprt.elo0 is");
    CHANGES(e->sprt.elo1 = 11, "sprt.elo1 is");
    CHANGES(e->sprt.alpha = 0.1, "sprt.alpha is");
    CHANGES(e->sprt.beta = 0.1, "sprt.beta is");
    CHANGES(e->sprt.normalized = false, "sprt.model is \"normalized\" there, \"logistic\" here");
    CHANGES(e->sprt.enabled = false, "sprt is {");
    CHANGES(e->player_count = 1, "players has 2 entries there, 1 here");
    CHANGES(s->players[0].name = (char *)"x", "players[0].name is \"ours \\\"1\\\"\" there, \"x\"");
    CHANGES(s->players[1].external.command_text = (char *)"x", "players[1].engine.command is");
    CHANGES(s->args[1] = (char *)"65", "players[1].engine.args[1] is \"64\" there, \"65\" here");
    CHANGES(s->players[1].external.arg_count = 1, "players[1].engine.args has 2 entries");
    CHANGES(s->env[0] = (char *)"A=2", "players[1].engine.env[0] is");
    CHANGES(s->players[1].external.restart = RESTART_GAME, "players[1].engine.restart is");
    CHANGES(s->players[1].external.gap_ms = 7, "players[1].engine.gap_ms is");
    CHANGES(s->players[1].external.suspend = true, "players[1].engine.suspend is");
    CHANGES(s->players[1].external.memory_mb = 7, "players[1].engine.memory_mb is");
    CHANGES(s->players[1].external.threads = 2, "players[1].engine.threads is");
    CHANGES(s->players[1].external.command = NULL, "players[1].engine is {");
}

static void test_experiment__what_may_change_between_sittings_is_no_difference(void **state) {
    (void)state;
    CHANGES((void)s, NULL);
    CHANGES(e->path = (char *)"b.yaml", NULL);
    CHANGES(e->text = (char *)"# remark", NULL);
    CHANGES(e->pairs = 1000, NULL);
    CHANGES(e->pairs_until_sprt = true, NULL);
    CHANGES(e->openings.file = (char *)"elsewhere/b.txt", NULL);
    CHANGES(e->stop_after_failures = 3, NULL);
    CHANGES(e->affinity.mode = AFFINITY_NONE, NULL);
    CHANGES(s->players[0].source = (char *)"p.yaml", NULL);
    CHANGES(s->players[1].external.command = (char *)"/usr/bin/engine", NULL);
}

// With the contents known, the name of the file means nothing.
static void test_experiment__a_book_is_its_contents(void **state) {
    (void)state;
    Sample one, other;
    sample_make(&one);
    sample_make(&other);
    snprintf(one.experiment.openings.file_hash.text, 17, "0123456789abcdef");
    other.experiment.openings.file_hash = one.experiment.openings.file_hash;
    other.experiment.openings.file_text = (char *)"renamed.txt";
    char *a = identity_of(&one), *b = identity_of(&other);
    assert_string_equal(a, b);
    free(b);
    other.experiment.openings.file_hash.text[0] = '9';
    b = identity_of(&other);
    Text said = {0};
    assert_true(experiment_diff(a, b, &said));
    assert_ptr_equal(strstr(text_cstr(&said), "openings.file_hash is"), text_cstr(&said));
    text_release(&said);
    free(a);
    free(b);
}

static void test_experiment__every_knob_of_every_player_counts(void **state) {
    (void)state;
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        char named[96];
        snprintf(named, sizeof named, "players[0].knobs.%s is ", info->key);
        if (info->type == KNOB_TYPE_ORDER)
            CHANGES(s->players[0].knobs.order.term_count = 0, named);
        else if (info->type == KNOB_TYPE_INT)
            CHANGES(s->players[0].knobs.number[id] += 1, named);
        else if (info->type == KNOB_TYPE_REAL)
            CHANGES(s->players[0].knobs.number[id] += 0.5, named);
        else
            CHANGES(s->players[0].knobs.number[id] = !s->players[0].knobs.number[id], named);
    }
}

static bool diff(const char *there, const char *here, Text *said) {
    text_clear(said);
    return experiment_diff(there, here, said);
}

// A knob that one side has not heard of has its default there; one that nobody knows differs.
static void test_experiment_diff__knobs_of_other_versions(void **state) {
    (void)state;
    Text said = {0};
    const KnobInfo *depth = knob_info(KNOB_SEARCH_DEPTH);
    char with[128];
    snprintf(with, sizeof with, "{\"knobs\":{\"search.depth\":%s}}", depth->default_text);
    assert_false(diff(with, "{\"knobs\":{}}", &said));
    assert_false(diff("{\"knobs\":{}}", with, &said));
    assert_true(diff("{\"knobs\":{\"search.depth\":77}}", "{\"knobs\":{}}", &said));
    assert_non_null(strstr(text_cstr(&said), "knobs.search.depth is 77 there, "));
    assert_true(diff("{\"knobs\":{}}", "{\"knobs\":{\"no.knob\":1}}", &said));
    assert_string_equal(text_cstr(&said),
                        "knobs.no.knob is missing there, 1 here: this program has no such knob");
    // Outside of knobs a missing member is a difference.
    assert_true(diff("{\"clock\":{}}", "{\"clock\":{\"search.depth\":1}}", &said));
    assert_string_equal(text_cstr(&said), "clock.search.depth is missing there, 1 here");
    text_release(&said);
}

static void test_experiment_diff__texts_that_are_no_json_and_long_values(void **state) {
    (void)state;
    Text said = {0};
    assert_false(diff("no json", "no json", &said));
    assert_true(diff("no json", "{}", &said));
    assert_string_equal(text_cstr(&said), "their settings differ");
    assert_true(diff("{}", "", &said));
    assert_false(diff("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", &said));
    char other[200];
    memset(other, 'x', sizeof other);
    memcpy(other, "{\"a\":\"", 6);
    memcpy(other + sizeof other - 3, "\"}", 3);
    assert_true(diff("{\"a\":1}", other, &said));
    assert_non_null(strstr(text_cstr(&said), "xxx... here"));
    assert_true(said.length < 110);
    text_release(&said);
}

static void test_file_hash__is_fnv_1a_of_the_bytes(void **state) {
    (void)state;
    static const struct {
        const char *text, *hash;
    } CASES[] = {
        {"", "cbf29ce484222325"}, {"a", "af63dc4c8601ec8c"}, {"foobar", "85944171f73967e8"}};
    ErrorText err = {""};
    FileHash hash = {"untouched"}, longer;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        scratch_file_write("hashed", CASES[i].text);
        assert_int_equal(file_hash("hashed", &hash, &err), STATUS_OK);
        assert_string_equal(hash.text, CASES[i].hash);
    }
    FILE *file = fopen("hashed", "w"); // longer than any block that it is read in, NULs and all
    for (int i = 0; i < 100000; i++)
        fputc(i % 256, file);
    fclose(file);
    assert_int_equal(file_hash("hashed", &longer, &err), STATUS_OK);
    assert_int_equal(truncate("hashed", 99999), 0);
    assert_int_equal(file_hash("hashed", &hash, &err), STATUS_OK);
    assert_string_not_equal(hash.text, longer.text);
    assert_int_equal(file_hash("no/such/file", &hash, &err), STATUS_NOT_FOUND);
    assert_non_null(strstr(err.text, "no/such/file: "));
    assert_int_equal(file_hash("sub", &hash, &err), STATUS_IO);
}

static void test_experiment__a_limit_in_time_may_be_of_the_clock_or_the_player(void **state) {
    (void)state;
    Sample s;
    sample_make(&s);
    assert_true(experiment_is_timed(&s.experiment, 0));
    s.experiment.clock = (ClockSpec){.increment_ms = 5, .margin_ms = 50};
    assert_false(experiment_is_timed(&s.experiment, 0));
    s.experiment.clock.match_ms = 1;
    assert_true(experiment_is_timed(&s.experiment, 1));
    s.experiment.clock.match_ms = 0;
    s.players[1].knobs.number[KNOB_SEARCH_TIME_MS] = 10;
    assert_true(experiment_is_timed(&s.experiment, 1));
    assert_false(experiment_is_timed(&s.experiment, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_experiment__what_decides_the_games_is_named),
        cmocka_unit_test(test_experiment__what_may_change_between_sittings_is_no_difference),
        cmocka_unit_test(test_experiment__a_book_is_its_contents),
        cmocka_unit_test(test_experiment__every_knob_of_every_player_counts),
        cmocka_unit_test(test_experiment__a_limit_in_time_may_be_of_the_clock_or_the_player),
        cmocka_unit_test(test_experiment_diff__knobs_of_other_versions),
        cmocka_unit_test(test_experiment_diff__texts_that_are_no_json_and_long_values),
        cmocka_unit_test(test_file_hash__is_fnv_1a_of_the_bytes),
    };
    return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
