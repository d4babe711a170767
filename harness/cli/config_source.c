// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a configuration, flattened to settings.
#include "harness/cli/config_source.h"

#include "harness/cli/file_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void config_file_free(ConfigFile *file) {
    if (!file)
        return;
    yaml_file_free(file->yaml);
    free(file->folder);
    free(file->real);
    free(file);
}

void config_source_release(ConfigSource *source) {
    for (int i = 0; i < source->file_count; i++)
        config_file_free(source->files[i]);
    free(source->files);
    *source = (ConfigSource){0};
}

static Status out_of_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

// Adds a file to the source, which owns it (and `yaml`) from here on, in failure too.
static Status source_add(ConfigSource *source, YamlFile *yaml, const char *folder_of,
                         ConfigFile **out, ErrorText *err) {
    ConfigFile *file = calloc(1, sizeof *file);
    ConfigFile **files = realloc(source->files, ((size_t)source->file_count + 1) * sizeof *files);
    if (files)
        source->files = files;
    if (!file || !files) {
        yaml_file_free(yaml);
        free(file);
        return out_of_memory(err);
    }
    // Owned from here on, so that the failures below need not free anything.
    source->files[source->file_count++] = file;
    file->yaml = yaml;
    file->folder = path_folder(folder_of);
    // The real path, so that one file under two names is read once and cycles of bases are seen.
    file->real = realpath(yaml->path, NULL);
    if (!file->real)
        file->real = strdup(yaml->path); // a text in memory
    if (!file->folder || !file->real)
        return out_of_memory(err);
    *out = file;
    return STATUS_OK;
}

// By the real path: `base: a.yaml` and `base: ./a.yaml` are one file, which is read once. Cycles of
// bases can then be seen by comparing pointers.
Status config_source_read(ConfigSource *source, const char *path, ConfigFile **out,
                          ErrorText *err) {
    char *real = realpath(path, NULL);
    for (int i = 0; real && i < source->file_count; i++)
        if (strcmp(source->files[i]->real, real) == 0) {
            *out = source->files[i];
            free(real);
            return STATUS_OK;
        }
    free(real);
    YamlFile *yaml;
    Status status = yaml_read(path, &yaml, err);
    return status ? status : source_add(source, yaml, path, out, err);
}

Status config_source_parse(ConfigSource *source, const char *path, const char *bytes, size_t length,
                           ConfigFile **out, ErrorText *err) {
    YamlFile *yaml;
    Status status = yaml_parse(path, bytes, length, &yaml, err);
    return status ? status : source_add(source, yaml, path, out, err);
}

// --- --set -----------------------------------------------------------------------------

// Makes the tree of one scalar: YAML is not asked what `*` or `yes` might mean.
static Status scalar_tree(const char *path, const char *text, YamlFile **out, ErrorText *err) {
    Status status = yaml_parse(path, "''", 2, out, err);
    if (status)
        return status;
    // The parsed scalar is empty; the words of the command line outlive the tree.
    (*out)->root->text = text;
    return STATUS_OK;
}

// The command line has no lines to name.
static void forget_places(YamlNode *node) {
    node->line = node->column = 0;
    for (int i = 0; i < node->count; i++)
        if (node->kind == YAML_LIST) {
            forget_places(node->items[i]);
        } else {
            forget_places(node->pairs[i].key);
            forget_places(node->pairs[i].value);
        }
}

// Only lists and maps are YAML. A value such as `1:2`, `#1` or `*` would be something else there,
// and a shell's user should not need a second kind of quotes.
static Status value_tree(const char *path, const char *value, YamlFile **out, ErrorText *err) {
    if (*value != '[' && *value != '{')
        return scalar_tree(path, value, out, err);
    Status status = yaml_parse(path, value, strlen(value), out, err);
    if (status == STATUS_INVALID)
        return error_set(err, status, "%s: expected a list in [] or a map in {}", path);
    return status;
}

Status config_source_set(ConfigSource *source, const char *word, const char *key_start,
                         Setting *out, ErrorText *err) {
    // The first =, as keys hold none and values may.
    const char *equals = strchr(key_start, '=');
    if (!equals || equals == key_start)
        return error_set(err, STATUS_INVALID, "--set %s: expected KEY=VALUE", word);
    const char *value = equals + 1;
    Text path = {0};
    text_printf(&path, "--set %s", word);
    YamlFile *yaml = NULL;
    ConfigFile *file = NULL;
    Status status = path.failed ? out_of_memory(err) : STATUS_OK;
    if (status == STATUS_OK)
        status = value_tree(text_cstr(&path), value, &yaml, err);
    if (status == STATUS_OK)
        // Folder "": paths on the command line are relative to the working directory.
        status = source_add(source, yaml, "", &file, err);
    text_release(&path);
    if (status)
        return status;
    forget_places(yaml->root);
    char *key = strndup(key_start, (size_t)(equals - key_start));
    if (!key)
        return out_of_memory(err);
    *out = (Setting){key, yaml->root, yaml->root, file};
    return STATUS_OK;
}

