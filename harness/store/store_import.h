// SPDX-License-Identifier: GPL-3.0-or-later
// A database of games that were played elsewhere. Its experiment has no plan: players are added as
// they appear, slots are numbered as games come, and more games may be added later.
#pragma once

#include "harness/store/store.h"

// Once made, a database keeps its name, size and rule; later imports must be by the same rule.
typedef struct StoreImportSetup {
    const char *path;    // borrowed, as all that follows; folders that are missing are made
    const char *name;    // of the experiment, when it is made
    const char *version; // of this program
    Rule rule;
    int width, height; // of the experiment, when it is made; each game has a size of its own
} StoreImportSetup;

// Makes the database or opens it to add games. STATUS_CONFLICT when it was played by a run or under
// another rule, otherwise as store_open_run. Closed by store_close; what was not finished is then
// not in it. Thread: init.
Status store_import_open(const StoreImportSetup *setup, Store **out, ErrorText *err) MUST_CHECK;

// Adds a game; `black` and `white` name the players, the numbers in the record are ignored. The
// record's slot is kept if it is free (>= 0), else the game gets the next one and belongs to no
// pair; record->slot then says which. Thread: owner.
Status store_import_add(Store *store, GameRecord *record, const char *black, const char *white,
                        ErrorText *err) MUST_CHECK;

// Commits all games added so far. Thread: owner.
Status store_import_finish(Store *store, ErrorText *err) MUST_CHECK;
