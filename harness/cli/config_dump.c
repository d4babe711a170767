// SPDX-License-Identifier: GPL-3.0-or-later
// A resolved configuration as YAML that reads back to the same, and as a listing with the origin of
// every value.
#include "engine/base/check.h"
#include "harness/cli/config_draft.h"
#include "harness/cli/file_path.h"
#include "harness/play/affinity.h"

#include <stdlib.h>
#include <string.h>

// --- YAML ------------------------------------------------------------------------------

void yaml_write_scalar(Text *out, const char *text) {
    // Words that nothing in YAML can mistake stay bare.
    static const char SAFE[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    YamlNode node = {.kind = YAML_SCALAR, .text = text, .is_plain = true};
    // A dash or a point in front may begin a list, a number or a document; a null word would be
    // read as nothing.
    bool is_bare = text[0] && strspn(text, SAFE) == strlen(text) && text[0] != '-' &&
                   text[0] != '.' && !yaml_is_null(&node);
    if (is_bare)
        text_append(out, text);
    else
        text_append_json(out, text); // a JSON string is a double-quoted scalar
}

static void write_pair(Text *out, int indent, const char *key, const char *value) {
    text_printf(out, "%*s%s: ", indent, "", key);
    yaml_write_scalar(out, value);
    text_append(out, "\n");
}

// A knob's value as YAML: a list of ordering terms is a list.
static void write_knob(const KnobSet *knobs, KnobId id, int indent, Text *out) {
    Text value = {0};
    knob_write_text(knobs, id, &value);
    if (knob_info(id)->type == KNOB_TYPE_ORDER)
        text_printf(out, "%*s%s: %s\n", indent, "", knob_info(id)->key, text_cstr(&value));
    else
        write_pair(out, indent, knob_info(id)->key, text_cstr(&value));
    out->failed |= value.failed;
    text_release(&value);
}

// Always quoted: an argument such as `-1` or `yes` must stay a text.
static void write_words(Text *out, const char *key, char *const *words, int count) {
    text_printf(out, "    %s: [", key);
    for (int i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        text_append_json(out, words[i]);
    }
    text_append(out, "]\n");
}

// Paths are written relative to the root folder, so that the text reads back to the same experiment
// from the same working directory, wherever the database has moved.
static void write_engine(const PlayerDraft *draft, Text *out) {
    const ExternalSpec *external = &draft->spec.external;
    // As it was written, not as it was found in PATH: another machine has its own.
    write_pair(out, 4, "engine.command", external->command_text);
    write_words(out, "engine.args", external->args, external->arg_count);
    write_words(out, "engine.env", external->env, external->env_count);
    if (external->dir) {
        char *dir = external->dir[0] == '/' ? strdup(external->dir)
                                            : path_relative(draft->root_folder, external->dir);
        out->failed |= !dir;
        write_pair(out, 4, "engine.dir", dir ? dir : "");
        free(dir);
    }
    ConfigKeyTable keys = config_engine_keys();
    Text value = {0};
    for (int i = 0; i < keys.count; i++)
        if (keys.rows[i].type != CONFIG_SPECIAL) {
            text_clear(&value);
            config_key_write(&keys.rows[i], external, &value);
            write_pair(out, 4, keys.rows[i].key, text_cstr(&value));
        }
    text_release(&value);
}

static void write_player(const PlayerDraft *draft, Text *out) {
    bool is_external = draft->spec.external.command != NULL;
    text_append(out, "  - name: ");
    yaml_write_scalar(out, draft->spec.name);
    text_append(out, "\n");
    if (is_external)
        write_engine(draft, out);
    for (int i = 0; i < KNOB_NB; i++)
        if (!is_external ||
            draft->knob_origin[i].file) // an external engine has only what it was given
            write_knob(&draft->spec.knobs, (KnobId)i, 4, out);
}

// Should the row be written? Blocks that are not in force stay out.
static bool row_is_in_force(const ExperimentDraft *draft, int row) {
    const Experiment *experiment = &draft->experiment;
    const ConfigKey *key = &config_experiment_keys().rows[row];
    if (row == EXPERIMENT_OPENINGS_FILE)
        return experiment->openings.file_text != NULL;
    if (key->type == CONFIG_SPECIAL)
        return row == EXPERIMENT_PAIRS || row == EXPERIMENT_AFFINITY;
    // Written without a test, its keys would switch it on when the text is read back.
    return strncmp(key->key, "sprt.", 5) != 0 || experiment->sprt.enabled;
}

static void row_write(const ExperimentDraft *draft, int row, Text *out) {
    const Experiment *experiment = &draft->experiment;
    if (row == EXPERIMENT_OPENINGS_FILE)
        text_append(out, experiment->openings.file_text);
    else if (row == EXPERIMENT_PAIRS && experiment->pairs_until_sprt)
        text_append(out, "until-sprt");
    else if (row == EXPERIMENT_AFFINITY)
        affinity_write(&experiment->affinity, out);
    else if (row == EXPERIMENT_PAIRS)
        text_printf(out, "%lld", (long long)experiment->pairs);
    else
        config_key_write(&config_experiment_keys().rows[row], experiment, out);
}

// Complete on purpose, defaults included: what was run must read the same when a default has
// changed since.
void experiment_draft_dump(const ExperimentDraft *draft, Text *out) {
    ConfigKeyTable keys = config_experiment_keys();
    Text value = {0};
    text_append(out, "# resolved from ");
    for (const char *c = draft->experiment.path; *c; c++) // a path may hold anything but a NUL
        text_append_bytes(out, *c == '\n' || *c == '\r' ? " " : c, 1);
    text_append(out, "\n");
    // First, as all paths below are relative to it.
    if (draft->root_folder[0])
        write_pair(out, 0, "directory", draft->root_folder);
    for (int i = 0; i < keys.count; i++) {
        if (!row_is_in_force(draft, i))
            continue;
        text_clear(&value);
        row_write(draft, i, &value);
        write_pair(out, 0, keys.rows[i].key, text_cstr(&value));
    }
    text_append(out, "players:\n");
    for (int i = 0; i < draft->player_count; i++)
        write_player(&draft->players[i], out);
    out->failed |= value.failed;
    text_release(&value);
}

// --- listing ---------------------------------------------------------------------------

void draft_list_value(ConfigListing *listing, const char *player, const char *key,
                      const Text *value, const Setting *origin) {
    Text from = {0};
    // An origin without a file is one that was never set.
    if (origin->file)
        setting_write_origin(origin, &from);
    else
        text_append(&from, "default");
    config_listing_add(listing, player, key, value, &from);
    text_release(&from);
}

// For people only; the YAML has the form that reads back.
static void list_words(char *const *words, int count, Text *out) {
    for (int i = 0; i < count; i++)
        text_printf(out, "%s%s", i ? " " : "", words[i]);
}

static void engine_value(const PlayerSpec *spec, const ConfigKey *row, Text *out) {
    const ExternalSpec *external = &spec->external;
    if (row->type != CONFIG_SPECIAL)
        config_key_write(row, external, out);
    else if (strcmp(row->key, "engine.command") == 0)
        text_append(out, external->command);
    else if (strcmp(row->key, "engine.args") == 0)
        list_words(external->args, external->arg_count, out);
    else if (strcmp(row->key, "engine.env") == 0)
        list_words(external->env, external->env_count, out);
    else if (strcmp(row->key, "engine.dir") == 0)
        text_append(out, external->dir ? external->dir : "");
    else
        text_append(out, row->default_text ? row->default_text : "");
}

void player_draft_list(const PlayerDraft *draft, const char *player, ConfigListing *listing) {
    Text value = {0};
    bool is_external = draft->spec.external.command != NULL;
    text_append(&value, draft->spec.name);
    draft_list_value(listing, player, "name", &value, &draft->name_origin);
    ConfigKeyTable keys = config_engine_keys();
    for (int i = 0; i < keys.count && is_external; i++) {
        text_clear(&value);
        engine_value(&draft->spec, &keys.rows[i], &value);
        draft_list_value(listing, player, keys.rows[i].key, &value, &draft->engine_origin[i]);
    }
    for (int i = 0; i < KNOB_NB; i++) {
        if (is_external && !draft->knob_origin[i].file)
            continue;
        text_clear(&value);
        knob_write_text(&draft->spec.knobs, (KnobId)i, &value);
        draft_list_value(listing, player, knob_info((KnobId)i)->key, &value,
                         &draft->knob_origin[i]);
    }
    text_release(&value);
}

void experiment_draft_list(const ExperimentDraft *draft, ConfigListing *listing) {
    ConfigKeyTable keys = config_experiment_keys();
    Text value = {0};
    for (int i = 0; i < keys.count; i++) {
        if (!row_is_in_force(draft, i))
            continue;
        text_clear(&value);
        row_write(draft, i, &value);
        draft_list_value(listing, NULL, keys.rows[i].key, &value, &draft->origin[i]);
    }
    text_release(&value);
    for (int i = 0; i < draft->player_count; i++)
        player_draft_list(&draft->players[i], draft->players[i].spec.name, listing);
}
