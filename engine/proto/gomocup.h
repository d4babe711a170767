// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the Gomocup protocol, both sides of it: commands built and read, replies read. No
// I/O, no state.
//
// Source: "Gomocup protocol, new version" (Petr Lastovicka, versions up to 2023), the Yixin
// extensions (Kai Sun), and what engines print in practice: any case, blanks around, text after a
// keyword, lines before START, bytes that are no text. Coordinates count from 0 at the top left, x
// to the right. Commands are built with LF ends: programs on POSIX that compare whole lines would
// not know "BEGIN\r"; both ends are read.
#pragma once

#include "engine/base/text.h"
#include "engine/board/board.h"

// --- replies of an engine

// What a line of an engine is.
typedef enum GomocupReplyKind {
    REPLY_BLANK,
    REPLY_OK,
    REPLY_ERROR,   // a known command that it cannot do
    REPLY_UNKNOWN, // a command that it does not know
    REPLY_MESSAGE,
    REPLY_DEBUG,
    REPLY_INFO,    // an extension: details of the search
    REPLY_SUGGEST, // x, y is the move that is suggested
    REPLY_MOVE,    // x, y, anywhere, also off the board
    REPLY_TEXT,    // anything else: no move where one was due
} GomocupReplyKind;

// A reply points into the line that was read, and is good for as long as that is.
typedef struct GomocupReply {
    GomocupReplyKind kind;
    int x, y;         // of a move or suggestion
    const char *text; // borrowed: what follows the keyword, or the line without blanks around it
    size_t length;    // of text
} GomocupReply;

// Classifies one line (without its end; may hold any bytes). A line that begins with a keyword is
// that, in any case and whatever follows; two integers with a comma and nothing else are a move;
// SUGGEST without coordinates is a message. Thread: any.
GomocupReply gomocup_read_reply(const char *line, size_t length);

// --- commands to an engine, appended to `out`

// START for a square board, else RECTSTART, as the protocol asks. Thread: owner of `out`.
void gomocup_write_start(Text *out, int width, int height);
// INFO key value. Thread: owner of `out`.
void gomocup_write_info(Text *out, const char *key, int64_t value);
// TURN x,y: the opponent's move, a cell of the board. Thread: owner of `out`.
void gomocup_write_turn(Text *out, const Board *board, Move move);
// PLAY x,y: the answer to a SUGGEST. Thread: owner of `out`.
void gomocup_write_play(Text *out, int x, int y);

// BOARD, every stone in the order it was played with 1 for `own` and 2 for the other colour, DONE.
// Thread: owner of `out`.
void gomocup_write_board(Text *out, const Board *board, Colour own);

// --- commands as an engine reads them

// What a line of a manager asks for. The letters are the numbers that follow the word.
typedef enum GomocupVerb {
    VERB_BLANK,
    VERB_START,     // a = size
    VERB_RECTSTART, // a, b = width, height
    VERB_RESTART,
    VERB_BEGIN,
    VERB_TURN,     // a, b = x, y
    VERB_PLAY,     // a, b
    VERB_TAKEBACK, // a, b
    VERB_BOARD,
    VERB_YXBOARD, // as BOARD, without an answer
    VERB_STONE,   // a line of numbers: a, b, and c = 1 own, 2 opponent
    VERB_DONE,
    VERB_INFO, // key, text
    VERB_ABOUT,
    VERB_END,
    VERB_STOP, // YXSTOP or STOP: answer now
    VERB_UNKNOWN,
} GomocupVerb;

// A command as it stands: whether its numbers make sense on a board is for the reader to say.
typedef struct GomocupCommand {
    GomocupVerb verb;
    int count;     // numbers read, 0..3: fewer or more than the verb needs is the sender's mistake
    int number[3]; // a, b, c
    bool is_clean; // nothing but blanks after them
    char key[32];  // of INFO, in lower case; "" when too long
    char text[64]; // of INFO: the value without blanks around it; "" when too long
} GomocupCommand;

// Reads one line (without its end). Any case; blanks may stand around every part. Thread: any.
GomocupCommand gomocup_read_command(const char *line, size_t length);
