// SPDX-License-Identifier: GPL-3.0-or-later
// The sensitivity scan: what does each knob do to the strength, and how large a step can be seen?
//
// For every knob start + h plays start - h (the slope) and start + h plays start (with the slope:
// the curvature). Near an optimum a displacement x costs e x^2 Elo; from both matches e follows
// whatever the distance to the optimum: e h^2 = (d1 - 2 d2) / 2. A scan of a few hundred pairs
// leaves weak knobs in the noise, so the curvature is drawn towards what is usual (a step of a
// sixth of the range) as far as its error says; the slope says something, too.
#pragma once

#include "harness/store/store_tune_rows.h"
#include "harness/tune/tuner.h"

// The scan's state as one row a knob (`out` has room for all). Thread: any.
void sense_effects(const TunerSetup *setup, const double *state, StoreTuneEffect *out);

// The h that a knob is displaced by, and the middle between both sides (the start, moved inwards).
// Thread: any.
double sense_displacement(const TuneKnob *knob);

// The curvature that the scan would find at h, for a step c: the inverse of how steps are made.
// Thread: any.
double sense_step(double effect_elo, double h, double curvature);
