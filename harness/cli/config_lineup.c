// SPDX-License-Identifier: GPL-3.0-or-later
// The players of an experiment: the list, the sweep, and --set for them.
#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "harness/cli/config_draft.h"

#include <stdlib.h>
#include <string.h>

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

// Adds an empty draft; *out points to it until the next one is added.
static Status player_add(ExperimentDraft *draft, const Setting *at, PlayerDraft **out,
                         ErrorText *err) {
    if (draft->player_count == PLAYERS_MAX)
        return setting_error(at, err, STATUS_INVALID, "more than %d players", PLAYERS_MAX);
    size_t count = (size_t)draft->player_count + 1;
    PlayerDraft *players = realloc(draft->players, count * sizeof *players);
    // Kept at once: realloc may have moved it, also when the next one fails.
    if (players)
        draft->players = players;
    Setting *origins = realloc(draft->player_origin, count * sizeof *origins);
    if (origins)
        draft->player_origin = origins;
    if (!players || !origins)
        return no_memory(err);
    PlayerDraft *player = &players[draft->player_count];
    Status status = player_draft_init(player, draft->root_folder, err);
    if (status)
        return status;
    setting_remember(at, &origins[draft->player_count++]);
    *out = player;
    return STATUS_OK;
}

static Status add_listed(ExperimentDraft *draft, ErrorText *err) {
    // The list stands where the outermost file that has one says it: a file replaces the players of
    // its base, it does not add to them.
    const Setting *players = &draft->origin[EXPERIMENT_PLAYERS];
    char buffer[80], base_key[] = "base"; // a bare path is short for {base: path}
    if (!players->file)
        return STATUS_OK;
    for (int i = 0; i < players->value->count; i++) {
        const YamlNode *item = players->value->items[i];
        Setting at = {base_key, item, item, players->file};
        PlayerDraft *player;
        Status status = player_add(draft, &at, &player, err);
        if (status)
            return status;
        if (item->kind == YAML_MAP)
            status = player_draft_apply(draft->source, players->file, item, player, err);
        else if (item->kind == YAML_SCALAR && !yaml_is_null(item))
            status = player_draft_apply_base(draft->source, &at, player, err);
        else
            status = setting_error(&at, err, STATUS_INVALID,
                                   "%s, expected the path of a player or a map of its keys",
                                   yaml_describe(item, buffer, sizeof buffer));
        if (status)
            return status;
    }
    return STATUS_OK;
}

// --- sweep -----------------------------------------------------------------------------

enum { SWEEP_AXES_MAX = 16 };

typedef struct Sweep {
    SettingList list;
    const Setting *base;                 // NULL: the defaults
    const Setting *axis[SWEEP_AXES_MAX]; // settings with a list of values, the first varies slowest
    int axis_count;
    int64_t size; // of the product
} Sweep;

static Status sweep_read(ExperimentDraft *draft, Sweep *sweep, ErrorText *err) {
    const Setting *at = &draft->origin[EXPERIMENT_SWEEP];
    Status status = settings_flatten(at->file, at->value, NULL, &sweep->list, err);
    if (status)
        return status;
    sweep->base = settings_find(&sweep->list, "base");
    sweep->size = 1;
    for (int i = 0; i < sweep->list.count; i++) {
        const Setting *setting = &sweep->list.items[i];
        bool is_values =
            // A list is an axis, except where a list is the value itself. Of search.order, whose
            // values are lists, too, an axis is a list of them.
            setting->value->kind == YAML_LIST && strcmp(setting->key, "engine.args") != 0;
        if (!is_values)
            continue;
        if (setting->value->count == 0)
            return setting_error(setting, err, STATUS_INVALID,
                                 "sweep: %s has no values, expected a list of them", setting->key);
        if (sweep->axis_count == SWEEP_AXES_MAX)
            return setting_key_error(setting, err, "sweep: more than %d lists of values",
                                     SWEEP_AXES_MAX);
        sweep->axis[sweep->axis_count++] = setting;
        sweep->size *= setting->value->count;
        // Tested at every axis: the product cannot overflow before it is refused.
        if (sweep->size > PLAYERS_MAX)
            return setting_key_error(setting, err, "sweep: more than %d players", PLAYERS_MAX);
    }
    if (sweep->axis_count == 0)
        return setting_error(
            at, err, STATUS_INVALID,
            "sweep: nothing varies, expected a list of values (eval.defense: [0.8, 1.0])");
    return STATUS_OK;
}

