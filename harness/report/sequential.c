// SPDX-License-Identifier: GPL-3.0-or-later
// Feeding stored pairs to a sequential test.
#include "harness/report/sequential.h"

#include <jansson.h>
#include <string.h>

// From the identity as stored: the test is that of the run, whatever the file says today.
SequentialTest sequential_init(const char *identity) {
    SequentialTest out = {0};
    json_t *root = identity ? json_loads(identity, 0, NULL) : NULL;
    json_t *sprt = json_object_get(root, "sprt");
    if (json_is_object(sprt)) {
        SprtParams params = {.elo0 = json_number_value(json_object_get(sprt, "elo0")),
                             .elo1 = json_number_value(json_object_get(sprt, "elo1")),
                             .alpha = json_number_value(json_object_get(sprt, "alpha")),
                             .beta = json_number_value(json_object_get(sprt, "beta"))};
        const char *model = json_string_value(json_object_get(sprt, "model"));
        bool is_logistic = model && strcmp(model, sprt_model_name(SPRT_LOGISTIC)) == 0;
        params.model = is_logistic ? SPRT_LOGISTIC : SPRT_NORMALIZED;
        ErrorText ignored;
        out.is_asked = sprt_params_check(&params, &ignored) == STATUS_OK;
        if (out.is_asked)
            out.test = sprt_test_init(&params);
    }
    json_decref(root);
    return out;
}

// Points of player 0 in half points; the players of a test are 0 and 1.
static int candidate_points(const StoreGame *game) {
    int black = game->result == 'B' ? 2 : game->result == 'D' ? 1 : 0;
    return game->black == 0 ? black : 2 - black;
}

// Games of a pair stand together in the order of slots. A pair out of order waits, as it did in the
// run: the test takes pairs as the plan has them.
void sequential_add_game(SequentialTest *test, const StoreGame *game) {
    if (!test->is_asked || game->pair < 0)
        return;
    if (!test->has_held || test->held.pair != game->pair) {
        test->held = *game;
        test->has_held = true;
        return;
    }
    test->has_held = false;
    if (game->pair != test->next_pair) {
        test->waiting++;
        return;
    }
    test->next_pair++;
    sprt_test_add_pair(&test->test, pair_class_from_half_points(candidate_points(&test->held),
                                                                candidate_points(game)));
}
