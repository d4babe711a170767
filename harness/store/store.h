// SPDX-License-Identifier: GPL-3.0-or-later
// The database of one experiment: making, opening, resuming and closing it. The only layer that
// knows SQLite.
//
// One file an experiment (schema.c documents every table, column and view). `game.id` is the slot,
// `player.id` the index in the experiment, so that a game has one number everywhere and a database
// does not depend on which game ended first. Writing goes through store_writer.h, reading through
// store_read.h. A Store is one connection: one thread at a time; open a second one to read while
// another thread writes.
//
// Two runs never write to one file: a run holds a lock on "<file>-lock" until it closes (the lock
// ends with the process).
#pragma once

#include "harness/record/experiment.h"
#include "harness/store/store_rows.h"

// What a run says about itself when it opens its database.
// A run is one sitting on the database of one experiment: the experiment must be the same every
// time, the rest may differ.
typedef struct StoreRun {
    const char *path;             // borrowed; folders that are missing are made
    const Experiment *experiment; // borrowed
    bool fresh;                   // rename a database that is there to a free name first
    const char *version;          // borrowed; of this program
    int jobs;                     // for the record of the sitting
    int64_t planned_games;        // slots of the whole plan; 0 = no end known
    const char *const
        *engine_hash; // borrowed; one a player, entries NULL for our own engine; NULL: none
} StoreRun;

// What it found.
typedef struct StoreResume {
    bool resumed;  // the database was there and holds this experiment
    int64_t games; // games in it
    char *renamed; // owned, free(): new name of the old database (fresh), else NULL
    char *notice; // owned, free(): one line when this build or an engine is another than last time,
                  // else NULL
} StoreResume;

// Makes the database of a run, or opens it to go on, and begins a sitting. Refusals leave the file
// as it was: STATUS_CONFLICT: it holds another experiment (says what differs first), another schema
// version, or another gomolab is writing to it; STATUS_INVALID: it is no SQLite file, no database
// of ours, read-only, or the folder cannot be written; STATUS_IO: the disk is full. An empty file
// counts as missing. *resume is filled on success. The store is the caller's, closed by
// store_close. Ignores SIGXFSZ from then on, so that a file-size limit is an error like a full
// disk. Thread: init.
Status store_open_run(const StoreRun *run, Store **out, StoreResume *resume,
                      ErrorText *err) MUST_CHECK;

// What store_open_run would find, without touching anything (--dry-run): STATUS_OK with
// resume->games, also when there is no file yet. Thread: any.
Status store_preview_run(const StoreRun *run, StoreResume *resume, ErrorText *err) MUST_CHECK;

// Frees what a StoreResume owns. Thread: owner.
void store_resume_release(StoreResume *resume);

// Ends the sitting of a run: notes its end, and the end of the experiment when `complete`; tidies
// up the log of SQLite. Call it when the writer is stopped. Thread: owner.
Status store_finish_run(Store *store, bool complete, ErrorText *err) MUST_CHECK;

// Opens a database to read. STATUS_NOT_FOUND: no such file; STATUS_INVALID: not a database of ours;
// STATUS_CONFLICT: another schema version. Works on read-only media and beside a running
// experiment. Thread: any.
Status store_open(const char *path, Store **out, ErrorText *err) MUST_CHECK;

// Makes all reads until the end see one state of a database that is being written. Keep it short:
// the log of the writer cannot shrink meanwhile. Thread: owner.
Status store_snapshot_begin(Store *store, ErrorText *err) MUST_CHECK;
void store_snapshot_end(Store *store); // the end of it; harmless without a begin

// Closes and frees; NULL is fine. Thread: owner.
void store_close(Store *store);

// The path it was opened with; valid until close. Thread: owner.
const char *store_path(const Store *store);
