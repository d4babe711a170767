// SPDX-License-Identifier: GPL-3.0-or-later
// The one way in which a database is opened: to be written by a run or a tune, to be looked at
// before one, or to be read.
//
// A file holds an experiment or a tune. Locking, migrating, making the schema and cleaning up after
// a refusal do not depend on which, so they stand here once; what differs is a RunFileKind.
#pragma once

#include "harness/store/connection.h"
#include "harness/store/store.h"

typedef struct RunFileKind {
    const char *noun; // what the file must hold, for messages: "experiment", "tune"
    // Reads what the file holds into the store; the file is not empty. STATUS_CONFLICT or
    // STATUS_INVALID when that is something else.
    Status (*load)(Store *store, ErrorText *err);
    // Is what was loaded what `run` describes? STATUS_CONFLICT with the first difference if not,
    // else fills resume->games and ->notice.
    Status (*compare)(Store *store, const void *run, StoreResume *resume, ErrorText *err);
    // Writes the rows that begin a sitting, inside a transaction: all of a new file, or what may
    // change from sitting to sitting.
    Status (*write)(Store *store, const void *run, bool is_new, ErrorText *err);
} RunFileKind;

typedef struct RunFile {
    const RunFileKind *kind;
    const char *path; // borrowed
    const void *run;  // borrowed; handed to the functions of `kind`
    bool fresh;       // rename a database that is there first
} RunFile;

// Makes the database or opens it to go on; takes the lock of a run, which the store then holds.
// Contract as store_open_run. Thread: init.
Status run_file_open(const RunFile *file, Store **out, StoreResume *resume,
                     ErrorText *err) MUST_CHECK;

// What run_file_open would find. Nothing is written, locked or migrated. STATUS_OK also when there
// is no file, or an empty one. Thread: any.
Status run_file_preview(const RunFile *file, StoreResume *resume, ErrorText *err) MUST_CHECK;

// Opens a database to read; an older one is migrated first, if it can be written. STATUS_INVALID
// when it is empty. Contract as store_open. Thread: any.
Status run_file_read(const char *path, const RunFileKind *kind, Store **out,
                     ErrorText *err) MUST_CHECK;

// Tidies up the log of SQLite when a sitting has ended: best effort. Thread: owner.
void run_file_tidy(Store *store);

extern const RunFileKind RUN_FILE_EXPERIMENT; // store_run.c
extern const RunFileKind RUN_FILE_TUNE;       // store_tune.c
