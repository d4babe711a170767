// SPDX-License-Identifier: GPL-3.0-or-later
// Playing a stored game again, and saying where the two differ.
#pragma once

#include "harness/record/experiment.h"
#include "harness/record/game_record.h"

// Plays the slot of `stored` again: its players, seed and opening stones. The record is the
// caller's. STATUS_INVALID when the stored game does not fit the experiment; else fails as
// game_play does. Thread: any.
Status replay_game(const Experiment *experiment, const GameRecord *stored, GameRecord **out,
                   ErrorText *err) MUST_CHECK;

// Appends a line for each number that both know and that differs, ply by ply, then for the result;
// clocks are not compared. At most `max_lines`; returns how many differences there are in all.
// Thread: owner of `out`.
int replay_compare(const Experiment *experiment, const GameRecord *stored, const GameRecord *again,
                   int max_lines, Text *out);
