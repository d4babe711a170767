// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at stored games move by move.
#include "harness/study/audit.h"

#include "engine/base/rng.h"
#include "engine/board/cell_class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The patterns and the meaning of a four are those of five in a row; of other games only the
// records are checked.
enum { K_JUDGED = 5 };

const char *audit_finding_name(AuditFinding finding) {
    static const char *const NAMES[AUDIT_NB] = {"missed_win", "unblocked_five", "open_four_allowed",
                                                "sign_flip",  "illegal",        "impossible",
                                                "identical"};
    return NAMES[finding];
}

// Games come in the order of slots, so the first one counted is the first one there is.
static void note(AuditPlayer *player, AuditFinding finding, int64_t slot, int ply) {
    AuditCount *count = &player->finding[finding];
    if (count->count++ == 0) {
        count->first_slot = slot;
        count->first_ply = ply;
    }
}

// --- what stones on empty cells would make
// ----------------------------------------------------------------------------

// The empty cells where a stone of `colour` makes a winning row; returns how many (all are counted,
// `cap` are written).
static int winning_cells(const Board *board, Colour colour, Move *out, int cap) {
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] == EMPTY && board_wins_at(board, cell, colour)) {
            if (count < cap)
                out[count] = cell;
            count++;
        }
    return count;
}

// Would a stone of `colour` on the empty cell make a straight four: two cells on one line that
// complete five?
static bool makes_open_four(const Board *board, const CellPatternTable *table, Move cell,
                            Colour colour) {
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        if (cell_line_class(table, board, cell, d, colour) == LINE_OPEN_FOUR)
            return true;
    return false;
}

static bool can_make_open_four(const Board *board, const CellPatternTable *table, Colour colour) {
    for (Move cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] == EMPTY && makes_open_four(board, table, cell, colour))
            return true;
    return false;
}

// Does the move leave the enemy without a straight four, or threaten five itself?
static bool answers_open_four(Board *board, const CellPatternTable *table, Move move) {
    Colour mover = board->side;
    board_place(board, move);
    bool answers = winning_cells(board, mover, NULL, 0) > 0 ||
                   !can_make_open_four(board, table, colour_other(mover));
    board_undo(board);
    return answers;
}

static bool can_be_answered(Board *board, const CellPatternTable *table) {
    for (Move cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] == EMPTY && answers_open_four(board, table, cell))
            return true;
    return false;
}

// Judges one chosen move on the board before it.
static void judge_move(Board *board, const CellPatternTable *table, Move move, AuditPlayer *player,
                       int64_t slot, int ply) {
    Move wins[2];
    Colour mover = board->side, enemy = colour_other(mover);
    // In this order, each question only where the ones before it do not answer the move: who can
    // win need not defend, and who must stop a five need not see an open four.
    if (winning_cells(board, mover, wins, 2) > 0) {
        player->finding[AUDIT_MISSED_WIN].chances++;
        if (!board_wins_at(board, move, mover))
            note(player, AUDIT_MISSED_WIN, slot, ply);
        return;
    }
    int threats = winning_cells(board, enemy, wins, 2);
    if (threats > 0) {
        // Two cells cannot both be stopped: that game was lost before.
        player->finding[AUDIT_UNBLOCKED_FIVE].chances += threats == 1;
        if (threats == 1 && move != wins[0])
            note(player, AUDIT_UNBLOCKED_FIVE, slot, ply);
        return;
    }
    // Asked last because it is dear: every cell is tried as an answer.
    if (!can_make_open_four(board, table, enemy) || !can_be_answered(board, table))
        return;
    player->finding[AUDIT_OPEN_FOUR_ALLOWED].chances++;
    if (!answers_open_four(board, table, move))
        note(player, AUDIT_OPEN_FOUR_ALLOWED, slot, ply);
}

static void judge_value(const MoveRecord *move, double flip_value, double *last,
                        AuditPlayer *player, int64_t slot, int ply) {
    if (!(move->known & KNOWN_VALUE) || isnan(move->value))
        return;
    // Both moves of one player, hence one sign convention; between them lies the enemy's move.
    if (fabs(move->value) >= flip_value && fabs(*last) >= flip_value && !isnan(*last)) {
        player->finding[AUDIT_SIGN_FLIP].chances++;
        if ((move->value > 0) != (*last > 0))
            note(player, AUDIT_SIGN_FLIP, slot, ply);
    }
    *last = move->value;
}

