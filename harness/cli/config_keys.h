// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of a configuration as a table: each row says which field of a struct it fills, and what
// values it takes. The same rows give the messages, the defaults, the canonical text, and `gomolab
// keys`.
#pragma once

#include "harness/cli/config_source.h"

#include <stdint.h>

// What the field of a row is in C; the macros below make sure that it is.
typedef enum ConfigType {
    CONFIG_INT,    // int
    CONFIG_INT64,  // int64_t
    CONFIG_SEED,   // uint64_t
    CONFIG_REAL,   // double
    CONFIG_BOOL,   // bool; with choices "a|b" these words instead of no and yes
    CONFIG_CHOICE, // an enum (int-sized), index into the choices
    CONFIG_TEXT,   // char *, owned
    CONFIG_SPECIAL // read by the owner of the table; the rest of the row is for people
} ConfigType;

// One key. Rows are constant: values live in the struct that they point into, places where values
// were said in a draft, by the index of the row.
typedef struct ConfigKey {
    const char *key;
    ConfigType type;
    // Of the field in the struct that the table is for; special rows have none.
    size_t offset;    // of the field
    double low, high; // of int, int64 and real
    // The order is that of the enum, so that an index is a value.
    const char *choices;      // "a|b" of a choice; of a special: what it takes, in words
    const char *default_text; // what holds when the key is missing; NULL: nothing (text: NULL)
    const char *meaning;      // one line
} ConfigKey;

// A table is passed by value; its rows are static.
// `list` is named in messages about unknown keys; knobs of players are listed without an option.
typedef struct ConfigKeyTable {
    const ConfigKey *rows;
    int count;
    const char *list; // option of `gomolab keys` that lists them; NULL: none
} ConfigKeyTable;

// Rows that refuse, at compile time, a field of another type or size.
// S is the struct, `field` one of its fields (members of members are fine), `def` the default as
// text, which must be a value of the row, lo..hi the range that is accepted, `meaning` the line of
// `gomolab keys`.
#define CONFIG_ROW_INT(S, field, key, def, lo, hi, meaning)                                        \
    { key, CONFIG_INT, OPTION_FIELD(S, field, int), lo, hi, NULL, def, meaning }
#define CONFIG_ROW_INT64(S, field, key, def, lo, hi, meaning)                                      \
    { key, CONFIG_INT64, OPTION_FIELD(S, field, int64_t), lo, hi, NULL, def, meaning }
#define CONFIG_ROW_SEED(S, field, key, def, meaning)                                               \
    { key, CONFIG_SEED, OPTION_FIELD(S, field, uint64_t), 0, 0, NULL, def, meaning }
#define CONFIG_ROW_REAL(S, field, key, def, lo, hi, meaning)                                       \
    { key, CONFIG_REAL, OPTION_FIELD(S, field, double), lo, hi, NULL, def, meaning }
#define CONFIG_ROW_BOOL(S, field, key, def, meaning)                                               \
    { key, CONFIG_BOOL, OPTION_FIELD(S, field, bool), 0, 0, NULL, def, meaning }
#define CONFIG_ROW_CHOICE(S, field, key, def, choices, meaning)                                    \
    {                                                                                              \
        key, CONFIG_CHOICE, offsetof(S, field) / (sizeof(((S *)0)->field) == sizeof(int)), 0, 0,   \
            choices, def, meaning                                                                  \
    }
#define CONFIG_ROW_TEXT(S, field, key, def, meaning)                                               \
    { key, CONFIG_TEXT, OPTION_FIELD(S, field, char *), 0, 0, NULL, def, meaning }
#define CONFIG_ROW_SPECIAL(key, takes, def, meaning)                                               \
    { key, CONFIG_SPECIAL, 0, 0, 0, takes, def, meaning }

// Of a bool whose values have names of their own: "word of no|word of yes".
#define CONFIG_ROW_BOOL_WORDS(S, field, key, def, words, meaning)                                  \
    { key, CONFIG_BOOL, OPTION_FIELD(S, field, bool), 0, 0, words, def, meaning }

// The same rows as a .def file has them, one a line, for fields of the struct that KEY_OWNER names.
#define KEY_SPECIAL(id, ...) [id] = CONFIG_ROW_SPECIAL(__VA_ARGS__),
#define KEY_INT(...) CONFIG_ROW_INT(KEY_OWNER, __VA_ARGS__),
#define KEY_INT64(...) CONFIG_ROW_INT64(KEY_OWNER, __VA_ARGS__),
#define KEY_SEED(...) CONFIG_ROW_SEED(KEY_OWNER, __VA_ARGS__),
#define KEY_REAL(...) CONFIG_ROW_REAL(KEY_OWNER, __VA_ARGS__),
#define KEY_BOOL(...) CONFIG_ROW_BOOL(KEY_OWNER, __VA_ARGS__),
#define KEY_BOOL_WORDS(...) CONFIG_ROW_BOOL_WORDS(KEY_OWNER, __VA_ARGS__),
#define KEY_CHOICE(...) CONFIG_ROW_CHOICE(KEY_OWNER, __VA_ARGS__),
#define KEY_TEXT(...) CONFIG_ROW_TEXT(KEY_OWNER, __VA_ARGS__),

// The row of a key, -1 when there is none. Thread: any.
// Whole keys only: `clock` does not find `clock.move_ms`.
int config_key_find(ConfigKeyTable table, const char *key);

// Does a key of the table begin with "key."? `clock: {}` then is an empty group. Thread: any.
bool config_key_is_group(ConfigKeyTable table, const char *key);

// "unknown key 'jbos', nearest is 'jobs'" at the key of the setting, among the keys of the table
// and of `more` (which may be empty). Returns STATUS_INVALID. Thread: owner of `err`.
Status config_key_unknown(ConfigKeyTable table, ConfigKeyTable more, const Setting *setting,
                          ErrorText *err) MUST_CHECK;

// Fills the fields of all rows but the special ones with their defaults. The old values are not
// freed. Thread: owner.
// Texts are copies, so that every text of a struct may be freed alike.
Status config_keys_default(ConfigKeyTable table, void *object, ErrorText *err) MUST_CHECK;

// Sets the field of a row (which is no special one) from a setting; the field is untouched on
// failure. Thread: owner.
Status config_key_set(const ConfigKey *row, const Setting *setting, void *object,
                      ErrorText *err) MUST_CHECK;

// Appends the value of the field as text that config_key_set reads back; a missing text is "".
// Thread: owner of `out`.
// Special rows write nothing; their owner knows how.
void config_key_write(const ConfigKey *row, const void *object, Text *out);

// Appends what the key takes, in words: "a whole number 1..64", "yes or no", "one of a|b". Thread:
// owner of `out`.
void config_key_write_expected(const ConfigKey *row, Text *out);
