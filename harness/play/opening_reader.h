// SPDX-License-Identifier: GPL-3.0-or-later
// Reads sets of openings from the files that people have, whatever wrote them.
//
// One opening a line; blank lines and comments (# ; //) are skipped, LF, CRLF and CR end lines, a
// byte order mark is ignored. Formats, black first in all:
//
//   pos     h8i9j10, also with blanks or commas between; `-` alone is the empty board
//   offset  x,y, x,y, ... from cell (width / 2, height / 2), y downwards; blanks and trailing
//   commas do not matter
//           (c-gomoku-cli, Piskvork, Gomocup)
//   psq     a game file of Piskvork: its moves are one opening; several may follow each other
//   jsonl   an array of [x, y], or an object with `coordinates`, `moves` or `stones` ([x, y, 1
//   black | 2 white]);
//           counted from the top left, or from the centre if the file holds a negative number
//   tsv     a table with tabs or commas whose header names a column `moves` in pos notation, or one
//   with tabs and
//           no header and squares in a column
//   auto    the first line decides
//
// Faults are reported as file:line: what, and leave no half-read set behind.
#pragma once

#include "harness/play/opening.h"
#include "harness/record/experiment.h"

// Adds all openings of a file to the set. STATUS_NOT_FOUND when it cannot be read; STATUS_INVALID
// for a fault in it, for no opening at all; STATUS_NO_MEMORY. The set must be released, not used,
// after a failure. Thread: owner.
Status opening_read_file(OpeningSet *set, const char *path, OpeningFormat format, RowOrder rows,
                         ErrorText *err) MUST_CHECK;

// A text in memory, as it would stand in a file.
typedef struct OpeningText {
    const char *name;  // for messages
    const char *bytes; // borrowed; may hold any byte
    size_t length;
    OpeningFormat format;
    RowOrder rows;
} OpeningText;

// The same from memory. Thread: owner.
Status opening_read_text(OpeningSet *set, const OpeningText *text, ErrorText *err) MUST_CHECK;
