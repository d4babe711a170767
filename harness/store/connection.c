// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files, running statements, and saying what went wrong.
#include "harness/store/connection.h"

#include "engine/base/check.h"
#include "harness/store/run_lock.h"
#include "harness/store/schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// SQLite waits by itself for so long before it says SQLITE_BUSY. Other programs hold the lock for
// milliseconds (`sqlite3` on the same file, a checkpoint); only one that sits in a transaction of
// its own makes us fail.
enum { BUSY_TIMEOUT_MS = 20000 }; // how long to wait for another program that writes or checkpoints

// By the low byte, the primary code: extended ones say more about the cause than a user can act on.
// STATUS_IO ends a run with what is saved (status 3), STATUS_INVALID is the file's fault (status
// 2).
static Status status_of(int rc) {
    switch (rc & 0xff) {
    case SQLITE_FULL:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
        return STATUS_IO;
    case SQLITE_NOMEM:
        return STATUS_NO_MEMORY;
    case SQLITE_CONSTRAINT:
        return STATUS_CONFLICT;
    default:
        return STATUS_INVALID; // not a database, corrupt, read-only, cannot be opened, other tables
                               // than ours
    }
}

Status connection_error(const Store *store, ErrorText *err) {
    // Asked before anything else touches the connection: the next call would overwrite both.
    int rc = sqlite3_errcode(store->db);
    const char *what = sqlite3_errmsg(store->db);
    if ((rc & 0xff) == SQLITE_NOTADB)
        what = "is not a SQLite database";
    if ((rc & 0xff) == SQLITE_BUSY)
        what = "another program has locked it for long";
    return error_set(err, status_of(rc), "%s: %s", store->path, what);
}

// Prepared when first needed: opening a file to read one number should not parse sixty statements,
// and those of newer tables would fail on a file of an older schema.
//
// Bindings are cleared, so that a parameter that is left out is NULL and never a value of the last
// call.
Status connection_prepare(Store *store, SqlId id, sqlite3_stmt **out, ErrorText *err) {
    *out = NULL;
    if (!store->stmt[id]) {
        if (sqlite3_prepare_v3(store->db, sql_text(id), -1, SQLITE_PREPARE_PERSISTENT,
                               &store->stmt[id], NULL))
            return connection_error(store, err);
    } else {
        sqlite3_reset(store->stmt[id]);
        sqlite3_clear_bindings(store->stmt[id]);
    }
    *out = store->stmt[id];
    return STATUS_OK;
}

// A statement that is not reset keeps its read transaction open, and with it the log from
// shrinking. It is reset here at the end and after a failure; who stops reading before the end
// resets it.
Status connection_step(Store *store, sqlite3_stmt *stmt, bool *row, ErrorText *err) {
    int rc = sqlite3_step(stmt);
    *row = rc == SQLITE_ROW;
    if (rc == SQLITE_ROW)
        return STATUS_OK;
    Status status = rc == SQLITE_DONE ? STATUS_OK : connection_error(store, err);
    sqlite3_reset(stmt);
    return status;
}

Status connection_finish(Store *store, sqlite3_stmt *stmt, ErrorText *err) {
    bool row;
    Status status = connection_step(store, stmt, &row, err);
    sqlite3_reset(stmt);
    return status;
}

Status connection_run(Store *store, SqlId id, ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, id, &stmt, err);
    return status ? status : connection_finish(store, stmt, err);
}

Status connection_exec(Store *store, const char *sql, ErrorText *err) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? connection_error(store, err)
                                                          : STATUS_OK;
}

Status connection_int(Store *store, const char *sql, int64_t *out, ErrorText *err) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL))
        return connection_error(store, err);
    bool row;
    Status status = connection_step(store, stmt, &row, err);
    if (!status && row)
        *out = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    if (!status && !row)
        return error_set(err, STATUS_NOT_FOUND, "%s: no row: %s", store->path, sql);
    return status;
}

