// SPDX-License-Identifier: GPL-3.0-or-later
// Lines, formats and their detection; JSON and tables are in opening_json.c and opening_table.c.
#include "harness/play/opening_reader.h"

#include "engine/base/check.h"
#include "harness/play/opening_line.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

Status opening_line_push(OpeningLine *line, int cell, ErrorText *err) {
    if (line->count == BOARD_MAX_CELLS)
        return error_set(err, STATUS_INVALID, "more stones than a board has cells");
    line->cells[line->count++] = cell;
    return STATUS_OK;
}

Status opening_line_push_xy(OpeningLine *line, int64_t x, int64_t y, ErrorText *err) {
    const Board *board = line->board;
    if (x < 0 || y < 0 || x >= board->width || y >= board->height)
        return error_set(err, STATUS_INVALID,
                         "stone %d is outside the %dx%d board (column %lld, row %lld from the top)",
                         line->count + 1, board->width, board->height, (long long)x + 1,
                         (long long)y + 1);
    return opening_line_push(line, (int)(y * board->width + x), err);
}

// Length of the word at `text`, cut for quoting.
static int word_length(const char *text) {
    int length = 0;
    while (text[length] && !isspace((unsigned char)text[length]) && length < 24)
        length++;
    return length;
}

static bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';'; }

Status opening_line_pos(OpeningLine *line, const char *text, ErrorText *err) {
    if (strcmp(text, "-") == 0)
        return STATUS_OK;
    for (;;) {
        while (is_separator(*text))
            text++;
        if (!*text)
            return STATUS_OK;
        Move move;
        int used = notation_read_square(line->board, line->rows, text, &move);
        if (used == 0)
            return error_set(
                err, STATUS_INVALID,
                "stone %d: '%.*s' is no square, expected a letter and a number as in h8",
                line->count + 1, word_length(text), text);
        // A square, but not of this board: quote all its digits, at most what a message should
        // hold.
        if (used < 0) {
            used = 1;
            while (isdigit((unsigned char)text[used]))
                used++;
            return error_set(err, STATUS_INVALID, "stone %d: %.*s is outside the %dx%d board",
                             line->count + 1, used > 12 ? 12 : used, text, line->board->width,
                             line->board->height);
        }
        Status status = opening_line_push(line, move, err);
        if (status)
            return status;
        text += used;
    }
}

// Reads the next whole number of a list; 1 = read, 0 = the end, -1 = something else.
// Numbers beyond any board stop growing instead of overflowing; they are refused as outside later.
static int next_number(const char **text, int64_t *out) {
    while (is_separator(**text))
        (*text)++;
    if (!**text)
        return 0;
    const char *digits = *text + (**text == '-' || **text == '+');
    if (!isdigit((unsigned char)*digits))
        return -1;
    int64_t value = 0;
    const char *c = digits;
    for (; isdigit((unsigned char)*c); c++)
        value = value < 100000 ? value * 10 + (*c - '0') : value;
    if (*c && !is_separator(*c))
        return -1;
    *out = **text == '-' ? -value : value;
    *text = c;
    return 1;
}

static Status line_offsets(OpeningLine *line, const char *text, ErrorText *err) {
    for (;;) {
        int64_t xy[2];
        for (int i = 0; i < 2; i++) {
            int read = next_number(&text, &xy[i]);
            if (read == 0 && i == 0)
                return STATUS_OK;
            if (read == 0)
                return error_set(err, STATUS_INVALID, "stone %d has x %lld and no y",
                                 line->count + 1, (long long)xy[0]);
            if (read < 0)
                return error_set(err, STATUS_INVALID,
                                 "stone %d: '%.*s' is no number, expected offsets from the centre "
                                 "as in -1,3, 0,2",
                                 line->count + 1, word_length(text), text);
        }
        Status status = opening_line_push_xy(line, line->board->width / 2 + xy[0],
                                             line->board->height / 2 + xy[1], err);
        if (status)
            return status;
    }
}

// --- PSQ: a header, lines of x,y,ms, and a tail that says who played
// ---------------------------------

static const char PSQ_HEADER[] = "Piskvorky";

static bool is_psq_header(const char *text) {
    return strncasecmp(text, PSQ_HEADER, sizeof PSQ_HEADER - 1) == 0;
}

