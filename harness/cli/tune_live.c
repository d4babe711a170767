// SPDX-License-Identifier: GPL-3.0-or-later
// "spsa 120/3125, 512 games/s, ETA 3:20, open_three +1.8c, four -1.2c".
#include "harness/cli/tune_live.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A log of a night stays readable, a terminal looks alive.
static const double PLAIN_EVERY_S = 10, LIVE_EVERY_S = 0.2;
// What fits on a line of a terminal.
enum { MOVES_SHOWN = 3 };

TuneLive tune_live_start(bool is_quiet) {
    return (TuneLive){.is_quiet = is_quiet, .is_terminal = isatty(STDERR_FILENO) == 1};
}

static void write_duration(double seconds, Text *out) {
    long long s = (long long)(seconds + 0.5);
    if (s >= 3600)
        text_printf(out, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    else
        text_printf(out, "%lld:%02lld", s / 60, s % 60);
}

// The knobs that have moved farthest, in steps.
static void write_moves(const TuneProgress *p, Text *out) {
    const TuneSpec *spec = p->setup->spec;
    double moved[TUNE_MAX_KNOBS], u[TUNE_MAX_KNOBS];
    // Other methods have no steps to measure by.
    if (strcmp(p->method->name, "spsa") != 0 || p->iteration == 0)
        return;
    p->method->current(p->setup, p->state, u);
    for (int i = 0; i < spec->knob_count; i++)
        // In steps c, since knobs have scales that cannot be compared otherwise.
        moved[i] = (u[i] - p->setup->start[i]) / p->setup->steps[i];
    // The largest, again and again: three of at most some dozens need no sort.
    for (int shown = 0; shown < MOVES_SHOWN && shown < spec->knob_count; shown++) {
        int most = 0;
        for (int i = 1; i < spec->knob_count; i++)
            if (fabs(moved[i]) > fabs(moved[most]))
                most = i;
        const char *key = knob_info(spec->knobs[most].id)->key, *dot = strrchr(key, '.');
        text_printf(out, ", %s %+.1fc", dot ? dot + 1 : key, moved[most]);
        moved[most] = 0;
    }
}

static void write_line(const TuneProgress *p, Text *out) {
    // Of this sitting: pairs of earlier ones took none of its seconds.
    double pairs = (double)(p->pairs - p->pairs_before);
    double speed = p->seconds > 0 ? pairs / p->seconds : 0;
    double left = (double)(p->setup->iterations * p->setup->pairs_each - p->pairs);
    text_printf(out, "%s %lld/%lld, %.*f games/s", p->title, (long long)p->iteration,
                (long long)p->setup->iterations, 2 * speed < 100 ? 1 : 0, 2 * speed);
    if (p->is_last) {
        text_append(out, ", took ");
        write_duration(p->seconds, out);
    } else if (speed > 0) {
        text_append(out, ", ETA ");
        write_duration(left / speed, out);
    }
    write_moves(p, out);
}

void tune_live_show(TuneLive *live, const TuneProgress *progress) {
    Text line = {0};
    double every = live->is_terminal ? LIVE_EVERY_S : PLAIN_EVERY_S;
    if (progress->seconds < live->last_s)
        live->last_s = 0; // another stage
    if (live->is_quiet || (!progress->is_last && progress->seconds - live->last_s < every))
        return;
    live->last_s = progress->seconds;
    write_line(progress, &line);
    fprintf(stderr, "%s%s%s", live->is_terminal ? "\r\033[K" : "", text_cstr(&line),
            live->is_terminal && !progress->is_last ? "" : "\n");
    fflush(stderr);
    live->has_line = live->is_terminal && !progress->is_last;
    text_release(&line);
}

void tune_live_say(TuneLive *live, const char *line) {
    // --quiet is for progress; a warning is said all the same.
    if (live->is_quiet && strncmp(line, "warning", 7) != 0)
        return;
    fprintf(stderr, "%s%s\n", live->has_line ? "\n" : "", line);
    live->has_line = false;
}
