// SPDX-License-Identifier: GPL-3.0-or-later
// Opening to read, snapshots, closing, and the slots that are done.
#include "harness/store/store.h"

#include "harness/store/connection.h"
#include "harness/store/migrate.h"

#include <stdlib.h>

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

// Slots are read a block at a time, so that no reading transaction stays open and the memory is
// that of one block.
enum { DONE_BLOCK = 1024 };

struct StoreDone {
    Store *store;              // owned
    int64_t block[DONE_BLOCK]; // ascending
    int count, next;
    bool at_end;    // no slot beyond the block
    int64_t answer; // of the last call: all between its `from` and this are done
};

Status store_done_open(const char *path, StoreDone **out, ErrorText *err) {
    StoreDone *done = calloc(1, sizeof *done);
    if (!done)
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    Status status = store_open(path, &done->store, err);
    if (status)
        free(done);
    else
        *out = done;
    return status;
}

void store_done_close(StoreDone *done) {
    if (done)
        store_close(done->store);
    free(done);
}

static Status done_fill(StoreDone *done, int64_t from, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(done->store, SQL_READ_SLOTS, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, from);
    sqlite3_bind_int(stmt, 2, DONE_BLOCK);
    done->count = done->next = 0;
    while (!(status = connection_step(done->store, stmt, &row, err)) && row)
        done->block[done->count++] = sqlite3_column_int64(stmt, 0);
    done->at_end = done->count < DONE_BLOCK;
    return status;
}

static Status done_first_missing(void *ctx, int64_t from, int64_t *out, ErrorText *err) {
    StoreDone *done = ctx;
    int64_t slot = from > done->answer ? from : done->answer;
    for (;;) {
        while (done->next < done->count && done->block[done->next] < slot)
            done->next++;
        if (done->next < done->count) {
            if (done->block[done->next] > slot)
                break;
            slot++;
        } else if (done->at_end) {
            break;
        } else {
            Status status = done_fill(done, slot, err);
            if (status)
                return status;
        }
    }
    *out = done->answer = slot;
    return STATUS_OK;
}

DoneSlots store_done_slots(StoreDone *done) { return (DoneSlots){done_first_missing, done}; }