// "%2dx%2d" cannot overflow, whatever the file says.
static Status psq_header(OpeningLine *line, const char *text, ErrorText *err) {
    int width, height;
    if (sscanf(text + sizeof PSQ_HEADER - 1, "%2dx%2d", &width, &height) != 2)
        return error_set(err, STATUS_INVALID, "expected the size of the board after '%s'",
                         PSQ_HEADER);
    if (width != line->board->width || height != line->board->height)
        return error_set(err, STATUS_INVALID, "a game on %dx%d, expected %dx%d", width, height,
                         line->board->width, line->board->height);
    line->in_moves = true;
    return STATUS_OK;
}

static Status psq_line(OpeningLine *line, const char *text, ErrorText *err) {
    int64_t number[3];
    const char *rest = text;
    int count = 0;
    while (count < 3 && next_number(&rest, &number[count]) == 1)
        count++;
    // Exactly three numbers. Two or more that are not three are a damaged move; anything else ends
    // the list of moves, which has no end mark of its own.
    bool is_move = count == 3 && next_number(&rest, &(int64_t){0}) == 0;
    if (!is_move && count >= 2)
        return error_set(err, STATUS_INVALID, "'%.*s' is no move, expected x,y,ms",
                         word_length(text), text);
    if (!is_move) {
        line->in_moves = false; // names and results follow
        return STATUS_OK;
    }
    // Piskvork counts from 1.
    return opening_line_push_xy(line, number[0] - 1, number[1] - 1, err);
}

// --- a text, line by line
// ----------------------------------------------------------------------------

// On the heap: it holds a board's worth of cells, and readers are called deep inside.
typedef struct Reader {
    OpeningSet *set;
    OpeningLine line;
    OpeningFormat format;
    int64_t number;     // of the line, from 1
    int64_t psq_number; // line where the PSQ game began; 0 = none is open
} Reader;

static Status reader_add(Reader *reader, int64_t number, ErrorText *err) {
    return opening_set_add(reader->set, reader->line.cells, reader->line.count, number, err);
}

// Order matters: a table may begin with a square or a number, so it is asked for before those.
static Status detect_format(const char *text, OpeningFormat *out, ErrorText *err) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (is_psq_header(text))
        *out = OPENING_PSQ;
    else if (*text == '{' || *text == '[')
        *out = OPENING_JSONL;
    else if (opening_table_has_moves(text))
        *out = OPENING_TSV;
    else if (strcmp(text, "-") == 0 ||
             (isalpha((unsigned char)text[0]) && isdigit((unsigned char)text[1])))
        *out = OPENING_POS;
    else if (isdigit((unsigned char)*digits))
        *out = OPENING_OFFSET;
    else
        return error_set(err, STATUS_INVALID,
                         "'%.*s' begins no known format: expected squares (h8i9), offsets (0,-1, "
                         "2,3), JSON, a Piskvorky game or a table with a column 'moves'",
                         word_length(text), text);
    return STATUS_OK;
}

static Status reader_psq(Reader *reader, const char *text, ErrorText *err) {
    bool is_header = is_psq_header(text);
    // The game before this one is whole: nothing else says so.
    if (is_header && reader->psq_number) {
        Status status = reader_add(reader, reader->psq_number, err);
        if (status)
            return status;
    }
    if (is_header) {
        reader->line.count = 0;
        reader->psq_number = reader->number;
        return psq_header(&reader->line, text, err);
    }
    if (!reader->psq_number)
        return error_set(err, STATUS_INVALID, "expected a line that begins with '%s'", PSQ_HEADER);
    return reader->line.in_moves ? psq_line(&reader->line, text, err) : STATUS_OK;
}

// One line without its end, comments and blanks around it.
static Status reader_line(Reader *reader, const char *text, ErrorText *err) {
    OpeningLine *line = &reader->line;
    Status status = STATUS_OK;
    if (reader->format == OPENING_AUTO)
        status = detect_format(text, &reader->format, err);
    if (status)
        return status;
    if (reader->format == OPENING_PSQ)
        return reader_psq(reader, text, err);
    line->count = 0;
    bool is_header = false;
    switch (reader->format) {
    case OPENING_OFFSET:
        status = line_offsets(line, text, err);
        break;
    case OPENING_JSONL:
        status = opening_line_json(line, text, err);
        break;
    case OPENING_TSV:
        status = opening_line_table(line, text, &is_header, err);
        break;
    default:
        status = opening_line_pos(line, text, err);
        break;
    }
    if (status || is_header)
        return status;
    return reader_add(reader, reader->number, err);
}

