// SPDX-License-Identifier: GPL-3.0-or-later
// The options of a command as one table: it drives parsing, --help and every message about wrong
// usage.
//
// A command has a struct for its values and a table of rows that point into it, each made by one of
// the macros below, which refuse (at compile time) a field of another type than the row needs:
//
//     typedef struct RunOptions {
//         const char *experiment;
//         int64_t jobs;
//         OptionList set;
//         bool fresh;
//     } RunOptions;
//     static const Option OPTIONS[] = {
//         OPTION_ARG(RunOptions, experiment, "EXPERIMENT", "the experiment to play"),
//         OPTION_INT(RunOptions, jobs, "--jobs", "N", 0, 1, 1024, "all cores", "play N at once"),
//         OPTION_LIST(RunOptions, set, "--set", "KEY=VALUE", "change a knob"),
//         OPTION_FLAG(RunOptions, fresh, "--fresh", "rename the old database first"),
//     };
//
// Both `--jobs 2` and `--jobs=2` are read; an option without list type that is given twice keeps
// the last value; one that needs another is refused without it; `--` ends the options; options may
// follow arguments. Values are borrowed from argv.
#pragma once

#include "engine/base/status.h"
#include "engine/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Words in the order of the command line.
typedef struct OptionList {
    const char **items; // owned by the values, freed by options_release; the strings are argv's
    int count;
} OptionList;

// Each type has one C type for its field, which the macros below check.
typedef enum OptionType {
    OPTION_TYPE_FLAG,   // bool
    OPTION_TYPE_INT,    // int64_t
    OPTION_TYPE_REAL,   // double
    OPTION_TYPE_TEXT,   // const char *, NULL = not given and no default
    OPTION_TYPE_CHOICE, // int, index into the choices
    OPTION_TYPE_LIST    // OptionList
} OptionType;

// A row of the table; made by the macros below only.
typedef struct Option {
    const char *name; // "--jobs"; a name without dashes is an argument ("EXPERIMENT")
    OptionType type;
    size_t offset;            // of the field in the command's struct of values
    const char *value_name;   // "N", "FILE"; NULL for a flag
    const char *help;         // one line: verb and unit
    const char *default_text; // shown by --help; NULL = none is shown
    // Doubles for all types: whole numbers are exact up to 2^53, and no range needs more.
    double initial, low, high; // of int and real; `initial` is also the index of a choice; of a
                               // list, `low` words follow each time (0: one)
    const char *choices;       // "text|md|csv" of a choice
    bool is_optional;          // of an argument
} Option;

// offsetof, refusing a field of another type.
// The comparison of pointers is never evaluated; it makes compilers complain about another type.
#define OPTION_FIELD(S, field, T) (offsetof(S, field) + 0 * sizeof(&((S *)0)->field == (T *)0))
// Of all macros: S is the struct of values, `field` one of its fields, `value` what stands for the
// value in the help ("N"), `help` one line that begins with a verb and names the unit. An option
// that is not given leaves its field at the default of its kind.
//
// A flag: false unless it is given; takes no value.
#define OPTION_FLAG(S, field, name, help)                                                          \
    { name, OPTION_TYPE_FLAG, OPTION_FIELD(S, field, bool), NULL, help, NULL, 0, 0, 0, NULL, true }
// `shown` is how --help words the default; NULL prints the number `initial`. `initial` may lie
// outside lo..hi ("not given").
#define OPTION_INT(S, field, name, value, initial, lo, hi, shown, help)                            \
    {                                                                                              \
        name, OPTION_TYPE_INT, OPTION_FIELD(S, field, int64_t), value, help, shown, initial, lo,   \
            hi, NULL, true                                                                         \
    }
#define OPTION_REAL(S, field, name, value, initial, lo, hi, shown, help)                           \
    {                                                                                              \
        name, OPTION_TYPE_REAL, OPTION_FIELD(S, field, double), value, help, shown, initial, lo,   \
            hi, NULL, true                                                                         \
    }
