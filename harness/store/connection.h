// SPDX-License-Identifier: GPL-3.0-or-later
// One SQLite connection as the files of this directory share it: statements by name, and SQLite's
// errors as ours.
#pragma once

#include "harness/store/sql.h"
#include "harness/store/store_rows.h"
#include "harness/store/store_tune_rows.h"

#include <sqlite3.h>
#include <sys/stat.h>

// An open database. One thread at a time: nothing here is locked, and SQLite is told so (NOMUTEX).
// A reader beside a writer is another Store on the same file, possible because of the write-ahead
// log.
struct Store {
    sqlite3 *db;
    sqlite3_stmt *stmt[SQL_NB]; // prepared on first use
    char *path;                 // owned
    int lock_fd;                // -1: no lock held
    int64_t sitting_id;         // of a run; 0: opened to read
    bool in_snapshot;
    StoreTune *tune;            // owned; NULL: the file holds an experiment
    StoreExperiment experiment; // owned, as are the players
    StorePlayer *players;
    int player_count;
};

// READ never writes, not even beside the file if that can be helped; WRITE wants a file that is
// there; CREATE makes one that is not.
typedef enum ConnectionMode { CONNECTION_READ, CONNECTION_WRITE, CONNECTION_CREATE } ConnectionMode;

// STATUS_INVALID unless `mode`, the st_mode of `path`, is that of a regular file: a device holds no
// database, and must be neither renamed nor removed like one. Thread: any.
Status connection_check_kind(const char *path, mode_t mode, ErrorText *err) MUST_CHECK;

// Opens a file; no table is read yet except the header. STATUS_NOT_FOUND, STATUS_INVALID (not
// SQLite, read-only, a folder), STATUS_IO, STATUS_NO_MEMORY. An empty file is fine. Thread: any.
Status connection_open(const char *path, ConnectionMode mode, Store **out,
                       ErrorText *err) MUST_CHECK;

// Closes, gives back the lock of a run, and frees; NULL is fine. Thread: owner.
void connection_close(Store *store);

// The last failure of SQLite as a status with text "<path>: <what SQLite says>". Thread: owner.
Status connection_error(const Store *store, ErrorText *err) MUST_CHECK;

// A statement, reset and without bindings; it belongs to the store. Thread: owner.
Status connection_prepare(Store *store, SqlId id, sqlite3_stmt **out, ErrorText *err) MUST_CHECK;

// One step. *row says whether there is a row; when there is none the statement is reset. One that
// returned a row stays open until it is stepped to its end or reset: whoever stops earlier resets
// it, or the log cannot shrink. Texts of a row are gone with the next step. Thread: owner.
Status connection_step(Store *store, sqlite3_stmt *stmt, bool *row, ErrorText *err) MUST_CHECK;

// Steps a statement that returns no rows, and resets it. Thread: owner.
Status connection_finish(Store *store, sqlite3_stmt *stmt, ErrorText *err) MUST_CHECK;

// Runs a statement without parameters. Thread: owner.
Status connection_run(Store *store, SqlId id, ErrorText *err) MUST_CHECK;

// Runs a text (pragmas, attaching), rows ignored. Thread: owner.
Status connection_exec(Store *store, const char *sql, ErrorText *err) MUST_CHECK;

// The first column of the first row of a pragma or query; STATUS_NOT_FOUND without a row. Thread:
// owner.
Status connection_int(Store *store, const char *sql, int64_t *out, ErrorText *err) MUST_CHECK;

// A column as an owned string; NULL for a NULL or when memory is out. Thread: owner.
char *connection_text(sqlite3_stmt *stmt, int column);

// Ends a transaction that did as `status` says: commits when that is STATUS_OK, else, or when the
// commit fails, takes everything back. Returns the first failure; *err is that one's. Thread:
// owner.
Status connection_end_transaction(Store *store, Status status, ErrorText *err) MUST_CHECK;

// Is it a database of ours, of this schema version or an older one? STATUS_INVALID, STATUS_CONFLICT
// (a newer version) if not. *empty: a file without any table, which is fine. Thread: owner.
Status connection_check(Store *store, bool *empty, ErrorText *err) MUST_CHECK;
