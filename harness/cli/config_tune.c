// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a tune, and how a file becomes one.
#include "harness/cli/config_tune.h"

#include "engine/base/check.h"
#include "harness/cli/config_player.h"
#include "harness/cli/file_path.h"
#include "harness/cli/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    // The rows that have a number come first in tune_keys.def, in this order.
    KEY_BASE,
    KEY_PLAYER,
    KEY_KNOBS,
    KEY_CONSTRAINTS,
    KEY_OPENINGS_FILE,
    KEY_DATABASE,
    KEY_ANCHORS
};

#define KEY_OWNER TuneDraft
static const ConfigKey KEYS[] = {
#include "harness/cli/tune_keys.def"
};

ConfigKeyTable config_tune_keys(void) { return (ConfigKeyTable){KEYS, ARRAY_LEN(KEYS), "--tune"}; }

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

// --- special keys ------------------------------------------------------------------------

static Status set_path(const Setting *setting, char **out, char **written, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, "the path of a file", &text, err);
    if (status)
        return status;
    if (!text[0])
        return setting_error(setting, err, STATUS_INVALID, "%s: '', expected the path of a file",
                             setting->key);
    // Both go together: the path as the program opens it, and as the file has it.
    free(*out);
    *out = path_join(setting->file->folder, text);
    if (written) {
        free(*written);
        *written = strdup(text);
    }
    if (!*out || (written && !*written))
        return no_memory(err);
    return STATUS_OK;
}

// The base and the changes to it become one player.
static Status read_player(TuneDraft *draft, const Setting *base, const Setting *changes,
                          ErrorText *err) {
    PlayerDraft player;
    char buffer[80];
    // Where the player comes from, for what is wrong with it as a whole.
    const Setting *at = base ? base : changes ? changes : &draft->root;
    if (!base && !changes)
        return setting_error(at, err, STATUS_INVALID,
                             "no player to tune, expected 'base: FILE' or 'player: {...}'");
    if (changes && changes->value->kind != YAML_MAP)
        return setting_error(changes, err, STATUS_INVALID,
                             "player: %s, expected a map of a player's keys",
                             yaml_describe(changes->value, buffer, sizeof buffer));
    Status status = player_draft_init(&player, at->file->folder, err);
    if (!status && base)
        status = player_draft_apply_base(draft->source, base, &player, err);
    if (!status && changes)
        status = player_draft_apply(draft->source, changes->file, changes->value, &player, err);
    // Only a map may have no name; a file gives its own.
    if (!status && !player.spec.name && !(player.spec.name = strdup("start")))
        status = no_memory(err);
    if (!status)
        status = player_draft_check(&player, at, err);
    if (!status && player.spec.external.command)
        status = setting_error(at, err, STATUS_INVALID,
                               "the base is an external program: its knobs cannot be tuned");
    if (!status) {
        draft->spec.base = player.spec;
        // Moved: the release below must not free it.
        player.spec = (PlayerSpec){0};
        draft->base_at = player;
        if (base)
            draft->spec.base_path = strdup(base->value->text);
    }
    player_draft_release(&player);
    return status;
}

