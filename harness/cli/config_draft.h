// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment while it is being put together: its keys, its players, and where each value came
// from. For the loaders of this folder; commands use config.h.
#pragma once

#include "harness/cli/config_listing.h"
#include "harness/cli/config_player.h"

// The rows of the table of experiment keys that code asks for by name; they come first, in this
// order.
// A new row of its own goes before the plain ones in experiment_keys.def, and here in the same
// place.
typedef enum ExperimentKey {
    EXPERIMENT_NAME,
    EXPERIMENT_BASE,
    EXPERIMENT_DIRECTORY,
    EXPERIMENT_BOARD,
    EXPERIMENT_OPENINGS,
    EXPERIMENT_OPENINGS_FILE,
    EXPERIMENT_PAIRS,
    EXPERIMENT_SPRT,
    EXPERIMENT_PLAYERS,
    EXPERIMENT_SWEEP,
    EXPERIMENT_AFFINITY
} ExperimentKey;
// Keys that a draft remembers the places of, and players of an experiment, its sweep multiplied
// out. With more keys the program does not compile; an experiment of more players is refused.
enum { EXPERIMENT_KEY_MAX = 64, PLAYERS_MAX = 1000 };

// Zeroed but for `source` at first. Life: apply, players, check, then dump, list, or move the
// experiment out; release in every case. Settings in it borrow from the source, which must outlive
// it.
typedef struct ExperimentDraft {
    ConfigSource *source;  // borrowed
    Experiment experiment; // owned; players stay empty until the end
    // "" is the working directory; else it ends with a slash, or is what `directory` says.
    char *root_folder;                  // owned; what written paths are made relative to
    Setting root;                       // the file itself, for messages about the whole
    Setting origin[EXPERIMENT_KEY_MAX]; // by row of the table; .file NULL: default
    // Drafts keep where each value came from; the experiment gets the finished players at the very
    // end.
    PlayerDraft *players;   // owned
    Setting *player_origin; // owned; where each stands
    int player_count;
} ExperimentDraft;

// The keys of an experiment. Thread: any.
ConfigKeyTable config_experiment_keys(void);

// Frees the draft. Thread: owner.
void experiment_draft_release(ExperimentDraft *draft);

// Applies the keys of a file (its base first) and the settings of --set that name an experiment's
// key. Fails, as what follows, with STATUS_INVALID, or STATUS_NOT_FOUND for a file that is missing,
// and one line that names file, line and column; the draft is then only good for release. Thread:
// owner.
Status experiment_draft_apply(ExperimentDraft *draft, ConfigFile *file, const OptionList *sets,
                              ErrorText *err) MUST_CHECK;

// Makes the players of `players` and `sweep`, then applies the settings of --set that name a
// player's key. Thread: owner.
Status experiment_draft_players(ExperimentDraft *draft, const OptionList *sets,
                                ErrorText *err) MUST_CHECK;

// Judges the whole: STATUS_INVALID for what no key alone is to blame for, such as too few players,
// openings that do not go with the board, a test that would never end. Thread: owner.
Status experiment_draft_check(ExperimentDraft *draft, ErrorText *err) MUST_CHECK;

// Appends the whole experiment as YAML that reads back to the same. Thread: owner of `out`.
void experiment_draft_dump(const ExperimentDraft *draft, Text *out);

// Appends one row; an `origin` without a file is a default. Thread: owner of `listing`.
void draft_list_value(ConfigListing *listing, const char *player, const char *key,
                      const Text *value, const Setting *origin);

// Appends a row a key to the listing. Thread: owner of `listing`.
// `player` names it in the listing; NULL when there is but one.
void player_draft_list(const PlayerDraft *draft, const char *player, ConfigListing *listing);
void experiment_draft_list(const ExperimentDraft *draft, ConfigListing *listing); // as above

// Appends `text` as a YAML scalar, quoted when it needs to be. Thread: owner of `out`.
void yaml_write_scalar(Text *out, const char *text);
