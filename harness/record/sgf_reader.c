// SPDX-License-Identifier: GPL-3.0-or-later
// Reading SGF: a scanner of properties, and what the properties of a game mean.
#include "harness/record/sgf.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What is meant when SZ is missing; SGF names no default for Gomoku.
enum { DEFAULT_SIDE = 15, PROPERTY_NAME_CAP = 16 };

typedef struct SgfReader {
    const SheetTaker *taker;
    const char *at, *end;
    int line;
    GameSheet *sheet; // being read; NULL: none, or it had a fault
    bool out_of_memory;
    int depth;                              // of open parentheses
    bool main_line_over;                    // the first variation is read to its end
    Move setup[COLOUR_NB][BOARD_MAX_CELLS]; // stones set up and not yet placed
    int setup_count[COLOUR_NB];
    Text value; // scratch: the value of a property, unescaped
} SgfReader;

PRINTF_LIKE(2, 3)
static void complain(SgfReader *r, const char *fmt, ...) {
    ErrorText text;
    if (!r->sheet)
        return; // said already
    va_list args;
    va_start(args, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, args);
    va_end(args);
    // At the line where the reader stands, which is that of the fault or the one behind it.
    r->taker->complain(r->taker->ctx, r->line, text.text);
    game_sheet_free(r->sheet);
    r->sheet = NULL;
}

// --- what properties mean
// --------------------------------------------------------------------------------------------

// The cell that two letters name, MOVE_NONE (complained of) when they name none.
// Lower-case letters; upper case is what some writers make of them.
static Move read_cell(SgfReader *r, const char *value) {
    const GameRecord *record = r->sheet->record;
    int x = value[0] ? tolower((unsigned char)value[0]) - 'a' : -1;
    int y = x >= 0 && value[1] ? tolower((unsigned char)value[1]) - 'a' : -1;
    // Exactly two letters: more is another notation.
    if (x >= 0 && y >= 0 && x < record->width && y < record->height && !value[2])
        return (Move)(y * record->width + x);
    complain(r, "move %d: '%.20s' is outside the %dx%d board", record->move_count + 1, value,
             record->width, record->height);
    return MOVE_NONE;
}

// Only what can be played in turn: handicap and passes have no meaning here.
static void place(SgfReader *r, Colour colour, Move cell) {
    GameRecord *record = r->sheet->record;
    MoveRecord move = {.move = cell};
    if (colour != (record->move_count % 2 ? WHITE : BLACK)) {
        complain(r, "move %d: %s plays out of turn", record->move_count + 1,
                 colour == BLACK ? "black" : "white");
        return;
    }
    // Looked for in the list: a game has a few hundred stones at most, and the reader needs no
    // board.
    for (int i = 0; i < record->move_count; i++)
        if (record->moves[i].move == cell) {
            complain(r, "move %d is on a stone", record->move_count + 1);
            return;
        }
    r->out_of_memory |= !game_record_add(record, &move, NULL);
}

// Stones that were set up become an opening, black and white in turn.
// AB and AW come in any order and in several properties, so they are collected until the first
// move.
static void place_setup(SgfReader *r) {
    int black = r->setup_count[BLACK], white = r->setup_count[WHITE];
    r->setup_count[BLACK] = r->setup_count[WHITE] = 0;
    if (black == 0 && white == 0)
        return;
    if ((black != white && black != white + 1) || r->sheet->record->move_count > 0) {
        complain(r, "%d black and %d white stones set up, which is no opening played in turn",
                 black, white);
        return;
    }
    for (int i = 0; i < black + white && r->sheet; i++)
        place(r, i % 2 ? WHITE : BLACK, r->setup[i % 2][i / 2]);
    if (r->sheet)
        r->sheet->record->opening_plies = black + white;
}

static void add_stone(SgfReader *r, Colour colour, const char *value) {
    // The first move ends the setting up.
    place_setup(r);
    Move cell = r->sheet ? read_cell(r, value) : MOVE_NONE;
    if (cell != MOVE_NONE)
        place(r, colour, cell);
}

static void set_up_stone(SgfReader *r, Colour colour, const char *value) {
    Move cell = read_cell(r, value);
    if (cell != MOVE_NONE && r->setup_count[colour] < BOARD_MAX_CELLS)
        r->setup[colour][r->setup_count[colour]++] = cell;
}