static Status add_anchor(TuneDraft *draft, const Setting *list, const YamlNode *node,
                         ErrorText *err) {
    TuneProofSpec *proof = &draft->spec.proof;
    Setting at = {(char *)"proof.anchors", node, node, list->file};
    PlayerDraft player;
    if (proof->anchor_count == TUNE_MAX_ANCHORS)
        return setting_error(&at, err, STATUS_INVALID, "proof.anchors: more than %d",
                             TUNE_MAX_ANCHORS);
    Status status = player_draft_init(&player, list->file->folder, err);
    if (!status)
        status = node->kind == YAML_MAP
                     ? player_draft_apply(draft->source, list->file, node, &player, err)
                     : player_draft_apply_base(draft->source, &at, &player, err);
    if (!status)
        status = player_draft_check(&player, &at, err);
    // The two names stand for the players of the tune in its tables and its database.
    bool taken =
        !status && (strcmp(player.spec.name, "new") == 0 || strcmp(player.spec.name, "start") == 0);
    for (int i = 0; i < proof->anchor_count && !status; i++)
        taken |= strcmp(proof->anchors[i].name, player.spec.name) == 0;
    if (taken)
        status = setting_error(&at, err, STATUS_INVALID,
                               "proof.anchors: the name '%s' is taken, give another with 'name:'",
                               player.spec.name);
    if (!status) {
        if (player.spec.external.command && !player.knob_origin[KNOB_SEARCH_DEPTH].file)
            player.spec.knobs.number[KNOB_SEARCH_DEPTH] = 0; // nobody asked for a depth
        player_draft_list(&player, player.spec.name, &draft->anchors);
        proof->anchors[proof->anchor_count++] = player.spec;
        player.spec = (PlayerSpec){0};
    }
    player_draft_release(&player);
    return status;
}

static Status read_anchors(TuneDraft *draft, const Setting *setting, ErrorText *err) {
    Status status = STATUS_OK;
    char buffer[80];
    if (!setting || yaml_is_null(setting->value))
        return STATUS_OK;
    if (setting->value->kind != YAML_LIST)
        return setting_error(setting, err, STATUS_INVALID,
                             "proof.anchors: %s, expected a list of players",
                             yaml_describe(setting->value, buffer, sizeof buffer));
    for (int i = 0; i < setting->value->count && !status; i++)
        status = add_anchor(draft, setting, setting->value->items[i], err);
    return status;
}

// --- the file ----------------------------------------------------------------------------

static Status set_key(TuneDraft *draft, const Setting *setting, ErrorText *err) {
    int row = config_key_find(config_tune_keys(), setting->key);
    if (row < 0 && config_key_is_group(config_tune_keys(), setting->key) &&
        setting->value->kind == YAML_MAP)
        return STATUS_OK;
    // As in an experiment, where a bare path is enough, too.
    if (row < 0 && strcmp(setting->key, "openings") == 0) // short for openings.file
        setting_remember(setting, &draft->key_at[KEY_OPENINGS_FILE]);
    if (row < 0 && strcmp(setting->key, "openings") == 0)
        return set_path(setting, &draft->spec.match.openings.file,
                        &draft->spec.match.openings.file_text, err);
    if (row < 0)
        return config_key_unknown(config_tune_keys(), (ConfigKeyTable){0}, setting, err);
    setting_remember(setting, &draft->key_at[row]);
    if (row == KEY_OPENINGS_FILE)
        return set_path(setting, &draft->spec.match.openings.file,
                        &draft->spec.match.openings.file_text, err);
    if (row == KEY_DATABASE)
        return set_path(setting, &draft->spec.texel.database, NULL, err);
    if (KEYS[row].type == CONFIG_SPECIAL)
        return STATUS_OK; // read below, in their order
    return config_key_set(&KEYS[row], setting, draft, err);
}

static Status apply_sets(TuneDraft *draft, const OptionList *sets, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; sets && i < sets->count && !status; i++) {
        Setting setting = {0};
        status = config_source_set(draft->source, sets->items[i], sets->items[i], &setting, err);
        int row = status ? -1 : config_key_find(config_tune_keys(), setting.key);
        // Lists and players are read from the file by name (apply_file), where a setting of the
        // command line would not be found.
        if (!status && row >= 0 && KEYS[row].type == CONFIG_SPECIAL && row != KEY_OPENINGS_FILE &&
            row != KEY_DATABASE)
            status = setting_key_error(&setting, err, "%s: only in a file", setting.key);
        else if (!status)
            status = set_key(draft, &setting, err);
        free(setting.key);
    }
    return status;
}

