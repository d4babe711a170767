// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of games as one table: what each is called, how it is written, and read if it is.
#pragma once

#include "harness/record/game_sheet.h"

#define GAME_FORMATS "psq|sgf|csv|jsonl|pgn" // for option tables, in the order of the enum
// Formats that games are written in; PSQ and SGF are read as well.
// The order is that of GAME_FORMATS.
typedef enum GameFormat {
    GAME_FORMAT_PSQ,
    GAME_FORMAT_SGF,
    GAME_FORMAT_CSV,
    GAME_FORMAT_JSONL,
    GAME_FORMAT_PGN,
    GAME_FORMAT_NB
} GameFormat;

// A format as a row: adding one is adding a row and its two functions.
// write_header comes once a file, before the first game; write once a game.
typedef struct GameFormatInfo {
    const char *name;                // also the extension of its files
    void (*write_header)(Text *out); // NULL: none
    void (*write)(const GameSheet *sheet, Text *out);
    // NULL: is not read. See psq_read.
    Status (*read)(const char *text, size_t length, const SheetTaker *taker, ErrorText *err);
} GameFormatInfo;

// The row of a format. Thread: any.
const GameFormatInfo *game_format(GameFormat format);

// What a text looks like: PSQ or SGF by its first characters, GAME_FORMAT_NB when it is neither.
// Thread: any.
// `text` need not end with a NUL. A byte order mark and white space in front are passed over.
GameFormat game_format_guess(const char *text, size_t length);