// Before the first stone only: stones already read would stand elsewhere on another board.
static void read_size(SgfReader *r, const char *value) {
    int width = 0, height = 0;
    int count = sscanf(value, "%3d:%3d", &width, &height);
    if (count == 1)
        height = width;
    if (count < 1 || width < BOARD_MIN_SIDE || height < BOARD_MIN_SIDE || width > BOARD_MAX_SIDE ||
        height > BOARD_MAX_SIDE) {
        complain(r, "SZ[%.20s], expected sides of %d..%d", value, (int)BOARD_MIN_SIDE,
                 (int)BOARD_MAX_SIDE);
    } else if (r->sheet->record->move_count > 0 || r->setup_count[BLACK] || r->setup_count[WHITE]) {
        complain(r, "SZ after the first stone");
    } else {
        r->sheet->record->width = width;
        r->sheet->record->height = height;
    }
}

static void read_rule(SgfReader *r, const char *value) {
    GameSheet *sheet = r->sheet;
    // Written by programs that fill in every property.
    if (!*value)
        return;
    sheet->has_rule = rule_parse(value, &sheet->rule);
    for (int i = 0; i < RULE_NB && !sheet->has_rule; i++) { // the numbers of the Gomocup protocol
        char code[12];
        snprintf(code, sizeof code, "%d", rule_gomocup_code((Rule)i));
        if (strcmp(value, code) == 0) {
            sheet->rule = (Rule)i;
            sheet->has_rule = true;
        }
    }
    if (!sheet->has_rule)
        complain(r, "RU[%.40s], expected freestyle or standard, or their numbers 0 and 1", value);
}

// B+ and W+ with whatever follows: scores of other games, words, nothing.
static void read_result(SgfReader *r, const char *value) {
    GameSheet *sheet = r->sheet;
    static const struct {
        const char *word;
        GameReason reason;
    } HOW[] = {{"R", REASON_RESIGN},     {"Resign", REASON_RESIGN}, {"T", REASON_TIMEOUT},
               {"Time", REASON_TIMEOUT}, {"F", REASON_ILLEGAL},     {"Forfeit", REASON_ILLEGAL}};
    if (!*value || strcasecmp(value, "Void") == 0 || strcmp(value, "?") == 0)
        return; // not said
    // In either case; whatever stands between the letter and a + is refused below.
    char winner = (char)toupper((unsigned char)value[0]);
    // Zero is SGF's own draw; most write the word.
    if (strcmp(value, "0") == 0 || winner == 'D') {
        sheet->record->result = 'D';
    } else if ((winner == 'B' || winner == 'W') && value[1] == '+') {
        sheet->record->result = winner;
        for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++)
            if (strcasecmp(value + 2, HOW[i].word) == 0 && !sheet->has_reason) {
                sheet->record->reason = HOW[i].reason;
                sheet->has_reason = true;
            }
    } else {
        complain(r, "RE[%.40s], expected B+, W+ or Draw", value);
    }
}

// The comment of a move: our fields, or what another match runner says there.
static void read_comment(SgfReader *r, const char *value) {
    GameRecord *record = r->sheet->record;
    if (record->move_count == 0)
        return;
    MoveRecord *move = &record->moves[record->move_count - 1];
    int64_t ms;
    char number[24] = "";
    // A time, if nothing but "ms" follows.
    size_t digits = strspn(value, "0123456789");
    // As other match runners mark the stones of openings; they say times as "123ms".
    if (strcmp(value, "opening move") == 0) {
        record->opening_plies = record->move_count;
    } else if (digits > 0 && digits < sizeof number && strcmp(value + digits, "ms") == 0) {
        memcpy(number, value, digits);
        if (text_parse_int(number, 0, INT32_MAX, &ms)) {
            move->cost.time_us = ms * 1000;
            move->known |= KNOWN_TIME;
        }
    } else if (strchr(value, '=') && !move_fields_read(move, value, strlen(value))) {
        MoveRecord empty = {.move = move->move}; // a remark that only looks like ours
        free(move->pv);
        *move = empty;
    }
}

// Ours begin with the slot; others' are prose.
static void read_game_comment(SgfReader *r, const char *value) {
    if (strncmp(value, "slot=", 5) == 0 && !game_fields_read(r->sheet, value, strlen(value)))
        complain(r, "GC[%.40s...] is damaged", value);
}

static void read_text(SgfReader *r, char **field, const char *value) {
    r->out_of_memory |= !game_sheet_set(field, value, strlen(value));
}

