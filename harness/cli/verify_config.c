// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the files of `gomolab verify`.
#include "harness/cli/verify_config.h"

#include "engine/base/check.h"
#include "harness/cli/config_draft.h"
#include "harness/cli/file_path.h"
#include "harness/study/verify_candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    // The rows that have a number come first; those after them are read by what the row says alone.
    KEY_NAME,
    KEY_PLAYER,
    KEY_REFERENCE,
    KEY_CANDIDATES,
    KEY_FILE,
    KEY_DB,
    KEY_PLIES,
    KEY_DEPTHS
};
static const ConfigKey KEYS[] = {
    [KEY_NAME] = CONFIG_ROW_TEXT(VerifyConfig, name, "name", NULL, "name of the verification"),
    [KEY_PLAYER] = CONFIG_ROW_SPECIAL("player", "a path, or a map of a player's keys", NULL,
                                      "the player that is verified"),
    [KEY_REFERENCE] = CONFIG_ROW_SPECIAL("reference", "a map of a player's keys", NULL,
                                         "changes to the player; default: plain minimax"),
    [KEY_CANDIDATES] = CONFIG_ROW_SPECIAL("candidates", "a list of names and maps", "[all]",
                                          "what is held against the reference"),
    [KEY_FILE] =
        CONFIG_ROW_SPECIAL("positions.file", "the path of a file", NULL, "positions of a TSV file"),
    [KEY_DB] = CONFIG_ROW_SPECIAL("positions.db", "the path of a database", NULL,
                                  "every position of the games in a database"),
    [KEY_PLIES] = CONFIG_ROW_SPECIAL("positions.plies", "two whole numbers 0..400", "[4, 30]",
                                     "least and most stones of a random position"),
    [KEY_DEPTHS] = CONFIG_ROW_SPECIAL("depths", "up to 16 whole numbers 1..64", "[1, 2, 3]",
                                      "depths to search"),
    CONFIG_ROW_INT64(VerifyConfig, random, "positions.random", "50", 1, 10000000,
                     "number of random positions"),
    CONFIG_ROW_INT64(VerifyConfig, limit, "positions.limit", "0", 0, 1e12,
                     "at most N positions of a database, evenly thinned; 0 = all"),
    CONFIG_ROW_SEED(VerifyConfig, seed, "positions.seed", "1",
                    "seed of random positions and combinations"),
    CONFIG_ROW_CHOICE(VerifyConfig, rule, "rule", "freestyle", "freestyle|standard",
                      "rule of the game"),
    CONFIG_ROW_INT(VerifyConfig, board, "board", "15", BOARD_MIN_SIDE, BOARD_MAX_SIDE,
                   "side of the board"),
    CONFIG_ROW_INT64(VerifyConfig, node_limit, "node_limit", "1000000", 1, 1e15,
                     "skip positions for which the reference needs more nodes"),
    CONFIG_ROW_CHOICE(VerifyConfig, tie, "tie", "board", "board|order",
                      "what decides among equal moves"),
};
static const ConfigKeyTable TABLE = {KEYS, ARRAY_LEN(KEYS), NULL};
// Keys that are not split into smaller ones: below `player` and its like stand a player's keys,
// which are not ours, and a map where a list belongs is refused under the name of the list.
static const char *const WHOLE[] = {"player", "reference",       "candidates",
                                    "depths", "positions.plies", NULL};

// What is alive only while a file is read.
typedef struct Loader {
    ConfigSource source;
    const ConfigFile *file;
    SettingList settings;
    PlayerDraft player; // owned
    VerifyConfig *config;
    int64_t seed;           // from the command line; negative = not given
    ConfigListing *listing; // borrowed; NULL: none
} Loader;

void verify_config_release(VerifyConfig *config) {
    free(config->name);
    free(config->positions_file);
    free(config->positions_db);
    free(config->candidates.items);
    *config = (VerifyConfig){0};
}

// A path in the file, relative to its folder.
static Status set_path(const Setting *setting, const char *what, char **out, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, what, &text, err);
    if (status)
        return status;
    char *path = path_join(setting->file->folder, text);
    if (!path)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    // Last, so that a failure leaves the old path in place.
    free(*out);
    *out = path;
    return STATUS_OK;
}

