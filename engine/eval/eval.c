// SPDX-License-Identifier: GPL-3.0-or-later
// The table of evaluation models and the life of an evaluation.
#include "engine/eval/eval.h"

#include "engine/base/check.h"
#include "engine/eval/none.h"
#include "engine/eval/runs.h"
#include "engine/eval/shape.h"
#include "engine/eval/threat_eval.h"
#include "engine/eval/windows.h"

#include <stdlib.h>
#include <string.h>

// Found by name, in any order: the knob eval.model says which names there are.
static const EvalModel *const MODELS[] = {&SHAPE_MODEL,     &NONE_MODEL,    &STONE_RUNS_MODEL,
                                          &LINE_RUNS_MODEL, &WINDOWS_MODEL, &PLACEMENT_MODEL,
                                          &THREAT_MODEL};

const EvalModel *eval_model_find(const char *name, size_t length) {
    for (size_t i = 0; i < ARRAY_LEN(MODELS); i++)
        if (strlen(MODELS[i]->name) == length && memcmp(MODELS[i]->name, name, length) == 0)
            return MODELS[i];
    return NULL;
}

// Tenths: ten times the value, so that a weight with one decimal is a whole number and nothing has
// to be rounded.
static void set_arithmetic(Eval *eval, const KnobSet *knobs) {
    double defense = knob_real(knobs, KNOB_EVAL_DEFENSE);
    bool tenths = knob_int(knobs, KNOB_EVAL_ARITHMETIC) == ARITHMETIC_TENTHS;
    eval->own_scale = tenths ? 10 : 1;
    eval->enemy_weight = tenths ? rint(10 * defense) : defense;
    eval->rounds = knob_int(knobs, KNOB_EVAL_ARITHMETIC) == ARITHMETIC_WHOLE;
}

// What a slow twin does about a stone: the next question reads the board anyway.
static void ignore_stone(Eval *eval, const Board *board, Move move, Colour colour) {
    (void)eval, (void)board, (void)move, (void)colour;
}

// From now on every question is answered from the board alone.
static void use_twin(Eval *eval) {
    eval->twin = *eval->model;
    eval->twin.place = eval->twin.undo = ignore_stone;
    eval->twin.value = eval->model->slow_value;
    eval->twin.point = eval->model->slow_point;
    // The quicker ways have no twins of their own: callers fall back on value and point.
    eval->twin.point_both = NULL;
    eval->twin.value_after = NULL;
    eval->twin.points = NULL;
    // From here on the Eval points into itself: it must stay where it is.
    eval->model = &eval->twin;
}

// Does a knob read the threat map, or the model itself?
static bool needs_threats(const KnobSet *knobs, const EvalModel *model) {
    return model->needs_threats || knob_int(knobs, KNOB_SEARCH_VCF) != VCF_NONE ||
           knob_int(knobs, KNOB_SEARCH_VCT) != VCT_NONE || knob_int(knobs, KNOB_SEARCH_THREATS) ||
           knob_int(knobs, KNOB_MOVES_FORCED) || knob_int(knobs, KNOB_SEARCH_LATE_MOVES) ||
           knob_int(knobs, KNOB_SEARCH_LMR) || knob_int(knobs, KNOB_SEARCH_NULL_MOVE) ||
           knob_int(knobs, KNOB_SEARCH_FUTILITY) || knob_int(knobs, KNOB_SEARCH_RAZOR) ||
           knob_int(knobs, KNOB_SEARCH_SINGULAR) || knob_int(knobs, KNOB_SEARCH_EXTEND);
}

static Status open_threats(Eval *eval, const Board *board, ErrorText *err) {
    if (board->k != 5)
        return error_set(err, STATUS_UNSUPPORTED,
                         "threats are known for five in a row only, not %d", board->k);
    // Kept up to date with search.incremental no, too: what reads the map has no other way to know.
    eval->threats = malloc(sizeof *eval->threats);
    if (!eval->threats)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the threat map");
    return threat_map_init(eval->threats, board, eval->model->threat_values, err);
}

// The model that the knobs name, found without allocating: that could fail.
static const EvalModel *chosen_model(const KnobSet *knobs) {
    const char *start, *choices = knob_info(KNOB_EVAL_MODEL)->choices;
    size_t length = text_choice_at(choices, (int)knob_int(knobs, KNOB_EVAL_MODEL), &start);
    return eval_model_find(start, length);
}

Status eval_init(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) {
    const EvalModel *model = chosen_model(knobs);
    CHECK(model != NULL); // every choice of the knob has a row in the table
    // Asked here for all models: each says what it can do, none has to refuse by itself.
    int small = board->width < board->height ? board->width : board->height;
    int large = board->width < board->height ? board->height : board->width;
    if (small < model->min_side || large > model->max_side)
        return error_set(err, STATUS_UNSUPPORTED,
                         "eval.model %s plays on sides %d..%d, not on %dx%d", model->name,
                         model->min_side, model->max_side, board->width, board->height);
    if (board->k != 5 && !model->any_k)
        return error_set(err, STATUS_UNSUPPORTED, "eval.model %s knows five in a row only, not %d",
                         model->name, board->k);
    eval->model = model;
    eval->state = NULL;
    eval->threats = NULL;
    set_arithmetic(eval, knobs);
    // The model before the map, which sums up values that the model fills in.
    Status status = model->open(eval, knobs, board, err);
    if (!status && needs_threats(knobs, model))
        status = open_threats(eval, board, err);
    if (!status && !knob_int(knobs, KNOB_SEARCH_INCREMENTAL))
        use_twin(eval);
    if (!status)
        eval_reset(eval, board);
    return status;
}

void eval_release(Eval *eval) {
    if (eval->model)
        eval->model->close(eval);
    free(eval->threats);
    eval->model = NULL;
    eval->state = NULL;
    eval->threats = NULL;
}

void eval_reset(Eval *eval, const Board *board) {
    eval->depth = 0;
    eval->sum[BLACK] = eval->sum[WHITE] = 0;
    if (eval->threats)
        threat_map_reset(eval->threats, board);
    eval->model->reset(eval, board);
}
