// SPDX-License-Identifier: GPL-3.0-or-later
// Regression of outcomes on evaluations: outcomes made from known weights give them back.
// sanitizers: asan
#include "engine/base/rng.h"
#include "harness/tune/texel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Five weights, the enemy's part times `defense`, and a knob that nothing feels.
enum { WEIGHTS = 5, DEFENSE = WEIGHTS, SILENT, KNOBS, DUMMY = WEIGHTS - 1 };

static const double TRUE_WEIGHT[KNOBS] = {8, 4, 2, 1, 0, 0.8, 7};
static const double START[KNOBS] = {4, 4, 4, 4, 0, 1.0, 7};
static const double TRUE_K = 0.15, TRUE_TEMPO = 0.4;

typedef struct Made {
    TexelData data;
    double *value, *slope, *bend, *outcome;
    int64_t *group;
} Made;

static double own_minus_enemy(const double *own, const double *enemy, const double *knobs) {
    double value = 0;
    for (int i = 0; i < WEIGHTS; i++)
        value += knobs[i] * (own[i] - knobs[DEFENSE] * enemy[i]);
    return value;
}

// `games` games of `per_game` positions; with `copies` the positions of a game are the same one.
static Made made(int games, int per_game, bool copies, uint64_t seed) {
    Made m = {0};
    size_t count = (size_t)games * (size_t)per_game;
    m.value = calloc(count, sizeof *m.value);
    m.slope = calloc(count * KNOBS, sizeof *m.slope);
    m.bend = calloc(count * WEIGHTS, sizeof *m.bend);
    m.outcome = calloc(count, sizeof *m.outcome);
    m.group = calloc(count, sizeof *m.group);
    Rng rng = rng_init(seed);
    double own[WEIGHTS] = {0}, enemy[WEIGHTS] = {0}, outcome = 0;
    for (size_t row = 0; row < count; row++) {
        if (!copies || row % (size_t)per_game == 0) {
            for (int i = 0; i < WEIGHTS; i++) {
                own[i] = (double)rng_below(&rng, 4);
                enemy[i] = (double)rng_below(&rng, 4);
            }
            double z = TRUE_K * own_minus_enemy(own, enemy, TRUE_WEIGHT) + TRUE_TEMPO;
            outcome = rng_unit(&rng) < 1 / (1 + exp(-z));
        }
        for (int i = 0; i < WEIGHTS; i++) {
            m.slope[row * KNOBS + (size_t)i] = own[i] - START[DEFENSE] * enemy[i];
            m.slope[row * KNOBS + DEFENSE] -= START[i] * enemy[i];
            m.bend[row * WEIGHTS + (size_t)i] = -enemy[i];
        }
        m.value[row] = own_minus_enemy(own, enemy, START);
        m.outcome[row] = outcome;
        m.group[row] = (int64_t)(row / (size_t)per_game);
    }
    m.data = (TexelData){.knob_count = KNOBS,
                         .cross_count = WEIGHTS,
                         .count = (int64_t)count,
                         .value = m.value,
                         .slope = m.slope,
                         .bend = m.bend,
                         .outcome = m.outcome,
                         .group = m.group};
    for (int i = 0; i < KNOBS; i++)
        m.data.knob[i] = (TexelKnob){START[i], -100, 100, 4};
    for (int i = 0; i < WEIGHTS; i++)
        m.data.cross[i] = (TexelCross){i, DEFENSE};
    return m;
}

static void made_free(Made *m) {
    free(m->value);
    free(m->slope);
    free(m->bend);
    free(m->outcome);
    free(m->group);
}

static TexelResult fit(const Made *m, const TexelOptions *options) {
    TexelResult result;
    ErrorText err = {""};
    if (texel_fit(&m->data, options, &result, &err))
        fail_msg("%s", err.text);
    return result;
}

static void test_texel__slopes_are_those_of_the_value(void **state) {
    (void)state;
    Made m = made(20, 3, false, 5);
    double knobs[KNOBS], slope[KNOBS];
    Rng rng = rng_init(1);
    for (int64_t row = 0; row < m.data.count; row++) {
        for (int i = 0; i < KNOBS; i++)
            knobs[i] = 10 * rng_unit(&rng);
        double value = texel_value(&m.data, row, knobs, slope);
        for (int i = 0; i < KNOBS; i++) {
            double was = knobs[i];
            knobs[i] += 0.5;
            double moved = texel_value(&m.data, row, knobs, NULL);
            knobs[i] = was;
            assert_true(fabs(moved - value - 0.5 * slope[i]) < 1e-9);
        }
    }
    made_free(&m);
}

