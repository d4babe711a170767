// SPDX-License-Identifier: GPL-3.0-or-later
// Players from YAML: bases, knobs, external engines.
#include "harness/cli/config_player.h"

#include "engine/base/check.h"
#include "harness/cli/file_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASES_MAX = 16, NAME_MAX_BYTES = 200, ARGS_MAX = 256 };

// --- external engines ------------------------------------------------------------------

enum { ENGINE_COMMAND, ENGINE_ARGS, ENGINE_DIR, ENGINE_ENV, ENGINE_PROTOCOL };

static const ConfigKey ENGINE_KEYS[] = {
    CONFIG_ROW_SPECIAL("engine.command", "a program", NULL,
                       "the engine: with a slash relative to the file, without looked up in PATH"),
    CONFIG_ROW_SPECIAL("engine.args", "a list of words", "[]", "its arguments"),
    CONFIG_ROW_SPECIAL("engine.dir", "a folder", NULL,
                       "its working directory, relative to the file; default: our own"),
    CONFIG_ROW_SPECIAL("engine.env", "a map of variables", "{}",
                       "variables added to its environment"),
    CONFIG_ROW_SPECIAL("engine.protocol", "one of gomocup", "gomocup", "what it speaks"),
    CONFIG_ROW_CHOICE(ExternalSpec, restart, "engine.restart", "failure", "never|failure|game",
                      "when its process is started anew: never, after a failure, for every game"),
    CONFIG_ROW_INT(ExternalSpec, gap_ms, "engine.gap_ms", "0", 0, 60000,
                   "milliseconds between its move and the next command to it"),
    CONFIG_ROW_BOOL(ExternalSpec, suspend, "engine.suspend", "no",
                    "stop the process while it is not on move"),
    CONFIG_ROW_INT64(ExternalSpec, memory_mb, "engine.memory_mb", "0", 0, 1048576,
                     "MiB that it is told it may use; 0 = no limit"),
    CONFIG_ROW_INT(ExternalSpec, threads, "engine.threads", "0", 0, 1024,
                   "threads that it uses; 0 = unknown"),
};
_Static_assert(ARRAY_LEN(ENGINE_KEYS) <= ENGINE_KEY_MAX, "more engine keys than a draft remembers");

ConfigKeyTable config_engine_keys(void) {
    return (ConfigKeyTable){ENGINE_KEYS, ARRAY_LEN(ENGINE_KEYS), "--engine"};
}

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

static void strings_free(char **strings, int count) {
    for (int i = 0; i < count; i++)
        free(strings[i]);
    free(strings);
}

// Takes over `string`, NULL for no memory included, so that callers need one test for both.
static bool strings_add(char ***strings, int *count, char *string) {
    char **grown = string ? realloc(*strings, ((size_t)*count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(string);
        return false;
    }
    *strings = grown;
    grown[(*count)++] = string;
    return true;
}

static Status set_command(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, "a program", &text, err);
    if (status)
        return status;
    if (!text[0])
        return setting_error(setting, err, STATUS_INVALID,
                             "engine.command: '', expected a program");
    bool is_path = strchr(text, '/') != NULL;
    char *command = is_path ? path_join(setting->file->folder, text) : path_find_program(text);
    // `command` is what is executed, `written` what is stored: names and absolute paths as they
    // are, others relative to the root folder.
    char *written = !is_path || text[0] == '/' || !command
                        ? strdup(text)
                        : path_relative(draft->root_folder, command);
    if (written && is_path &&
        !strchr(written, '/')) { // "./brain" must not turn into a name that is looked up in PATH
        char *dotted = path_join("./", written);
        free(written);
        written = dotted;
    }
    if (!command || !written) {
        free(command);
        free(written);
        return no_memory(err);
    }
    free(draft->spec.external.command);
    free(draft->spec.external.command_text);
    draft->spec.external.command = command;
    // An engine is told a depth only if there is one: the default is ours, the highest value means
    // no limit.
    if (!draft->knob_origin[KNOB_SEARCH_DEPTH].file)
        draft->spec.knobs.number[KNOB_SEARCH_DEPTH] = knob_info(KNOB_SEARCH_DEPTH)->high;
    draft->spec.external.command_text = written;
    return STATUS_OK;
}

// A list replaces the whole list of a base; words are not added to it.
static Status set_args(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    char buffer[80];
    char **args = NULL;
    int count = 0;
    const YamlNode *list = setting->value;
    if (list->kind != YAML_LIST)
        return setting_error(setting, err, STATUS_INVALID,
                             "engine.args: %s, expected a list of words",
                             yaml_describe(list, buffer, sizeof buffer));
    for (int i = 0; i < list->count && i < ARGS_MAX; i++) {
        const YamlNode *item = list->items[i];
        if (item->kind != YAML_SCALAR) {
            strings_free(args, count);
            return yaml_error(setting->file->yaml, item,
                              error_set(err, STATUS_INVALID, "engine.args: %s, expected a word",
                                        yaml_describe(item, buffer, sizeof buffer)),
                              err);
        }
        if (!strings_add(&args, &count, strdup(item->text))) {
            strings_free(args, count);
            return no_memory(err);
        }
    }
    if (count < list->count) {
        strings_free(args, count);
        return setting_error(setting, err, STATUS_INVALID, "engine.args: more than %d words",
                             ARGS_MAX);
    }
    strings_free(draft->spec.external.args, draft->spec.external.arg_count);
    draft->spec.external.args = args;
    draft->spec.external.arg_count = count;
    return STATUS_OK;
}

