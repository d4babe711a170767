// SPDX-License-Identifier: GPL-3.0-or-later
// Which stage comes next: whole tunes played through in memory, by method and budget; larger
// budgets, later looks, stages that were interrupted.
// sanitizers: asan
#include "engine/base/check.h"
#include "golden_tsv.h"
#include "harness/tune/synthetic.h"
#include "harness/tune/tune_defaults.h"
#include "harness/tune/tune_plan.h"

enum { KNOBS = 2, STAGES_MAX = 40 };

// The rows that a tune leaves, made as the plans say.
typedef struct Fake {
    TuneSpec spec;
    TunePlanInput input;
    StoreTuneStage stages[STAGES_MAX];
    StoreTuneMatch matches[STAGES_MAX];
    double answers[STAGES_MAX][KNOBS];
    TunePlan plan;
} Fake;

static void fake_make(Fake *fake, const char *method, TuneBudget budget) {
    Synthetic surface;
    *fake = (Fake){.input = {.budget = budget}};
    synthetic_init(&surface, SYNTHETIC_NULL, KNOBS, 0, 1);
    synthetic_spec(&surface, 1, &fake->spec);
    fake->spec.method = (char *)method;
    fake->input.spec = &fake->spec;
    fake->input.stages = fake->stages;
    fake->input.matches = fake->matches;
}

// Asks for the next stage and says it in a word: "sense", "main 500" (games), "match", "none".
static const char *next(Fake *fake) {
    static char word[80];
    tune_plan_next(&fake->input, &fake->plan);
    const TunePlan *plan = &fake->plan;
    switch (plan->kind) {
    case TUNE_STAGE_SENSE:
        snprintf(word, sizeof word, "sense");
        break;
    case TUNE_STAGE_MAIN:
        if (plan->hours > 0)
            snprintf(word, sizeof word, "main %gh", plan->hours);
        else if (plan->iterations > 0)
            snprintf(word, sizeof word, "main %lldx", (long long)plan->iterations);
        else
            snprintf(word, sizeof word, "main %.0f", plan->games);
        break;
    case TUNE_STAGE_MATCH:
        snprintf(word, sizeof word, "%s v %s%s%s%s alpha %g pairs %lld", plan->match.player,
                 plan->match.opponent, plan->match.on_tuning ? " tuning" : "",
                 plan->match.is_verdict ? " verdict" : "", plan->match.depth_plus ? " deeper" : "",
                 plan->match.alpha, (long long)plan->match.pairs);
        break;
    case TUNE_STAGE_NONE:
        return "none";
    }
    return word;
}

// Stores the stage that was planned last, finished or begun; it took `games` or what was planned.
static void store(Fake *fake, bool is_finished, double games, double seconds) {
    const TunePlan *plan = &fake->plan;
    int n = fake->input.stage_count++;
    StoreTuneStage *stage = &fake->stages[n];
    bool is_main = plan->kind == TUNE_STAGE_MAIN;
    *stage = (StoreTuneStage){.id = n,
                              .kind = (char *)(plan->kind == TUNE_STAGE_SENSE ? "sense"
                                               : is_main                      ? fake->spec.method
                                                                              : "match"),
                              .pairs_each = 8,
                              .hours = plan->hours,
                              .finished_at = (char *)(is_finished ? "now" : NULL),
                              .seconds = seconds};
    if (plan->iterations > 0 && games == 0)
        stage->iterations = plan->iterations;
    else
        stage->iterations = (int64_t)((games > 0 ? games : plan->games) / 16);
    stage->done = is_finished ? stage->iterations : 1;
    if (is_main && is_finished) {
        for (int i = 0; i < KNOBS; i++)
            fake->answers[n][i] = 0.1 * (n + 1) + 0.01 * i;
        stage->answer = (StoreVector){fake->answers[n], KNOBS};
    }
    if (plan->kind == TUNE_STAGE_MATCH)
        fake->matches[fake->input.match_count++] =
            (StoreTuneMatch){.stage = n,
                             .player = (char *)plan->match.player,
                             .opponent = (char *)plan->match.opponent,
                             .openings = (char *)(plan->match.on_tuning ? "tuning" : "held-out"),
                             .depth_plus = plan->match.depth_plus,
                             .is_verdict = plan->match.is_verdict,
                             .alpha = plan->match.alpha,
                             .pairs = plan->match.pairs};
}