// The order matters: knobs take ranges and starts from the player, constraints speak of knobs, and
// all of them may have been changed by --set before.
static Status apply_file(TuneDraft *draft, const ConfigFile *file, const OptionList *sets,
                         ErrorText *err) {
    static const char *const WHOLE[] = {"player", NULL};
    SettingList list = {0};
    Status status = settings_flatten(file, file->yaml->root, WHOLE, &list, err);
    for (int i = 0; i < list.count && !status; i++)
        status = set_key(draft, &list.items[i], err);
    if (!status)
        status = apply_sets(draft, sets, err);
    if (!status)
        status =
            read_player(draft, settings_find(&list, "base"), settings_find(&list, "player"), err);
    if (!status)
        status = tune_draft_knobs(draft, settings_find(&list, "knobs"), err);
    if (!status)
        status = tune_draft_constraints(draft, settings_find(&list, "constraints"), err);
    if (!status)
        status = read_anchors(draft, settings_find(&list, "proof.anchors"), err);
    settings_release(&list);
    return status;
}

// Where a key was said; the file itself if it was not.
static const Setting *said(const TuneDraft *draft, const char *key) {
    const Setting *at = &draft->key_at[config_key_find(config_tune_keys(), key)];
    return at->file ? at : &draft->root;
}

// The budget that was said, of several the last.
static const char *budget_key(const TuneSpec *spec) {
    return spec->budget_hours > 0        ? "budget.hours"
           : spec->budget_iterations > 0 ? "budget.iterations"
                                         : "budget.games";
}

// Some keys turn out to be wrong only when the budget or the database is known; by then the file is
// closed, so their places are kept as text.
static Status keep_places(TuneDraft *draft, ErrorText *err) {
    // Formatted like a message, "file:line:column: key", which a later message begins with.
    const char *keys[TUNE_KEY_NB] = {[TUNE_KEY_BUDGET] = budget_key(&draft->spec),
                                     [TUNE_KEY_PROOF_PAIRS] = "proof.pairs",
                                     [TUNE_KEY_DATABASE] = "texel.database",
                                     [TUNE_KEY_OUTPUT] = "output"};
    for (int i = 0; i < TUNE_KEY_NB; i++) {
        ErrorText place;
        Status status = setting_error(said(draft, keys[i]), &place, STATUS_INVALID, "%s", keys[i]);
        if (status != STATUS_INVALID || !(draft->spec.said_at[i] = strdup(place.text)))
            return no_memory(err);
    }
    return STATUS_OK;
}

