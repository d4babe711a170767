// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing lines of the Gomocup protocol.
//
// Generous in what is read, since programs of twenty years have their own ideas of blanks, case and
// line ends; strict in what is written, since some of them compare whole lines.
#include "engine/proto/gomocup.h"

#include "engine/base/check.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

// A cursor over a line; never reads past its end, so that lines need no NUL.
typedef struct Cursor {
    const char *at, *end;
} Cursor;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static void skip_blanks(Cursor *cursor) {
    while (cursor->at < cursor->end && is_blank(*cursor->at))
        cursor->at++;
}

static Cursor trimmed(const char *line, size_t length) {
    Cursor cursor = {line, line + length};
    skip_blanks(&cursor);
    while (cursor.end > cursor.at &&
           (is_blank(cursor.end[-1]) || cursor.end[-1] == '\r' || cursor.end[-1] == '\n'))
        cursor.end--;
    return cursor;
}

// Reads a decimal integer; numbers beyond int are clamped, which is far off every board.
static bool read_int(Cursor *cursor, int *out) {
    const char *at = cursor->at;
    bool is_negative = at < cursor->end && *at == '-';
    if (at < cursor->end && (*at == '-' || *at == '+'))
        at++;
    if (at == cursor->end || *at < '0' || *at > '9')
        return false;
    int value = 0;
    for (; at < cursor->end && *at >= '0' && *at <= '9'; at++)
        value = value > (INT_MAX - 9) / 10 ? INT_MAX / 2 : value * 10 + (*at - '0');
    *out = is_negative ? -value : value;
    cursor->at = at;
    return true;
}

// Reads integers separated by commas (blanks may stand around them) and returns how many, at most
// `cap`.
static int read_numbers(Cursor *cursor, int *out, int cap) {
    int count = 0;
    // The cursor follows only behind a number: a comma with nothing after it is left for the
    // caller.
    Cursor ahead = *cursor;
    while (count < cap) {
        skip_blanks(&ahead);
        if (!read_int(&ahead, &out[count]))
            break;
        count++;
        skip_blanks(&ahead);
        *cursor = ahead;
        if (ahead.at == ahead.end || *ahead.at != ',')
            break;
        ahead.at++;
    }
    return count;
}

