// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab tune --synthetic`: the tuner judged where the truth is known.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// As the options of the command say; `surface` is checked by tune_synthetic.
// Surfaces are formulas with a known best point: what a tune on real games cannot know, its
// distance from the best, can be measured here.
typedef struct TuneSyntheticOptions {
    const char *surface;
    int64_t seeds, games; // games 0: 100000
    bool known;           // the sensitivities are given, there is no scan
} TuneSyntheticOptions;

// Runs the tunes and prints the table; returns an exit status. Thread: main.
// No games are played and nothing is stored; the same options print the same line.
int tune_synthetic(const TuneSyntheticOptions *options);
