// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab import`: games of other programs into a database.
#include "engine/base/check.h"
#include "engine/base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/file_path.h"
#include "harness/record/game_format.h"
#include "harness/store/store_import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ImportOptions {
    const char *database, *name;
    OptionList files;
    int rule, format;
} ImportOptions;

enum { IMPORT_AUTO, IMPORT_PSQ, IMPORT_SGF };

static const Option OPTIONS[] = {
    OPTION_ARG(ImportOptions, database, "DB", "the database to make or to add to"),
    OPTION_ARGS(ImportOptions, files, "FILE", "files of games; - is standard input"),
    OPTION_CHOICE(ImportOptions, format, "--format", "auto|psq|sgf", IMPORT_AUTO,
                  "what the files are"),
    OPTION_CHOICE(ImportOptions, rule, "--rule", "freestyle|standard", RULE_FREESTYLE,
                  "the rule that decides the games; files that say another are left out"),
    OPTION_TEXT(ImportOptions, name, "--name", "NAME", "that of the file",
                "name of the experiment when the database is made"),
};

// The database is made with the first good game, whose board it takes: a run over bad files leaves
// none.
typedef struct Import {
    const ImportOptions *options;
    Store *store; // NULL: no game yet
    const char *file;
    int64_t games, skipped;
} Import;

// A compiler's form, file:line: what, which editors jump to.
static void complain(void *ctx, int line, const char *what) {
    Import *import = ctx;
    fprintf(stderr, "%s:%d: %s; left out\n", import->file, line, what);
    import->skipped++;
}

// The name of the experiment: "results/cup.db" -> "cup".
static Status open_database(Import *import, const GameRecord *first, ErrorText *err) {
    const char *path = import->options->database;
    char *stem = path_stem(path);
    if (!stem)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    StoreImportSetup setup = {.path = path,
                              .name = import->options->name ? import->options->name : stem,
                              .version = version_string(),
                              .rule = (Rule)import->options->rule,
                              .width = first->width,
                              .height = first->height};
    Status status = store_import_open(&setup, &import->store, err);
    free(stem);
    return status;
}

static Status take_settled(Import *import, GameSheet *sheet, ErrorText *err) {
    Status status = import->store ? STATUS_OK : open_database(import, sheet->record, err);
    if (!status)
        status = store_import_add(import->store, sheet->record, sheet->black, sheet->white, err);
    // Counted now, stored at the end: the number is printed only when all are.
    import->games += status == STATUS_OK;
    return status;
}

// Takes over the sheet. A fault of one game is a line on standard error and the next game; only
// what stops everything (memory, disk) is a failure.
static Status take(void *ctx, GameSheet *sheet, ErrorText *err) {
    Import *import = ctx;
    Rule rule = (Rule)import->options->rule;
    ErrorText fault = {0};
    Status status;
    // One database has one rule. Replaying a game by another could move its end.
    if (sheet->has_rule && sheet->rule != rule) {
        error_set(&fault, STATUS_CONFLICT, "played by the %s rule, not %s (--rule)",
                  rule_name(sheet->rule), rule_name(rule));
        complain(import, sheet->line, fault.text);
        status = STATUS_OK;
    } else {
        status = game_sheet_settle(sheet, rule, &fault);
        // Settling plays the game through: it finds moves that are none, stones after the end, and
        // results that the board contradicts.
        if (status == STATUS_INVALID) {
            complain(import, sheet->line, fault.text);
            status = STATUS_OK;
        } else if (status) {
            *err = fault;
        } else {
            status = take_settled(import, sheet, err);
        }
    }
    game_sheet_free(sheet);
    return status;
}

// Whole, since the format is told by the contents and both readers work on text in memory.
static Status read_all(const char *path, Text *out, ErrorText *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rbe");
    if (!file)
        return error_set(err, STATUS_NOT_FOUND, "%s: %s", path, strerror(errno));
    char block[1 << 14];
    size_t count;
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        text_append_bytes(out, block, count);
    bool failed = ferror(file);
    if (!is_stdin)
        fclose(file);
    if (failed)
        return error_set(err, STATUS_NOT_FOUND, "%s: cannot be read", path);
    return out->failed ? error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path) : STATUS_OK;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static GameFormat format_of(const ImportOptions *options, const char *path, const Text *text) {
    if (options->format != IMPORT_AUTO)
        return options->format == IMPORT_PSQ ? GAME_FORMAT_PSQ : GAME_FORMAT_SGF;
    GameFormat guess = game_format_guess(text_cstr(text), text->length);
    // A file that is damaged at its beginning is not recognised by its contents: the reader of what
    // it claims to be gives the better message.
    if (guess == GAME_FORMAT_NB && ends_with(path, ".psq"))
        guess = GAME_FORMAT_PSQ; // says what is wrong with it
    if (guess == GAME_FORMAT_NB && ends_with(path, ".sgf"))
        guess = GAME_FORMAT_SGF;
    return guess;
}

static Status import_file(Import *import, const char *path, ErrorText *err) {
    Text text = {0};
    import->file = path;
    Status status = read_all(path, &text, err);
    if (!status) {
        GameFormat format = format_of(import->options, path, &text);
        SheetTaker taker = {take, complain, import};
        // Line 1, for want of a better one: nothing of it was understood.
        if (format == GAME_FORMAT_NB)
            complain(import, 1, "neither PSQ nor SGF");
        else
            status = game_format(format)->read(text_cstr(&text), text.length, &taker, err);
        // A file that cannot be read is like a game that cannot: among a thousand names one may be
        // wrong.
    } else if (status == STATUS_NOT_FOUND) {
        fprintf(stderr, "%s; left out\n", err->text);
        import->skipped++;
        status = STATUS_OK;
    }
    text_release(&text);
    return status;
}

static int run(const void *values) {
    const ImportOptions *options = values;
    ErrorText err = {0};
    Import import = {.options = options};
    Status status = STATUS_OK;
    for (int i = 0; i < options->files.count && !status; i++)
        status = import_file(&import, options->files.items[i], &err);
    // Games are committed here and not before: an import that fails adds none.
    if (!status && import.store)
        status = store_import_finish(import.store, &err);
    store_close(import.store);
    // A script that imports nothing has most likely named the wrong files.
    if (!status && import.games == 0)
        status = error_set(&err, STATUS_INVALID, "no game was imported");
    if (status)
        return command_fail(status, &err);
    printf("%s: %lld game%s imported", options->database, (long long)import.games,
           text_plural(import.games));
    if (import.skipped)
        printf(", %lld left out", (long long)import.skipped);
    printf("\n");
    return EXIT_DONE;
}

const Command command_import = {
    .name = "import",
    .summary = "read games of other programs, PSQ or SGF, into a database",
    .details = "Games with a fault are reported by file and line and left out, the rest is kept. "
               "A five on the\nboard decides a game; one without a five needs a result in the "
               "file.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(ImportOptions),
    .run = run,
};
