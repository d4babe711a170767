// SPDX-License-Identifier: GPL-3.0-or-later
// Players from YAML: bases, knobs, names.
#include "harness/cli/config_player.h"

#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "harness/cli/file_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// NAME_MAX_BYTES: names go into messages, tables and file formats, where a longer one would push
// everything else away.
enum { BASES_MAX = 16, NAME_MAX_BYTES = 200 };

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

// --- knobs -----------------------------------------------------------------------------

// A value as the text that knobs read: a list becomes "[a, b]".
static Status knob_text(const Setting *setting, Text *out, ErrorText *err) {
    const YamlNode *value = setting->value;
    char buffer[80];
    // A key with nothing behind it was left unfinished, more likely than meant as the default.
    if (yaml_is_null(value))
        return setting_error(setting, err, STATUS_INVALID, "%s: no value", setting->key);
    if (value->kind == YAML_SCALAR) {
        text_append(out, value->text);
        return STATUS_OK;
    }
    if (value->kind == YAML_MAP)
        return setting_error(setting, err, STATUS_INVALID, "%s: a map, expected a value",
                             setting->key);
    for (int i = 0; i < value->count; i++) {
        const YamlNode *item = value->items[i];
        if (item->kind != YAML_SCALAR)
            return yaml_error(setting->file->yaml, item,
                              error_set(err, STATUS_INVALID,
                                        "%s: %s inside a list, expected a word", setting->key,
                                        yaml_describe(item, buffer, sizeof buffer)),
                              err);
        text_printf(out, "%s%s", i ? ", " : "[", item->text);
    }
    text_append(out, value->count ? "]" : "[]");
    return STATUS_OK;
}

static Status set_knob(PlayerDraft *draft, KnobId id, const Setting *setting, ErrorText *err) {
    Text text = {0};
    ErrorText why = {0};
    Status status = knob_text(setting, &text, err);
    if (status == STATUS_OK) {
        // Knobs read text: the table is the one judge of what a value may be, for YAML, --set and
        // databases alike.
        status = knob_set_text(&draft->spec.knobs, setting->key, text_cstr(&text), &why);
        if (status)
            status = setting_error(setting, err, status, "%s", why.text);
        else
            setting_remember(setting, &draft->knob_origin[id]);
    }
    text_release(&text);
    return status;
}

// --- keys ------------------------------------------------------------------------------

bool player_key_is_known(const char *key) {
    return knob_find(key) != KNOB_NB || config_key_find(config_engine_keys(), key) >= 0 ||
           strcmp(key, "name") == 0;
}

// Does a known key begin with "key."?
static bool key_is_group(const char *key) {
    size_t length = strlen(key);
    for (int i = 0; i < KNOB_NB; i++) {
        const char *knob = knob_info((KnobId)i)->key;
        if (strncmp(knob, key, length) == 0 && knob[length] == '.')
            return true;
    }
    // The only group that is not one of knobs.
    return strcmp(key, "engine") == 0;
}

static Status unknown_key(const Setting *setting, ErrorText *err) {
    // Plus `name` and `base`, which are in no table.
    const char *names[KNOB_NB + ENGINE_KEY_MAX + 2];
    size_t count = 0;
    char buffer[80];
    if (key_is_group(setting->key)) {
        bool is_empty = setting->value->kind == YAML_MAP && setting->value->count == 0;
        if (is_empty && strcmp(setting->key, "engine") == 0) // not a player of ours by accident
            return setting_error(setting, err, STATUS_INVALID,
                                 "engine: an empty map, expected engine.command at least");
        if (is_empty)
            return STATUS_OK;
        return setting_error(setting, err, STATUS_INVALID, "%s: %s, expected a map of %s.* keys",
                             setting->key, yaml_describe(setting->value, buffer, sizeof buffer),
                             setting->key);
    }
    for (int i = 0; i < KNOB_NB; i++)
        names[count++] = knob_info((KnobId)i)->key;
    ConfigKeyTable engine = config_engine_keys();
    for (int i = 0; i < engine.count; i++)
        names[count++] = engine.rows[i].key;
    names[count++] = "name";
    names[count++] = "base";
    return setting_key_error(
        setting, err, "unknown key '%s'%s", setting->key,
        nearest_hint(setting->key, names, count, "; `gomolab keys` lists them").text);
}

