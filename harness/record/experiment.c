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
    text_printf(out, "], \"restart\": \"%s\", \"gap_ms\": %d, \"suspend\": %s, \"memory_mb\": %lld, \"threads\": %d}",
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

void experiment_write_identity(const Experiment *experiment, Text *out) {
    const ClockSpec *clock = &experiment->clock;
    const OpeningSpec *openings = &experiment->openings;
    const AdjudicateSpec *adjudicate = &experiment->adjudicate;
    text_append(out, "{\"name\": ");
    text_append_json(out, experiment->name);
    text_printf(out, ", \"rule\": \"%s\", \"width\": %d, \"height\": %d, \"k\": %d, \"seed\": %llu, \"schedule\": %d, \"heads\": %d",
                rule_name(experiment->rule), experiment->width, experiment->height, experiment->k,
                (unsigned long long)experiment->seed, experiment->schedule, experiment->gauntlet_heads);
    text_append(out, ", \"openings\": {\"file\": ");
    text_append_json(out, openings->file_text ? openings->file_text : "");
    text_printf(out, ", \"format\": %d, \"rows\": %d, \"order\": %d, \"random\": %d, \"transform\": %d}", openings->format,
                openings->rows, openings->order, openings->random_plies, openings->transform);
    text_printf(out, ", \"clock\": [%lld, %lld, %lld, %lld, %lld, %lld, %lld]", (long long)clock->move_ms,
                (long long)clock->match_ms, (long long)clock->increment_ms, (long long)clock->margin_ms,
                (long long)clock->start_ms, (long long)clock->first_ms, (long long)clock->end_ms);
    text_printf(out, ", \"adjudicate\": [%d, ", adjudicate->resign_plies);
    text_append_double(out, adjudicate->resign_value);
    text_printf(out, ", %d, %d, %d]", adjudicate->draw_plies, adjudicate->max_moves, adjudicate->vcf);
    if (experiment->sprt.enabled) {
        text_append(out, ", \"sprt\": [");
        const double numbers[] = {experiment->sprt.elo0, experiment->sprt.elo1, experiment->sprt.alpha, experiment->sprt.beta};
        for (int i = 0; i < 4; i++) {
            text_append_double(out, numbers[i]);
            text_append(out, ", ");
        }
        text_printf(out, "%d]", experiment->sprt.normalized);
    }
    text_append(out, ", \"players\": [");
    for (int i = 0; i < experiment->player_count; i++) {
        text_append(out, i ? ", " : "");
        player_spec_write_json(&experiment->players[i], out);
    }
    text_append(out, "]}");
}
