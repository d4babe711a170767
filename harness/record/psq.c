// SPDX-License-Identifier: GPL-3.0-or-later
// Writing and reading PSQ.
#include "harness/record/psq.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    PLAYER_NAME_MAX = 250, // characters
    DRAW_EMPTY_CELLS = 25, // Piskvork ends a game as a draw when so many cells are left
};

static const char *rule_word(Rule rule) { return rule == RULE_STANDARD ? "Standard" : "Freestyle"; }

// Could a reader of PSQ take the name for another kind of line, or lose a part of it?
static bool name_is_safe(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length <= PLAYER_NAME_MAX && name[length - 1] != ' ' &&
           name[length - 1] != '\t' && !strpbrk(name, "\r\n") &&
           strspn(name, "0123456789-, \t") < length && strncasecmp(name, "Piskvorky", 9) != 0 &&
           strncmp(name, "gomolab ", 8) != 0;
}

// The line of a name; where it cannot stand there as it is, something like it does, and a field
// keeps it.
static void append_name(Text *out, const char *name) {
    Text line = {0};
    if (name && !name_is_safe(name))
        text_append(&line, "player ");
    text_append(&line, name ? name : "?");
    text_printf(out, "%s\r\n", name_is_safe(text_cstr(&line)) ? text_cstr(&line) : "player");
    out->failed |= line.failed;
    text_release(&line);
}

static void append_name_field(Text *out, const char *key, const char *name) {
    if (name && !name_is_safe(name))
        name_field_write(key, name, out);
}

void psq_write(const GameSheet *sheet, Text *out) {
    const GameRecord *record = sheet->record;
    // The size, then two fields that no reader here uses.
    text_printf(out, "Piskvorky %dx%d, 11:11, 0\r\n", record->width, record->height);
    for (int i = 0; i < record->move_count; i++) {
        const MoveRecord *m = &record->moves[i];
        text_printf(out, "%d,%d,%lld\r\n", m->move % record->width + 1, m->move / record->width + 1,
                    // The format has milliseconds; the exact time is in the remark below.
                    (long long)(m->cost.time_us / 1000));
    }
    append_name(out, sheet->black);
    append_name(out, sheet->white);
    text_printf(out, "%lld\r\n%d,%s\r\n", (long long)record->opening,
                record->result == 'B'   ? 1
                : record->result == 'W' ? 2
                                        : 3,
                rule_word(sheet->rule));
    text_append(out, "gomolab game ");
    game_fields_write(record, out);
    source_fields_write(sheet, out);
    append_name_field(out, "black_name", sheet->black);
    append_name_field(out, "white_name", sheet->white);
    text_append(out, "\r\n");
    for (int i = 0; i < record->move_count; i++)
        if (record->moves[i].known) {
            text_printf(out, "gomolab move %d ", i + 1);
            move_fields_write(&record->moves[i], out);
            text_append(out, "\r\n");
        }
}

typedef enum PsqPart {
    PART_MOVES,
    PART_WHITE,
    PART_NUMBER,
    PART_RESULT,
    PART_END
} PsqPart; // what may come next

typedef struct PsqReader {
    const SheetTaker *taker;
    GameSheet *sheet; // being read, NULL: between games
    bool skipping;    // the game had a fault: on to the next header
    PsqPart part;
    int line_number;
    const char *line; // the current one, without its end
    size_t length;
    Text words; // scratch: the line as a string
} PsqReader;

PRINTF_LIKE(2, 3)
// The file goes on: one game with a fault does not lose the others.
static void complain(PsqReader *r, const char *fmt, ...) {
    ErrorText text;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, args);
    va_end(args);
    r->taker->complain(r->taker->ctx, r->line_number, text.text);
    game_sheet_free(r->sheet);
    r->sheet = NULL;
    r->skipping = true;
}

// Hands the game over that has been read so far.
static Status flush(PsqReader *r, ErrorText *err) {
    return sheet_taker_hand_over(r->taker, &r->sheet, err);
}

