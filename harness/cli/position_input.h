// SPDX-License-Identifier: GPL-3.0-or-later
// The options that name positions: a file of them or one by its moves, the rule, the board.
#pragma once

#include "harness/cli/options.h"
#include "harness/record/positions.h"

// Just as given, NULL for what was not; `board` is the side, used where a file does not say.
typedef struct PositionInput {
    const char *position, *file, *rule;
    int64_t board;
} PositionInput;

// Rows for the table of a command whose struct `S` has a PositionInput `field`.
// Shared by commands, so that positions are named the same way everywhere.
#define POSITION_INPUT_OPTIONS(S, field)                                                           \
    OPTION_TEXT(S, field.position, "--position", "MOVES", NULL,                                    \
                "one position by its moves, \"h8 i9 ...\", `-` for the empty board"),              \
        OPTION_TEXT(S, field.file, "--file", "FILE", NULL,                                         \
                    "positions of a TSV file, `-` for stdin"),                                     \
        OPTION_TEXT(S, field.rule, "--rule", "RULE", "freestyle", "rule of the game"),             \
        OPTION_INT(S, field.board, "--board", "N", 15, BOARD_MIN_SIDE, BOARD_MAX_SIDE, NULL,       \
                   "board of N x N where a file has no `board` column")

// Reads what the options name. Prints a note to standard error when stone counts are such as no
// game reaches. `command` is the command's name, for messages. The list is the caller's:
// positions_release. Thread: main.
// Exactly one of --position and --file must be given; STATUS_INVALID otherwise, or when the file
// cannot be understood, with file and line.
Status position_input_read(const PositionInput *input, const char *command, PositionList *out,
                           Rule *rule, ErrorText *err) MUST_CHECK;

// Prints a note to standard error when stone counts are such as no game reaches. Thread: main.
void position_note_unusual(const char *command, const char *file, const PositionList *list);

// Puts where a position stands in front of what is wrong with it: "file:line: position ID: ", or
// "--position: ". Returns `status`. Thread: any.
Status position_input_fault(const PositionInput *input, const Position *position, Status status,
                            ErrorText *err) MUST_CHECK;