static Status check_whole(TuneDraft *draft, ErrorText *err) {
    TuneSpec *spec = &draft->spec;
    int budgets =
        (spec->budget_games > 0) + (spec->budget_iterations > 0) + (spec->budget_hours > 0);
    const Setting *proof_bound = said(draft, "proof.elo1");
    // Whichever of the two was said is the one to look at.
    if (proof_bound == &draft->root)
        proof_bound = said(draft, "proof.elo0");
    // It becomes part of two file names, results/NAME.db and results/tuned-NAME.yaml.
    if (strchr(spec->name, '/') || spec->name[0] == '.' || !spec->name[0])
        return setting_error(said(draft, "name"), err, STATUS_INVALID,
                             "name: '%.60s', expected a file name", spec->name);
    if (budgets > 1)
        return setting_error(said(draft, budget_key(spec)), err, STATUS_INVALID,
                             "more than one budget, expected games, iterations or hours");
    // A scan has its own number of games, regression plays none: a budget would be ignored by both.
    bool plays = strcmp(spec->method, "sense") != 0 && strcmp(spec->method, "texel") != 0;
    if (budgets == 0 && plays)
        return setting_error(&draft->root, err, STATUS_INVALID,
                             "no budget, expected budget: {games: N}, {iterations: N} or {hours: "
                             "N}");
    if (budgets > 0 && !plays)
        return setting_error(said(draft, budget_key(spec)), err, STATUS_INVALID,
                             "a budget makes no sense for method %s: %s", spec->method,
                             strcmp(spec->method, "sense") == 0 ? "scan.pairs says how many games"
                                                                : "it plays no games");
    if (strcmp(spec->method, "sense") == 0 && spec->scan_pairs == 0)
        return setting_error(said(draft, "scan.pairs"), err, STATUS_INVALID,
                             "scan.pairs: 0 leaves method sense nothing to do");
    if (!spec->match.openings.file)
        return setting_error(&draft->root, err, STATUS_INVALID,
                             "no openings, expected openings: {file: FILE}");
    if (access(spec->match.openings.file, R_OK))
        return setting_error(said(draft, "openings.file"), err, STATUS_NOT_FOUND,
                             "openings.file: %s: %s", spec->match.openings.file, strerror(errno));
    if (strcmp(spec->method, "texel") == 0 && !spec->texel.database)
        return setting_error(said(draft, "method"), err, STATUS_INVALID,
                             "texel.database: none is named, expected the database of a run");
    if (spec->texel.folds == 1) // would learn from nothing
        return setting_error(said(draft, "texel.folds"), err, STATUS_INVALID,
                             "texel.folds: 1, expected 0, or 2 and more");
    if (spec->proof.elo0 >= spec->proof.elo1)
        return setting_error(proof_bound, err, STATUS_INVALID,
                             "proof: elo0 %g and elo1 %g, expected elo0 < elo1", spec->proof.elo0,
                             spec->proof.elo1);
    return keep_places(draft, err);
}

// What the pairs of a tune share with an experiment.
static Status fill_match(TuneDraft *draft, ErrorText *err) {
    Experiment *match = &draft->spec.match;
    match->name = strdup("tune");
    match->width = match->height = draft->side;
    // Programs among the anchors know five in a row only.
    match->k = 5;
    // The defaults of an experiment, for anchors that are programs; a tune has no clock of its own.
    match->clock = (ClockSpec){.margin_ms = 50, .start_ms = 10000, .end_ms = 1000};
    if (!match->name)
        return no_memory(err);
    return file_hash(match->openings.file, &match->openings.file_hash, err);
}

static Status load(TuneDraft *draft, const ConfigFile *file, const OptionList *sets,
                   ErrorText *err) {
    // In the order of the choices of `method`.
    static const char *const METHODS[] = {"spsa", "sense", "texel", "random"};
    TuneSpec *spec = &draft->spec;
    CHECK(ARRAY_LEN(KEYS) <= ARRAY_LEN(draft->key_at));
    draft->root = (Setting){NULL, file->yaml->root, file->yaml->root, file};
    Status status = config_keys_default(config_tune_keys(), draft, err);
    if (!status)
        status = apply_file(draft, file, sets, err);
    if (status)
        return status;
    spec->method = strdup(METHODS[draft->method]);
    spec->path = strdup(file->yaml->path);
    if (!spec->method || !spec->path)
        return no_memory(err);
    if (!spec->name && !(spec->name = path_stem(spec->path)))
        return no_memory(err);
    status = check_whole(draft, err);
    if (!status)
        status = fill_match(draft, err);
    return status;
}

// The file as it stands, for the database.
static Status read_text(const char *path, char **out, ErrorText *err) {
    char *bytes = NULL;
    size_t length = 0;
    Status status = whole_file_read(path, YAML_MAX_BYTES, &bytes, &length, err);
    if (status)
        return status;
    *out = strndup(bytes, length);
    free(bytes);
    return *out ? STATUS_OK : no_memory(err);
}

// --- listing -----------------------------------------------------------------------------