// --- the record as a whole
// --------------------------------------------------------------------------------------------

static bool has_winner(const Board *board) {
    return board->wins[BLACK] > 0 || board->wins[WHITE] > 0;
}

// Does the end of the record fit the board?
static bool end_fits(const GameRecord *game, const Board *board) {
    char winner = board->wins[BLACK] ? 'B' : board->wins[WHITE] ? 'W' : 'D';
    switch (game->reason) {
    case REASON_FIVE:
    case REASON_OVERLINE:
        return has_winner(board) && game->result == winner;
    case REASON_BOARD_FULL:
        return board_is_full(board) && !has_winner(board) && game->result == 'D';
    default:
        return !has_winner(board);
    }
}

// Plays the record's moves, judging the chosen ones; false with *ply at the first that cannot be.
static bool replay(const GameRecord *game, const CellPatternTable *table, double flip_value,
                   Board *board, AuditPlayer *players, int *ply) {
    double last[COLOUR_NB] = {NAN, NAN};
    for (int i = 0; i < game->move_count; i++) {
        const MoveRecord *move = &game->moves[i];
        Colour mover = board->side;
        AuditPlayer *player = &players[mover == BLACK ? game->black : game->white];
        *ply = i + 1;
        if (!board_is_free(board, move->move) || has_winner(board))
            return false;
        if (i >= game->opening_plies) {
            player->moves++;
            // No table where the rule has none or memory was out: values and the record are still
            // looked at.
            if (table->lines)
                judge_move(board, table, move->move, player, game->slot, i + 1);
            judge_value(move, flip_value, &last[mover], player, game->slot, i + 1);
        }
        board_place(board, move->move);
    }
    *ply = 0;
    return end_fits(game, board);
}

void audit_game(const GameRecord *game, double flip_value, Board *board, AuditPlayer *players) {
    AuditPlayer *black = &players[game->black], *white = &players[game->white];
    CellPatternTable table = {0};
    int ply = 0;
    if (board->k == K_JUDGED)
        table = cell_pattern_table(board->rule);
    board_clear(board);
    for (int side = 0; side < 2; side++) {
        AuditPlayer *player = side ? white : black;
        player->games++;
        player->finding[AUDIT_ILLEGAL].chances++;
        player->finding[AUDIT_IMPOSSIBLE].chances++;
    }
    bool is_sound = replay(game, &table, flip_value, board, players, &ply);
    if (!is_sound) { // nobody's fault in particular: the record is wrong
        note(black, AUDIT_IMPOSSIBLE, game->slot, ply);
        note(white, AUDIT_IMPOSSIBLE, game->slot, ply);
    }
    // The illegal move itself is not among the moves: it was never played.
    if (game->reason == REASON_ILLEGAL)
        note(game->result == 'W' ? black : white, AUDIT_ILLEGAL, game->slot, game->move_count + 1);
}

// --- all games
// --------------------------------------------------------------------------------------------------------

typedef struct GameKey {
    uint64_t key;
    int64_t slot;
    int black, white;
} GameKey;

typedef struct GameKeys {
    GameKey *items; // owned
    int64_t count, cap;
} GameKeys;

static bool keys_add(GameKeys *keys, const GameRecord *game) {
    if (keys->count == keys->cap) {
        int64_t cap = keys->cap ? 2 * keys->cap : 1024;
        GameKey *items = realloc(keys->items, (size_t)cap * sizeof *items);
        if (!items)
            return false;
        keys->items = items;
        keys->cap = cap;
    }
    // 64 bits of a hash of all moves: among a million games two different ones look alike with a
    // chance of 3 in 10^8.
    uint64_t key = rng_mix((uint64_t)game->width, (uint64_t)game->height);
    for (int i = 0; i < game->move_count; i++)
        key = rng_mix(key, (uint64_t)game->moves[i].move + 1);
    keys->items[keys->count++] = (GameKey){key, game->slot, game->black, game->white};
    return true;
}