// One number needs no brackets: `depths: 3`. *count is the room when called, afterwards what was
// given.
static Status set_numbers(const Setting *setting, int64_t low, int64_t high, int64_t *out,
                          int *count, ErrorText *err) {
    const YamlNode *list = setting->value;
    const ConfigKey *row = &KEYS[config_key_find(TABLE, setting->key)];
    bool is_one = list->kind == YAML_SCALAR;
    int given = is_one ? 1 : list->kind == YAML_LIST ? list->count : 0;
    if (given < 1 || given > *count)
        return setting_error(setting, err, STATUS_INVALID, "%s: expected %s", row->key,
                             row->choices);
    for (int i = 0; i < given; i++) {
        const YamlNode *item = is_one ? list : list->items[i];
        // At the item's own line and column, not those of the list, which may run over many lines.
        if (item->kind != YAML_SCALAR || !text_parse_int(item->text, low, high, &out[i])) {
            char buffer[80];
            return yaml_error(setting->file->yaml, item,
                              error_set(err, STATUS_INVALID, "%s: %s, expected %s", row->key,
                                        yaml_describe(item, buffer, sizeof buffer), row->choices),
                              err);
        }
    }
    *count = given;
    return STATUS_OK;
}

bool verify_depth_twice(const int64_t *depths, int count, int64_t *which) {
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (depths[i] == depths[k]) {
                *which = depths[i];
                return true;
            }
    return false;
}

static Status set_depths(const Setting *setting, VerifyConfig *config, ErrorText *err) {
    config->depth_count = VERIFY_MAX_DEPTHS;
    Status status = set_numbers(setting, 1, 64, config->depths, &config->depth_count, err);
    int64_t twice;
    if (!status && verify_depth_twice(config->depths, config->depth_count, &twice))
        status = setting_error(setting, err, STATUS_INVALID, "depths: %lld is given twice",
                               (long long)twice);
    return status;
}

// A single number is refused although set_numbers takes it: it would not say which end it is.
static Status set_plies(const Setting *setting, VerifyConfig *config, ErrorText *err) {
    int64_t plies[2];
    int count = 2;
    Status status = set_numbers(setting, 0, 400, plies, &count, err);
    if (status)
        return status;
    if (count != 2 || plies[0] > plies[1])
        return setting_error(setting, err, STATUS_INVALID,
                             "positions.plies: expected two numbers, the smaller first");
    config->plies[0] = (int)plies[0];
    config->plies[1] = (int)plies[1];
    return STATUS_OK;
}

// A map is the player itself. A path is read as a `base` is: what it names is relative to its own
// folder, and messages name its own lines.
static Status load_player(Loader *loader, const Setting *setting, ErrorText *err) {
    if (setting->value->kind == YAML_MAP)
        return player_draft_apply(&loader->source, setting->file, setting->value, &loader->player,
                                  err);
    return player_draft_apply_base(&loader->source, setting, &loader->player, err);
}

// After the file, so that the command line wins. The keys are a player's, not the verification's.
// The draft remembers nodes and no keys, which may therefore be freed at once.
static Status apply_sets(Loader *loader, const OptionList *sets, ErrorText *err) {
    for (int i = 0; sets && i < sets->count; i++) {
        Setting setting;
        Status status =
            config_source_set(&loader->source, sets->items[i], sets->items[i], &setting, err);
        if (status)
            return status;
        status = player_draft_set(&loader->player, &setting, err);
        free(setting.key);
        if (status)
            return status;
    }
    return STATUS_OK;
}

// The knobs of the player with the changes of a map; *name gets the map's `name` if it has one.
static Status changed_knobs(Loader *loader, const ConfigFile *file, const YamlNode *map,
                            KnobSet *out, char *name, size_t name_size, ErrorText *err) {
    PlayerDraft draft;
    Status status = player_draft_init(&draft, file->folder, err);
    // Not from the defaults: the map says only what is different from the player under test.
    draft.spec.knobs = loader->config->player;
    if (!status)
        status = player_draft_apply(&loader->source, file, map, &draft, err);
    // Judged as a whole: knobs that are fine one by one may not go together, and then the map is to
    // blame and no line in it.
    ErrorText why = {0};
    if (!status && knob_check(&draft.spec.knobs, &why))
        status = yaml_error(file->yaml, map, error_set(err, STATUS_INVALID, "%s", why.text), err);
    if (!status) {
        *out = draft.spec.knobs;
        const YamlNode *named = yaml_get(map, "name");
        snprintf(name, name_size, "%s", named && named->text ? named->text : "");
    }
    player_draft_release(&draft);
    return status;
}

