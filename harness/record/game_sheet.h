// SPDX-License-Identifier: GPL-3.0-or-later
// A game as it stands in a file: the record, and what a database keeps elsewhere (names, rule,
// event).
//
// Every format of games (psq.h, sgf.h, pgn.h, game_csv.h, game_json.h) writes sheets, and some read
// them. What a format has no place for is written as fields, `key=value` separated by blanks, where
// the format allows a remark: `slot pair opening opening_plies result reason seed wall_us note
// event date round`, `black_` and `white_` `name dropped_lines idle_us idle_cpu_us` of a game, the
// columns of the table `move` of a move. So a game that goes out and comes in again is the same
// game.
#pragma once

#include "engine/board/rule.h"
#include "harness/record/game_record.h"

typedef struct GameSheet {
    GameRecord *record;  // owned. While it is read: result '\0' = not said, slot -1 = not said
    char *black, *white; // owned; names of the players
    char *event;         // owned; of games that say none themselves (record->source); NULL = none
    char *date;          // owned; the same, "2026-11-03", of games that were not imported
    Rule rule;
    bool has_rule;   // the file says the rule
    bool has_reason; // the file says why the game ended
    int k;           // stones in a row that win
    int draw_stones; // the game is a draw with that many stones; 0 = when the board is full
    int line;        // of the file, where the game begins, from 1
} GameSheet;

// An empty sheet on the heap, NULL when memory is out; freed by game_sheet_free, which accepts
// NULL. Thread: owner.
GameSheet *game_sheet_new(void);
void game_sheet_free(GameSheet *sheet); // frees all it owns

// Replaces an owned string of a sheet by a copy of `length` bytes, made UTF-8 (legacy_text.h);
// false when memory is out. Thread: owner.
bool game_sheet_set(char **field, const char *bytes, size_t length);

// Event and date to be written: the game's own or the sheet's; NULL when there is none. Thread:
// any.
const char *game_sheet_event(const GameSheet *sheet);
const char *game_sheet_date(const GameSheet *sheet); // as above
// Appends the round as it stands: the game's own, else its slot. Thread: owner of `out`.
void game_sheet_write_round(const GameSheet *sheet, Text *out);

// Plays the moves under `rule` and settles what the file left open: a five decides, a full board is
// a draw. STATUS_INVALID, with the ply, for moves that are no game (outside the board, on a stone,
// after the end), for a result that contradicts the board, and for a game without a result. Thread:
// owner.
Status game_sheet_settle(GameSheet *sheet, Rule rule, ErrorText *err) MUST_CHECK;

// Appends the fields of the game, or of a move (nothing when nothing is known of it), in one line.
// Thread: owner of `out`.
void game_fields_write(const GameRecord *record, Text *out);
void move_fields_write(const MoveRecord *move, Text *out); // the fields of a move
// Appends ` event=.. date=.. round=..`, what of it there is, for formats without a place for them.
// Thread: owner of `out`.
void source_fields_write(const GameSheet *sheet, Text *out);

// Appends ` key=name`, for names that a format has no room for as they are. Thread: owner of `out`.
void name_field_write(const char *key, const char *name, Text *out);

// Reads the fields of a game; keys that are not known are passed over. False when a value is no
// value of its key: the record is then half-read. Thread: owner.
bool game_fields_read(GameSheet *sheet, const char *text, size_t length);

// The same for the fields of a move; its pv is allocated. Thread: owner.
bool move_fields_read(MoveRecord *move, const char *text, size_t length);

// Where a reader hands what it finds. Thread: that of the reader.
typedef struct SheetTaker {
    // Takes ownership of a whole game. A failure ends the reading.
    Status (*take)(void *ctx, GameSheet *sheet, ErrorText *err);
    // A game that is none: where and why. The reader goes on with the next.
    void (*complain)(void *ctx, int line, const char *what);
    void *ctx; // borrowed
} SheetTaker;

// Hands over the game that a reader has collected, if there is one, and leaves NULL in its place.
// Players without a name get that of their colour. Thread: that of the reader.
Status sheet_taker_hand_over(const SheetTaker *taker, GameSheet **sheet, ErrorText *err) MUST_CHECK;
