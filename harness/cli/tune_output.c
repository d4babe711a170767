// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and the player file.
#include "harness/cli/tune_output.h"

#include "engine/base/version.h"
#include "harness/cli/file_path.h"
#include "harness/cli/new_file.h"
#include "harness/store/folders.h"
#include "harness/tune/params.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- tables ------------------------------------------------------------------------------

void tune_output_effects(const TuneSpec *spec, const StoreTuneEffect *effects, Text *out) {
    text_append(out, "knob                       low        high  Elo high v low   95 %"
                     "  curvature   95 %        step\n");
    for (int i = 0; i < spec->knob_count; i++) {
        const StoreTuneEffect *e = &effects[i];
        const TuneKnob *knob = &spec->knobs[i];
        // A step is constant in coordinates, not in values: on a logarithmic scale it is told as
        // what it means at the start.
        double u = params_coordinate(knob, knob->start);
        double step = params_value(knob, u + e->step) - params_value(knob, u);
        // At the upper end of the range: the step downwards is the one that can be taken.
        if (u + e->step > 1)
            step = params_value(knob, u) - params_value(knob, u - e->step);
        text_printf(out, "%-20s %10.6g  %10.6g  %+14.1f  +-%4.1f  %+9.1f  +-%4.1f  %10.4g%s\n",
                    knob_info(knob->id)->key, e->low_value, e->high_value, e->slope,
                    1.96 * e->slope_se, e->curvature, 1.96 * e->curvature_se, step,
                    e->is_flat ? "  flat" : "");
    }
}

// A bound that does not exist is infinite, and not unknown.
static void write_bound(double value, const char *missing, Text *out) {
    if (isnan(value))
        text_append(out, missing);
    else
        text_printf(out, "%+.1f", value);
}

void tune_output_match(const StoreTuneMatch *m, Text *out) {
    int64_t played = 0;
    for (int c = 0; c < 6; c++)
        played += m->classes[c];
    text_printf(out, "%s v %s, %s openings%s: ", m->player, m->opponent, m->openings,
                m->depth_plus ? ", two plies deeper" : "");
    if (played == 0) {
        text_append(out, "not played yet");
        return;
    }
    write_bound(m->elo, "no", out);
    text_append(out, " Elo [");
    write_bound(m->elo_lo, "-inf", out);
    text_append(out, ", ");
    write_bound(m->elo_hi, "inf", out);
    text_printf(out, "] after %lld pair%s", (long long)played, text_plural(played));
    // Only the match whose test was set beforehand has a verdict; the others are numbers beside it.
    if (m->is_verdict && m->verdict)
        text_printf(out, ", %s (LLR %.2f [%.2f, %.2f], normalized Elo %g v %g, alpha %.3g)",
                    m->verdict, isnan(m->llr) ? 0.0 : m->llr, m->llr_lower, m->llr_upper, m->elo0,
                    m->elo1, m->alpha);
}

// The verdict's match and the same on openings that the tuner has seen, side by side.
// How much of the gain is luck with the openings: the tuner's own promise too much.
static void write_side_by_side(const TuneOutcome *outcome, Text *out) {
    const StoreTuneMatch *held = NULL, *seen = NULL;
    for (int i = 0; i < outcome->match_count; i++) {
        const StoreTuneMatch *m = &outcome->matches[i];
        bool plain = strcmp(m->player, "new") == 0 && strcmp(m->opponent, "start") == 0 &&
                     m->depth_plus == 0;
        if (plain && strcmp(m->openings, "tuning") == 0)
            seen = m;
        else if (plain)
            held = m;
    }
    if (!held || !seen || isnan(held->elo) || isnan(seen->elo))
        return;
    text_printf(out, "tuned-on %+.1f Elo, held-out %+.1f Elo\n", seen->elo, held->elo);
}

void tune_output_tables(const TuneSpec *spec, const TuneOutcome *outcome, Text *out) {
    text_append(out, "knob                      start        best  moved, steps  signal\n");
    for (int i = 0; i < spec->knob_count; i++) {
        const TuneKnob *knob = &spec->knobs[i];
        text_printf(out, "%-20s %10.6g  %10.6g", knob_info(knob->id)->key, outcome->start[i],
                    outcome->best[i]);
        if (outcome->steps[i] > 0) {
            double moved = (params_coordinate(knob, outcome->best[i]) -
                            params_coordinate(knob, outcome->start[i])) /
                           outcome->steps[i];
            text_printf(out, "  %+12.2f", moved);
            // How far a knob without any effect would have wandered by chance: moves of a few such
            // lengths say something, smaller ones nothing.
            if (outcome->drift > 0)
                text_printf(out, "  %+6.1f", moved / outcome->drift);
        }
        // Most of its steps wanted to leave the range: the best value may lie beyond it.
        if (outcome->clip_share[i] > 0.5)
            text_append(out, "  on its bound");
        text_append(out, "\n");
    }
    for (int i = 0; i < outcome->match_count; i++) {
        tune_output_match(&outcome->matches[i], out);
        text_append(out, "\n");
    }
    write_side_by_side(outcome, out);
}