#define EXPECT(word)                                                                               \
    do {                                                                                           \
        assert_string_equal(next(&fake), word);                                                    \
        store(&fake, true, 0, 1);                                                                  \
    } while (0)

static void test_tune_plan__a_tune_is_scan_tuner_and_proof(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "spsa", (TuneBudget){.games = 5000});
    assert_string_equal(next(&fake), "sense");
    assert_int_equal(fake.plan.row, -1);
    store(&fake, true, 800, 1);
    EXPECT("main 4200");
    EXPECT("new v start verdict alpha 0.05 pairs 1000");
    EXPECT("new v start tuning alpha 0.025 pairs 1000");
    assert_string_equal(next(&fake), "none");
    golden_near("answer", fake.plan.start[1], fake.answers[1][1], 0); // what was found
    assert_int_equal(fake.plan.tuners, 1);
}

static void test_tune_plan__anchors_meet_both_and_transfer_comes_last(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "spsa", (TuneBudget){.games = 800});
    fake.spec.scan_pairs = 0;
    fake.spec.proof.pairs = 30;
    fake.spec.proof.anchor_pairs = 20;
    fake.spec.proof.transfer_pairs = 10;
    fake.spec.proof.anchor_count = 2;
    fake.spec.proof.anchors[0].name = (char *)"a";
    fake.spec.proof.anchors[1].name = (char *)"b";
    EXPECT("main 800");
    EXPECT("new v start verdict alpha 0.05 pairs 30");
    static const char *const REST[] = {"new v start tuning", "new v a", "start v a", "new v b",
                                       "start v b",          "none"};
    for (size_t i = 0; i < ARRAY_LEN(REST); i++) {
        assert_ptr_equal(strstr(next(&fake), REST[i]), next(&fake));
        if (fake.plan.kind != TUNE_STAGE_NONE)
            store(&fake, true, 0, 1);
    }
    fake.input.transfer = true; // asked for later: the one match that is missing
    EXPECT("new v start deeper alpha 0.025 pairs 10");
    assert_string_equal(next(&fake), "none");
}

// A larger budget goes on from the last answer; every further verdict has half the error.
static void test_tune_plan__a_larger_budget_goes_on_and_proves_again(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "spsa", (TuneBudget){.games = 1600});
    fake.spec.scan_pairs = 0;
    EXPECT("main 1600");
    EXPECT("new v start verdict alpha 0.05 pairs 1000");
    EXPECT("new v start tuning alpha 0.025 pairs 1000");
    fake.input.budget.games = 1610; // less than an iteration more
    assert_string_equal(next(&fake), "none");
    fake.input.budget.games = 3200;
    assert_string_equal(next(&fake), "main 1600");
    golden_near("start", fake.plan.start[0], fake.answers[0][0], 0);
    store(&fake, true, 0, 1);
    EXPECT("new v start verdict alpha 0.025 pairs 1000");
    EXPECT("new v start tuning alpha 0.0125 pairs 1000");
    fake.input.budget.games = 1000; // a smaller one changes nothing
    assert_string_equal(next(&fake), "none");
}

static void test_tune_plan__budgets_in_iterations_and_hours(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "spsa", (TuneBudget){.iterations = 100});
    assert_string_equal(next(&fake), "sense");
    store(&fake, true, 800, 1);
    EXPECT("main 100x");
    fake.spec.proof.pairs = 0;
    assert_string_equal(next(&fake), "none"); // no proof
    fake.input.budget.iterations = 101;
    EXPECT("main 1x");
    assert_string_equal(next(&fake), "none");
    fake_make(&fake, "spsa", (TuneBudget){.hours = 2});
    fake.spec.proof.pairs = 0;
    assert_string_equal(next(&fake), "sense");
    store(&fake, true, 800, 1800); // half an hour
    assert_string_equal(next(&fake), "main 1.5h");
    golden_near("speed", fake.plan.pairs_per_second, 400.0 / 1800, 1e-12);
    store(&fake, true, 1600, 99999); // however long it took
    assert_string_equal(next(&fake), "none");
    fake.input.budget.hours = 2.03; // not worth another stage
    assert_string_equal(next(&fake), "none");
    fake.input.budget.hours = 3;
    assert_string_equal(next(&fake), "main 1h");
}

