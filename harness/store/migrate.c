// SPDX-License-Identifier: GPL-3.0-or-later
// Migrations of files.
#include "harness/store/migrate.h"

#include "harness/store/run_lock.h"

// The version of a file of ours; INT64_MAX when it is not ours, so that it is never older.
static Status read_version(Store *store, int64_t *version, ErrorText *err) {
    int64_t id;
    Status status = connection_int(store, "PRAGMA application_id", &id, err);
    if (!status)
        status = connection_int(store, "PRAGMA user_version", version, err);
    // An empty file and somebody else's database are left alone; whoever opens them says what is
    // wrong.
    if (!status && (id != SCHEMA_APPLICATION_ID || *version < 1))
        *version = INT64_MAX;
    return status;
}

Status migrate_store(Store *store, const SchemaStep *steps, int target, ErrorText *err) {
    int64_t version;
    Status status = read_version(store, &version, err);
    if (status || version >= target)
        return status;
    // BEGIN IMMEDIATE: the write lock first, then the version again, so that two programs that open
    // an old file at once do not both apply the steps.
    status = connection_run(store, SQL_BEGIN, err);
    if (status)
        return status;
    status = read_version(store, &version, err); // somebody may have been quicker
    if (!status && version < target)
        status = schema_apply(store->db, steps, (int)version, target, err);
    status = connection_end_transaction(store, status, err);
    return status ? error_wrap(err, status, "%s: migration", store->path) : STATUS_OK;
}

Status migrate_file(const char *path, ErrorText *err) {
    Store *store = NULL;
    int64_t version = INT64_MAX;
    int lock = -1;
    Status status = connection_open(path, CONNECTION_READ, &store, err);
    if (!status)
        status = read_version(store, &version, err);
    // Looked at read-only first: reading a database must not need the right to write, nor make a
    // lock file, unless there is something to do.
    connection_close(store);
    if (status || version >= STORE_SCHEMA_VERSION)
        return status;
    status = run_lock_take(path, &lock, err);
    store = NULL;
    if (!status)
        status = connection_open(path, CONNECTION_WRITE, &store, err);
    if (!status)
        status = migrate_store(store, SCHEMA_STEPS, STORE_SCHEMA_VERSION, err);
    connection_close(store);
    run_lock_release(path, lock);
    return status;
}
