// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the searches of a verification and judges them.
#include "harness/study/verify.h"

#include "engine/engine.h"
#include "harness/study/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A block is searched by one thread: by the reference first, then by one candidate after another,
// so that a thread needs memory for one engine only.
enum { BLOCK = 4 };

typedef struct VerifyRun {
    const VerifySpec *spec;
    VerifyResult *result;
    atomic_bool stop;
    bool (*progress)(void *, int64_t, int64_t);
    void *progress_ctx;
    _Atomic uint8_t *block_done; // owned; by block
} VerifyRun;

// The knobs as they are compared: see the head of verify.h.
static KnobSet compared_knobs(const VerifySpec *spec, const KnobSet *knobs) {
    KnobSet set = *knobs;
    // A clock would make the answer depend on the machine, a node limit on the pruning that is to
    // be judged.
    set.number[KNOB_SEARCH_TIME_MS] = 0;
    set.number[KNOB_SEARCH_NODES] = 0;
    if (spec->tie_by_order) {
        set.number[KNOB_SEARCH_TIE] = TIE_ORDER;
        return set;
    }
    set.number[KNOB_SEARCH_TIE] = TIE_BOARD;
    if (knob_int(&set, KNOB_SEARCH_ROOT) == ROOT_SHARED)
        set.number[KNOB_SEARCH_ROOT] = ROOT_EXACT;
    return set;
}

static int64_t question(const VerifySpec *spec, int64_t position, int depth_index) {
    return position * spec->depth_count + depth_index;
}

const VerifyAnswer *verify_reference(const VerifyResult *result, int64_t position,
                                     int depth_index) {
    return &result->reference[question(result->spec, position, depth_index)];
}

const VerifyAnswer *verify_answer(const VerifyResult *result, int candidate, int64_t position,
                                  int depth_index) {
    return &result->answers[question(result->spec, position, depth_index) *
                                result->spec->candidates.count +
                            candidate];
}

bool verify_is_compared(const VerifySpec *spec, int candidate, int depth_index) {
    int max_depth = spec->candidates.items[candidate].max_depth;
    return max_depth == 0 || spec->depths[depth_index] <= max_depth;
}

// --- searching
// --------------------------------------------------------------------------------------------------------

// One search from a cleared engine.
static Status ask(VerifyRun *run, Engine *engine, const Board *board, int depth,
                  uint64_t node_limit, VerifyAnswer *out, ErrorText *err) {
    ThinkReport report;
    Status status = engine_set_position(engine, board, err);
    if (status)
        return status;
    engine_think(engine, &(ThinkLimits){.depth = depth, .nodes = node_limit, .stop = &run->stop},
                 &report);
    if (atomic_load(&run->stop))
        return error_set(err, STATUS_STOPPED, "interrupted");
    *out = (VerifyAnswer){
        .value = report.value,
        .move = report.move,
        .stopped = report.stopped,
        .nodes = report.cost.nodes,
        .cutoffs = report.cost.cutoffs,
        .first_cutoffs = report.cost.first_cutoffs,
        .branching = report.cost.interior
                         ? (float)((double)report.cost.branches / (double)report.cost.interior)
                         : 0,
    };
    return STATUS_OK;
}

// The answers of one player to the positions first..last-1. `candidate` -1: the reference.
static Status ask_player(VerifyRun *run, int candidate, int64_t first, int64_t last, Board *board,
                         ErrorText *err) {
    const VerifySpec *spec = run->spec;
    KnobSet knobs = compared_knobs(spec, candidate < 0 ? &spec->reference
                                                       : &spec->candidates.items[candidate].knobs);
    Engine *engine = NULL;
    Status status = STATUS_OK;
    for (int64_t p = first; p < last && !status; p++) {
        const Position *position = &spec->positions.items[p];
        status = position_set_up(position, spec->rule, 0, board, err);
        if (!status && engine &&
            (engine_board(engine)->width != board->width ||
             engine_board(engine)->height != board->height)) {
            engine_free(engine);
            engine = NULL;
        }
        EngineSetup setup = {&knobs,   board->width, board->height,
                             board->k, spec->rule,   clock_monotonic()};
        if (!status && !engine)
            status = engine_new(&setup, &engine, err);
        if (!status)
            // The planted fault of tests goes into candidates only: the reference must stay what it
            // is.
            engine_plant_fault(engine, candidate < 0 ? FAULT_NONE : spec->fault);
        for (int d = 0; d < spec->depth_count && !status; d++) {
            int64_t at = question(spec, p, d);
            VerifyAnswer *reference = &run->result->reference[at];
            if (candidate < 0)
                status = ask(run, engine, board, spec->depths[d], spec->node_limit, reference, err);
            // A candidate may need more nodes than minimax where it searches again (iterations,
            // windows), but not sixteen times as many: that is reported as a fault instead of
            // waited for.
            else if (!reference->stopped && verify_is_compared(spec, candidate, d))
                status = ask(run, engine, board, spec->depths[d], 16 * reference->nodes + 100000,
                             &run->result->answers[at * spec->candidates.count + candidate], err);
        }
    }
    engine_free(engine);
    return status;
}

