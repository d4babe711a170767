// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in, lines out: for a pipe whose other end may do anything.
//
// A line ends with LF, CR or CRLF (the LF of a CRLF makes one blank line more, which the protocol
// ignores). Bytes are bytes: NUL and text that is not UTF-8 pass. A line longer than
// LINE_BUFFER_CAP - 1 is cut there and its rest skipped, so that a writer without newlines costs no
// memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Bytes: far more than a command or the variation of a long search takes.
enum { LINE_BUFFER_CAP = 16384 };

typedef struct LineBuffer { // zero-initialised is empty
    size_t start, end;      // unread bytes
    size_t scanned;         // start..scanned holds no line end
    bool is_skipping;       // inside the rest of a line that was cut
    char bytes[LINE_BUFFER_CAP];
} LineBuffer;

// Forgets everything. Thread: owner.
void line_buffer_clear(LineBuffer *buffer);

// Where to read into: a pointer to *room (>= 1) free bytes. Lines got before are no longer valid.
// Thread: owner.
char *line_buffer_space(LineBuffer *buffer, size_t *room);

// Says that `count` bytes were written there. Thread: owner.
void line_buffer_commit(LineBuffer *buffer, size_t count);

// The next whole line, without its end and NUL-terminated, valid until the next line_buffer_space;
// false when there is none yet. `line` may hold NULs: *length counts. Thread: owner.
bool line_buffer_next(LineBuffer *buffer, const char **line, size_t *length);

// What is left at the end of the stream, when its last line has no end; false when nothing is.
// Thread: owner.
bool line_buffer_last(LineBuffer *buffer, const char **line, size_t *length);