static Status add_candidate(Loader *loader, const ConfigFile *file, const YamlNode *node,
                            int number, ErrorText *err) {
    VerifyConfig *config = loader->config;
    // A word may stand for many candidates: `orderings` is one for each ordering term, `random:8`
    // are eight combinations.
    if (node->kind == YAML_SCALAR) {
        Status status = verify_candidates_add(&config->candidates, node->text, &config->player,
                                              config->seed, err);
        return status ? yaml_error(file->yaml, node, status, err) : STATUS_OK;
    }
    char name[VERIFY_NAME_CAP];
    KnobSet knobs;
    if (node->kind != YAML_MAP)
        return yaml_error(file->yaml, node,
                          error_set(err, STATUS_INVALID, "a list, expected a name or a map"), err);
    Status status = changed_knobs(loader, file, node, &knobs, name, sizeof name, err);
    if (status)
        return status;
    // By its place in the list, so that two maps without a name are two rows that can be told
    // apart.
    if (!*name)
        snprintf(name, sizeof name, "candidate-%d", number);
    return verify_candidates_add_knobs(&config->candidates, name, &knobs, err);
}

static Status load_candidates(Loader *loader, const OptionList *words, ErrorText *err) {
    VerifyConfig *config = loader->config;
    const Setting *setting = settings_find(&loader->settings, "candidates");
    Status status = STATUS_OK;
    // `--candidate table` asks about the table alone: the list of the file is replaced, not
    // extended.
    if (words && words->count) {
        for (int i = 0; i < words->count && !status; i++) {
            status = verify_candidates_add(&config->candidates, words->items[i], &config->player,
                                           config->seed, err);
            if (status)
                error_wrap(err, status, "--candidate");
        }
        return status;
    }
    if (!setting)
        return verify_candidates_add(&config->candidates, "all", &config->player, config->seed,
                                     err);
    // A single one needs no brackets.
    if (setting->value->kind != YAML_LIST)
        return add_candidate(loader, setting->file, setting->value, 1, err);
    for (int i = 0; i < setting->value->count && !status; i++)
        status = add_candidate(loader, setting->file, setting->value->items[i], i + 1, err);
    if (!status && config->candidates.count == 0)
        return setting_error(setting, err, STATUS_INVALID,
                             "candidates: none, expected at least one");
    return status;
}

// Every key but those that need the player.
static Status load_key(Loader *loader, const Setting *setting, ErrorText *err) {
    VerifyConfig *config = loader->config;
    int key = config_key_find(TABLE, setting->key);
    if (key < 0)
        return config_key_unknown(TABLE, (ConfigKeyTable){0}, setting, err);
    switch (key) {
    // Later and in this order, since each of them starts from the one before.
    case KEY_PLAYER:
    case KEY_REFERENCE:
    case KEY_CANDIDATES:
        return STATUS_OK;
    case KEY_FILE:
        return set_path(setting, "the path of a file", &config->positions_file, err);
    case KEY_DB:
        return set_path(setting, "the path of a database", &config->positions_db, err);
    case KEY_PLIES:
        return set_plies(setting, config, err);
    case KEY_DEPTHS:
        return set_depths(setting, config, err);
    default:
        return config_key_set(&KEYS[key], setting, config, err);
    }
}

// Without the key: plain minimax with the player's own notion of moves and values. A map starts
// from the player as it is, not from its minimax, so that it has to say all that it takes away.
static Status load_reference(Loader *loader, ErrorText *err) {
    VerifyConfig *config = loader->config;
    const Setting *setting = settings_find(&loader->settings, "reference");
    char name[VERIFY_NAME_CAP];
    config->reference = verify_minimax_of(&config->player);
    if (!setting)
        return STATUS_OK;
    if (setting->value->kind != YAML_MAP)
        return setting_error(setting, err, STATUS_INVALID,
                             "reference: expected a map of a player's keys");
    return changed_knobs(loader, setting->file, setting->value, &config->reference, name,
                         sizeof name, err);
}

