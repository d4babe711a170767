// SPDX-License-Identifier: GPL-3.0-or-later
// Binding and reading the columns of games and moves, in the order of sql.c.
#include "harness/store/game_rows.h"

#include <string.h>

enum {
    // COLUMN_COUNTERS is the first of COUNTERS columns in a row, which are bound and read in one
    // loop.
    COLUMN_X = 2,
    COLUMN_Y,
    COLUMN_VALUE,
    COLUMN_DEPTH,
    COLUMN_SELDEPTH,
    COLUMN_NODES,
    COLUMN_COUNTERS,
    COUNTERS = 7,
    COLUMN_TIME = COLUMN_COUNTERS + COUNTERS,
    COLUMN_PV
}; // of MOVE_COLUMNS, from 0

// Binds one move from parameter `at` + 1 on; what is not known stays NULL.
// `at` counts parameters from 0: column c of the row is parameter at + 1 + c.
static void bind_move(sqlite3_stmt *stmt, int at, const GameRecord *record, int ply) {
    const MoveRecord *m = &record->moves[ply - 1];
    const SearchCost *c = &m->cost;
    // Bindings of the last call were cleared (connection_prepare): what is skipped here is NULL.
    unsigned known = m->known;
    sqlite3_bind_int64(stmt, at + 1, record->slot);
    sqlite3_bind_int(stmt, at + 2, ply);
    // x and y, not the cell: a cell means something only with the width of the board.
    sqlite3_bind_int(stmt, at + 1 + COLUMN_X, m->move % record->width);
    sqlite3_bind_int(stmt, at + 1 + COLUMN_Y, m->move / record->width);
    if (known & KNOWN_VALUE)
        sqlite3_bind_double(stmt, at + 1 + COLUMN_VALUE, m->value);
    if (known & KNOWN_DEPTH)
        sqlite3_bind_int(stmt, at + 1 + COLUMN_DEPTH, c->depth);
    if (known & KNOWN_SELDEPTH)
        sqlite3_bind_int(stmt, at + 1 + COLUMN_SELDEPTH, c->seldepth);
    if (known & KNOWN_NODES)
        sqlite3_bind_int64(stmt, at + 1 + COLUMN_NODES, (int64_t)c->nodes);
    if (known & KNOWN_COUNTERS) {
        const uint64_t counters[COUNTERS] = {c->interior,      c->leaves,   c->cutoffs,
                                             c->first_cutoffs, c->branches, c->tt_probes,
                                             c->tt_hits};
        for (int i = 0; i < COUNTERS; i++)
            sqlite3_bind_int64(stmt, at + 1 + COLUMN_COUNTERS + i, (int64_t)counters[i]);
    }
    if (known & KNOWN_TIME)
        sqlite3_bind_int64(stmt, at + 1 + COLUMN_TIME, c->time_us);
    if ((known & KNOWN_PV) && m->pv)
        sqlite3_bind_text(stmt, at + 1 + COLUMN_PV, m->pv, -1, SQLITE_STATIC);
}

static Status insert_moves(Store *store, const GameRecord *record, ErrorText *err) {
    Status status = STATUS_OK;
    int ply = 1;
    while (ply <= record->move_count && !status) {
        sqlite3_stmt *stmt;
        // Eight at a time while there are eight, the rest one by one: two statements serve every
        // length.
        int rows = record->move_count - ply + 1 >= SQL_MOVE_ROWS ? SQL_MOVE_ROWS : 1;
        status =
            connection_prepare(store, rows == 1 ? SQL_INSERT_MOVE : SQL_INSERT_MOVES, &stmt, err);
        for (int i = 0; i < rows && !status; i++)
            bind_move(stmt, i * SQL_MOVE_COLUMNS, record, ply + i);
        if (!status)
            status = connection_finish(store, stmt, err);
        ply += rows;
    }
    return status;
}

static Status insert_watches(Store *store, const GameRecord *record, ErrorText *err) {
    Status status = STATUS_OK;
    for (int colour = BLACK; colour <= WHITE && !status; colour++) {
        const SeatWatch *watch = &record->watch[colour];
        sqlite3_stmt *stmt;
        // No row: our own engine is not watched, and a row of zeros would say that it kept still.
        if (!watch->is_watched)
            continue;
        status = connection_prepare(store, SQL_INSERT_WATCH, &stmt, err);
        if (status)
            break;
        sqlite3_bind_int64(stmt, 1, record->slot);
        sqlite3_bind_text(stmt, 2, colour == BLACK ? "B" : "W", 1, SQLITE_STATIC);
        sqlite3_bind_int64(stmt, 3, watch->dropped_lines);
        sqlite3_bind_int64(stmt, 4, watch->idle_us);
        sqlite3_bind_int64(stmt, 5, watch->idle_cpu_us);
        status = connection_finish(store, stmt, err);
    }
    return status;
}

