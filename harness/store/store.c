// SPDX-License-Identifier: GPL-3.0-or-later
// Opening to read, snapshots, closing.
#include "harness/store/store.h"

#include "harness/store/connection.h"
#include "harness/store/migrate.h"

Status store_open(const char *path, Store **out, ErrorText *err) {
    Store *store = NULL;
    bool empty = false;
    Status status = migrate_file(path, err);
    if (!status)
        status = connection_open(path, CONNECTION_READ, &store, err);
    if (!status)
        status = connection_load(store, &empty, err);
    if (!status && empty)
        status = error_set(err, STATUS_INVALID, "%s: holds no experiment yet", path);
    if (status)
        store_close(store);
    else
        *out = store;
    return status;
}

Status store_snapshot_begin(Store *store, ErrorText *err) {
    if (store->in_snapshot)
        return STATUS_OK;
    Status status = connection_run(store, SQL_BEGIN_READ, err);
    store->in_snapshot = !status;
    return status;
}

void store_snapshot_end(Store *store) {
    ErrorText ignored;
    if (store->in_snapshot && connection_run(store, SQL_COMMIT, &ignored))
        return; // a reading transaction holds nothing that could be lost
    store->in_snapshot = false;
}

void store_close(Store *store) { connection_close(store); }

const char *store_path(const Store *store) { return store->path; }
