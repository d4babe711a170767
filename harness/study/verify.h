// SPDX-License-Identifier: GPL-3.0-or-later
// Does pruning change the answer? Candidates are held against a reference, by default plain
// minimax, position by position and depth by depth: same value, same move, and what the candidate
// saved.
//
// All searches run under one tie-break (search.tie board: among equal values the first in board
// order), so that the move is a function of the values alone; root windows that cannot see ties
// (search.root shared) are replaced by exact ones. Under VerifySpec.tie_by_order the knobs stay as
// they are, and another move of equal value is a difference only if both sides search the root in
// the same order. Limits in time and nodes are taken out of every player; a reference that needs
// more than node_limit nodes for a position is skipped and counted as such.
//
// The minimum of a tree of depth d whose interior nodes loop over b moves is b^ceil(d/2) +
// b^floor(d/2) - 1 leaves (Knuth & Moore, "An analysis of alpha-beta pruning", Artificial
// Intelligence, 1975); b is the mean number of moves that the reference looped over in that
// position.
#pragma once

#include "engine/base/fault.h"
#include "engine/base/knob.h"
#include "harness/record/positions.h"

enum { VERIFY_MAX_DEPTHS = 16, VERIFY_NAME_CAP = 96 };

// A player that is held against the reference.
typedef struct VerifyCandidate {
    char name[VERIFY_NAME_CAP];
    KnobSet knobs;
    int max_depth; // deeper ones are left out: too slow; 0 = none are
} VerifyCandidate;

// A growing list; zero-initialised is empty.
typedef struct VerifyCandidates {
    VerifyCandidate *items; // owned
    int count, cap;
} VerifyCandidates;

// What is verified. Owns candidates and positions: verify_spec_release.
typedef struct VerifySpec {
    KnobSet reference;
    VerifyCandidates candidates;
    PositionList positions;
    int depths[VERIFY_MAX_DEPTHS];
    int depth_count;
    Rule rule;
    uint64_t node_limit; // of the reference, per position and depth
    bool tie_by_order;
    int jobs;
    SearchFault fault; // planted into every candidate, by tests
} VerifySpec;

// What one search said.
typedef struct VerifyAnswer {
    double value;
    Move move;
    bool stopped; // the node limit was reached: no answer
    uint64_t nodes, cutoffs, first_cutoffs;
    float branching; // moves looped over, mean; 0 = no interior node
} VerifyAnswer;

// What one answer of a candidate is, beside that of the reference. SKIPPED is no fault of anybody:
// the reference had not enough nodes.
typedef enum VerifyVerdict {
    VERIFY_AGREES,
    VERIFY_SKIPPED,
    VERIFY_OTHER_VALUE,
    VERIFY_OTHER_MOVE,
    VERIFY_UNFINISHED // the candidate needed many more nodes than the reference
} VerifyVerdict;

// All answers, by position, depth and candidate; read them through the functions below.
typedef struct VerifyResult {
    const VerifySpec *spec;  // borrowed
    VerifyAnswer *reference; // owned; [position * depth_count + depth]
    VerifyAnswer *answers;   // owned; [(position * depth_count + depth) * candidates + candidate]
    int64_t positions_done;  // the first so many are complete (all, unless stopped)
} VerifyResult;

// One candidate at one depth, over all positions.
typedef struct VerifySummary {
    int64_t positions, skipped, agreements; // positions = skipped + agreements + differences
    // 1 - nodes / nodes of the reference; NaN: nothing compared.
    double saving_median, saving_p10, saving_p90;
    double minimum_ratio; // median of nodes / minimum
    // First-move cutoff rate: cutoffs at the first move / cutoffs; NaN: no cutoff.
    double first_cutoffs;
} VerifySummary;

// Runs every search of the spec. `progress` as in work.h. *out is the caller's
// (verify_result_release) also when the status is STATUS_STOPPED: it then holds what was done.
// Thread: any.
Status verify_run(const VerifySpec *spec, bool (*progress)(void *, int64_t, int64_t),
                  void *progress_ctx, VerifyResult *out, ErrorText *err) MUST_CHECK;

// Frees what the result owns, not the spec, and zeroes it. Thread: owner.
void verify_result_release(VerifyResult *result);

// Frees all that the spec owns and zeroes it. Thread: owner.
void verify_spec_release(VerifySpec *spec);

// The answer of the reference to one question: position 0..positions.count - 1, depth_index
// 0..depth_count - 1. Borrowed from the result. Thread: any reader.
const VerifyAnswer *verify_reference(const VerifyResult *result, int64_t position, int depth_index);

// The answer of a candidate to the same question; zeroes where it is not compared at that depth or
// the reference had none. Thread: any reader.
const VerifyAnswer *verify_answer(const VerifyResult *result, int candidate, int64_t position,
                                  int depth_index);

// What the two answers say together. Only for candidates that are compared at that depth. Thread:
// any reader.
VerifyVerdict verify_verdict(const VerifyResult *result, int candidate, int64_t position,
                             int depth_index);

// Is the candidate compared at that depth at all (max_depth)? Thread: any reader.
bool verify_is_compared(const VerifySpec *spec, int candidate, int depth_index);

// Sums up one candidate at one depth. STATUS_NO_MEMORY. Thread: any reader.
// Quantiles are of positions, the cutoff rate is of all cutoffs together.
Status verify_summarize(const VerifyResult *result, int candidate, int depth_index,
                        VerifySummary *out, ErrorText *err) MUST_CHECK;