// The rest of SGF (marks, comments on variations, times left) is passed over.
static void read_property(SgfReader *r, const char *name) {
    // Once for each value: `AB[hh][ii]` sets up two stones.
    const char *value = text_cstr(&r->value);
    if (!r->sheet)
        return;
    if (strcmp(name, "B") == 0 || strcmp(name, "W") == 0)
        add_stone(r, *name == 'B' ? BLACK : WHITE, value);
    else if (strcmp(name, "AB") == 0 || strcmp(name, "AW") == 0)
        set_up_stone(r, name[1] == 'B' ? BLACK : WHITE, value);
    else if (strcmp(name, "SZ") == 0)
        read_size(r, value);
    else if (strcmp(name, "GM") == 0 && strcmp(value, "4") != 0)
        complain(r, "GM[%.20s] is another game, expected GM[4]", value);
    else if (strcmp(name, "PB") == 0)
        read_text(r, &r->sheet->black, value);
    else if (strcmp(name, "PW") == 0)
        read_text(r, &r->sheet->white, value);
    else if (strcmp(name, "EV") == 0)
        read_text(r, &r->sheet->record->source.event, value);
    else if (strcmp(name, "DT") == 0)
        read_text(r, &r->sheet->record->source.date, value);
    else if (strcmp(name, "RO") == 0)
        read_text(r, &r->sheet->record->source.round, value);
    else if (strcmp(name, "RU") == 0)
        read_rule(r, value);
    else if (strcmp(name, "RE") == 0)
        read_result(r, value);
    else if (strcmp(name, "GC") == 0)
        read_game_comment(r, value);
    else if (strcmp(name, "C") == 0)
        read_comment(r, value);
}

// --- the text
// --------------------------------------------------------------------------------------------------------

static void begin_game(SgfReader *r) {
    r->sheet = game_sheet_new();
    r->main_line_over = false;
    r->setup_count[BLACK] = r->setup_count[WHITE] = 0;
    if (!r->sheet) {
        r->out_of_memory = true;
        return;
    }
    r->sheet->record->width = r->sheet->record->height = DEFAULT_SIDE;
    // Faults that are found only at the end are told at the line where the game begins.
    r->sheet->line = r->line;
}

static Status end_game(SgfReader *r, ErrorText *err) {
    if (r->sheet)
        place_setup(r);
    return sheet_taker_hand_over(r->taker, &r->sheet, err);
}

static char next_char(SgfReader *r) {
    char c = *r->at++;
    r->line += c == '\n';
    return c;
}

// The value up to its bracket, without escapes. False: the text ends before.
static bool scan_value(SgfReader *r) {
    text_clear(&r->value);
    while (r->at < r->end) {
        char c = next_char(r);
        if (c == ']')
            return true;
        if (c == '\\') {
            if (r->at == r->end)
                return false;
            c = next_char(r);
            if (c == '\r' && r->at < r->end && *r->at == '\n')
                c = next_char(r);
            if (c == '\n' || c == '\r') // an escaped end of line is none
                continue;
        }
        // Texts are C strings from here on.
        if (c == '\0')
            continue;
        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
        text_append_bytes(&r->value, &c, 1);
    }
    return false;
}

// A property: its name (lower-case letters of old files do not count) and all its values.
static void scan_property(SgfReader *r) {
    char name[PROPERTY_NAME_CAP] = "";
    size_t length = 0;
    while (r->at < r->end && isalnum((unsigned char)*r->at)) {
        char c = next_char(r);
        if (!islower((unsigned char)c) && length + 1 < sizeof name)
            name[length++] = c;
    }
    for (;;) {
        while (r->at < r->end && isspace((unsigned char)*r->at))
            next_char(r);
        if (r->at == r->end || *r->at != '[')
            return;
        next_char(r);
        if (!scan_value(r)) {
            complain(r, "the value of %s has no end", name);
            return;
        }
        // Variations after the main line are remarks on it.
        if (!r->main_line_over)
            read_property(r, name);
    }
}

// Text between games is passed over: mails and web pages hold games, too.
static Status scan(SgfReader *r, ErrorText *err) {
    Status status = STATUS_OK;
    while (r->at < r->end && !status && !r->out_of_memory) {
        if (r->depth > 0 && isalnum((unsigned char)*r->at)) {
            scan_property(r);
            continue;
        }
        char c = next_char(r);
        if (c == '(') {
            if (r->depth++ == 0)
                begin_game(r);
        } else if (c == ')' && r->depth > 0) {
            // The first closed variation is the main line, as SGF has it.
            r->main_line_over = true;
            if (--r->depth == 0)
                status = end_game(r, err);
        } else if (c == '[' && r->depth > 0) {
            complain(r, "a value without a property");
            if (!scan_value(r))
                break;
        }
    }
    return r->out_of_memory || r->value.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                                               : status;
}

Status sgf_read(const char *text, size_t length, const SheetTaker *taker, ErrorText *err) {
    // On the heap: the stones set up take some KB.
    SgfReader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    reader->taker = taker;
    reader->at = text;
    reader->end = text + length;
    reader->line = 1;
    Status status = scan(reader, err);
    if (!status && reader->sheet)
        complain(reader, "the game has no end: a ')' is missing");
    else if (!status && !memchr(text, '(', length))
        taker->complain(taker->ctx, 1, "no game tree, expected '(;'");
    game_sheet_free(reader->sheet);
    text_release(&reader->value);
    free(reader);
    return status;
}