// "NAME=value" from pair `index` of a map or from item `index` of a list of such words; NULL: it is
// neither.
static char *env_word(const YamlNode *node, int index) {
    if (node->kind == YAML_LIST) {
        const char *text = node->items[index]->text;
        return text && strchr(text, '=') > text ? strdup(text) : NULL;
    }
    const YamlPair *pair = &node->pairs[index];
    if (pair->value->kind != YAML_SCALAR || !pair->key->text[0] || strchr(pair->key->text, '='))
        return NULL;
    Text word = {0};
    text_printf(&word, "%s=%s", pair->key->text, pair->value->text);
    return word.data; // a Text's memory is plain heap memory
}

static Status set_env(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    const YamlNode *node = setting->value;
    char **env = NULL;
    int count = 0;
    // A list of NAME=value words is what the resolved YAML has, a map is what people write.
    if (node->kind == YAML_SCALAR || node->count > ARGS_MAX)
        return setting_error(setting, err, STATUS_INVALID,
                             "engine.env: expected a map of at most %d variables", ARGS_MAX);
    for (int i = 0; i < node->count; i++) {
        char *word = env_word(node, i);
        if (!word) {
            strings_free(env, count);
            return yaml_error(
                setting->file->yaml, node->kind == YAML_LIST ? node->items[i] : node->pairs[i].key,
                error_set(err, STATUS_INVALID, "engine.env: expected NAME: value"), err);
        }
        if (!strings_add(&env, &count, word)) {
            strings_free(env, count);
            return no_memory(err);
        }
    }
    strings_free(draft->spec.external.env, draft->spec.external.env_count);
    draft->spec.external.env = env;
    draft->spec.external.env_count = count;
    return STATUS_OK;
}

static Status set_dir(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, "a folder", &text, err);
    if (status)
        return status;
    char *dir = path_join(setting->file->folder, text);
    if (!dir)
        return no_memory(err);
    free(draft->spec.external.dir);
    draft->spec.external.dir = dir;
    return STATUS_OK;
}

static Status set_engine(PlayerDraft *draft, int row, const Setting *setting, ErrorText *err) {
    const char *text;
    Status status;
    switch (row) {
    case ENGINE_COMMAND:
        status = set_command(draft, setting, err);
        break;
    case ENGINE_ARGS:
        status = set_args(draft, setting, err);
        break;
    case ENGINE_DIR:
        status = set_dir(draft, setting, err);
        break;
    case ENGINE_ENV:
        status = set_env(draft, setting, err);
        break;
    case ENGINE_PROTOCOL:
        status = setting_text(setting, "one of gomocup", &text, err);
        if (status == STATUS_OK && strcmp(text, "gomocup") != 0)
            status = setting_error(setting, err, STATUS_INVALID,
                                   "engine.protocol: '%.60s', expected one of gomocup", text);
        break;
    default:
        status = config_key_set(&ENGINE_KEYS[row], setting, &draft->spec.external, err);
        break;
    }
    if (status == STATUS_OK)
        setting_remember(setting, &draft->engine_origin[row]);
    return status;
}

// --- knobs -----------------------------------------------------------------------------

// A value as the text that knobs read: a list becomes "[a, b]".
static Status knob_text(const Setting *setting, Text *out, ErrorText *err) {
    const YamlNode *value = setting->value;
    char buffer[80];
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
    return strcmp(key, "engine") == 0;
}

static Status unknown_key(const Setting *setting, ErrorText *err) {
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
    for (size_t i = 0; i < ARRAY_LEN(ENGINE_KEYS); i++)
        names[count++] = ENGINE_KEYS[i].key;
    names[count++] = "name";
    names[count++] = "base";
    const char *near = text_nearest(setting->key, names, count);
    return setting_key_error(setting, err, "unknown key '%s'%s%s%s", setting->key,
                             near ? ", nearest is '" : "", near ? near : "",
                             near ? "'" : "; `gomolab keys` lists them");
}

static Status set_name(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, "text", &text, err);
    if (status)
        return status;
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

Status player_draft_set(PlayerDraft *draft, const Setting *setting, ErrorText *err) {
    KnobId knob = knob_find(setting->key);
    if (knob != KNOB_NB)
        return set_knob(draft, knob, setting, err);
    int row = config_key_find(config_engine_keys(), setting->key);
    if (row >= 0)
        return set_engine(draft, row, setting, err);
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
    char *path = path_join(base->file->folder, text);
    ConfigFile *file = NULL;
    status = path ? config_source_read(source, path, &file, &why) : no_memory(&why);
    free(path);
    if (status == STATUS_NOT_FOUND)
        return setting_error(base, err, status, "base '%s': %s", text, why.text);
    if (status)
        return error_set(err, status, "%s", why.text); // it says where by itself
    for (const Chain *link = chain; link; link = link->outer)
        if (link->file == file)
            return setting_error(base, err, STATUS_INVALID,
                                 "base '%s' leads back to %s: a cycle of bases", text,
                                 file->yaml->path);
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
    if (status == STATUS_OK && map == chain->file->yaml->root && !settings_find(&list, "name"))
        status = name_by_stem(chain->file, draft, err);
    for (int i = 0; i < list.count && status == STATUS_OK; i++)
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
    for (size_t i = 0; i < ARRAY_LEN(ENGINE_KEYS); i++)
        if (draft->engine_origin[i].file)
            return setting_key_error(&draft->engine_origin[i], err, "%s without engine.command",
                                     ENGINE_KEYS[i].key);
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