static void append_value(const YamlNode *value, Text *out) {
    if (value->kind == YAML_SCALAR) {
        text_append(out, value->text);
        return;
    }
    text_append(out, "[");
    for (int i = 0; value->kind == YAML_LIST && i < value->count; i++)
        text_printf(out, "%s%s", i ? "," : "", value->items[i]->text ? value->items[i]->text : "");
    text_append(out, "]");
}

// Combination number `index`: the base, the fixed settings, one value of each list; "classic
// eval.defense=0.8".
static Status sweep_add(ExperimentDraft *draft, const Sweep *sweep, int64_t index, ErrorText *err) {
    const Setting *at = &draft->origin[EXPERIMENT_SWEEP];
    PlayerDraft *player;
    Status status = player_add(draft, at, &player, err);
    if (status == STATUS_OK && sweep->base)
        status = player_draft_apply_base(draft->source, sweep->base, player, err);
    for (int i = 0; i < sweep->list.count && status == STATUS_OK; i++)
        if (&sweep->list.items[i] != sweep->base && sweep->list.items[i].value->kind != YAML_LIST)
            status = player_draft_set(player, &sweep->list.items[i], err);
    Text name = {0};
    text_append(&name, status == STATUS_OK && player->spec.name ? player->spec.name : "");
    int64_t rest = sweep->size;
    for (int i = 0; i < sweep->axis_count && status == STATUS_OK; i++) {
        const Setting *axis = sweep->axis[i];
        // The digits of `index` in the mixed base of the axes, the first the most significant.
        rest /= axis->value->count;
        const YamlNode *value = axis->value->items[index / rest % axis->value->count];
        Setting setting = {axis->key, axis->at, value, axis->file};
        status = player_draft_set(player, &setting, err);
        text_printf(&name, "%s%s=", name.length ? " " : "", axis->key);
        append_value(value, &name);
    }
    if (status == STATUS_OK) {
        free(player->spec.name);
        player->spec.name = name.failed ? NULL : strdup(text_cstr(&name));
        status = player->spec.name ? STATUS_OK : no_memory(err);
    }
    text_release(&name);
    return status;
}

static Status add_swept(ExperimentDraft *draft, ErrorText *err) {
    const Setting *at = &draft->origin[EXPERIMENT_SWEEP];
    if (!at->file || yaml_is_null(at->value))
        return STATUS_OK;
    Sweep sweep = {0};
    Status status = sweep_read(draft, &sweep, err);
    for (int64_t i = 0; i < sweep.size && status == STATUS_OK; i++)
        status = sweep_add(draft, &sweep, i, err);
    settings_release(&sweep.list);
    return status;
}

// --- names -----------------------------------------------------------------------------

static Status check_names(const ExperimentDraft *draft, ErrorText *err) {
    for (int i = 0; i < draft->player_count; i++)
        // Quadratic, but of a thousand names at most.
        for (int j = 0; j < i; j++) {
            const char *name = draft->players[i].spec.name;
            const char *other = draft->players[j].spec.name;
            if (!name || !other || strcmp(name, other) != 0)
                continue;
            return setting_error(&draft->player_origin[i], err, STATUS_INVALID,
                                 "player name '%s' is taken (line %d), expected another 'name'",
                                 name, draft->player_origin[j].at->line);
        }
    return STATUS_OK;
}

// --- --set -----------------------------------------------------------------------------