static void test_tune_plan__methods_without_a_tuner_or_a_scan(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "sense", (TuneBudget){0});
    EXPECT("sense");
    assert_string_equal(next(&fake), "none");
    fake_make(&fake, "texel", (TuneBudget){0});
    assert_int_equal((next(&fake), fake.plan.kind), TUNE_STAGE_MAIN);
    store(&fake, true, 16, 1);
    EXPECT("new v start verdict alpha 0.05 pairs 1000");
    EXPECT("new v start tuning alpha 0.025 pairs 1000");
    assert_string_equal(next(&fake), "none");
    fake_make(&fake, "random", (TuneBudget){.games = 640});
    EXPECT("main 640");
    EXPECT("new v start verdict alpha 0.05 pairs 1000");
}

// What was begun is gone on with, with what was decided when it began.
static void test_tune_plan__an_interrupted_stage_goes_first(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "spsa", (TuneBudget){.games = 5000});
    fake.spec.proof.anchor_count = 1;
    fake.spec.proof.anchors[0].name = (char *)"rival";
    static const int KINDS[] = {TUNE_STAGE_SENSE, TUNE_STAGE_MAIN,  TUNE_STAGE_MATCH,
                                TUNE_STAGE_MATCH, TUNE_STAGE_MATCH, TUNE_STAGE_MATCH};
    for (int i = 0; i < (int)ARRAY_LEN(KINDS); i++) {
        char said[80];
        snprintf(said, sizeof said, "%s", next(&fake));
        assert_int_equal(fake.plan.kind, KINDS[i]);
        assert_int_equal(fake.plan.row, -1);
        store(&fake, false, 800, 1);
        TuneMatchPlan before = fake.plan.match;
        next(&fake);
        assert_int_equal(fake.plan.kind, KINDS[i]);
        assert_int_equal(fake.plan.row, i);
        if (KINDS[i] == TUNE_STAGE_MATCH)
            assert_string_equal(next(&fake), said);
        assert_ptr_equal(fake.plan.match.anchor, before.anchor);
        assert_int_equal(fake.plan.match.is_new, before.is_new);
        fake.stages[i].finished_at = (char *)"now";
        if (KINDS[i] == TUNE_STAGE_MAIN)
            fake.stages[i].answer = (StoreVector){fake.answers[i], KNOBS};
        fake.stages[i].iterations = i == 1 ? 4200 / 16 : fake.stages[i].iterations;
    }
    assert_string_equal(next(&fake), "none");
}

static void test_tune_plan__steps_are_measured_given_or_usual(void **state) {
    (void)state;
    Fake fake;
    fake_make(&fake, "spsa", (TuneBudget){.games = 5000});
    fake.spec.knobs[1].step = 0.07;
    next(&fake);
    golden_near("usual", fake.plan.steps[0], 0.125, 0);
    golden_near("given", fake.plan.steps[1], 0.07, 0);
    const StoreTuneEffect effects[KNOBS] = {{.step = 0.2}, {.step = 0.3}};
    fake.input.effects = effects;
    next(&fake);
    golden_near("measured", fake.plan.steps[0], 0.2, 0);
    golden_near("measured", fake.plan.steps[1], 0.3, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tune_plan__a_tune_is_scan_tuner_and_proof),
        cmocka_unit_test(test_tune_plan__anchors_meet_both_and_transfer_comes_last),
        cmocka_unit_test(test_tune_plan__a_larger_budget_goes_on_and_proves_again),
        cmocka_unit_test(test_tune_plan__budgets_in_iterations_and_hours),
        cmocka_unit_test(test_tune_plan__methods_without_a_tuner_or_a_scan),
        cmocka_unit_test(test_tune_plan__an_interrupted_stage_goes_first),
        cmocka_unit_test(test_tune_plan__steps_are_measured_given_or_usual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
