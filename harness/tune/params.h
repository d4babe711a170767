// SPDX-License-Identifier: GPL-3.0-or-later
// The vector of knobs: from coordinates to values and back, bounds, order constraints, rounding.
//
// Order constraints are kept by meeting in the middle: two knobs that are the wrong way round take
// their mean, over and over, bounds in between, until all are in order. Whole numbers stay
// one apart, so that rounding with one random number for the whole vector cannot break an order.
#pragma once

#include "harness/tune/tune_spec.h"

// The coordinate of a value, 0..1 within the range, and the value of a coordinate. Thread: any.
double params_coordinate(const TuneKnob *knob, double value);
double params_value(const TuneKnob *knob, double u); // as above

// The start values as coordinates. Thread: any.
void params_start(const TuneSpec *spec, double *u);

// Moves `u` to the nearest vector within bounds that keeps the orders; true when it moved. Thread:
// any.
bool params_project(const TuneSpec *spec, double *u);

// Values of `u`; whole numbers are floor(value + dither): 0.5 rounds to the nearest, a random
// number in [0, 1) keeps the mean. `u` is projected. Thread: any.
void params_values(const TuneSpec *spec, const double *u, double dither, double *values);

// Final values: whole numbers to the nearest, others to five digits. Thread: any.
void params_final(const TuneSpec *spec, const double *u, double *values);

// Writes values into knobs. Thread: owner of `knobs`.
void params_apply(const TuneSpec *spec, const double *values, KnobSet *knobs);

// Can bounds and orders be kept at all, and do the start values keep them? STATUS_INVALID and which
// constraint cannot: one that closes a circle is named with the others of the circle. Thread: any.
Status params_check(const TuneSpec *spec, ErrorText *err) MUST_CHECK;