// STATIC, since the record outlives the step.
static void bind_text(sqlite3_stmt *stmt, int index, const char *text) {
    if (text)
        sqlite3_bind_text(stmt, index, text, -1, SQLITE_STATIC);
}

static Status insert_source(Store *store, const GameRecord *record, ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_SOURCE, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, record->slot);
    bind_text(stmt, 2, record->source.event);
    bind_text(stmt, 3, record->source.date);
    bind_text(stmt, 4, record->source.round);
    return connection_finish(store, stmt, err);
}

// Buffers that are used again game by game.
void game_rows_release(GameRows *rows) {
    text_release(&rows->opening);
    text_release(&rows->note);
}

// Negative stands for "none" in a record, NULL in the table.
static void bind_number(sqlite3_stmt *stmt, int index, int64_t number) {
    if (number >= 0)
        sqlite3_bind_int64(stmt, index, number);
}

Status game_rows_insert(GameRows *rows, Store *store, const GameRecord *record, ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_GAME, &stmt, err);
    if (status)
        return status;
    text_clear(&rows->opening);
    game_record_write_opening(record, &rows->opening);
    sqlite3_bind_int64(stmt, 1, record->slot);
    bind_number(stmt, 2, record->pair);
    bind_number(stmt, 3, record->opening);
    sqlite3_bind_int(stmt, 4, record->black);
    sqlite3_bind_int(stmt, 5, record->white);
    sqlite3_bind_text(stmt, 6, game_record_first(record) == BLACK ? "B" : "W", 1, SQLITE_STATIC);
    // A pointer to one char with the length 1: there is no NUL behind it.
    sqlite3_bind_text(stmt, 7, &record->result, 1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 8, game_reason_name(record->reason), -1, SQLITE_STATIC);
    sqlite3_bind_int(stmt, 9, record->move_count);
    sqlite3_bind_int(stmt, 10, record->opening_plies);
    sqlite3_bind_int64(stmt, 11, (int64_t)record->seed);
    sqlite3_bind_int64(stmt, 12, record->wall_us);
    sqlite3_bind_int(stmt, 13, record->width);
    sqlite3_bind_int(stmt, 14, record->height);
    text_clear(&rows->note);
    if (record->note) { // what an engine printed may be no text at all
        text_append_clean(&rows->note, record->note);
        sqlite3_bind_text(stmt, 15, text_cstr(&rows->note), -1, SQLITE_STATIC);
    }
    sqlite3_bind_text(stmt, 16, text_cstr(&rows->opening), -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 17, store->sitting_id);
    // The game first: what follows refers to it, and foreign keys are on.
    status = connection_finish(store, stmt, err);
    if (!status)
        status = insert_watches(store, record, err);
    if (!status && record->source.is_imported)
        status = insert_source(store, record, err);
    if (!status && !rows->skip_moves)
        status = insert_moves(store, record, err);
    return status ? error_wrap(err, status, "slot %lld", (long long)record->slot) : STATUS_OK;
}

// The other way round from bind_number.
static int64_t column_number(sqlite3_stmt *stmt, int column) {
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? -1
                                                            : sqlite3_column_int64(stmt, column);
}

// NUL for a NULL, which is none of the letters that are asked for.
static char column_letter(sqlite3_stmt *stmt, int column) {
    const unsigned char *text = sqlite3_column_text(stmt, column);
    return text ? (char)text[0] : '\0';
}

Status game_rows_read(Store *store, sqlite3_stmt *stmt, StoreGame *out, ErrorText *err) {
    StoreGame game = {
        .slot = sqlite3_column_int64(stmt, 0),
        .pair = column_number(stmt, 1),
        .opening = column_number(stmt, 2),
        .black = sqlite3_column_int(stmt, 3),
        .white = sqlite3_column_int(stmt, 4),
        .first = column_letter(stmt, 5) == 'W' ? WHITE : BLACK,
        .result = column_letter(stmt, 6),
        .plies = sqlite3_column_int(stmt, 8),
        .opening_plies = sqlite3_column_int(stmt, 9),
        .seed = (uint64_t)sqlite3_column_int64(stmt, 10),
        .wall_us = sqlite3_column_int64(stmt, 11),
        .width = sqlite3_column_int(stmt, 12),
        .height = sqlite3_column_int(stmt, 13),
    };
    const char *reason = (const char *)sqlite3_column_text(stmt, 7);
    if (!reason || !game_reason_parse(reason, &game.reason))
        return error_set(err, STATUS_INVALID, "%s: game %lld: reason '%s' is not known",
                         store->path, (long long)game.slot, reason ? reason : "");
    // Callers index by them; a foreign key does not hold in a file that something else wrote to
    // with the keys off.
    if (game.black < 0 || game.white < 0 || game.black >= store->player_count ||
        game.white >= store->player_count)
        return error_set(err, STATUS_INVALID, "%s: game %lld: no such player", store->path,
                         (long long)game.slot);
    *out = game;
    return STATUS_OK;
}

