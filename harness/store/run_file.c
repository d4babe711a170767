// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a database for a run or a tune, looking at it, and opening it to read.
#include "harness/store/run_file.h"

#include "harness/store/folders.h"
#include "harness/store/migrate.h"
#include "harness/store/retire.h"
#include "harness/store/run_lock.h"
#include "harness/store/schema.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

// Something that is not ours to remove: an empty file may be, a device never.
static bool is_taken(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && (info.st_size > 0 || !S_ISREG(info.st_mode));
}

// Is the database empty, or of this run? Fills resume.
static Status examine(const RunFile *file, Store *store, StoreResume *resume, ErrorText *err) {
    bool empty = false;
    // The hint is added in one place: every kind of conflict is mended by beginning anew, except a
    // newer schema, which connection_check reports by itself.
    ErrorText why;
    Status status = connection_check(store, &empty, err);
    if (status || empty)
        return status;
    status = file->kind->load(store, &why);
    if (!status)
        status = file->kind->compare(store, file->run, resume, &why);
    resume->resumed = !status;
    if (status == STATUS_CONFLICT)
        return error_set(err, status, "%s (--fresh begins anew)", why.text);
    return status ? error_set(err, status, "%s", why.text) : STATUS_OK;
}

// Everything that opening writes is one transaction: a database is there with all of it, or not.
static Status write_opening(const RunFile *file, Store *store, bool is_new, ErrorText *err) {
    Status status = STATUS_OK;
    if (is_new) // before the transaction: inside one the mode of the journal cannot change
        status = connection_exec(store, "PRAGMA journal_mode = WAL", err);
    if (!status)
        status = connection_run(store, SQL_BEGIN, err);
    if (status)
        return status;
    if (is_new)
        status = schema_apply(store->db, SCHEMA_STEPS, 0, STORE_SCHEMA_VERSION, err);
    if (!status)
        status = file->kind->write(store, file->run, is_new, err);
    return connection_end_transaction(store, status, err);
}

static Status open_locked(const RunFile *file, Store **out, StoreResume *resume, ErrorText *err) {
    bool was_there = is_taken(file->path);
    Store *store = NULL;
    Status status = connection_open(file->path, CONNECTION_CREATE, &store, err);
    if (!status)
        status = migrate_store(store, SCHEMA_STEPS, STORE_SCHEMA_VERSION, err);
    if (!status)
        status = examine(file, store, resume, err);
    if (!status)
        status = write_opening(file, store, !resume->resumed, err);
    if (!status && !resume->resumed)
        status = file->kind->load(store, err);
    if (status) {
        connection_close(store);
        // What we began to make. A conflict is about rows that somebody else wrote meanwhile.
        if (!was_there && status != STATUS_CONFLICT)
            unlink(file->path);
        return status;
    }
    *out = store;
    return STATUS_OK;
}

Status run_file_open(const RunFile *file, Store **out, StoreResume *resume, ErrorText *err) {
    // Beyond a limit on the size of files write() would kill the process; ignored, it fails with
    // EFBIG, which SQLite reports like a full disk.
    signal(SIGXFSZ, SIG_IGN);
    *resume = (StoreResume){0};
    Store *store = NULL;
    int lock = -1;
    Status status = folders_make(file->path, err);
    // The lock before anything is looked at: what is found must still hold when it is written to.
    if (!status)
        status = run_lock_take(file->path, &lock, err);
    if (!status && file->fresh)
        status = retire_database(file->path, &resume->renamed, err);
    if (!status)
        status = open_locked(file, &store, resume, err);
    if (status) {
        run_lock_release(file->path, lock);
        store_resume_release(resume);
        return status;
    }
    store->lock_fd = lock;
    *out = store;
    return STATUS_OK;
}

Status run_file_preview(const RunFile *file, StoreResume *resume, ErrorText *err) {
    *resume = (StoreResume){0};
    struct stat info = {0};
    if (file->fresh || (stat(file->path, &info) && errno == ENOENT) ||
        (S_ISREG(info.st_mode) && info.st_size == 0))
        return STATUS_OK;
    Store *store = NULL;
    Status status = connection_open(file->path, CONNECTION_READ, &store, err);
    if (!status)
        status = examine(file, store, resume, err);
    connection_close(store);
    if (status)
        store_resume_release(resume);
    return status;
}

Status run_file_read(const char *path, const RunFileKind *kind, Store **out, ErrorText *err) {
    Store *store = NULL;
    bool empty = false;
    Status status = migrate_file(path, err);
    if (!status)
        status = connection_open(path, CONNECTION_READ, &store, err);
    if (!status)
        status = connection_check(store, &empty, err);
    if (!status && empty)
        status = error_set(err, STATUS_INVALID, "%s: holds no %s yet", path, kind->noun);
    if (!status)
        status = kind->load(store, err);
    if (status)
        connection_close(store);
    else
        *out = store;
    return status;
}

void run_file_tidy(Store *store) {
    // A reader may hold the log; then the next opening does it.
    sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}