// Cuts comments and surrounding blanks; returns the start of what is left ("" for nothing).
static char *line_trim(char *text, OpeningFormat format) {
    while (isspace((unsigned char)*text))
        text++;
    if (*text == '#' || *text == ';' || strncmp(text, "//", 2) == 0)
        return text + strlen(text);
    // Comments behind an opening, where '#' can mean nothing else; in JSON and tables it may stand
    // in a name.
    if (format == OPENING_AUTO || format == OPENING_POS || format == OPENING_OFFSET) {
        if (*text != '{' && *text != '[')
            text[strcspn(text, "#")] = '\0';
    }
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

// Takes the next line off the text; its end may be LF, CRLF or CR.
static void take_line(const char **bytes, size_t *left, Text *line) {
    size_t length = 0;
    while (length < *left && (*bytes)[length] != '\n' && (*bytes)[length] != '\r')
        length++;
    text_clear(line);
    text_append_bytes(line, *bytes, length);
    if (length < *left)
        length +=
            length + 1 < *left && (*bytes)[length] == '\r' && (*bytes)[length + 1] == '\n' ? 2 : 1;
    *bytes += length;
    *left -= length;
}

static Status reader_run(Reader *reader, const OpeningText *text, ErrorText *err) {
    const char *bytes = text->bytes;
    size_t left = text->length;
    Text line = {0};
    Status status = STATUS_OK;
    if (left >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        left -= 3;
    }
    while (left && !status) {
        take_line(&bytes, &left, &line);
        reader->number++;
        if (line.failed)
            status = error_set(err, STATUS_NO_MEMORY, "out of memory for a line");
        // Everything below works on C strings: a NUL would hide the rest of the line.
        else if (line.data && strlen(line.data) != line.length)
            status = error_set(err, STATUS_INVALID, "a NUL byte, expected text");
        if (status || !line.data)
            continue;
        char *trimmed = line_trim(line.data, reader->format);
        if (*trimmed)
            status = reader_line(reader, trimmed, err);
    }
    text_release(&line);
    if (!status && reader->psq_number) {
        // Its fault, if it has one, is told at the line where it begins, not at the end of the
        // file.
        reader->number = reader->psq_number;
        status = reader_add(reader, reader->psq_number, err);
    }
    return status ? error_wrap(err, status, "%s:%lld", text->name, (long long)reader->number)
                  : STATUS_OK;
}

Status opening_read_text(OpeningSet *set, const OpeningText *text, ErrorText *err) {
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", text->name);
    int64_t before = set->count;
    *reader = (Reader){.set = set, .format = text->format};
    reader->line = (OpeningLine){.board = set->board, .rows = text->rows, .moves_field = -1};
    reader->line.from_centre = opening_json_is_from_centre(text->bytes, text->length);
    Status status = reader_run(reader, text, err);
    // Openings that were left out as won (skips_won) are openings, too: the file was not the wrong
    // one.
    if (!status && set->count == before && set->won == 0)
        status = error_set(err, STATUS_INVALID, "%s: no openings in it", text->name);
    free(reader);
    return status;
}

static Status read_all(FILE *file, Text *out) {
    char buffer[1 << 14];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_append_bytes(out, buffer, count);
    if (ferror(file))
        return STATUS_NOT_FOUND;
    return out->failed ? STATUS_NO_MEMORY : STATUS_OK;
}

Status opening_read_file(OpeningSet *set, const char *path, OpeningFormat format, RowOrder rows,
                         ErrorText *err) {
    Text contents = {0};
    FILE *file = fopen(path, "rb");
    Status status = file ? read_all(file, &contents) : STATUS_NOT_FOUND;
    // Before fclose, which may set another.
    int cause = errno;
    if (file)
        fclose(file);
    if (status) {
        error_set(err, status, "openings %s: %s", path,
                  status == STATUS_NO_MEMORY ? "out of memory" : strerror(cause));
    } else {
        OpeningText text = {path, text_cstr(&contents), contents.length, format, rows};
        status = opening_read_text(set, &text, err);
    }
    text_release(&contents);
    return status;
}