static int compare_keys(const void *a, const void *b) {
    const GameKey *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

// The first of equal games is the original: repeats are told in the order in which they were
// played.
static int compare_slots(const void *a, const void *b) {
    const GameKey *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

// Sorted by key, equal games stand together; the first of them, by slot, is no repeat.
static void count_identical(GameKeys *keys, AuditPlayer *players) {
    int64_t repeats = 0;
    qsort(keys->items, (size_t)keys->count, sizeof *keys->items, compare_keys);
    for (int64_t i = 0; i < keys->count; i++) {
        players[keys->items[i].black].finding[AUDIT_IDENTICAL].chances++;
        players[keys->items[i].white].finding[AUDIT_IDENTICAL].chances++;
    }
    uint64_t last_key = 0;
    for (int64_t i = 0; i < keys->count; i++) {
        bool repeated = i > 0 && keys->items[i].key == last_key;
        last_key = keys->items[i].key;
        if (repeated)
            keys->items[repeats++] = keys->items[i];
    }
    qsort(keys->items, (size_t)repeats, sizeof *keys->items, compare_slots);
    for (int64_t i = 0; i < repeats; i++) {
        const GameKey *game = &keys->items[i];
        note(&players[game->black], AUDIT_IDENTICAL, game->slot, 0);
        if (game->white != game->black)
            note(&players[game->white], AUDIT_IDENTICAL, game->slot, 0);
    }
}

static Status audit_one(const GameRecord *game, const StoreExperiment *experiment,
                        double flip_value, Board *board, GameKeys *keys, Audit *audit,
                        ErrorText *err) {
    Status status = STATUS_OK;
    audit->games++;
    if (game->move_count == 0) {
        audit->games_without_moves++;
        return STATUS_OK;
    }
    // Imported games may differ in size within one database.
    if (audit->games == 1 || board->width != game->width || board->height != game->height)
        status =
            board_init(board, game->width, game->height, experiment->k, experiment->rule, 0, err);
    if (status)
        return error_wrap(err, status, "game %lld", (long long)game->slot);
    audit_game(game, flip_value, board, audit->players);
    return keys_add(keys, game) ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
}

static Status audit_games(Store *store, double flip_value, StoreProgress *progress, void *ctx,
                          Audit *audit, ErrorText *err) {
    const StoreExperiment *experiment = store_experiment(store);
    StoreCursor *cursor = NULL;
    GameKeys keys = {0};
    int64_t total = 0;
    bool found = true;
    Board *board = calloc(1, sizeof *board);
    Status status = board ? store_count_games(store, INT64_MAX, &total, err)
                          : error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    if (!status)
        status = store_games_open(store, 0, &cursor, err);
    while (!status && found) {
        GameRecord *game = NULL;
        status = store_games_next_full(cursor, &game, &found, err);
        if (!status && found)
            status = audit_one(game, experiment, flip_value, board, &keys, audit, err);
        // Rarely enough to cost nothing, often enough for a Ctrl-C to be felt at once.
        if (!status && progress && audit->games % 256 == 0 && !progress(ctx, audit->games, total))
            status = error_set(err, STATUS_STOPPED, "interrupted");
        game_record_free(game);
    }
    if (!status)
        count_identical(&keys, audit->players);
    store_cursor_close(cursor);
    free(keys.items);
    free(board);
    return status;
}

Status audit_run(Store *store, double flip_value, StoreProgress *progress, void *ctx, Audit *out,
                 ErrorText *err) {
    Audit audit = {.player_count = store_player_count(store),
                   .rows_are_judged = store_experiment(store)->k == K_JUDGED};
    audit.players = calloc((size_t)audit.player_count + 1, sizeof *audit.players);
    if (!audit.players)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < audit.player_count; i++)
        for (int f = 0; f < AUDIT_NB; f++)
            audit.players[i].finding[f].first_slot = -1;
    Status status = audit_games(store, flip_value, progress, ctx, &audit, err);
    if (status)
        audit_release(&audit);
    else
        *out = audit;
    return status;
}

void audit_release(Audit *audit) {
    free(audit->players);
    *audit = (Audit){0};
}