// The player must search, and in this process.
static Status check_player(const Loader *loader, const Setting *at, ErrorText *err) {
    int algorithm = (int)knob_int(&loader->player.spec.knobs, KNOB_SEARCH_ALGORITHM);
    if (loader->player.spec.external.command)
        return setting_error(at, err, STATUS_UNSUPPORTED, "an external program cannot be verified");
    if (algorithm != ALGORITHM_MINIMAX && algorithm != ALGORITHM_ALPHABETA &&
        algorithm != ALGORITHM_PVS) {
        Text name = {0};
        knob_write_text(&loader->player.spec.knobs, KNOB_SEARCH_ALGORITHM, &name);
        Status status = setting_error(
            at, err, STATUS_INVALID,
            "search.algorithm %s: only minimax, alphabeta and pvs have minimax values to verify",
            text_cstr(&name));
        text_release(&name);
        return status;
    }
    return player_draft_check(&loader->player, at, err);
}

// By keys that no other kind of file has at its root: `rule`, `board` and `name` are an
// experiment's as well. `check` asks this of every file before it loads one.
static bool is_verification(const YamlNode *root) {
    static const char *const OWN[] = {"player",    "reference", "candidates",
                                      "positions", "depths",    "node_limit"};
    for (size_t i = 0; i < ARRAY_LEN(OWN); i++)
        if (yaml_get(root, OWN[i]))
            return true;
    return false;
}

static Status load(Loader *loader, const char *path, const OptionList *sets,
                   const OptionList *words, ErrorText *err) {
    ConfigFile *file;
    Status status = config_source_read(&loader->source, path, &file, err);
    if (status)
        return status;
    loader->file = file;
    const YamlNode *root = file->yaml->root;
    // Stands for the file as a whole, in messages for which no key is to blame.
    Setting at = {NULL, root, root, file};
    bool own = is_verification(root);
    status = config_keys_default(TABLE, loader->config, err);
    if (!status && own)
        status = settings_flatten(file, root, WHOLE, &loader->settings, err);
    for (int i = 0; i < loader->settings.count && !status; i++)
        status = load_key(loader, &loader->settings.items[i], err);
    // Between the keys and the candidates: random combinations are drawn with this seed.
    if (loader->seed >= 0)
        loader->config->seed = (uint64_t)loader->seed;
    // In the file of a player the root itself is the player, and everything else has its default.
    const Setting *player = own ? settings_find(&loader->settings, "player") : &at;
    if (!status && !player)
        status = setting_error(&at, err, STATUS_INVALID, "no player, expected 'player: PATH'");
    if (!status && own)
        status = load_player(loader, player, err);
    else if (!status)
        status = player_draft_apply(&loader->source, file, root, &loader->player, err);
    if (!status)
        status = apply_sets(loader, sets, err);
    // A map need not have a name: there is but this one player.
    if (!status && !loader->player.spec.name && !(loader->player.spec.name = strdup("player")))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        status = check_player(loader, player, err);
    // From here on candidates and reference are made of it.
    loader->config->player = loader->player.spec.knobs;
    if (!status)
        status = load_reference(loader, err);
    return status ? status : load_candidates(loader, words, err);
}

// --- listing -----------------------------------------------------------------------------

static void list_numbers(const int64_t *numbers, int count, Text *out) {
    for (int i = 0; i < count; i++)
        text_printf(out, "%s%lld", i ? ", " : "[", (long long)numbers[i]);
    text_append(out, "]");
}

// As they were written; a map by its name.
static void list_candidates(const Setting *setting, Text *out) {
    const YamlNode *node = setting ? setting->value : NULL;
    if (!node || node->kind == YAML_SCALAR)
        text_append(out, node ? node->text : "all");
    for (int i = 0; node && node->kind == YAML_LIST && i < node->count; i++) {
        const YamlNode *item = node->items[i], *name = yaml_get(item, "name");
        text_append(out, i ? ", " : "[");
        if (item->kind == YAML_SCALAR || (name && name->text))
            text_append(out, item->kind == YAML_SCALAR ? item->text : name->text);
        else
            text_printf(out, "candidate-%d", i + 1);
    }
    if (node && node->kind == YAML_LIST)
        text_append(out, "]");
}