static Status verify_block(void *ctx, int64_t index, ErrorText *err) {
    VerifyRun *run = ctx;
    int64_t first = index * BLOCK, last = first + BLOCK;
    if (last > run->spec->positions.count)
        last = run->spec->positions.count;
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    Status status = STATUS_OK;
    // The reference goes first: its nodes are the candidates' limit.
    for (int candidate = -1; candidate < run->spec->candidates.count && !status; candidate++) {
        status = ask_player(run, candidate, first, last, board, err);
        if (status && status != STATUS_STOPPED)
            error_wrap(err, status, "%s",
                       candidate < 0 ? "reference" : run->spec->candidates.items[candidate].name);
    }
    free(board);
    if (!status)
        atomic_store(&run->block_done[index], 1);
    return status;
}

// Told in positions, which people know, not in blocks.
static bool show_progress(void *ctx, int64_t done, int64_t count) {
    VerifyRun *run = ctx;
    (void)count;
    int64_t positions = done * BLOCK;
    if (positions > run->spec->positions.count)
        positions = run->spec->positions.count;
    if (run->progress && !run->progress(run->progress_ctx, positions, run->spec->positions.count))
        atomic_store(&run->stop, true);
    return !atomic_load(&run->stop);
}

Status verify_run(const VerifySpec *spec, bool (*progress)(void *, int64_t, int64_t),
                  void *progress_ctx, VerifyResult *out, ErrorText *err) {
    int64_t questions = question(spec, spec->positions.count, 0);
    int64_t blocks = (spec->positions.count + BLOCK - 1) / BLOCK;
    VerifyResult result = {
        .spec = spec,
        .reference = calloc((size_t)questions + 1, sizeof *result.reference),
        .answers = calloc((size_t)(questions * spec->candidates.count) + 1, sizeof *result.answers),
    };
    VerifyRun run = {.spec = spec,
                     .result = &result,
                     .progress = progress,
                     .progress_ctx = progress_ctx,
                     .block_done = calloc((size_t)blocks + 1, sizeof *run.block_done)};
    if (!result.reference || !result.answers || !run.block_done) {
        verify_result_release(&result);
        free(run.block_done);
        return error_set(err, STATUS_NO_MEMORY, "no memory for %lld answers",
                         (long long)(questions * (spec->candidates.count + 1)));
    }
    Work work = {blocks,        spec->jobs > 0 ? spec->jobs : work_cores(),
                 verify_block,  &run,
                 show_progress, &run};
    Status status = work_run(&work, err);
    // Blocks end in any order; a report on the first so many positions has no holes.
    for (int64_t b = 0; b < blocks && atomic_load(&run.block_done[b]); b++)
        result.positions_done =
            (b + 1) * BLOCK < spec->positions.count ? (b + 1) * BLOCK : spec->positions.count;
    free(run.block_done);
    if (status && status != STATUS_STOPPED)
        verify_result_release(&result);
    *out = result;
    return status;
}

void verify_result_release(VerifyResult *result) {
    free(result->reference);
    free(result->answers);
    *result = (VerifyResult){0};
}

void verify_spec_release(VerifySpec *spec) {
    free(spec->candidates.items);
    positions_release(&spec->positions);
    *spec = (VerifySpec){0};
}

// --- judging
// ----------------------------------------------------------------------------------------------------------

