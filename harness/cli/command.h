// SPDX-License-Identifier: GPL-3.0-or-later
// A command of the program: its name, its options, its function; and the table of them all.
//
// A new command is one file cmd_x.c, which defines `const Command command_x`, and one row in
// commands.def. Parsing the options, --help and messages about wrong usage come from the tables;
// the function gets values that are in range. It writes results to standard output only; progress,
// warnings and errors go to standard error.
#pragma once

#include "engine/base/status.h"
#include "harness/cli/options.h"

// Exit statuses of the program.
enum {
    EXIT_DONE = 0,
    EXIT_ANSWER_NO = 1, // a difference was found, a replay differs
    EXIT_USAGE = 2,     // wrong usage or configuration
    EXIT_CANNOT =
        3, // the run could not go on: disk full, an engine that cannot be executed, out of memory
    // Apart from the small numbers, so that a script cannot take a verdict for a failure.
    EXIT_H0 = 10,        // sequential test: the null hypothesis was accepted
    EXIT_UNDECIDED = 11, // sequential test: neither was
    EXIT_INTERRUPTED = 130,
};

// One command. Its struct of values is zeroed memory of values_size, filled by the table of options
// before `run` is called, and freed afterwards; strings in it are argv's.
// Defined by cmd_x.c as a constant; nothing of it is owned or changed.
typedef struct Command {
    const char *name;    // "run"
    const char *summary; // one line, for `gomolab --help`
    const char *details; // what `gomolab run --help` says below the options; ends with a newline;
                         // may be NULL
    OptionTable options;
    size_t values_size;             // sizeof the struct that the options point into
    int (*run)(const void *values); // returns an exit status
} Command;

#define COMMAND(x) extern const Command command_##x;
#include "harness/cli/commands.def"
#undef COMMAND

// The exit status that goes with a Status: the same failure has the same one in every command.
// Thread: any.
int exit_status(Status status);

// Prints the text to standard error as one line and returns the exit status of `status`: the usual
// end of a command that failed. Thread: any.
// An empty text is replaced by the name of the status: no failure is silent.
int command_fail(Status status, const ErrorText *err);

// Prints "gomolab NAME: ..." for options that do not go together, and returns EXIT_USAGE. Thread:
// any.
int command_usage(const Command *command, const char *fmt, ...) PRINTF_LIKE(2, 3);

// The table: `index` 0.. ; NULL after the last. Thread: any.
// For tests and for whoever lists commands; the order is that of `gomolab --help`.
const Command *command_at(int index);

// Runs `gomolab argv[1] argv[2] ...` and returns the exit status. Results that cannot be written to
// standard output are an error (EXIT_CANNOT), a reader that has gone away is none. Thread: main.
int command_main(int argc, char **argv);