// Skips `word`, in any case, when the line begins with it, whatever follows: "ERROR: no" is an
// error.
static bool skip_word(Cursor *cursor, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length || strncasecmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

GomocupReply gomocup_read_reply(const char *line, size_t length) {
    static const struct {
        const char *word;
        GomocupReplyKind kind;
    } WORDS[] = {{"OK", REPLY_OK},           {"ERROR", REPLY_ERROR}, {"UNKNOWN", REPLY_UNKNOWN},
                 {"MESSAGE", REPLY_MESSAGE}, {"DEBUG", REPLY_DEBUG}, {"INFO", REPLY_INFO},
                 {"SUGGEST", REPLY_SUGGEST}};
    Cursor cursor = trimmed(line, length);
    GomocupReply reply = {REPLY_TEXT, 0, 0, cursor.at, (size_t)(cursor.end - cursor.at)};
    if (cursor.at == cursor.end) {
        reply.kind = REPLY_BLANK;
        return reply;
    }
    bool is_word = (*cursor.at < '0' || *cursor.at > '9'); // most lines are moves
    for (size_t i = 0; is_word && i < ARRAY_LEN(WORDS); i++)
        if (skip_word(&cursor, WORDS[i].word)) {
            reply.kind = WORDS[i].kind;
            skip_blanks(&cursor);
            reply.text = cursor.at;
            reply.length = (size_t)(cursor.end - cursor.at);
            break;
        }
    if (reply.kind != REPLY_TEXT && reply.kind != REPLY_SUGGEST)
        return reply;
    int number[2];
    // All of the line: "7,7 is my move" is talk.
    bool is_move = read_numbers(&cursor, number, 2) == 2 && cursor.at == cursor.end;
    if (is_move) {
        reply.x = number[0];
        reply.y = number[1];
    }
    if (reply.kind == REPLY_SUGGEST)
        reply.kind = is_move ? REPLY_SUGGEST : REPLY_MESSAGE;
    else if (is_move)
        reply.kind = REPLY_MOVE;
    return reply;
}

// Numbers are written by hand: this is the one thing that happens for every stone of every game.
static void write_int(Text *out, int value) {
    // "-2147483648" and a byte to spare.
    char digits[12];
    int at = (int)sizeof digits;
    // Unsigned, since the negative of the least int is none.
    unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        digits[--at] = '-';
    text_append_bytes(out, digits + at, sizeof digits - (size_t)at);
}

static void write_cell(Text *out, const Board *board, Move move) {
    write_int(out, move % board->width);
    text_append_bytes(out, ",", 1);
    write_int(out, move / board->width);
}

void gomocup_write_start(Text *out, int width, int height) {
    if (width == height)
        text_printf(out, "START %d\n", width);
    else
        text_printf(out, "RECTSTART %d,%d\n", width, height);
}

void gomocup_write_info(Text *out, const char *key, int64_t value) {
    text_printf(out, "INFO %s %lld\n", key, (long long)value);
}

void gomocup_write_turn(Text *out, const Board *board, Move move) {
    text_append(out, "TURN ");
    write_cell(out, board, move);
    text_append(out, "\n");
}

void gomocup_write_play(Text *out, int x, int y) { text_printf(out, "PLAY %d,%d\n", x, y); }

void gomocup_write_board(Text *out, const Board *board, Colour own) {
    text_append(out, "BOARD\n");
    for (int i = 0; i < board->stone_count; i++) {
        Move move = board->moves[i];
        write_cell(out, board, move);
        text_append(out, board->cells[move] == own ? ",1\n" : ",2\n");
    }
    text_append(out, "DONE\n");
}

// Copies a part of a line; "" when it does not fit: half a key or number would be another one.
static void copy_part(char *out, size_t cap, const char *from, const char *end) {
    size_t length = (size_t)(end - from);
    if (length >= cap)
        length = 0;
    memcpy(out, from, length);
    out[length] = '\0';
}

static void read_info(Cursor cursor, GomocupCommand *command) {
    const char *key = cursor.at;
    while (cursor.at < cursor.end && !is_blank(*cursor.at))
        cursor.at++;
    copy_part(command->key, sizeof command->key, key, cursor.at);
    // By hand: tolower would ask the locale.
    for (char *c = command->key; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    skip_blanks(&cursor);
    copy_part(command->text, sizeof command->text, cursor.at, cursor.end);
}

GomocupCommand gomocup_read_command(const char *line, size_t length) {
    static const struct {
        const char *word;
        GomocupVerb verb;
    } WORDS[] = {
        {"START", VERB_START},       {"RECTSTART", VERB_RECTSTART}, {"RESTART", VERB_RESTART},
        {"BEGIN", VERB_BEGIN},       {"TURN", VERB_TURN},           {"PLAY", VERB_PLAY},
        {"TAKEBACK", VERB_TAKEBACK}, {"BOARD", VERB_BOARD},         {"YXBOARD", VERB_YXBOARD},
        {"DONE", VERB_DONE},         {"INFO", VERB_INFO},           {"ABOUT", VERB_ABOUT},
        {"END", VERB_END},           {"YXSTOP", VERB_STOP},         {"STOP", VERB_STOP},
    };
    GomocupCommand command = {.verb = VERB_UNKNOWN, .is_clean = true};
    Cursor cursor = trimmed(line, length);
    if (cursor.at == cursor.end) {
        command.verb = VERB_BLANK;
        return command;
    }
    for (size_t i = 0; i < ARRAY_LEN(WORDS) && command.verb == VERB_UNKNOWN; i++) {
        // A command is a whole word here: "STARTLE" is not START.
        Cursor ahead = cursor;
        if (skip_word(&ahead, WORDS[i].word) && (ahead.at == ahead.end || is_blank(*ahead.at))) {
            command.verb = WORDS[i].verb;
            cursor = ahead;
        }
    }
    skip_blanks(&cursor);
    if (command.verb == VERB_INFO) {
        read_info(cursor, &command);
        return command;
    }
    command.count = read_numbers(&cursor, command.number, 3);
    command.is_clean = cursor.at == cursor.end;
    // A line of numbers. Whether one is due, only the brain knows.
    if (command.verb == VERB_UNKNOWN && command.count > 0)
        command.verb = VERB_STONE;
    return command;
}
