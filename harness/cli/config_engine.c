// SPDX-License-Identifier: GPL-3.0-or-later
// Players that are programs: the keys below `engine.`.
#include "engine/base/check.h"
#include "harness/cli/config_player.h"
#include "harness/cli/file_path.h"

#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 256 }; // words and variables at most

// The first rows of the table, which are read by hand; a new row of that kind goes in both places.
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
    // As in a shell: a slash makes it a path, which here is relative to the file that says it.
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
    // Built aside and exchanged at the end: a mistake in the list leaves the draft as it was.
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
    // Refused and not cut: an engine with half of its arguments is another engine.
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
    // The whole list is replaced, as that of engine.args.
    strings_free(draft->spec.external.env, draft->spec.external.env_count);
    draft->spec.external.env = env;
    draft->spec.external.env_count = count;
    return STATUS_OK;
}

// Whether it is there shows when the program is started, which may be on another machine than this
// check.
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

Status player_draft_set_engine(PlayerDraft *draft, int row, const Setting *setting,
                               ErrorText *err) {
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
    // Nothing to keep, as there is but one; the key is there for the day when there are two.
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