static Status set_name(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, "text", &text, err);
    if (status)
        return status;
    // Control characters would break lines of tables and the terminal; bytes above 127 are UTF-8
    // and welcome.
    bool is_printable = true;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        is_printable &= *c >= 32 && *c != 127;
    if (!text[0] || strlen(text) > NAME_MAX_BYTES || !is_printable)
        return setting_error(setting, err, STATUS_INVALID,
                             "name: '%.60s', expected 1..%d printable characters", text,
                             NAME_MAX_BYTES);
    char *name = strdup(text);
    if (!name)
        return no_memory(err);
    free(draft->spec.name);
    draft->spec.name = name;
    setting_remember(setting, &draft->name_origin);
    return STATUS_OK;
}

// Knobs first, as most keys are; no key is in two of the tables.
Status player_draft_set(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    KnobId knob = knob_find(setting->key);
    if (knob != KNOB_NB)
        return set_knob(draft, knob, setting, err);
    int row = config_key_find(config_engine_keys(), setting->key);
    if (row >= 0)
        return player_draft_set_engine(draft, row, setting, err);
    if (strcmp(setting->key, "name") == 0)
        return set_name(draft, setting, err);
    return unknown_key(setting, err);
}

// --- bases -----------------------------------------------------------------------------

typedef struct Chain { // the files that are being applied, innermost first
    const ConfigFile *file;
    const struct Chain *outer;
    int depth;
} Chain;

static Status apply_map(ConfigSource *source, const Chain *chain, const YamlNode *map,
                        PlayerDraft *draft, ErrorText *err);

static Status apply_base(ConfigSource *source, const Chain *chain, const Setting *base,
                         PlayerDraft *draft, ErrorText *err) {
    const char *text;
    ErrorText why = {0};
    Status status = setting_text(base, "the path of a player", &text, err);
    if (status)
        return status;
    if (!text[0])
        return setting_error(base, err, STATUS_INVALID, "base: '', expected the path of a player");
    char *path = path_join(base->file->folder, text);
    ConfigFile *file = NULL;
    status = path ? config_source_read(source, path, &file, &why) : no_memory(&why);
    free(path);
    if (status == STATUS_NOT_FOUND)
        return setting_error(base, err, status, "base '%s': %s", text, why.text);
    if (status)
        return error_set(err, status, "%s", why.text); // it says where by itself
    // By pointer: the source reads every file once (config_source_read).
    for (const Chain *link = chain; link; link = link->outer)
        if (link->file == file)
            return setting_error(base, err, STATUS_INVALID,
                                 "base '%s' leads back to %s: a cycle of bases", text,
                                 file->yaml->path);
    // More than anybody needs; each of them is a level of recursion.
    if (chain && chain->depth == BASES_MAX)
        return setting_error(base, err, STATUS_INVALID, "a chain of more than %d bases", BASES_MAX);
    Chain link = {file, chain, chain ? chain->depth + 1 : 1};
    return apply_map(source, &link, file->yaml->root, draft, err);
}

// The name of a player whose file gives none: the file's name without folder and ending.
static Status name_by_stem(const ConfigFile *file, PlayerDraft *draft, ErrorText *err) {
    char *name = path_stem(file->yaml->path);
    if (!name)
        return no_memory(err);
    free(draft->spec.name);
    draft->spec.name = name;
    draft->name_origin = (Setting){NULL, file->yaml->root, file->yaml->root, file};
    return STATUS_OK;
}

static Status apply_map(ConfigSource *source, const Chain *chain, const YamlNode *map,
                        PlayerDraft *draft, ErrorText *err) {
    static const char *const WHOLE[] = {"engine.env", NULL};
    SettingList list = {0};
    Status status = settings_flatten(chain->file, map, WHOLE, &list, err);
    const Setting *base = settings_find(&list, "base");
    if (status == STATUS_OK && base)
        status = apply_base(source, chain, base, draft, err);
    // Only whole files: a map inside an experiment has no file of its own to be named after.
    if (status == STATUS_OK && map == chain->file->yaml->root && !settings_find(&list, "name"))
        status = name_by_stem(chain->file, draft, err);
    for (int i = 0; i < list.count && status == STATUS_OK; i++)
        // In the order of the file, after the base, so that the outer file has the last word.
        if (&list.items[i] != base)
            status = player_draft_set(draft, &list.items[i], err);
    settings_release(&list);
    return status;
}

Status player_draft_apply(ConfigSource *source, const ConfigFile *file, const YamlNode *map,
                          PlayerDraft *draft, ErrorText *err) {
    Chain chain = {file, NULL, 1};
    return apply_map(source, &chain, map, draft, err);
}

Status player_draft_apply_base(ConfigSource *source, const Setting *base, PlayerDraft *draft,
                               ErrorText *err) {
    return apply_base(source, NULL, base, draft, err);
}