// --- flattening ------------------------------------------------------------------------

void settings_release(SettingList *list) {
    for (int i = 0; i < list->count; i++)
        free(list->items[i].key);
    free(list->items);
    *list = (SettingList){0};
}

const Setting *settings_find(const SettingList *list, const char *key) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, key) == 0)
            return &list->items[i];
    return NULL;
}

// Catches one key in two spellings, `clock: {move_ms: 1}` beside `clock.move_ms: 1`; within one map
// the reader of YAML has done it already.
static Status settings_add(SettingList *list, const Setting *setting, ErrorText *err) {
    const Setting *first = settings_find(list, setting->key);
    if (first)
        return setting_key_error(setting, err, "'%s' is given twice, first on line %d",
                                 setting->key, first->at->line);
    // As in a single map: looking for duplicates takes quadratic time.
    if (list->count == YAML_MAX_KEYS)
        return setting_key_error(setting, err, "more than %d keys", YAML_MAX_KEYS);
    if (list->count == list->cap) {
        int cap = list->cap ? list->cap * 2 : 32;
        Setting *items = realloc(list->items, (size_t)cap * sizeof *items);
        if (!items)
            return out_of_memory(err);
        list->items = items;
        list->cap = cap;
    }
    list->items[list->count] = *setting;
    list->items[list->count].key = strdup(setting->key);
    return list->items[list->count++].key ? STATUS_OK : out_of_memory(err);
}

static bool is_listed(const char *const *names, const char *name) {
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

typedef struct Flatten {
    const ConfigFile *file;
    const char *const *whole;
    SettingList *list;
    ErrorText *err;
} Flatten;

static Status flatten_map(const Flatten *flatten, const YamlNode *map, const char *prefix) {
    Text key = {0};
    Status status = STATUS_OK;
    for (int i = 0; i < map->count && status == STATUS_OK; i++) {
        const YamlPair *pair = &map->pairs[i];
        text_clear(&key);
        text_printf(&key, "%s%s%s", prefix, prefix[0] ? "." : "", pair->key->text);
        if (key.failed) {
            status = out_of_memory(flatten->err);
        } else if (pair->value->kind == YAML_MAP && pair->value->count > 0 &&
                   !is_listed(flatten->whole, text_cstr(&key))) {
            status = flatten_map(flatten, pair->value, text_cstr(&key));
        } else {
            // An empty map stays a setting: `openings: {}` and `sprt: {}` mean something.
            Setting setting = {key.data, pair->key, pair->value, flatten->file};
            status = settings_add(flatten->list, &setting, flatten->err);
        }
    }
    text_release(&key);
    return status;
}

Status settings_flatten(const ConfigFile *file, const YamlNode *map, const char *const *whole,
                        SettingList *list, ErrorText *err) {
    char buffer[80];
    if (map->kind != YAML_MAP)
        return yaml_error(file->yaml, map,
                          error_set(err, STATUS_INVALID, "%s, expected a map of keys and values",
                                    yaml_describe(map, buffer, sizeof buffer)),
                          err);
    Flatten flatten = {file, whole, list, err};
    return flatten_map(&flatten, map, "");
}

// --- messages --------------------------------------------------------------------------

Status setting_error(const Setting *setting, ErrorText *err, Status status, const char *fmt, ...) {
    // Formatted into a buffer of its own, since an argument may point into *err.
    ErrorText text;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, args);
    va_end(args);
    error_set(err, status, "%s", text.text);
    return yaml_error(setting->file->yaml, setting->value, status, err);
}

Status setting_key_error(const Setting *setting, ErrorText *err, const char *fmt, ...) {
    ErrorText text;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, args);
    va_end(args);
    error_set(err, STATUS_INVALID, "%s", text.text);
    return yaml_error(setting->file->yaml, setting->at, STATUS_INVALID, err);
}

Status setting_text(const Setting *setting, const char *expected, const char **out,
                    ErrorText *err) {
    char buffer[80];
    if (setting->value->kind != YAML_SCALAR || yaml_is_null(setting->value))
        return setting_error(setting, err, STATUS_INVALID, "%s: %s, expected %s", setting->key,
                             yaml_describe(setting->value, buffer, sizeof buffer), expected);
    *out = setting->value->text;
    return STATUS_OK;
}

void setting_write_origin(const Setting *setting, Text *out) {
    text_append(out, setting->file->yaml->path);
    if (setting->at->line > 0)
        text_printf(out, ":%d", setting->at->line);
}

// The nodes and the file belong to the source, the key to the list that is released before.
void setting_remember(const Setting *setting, Setting *out) {
    *out = *setting;
    out->key = NULL;
}

// Lines of files count from 1.
bool setting_is_option(const Setting *setting) {
    return setting->file && setting->at->line == 0; // forget_places
}
