// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates, projections, rounding.
#include "harness/tune/params.h"

#include <math.h>
#include <string.h>

double params_coordinate(const TuneKnob *knob, double value) {
    return knob->is_log ? log(value / knob->low) / log(knob->high / knob->low)
                        : (value - knob->low) / (knob->high - knob->low);
}

double params_value(const TuneKnob *knob, double u) {
    if (u <= 0)
        return knob->low;
    if (u >= 1)
        return knob->high;
    return knob->is_log ? knob->low * exp(u * log(knob->high / knob->low))
                        : knob->low + u * (knob->high - knob->low);
}

void params_start(const TuneSpec *spec, double *u) {
    for (int i = 0; i < spec->knob_count; i++)
        u[i] = params_coordinate(&spec->knobs[i], spec->knobs[i].start);
}

// How far apart two knobs in order must stay.
// One whole number apart, or a sliver: "above" is strict.
static double gap_of(const TuneSpec *spec, const TuneOrder *order) {
    const TuneKnob *above = &spec->knobs[order->above], *below = &spec->knobs[order->below];
    return above->is_whole || below->is_whole ? 1.0 : 1e-9 * (above->high - above->low);
}

static bool clamp_all(const TuneSpec *spec, double *values) {
    bool moved = false;
    for (int i = 0; i < spec->knob_count; i++) {
        double low = spec->knobs[i].low, high = spec->knobs[i].high;
        double value = values[i] < low ? low : values[i] > high ? high : values[i];
        moved |= value != values[i];
        values[i] = value;
    }
    return moved;
}

// One sweep over the orders: two that are the wrong way round meet in the middle, in the scale of
// the upper one. Repeated, this ends at an ordered vector near the first.
static bool relax_orders(const TuneSpec *spec, double *values) {
    bool moved = false;
    for (int i = 0; i < spec->order_count; i++) {
        const TuneOrder *order = &spec->orders[i];
        double gap = gap_of(spec, order);
        double *above = &values[order->above], *below = &values[order->below];
        if (*above >= *below + gap)
            continue;
        bool is_log = spec->knobs[order->above].is_log && spec->knobs[order->below].is_log;
        // In the logarithm where both live there: 10 and 1000 meet at 100.
        double middle = is_log ? sqrt(*above * *below) : (*above + *below) / 2;
        *below = middle - gap / 2;
        *above = *below + gap;
        moved = true;
    }
    return moved;
}

// What is left after many sweeps is pushed upwards from the lowest knob on, then down from the top:
// always ends, when params_check has passed.
static void force_orders(const TuneSpec *spec, double *values) {
    for (int round = 0; round < spec->knob_count; round++)
        for (int i = 0; i < spec->order_count; i++) {
            const TuneOrder *order = &spec->orders[i];
            double need = values[order->below] + gap_of(spec, order);
            if (values[order->above] < need)
                values[order->above] = need;
        }
    for (int i = 0; i < spec->knob_count; i++)
        values[i] = fmin(values[i], spec->knobs[i].high);
    for (int round = 0; round < spec->knob_count; round++)
        for (int i = 0; i < spec->order_count; i++) {
            const TuneOrder *order = &spec->orders[i];
            double most = values[order->above] - gap_of(spec, order);
            if (values[order->below] > most)
                values[order->below] = most;
        }
}

static bool is_ordered(const TuneSpec *spec, const double *values) {
    for (int i = 0; i < spec->order_count; i++)
        if (values[spec->orders[i].above] <
            values[spec->orders[i].below] + gap_of(spec, &spec->orders[i]) * (1 - 1e-9))
            return false;
    return true;
}

// Meeting in the middle is near the nearest ordered vector, but with bounds in between it may go on
// for ever: forced at last, which is ordered though not near.
static void project_values(const TuneSpec *spec, double *values) {
    enum { SWEEPS = 200 };
    clamp_all(spec, values);
    for (int i = 0; i < SWEEPS && !is_ordered(spec, values); i++) {
        relax_orders(spec, values);
        clamp_all(spec, values);
    }
    if (!is_ordered(spec, values))
        force_orders(spec, values);
}

// Clipping comes first: coordinates outside 0..1 stand for no value.
bool params_project(const TuneSpec *spec, double *u) {
    double values[TUNE_MAX_KNOBS];
    bool moved = false;
    for (int i = 0; i < spec->knob_count; i++) {
        double clipped = u[i] < 0 ? 0 : u[i] > 1 ? 1 : u[i];
        moved |= clipped != u[i];
        u[i] = clipped;
        values[i] = params_value(&spec->knobs[i], u[i]);
    }
    if (is_ordered(spec, values))
        return moved; // untouched coordinates keep their bits
    project_values(spec, values);
    for (int i = 0; i < spec->knob_count; i++)
        u[i] = params_coordinate(&spec->knobs[i], values[i]);
    return true;
}

