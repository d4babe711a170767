// SPDX-License-Identifier: GPL-3.0-or-later
// The table of commands, and the way from argv to one of them.
#include "harness/cli/command.h"

#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "engine/base/version.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// In the order of commands.def, which is that of --help.
static const Command *const COMMANDS[] = {
#define COMMAND(x) &command_##x,
#include "harness/cli/commands.def"
#undef COMMAND
};

const Command *command_at(int index) {
    return index >= 0 && (size_t)index < ARRAY_LEN(COMMANDS) ? COMMANDS[index] : NULL;
}

// Without a default, so that a new Status makes the compiler ask what it means here.
int exit_status(Status status) {
    switch (status) {
    case STATUS_OK:
        return EXIT_DONE;
    case STATUS_INVALID:
    case STATUS_NOT_FOUND:
    case STATUS_CONFLICT:
    case STATUS_UNSUPPORTED:
        return EXIT_USAGE;
    // By a signal; what was finished is saved. 128 + SIGINT, as shells have it.
    case STATUS_STOPPED:
        return EXIT_INTERRUPTED;
    case STATUS_IO:
    case STATUS_NO_MEMORY:
    case STATUS_TIMEOUT:
    case STATUS_CRASH:
        return EXIT_CANNOT;
    }
    return EXIT_CANNOT;
}

int command_fail(Status status, const ErrorText *err) {
    fprintf(stderr, "%s\n", err->text[0] ? err->text : status_name(status));
    return exit_status(status);
}

int command_usage(const Command *command, const char *fmt, ...) {
    ErrorText err;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, args);
    va_end(args);
    error_wrap(&err, STATUS_INVALID, "gomolab %s", command->name);
    return command_fail(STATUS_INVALID, &err);
}

static int print_overview(void) {
    fputs("gomolab: a laboratory for Gomoku search engines\n\n"
          "usage: gomolab COMMAND [options]\n\ncommands:\n",
          stdout);
    for (size_t i = 0; i < ARRAY_LEN(COMMANDS); i++)
        printf("  %-14s%s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    fputs("\n`gomolab COMMAND --help` describes a command, `gomolab --version` names the build.\n"
          "exit status: 0 done, 1 the answer is no, 2 wrong usage or configuration, 3 could not go "
          "on,\n"
          "10 H0 accepted, 11 undecided, 130 interrupted (what was finished is saved)\n",
          stdout);
    return EXIT_DONE;
}

// To standard output: help that was asked for is a result, and can be piped to a pager.
static int print_help(const Command *command) {
    Text text = {0};
    text_printf(&text, "usage: gomolab %s ", command->name);
    options_write_usage(&command->options, &text);
    text_printf(&text, "\n\n%s\n\n", command->summary);
    options_write_help(&command->options, &text);
    if (command->details)
        text_printf(&text, "\n%s", command->details);
    fputs(text_cstr(&text), stdout);
    text_release(&text);
    return EXIT_DONE;
}

static int unknown_command(const char *name) {
    const char *names[ARRAY_LEN(COMMANDS)];
    for (size_t i = 0; i < ARRAY_LEN(COMMANDS); i++)
        names[i] = COMMANDS[i]->name;
    ErrorText err;
    Status status = STATUS_INVALID;
    // Options stand behind the command; a nearest command would not help.
    if (name[0] == '-')
        error_set(&err, status, "gomolab: unknown option '%s'; `gomolab --help` lists the commands",
                  name);
    else
        error_set(
            &err, status, "gomolab: unknown command '%s'%s", name,
            nearest_hint(name, names, ARRAY_LEN(COMMANDS), "; `gomolab --help` lists them").text);
    return command_fail(status, &err);
}

// The values are zeroed memory of the size that the command names; only its own code knows the
// struct.
static int command_execute(const Command *command, int argc, char **argv) {
    void *values = calloc(1, command->values_size ? command->values_size : 1);
    ErrorText err = {0};
    if (!values)
        return command_fail(error_set(&err, STATUS_NO_MEMORY, "out of memory"), &err);
    int result;
    Status status = options_parse(&command->options, argc, argv, values, &err);
    if (status == STATUS_OK)
        result = command->run(values);
    else if (status == STATUS_STOPPED)
        result = print_help(command);
    else
        result = command_fail(error_wrap(&err, status, "gomolab %s", command->name), &err);
    // In every case: parsing may fail with some of the lists made.
    options_release(&command->options, values);
    free(values);
    return result;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        ErrorText err;
        return command_fail(
            error_set(&err, STATUS_INVALID, "gomolab: no command; `gomolab --help` lists them"),
            &err);
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        (strcmp(name, "help") == 0 && argc == 2))
        return print_overview();
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("gomolab %s\n", version_string());
        return EXIT_DONE;
    }
    // `gomolab help run` and `gomolab run --help` are the same page.
    bool wants_help = strcmp(name, "help") == 0;
    for (size_t i = 0; i < ARRAY_LEN(COMMANDS); i++)
        if (strcmp(COMMANDS[i]->name, argv[1 + wants_help]) == 0)
            return wants_help ? print_help(COMMANDS[i])
                              : command_execute(COMMANDS[i], argc - 2, argv + 2);
    return unknown_command(argv[1 + wants_help]);
}

// Has the reader of standard output gone away (`gomolab keys | head -1`)?
// That is no failure: nobody is left to read the rest.
static bool reader_is_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int command_main(int argc, char **argv) {
    int result = dispatch(argc, argv);
    // ferror may tell of a write long ago, whose reason is lost; 0 then says that none is known.
    errno = 0;
    // Results that could not be written are a failure of the command, whatever it returned:
    // `gomolab report > /dev/full` must not end with 0.
    bool failed = fflush(stdout) != 0;
    int cause = failed ? errno : 0;
    if ((failed || ferror(stdout)) && cause != EPIPE && !reader_is_gone()) {
        fprintf(stderr, "gomolab: standard output: %s\n",
                cause ? strerror(cause) : "could not be written");
        return EXIT_CANNOT;
    }
    return result;
}