// Every weight and defense within three standard errors of what made the outcomes, for many seeds:
// of 12 x 6 numbers about one in 370 lies farther out by chance.
static void test_texel__known_weights_are_recovered(void **state) {
    (void)state;
    int far_out = 0;
    double squares = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        Made m = made(6000, 3, false, seed);
        TexelResult result = fit(&m, &(TexelOptions){.l2 = 0});
        double ratio = result.k / TRUE_K; // k is held: weights come in its units
        for (int i = 0; i <= DEFENSE; i++) {
            double want = TRUE_WEIGHT[i] / (i == DEFENSE ? 1 : ratio);
            double off = (result.weight[i] - want) / result.se[i];
            squares += off * off;
            far_out += fabs(off) > 3;
            if (fabs(off) > 4.5)
                fail_msg("seed %d knob %d: %f, want %f, se %f", (int)seed, i, result.weight[i],
                         want, result.se[i]);
        }
        assert_true(fabs(result.tempo - TRUE_TEMPO) < 0.15);
        assert_true(result.loss_after < result.loss_before - 0.005);
        made_free(&m);
    }
    assert_true(far_out <= 1);
    // The errors are neither too small nor too large: mean square near 1 (72 numbers, sd 0.17).
    if (squares / 72 < 0.5 || squares / 72 > 1.6)
        fail_msg("mean square of (fitted - true) / se is %f", squares / 72);
}

// Weights three times too large are right in proportion: k takes the factor, the weights stay.
static void test_texel__the_scale_of_the_weights_is_left_to_k(void **state) {
    (void)state;
    Made m = made(6000, 3, false, 31);
    for (int64_t row = 0; row < m.data.count; row++) { // the same positions, from another start
        double now = 0;
        for (int i = 0; i < WEIGHTS; i++) {
            double own = m.slope[row * KNOBS + i] - START[DEFENSE] * m.bend[row * WEIGHTS + i];
            double enemy = -m.bend[row * WEIGHTS + i];
            m.slope[row * KNOBS + i] = own - TRUE_WEIGHT[DEFENSE] * enemy;
            now += 3 * TRUE_WEIGHT[i] * m.slope[row * KNOBS + i];
        }
        m.slope[row * KNOBS + DEFENSE] = 0;
        for (int i = 0; i < WEIGHTS; i++)
            m.slope[row * KNOBS + DEFENSE] += 3 * TRUE_WEIGHT[i] * m.bend[row * WEIGHTS + i];
        m.value[row] = now;
    }
    for (int i = 0; i < KNOBS; i++)
        m.data.knob[i].start = i < WEIGHTS ? 3 * TRUE_WEIGHT[i] : TRUE_WEIGHT[i];
    TexelResult result = fit(&m, &(TexelOptions){.l2 = 1e-5});
    assert_true(fabs(result.k * 3 / TRUE_K - 1) < 0.1);
    for (int i = 0; i <= DEFENSE; i++)
        if (fabs(result.weight[i] - m.data.knob[i].start) > 3.5 * result.se[i])
            fail_msg("knob %d: %f, want %f, se %f", i, result.weight[i], m.data.knob[i].start,
                     result.se[i]);
    made_free(&m);
}

static void test_texel__a_silent_knob_stays_and_a_dummy_is_nothing(void **state) {
    (void)state;
    Made m = made(4000, 2, false, 77);
    TexelResult result = fit(&m, &(TexelOptions){.l2 = 1e-5});
    assert_true(result.is_unknown[SILENT]);
    assert_true(result.weight[SILENT] == START[SILENT]);
    assert_true(result.se[SILENT] == 0);
    assert_false(result.is_unknown[DUMMY]);
    assert_true(fabs(result.weight[DUMMY]) < 3 * result.se[DUMMY]);
    made_free(&m);
}

// Copies of a position add nothing: the same weights, and the same errors (not half of them).
static void test_texel__errors_are_clustered_by_game(void **state) {
    (void)state;
    Made one = made(3000, 1, true, 9), four = made(3000, 4, true, 9);
    TexelResult a = fit(&one, &(TexelOptions){.l2 = 1e-5}),
                b = fit(&four, &(TexelOptions){.l2 = 1e-5});
    for (int i = 0; i <= DEFENSE; i++) {
        assert_true(fabs(a.weight[i] - b.weight[i]) < 1e-6);
        assert_true(fabs(a.se[i] - b.se[i]) < 1e-6 * a.se[i]);
    }
    made_free(&one);
    made_free(&four);
}

