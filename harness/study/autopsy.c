// SPDX-License-Identifier: GPL-3.0-or-later
// Goes backwards through lost games with the solvers.
#include "harness/study/autopsy.h"

#include "engine/proof.h"
#include "harness/study/work.h"

#include <stdlib.h>
#include <string.h>

enum { K_JUDGED = 5, CANDIDATE_RADIUS = 2 };

const char *autopsy_proof_name(AutopsyProof proof) {
    static const char *const NAMES[] = {NULL, "five", "vcf", "vct"};
    return NAMES[proof];
}

// --- proofs
// -----------------------------------------------------------------------------------------------------------

typedef struct Examiner {
    Board board; // the position in hand
    uint64_t nodes;
    ThreatsProof proof; // the last
} Examiner;

// Does the side to move win? The solver of threats asks for fours first, and says so.
// The line of a proof has one move where the five is there for the taking.
static Status prove(Examiner *examiner, AutopsyProof *out, ErrorText *err) {
    ThreatsProof *proof = &examiner->proof;
    Status status = proof_vct(&examiner->board, examiner->nodes, proof, err);
    *out = PROVED_NOT;
    if (status || (proof->answer != PROOF_WIN && proof->answer != PROOF_FIVE_NOW))
        return status;
    *out = proof->line_length == 1 ? PROVED_FIVE : proof->by_fours ? PROVED_VCF : PROVED_VCT;
    return STATUS_OK;
}

// --- one game
// -------------------------------------------------------------------------------------------------------------

static Status set_up(const GameRecord *game, Rule rule, Examiner *examiner, ErrorText *err) {
    Board *board = &examiner->board;
    Status status =
        board_init(board, game->width, game->height, K_JUDGED, rule, CANDIDATE_RADIUS, err);
    for (int i = 0; i < game->move_count && !status; i++) {
        if (!board_is_free(board, game->moves[i].move))
            return error_set(err, STATUS_INVALID, "game %lld: ply %d cannot be played",
                             (long long)game->slot, i + 1);
        board_place(board, game->moves[i].move);
    }
    return status;
}

static bool has_five(const Board *board) { return board->wins[BLACK] || board->wins[WHITE]; }

// The shape of the end. A game that ended without a five is played on by the winner's proof, if
// there is one.
// On a copy: the caller goes on from the position as it was.
static Status find_collapse(Examiner *examiner, Collapse *out, ErrorText *err) {
    AutopsyProof proof = PROVED_NOT;
    Status status = has_five(&examiner->board) ? STATUS_OK : prove(examiner, &proof, err);
    Board *board = malloc(sizeof *board);
    if (!status && !board)
        status = error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    if (!status) {
        *board = examiner->board;
        for (int i = 0; i < examiner->proof.line_length && proof != PROVED_NOT; i++)
            board_place(board, examiner->proof.line[i]);
        *out = collapse_of(board);
    }
    free(board);
    return status;
}

// Tries every candidate of the loser, who is to move, and notes those after which nothing is
// proved. The winner's best answer to the losing move comes first: where it wanted to play.
static Status find_escapes(Examiner *examiner, Move wanted, AutopsyGame *out, ErrorText *err) {
    Board *board = &examiner->board;
    Move moves[BOARD_MAX_CELLS];
    int count = board_candidates(board, moves);
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        AutopsyProof proof = PROVED_NOT;
        board_place(board, moves[i]);
        // A five of the loser's is an escape if there ever was one: nothing is proved after it.
        if (!has_five(board))
            status = prove(examiner, &proof, err);
        board_undo(board);
        if (status || proof != PROVED_NOT)
            continue;
        if (out->escapes++ == 0 || moves[i] == wanted)
            out->escape = moves[i];
    }
    return status;
}

