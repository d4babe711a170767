// SPDX-License-Identifier: GPL-3.0-or-later
// A tune from YAML: one table of keys, a base player, a list of knobs, constraints.
#pragma once

#include "harness/cli/config_draft.h"
#include "harness/cli/options.h"
#include "harness/tune/tune_spec.h"

// Loads a tune from a file, then applies `sets` ("key=value" words of the tune's keys; NULL: none).
// Messages read "file:line:column: what, what was expected". On success *out is the caller's, freed
// by tune_spec_release. `listing` (NULL: none) gets the keys of the tune, then those of the base
// with the start values, then those of the anchors. Thread: any.
Status config_load_tune(const char *path, const OptionList *sets, TuneSpec *out,
                        ConfigListing *listing, ErrorText *err) MUST_CHECK;

// Does a file describe a tune, judged by its key `knobs`? Thread: any.
Status config_tune_is(const char *path, bool *out, ErrorText *err) MUST_CHECK;

// The keys of a tune. Thread: any.
ConfigKeyTable config_tune_keys(void);

// A tune while it is being put together; for the loaders of this folder.
// Settings in it borrow from the source. The spec is moved out when everything was well, else
// released.
typedef struct TuneDraft {
    ConfigSource *source; // borrowed
    TuneSpec spec;        // owned
    // Both only until the end, when the spec gets the name and the board's two sides.
    int method;   // index into the choices of `method`
    int side;     // of the board
    Setting root; // the file itself, for messages about the whole
    // For messages that come when everything is read; {0} where a key was not said.
    Setting key_at[64];              // by row of the keys: where the last value stands
    Setting knob_at[TUNE_MAX_KNOBS]; // where each knob stands
    // For the listing alone: the spec has the base's values, this where they were said.
    PlayerDraft base_at; // borrowed parts only; its spec stays empty
    // The anchors' entries, which are made while their drafts are alive.
    ConfigListing anchors; // owned
} TuneDraft;

// Reads the list of knobs; the base player is known by then. Thread: owner.
// STATUS_INVALID with the place of the first fault. The base player gets the start values.
Status tune_draft_knobs(TuneDraft *draft, const Setting *setting, ErrorText *err) MUST_CHECK;

// Reads the list of constraints; the knobs are known by then. Thread: owner.
// Each chain is checked with those before it, so that the message names the one that closes a
// circle.
Status tune_draft_constraints(TuneDraft *draft, const Setting *setting, ErrorText *err) MUST_CHECK;