// --- the player file ---------------------------------------------------------------------

static void write_comment_tables(const TuneSpec *spec, const TuneOutcome *outcome, Text *out) {
    Text tables = {0};
    tune_output_tables(spec, outcome, &tables);
    for (const char *line = text_cstr(&tables); *line;) {
        size_t length = strcspn(line, "\n");
        text_append(out, "# ");
        text_append_bytes(out, line, length);
        text_append(out, "\n");
        line += length + (line[length] == '\n');
    }
    text_release(&tables);
}

static void write_player(const TuneSpec *spec, const TuneOutcome *outcome, Text *out) {
    KnobSet knobs = spec->base.knobs, defaults = knob_defaults();
    const StoreTuneMatch *verdict = NULL;
    for (int i = 0; i < outcome->match_count; i++)
        if (outcome->matches[i].is_verdict)
            verdict = &outcome->matches[i];
    params_apply(spec, outcome->best, &knobs);
    text_printf(out, "# Made by `gomolab tune`, version %s: tune %s, method %s, seed %llu.\n",
                version_string(), spec->name, spec->method, (unsigned long long)spec->seed);
    text_printf(out, "# Base: %s. Games: %lld. The held-out match says: %s.\n",
                spec->base_path ? spec->base_path : spec->base.name, (long long)outcome->games,
                verdict && verdict->verdict ? verdict->verdict
                : outcome->is_finished      ? "none was asked for"
                                            : "not finished");
    text_append(out, "#\n");
    write_comment_tables(spec, outcome, out);
    text_printf(out, "name: tuned-%s\n", spec->name);
    for (int i = 0; i < KNOB_NB; i++) {
        Text now = {0}, usual = {0};
        knob_write_text(&knobs, (KnobId)i, &now);
        knob_write_text(&defaults, (KnobId)i, &usual);
        // Only what is not the default, as a person would write it.
        if (strcmp(text_cstr(&now), text_cstr(&usual)) != 0)
            text_printf(out, "%s: %s\n", knob_info((KnobId)i)->key, text_cstr(&now));
        text_release(&now);
        text_release(&usual);
    }
}

// Does the file hold exactly this text? -1: there is no such file.
static int file_equals(const char *path, const Text *text) {
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    size_t at = 0;
    // Byte by byte, and no further than the first difference.
    int c;
    while ((c = fgetc(file)) != EOF && at < text->length && (char)c == text->data[at])
        at++;
    fclose(file);
    return c == EOF && at == text->length;
}

// The nearest folder above `path` that is there must take files; the others will be made.
Status tune_output_check(const char *path, ErrorText *err) {
    struct stat info;
    const char *slash = strrchr(path, '/');
    if (!path[0] || (slash && !slash[1]) || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return error_set(err, STATUS_INVALID, "'%.200s' is no file, expected a player file", path);
    char *folder = path_folder(path);
    if (!folder)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    // Anything but "not there" ends the walk, and is told by the question below.
    while (folder[0] && access(folder, F_OK) != 0 && errno == ENOENT) {
        size_t length = strlen(folder);
        while (length > 0 && folder[length - 1] == '/')
            length--;
        while (length > 0 && folder[length - 1] != '/')
            length--;
        folder[length] = '\0';
    }
    const char *there = folder[0] ? folder : ".";
    Status status = STATUS_OK;
    if (access(there, W_OK | X_OK) != 0)
        status = error_set(err, STATUS_INVALID, "'%.200s' cannot be written: %s: %s", path, there,
                           strerror(errno));
    free(folder);
    return status;
}

// "a-2.yaml" for "a.yaml", 2.
static void numbered(const char *path, int number, Text *out) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    text_clear(out);
    text_append_bytes(out, path, stem);
    if (number > 1)
        text_printf(out, "-%d", number);
    text_append(out, path + stem);
}

static Status write_file(const char *path, const Text *text, ErrorText *err) {
    NewFile file = {0};
    Status status = new_file_open(&file, path, err);
    // The stream remembers a failure until it is closed.
    if (!status)
        fwrite(text->data, 1, text->length, file.stream);
    return new_file_close(&file, status, err);
}

Status tune_output_write(const TuneSpec *spec, const TuneOutcome *outcome, const char *path,
                         char **written, ErrorText *err) {
    Text text = {0}, name = {0};
    write_player(spec, outcome, &text);
    int number = 1, equal = 0;
    // The next free name, or a file that is the same already: going on with a finished tune makes
    // no second copy, and nothing is overwritten.
    do {
        numbered(path, number++, &name);
        equal = file_equals(text_cstr(&name), &text);
    } while (equal == 0);
    Status status = text.failed || name.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                                               : folders_make(text_cstr(&name), err);
    if (!status && equal < 0)
        status = write_file(text_cstr(&name), &text, err);
    if (!status && !(*written = strdup(text_cstr(&name))))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    text_release(&text);
    text_release(&name);
    return status;
}