// --- the whole -------------------------------------------------------------------------

Status player_draft_init(PlayerDraft *draft, const char *root_folder, ErrorText *err) {
    *draft = (PlayerDraft){.root_folder = root_folder};
    draft->spec.knobs = knob_defaults();
    return config_keys_default(config_engine_keys(), &draft->spec.external, err);
}

void player_draft_release(PlayerDraft *draft) { player_spec_release(&draft->spec); }

// An external engine does what it does: only its limits can be told to it.
static Status check_external(const PlayerDraft *draft, ErrorText *err) {
    for (int i = 0; i < KNOB_NB; i++) {
        // Depth, nodes and time have words in the protocol; everything else would be believed to
        // act and not do so.
        bool acts = i == KNOB_SEARCH_DEPTH || i == KNOB_SEARCH_NODES || i == KNOB_SEARCH_TIME_MS;
        const Setting *origin = &draft->knob_origin[i];
        if (origin->file && !acts)
            return setting_key_error(
                origin, err,
                "%s has no effect on the external engine '%s'; only search.depth, search.nodes and "
                "search.time_ms are told to it",
                knob_info((KnobId)i)->key, draft->spec.external.command_text);
    }
    return STATUS_OK;
}

Status player_draft_check(const PlayerDraft *draft, const Setting *at, ErrorText *err) {
    ErrorText why = {0};
    if (!draft->spec.name)
        return setting_error(at, err, STATUS_INVALID,
                             "a player without a name, expected 'name: ...'");
    if (draft->spec.external.command)
        return check_external(draft, err);
    ConfigKeyTable engine = config_engine_keys();
    for (int i = 0; i < engine.count; i++)
        // Without a command the player would be one of ours, and the settings of its program
        // forgotten.
        if (draft->engine_origin[i].file)
            return setting_key_error(&draft->engine_origin[i], err, "%s without engine.command",
                                     engine.rows[i].key);
    Status status = knob_check(&draft->spec.knobs, &why);
    if (status == STATUS_OK)
        return STATUS_OK;
    // The message begins with the knob that it blames: point at the line that set it.
    char key[64];
    size_t length = strcspn(why.text, ":");
    memcpy(key, why.text, length < sizeof key ? length : 0);
    key[length < sizeof key ? length : 0] = '\0';
    KnobId id = knob_find(key);
    const Setting *blamed =
        id != KNOB_NB && draft->knob_origin[id].file ? &draft->knob_origin[id] : at;
    return setting_error(blamed, err, status, "player '%s': %s", draft->spec.name, why.text);
}

// A group of knobs that bears the name of an algorithm is read by that algorithm only.
static bool is_read(const KnobSet *knobs, KnobId id) {
    const char *key = knob_info(id)->key, *name;
    const char *algorithms = knob_info(KNOB_SEARCH_ALGORITHM)->choices;
    size_t length;
    for (int i = 0; (length = text_choice_at(algorithms, i, &name)) > 0; i++)
        if (strncmp(key, name, length) == 0 && key[length] == '.')
            return i == (int)knob_int(knobs, KNOB_SEARCH_ALGORITHM);
    return true;
}

// A warning and no refusal: sweeps over algorithms share knobs that only some of them read.
void player_draft_warn(const PlayerDraft *draft, const ConfigFile *root) {
    const Setting *algorithm = &draft->knob_origin[KNOB_SEARCH_ALGORITHM];
    if (draft->spec.external.command)
        return;
    for (int i = 0; i < KNOB_NB; i++) {
        const Setting *knob = &draft->knob_origin[i];
        if (!knob->file || is_read(&draft->spec.knobs, (KnobId)i))
            continue;
        // One who takes over a base and chooses another algorithm knows what that leaves idle.
        bool is_meant = knob->file == root || setting_is_option(knob) || !algorithm->file ||
                        knob->file == algorithm->file;
        // The algorithm of the command line and the knob of a file were not chosen together.
        if (!is_meant || (setting_is_option(algorithm) && !setting_is_option(knob)))
            continue;
        Text value = {0}, origin = {0};
        knob_write_text(&draft->spec.knobs, KNOB_SEARCH_ALGORITHM, &value);
        setting_write_origin(knob, &origin);
        fprintf(stderr, "warning: %s: player '%s': search.algorithm %s never reads %s\n",
                text_cstr(&origin), draft->spec.name, text_cstr(&value), knob_info((KnobId)i)->key);
        text_release(&origin);
        text_release(&value);
    }
}