// Do both sides search the root in the same order, known before the search begins?
// With an order that learns (history) or an iteration before, the first of equal moves depends on
// the tree, which pruning changes.
static bool same_root_order(const KnobSet *a, const KnobSet *b) {
    Text text[2] = {{0}, {0}};
    knob_write_text(a, KNOB_SEARCH_ORDER, &text[0]);
    knob_write_text(b, KNOB_SEARCH_ORDER, &text[1]);
    bool same = strcmp(text_cstr(&text[0]), text_cstr(&text[1])) == 0 &&
                !strstr(text_cstr(&text[0]), "history") &&
                knob_int(a, KNOB_SEARCH_CENTER) == knob_int(b, KNOB_SEARCH_CENTER) &&
                knob_int(a, KNOB_SEARCH_DEEPENING) == knob_int(b, KNOB_SEARCH_DEEPENING);
    text_release(&text[0]);
    text_release(&text[1]);
    return same;
}

VerifyVerdict verify_verdict(const VerifyResult *result, int candidate, int64_t position,
                             int depth_index) {
    const VerifySpec *spec = result->spec;
    const VerifyAnswer *reference = verify_reference(result, position, depth_index);
    const VerifyAnswer *answer = verify_answer(result, candidate, position, depth_index);
    if (reference->stopped)
        return VERIFY_SKIPPED;
    if (answer->stopped)
        return VERIFY_UNFINISHED;
    // NaN equals nothing, itself included.
    if (answer->value != reference->value && !(isnan(answer->value) && isnan(reference->value)))
        return VERIFY_OTHER_VALUE;
    if (answer->move == reference->move)
        return VERIFY_AGREES;
    bool is_free = spec->tie_by_order &&
                   !same_root_order(&spec->reference, &spec->candidates.items[candidate].knobs);
    return is_free && answer->move != MOVE_NONE && reference->move != MOVE_NONE ? VERIFY_AGREES
                                                                                : VERIFY_OTHER_MOVE;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The q-quantile of sorted values: the smallest that at least a part q does not exceed.
// A value that was observed, not an interpolation between two.
static double quantile(const double *values, int64_t count, double q) {
    if (count == 0)
        return NAN;
    int64_t index = (int64_t)ceil(q * (double)count) - 1;
    return values[index < 0 ? 0 : index];
}

// Knuth & Moore (1975): the leaves that no order of moves can spare.
static double minimum_leaves(double branching, int depth) {
    return pow(branching, ceil(depth / 2.0)) + pow(branching, floor(depth / 2.0)) - 1;
}

Status verify_summarize(const VerifyResult *result, int candidate, int depth_index,
                        VerifySummary *out, ErrorText *err) {
    const VerifySpec *spec = result->spec;
    size_t room = (size_t)result->positions_done + 1;
    double *savings = malloc(2 * room * sizeof *savings), *ratios = savings ? savings + room : NULL;
    if (!savings)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    int64_t compared = 0;
    uint64_t cutoffs = 0, first_cutoffs = 0;
    *out = (VerifySummary){.positions = result->positions_done};
    for (int64_t p = 0; p < result->positions_done; p++) {
        VerifyVerdict verdict = verify_verdict(result, candidate, p, depth_index);
        const VerifyAnswer *reference = verify_reference(result, p, depth_index);
        const VerifyAnswer *answer = verify_answer(result, candidate, p, depth_index);
        out->skipped += verdict == VERIFY_SKIPPED;
        out->agreements += verdict == VERIFY_AGREES;
        if (verdict == VERIFY_SKIPPED || reference->nodes == 0)
            continue;
        // Without an interior node the tree was one loop at most: its nodes stand for the moves.
        double branching =
            reference->branching > 0 ? reference->branching : (double)reference->nodes;
        savings[compared] = 1 - (double)answer->nodes / (double)reference->nodes;
        ratios[compared++] =
            (double)answer->nodes / minimum_leaves(branching, spec->depths[depth_index]);
        cutoffs += answer->cutoffs;
        first_cutoffs += answer->first_cutoffs;
    }
    qsort(savings, (size_t)compared, sizeof *savings, compare_doubles);
    qsort(ratios, (size_t)compared, sizeof *ratios, compare_doubles);
    out->saving_median = quantile(savings, compared, 0.5);
    out->saving_p10 = quantile(savings, compared, 0.1);
    out->saving_p90 = quantile(savings, compared, 0.9);
    out->minimum_ratio = quantile(ratios, compared, 0.5);
    out->first_cutoffs = cutoffs ? (double)first_cutoffs / (double)cutoffs : NAN;
    free(savings);
    return STATUS_OK;
}
