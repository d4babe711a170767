// SPDX-License-Identifier: GPL-3.0-or-later
// Freeing a tune, and its identity.
#include "harness/tune/tune_spec.h"

#include <stdlib.h>

void tune_spec_release(TuneSpec *spec) {
    free(spec->name);
    free(spec->path);
    free(spec->text);
    free(spec->method);
    free(spec->output);
    for (int i = 0; i < TUNE_KEY_NB; i++)
        free(spec->said_at[i]);
    free(spec->base_path);
    free(spec->texel.database);
    player_spec_release(&spec->base);
    for (int i = 0; i < spec->proof.anchor_count; i++)
        player_spec_release(&spec->proof.anchors[i]);
    experiment_release(&spec->match);
    *spec = (TuneSpec){0};
}

static void write_number(const char *key, double value, Text *out) {
    text_printf(out, ",\"%s\":", key);
    text_append_double(out, value);
}

static void write_knobs(const TuneSpec *spec, Text *out) {
    text_append(out, ",\"knobs\":[");
    for (int i = 0; i < spec->knob_count; i++) {
        const TuneKnob *knob = &spec->knobs[i];
        text_printf(out, "%s{\"key\":\"%s\"", i ? "," : "", knob_info(knob->id)->key);
        write_number("low", knob->low, out);
        write_number("high", knob->high, out);
        write_number("start", knob->start, out);
        write_number("step", knob->step, out);
        text_printf(out, ",\"scale\":\"%s\",\"integer\":%s}", knob->is_log ? "log" : "linear",
                    knob->is_whole ? "true" : "false");
    }
    text_append(out, "],\"constraints\":[");
    for (int i = 0; i < spec->order_count; i++)
        // By number: a knob that moves within the list is another tune, since states are arrays.
        text_printf(out, "%s[%d,%d]", i ? "," : "", spec->orders[i].above, spec->orders[i].below);
    text_append(out, "]");
}

// Anchors with all their settings: another anchor of that name is another proof.
static void write_proof(const TuneProofSpec *proof, Text *out) {
    text_append(out, ",\"proof\":{\"pairs\":");
    text_append_double(out, (double)proof->pairs);
    write_number("anchor_pairs", (double)proof->anchor_pairs, out);
    write_number("transfer_pairs", (double)proof->transfer_pairs, out);
    write_number("elo0", proof->elo0, out);
    write_number("elo1", proof->elo1, out);
    write_number("alpha", proof->alpha, out);
    write_number("beta", proof->beta, out);
    text_append(out, ",\"anchors\":[");
    for (int i = 0; i < proof->anchor_count; i++) {
        text_append(out, i ? "," : "");
        player_spec_write_json(&proof->anchors[i], out);
    }
    text_append(out, "]}");
}

// What is left out may change between sittings: budgets, names, paths, the output. Everything that
// a stored state depends on is in.
void tune_spec_write_identity(const TuneSpec *spec, Text *out) {
    text_append(out, "{\"method\":");
    text_append_json(out, spec->method);
    text_printf(out, ",\"seed\":%llu,\"match\":", (unsigned long long)spec->seed);
    experiment_write_identity(&spec->match, out);
    text_append(out, ",\"base\":");
    player_spec_write_json(&spec->base, out);
    write_number("held_out", spec->held_out, out);
    write_number("scan_pairs", (double)spec->scan_pairs, out);
    write_knobs(spec, out);
    text_append(out, ",\"spsa\":{\"pairs\":");
    text_append_double(out, spec->spsa.pairs);
    write_number("effect_elo", spec->spsa.effect_elo, out);
    write_number("rate", spec->spsa.rate, out);
    write_number("alpha", spec->spsa.alpha, out);
    write_number("gamma", spec->spsa.gamma, out);
    write_number("stability", spec->spsa.stability, out);
    text_append(out, "},\"random\":{\"pairs\":");
    text_append_double(out, spec->random.pairs);
    write_number("z", spec->random.z, out);
    text_append(out, "},\"texel\":{\"database\":");
    text_append_json(out, spec->texel.database ? spec->texel.database : "");
    write_number("positions", (double)spec->texel.positions, out);
    write_number("per_game", spec->texel.per_game, out);
    write_number("folds", spec->texel.folds, out);
    write_number("l2", spec->texel.l2, out);
    text_append(out, "}");
    write_proof(&spec->proof, out);
    text_append(out, "}");
}
