// SPDX-License-Identifier: GPL-3.0-or-later
// The files of one configuration, and their contents as settings: a dotted key and the node that
// stands behind it.
//
// `search: {depth: 2}` and `search.depth: 2` are the same setting. A word of --set is a setting as
// well, whose "file" is called "--set key=value", so that messages and provenance need no second
// way.
#pragma once

#include "harness/cli/options.h"
#include "harness/cli/yaml_tree.h"

// A file that was read, a text in memory, or a word of --set.
typedef struct ConfigFile {
    YamlFile *yaml; // owned
    char *folder;   // owned; what its relative paths are relative to: "" or with a slash
    char *real;     // owned; the real path, which tells files apart
} ConfigFile;

// Every file of one configuration, read once each. Zero-initialised is empty. Nodes of the trees,
// and with them all settings, live as long as it does.
typedef struct ConfigSource {
    ConfigFile **files; // owned; every file read so far
    int file_count;
} ConfigSource;

// A key with its value and place. `value` may be a map or a list: whoever the key belongs to says
// what it takes.
typedef struct Setting {
    char *key;              // owned; dotted
    const YamlNode *at;     // borrowed; the key's node, for positions
    const YamlNode *value;  // borrowed
    const ConfigFile *file; // borrowed
} Setting;

// Settings in the order of the file. Zero-initialised is empty.
typedef struct SettingList {
    Setting *items; // owned
    int count, cap;
} SettingList;

// Frees all files (config_source_release) or the list (settings_release). Thread: owner.
void config_source_release(ConfigSource *source);
void settings_release(SettingList *list); // as above

// Reads a file once; asked again, the same pointer is returned. It lives as long as the source.
// Thread: owner.
Status config_source_read(ConfigSource *source, const char *path, ConfigFile **out,
                          ErrorText *err) MUST_CHECK;

// The same for a text in memory; `path` names it and says what its relative paths are relative to.
// Thread: owner.
Status config_source_parse(ConfigSource *source, const char *path, const char *bytes, size_t length,
                           ConfigFile **out, ErrorText *err) MUST_CHECK;

// Splits "key=value" into a setting of its own: its key ends at the first `=` after `key_start`. A
// value that begins with
// `[` or `{` is read as YAML, any other is the text itself. `word` is the whole argument, for
// messages. Thread: owner.
Status config_source_set(ConfigSource *source, const char *word, const char *key_start,
                         Setting *out, ErrorText *err) MUST_CHECK;

// Appends every setting of a map. Maps are opened, but for empty ones and the keys named in `whole`
// (ended by NULL), which become one setting. STATUS_INVALID when a key is given twice in two
// spellings. Thread: owner.
Status settings_flatten(const ConfigFile *file, const YamlNode *map, const char *const *whole,
                        SettingList *list, ErrorText *err) MUST_CHECK;

// The setting of a key, NULL when there is none. Thread: any.
const Setting *settings_find(const SettingList *list, const char *key);

// "file:line:column: text" for the value of a setting; returns `status`. Thread: owner of `err`.
Status setting_error(const Setting *setting, ErrorText *err, Status status, const char *fmt,
                     ...) MUST_CHECK PRINTF_LIKE(4, 5);

// The same for its key; returns STATUS_INVALID. Thread: owner of `err`.
Status setting_key_error(const Setting *setting, ErrorText *err, const char *fmt, ...) MUST_CHECK
    PRINTF_LIKE(3, 4);

// The value as a scalar's text; STATUS_INVALID "KEY: a list, expected WHAT" for anything else.
// Thread: owner.
Status setting_text(const Setting *setting, const char *expected, const char **out,
                    ErrorText *err) MUST_CHECK;

// Where the setting stands, for provenance: "file:line" or "--set key=value". Thread: owner of
// `out`.
void setting_write_origin(const Setting *setting, Text *out);

// Is it a word of --set? False for a setting that was not made. Thread: any.
bool setting_is_option(const Setting *setting);

// Keeps where a setting stands (not its key, which its list owns) for as long as the source lives.
// Thread: owner of `out`.
void setting_remember(const Setting *setting, Setting *out);
