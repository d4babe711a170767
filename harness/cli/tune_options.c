// SPDX-License-Identifier: GPL-3.0-or-later
// Which options of `gomolab tune` go together, and the options as words again.
#include "harness/cli/tune_options.h"

#include "engine/base/check.h"

#include <string.h>

// The four ways of using the command.
enum {
    MODE_PLAY = 1u << 0, // --dry-run too: what would be done
    MODE_EXPORT = 1u << 1,
    MODE_TARGET = 1u << 2,
    MODE_SYNTHETIC = 1u << 3
};

Status tune_options_check(const TuneOptions *o, ErrorText *err) {
    unsigned mode = o->synthetic       ? MODE_SYNTHETIC
                    : o->target_runner ? MODE_TARGET
                    : o->export        ? MODE_EXPORT
                                       : MODE_PLAY;
    // Names of the modes as messages have them.
    static const struct {
        unsigned mode;
        const char *name;
    } MODES[] = {{MODE_PLAY, "a tune"},
                 {MODE_EXPORT, "--export"},
                 {MODE_TARGET, "--target-runner"},
                 {MODE_SYNTHETIC, "--synthetic"}};
    // Which option goes with which mode, one row an option: an option that a mode does not obey is
    // refused, since whoever gave it believes that it acts.
    const struct {
        const char *name;
        bool is_given;
        unsigned modes; // that obey it
    } rows[] = {{"FILE", o->file != NULL, MODE_PLAY | MODE_EXPORT | MODE_TARGET},
                {"KEY=VALUE", o->values.count > 0, MODE_TARGET},
                {"--db", o->db != NULL, MODE_PLAY | MODE_EXPORT},
                {"--jobs", o->jobs > 0, MODE_PLAY | MODE_TARGET},
                {"--games", o->games > 0, MODE_PLAY | MODE_SYNTHETIC},
                {"--hours", o->hours > 0, MODE_PLAY},
                {"--iterations", o->iterations > 0, MODE_PLAY},
                {"--seed", o->seed != NULL, MODE_PLAY | MODE_EXPORT | MODE_TARGET},
                {"--set", o->set.count > 0, MODE_PLAY | MODE_EXPORT | MODE_TARGET},
                {"--transfer", o->transfer, MODE_PLAY},
                {"--fresh", o->fresh, MODE_PLAY},
                {"--dry-run", o->dry_run, MODE_PLAY},
                {"--export", o->export != NULL, MODE_EXPORT},
                {"--target-runner", o->target_runner, MODE_TARGET},
                {"--pairs", o->pairs > 0, MODE_TARGET},
                {"--seeds", o->seeds > 0, MODE_SYNTHETIC},
                {"--known", o->known, MODE_SYNTHETIC}};
    const char *name = "";
    for (size_t i = 0; i < ARRAY_LEN(MODES); i++)
        if (MODES[i].mode == mode)
            name = MODES[i].name;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!rows[i].is_given || rows[i].modes & mode)
            continue;
        // A tune is what one gets without asking, so that the message names the mode that was left
        // out.
        if (mode == MODE_PLAY)
            return error_set(err, STATUS_INVALID, "%s goes with %s only%s", rows[i].name,
                             rows[i].modes == MODE_TARGET ? "--target-runner" : "--synthetic",
                             strcmp(rows[i].name, "KEY=VALUE") ? "" : " (--set changes the tune)");
        return error_set(err, STATUS_INVALID, "%s makes no sense with %s", rows[i].name, name);
    }
    if (!o->synthetic && !o->file)
        return error_set(err, STATUS_INVALID, "no FILE, expected a tune");
    if (o->export && strcmp(o->export, "tsv") != 0)
        return error_set(err, STATUS_INVALID, "--export: '%.20s', expected tsv", o->export);
    return STATUS_OK;
}

// Quoted for the shell where need be: the line is there to be copied.
static void write_option(const char *name, const char *value, Text *out) {
    if (!value)
        return;
    text_printf(out, " %s ", name);
    text_append_word(out, value);
}

// Only what decides on the tune or on how it is played. --fresh is left out on purpose: it would
// put away the very games that are to be gone on with.
void tune_options_write_command(const TuneOptions *o, Text *out) {
    text_append(out, "gomolab tune ");
    text_append_word(out, o->file);
    write_option("--db", o->db, out);
    write_option("--seed", o->seed, out);
    for (int i = 0; i < o->set.count; i++)
        write_option("--set", o->set.items[i], out);
    if (o->jobs > 0)
        text_printf(out, " --jobs %lld", (long long)o->jobs);
    if (o->games > 0)
        text_printf(out, " --games %lld", (long long)o->games);
    if (o->iterations > 0)
        text_printf(out, " --iterations %lld", (long long)o->iterations);
    if (o->hours > 0) {
        text_append(out, " --hours ");
        text_append_double(out, o->hours);
    }
    text_append(out, o->transfer ? " --transfer" : "");
    text_append(out, o->quiet ? " --quiet" : "");
}