static void test_texel__folds_are_whole_games_and_honest(void **state) {
    (void)state;
    Made m = made(300, 4, false, 3);
    TexelResult result = fit(&m, &(TexelOptions){.l2 = 1e-6, .folds = 7, .seed = 5});
    double train = 0, held = 0;
    int64_t positions = 0;
    assert_int_equal(result.fold_count, 7);
    for (int i = 0; i < 7; i++) {
        const TexelFold *fold = &result.fold[i];
        assert_int_equal(fold->held % 4, 0);
        assert_in_range(fold->held, 4 * (300 / 7), 4 * (300 / 7 + 1));
        assert_int_equal(fold->train + fold->held, 1200);
        assert_true(fold->train_after < fold->train_before);
        train += fold->train_after;
        held += fold->held_after;
        positions += fold->held;
    }
    assert_int_equal(positions, 1200);
    if (held <= train)
        fail_msg("held out %f, trained on %f", held / 7, train / 7);
    made_free(&m);
}

static void test_texel__the_pull_holds_weights_back(void **state) {
    (void)state;
    Made m = made(1000, 2, false, 21);
    double last = INFINITY;
    for (double l2 = 0; l2 < 20; l2 = l2 == 0 ? 1e-4 : l2 * 10) {
        TexelResult result = fit(&m, &(TexelOptions){.l2 = l2});
        double moved = 0;
        for (int i = 0; i < KNOBS; i++)
            moved += pow(result.weight[i] - START[i], 2);
        assert_true(moved < last);
        last = moved;
    }
    assert_true(last < 0.02);
    made_free(&m);
}

static void keep_order(void *ctx, double *knobs) {
    (void)ctx;
    if (knobs[0] > knobs[1])
        knobs[0] = knobs[1] = (knobs[0] + knobs[1]) / 2;
}

static void test_texel__bounds_and_order_are_kept(void **state) {
    (void)state;
    Made m = made(3000, 2, false, 4);
    m.data.knob[0].high = 5;
    TexelResult result = fit(&m, &(TexelOptions){.l2 = 1e-6});
    assert_true(result.weight[0] == 5);
    assert_true(result.is_on_bound[0]);
    assert_false(result.is_on_bound[1]);
    m.data.knob[0].high = 100;
    result = fit(&m, &(TexelOptions){.l2 = 1e-6, .project = keep_order});
    assert_true(result.weight[0] <= result.weight[1] + 1e-9);
    assert_true(result.loss_after < result.loss_before);
    made_free(&m);
}

static void test_texel__the_same_bits_again(void **state) {
    (void)state;
    Made m = made(500, 3, false, 8);
    TexelOptions options = {.l2 = 1e-4, .folds = 5, .seed = 1};
    TexelResult a = fit(&m, &options), b = fit(&m, &options);
    assert_memory_equal(a.weight, b.weight, sizeof a.weight);
    assert_memory_equal(a.se, b.se, sizeof a.se);
    made_free(&m);
}

static void refused(const Made *m, int folds, const char *words) {
    TexelResult result;
    ErrorText err = {""};
    assert_int_equal(texel_fit(&m->data, &(TexelOptions){.folds = folds}, &result, &err),
                     STATUS_INVALID);
    if (!strstr(err.text, words))
        fail_msg("'%s' says nothing of '%s'", err.text, words);
}

static void test_texel__data_without_an_answer_is_refused(void **state) {
    (void)state;
    Made m = made(10, 3, false, 6);
    refused(&m, 11, "positions of 10 games, expected at least 11");
    m.data.count = 3;
    refused(&m, 0, "positions of 1 games");
    made_free(&m);
    m = made(400, 2, false, 6);
    for (int64_t row = 0; row < m.data.count; row++)
        m.outcome[row] = 1 - m.outcome[row];
    refused(&m, 0, "contradict the evaluation");
    for (int64_t row = 0; row < m.data.count; row++)
        m.outcome[row] = 1;
    refused(&m, 0, "won in every position");
    memset(m.value, 0, (size_t)m.data.count * sizeof *m.value);
    refused(&m, 0, "the same in every position");
    made_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texel__slopes_are_those_of_the_value),
        cmocka_unit_test(test_texel__known_weights_are_recovered),
        cmocka_unit_test(test_texel__the_scale_of_the_weights_is_left_to_k),
        cmocka_unit_test(test_texel__a_silent_knob_stays_and_a_dummy_is_nothing),
        cmocka_unit_test(test_texel__errors_are_clustered_by_game),
        cmocka_unit_test(test_texel__folds_are_whole_games_and_honest),
        cmocka_unit_test(test_texel__the_pull_holds_weights_back),
        cmocka_unit_test(test_texel__bounds_and_order_are_kept),
        cmocka_unit_test(test_texel__the_same_bits_again),
        cmocka_unit_test(test_texel__data_without_an_answer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