void params_values(const TuneSpec *spec, const double *u, double dither, double *values) {
    double projected[TUNE_MAX_KNOBS];
    memcpy(projected, u, (size_t)spec->knob_count * sizeof *u);
    // Projected here too, so that no caller can play values out of order.
    params_project(spec, projected);
    for (int i = 0; i < spec->knob_count; i++) {
        const TuneKnob *knob = &spec->knobs[i];
        double value = params_value(knob, projected[i]);
        // A coordinate that stands for a whole number may come back a little below it.
        values[i] = knob->is_whole ? floor(value + dither + 1e-9) : value;
        values[i] = fmin(fmax(values[i], knob->low), knob->high);
    }
}

// More digits than the games can tell apart would only make the file hard to read. Divided by an
// inverse that is whole, so that 0.1 stays 0.1.
static double five_digits(double value) {
    if (value == 0)
        return 0;
    double unit = pow(10, floor(log10(fabs(value))) - 4);
    double inverse = rint(1 / unit);
    return unit < 1 ? rint(value * inverse) / inverse : rint(value / unit) * unit;
}

// Half a dither rounds to the nearest; five digits could step over an end of the range.
void params_final(const TuneSpec *spec, const double *u, double *values) {
    params_values(spec, u, 0.5, values);
    for (int i = 0; i < spec->knob_count; i++)
        if (!spec->knobs[i].is_whole)
            values[i] = fmin(fmax(five_digits(values[i]), spec->knobs[i].low), spec->knobs[i].high);
}

void params_apply(const TuneSpec *spec, const double *values, KnobSet *knobs) {
    for (int i = 0; i < spec->knob_count; i++)
        knobs->number[spec->knobs[i].id] = values[i];
}

static const char *key_of(const TuneSpec *spec, int knob) {
    return knob_info(spec->knobs[knob].id)->key;
}

// Finds a way down from knob `from` to knob `to` along the first `count` orders; next[k] is then
// the knob below k on it. False: there is none.
static bool find_way(const TuneSpec *spec, int count, int from, int to, int *next) {
    for (int i = 0; i < spec->knob_count; i++)
        next[i] = -1;
    next[to] = to;
    for (int round = 0; round < spec->knob_count; round++)
        for (int i = 0; i < count; i++)
            if (next[spec->orders[i].above] < 0 && next[spec->orders[i].below] >= 0)
                next[spec->orders[i].above] = spec->orders[i].below;
    return next[from] >= 0;
}

// Orders that close a circle cannot be kept by any values: said with the circle, and before bounds
// and start values are looked at, which would only show one of its symptoms.
static Status check_circles(const TuneSpec *spec, ErrorText *err) {
    int next[TUNE_MAX_KNOBS];
    for (int i = 0; i < spec->order_count; i++) {
        const TuneOrder *order = &spec->orders[i];
        if (!find_way(spec, i, order->below, order->above, next))
            continue;
        Text way = {0};
        text_append(&way, key_of(spec, order->below));
        for (int k = order->below; k != order->above; k = next[k])
            text_printf(&way, " > %s", key_of(spec, next[k]));
        Status status =
            error_set(err, STATUS_INVALID, "%s > %s contradicts %s: a cycle",
                      key_of(spec, order->above), key_of(spec, order->below), text_cstr(&way));
        text_release(&way);
        return status;
    }
    return STATUS_OK;
}

// Raises the lower bounds along the orders until none moves; check_circles has passed, so this
// ends.
static Status raise_bounds(const TuneSpec *spec, double *low, ErrorText *err) {
    bool moved = true;
    while (moved) {
        moved = false;
        for (int i = 0; i < spec->order_count; i++) {
            const TuneOrder *order = &spec->orders[i];
            double need = low[order->below] + gap_of(spec, order);
            if (low[order->above] >= need)
                continue;
            low[order->above] = need;
            moved = true;
            const char *above = key_of(spec, order->above), *below = key_of(spec, order->below);
            if (need > spec->knobs[order->above].high)
                return error_set(
                    err, STATUS_INVALID, "%s > %s cannot be kept: %s is at most %g, %s at least %g",
                    above, below, above, spec->knobs[order->above].high, below, low[order->below]);
        }
    }
    return STATUS_OK;
}

Status params_check(const TuneSpec *spec, ErrorText *err) {
    double low[TUNE_MAX_KNOBS], values[TUNE_MAX_KNOBS];
    for (int i = 0; i < spec->knob_count; i++) {
        low[i] = spec->knobs[i].low;
        values[i] = spec->knobs[i].start;
    }
    Status status = check_circles(spec, err);
    if (!status)
        status = raise_bounds(spec, low, err);
    for (int i = 0; i < spec->order_count && !status; i++) {
        const TuneOrder *order = &spec->orders[i];
        if (values[order->above] <= values[order->below])
            status = error_set(err, STATUS_INVALID, "%s > %s does not hold at the start: %g and %g",
                               key_of(spec, order->above), key_of(spec, order->below),
                               values[order->above], values[order->below]);
    }
    return status;
}