// Takes back two plies at a time for as long as the winner's win is proved. Leaves the board after
// the losing move.
static Status go_back(Examiner *examiner, const GameRecord *game, AutopsyGame *out, Move *wanted,
                      ErrorText *err) {
    Board *board = &examiner->board;
    AutopsyProof proof = PROVED_NOT;
    Status status = prove(examiner, &proof, err);
    // From the end: a proof far from it may be out of the solver's reach although the game was lost
    // already, and the first gap ends the search. What is reported is a loss beyond doubt, not the
    // earliest one.
    while (!status && proof != PROVED_NOT) {
        out->proof = proof;
        out->proved_ply = board->stone_count;
        *wanted = examiner->proof.line[0];
        if (board->stone_count < 2 || board->stone_count <= game->opening_plies)
            return STATUS_OK;
        board_undo(board);
        board_undo(board);
        status = prove(examiner, &proof, err);
    }
    while (!status && board->stone_count < out->proved_ply) // to where it was proved
        board_place(board, game->moves[board->stone_count].move);
    return status;
}

// What could have been played instead of the losing move, which stands on the board.
static Status judge_losing_move(Examiner *examiner, const GameRecord *game, Move wanted,
                                AutopsyGame *out, ErrorText *err) {
    // Without an escape at the losing move the loss is older than the solver can prove; the move
    // before it is the last at which nothing was proved.
    int before = out->proved_ply - 2; // the loser's move before
    if (out->proved_ply <= game->opening_plies)
        return STATUS_OK;
    out->losing_move = game->moves[out->proved_ply - 1].move;
    board_undo(&examiner->board);
    Status status = find_escapes(examiner, wanted, out, err);
    if (out->escapes > 0) {
        out->escape_ply = out->proved_ply;
    } else if (before > game->opening_plies) {
        out->escape_ply = before;
        out->escape = game->moves[before - 1].move;
    }
    return status;
}

// Everything of the record that needs no solver.
static void describe(const GameRecord *game, AutopsyGame *out) {
    bool black_lost = game->result == 'W';
    *out = (AutopsyGame){.slot = game->slot,
                         .loser = black_lost ? game->black : game->white,
                         .winner = black_lost ? game->white : game->black,
                         .colour = black_lost ? BLACK : WHITE,
                         .reason = game->reason,
                         .plies = game->move_count,
                         .survived = game->move_count - game->opening_plies,
                         .losing_move = MOVE_NONE,
                         .escape = MOVE_NONE,
                         .width = game->width,
                         .height = game->height};
}

static Status examine(Examiner *examiner, const GameRecord *game, AutopsyGame *out,
                      ErrorText *err) {
    Board *board = &examiner->board;
    Move wanted = MOVE_NONE;
    // The shape is read before stones are taken back for the proofs.
    bool by_five = has_five(board);
    Status status = by_five ? find_collapse(examiner, &out->collapse, err) : STATUS_OK;
    // The last position with the winner to move, and no five on the board.
    if (by_five || (board->side == out->colour && board->stone_count > 0))
        board_undo(board);
    if (board->side == out->colour || has_five(board)) // not how games end: nothing to prove
        return status;
    if (!status && !by_five)
        status = find_collapse(examiner, &out->collapse, err);
    if (!status)
        status = go_back(examiner, game, out, &wanted, err);
    if (status || !out->proved_ply)
        return status;
    out->resisted = game->move_count - out->proved_ply;
    out->moves_kept = out->proved_ply;
    for (int i = 0; i < out->moves_kept; i++)
        out->moves[i] = game->moves[i].move;
    return judge_losing_move(examiner, game, wanted, out, err);
}

Status autopsy_game(const GameRecord *game, Rule rule, uint64_t nodes, AutopsyGame *out,
                    ErrorText *err) {
    Examiner *examiner = calloc(1, sizeof *examiner);
    if (!examiner)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    examiner->nodes = nodes;
    describe(game, out);
    Status status = set_up(game, rule, examiner, err);
    if (!status)
        status = examine(examiner, game, out, err);
    free(examiner);
    return status;
}

// --- all games, in batches
// --------------------------------------------------------------------------------------------------