Status connection_end_transaction(Store *store, Status status, ErrorText *err) {
    ErrorText second;
    if (!status)
        status = connection_run(store, SQL_COMMIT, err);
    if (status && connection_run(store, SQL_ROLLBACK, &second))
        return status; // SQLite has rolled back by itself, as it does when the disk is full
    return status;
}

char *connection_text(sqlite3_stmt *stmt, int column) {
    const unsigned char *text = sqlite3_column_text(stmt, column);
    return text ? strdup((const char *)text) : NULL;
}

void connection_close(Store *store) {
    if (!store)
        return;
    for (int i = 0; i < SQL_NB; i++)
        sqlite3_finalize(store->stmt[i]);
    // v2: with a statement of a cursor still open it becomes a zombie that is closed with the last
    // of them, where plain close would refuse and leak.
    sqlite3_close_v2(store->db);
    StoreExperiment *e = &store->experiment;
    char *texts[] = {e->name,        e->config,  e->identity, e->started_at,
                     e->finished_at, e->version, e->host};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        free(texts[i]);
    for (int i = 0; i < store->player_count; i++) {
        StorePlayer *p = &store->players[i];
        free(p->name);
        free(p->config);
        free(p->engine_path);
        free(p->engine_hash);
    }
    free(store->players);
    store_tune_free(store->tune);
    // Last: when the lock is free the file is closed and whole.
    run_lock_release(store->path, store->lock_fd);
    free(store->path);
    free(store);
}

// A log that is not empty holds transactions that are not in the file yet: without it the file is
// an older state, or none.
static bool has_log(const char *path) {
    Text name = {0};
    struct stat info;
    text_printf(&name, "%s-wal", path);
    bool found = stat(text_cstr(&name), &info) == 0 && info.st_size > 0;
    text_release(&name);
    return found;
}

