// SPDX-License-Identifier: GPL-3.0-or-later
// Life and canonical texts of an experiment.
#include "harness/record/experiment.h"

#include <stdlib.h>

static void strings_free(char **strings, int count) {
    for (int i = 0; i < count; i++)
        free(strings[i]);
    free(strings);
}

void player_spec_release(PlayerSpec *player) {
    free(player->name);
    free(player->source);
    free(player->external.command);
    free(player->external.command_text);
    free(player->external.dir);
    strings_free(player->external.args, player->external.arg_count);
    strings_free(player->external.env, player->external.env_count);
    *player = (PlayerSpec){0};
}

void experiment_release(Experiment *experiment) {
    for (int i = 0; i < experiment->player_count; i++)
        player_spec_release(&experiment->players[i]);
    free(experiment->players);
    free(experiment->name);
    free(experiment->path);
    free(experiment->text);
    free(experiment->openings.file);
    free(experiment->openings.file_text);
    *experiment = (Experiment){0};
}

// A timed player may play another move on another machine or under load: such games are not
// replayed bit for bit.
bool experiment_is_timed(const Experiment *experiment, int player) {
    return experiment->clock.move_ms > 0 || experiment->clock.match_ms > 0 ||
           knob_int(&experiment->players[player].knobs, KNOB_SEARCH_TIME_MS) > 0;
}

// The command as written, not as resolved: the same file in another folder is the same player.
static void external_write_json(const ExternalSpec *external, Text *out) {
    text_append(out, ", \"engine\": {\"command\": ");
    text_append_json(out, external->command_text ? external->command_text : external->command);
    text_append(out, ", \"args\": [");
    for (int i = 0; i < external->arg_count; i++) {
        text_append(out, i ? ", " : "");
        text_append_json(out, external->args[i]);
    }
    text_append(out, "], \"env\": [");
    for (int i = 0; i < external->env_count; i++) {
        text_append(out, i ? ", " : "");
        text_append_json(out, external->env[i]);
    }
    static const char *const RESTART[] = {"never", "failure", "game"};
    text_printf(out,
                "], \"restart\": \"%s\", \"gap_ms\": %d, \"suspend\": %s, \"memory_mb\": %lld, "
                "\"threads\": %d}",
                RESTART[external->restart], external->gap_ms, external->suspend ? "true" : "false",
                (long long)external->memory_mb, external->threads);
}

void player_spec_write_json(const PlayerSpec *player, Text *out) {
    text_append(out, "{\"name\": ");
    text_append_json(out, player->name);
    text_append(out, ", \"knobs\": ");
    knob_write_json(&player->knobs, out);
    if (player->external.command)
        external_write_json(&player->external, out);
    text_append(out, "}");
}

// All deadlines: a program that loses on time under one and not under another plays other games.
static void clock_write_json(const ClockSpec *clock, Text *out) {
    text_printf(out,
                ", \"clock\": {\"move_ms\": %lld, \"match_ms\": %lld, \"increment_ms\": %lld, "
                "\"margin_ms\": %lld, "
                "\"start_ms\": %lld, \"first_ms\": %lld, \"end_ms\": %lld}",
                (long long)clock->move_ms, (long long)clock->match_ms,
                (long long)clock->increment_ms, (long long)clock->margin_ms,
                (long long)clock->start_ms, (long long)clock->first_ms, (long long)clock->end_ms);
}

// The name stands for the contents when these are not known.
static void openings_write_json(const OpeningSpec *openings, Text *out) {
    static const char *const FORMAT[] = {"auto", "pos", "offset", "psq", "jsonl", "tsv"};
    const char *file = openings->file_text ? openings->file_text : "";
    text_printf(out,
                ", \"openings\": {\"%s\": ", openings->file_hash.text[0] ? "file_hash" : "file");
    text_append_json(out, openings->file_hash.text[0] ? openings->file_hash.text : file);
    text_printf(out,
                ", \"format\": \"%s\", \"rows\": \"%s\", \"order\": \"%s\", \"random\": %d, "
                "\"transform\": %s}",
                FORMAT[openings->format], openings->rows == ROWS_TOP ? "top" : "bottom",
                openings->order == OPENING_SHUFFLED ? "random" : "sequential",
                openings->random_plies, openings->transform ? "true" : "false");
}

static void adjudicate_write_json(const AdjudicateSpec *adjudicate, Text *out) {
    text_printf(out, ", \"adjudicate\": {\"resign_plies\": %d, \"resign_value\": ",
                adjudicate->resign_plies);
    text_append_double(out, adjudicate->resign_value);
    text_printf(out, ", \"draw_plies\": %d, \"max_moves\": %d, \"vcf\": %s}",
                adjudicate->draw_plies, adjudicate->max_moves, adjudicate->vcf ? "true" : "false");
}

// Numbers as text_append_double writes them: the shortest text that reads back the same, so equal
// bounds are equal texts.
static void sprt_write_json(const SprtSpec *sprt, Text *out) {
    const struct {
        const char *key;
        double value;
    } NUMBERS[] = {
        {"elo0", sprt->elo0}, {"elo1", sprt->elo1}, {"alpha", sprt->alpha}, {"beta", sprt->beta}};
    text_append(out, ", \"sprt\": {");
    for (int i = 0; i < 4; i++) {
        text_printf(out, "\"%s\": ", NUMBERS[i].key);
        text_append_double(out, NUMBERS[i].value);
        text_append(out, ", ");
    }
    text_printf(out, "\"model\": \"%s\"}", sprt->normalized ? "normalized" : "logistic");
}

// One text instead of a hash: where two experiments differ, experiment_diff can say in what. The
// order of the keys is fixed, since texts are compared.
void experiment_write_identity(const Experiment *experiment, Text *out) {
    text_append(out, "{\"name\": ");
    text_append_json(out, experiment->name);
    // The seed is text: not every reader of JSON takes 64 bits.
    text_printf(
        out, ", \"rule\": \"%s\", \"width\": %d, \"height\": %d, \"k\": %d, \"seed\": \"%llu\", ",
        rule_name(experiment->rule), experiment->width, experiment->height, experiment->k,
        (unsigned long long)experiment->seed);
    text_printf(out, "\"schedule\": \"%s\", \"heads\": %d",
                experiment->schedule == SCHEDULE_GAUNTLET ? "gauntlet" : "round-robin",
                experiment->gauntlet_heads);
    openings_write_json(&experiment->openings, out);
    clock_write_json(&experiment->clock, out);
    adjudicate_write_json(&experiment->adjudicate, out);
    // Whoever changes the bounds in the middle has another test, and may not go on with the old
    // games.
    if (experiment->sprt.enabled)
        sprt_write_json(&experiment->sprt, out);
    text_append(out, ", \"players\": [");
    for (int i = 0; i < experiment->player_count; i++) {
        text_append(out, i ? ", " : "");
        player_spec_write_json(&experiment->players[i], out);
    }
    text_append(out, "]}");
}