// `shown` is worded by --help only; the field stays NULL when the option is not given.
#define OPTION_TEXT(S, field, name, value, shown, help)                                            \
    {                                                                                              \
        name, OPTION_TYPE_TEXT, OPTION_FIELD(S, field, const char *), value, help, shown, 0, 0, 0, \
            NULL, true                                                                             \
    }
// One of the words of `choices`; the field gets its index.
#define OPTION_CHOICE(S, field, name, choices, initial, help)                                      \
    {                                                                                              \
        name, OPTION_TYPE_CHOICE, OPTION_FIELD(S, field, int), NULL, help, NULL, initial, 0, 0,    \
            choices, true                                                                          \
    }
// May be given many times, each time with one word more; empty when it is not given.
#define OPTION_LIST(S, field, name, value, help)                                                   \
    {                                                                                              \
        name, OPTION_TYPE_LIST, OPTION_FIELD(S, field, OptionList), value, help, NULL, 0, 0, 0,    \
            NULL, true                                                                             \
    }
// An option followed by exactly `count` words: `--wdl 120 30 90`. `value` names them all ("WINS
// DRAWS LOSSES").
#define OPTION_WORDS(S, field, name, value, count, help)                                           \
    {                                                                                              \
        name, OPTION_TYPE_LIST, OPTION_FIELD(S, field, OptionList), value, help, NULL, 0, count,   \
            count, NULL, true                                                                      \
    }
// Arguments, in their order: one that must be there, one that may be missing, one or more (the last
// row of arguments).
#define OPTION_ARG(S, field, name, help)                                                           \
    {                                                                                              \
        name, OPTION_TYPE_TEXT, OPTION_FIELD(S, field, const char *), NULL, help, NULL, 0, 0, 0,   \
            NULL, false                                                                            \
    }
#define OPTION_ARG_OPTIONAL(S, field, name, help)                                                  \
    {                                                                                              \
        name, OPTION_TYPE_TEXT, OPTION_FIELD(S, field, const char *), NULL, help, NULL, 0, 0, 0,   \
            NULL, true                                                                             \
    }
#define OPTION_ARGS(S, field, name, help)                                                          \
    {                                                                                              \
        name, OPTION_TYPE_LIST, OPTION_FIELD(S, field, OptionList), NULL, help, NULL, 0, 0, 0,     \
            NULL, false                                                                            \
    }
#define OPTION_ARGS_OPTIONAL(S, field, name, help)                                                 \
    {                                                                                              \
        name, OPTION_TYPE_LIST, OPTION_FIELD(S, field, OptionList), NULL, help, NULL, 0, 0, 0,     \
            NULL, true                                                                             \
    }

// An option that does nothing unless another one is given: giving it alone is wrong usage, not
// silence.
typedef struct OptionNeed {
    const char *option; // "--alpha"
    const char *needs;  // "--sprt", or "--errors=bootstrap" for a choice
} OptionNeed;

// Everything in it is constant and may be shared by threads.
typedef struct OptionTable {
    const Option *rows;
    int count;
    const OptionNeed *needs; // NULL = none
    int need_count;
} OptionTable;

// Reads argv[0..argc-1] (what follows the command's name) into the zeroed struct `values`, defaults
// first. STATUS_INVALID and one line in *err for wrong usage. STATUS_STOPPED when --help (or -h)
// was among them: nothing else is judged then. options_release(values) is due in every case.
// Thread: owner.
Status options_parse(const OptionTable *table, int argc, char **argv, void *values,
                     ErrorText *err) MUST_CHECK;

// Frees the lists inside `values`; their strings are argv's and stay. Thread: owner.
void options_release(const OptionTable *table, void *values);

// Appends "EXPERIMENT [--db FILE] ...": arguments first. Thread: owner of `out`.
void options_write_usage(const OptionTable *table, Text *out);

// Appends one line an argument and option: what it does, its choices or range, its default. Thread:
// owner of `out`.
void options_write_help(const OptionTable *table, Text *out);