// Read-only media cannot hold the shared memory of a log; without a log the file itself is the
// whole truth.
// `immutable` is an option of the URI only; what would mean something in one is written as %xx.
static int open_immutable(const char *path, sqlite3 **db) {
    Text uri = {0};
    text_append(&uri, "file:");
    for (const char *c = path; *c; c++) {
        if (*c == '?' || *c == '#' || *c == '%')
            text_printf(&uri, "%%%02x", (unsigned)*c);
        else
            text_append_bytes(&uri, c, 1);
    }
    text_append(&uri, "?immutable=1");
    int rc =
        uri.failed
            ? SQLITE_NOMEM
            : sqlite3_open_v2(text_cstr(&uri), db,
                              SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    text_release(&uri);
    return rc;
}

static Status set_pragmas(Store *store, ConnectionMode mode, ErrorText *err) {
    // A reader may not change anything even by a mistake of ours; the whole file as memory makes
    // scans of all moves faster than copying page by page.
    if (mode == CONNECTION_READ)
        return connection_exec(store, "PRAGMA query_only = 1; PRAGMA mmap_size = 1073741824", err);
    // NORMAL: with a log the file cannot be damaged by a power cut, at worst the last commits are
    // missing, and a run plays their games again. FULL would cost a sync a commit. The log shrinks
    // to the limit after a checkpoint that comes round.
    return connection_exec(store,
                           "PRAGMA foreign_keys = 1; PRAGMA synchronous = NORMAL;"
                           "PRAGMA journal_size_limit = 67108864",
                           err);
}

Status connection_check_kind(const char *path, mode_t mode, ErrorText *err) {
    if (S_ISDIR(mode))
        return error_set(err, STATUS_INVALID, "%s: is a folder, expected a database", path);
    if (!S_ISREG(mode))
        return error_set(err, STATUS_INVALID, "%s: is a device or a pipe, expected a database",
                         path);
    return STATUS_OK;
}

static Status check_path(const char *path, ConnectionMode mode, ErrorText *err) {
    struct stat info;
    if (stat(path, &info) == 0)
        return connection_check_kind(path, info.st_mode, err);
    if (errno != ENOENT)
        return error_set(err, STATUS_INVALID, "%s: %s", path, strerror(errno));
    return mode == CONNECTION_CREATE ? STATUS_OK
                                     : error_set(err, STATUS_NOT_FOUND, "%s: no such file", path);
}

// Opens and reads the header, which is where a file that is no database shows.
// NOMUTEX: a connection belongs to one thread at a time (store.h), so that SQLite's own lock would
// only cost.
static Status open_as(Store *store, int flags, bool immutable, ErrorText *err) {
    int64_t version;
    int rc = immutable
                 ? open_immutable(store->path, &store->db)
                 : sqlite3_open_v2(store->path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    // SQLite gives a handle even when it fails, so that its message can be asked for; none means no
    // memory.
    if (!store->db)
        return error_set(err, STATUS_NO_MEMORY, "%s: %s", store->path, sqlite3_errstr(rc));
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    return rc ? connection_error(store, err)
              : connection_int(store, "PRAGMA user_version", &version, err);
}

static Status open_file(Store *store, ConnectionMode mode, ErrorText *err) {
    // Asked beforehand: SQLite opens a file that may not be written as read-only without a word,
    // and a run would find out at its first commit.
    bool is_writable = access(store->path, W_OK) == 0 || errno == ENOENT;
    int flags = SQLITE_OPEN_READWRITE | (mode == CONNECTION_CREATE ? SQLITE_OPEN_CREATE : 0);
    Status status = STATUS_OK;
    if (mode != CONNECTION_READ && is_writable)
        status = open_as(store, flags, false, err);
    if (mode != CONNECTION_READ && !status &&
        (!is_writable || sqlite3_db_readonly(store->db, "main") == 1))
        status = error_set(err, STATUS_INVALID, "%s: is read-only", store->path);
    if (mode != CONNECTION_READ)
        return status;
    // A reader of what it may not write leaves nothing beside it, if it can.
    bool immutable = !is_writable && !has_log(store->path);
    status = open_as(store, flags, immutable, err);
    // The file may be writable in a folder that is not: then the shared memory of the log cannot be
    // made.
    int primary = store->db ? sqlite3_errcode(store->db) & 0xff : SQLITE_NOMEM;
    if (status && !immutable && (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY) &&
        !has_log(store->path)) {
        sqlite3_close(store->db);
        store->db = NULL;
        status = open_as(store, flags, true, err);
    }
    return status;
}

Status connection_open(const char *path, ConnectionMode mode, Store **out, ErrorText *err) {
    // A library that was built without threads cannot be used by two connections at once, whatever
    // we do.
    CHECK(sqlite3_threadsafe());
    Status status = check_path(path, mode, err);
    if (status)
        return status;
    Store *store = calloc(1, sizeof *store);
    if (!store || !(store->path = strdup(path))) {
        free(store);
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    }
    store->lock_fd = -1;
    status = open_file(store, mode, err);
    if (!status)
        status = set_pragmas(store, mode, err);
    if (status)
        connection_close(store);
    else
        *out = store;
    return status;
}

Status connection_check(Store *store, bool *empty, ErrorText *err) {
    int64_t id, version, tables;
    Status status = connection_int(store, "PRAGMA application_id", &id, err);
    if (!status)
        status = connection_int(store, "PRAGMA user_version", &version, err);
    if (!status)
        status = connection_int(store, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (status)
        return status;
    // A file of zero bytes, or one in which a first opening was interrupted before its transaction:
    // both may be written to.
    *empty = id == 0 && version == 0 && tables == 0;
    if (*empty)
        return STATUS_OK;
    if (id != SCHEMA_APPLICATION_ID)
        return error_set(err, STATUS_INVALID, "%s: is a SQLite file, but no database of gomolab",
                         store->path);
    if (version < 1 || version > STORE_SCHEMA_VERSION)
        return error_set(err, STATUS_CONFLICT,
                         "%s: has schema version %lld, this gomolab expects %d%s", store->path,
                         (long long)version, (int)STORE_SCHEMA_VERSION,
                         version > STORE_SCHEMA_VERSION ? ": it was written by a newer one" : "");
    return STATUS_OK;
}
