// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations from YAML: a player or an experiment, resolved and judged, or one line that says
// what is wrong where.
//
// Bases are merged, sweeps multiplied out, --set applied last, paths taken relative to the file
// that names them. Messages read "file:line:column: what, what was expected, nearest valid name".
// The keys of a player are the knobs of engine/base/knobs.def and `engine.*`; those of an
// experiment are one table in experiment_keys.def; `gomolab keys` prints both.
#pragma once

#include "harness/cli/config_listing.h"
#include "harness/cli/options.h"
#include "harness/record/experiment.h"

// Loads a player from a file, then applies `sets` ("key=value" words; NULL: none). On success *out
// is the caller's, freed by player_spec_release; knobs that the player's algorithm never reads are
// warned of on standard error. `listing` may be NULL. Thread: any.
Status config_load_player(const char *path, const OptionList *sets, PlayerSpec *out,
                          ConfigListing *listing, ErrorText *err) MUST_CHECK;

// Loads an experiment from a file, then applies `sets`: "key=value" of the experiment,
// "player.key=value" of one player (of all players whose name fits, the longest first), or
// "knob=value" of every player. On success *out is the caller's, freed by experiment_release;
// out->text is the resolved YAML, which config_parse_experiment reads back to the same experiment
// from the same working directory. Warns as config_load_player. `listing` may be NULL. Thread: any.
Status config_load_experiment(const char *path, const OptionList *sets, Experiment *out,
                              ConfigListing *listing, ErrorText *err) MUST_CHECK;

// The same for a player as text in memory (NUL-terminated), without warnings. `path` names the text
// in messages, and relative paths inside are relative to its folder. Thread: any.
Status config_parse_player(const char *text, const char *path, PlayerSpec *out,
                           ErrorText *err) MUST_CHECK;

// The same for an experiment, of which the text that config_load_experiment makes is one. Thread:
// any.
Status config_parse_experiment(const char *text, const char *path, Experiment *out,
                               ErrorText *err) MUST_CHECK;

// Files of tunes and verifications are told apart before this (config_tune.h, verify_config.h).
typedef enum ConfigKind { CONFIG_KIND_PLAYER, CONFIG_KIND_EXPERIMENT } ConfigKind;

// What a file describes, judged by its keys: an experiment has players, a sweep or another key that
// only experiments have; anything else is taken for a player. Thread: any.
Status config_kind(const char *path, ConfigKind *out, ErrorText *err) MUST_CHECK;
