// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the solvers up for one position.
#include "engine/proof.h"

#include "engine/eval/threat_map.h"
#include "engine/search/endgame.h"
#include "engine/search/vct.h"

#include <stdlib.h>
#include <string.h>

// Logarithms of entries of 16 bytes: 4 MiB for fours, 256 KiB to 256 MiB for threats.
enum { VCF_MEMO_BITS = 18, VCT_LEAST_BITS = 14, VCT_MOST_BITS = 24 };

// The solver's words in those of the header, which knows no solver.
static const ProofAnswer ANSWERS[] = {[VCF_NO] = PROOF_NONE,
                                      [VCF_WIN] = PROOF_WIN,
                                      [VCF_FIVE_NOW] = PROOF_FIVE_NOW,
                                      [VCF_UNKNOWN] = PROOF_UNKNOWN};

// Nobody moves any more: the side to move has no win to make.
static bool is_over(const Board *position) {
    return position->wins[BLACK] > 0 || position->wins[WHITE] > 0;
}

Status proof_fours(const Board *position, uint64_t node_limit, FoursProof *out, ErrorText *err) {
    if (position->k != 5)
        return error_set(err, STATUS_UNSUPPORTED, "fours are known for five in a row only, not %d",
                         position->k);
    if (is_over(position)) {
        *out = (FoursProof){.answer = PROOF_NONE};
        return STATUS_OK;
    }
    // On the heap: a board and its threat map are hundreds of kilobytes, too much for the stacks of
    // threads.
    struct Workspace {
        Board board;
        ThreatMap map;
        VcfSolver solver;
        VcfResult result;
    } *work = malloc(sizeof *work);
    if (!work)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the solver");
    work->board = *position;
    // So that it can be released although it was never made.
    work->solver.memo = NULL;
    Status status = threat_map_init(&work->map, &work->board, NULL, err);
    if (!status)
        status = vcf_init(&work->solver, &work->board, &work->map, VCF_MEMO_BITS, err);
    if (!status) {
        vcf_solve(&work->solver, VCF_MAX_FOURS, node_limit, &work->result);
        *out = (FoursProof){.answer = ANSWERS[work->result.answer],
                            .fours = work->result.fours,
                            .line_length = work->result.line_length,
                            .nodes = work->result.nodes};
        memcpy(out->line, work->result.line, (size_t)out->line_length * sizeof out->line[0]);
    }
    vcf_release(&work->solver);
    free(work);
    return status;
}

// A table with room for what so many nodes find out: four entries a node, for positions that were
// only looked at are kept, too.
static int vct_table_bits(uint64_t node_limit) {
    int bits = VCT_LEAST_BITS;
    while (bits < VCT_MOST_BITS && (node_limit == 0 || (uint64_t)1 << bits < 4 * node_limit))
        bits++;
    return bits;
}

Status proof_vct(const Board *position, uint64_t node_limit, ThreatsProof *out, ErrorText *err) {
    if (position->k != 5)
        return error_set(err, STATUS_UNSUPPORTED,
                         "threats are known for five in a row only, not %d", position->k);
    if (is_over(position)) {
        *out = (ThreatsProof){.answer = PROOF_NONE};
        return STATUS_OK;
    }
    struct Workspace {
        Board board;
        ThreatMap map;
        VcfSolver fours;
        VctSolver solver;
        VctResult result;
    } *work = malloc(sizeof *work);
    if (!work)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the solver");
    int bits = vct_table_bits(node_limit);
    work->board = *position;
    work->fours.memo = NULL;
    work->solver = (VctSolver){.children = NULL};
    Status status = threat_map_init(&work->map, &work->board, NULL, err);
    if (!status)
        status = vcf_init(&work->fours, &work->board, &work->map,
                          bits < VCF_MEMO_BITS ? bits : VCF_MEMO_BITS, err);
    if (!status)
        status = vct_init(&work->solver, &work->fours, bits, err);
    if (!status) {
        // Fours first: a win by them is the simpler proof, and what they leave of the limit is for
        // threats.
        VcfResult fours;
        vcf_solve(&work->fours, VCF_MAX_FOURS, node_limit, &fours);
        out->by_fours = fours.answer == VCF_WIN || fours.answer == VCF_FIVE_NOW;
        out->answer = ANSWERS[fours.answer];
        out->nodes = fours.nodes;
        out->line_length = fours.line_length;
        memcpy(out->line, fours.line, (size_t)out->line_length * sizeof out->line[0]);
        if (!out->by_fours && (!node_limit || out->nodes < node_limit)) {
            vct_solve(&work->solver, node_limit ? node_limit - out->nodes : 0, &work->result);
            out->answer = ANSWERS[work->result.answer];
            out->nodes += work->result.nodes;
            out->line_length = work->result.line_length;
            memcpy(out->line, work->result.line, (size_t)out->line_length * sizeof out->line[0]);
        }
        // The five itself is not counted, as in FoursProof.
        out->moves = out->line_length / 2;
    }
    vct_release(&work->solver);
    vcf_release(&work->fours);
    free(work);
    return status;
}

Status proof_end(const Board *position, int megabytes, uint64_t node_limit, EndProof *out,
                 ErrorText *err) {
    TransTable tt = {0};
    Board *board = malloc(sizeof *board);
    EndgameResult *result = malloc(sizeof *result);
    Status status = board && result ? tt_init(&tt, megabytes, err)
                                    : error_set(err, STATUS_NO_MEMORY, "no memory for the solver");
    if (!status) {
        // A copy to play on: the caller's position is not touched.
        *board = *position;
        endgame_solve(board, &tt, node_limit, result);
        out->solved = result->solved;
        out->outcome = result->outcome;
        out->plies = result->plies;
        out->by_value = result->by_value;
        out->by_distance = result->by_distance;
        out->line_length = result->line_length;
        out->nodes = result->nodes;
        memcpy(out->value_move, result->value_move, sizeof out->value_move);
        memcpy(out->distance_move, result->distance_move, sizeof out->distance_move);
        memcpy(out->line, result->line, sizeof out->line);
    }
    tt_release(&tt);
    free(board);
    free(result);
    return status;
}