// The player whose name begins the word, followed by a dot: the longest such name; -1 when there is
// none.
static int player_of_word(const ExperimentDraft *draft, const char *word) {
    int best = -1;
    size_t best_length = 0;
    for (int i = 0; i < draft->player_count; i++) {
        const char *name = draft->players[i].spec.name;
        size_t length = name ? strlen(name) : 0;
        if (length > best_length && strncmp(word, name, length) == 0 && word[length] == '.') {
            best = i;
            best_length = length;
        }
    }
    return best;
}

static Status set_one(ExperimentDraft *draft, int player, const char *word, const char *key_start,
                      ErrorText *err) {
    Setting setting;
    Status status = config_source_set(draft->source, word, key_start, &setting, err);
    if (status)
        return status;
    // Results are stored by name, and the words of --set before this one may have used it.
    if (strcmp(setting.key, "name") == 0)
        status =
            setting_key_error(&setting, err, "the name of a player cannot be changed by --set");
    else
        status = player_draft_set(&draft->players[player], &setting, err);
    free(setting.key);
    return status;
}

// A word that names no player: a knob of every player of our own, or a mistake.
static Status set_all(ExperimentDraft *draft, const char *word, ErrorText *err) {
    Setting setting;
    Status status = config_source_set(draft->source, word, word, &setting, err);
    if (status)
        return status;
    if (knob_find(setting.key) != KNOB_NB) {
        for (int i = 0; i < draft->player_count && status == STATUS_OK; i++)
            // Programs know no knobs: a --set for all would be refused because of them.
            if (!draft->players[i].spec.external.command)
                status = player_draft_set(&draft->players[i], &setting, err);
        free(setting.key);
        return status;
    }
    // "d3.search.depth": if what follows a dot is a key, what stands before it should have been a
    // player.
    const char *names[PLAYERS_MAX];
    for (int i = 0; i < draft->player_count; i++)
        names[i] = draft->players[i].spec.name;
    for (char *dot = strchr(setting.key, '.'); dot; dot = strchr(dot + 1, '.')) {
        if (!player_key_is_known(dot + 1))
            continue;
        *dot = '\0';
        status = setting_key_error(
            &setting, err, "unknown player '%s'%s", setting.key,
            nearest_hint(setting.key, names, (size_t)draft->player_count, "").text);
        free(setting.key);
        return status;
    }
    // Rows that only have names, for the search for the nearest.
    ConfigKey knobs[KNOB_NB];
    for (int i = 0; i < KNOB_NB; i++)
        knobs[i] = (ConfigKey){.key = knob_info((KnobId)i)->key};
    status = config_key_unknown(config_experiment_keys(), (ConfigKeyTable){knobs, KNOB_NB, NULL},
                                &setting, err);
    free(setting.key);
    return status;
}

static Status apply_sets(ExperimentDraft *draft, const OptionList *sets, ErrorText *err) {
    for (int i = 0; sets && i < sets->count; i++) {
        const char *word = sets->items[i];
        char key[64] = {0};
        size_t length = strcspn(word, "=");
        memcpy(key, word, length < sizeof key ? length : 0);
        if (config_key_find(config_experiment_keys(), key) >= 0)
            continue; // an experiment's key, applied before
        int player = player_of_word(draft, word);
        Status status = player >= 0
                            ? set_one(draft, player, word,
                                      word + strlen(draft->players[player].spec.name) + 1, err)
                            : set_all(draft, word, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

Status experiment_draft_players(ExperimentDraft *draft, const OptionList *sets, ErrorText *err) {
    Status status = add_listed(draft, err);
    if (status == STATUS_OK)
        status = add_swept(draft, err);
    if (status == STATUS_OK)
        status = check_names(draft, err);
    if (status == STATUS_OK)
        status = apply_sets(draft, sets, err);
    for (int i = 0; i < draft->player_count && status == STATUS_OK; i++)
        status = player_draft_check(&draft->players[i], &draft->player_origin[i], err);
    return status;
}