static void list_special(const TuneDraft *draft, int row, Text *value) {
    const TuneSpec *spec = &draft->spec;
    if (row == KEY_BASE)
        text_append(value, spec->base_path ? spec->base_path : "");
    else if (row == KEY_OPENINGS_FILE)
        text_append(value, spec->match.openings.file_text);
    else if (row == KEY_DATABASE)
        text_append(value, spec->texel.database ? spec->texel.database : "");
    for (int i = 0; i < spec->order_count && row == KEY_CONSTRAINTS; i++)
        text_printf(value, "%s%s > %s", i ? ", " : "[",
                    knob_info(spec->knobs[spec->orders[i].above].id)->key,
                    knob_info(spec->knobs[spec->orders[i].below].id)->key);
    if (row == KEY_CONSTRAINTS && spec->order_count)
        text_append(value, "]");
}

// A row a knob, with all that holds for it.
static void list_knobs(const TuneDraft *draft, ConfigListing *listing) {
    Text value = {0};
    for (int i = 0; i < draft->spec.knob_count; i++) {
        const TuneKnob *knob = &draft->spec.knobs[i];
        text_clear(&value);
        text_printf(&value, "{key: %s, low: ", knob_info(knob->id)->key);
        text_append_double(&value, knob->low);
        text_append(&value, ", high: ");
        text_append_double(&value, knob->high);
        text_append(&value, ", start: ");
        text_append_double(&value, knob->start);
        text_printf(&value, ", scale: %s, integer: %s}", knob->is_log ? "log" : "linear",
                    knob->is_whole ? "yes" : "no");
        draft_list_value(listing, NULL, "knobs", &value, &draft->knob_at[i]);
    }
    text_release(&value);
}

static void list_base(const TuneDraft *draft, ConfigListing *listing) {
    PlayerDraft base = draft->base_at;
    base.spec = draft->spec.base; // lent
    for (int i = 0; i < draft->spec.knob_count; i++)
        if (yaml_get(draft->knob_at[i].value, "start"))
            base.knob_origin[draft->spec.knobs[i].id] = draft->knob_at[i];
    player_draft_list(&base, base.spec.name, listing);
}

// Keys without a value (a budget of another kind) are left out.
static void list_tune(TuneDraft *draft, ConfigListing *listing) {
    Text value = {0};
    for (int i = 0; i < (int)ARRAY_LEN(KEYS); i++) {
        const ConfigKey *key = &KEYS[i];
        bool is_name = strcmp(key->key, "name") == 0; // the file's when it was not said
        text_clear(&value);
        if (key->type == CONFIG_SPECIAL)
            list_special(draft, i, &value);
        else if (key->default_text || is_name || draft->key_at[i].file)
            config_key_write(key, draft, &value);
        if (i == KEY_KNOBS)
            list_knobs(draft, listing);
        else if (value.length)
            draft_list_value(listing, NULL, key->key, &value, &draft->key_at[i]);
    }
    text_release(&value);
    list_base(draft, listing);
    config_listing_move(listing, &draft->anchors);
}

Status config_load_tune(const char *path, const OptionList *sets, TuneSpec *out,
                        ConfigListing *listing, ErrorText *err) {
    ConfigSource source = {0};
    TuneDraft draft = {.source = &source};
    ConfigFile *file;
    Status status = config_source_read(&source, path, &file, err);
    if (!status)
        status = load(&draft, file, sets, err);
    if (!status)
        // Read a second time as bytes: comments are part of what the database keeps. A pipe gives
        // the same bytes again (whole_file.h).
        status = read_text(path, &draft.spec.text, err);
    if (!status && listing)
        list_tune(&draft, listing);
    if (status)
        tune_spec_release(&draft.spec);
    else
        *out = draft.spec;
    config_listing_release(&draft.anchors);
    config_source_release(&source);
    return status;
}

Status config_tune_is(const char *path, bool *out, ErrorText *err) {
    YamlFile *yaml;
    Status status = yaml_read(path, &yaml, err);
    if (status)
        return status;
    // No other kind of file has such a key, and a tune without it tunes nothing.
    *out = yaml_get(yaml->root, "knobs") != NULL;
    yaml_file_free(yaml);
    return STATUS_OK;
}