// Numbers with commas between; returns how many there are, 0 when the line is anything else, -1
// when a number is too big.
// Checked by hand and not by scanf, which would take "7,7,x" for two good numbers.
static int read_numbers(const char *line, int64_t *out, int cap) {
    int count = 0;
    const char *at = line;
    for (;;) {
        while (*at == ' ' || *at == '\t')
            at++;
        const char *start = at;
        at += *at == '-';
        while (isdigit((unsigned char)*at))
            at++;
        char number[24] = "";
        size_t length = (size_t)(at - start);
        if (length == 0 || (length == 1 && *start == '-'))
            return 0;
        memcpy(number, start, length < sizeof number ? length : sizeof number - 1);
        int64_t value;
        if (!text_parse_int(number, INT32_MIN, INT32_MAX, &value) || count == cap)
            return -1;
        out[count++] = value;
        while (*at == ' ' || *at == '\t')
            at++;
        if (!*at)
            return count;
        if (*at++ != ',')
            return 0;
    }
}

// The head of a game is also the end of the one before.
static Status begin_game(PsqReader *r, ErrorText *err) {
    int width = 0, height = 0, used = 0;
    Status status = flush(r, err);
    if (status)
        return status;
    r->skipping = false;
    r->part = PART_MOVES;
    if (sscanf(text_cstr(&r->words) + strlen("Piskvorky"), " %3dx%3d%n", &width, &height, &used) !=
            2 ||
        width < BOARD_MIN_SIDE || height < BOARD_MIN_SIDE || width > BOARD_MAX_SIDE ||
        height > BOARD_MAX_SIDE) {
        complain(r, "'%.60s', expected 'Piskvorky WxH, ...' with sides of %d..%d",
                 text_cstr(&r->words), (int)BOARD_MIN_SIDE, (int)BOARD_MAX_SIDE);
        return STATUS_OK;
    }
    r->sheet = game_sheet_new();
    if (!r->sheet)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    r->sheet->record->width = width;
    r->sheet->record->height = height;
    // Only while reading: our own games end when the board is full.
    r->sheet->draw_stones = width * height - DRAW_EMPTY_CELLS;
    r->sheet->line = r->line_number;
    return STATUS_OK;
}

// A game has a few hundred moves at most: no board is needed for that question.
static bool is_taken(const GameRecord *record, Move cell) {
    for (int i = 0; i < record->move_count; i++)
        if (record->moves[i].move == cell)
            return true;
    return false;
}

// False: out of memory.
static bool read_move(PsqReader *r, const int64_t *numbers, int count) {
    GameRecord *record = r->sheet->record;
    int width = record->width, height = record->height;
    if (count != 3) {
        complain(r, "'%.60s', expected a move 'x,y,ms'", text_cstr(&r->words));
    } else if (numbers[0] < 1 || numbers[0] > width || numbers[1] < 1 || numbers[1] > height) {
        complain(r, "move %d: '%.60s' is outside the %dx%d board", record->move_count + 1,
                 text_cstr(&r->words), width, height);
    } else {
        Move cell = (Move)((numbers[1] - 1) * width + numbers[0] - 1);
        MoveRecord move = {.move = cell};
        if (numbers[2] >= 0) { // a negative time is no time
            move.known = KNOWN_TIME;
            move.cost.time_us = numbers[2] * 1000;
        }
        if (is_taken(record, cell))
            complain(r, "move %d: '%.60s' is on a stone", record->move_count + 1,
                     text_cstr(&r->words));
        else
            return game_record_add(record, &move, NULL);
    }
    return true;
}

static size_t count_characters(const char *utf8) {
    size_t count = 0;
    for (; *utf8; utf8++)
        count += ((unsigned char)*utf8 & 0xc0) != 0x80;
    return count;
}

// False: out of memory.
static bool read_name(PsqReader *r, char **name) {
    r->part = r->part == PART_MOVES ? PART_WHITE : PART_NUMBER;
    if (!game_sheet_set(name, text_cstr(&r->words), r->words.length))
        return false;
    size_t count = count_characters(*name);
    if (count > PLAYER_NAME_MAX)
        complain(r, "%zu characters, expected a move 'x,y,ms' or the name of a player", count);
    return true;
}

// Files without a rule are read as well; one that names a rule nobody knows is no game we could
// judge.
static void read_result(PsqReader *r) {
    char result = text_cstr(&r->words)[0], word[24] = "";
    const char *comma = strchr(text_cstr(&r->words), ',');
    r->part = PART_END;
    if (!comma)
        return;
    sscanf(comma + 1, " %23s", word);
    GameSheet *sheet = r->sheet;
    sheet->has_rule = rule_parse(word, &sheet->rule);
    if (*word && !sheet->has_rule)
        complain(r, "rule '%s', expected freestyle or standard", word);
    else if (result >= '1' && result <= '3')
        sheet->record->result = "BWD"[result - '1'];
}

