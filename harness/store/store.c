// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots and closing.
#include "harness/store/store.h"

#include "harness/store/connection.h"

Status store_snapshot_begin(Store *store, ErrorText *err) {
    // One at a time: who asks again uses the one that is open.
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
