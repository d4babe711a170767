// SPDX-License-Identifier: GPL-3.0-or-later
// One line of an openings file on its way to cells: what the readers of the formats share. Internal
// to opening_reader.
#pragma once

#include "engine/board/notation.h"

// Lives for a whole file: `count` is set back for each opening, the rest is what the file has told
// so far.
typedef struct OpeningLine {
    const Board *board;         // size and scratch, borrowed
    RowOrder rows;              // of squares
    bool from_centre;           // JSON counts from the centre
    bool in_moves;              // PSQ: between the header and the names
    int moves_field;            // table: column `moves`, -1 before the header was read
    char separator;             // table: tab or comma
    int cells[BOARD_MAX_CELLS]; // what was read
    int count;
} OpeningLine;

// Appends a cell; the set judges later whether it is on the board and free. STATUS_INVALID when
// there are more stones than any board has cells. Thread: owner.
Status opening_line_push(OpeningLine *line, int cell, ErrorText *err) MUST_CHECK;

// Appends column x and row y, from 0 at the top left. STATUS_INVALID when they are not on the
// board, whatever a file says (no overflow). Thread: owner.
Status opening_line_push_xy(OpeningLine *line, int64_t x, int64_t y, ErrorText *err) MUST_CHECK;

// Reads squares; STATUS_INVALID says which stone is wrong. Thread: owner.
Status opening_line_pos(OpeningLine *line, const char *text, ErrorText *err) MUST_CHECK;

// Reads one JSON value. Thread: owner.
Status opening_line_json(OpeningLine *line, const char *text, ErrorText *err) MUST_CHECK;

// Does a JSON text hold a negative coordinate? Then all of them count from the centre. Thread: any.
bool opening_json_is_from_centre(const char *bytes, size_t length);

// Reads one row of a table; the first may be a header, which names the column. Thread: owner.
Status opening_line_table(OpeningLine *line, const char *text, bool *is_header,
                          ErrorText *err) MUST_CHECK;

// Is this the header of a table with a column `moves`, or a row of one with squares in a field?
// Thread: any.
bool opening_table_has_moves(const char *text);