static void forget_cost(MoveRecord *move) {
    free(move->pv);
    *move = (MoveRecord){.move = move->move};
}

// The lines that only we write.
static bool read_remark(PsqReader *r) {
    const char *text = text_cstr(&r->words) + strlen("gomolab ");
    GameRecord *record = r->sheet->record;
    int ply = 0, used = 0;
    bool good = true;
    if (strncmp(text, "game ", 5) == 0) {
        good = game_fields_read(r->sheet, text + 5, strlen(text + 5));
        // What we know better than the line of the move: stones of the opening cost nothing, not 0
        // ms.
        for (int i = 0; i < record->move_count; i++)
            forget_cost(&record->moves[i]);
    } else if (sscanf(text, "move %d %n", &ply, &used) == 1 && ply >= 1 &&
               ply <= record->move_count) {
        forget_cost(&record->moves[ply - 1]);
        good = move_fields_read(&record->moves[ply - 1], text + used, strlen(text + used));
    }
    if (!good)
        complain(r, "'%.60s' is damaged", text_cstr(&r->words));
    return true;
}

// One line inside a game. False: out of memory.
static bool read_line(PsqReader *r) {
    int64_t numbers[4];
    int count = read_numbers(text_cstr(&r->words), numbers, 4);
    // Remarks of ours belong to no part of the file: they follow the result, and are known by their
    // first word.
    if (strncmp(text_cstr(&r->words), "gomolab ", 8) == 0)
        return read_remark(r);
    switch (r->part) {
    case PART_MOVES:
        if (count == 1) { // no names
            r->part = PART_RESULT;
            return true;
        }
        // Anything that begins like a move is one: a name of commas and digits is a move that was
        // cut off.
        if (count != 0 || strspn(text_cstr(&r->words), "0123456789-, ") == r->words.length)
            return read_move(r, numbers, count);
        return read_name(r, &r->sheet->black);
    case PART_WHITE:
        return read_name(r, &r->sheet->white);
    case PART_NUMBER:
        r->part = PART_RESULT;
        return true;
    case PART_RESULT:
        read_result(r);
        return true;
    // What other programs write below a game is theirs.
    case PART_END:
        return true;
    }
    return true;
}

static Status feed(PsqReader *r, ErrorText *err) {
    text_clear(&r->words);
    text_append_bytes(&r->words, r->line, r->length);
    // Trailing blanks are what editors and mailers leave.
    while (r->words.length && strchr(" \t", r->words.data[r->words.length - 1]))
        r->words.data[--r->words.length] = '\0';
    if (r->words.failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (strncasecmp(text_cstr(&r->words), "Piskvorky", 9) == 0)
        return begin_game(r, err);
    if (r->skipping || r->words.length == 0)
        return STATUS_OK;
    // The line is a C string from here on: what follows a NUL would be lost without a word.
    if (memchr(r->line, '\0', r->length))
        complain(r, "a NUL byte");
    else if (!r->sheet)
        complain(r, "'%.60s', expected 'Piskvorky WxH, ...'", text_cstr(&r->words));
    else if (!read_line(r))
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    return STATUS_OK;
}

Status psq_read(const char *text, size_t length, const SheetTaker *taker, ErrorText *err) {
    PsqReader reader = {.taker = taker};
    const char *at = text, *end = text + length;
    Status status = STATUS_OK;
    if (length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    if (at == end) {
        reader.line_number = 1;
        complain(&reader, "an empty file, expected 'Piskvorky WxH, ...'");
    }
    while (at < end && !status) {
        const char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        reader.line = at;
        reader.length = (size_t)(stop - at);
        reader.line_number++;
        status = feed(&reader, err);
        // Ends of lines of all three kinds; CR LF is one.
        if (stop + 1 < end && stop[0] == '\r' && stop[1] == '\n')
            stop++;
        at = stop + 1;
    }
    if (!status)
        status = flush(&reader, err);
    game_sheet_free(reader.sheet);
    text_release(&reader.words);
    return status;
}
