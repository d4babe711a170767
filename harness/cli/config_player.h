// SPDX-License-Identifier: GPL-3.0-or-later
// A player while it is being put together: bases first, then its own settings, then --set; every
// knob remembers where its value came from. For the loaders of this folder; commands use config.h.
#pragma once

#include "harness/cli/config_keys.h"
#include "harness/record/experiment.h"

// Keys below `engine.` that a draft remembers the places of.
enum { ENGINE_KEY_MAX = 16 };

// Made by player_draft_init. Settings in it borrow from the source, which must outlive it; a
// finished player is taken by copying `spec` and zeroing it here.
typedef struct PlayerDraft {
    PlayerSpec spec;                       // owned
    const char *root_folder;               // borrowed; written paths become relative to it
    Setting name_origin;                   // borrowed parts; .file is NULL while there is no name
    Setting knob_origin[KNOB_NB];          // the same, .file NULL: default
    Setting engine_origin[ENGINE_KEY_MAX]; // the same, by row of the table of engine keys
} PlayerDraft;

// The keys below `engine.`, with the prefix. Thread: any.
ConfigKeyTable config_engine_keys(void);

// An empty draft: every knob at its default, no name. Thread: owner.
Status player_draft_init(PlayerDraft *draft, const char *root_folder, ErrorText *err) MUST_CHECK;

// Frees the draft. Thread: owner.
void player_draft_release(PlayerDraft *draft);

// Applies a map: its base (and that one's base, ...), then its own settings. The name of a file
// without `name` is its stem. Thread: owner.
Status player_draft_apply(ConfigSource *source, const ConfigFile *file, const YamlNode *map,
                          PlayerDraft *draft, ErrorText *err) MUST_CHECK;

// Applies the base that a setting names (a path relative to its file). Thread: owner.
Status player_draft_apply_base(ConfigSource *source, const Setting *base, PlayerDraft *draft,
                               ErrorText *err) MUST_CHECK;

// Applies one setting: name, a knob or a key of `engine`. Thread: owner.
Status player_draft_set(PlayerDraft *draft, const Setting *setting, ErrorText *err) MUST_CHECK;

// The same for row `row` of config_engine_keys alone. Thread: owner.
Status player_draft_set_engine(PlayerDraft *draft, int row, const Setting *setting,
                               ErrorText *err) MUST_CHECK;

// Is it a key that player_draft_set knows? Thread: any.
bool player_key_is_known(const char *key);

// Judges the whole: a name, knobs that make sense together. `at` is named when no setting is to
// blame. Thread: owner.
Status player_draft_check(const PlayerDraft *draft, const Setting *at, ErrorText *err) MUST_CHECK;

// Warns on standard error of knobs that were set in vain: those of another algorithm than the
// player's, one line each. Silent where `root`, the file that is loaded, or --set only chooses
// another algorithm than a base. Thread: owner.
void player_draft_warn(const PlayerDraft *draft, const ConfigFile *root);
