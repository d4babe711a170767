// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a stream of bytes into lines.
#include "engine/proto/line_buffer.h"

#include <string.h>

// One byte stays free for the NUL of line_buffer_last.
enum { USABLE = LINE_BUFFER_CAP - 1 };

void line_buffer_clear(LineBuffer *buffer) {
    buffer->start = buffer->end = buffer->scanned = 0;
    buffer->is_skipping = false;
}

char *line_buffer_space(LineBuffer *buffer, size_t *room) {
    if (buffer->start > 0) {
        memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->end - buffer->start);
        buffer->end -= buffer->start;
        buffer->scanned -= buffer->start;
        buffer->start = 0;
    }
    // line_buffer_next leaves a full buffer only when it has handed out the cut line, so there is
    // always room then.
    if (buffer->end == USABLE)
        line_buffer_clear(buffer);
    *room = USABLE - buffer->end;
    return buffer->bytes + buffer->end;
}

void line_buffer_commit(LineBuffer *buffer, size_t count) { buffer->end += count; }

static const char *find_end(const char *from, size_t count) {
    const char *lf = memchr(from, '\n', count);
    const char *cr = memchr(from, '\r', lf ? (size_t)(lf - from) : count);
    return cr ? cr : lf;
}

bool line_buffer_next(LineBuffer *buffer, const char **line, size_t *length) {
    for (;;) {
        char *from = buffer->bytes + buffer->start;
        const char *end = find_end(buffer->bytes + buffer->scanned, buffer->end - buffer->scanned);
        if (!end) {
            buffer->scanned = buffer->end;
            bool is_full = buffer->start == 0 && buffer->end == USABLE;
            if (buffer->is_skipping) {
                buffer->start = buffer->scanned = buffer->end = 0;
                return false;
            }
            if (!is_full)
                return false;
            *line = from;
            *length = USABLE;
            from[USABLE] = '\0';
            buffer->start = buffer->end;
            buffer->is_skipping = true;
            return true;
        }
        size_t at = (size_t)(end - buffer->bytes);
        bool was_skipping = buffer->is_skipping;
        buffer->is_skipping = false;
        buffer->start = buffer->scanned = at + 1;
        if (was_skipping)
            continue;
        buffer->bytes[at] = '\0';
        *line = from;
        *length = (size_t)(end - from);
        return true;
    }
}

bool line_buffer_last(LineBuffer *buffer, const char **line, size_t *length) {
    if (buffer->is_skipping || buffer->start == buffer->end)
        return false;
    *line = buffer->bytes + buffer->start;
    *length = buffer->end - buffer->start;
    buffer->bytes[buffer->end] = '\0';
    buffer->start = buffer->scanned = buffer->end;
    return true;
}
