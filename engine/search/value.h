// SPDX-License-Identifier: GPL-3.0-or-later
// Values of won and lost lines, and their two frames of reference.
//
// A five on the board is worth VALUE_WIN minus the plies from the root until it stands, so a
// quicker win is better and a slower loss is better. Static values stay below VALUE_WIN_BOUND.
#pragma once

#include <math.h>
#include <stdbool.h>

// Doubles hold all of these exactly, and halves of none are needed: values are only compared,
// negated and shifted by plies.
#define VALUE_WIN 1e9 // a five at the root
// Values between this and VALUE_WIN are wins within a million plies, far more than a game has;
// below it begins what evaluations may say. Infinities are not wins but markers.
#define VALUE_WIN_BOUND 9.99e8

// A proven win or loss, with a number of plies in it? Thread: any.
static inline bool value_is_win(double value) {
    return value >= VALUE_WIN_BOUND && value <= VALUE_WIN;
}
// The same for the other side. Thread: any.
static inline bool value_is_loss(double value) { return value_is_win(-value); }

// From plies counted from the root to plies counted from the node, and back. Other values pass,
// those far beyond a five at the root (search.win_value times_depth) too. Thread: any.
static inline double value_to_node(double value, int ply) {
    return value_is_win(value) ? value + ply : value_is_loss(value) ? value - ply : value;
}
// The inverse: from plies counted from the node at `ply` to plies counted from the root. Thread:
// any.
static inline double value_from_node(double value, int ply) {
    const double most = 2 * VALUE_WIN - VALUE_WIN_BOUND; // a bound may pass VALUE_WIN by plies
    return value >= VALUE_WIN_BOUND && value <= most     ? value - ply
           : value <= -VALUE_WIN_BOUND && value >= -most ? value + ply
                                                         : value;
}

// The next double below: a window whose lower end lets equal values through. Thread: any.
static inline double value_just_below(double value) { return nextafter(value, -INFINITY); }
// The next double above: with `value` as alpha, the narrowest window there is. Thread: any.
static inline double value_just_above(double value) { return nextafter(value, INFINITY); }