static void list_special(const Loader *loader, int key, Text *out) {
    const VerifyConfig *config = loader->config;
    int64_t plies[2] = {config->plies[0], config->plies[1]};
    if (key == KEY_CANDIDATES)
        list_candidates(settings_find(&loader->settings, "candidates"), out);
    else if (key == KEY_FILE && config->positions_file)
        text_append(out, config->positions_file);
    else if (key == KEY_DB && config->positions_db)
        text_append(out, config->positions_db);
    else if (key == KEY_PLIES)
        list_numbers(plies, 2, out);
    else if (key == KEY_DEPTHS)
        list_numbers(config->depths, config->depth_count, out);
}

// Only in what it differs from the player.
static void list_reference(const Loader *loader) {
    const Setting none = {0}, *map = settings_find(&loader->settings, "reference");
    Text value = {0}, own = {0};
    for (int i = 0; i < KNOB_NB; i++) {
        text_clear(&value);
        text_clear(&own);
        knob_write_text(&loader->config->reference, (KnobId)i, &value);
        knob_write_text(&loader->config->player, (KnobId)i, &own);
        if (strcmp(text_cstr(&value), text_cstr(&own)) != 0)
            draft_list_value(loader->listing, "reference", knob_info((KnobId)i)->key, &value,
                             map ? map : &none);
    }
    text_release(&value);
    text_release(&own);
}

// Keys without a value (a file of positions that there is none of) are left out.
static void list_all(const Loader *loader) {
    Text value = {0};
    for (int i = 0; i < (int)ARRAY_LEN(KEYS); i++) {
        const Setting none = {0}, *at = settings_find(&loader->settings, KEYS[i].key);
        text_clear(&value);
        if (KEYS[i].type == CONFIG_SPECIAL)
            list_special(loader, i, &value);
        else
            config_key_write(&KEYS[i], loader->config, &value);
        if (value.length)
            draft_list_value(loader->listing, NULL, KEYS[i].key, &value, at ? at : &none);
    }
    text_release(&value);
    player_draft_list(&loader->player, loader->player.spec.name, loader->listing);
    list_reference(loader);
}

// --- loading -----------------------------------------------------------------------------

static Status load_all(Loader *loader, const char *path, const OptionList *sets,
                       const OptionList *words, ErrorText *err) {
    Status status = player_draft_init(&loader->player, "", err);
    if (!status)
        status = load(loader, path, sets, words, err);
    if (!status && loader->listing)
        list_all(loader);
    player_draft_release(&loader->player);
    settings_release(&loader->settings);
    config_source_release(&loader->source);
    if (status)
        verify_config_release(loader->config);
    return status;
}

// The special rows, which config_keys_default passes over: these must agree with the defaults that
// KEYS shows.
static const VerifyConfig SPECIAL_DEFAULTS = {
    .depths = {1, 2, 3}, .depth_count = 3, .plies = {4, 30}};

Status verify_config_load(const char *path, const OptionList *sets, const OptionList *words,
                          int64_t seed, VerifyConfig *out, ErrorText *err) {
    VerifyConfig config = SPECIAL_DEFAULTS;
    Loader loader = {.config = &config, .seed = seed};
    Status status = load_all(&loader, path, sets, words, err);
    if (!status)
        *out = config;
    return status;
}

Status verify_config_list(const char *path, const OptionList *sets, ConfigListing *listing,
                          ErrorText *err) {
    VerifyConfig config = SPECIAL_DEFAULTS;
    Loader loader = {.config = &config, .seed = -1, .listing = listing}; // -1: the file's own
    Status status = load_all(&loader, path, sets, NULL, err);
    if (!status)
        verify_config_release(&config);
    return status;
}

Status verify_config_is(const char *path, bool *out, ErrorText *err) {
    YamlFile *yaml;
    Status status = yaml_read(path, &yaml, err);
    if (status)
        return status;
    *out = is_verification(yaml->root);
    yaml_file_free(yaml);
    return STATUS_OK;
}