// Games are read by one thread and examined by many: a batch is what is in memory at once.
enum { BATCH = 256 };

typedef struct Batch {
    GameRecord *records[BATCH];
    int count;
    Rule rule;
    uint64_t nodes;
    AutopsyGame *out; // room for all of them
} Batch;

static Status examine_piece(void *ctx, int64_t index, ErrorText *err) {
    Batch *batch = ctx;
    return autopsy_game(batch->records[index], batch->rule, batch->nodes, &batch->out[index], err);
}

static void batch_clear(Batch *batch) {
    for (int i = 0; i < batch->count; i++)
        game_record_free(batch->records[i]);
    batch->count = 0;
}

// Reads the next lost games; *more is false at the end.
static Status batch_read(StoreCursor *cursor, Batch *batch, Autopsy *autopsy, int64_t *seen,
                         bool *more, ErrorText *err) {
    Status status = STATUS_OK;
    while (!status && batch->count < BATCH && *more) {
        GameRecord *game = NULL;
        status = store_games_next_full(cursor, &game, more, err);
        if (status || !*more)
            return status;
        ++*seen;
        bool is_drawn = game->result == 'D', has_moves = game->move_count > 0;
        autopsy->drawn += is_drawn;
        autopsy->without_moves += !is_drawn && !has_moves;
        if (is_drawn || !has_moves)
            game_record_free(game);
        else
            batch->records[batch->count++] = game;
    }
    return status;
}

static Status batch_run(Batch *batch, int jobs, Autopsy *autopsy, ErrorText *err) {
    if (autopsy->count + batch->count > autopsy->cap) {
        int64_t cap = 2 * autopsy->cap + BATCH;
        AutopsyGame *games = realloc(autopsy->games, (size_t)cap * sizeof *games);
        if (!games)
            return error_set(err, STATUS_NO_MEMORY, "out of memory");
        autopsy->games = games;
        autopsy->cap = cap;
    }
    // Every piece writes to its own place, so the order is that of slots on any number of threads.
    batch->out = autopsy->games + autopsy->count;
    Work work = {.count = batch->count, .jobs = jobs, .piece = examine_piece, .ctx = batch};
    Status status = work_run(&work, err);
    if (!status)
        autopsy->count += batch->count;
    return status;
}

static Status run_batches(Store *store, const AutopsyLimits *limits, Batch *batch,
                          StoreProgress *progress, void *ctx, Autopsy *out, ErrorText *err) {
    StoreCursor *cursor = NULL;
    int64_t total = 0, seen = 0;
    bool more = true;
    Status status = store_count_games(store, INT64_MAX, &total, err);
    if (!status)
        status = store_games_open(store, 0, &cursor, err);
    while (!status && more) {
        status = batch_read(cursor, batch, out, &seen, &more, err);
        if (!status && batch->count)
            status = batch_run(batch, limits->jobs, out, err);
        batch_clear(batch);
        if (!status && progress && !progress(ctx, seen, total))
            status = error_set(err, STATUS_STOPPED, "interrupted");
    }
    store_cursor_close(cursor);
    return status;
}

Status autopsy_run(Store *store, const AutopsyLimits *limits, StoreProgress *progress, void *ctx,
                   Autopsy *out, ErrorText *err) {
    const StoreExperiment *experiment = store_experiment(store);
    Autopsy autopsy = {0};
    if (experiment->k != K_JUDGED)
        return error_set(err, STATUS_UNSUPPORTED,
                         "autopsy knows five in a row only; these games ask for %d", experiment->k);
    Batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    batch->rule = experiment->rule;
    batch->nodes = limits->nodes;
    Status status = run_batches(store, limits, batch, progress, ctx, &autopsy, err);
    free(batch);
    if (status)
        autopsy_release(&autopsy);
    else
        *out = autopsy;
    return status;
}

void autopsy_release(Autopsy *autopsy) {
    free(autopsy->games);
    *autopsy = (Autopsy){0};
}
