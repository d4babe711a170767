// SPDX-License-Identifier: GPL-3.0-or-later
// Why two runs are not one experiment: the first thing in which their identities differ.
#pragma once

#include "engine/base/text.h"

// Compares two texts of experiment_write_identity. Appends one phrase such as
// "players[1].knobs.search.depth is 4 there, 6 here" and returns true; false when nothing differs.
// A knob that one side lacks, written by a program that did not have it yet, has its default there;
// one that this program does not know always differs, since nobody can say what it did. Texts that
// are no JSON are compared as a whole. Thread: owner of `out`.
bool experiment_diff(const char *there, const char *here, Text *out);
