// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab export`: the games of a database as files that other programs read.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/new_file.h"
#include "harness/record/game_format.h"
#include "harness/store/store_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct ExportOptions {
    const char *database, *out, *dir;
    int format;
    OptionList games;
} ExportOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(ExportOptions, database, "DB", "the database"),
    OPTION_CHOICE(ExportOptions, format, "--format", GAME_FORMATS, GAME_FORMAT_PSQ,
                  "how to write the games"),
    OPTION_TEXT(ExportOptions, out, "--out", "FILE", "standard output", "write all games to FILE"),
    OPTION_TEXT(ExportOptions, dir, "--dir", "DIR", NULL,
                "write each game to a file of its own, DIR/SLOT.psq and so on"),
    OPTION_LIST(ExportOptions, games, "--game", "SLOT", "only this game"),
};

// One sheet and one buffer serve all games, so that memory does not grow with the database.
typedef struct Export {
    const ExportOptions *options;
    const GameFormatInfo *format;
    Store *store;
    FILE *file; // NULL: a file a game
    NewFile out;
    GameSheet sheet;
    Text text;
} Export;

static Status write_out(FILE *file, const Text *text, const char *name, ErrorText *err) {
    if (text->failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (fwrite(text_cstr(text), 1, text->length, file) != text->length)
        return error_set(err, STATUS_IO, "%s: cannot be written: %s", name, strerror(errno));
    return STATUS_OK;
}

// A file of its own for the game.
static Status write_file(Export *e, ErrorText *err) {
    Text path = {0};
    // Six digits, so that a listing by name is one by slot.
    text_printf(&path, "%s/%06lld.%s", e->options->dir, (long long)e->sheet.record->slot,
                e->format->name);
    NewFile file = {0};
    Status status = path.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                                : new_file_open(&file, text_cstr(&path), err);
    if (!status)
        status = write_out(file.stream, &e->text, text_cstr(&path), err);
    status = new_file_close(&file, status, err);
    text_release(&path);
    return status;
}

static Status export_game(Export *e, GameRecord *record, ErrorText *err) {
    text_clear(&e->text);
    e->sheet.record = record;
    e->sheet.black = store_player(e->store, record->black)->name;
    e->sheet.white = store_player(e->store, record->white)->name;
    // A file a game: each has to be whole by itself.
    if (!e->file && e->format->write_header)
        e->format->write_header(&e->text);
    e->format->write(&e->sheet, &e->text);
    return e->file ? write_out(e->file, &e->text, e->options->out ? e->options->out : "output", err)
                   : write_file(e, err);
}

// In the order of the command line. A game that is not there ends the export: a script that asks
// for slots by number should not get fewer without a word.
static Status export_listed(Export *e, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < e->options->games.count && !status; i++) {
        const char *text = e->options->games.items[i];
        GameRecord *record = NULL;
        int64_t slot;
        if (!text_parse_int(text, 0, INT64_MAX, &slot))
            return error_set(err, STATUS_INVALID, "--game: '%s', expected the slot of a game",
                             text);
        status = store_load_game(e->store, slot, &record, err);
        if (!status)
            status = export_game(e, record, err);
        game_record_free(record);
    }
    return status;
}

// One game in memory at a time, whatever the size of the database.
static Status export_all(Export *e, ErrorText *err) {
    StoreCursor *cursor = NULL;
    bool found = true;
    Status status = store_games_open(e->store, 0, &cursor, err);
    while (!status && found) {
        GameRecord *record = NULL;
        status = store_games_next_full(cursor, &record, &found, err);
        if (!status && found)
            status = export_game(e, record, err);
        game_record_free(record);
    }
    store_cursor_close(cursor);
    return status;
}

// A slip of the hand must not turn the only copy of the games into text.
static Status open_out(Export *e, ErrorText *err) {
    struct stat out, database;
    if (stat(e->options->out, &out) == 0 && stat(e->options->database, &database) == 0 &&
        out.st_dev == database.st_dev && out.st_ino == database.st_ino)
        return error_set(err, STATUS_INVALID, "%s: --out is the database itself, expected another",
                         e->options->out);
    return new_file_open(&e->out, e->options->out, err);
}

static Status export_open(Export *e, ErrorText *err) {
    const ExportOptions *options = e->options;
    const StoreExperiment *experiment = store_experiment(e->store);
    e->sheet = (GameSheet){.event = experiment->name, .rule = experiment->rule, .k = experiment->k};
    // The day alone, which is what all formats have a place for.
    e->sheet.date = strndup(experiment->started_at, strcspn(experiment->started_at, "T"));
    if (!e->sheet.date)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    // A folder that is there is used; parents are not made, as a typing error would make a tree of
    // them.
    if (options->dir && mkdir(options->dir, 0777) && errno != EEXIST)
        return error_set(err, STATUS_INVALID, "%s: folder cannot be made: %s", options->dir,
                         strerror(errno));
    if (options->dir)
        return STATUS_OK;
    Status status = options->out ? open_out(e, err) : STATUS_OK;
    if (status)
        return status;
    e->file = options->out ? e->out.stream : stdout;
    // Now, so that a database without games gives a file that readers of the format accept.
    if (e->format->write_header)
        e->format->write_header(&e->text);
    return write_out(e->file, &e->text, options->out ? options->out : "output", err);
}

static int run(const void *values) {
    const ExportOptions *options = values;
    ErrorText err = {0};
    Export e = {.options = options, .format = game_format((GameFormat)options->format)};
    if (options->dir && options->out)
        return command_usage(&command_export, "--out and --dir together, expected one");
    Status status = store_open(options->database, &e.store, &err);
    if (!status)
        status = export_open(&e, &err);
    if (!status)
        status = options->games.count ? export_listed(&e, &err) : export_all(&e, &err);
    status = new_file_close(&e.out, status, &err);
    text_release(&e.text);
    free(e.sheet.date);
    store_close(e.store);
    if (e.file == stdout && ferror(stdout))
        return EXIT_DONE; // command_main tells a reader that has enough from a full disk
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_export = {
    .name = "export",
    .summary = "write games as PSQ, SGF, CSV, JSON lines or PGN",
    .details =
        "psq and sgf keep all that is known of a game and can be imported again; csv has a row a\n"
        "stone, jsonl an object a game, with the names of the database. In pgn the result is of\n"
        "White and Black as rating programs take it: 1-0 means that White won.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(ExportOptions),
    .run = run,
};