Status game_rows_record(Store *store, sqlite3_stmt *stmt, GameRecord **out, ErrorText *err) {
    StoreGame game;
    Status status = game_rows_read(store, stmt, &game, err);
    if (status)
        return status;
    GameRecord *record = game_record_new();
    if (!record)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    record->slot = game.slot;
    record->pair = game.pair;
    record->opening = game.opening;
    record->black = game.black;
    record->white = game.white;
    record->width = game.width;
    record->height = game.height;
    record->opening_plies = game.opening_plies;
    record->result = game.result;
    record->reason = game.reason;
    record->seed = game.seed;
    record->wall_us = game.wall_us;
    // NULL is common and may be memory that was out as well: a note lost then does no harm.
    record->note = connection_text(stmt, 14);
    *out = record;
    return STATUS_OK;
}

// The cell of a row, or one that is on no board: a column outside of it must not become a cell of
// the next row. Readers ask whether the cell is free anyway.
static Move read_cell(sqlite3_stmt *stmt, int width) {
    enum { NOWHERE = INT16_MAX };
    int64_t x = sqlite3_column_int64(stmt, COLUMN_X), y = sqlite3_column_int64(stmt, COLUMN_Y);
    bool is_cell = x >= 0 && x < width && y >= 0 && y < NOWHERE / width;
    return is_cell ? (Move)(y * width + x) : (Move)NOWHERE;
}

// NULL decides what is known, not the value: 0 nodes is a number.
void game_rows_read_move(sqlite3_stmt *stmt, int width, MoveRecord *out) {
    static const struct {
        int column;
        unsigned bit;
    } KNOWN[] = {
        {COLUMN_VALUE, KNOWN_VALUE},
        {COLUMN_DEPTH, KNOWN_DEPTH},
        {COLUMN_SELDEPTH, KNOWN_SELDEPTH},
        {COLUMN_NODES, KNOWN_NODES},
        {COLUMN_COUNTERS, KNOWN_COUNTERS},
        {COLUMN_TIME, KNOWN_TIME},
        {COLUMN_PV, KNOWN_PV},
    };
    *out = (MoveRecord){0};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (sqlite3_column_type(stmt, KNOWN[i].column) != SQLITE_NULL)
            out->known |= KNOWN[i].bit;
    out->move = read_cell(stmt, width);
    out->value = sqlite3_column_double(stmt, COLUMN_VALUE); // a NULL reads as 0
    SearchCost *c = &out->cost;
    c->depth = sqlite3_column_int(stmt, COLUMN_DEPTH);
    c->seldepth = sqlite3_column_int(stmt, COLUMN_SELDEPTH);
    c->nodes = (uint64_t)sqlite3_column_int64(stmt, COLUMN_NODES);
    uint64_t *const counters[COUNTERS] = {&c->interior,      &c->leaves,   &c->cutoffs,
                                          &c->first_cutoffs, &c->branches, &c->tt_probes,
                                          &c->tt_hits};
    for (int i = 0; i < COUNTERS; i++)
        *counters[i] = (uint64_t)sqlite3_column_int64(stmt, COLUMN_COUNTERS + i);
    c->time_us = sqlite3_column_int64(stmt, COLUMN_TIME);
}

static Status add_watches(Store *store, GameRecord *record, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_GAME_WATCH, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, record->slot);
    while (!(status = connection_step(store, stmt, &row, err)) && row)
        record->watch[column_letter(stmt, 0) == 'W' ? WHITE : BLACK] =
            (SeatWatch){.is_watched = true,
                        .dropped_lines = sqlite3_column_int64(stmt, 1),
                        .idle_us = sqlite3_column_int64(stmt, 2),
                        .idle_cpu_us = sqlite3_column_int64(stmt, 3)};
    return status;
}

static Status add_source(Store *store, GameRecord *record, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_SOURCE, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, record->slot);
    while (!(status = connection_step(store, stmt, &row, err)) && row)
        // A row at all means imported, also when the file said nothing.
        record->source = (GameSource){.is_imported = true,
                                      .event = connection_text(stmt, 0),
                                      .date = connection_text(stmt, 1),
                                      .round = connection_text(stmt, 2)};
    return status;
}

Status game_rows_add_moves(Store *store, GameRecord *record, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = add_watches(store, record, err);
    if (!status)
        status = add_source(store, record, err);
    if (!status)
        status = connection_prepare(store, SQL_READ_MOVES, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, record->slot);
    while (!(status = connection_step(store, stmt, &row, err)) && row) {
        MoveRecord move;
        game_rows_read_move(stmt, record->width, &move);
        if (!game_record_add(record, &move, (const char *)sqlite3_column_text(stmt, COLUMN_PV)))
            return error_set(err, STATUS_NO_MEMORY, "out of memory");
    }
    return status;
}
