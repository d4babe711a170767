// SPDX-License-Identifier: GPL-3.0-or-later
// Life of sheets, their settling, and the fields.
#include "harness/record/game_sheet.h"

#include "engine/board/board.h"
#include "harness/record/legacy_text.h"

#include <stdlib.h>
#include <string.h>

GameSheet *game_sheet_new(void) {
    GameSheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet)
        return NULL;
    sheet->record = game_record_new();
    if (!sheet->record) {
        free(sheet);
        return NULL;
    }
    // Not said: 0 would be a slot, a pair and an opening.
    sheet->record->slot = sheet->record->pair = sheet->record->opening = -1;
    sheet->k = 5;
    return sheet;
}

void game_sheet_free(GameSheet *sheet) {
    if (!sheet)
        return;
    game_record_free(sheet->record);
    free(sheet->black);
    free(sheet->white);
    free(sheet->event);
    free(sheet->date);
    free(sheet);
}

bool game_sheet_set(char **field, const char *bytes, size_t length) {
    Text text = {0};
    legacy_text_append(&text, bytes, length);
    char *copy = text.failed ? NULL : strdup(text_cstr(&text));
    text_release(&text);
    if (!copy)
        return false;
    free(*field);
    *field = copy;
    return true;
}

const char *game_sheet_event(const GameSheet *sheet) {
    const char *own = sheet->record->source.event;
    return own ? own : sheet->event;
}

const char *game_sheet_date(const GameSheet *sheet) {
    const GameSource *source = &sheet->record->source;
    // The date of the database is that of its run; an imported game was not played then.
    return source->date ? source->date : source->is_imported ? NULL : sheet->date;
}

void game_sheet_write_round(const GameSheet *sheet, Text *out) {
    const char *own = sheet->record->source.round;
    if (own)
        text_append(out, own);
    else
        text_printf(out, "%lld", (long long)sheet->record->slot);
}

// --- settling
// --------------------------------------------------------------------------------------------------------

static Status play_all(const GameRecord *record, Board *board, ErrorText *err) {
    for (int i = 0; i < record->move_count; i++) {
        if (board->wins[BLACK] || board->wins[WHITE])
            return error_set(err, STATUS_INVALID, "move %d comes after a five", i + 1);
        if (!board_is_free(board, record->moves[i].move))
            return error_set(err, STATUS_INVALID, "move %d is on a stone or outside the board",
                             i + 1);
        board_place(board, record->moves[i].move);
    }
    return STATUS_OK;
}

// What the last position says: 'B', 'W', 'D', or '\0' when it decides nothing.
// Fewer empty cells than a file's rules ask for are a draw as well: `draw_stones`.
static char board_result(const Board *board, int draw_stones) {
    if (board->wins[BLACK])
        return 'B';
    if (board->wins[WHITE])
        return 'W';
    return board_is_full(board) || (draw_stones && board->stone_count >= draw_stones) ? 'D' : '\0';
}

static Status settle_result(GameSheet *sheet, char shown, ErrorText *err) {
    GameRecord *record = sheet->record;
    bool decided = shown == 'B' || shown == 'W';
    // A board that shows a five is never overruled; without one the file may know better (time,
    // resignation, agreement).
    if (decided && record->result && record->result != shown)
        return error_set(err, STATUS_INVALID, "the result is '%c', but %s has a five",
                         record->result, shown == 'B' ? "black" : "white");
    if (!record->result && !shown)
        return error_set(err, STATUS_INVALID, "no result: nobody has a five after %d moves",
                         record->move_count);
    if (!record->result)
        record->result = shown;
    // A draw on a board that says draw is a full one; any other end that the board does not show
    // was decided by somebody.
    if (!sheet->has_reason && shown)
        record->reason = decided                 ? REASON_FIVE
                         : record->result == 'D' ? REASON_BOARD_FULL
                                                 : REASON_ADJUDICATED;
    else if (!sheet->has_reason)
        record->reason = REASON_ADJUDICATED;
    return STATUS_OK;
}

Status game_sheet_settle(GameSheet *sheet, Rule rule, ErrorText *err) {
    GameRecord *record = sheet->record;
    if (record->move_count == 0 && !record->result)
        return error_set(err, STATUS_INVALID, "no moves");
    if (record->move_count > 0 && record->opening_plies > record->move_count)
        return error_set(err, STATUS_INVALID, "an opening of %d stones, but %d moves",
                         record->opening_plies, record->move_count);
    // Played on a board of its own: a file is believed only as far as its moves are a game.
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = board_init(board, record->width, record->height, sheet->k, rule, 1, err);
    if (!status)
        status = play_all(record, board, err);
    if (!status)
        status = settle_result(sheet, board_result(board, sheet->draw_stones), err);
    free(board);
    return status;
}

// --- fields
// ----------------------------------------------------------------------------------------------------------

// Words of a note may hold anything: bytes that are no plain letters are written as %xx.
// Besides blanks the signs that the formats themselves use: brackets and the backslash of SGF, `=`,
// and `%` of this coding.
static void append_coded(Text *out, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c <= ' ' || *c > '~' || strchr("%\\[]=\"", *c))
            text_printf(out, "%%%02x", *c);
        else
            text_append_bytes(out, (const char *)c, 1);
    }
}

static int hex_digit(char c) {
    static const char DIGITS[] = "0123456789abcdef";
    const char *at = c ? strchr(DIGITS, c) : NULL;
    return at ? (int)(at - DIGITS) : -1;
}

// Never longer than what it decodes, so one block of that size does.
static char *decode(const char *text, size_t length) {
    char *out = malloc(length + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < length; i++) {
        int high = i + 2 < length && text[i] == '%' ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        // A `%` before anything else stands for itself: notes of other programs are not coded.
        if (low >= 0) {
            out[n++] = (char)(high * 16 + low);
            i += 2;
        } else {
            out[n++] = text[i];
        }
    }
    if (out)
        out[n] = '\0';
    return out;
}

// Everything a database has of the game beside its moves and names, so that an export can be
// imported without loss.
void game_fields_write(const GameRecord *record, Text *out) {
    text_printf(out,
                "slot=%lld pair=%lld opening=%lld opening_plies=%d result=%c reason=%s seed=%llu "
                "wall_us=%lld",
                (long long)record->slot, (long long)record->pair, (long long)record->opening,
                record->opening_plies, record->result, game_reason_name(record->reason),
                (unsigned long long)record->seed, (long long)record->wall_us);
    for (int colour = BLACK; colour <= WHITE; colour++) {
        const SeatWatch *watch = &record->watch[colour];
        const char *name = colour == BLACK ? "black" : "white";
        if (watch->is_watched)
            text_printf(out, " %s_dropped_lines=%lld %s_idle_us=%lld %s_idle_cpu_us=%lld", name,
                        (long long)watch->dropped_lines, name, (long long)watch->idle_us, name,
                        (long long)watch->idle_cpu_us);
    }
    if (record->note) {
        text_append(out, " note=");
        append_coded(out, record->note);
    }
}

void name_field_write(const char *key, const char *name, Text *out) {
    text_printf(out, " %s=", key);
    append_coded(out, name);
}

void source_fields_write(const GameSheet *sheet, Text *out) {
    Text round = {0};
    game_sheet_write_round(sheet, &round);
    const char *const FIELDS[][2] = {{"event", game_sheet_event(sheet)},
                                     {"date", game_sheet_date(sheet)},
                                     {"round", text_cstr(&round)}};
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (FIELDS[i][1]) {
            text_printf(out, " %s=", FIELDS[i][0]);
            append_coded(out, FIELDS[i][1]);
        }
    out->failed |= round.failed;
    text_release(&round);
}

// Only what is known, and in the names of the columns of the table `move`.
void move_fields_write(const MoveRecord *move, Text *out) {
    const SearchCost *c = &move->cost;
    const char *blank = "";
    if (move->known & KNOWN_VALUE) {
        text_append(out, "value=");
        text_append_double(out, move->value);
        blank = " ";
    }
    if (move->known & KNOWN_DEPTH) {
        text_printf(out, "%sdepth=%d", blank, c->depth);
        blank = " ";
    }
    if (move->known & KNOWN_SELDEPTH) {
        text_printf(out, "%sseldepth=%d", blank, c->seldepth);
        blank = " ";
    }
    if (move->known & KNOWN_NODES) {
        text_printf(out, "%snodes=%llu", blank, (unsigned long long)c->nodes);
        blank = " ";
    }
    if (move->known & KNOWN_COUNTERS) {
        text_printf(out,
                    "%sinterior=%llu leaves=%llu cutoffs=%llu first_cutoffs=%llu branches=%llu "
                    "tt_probes=%llu tt_hits=%llu",
                    blank, (unsigned long long)c->interior, (unsigned long long)c->leaves,
                    (unsigned long long)c->cutoffs, (unsigned long long)c->first_cutoffs,
                    (unsigned long long)c->branches, (unsigned long long)c->tt_probes,
                    (unsigned long long)c->tt_hits);
        blank = " ";
    }
    if (move->known & KNOWN_TIME) {
        text_printf(out, "%stime_us=%lld", blank, (long long)c->time_us);
        blank = " ";
    }
    if ((move->known & KNOWN_PV) && move->pv) { // squares are joined, so that the fields stay words
        text_printf(out, "%spv=", blank);
        for (const char *p = move->pv; *p; p++)
            text_append_bytes(out, *p == ' ' ? "," : p, 1);
    }
}

// Numbers fit into `value`; words are taken from `whole`.
typedef struct Field {
    char key[24], value[40];
    const char *whole; // the value in the text, of `length` bytes: it may be longer than `value`
    size_t length;
} Field;

// Cuts the next `key=value` off; false at the end. Words without `=` are passed over.
// `=` at the first place only: a value may hold more of them, coded or not.
static bool next_field(const char **at, const char *end, Field *field) {
    while (*at < end) {
        while (*at < end && strchr(" \t\r\n", **at))
            ++*at;
        const char *start = *at, *equals = NULL;
        while (*at < end && !strchr(" \t\r\n", **at)) {
            if (**at == '=' && !equals)
                equals = *at;
            ++*at;
        }
        if (!equals || (size_t)(equals - start) >= sizeof field->key)
            continue;
        memcpy(field->key, start, (size_t)(equals - start));
        field->key[equals - start] = '\0';
        field->whole = equals + 1;
        field->length = (size_t)(*at - field->whole);
        size_t kept = field->length < sizeof field->value ? field->length : sizeof field->value - 1;
        memcpy(field->value, field->whole, kept);
        field->value[kept] = '\0';
        return true;
    }
    return false;
}

// A number that was cut off is no number.
static bool field_int(const Field *field, int64_t low, int64_t high, int64_t *out) {
    return field->length < sizeof field->value && text_parse_int(field->value, low, high, out);
}

// Unsigned 64 bits, beyond what text_parse_int reads; a larger number is refused.
static bool field_seed(const Field *field, uint64_t *out) {
    uint64_t seed = 0;
    for (const char *c = field->value; *c; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*c < '0' || *c > '9' || seed > (UINT64_MAX - digit) / 10)
            return false;
        seed = seed * 10 + digit;
    }
    *out = seed;
    return field->length > 0 && field->length < sizeof field->value;
}

// "black_idle_us=12" and the like. *is_one: it was such a field.
static bool read_watch_field(GameRecord *record, const Field *field, bool *is_one) {
    static const char *const COLOURS[COLOUR_NB] = {[BLACK] = "black_", [WHITE] = "white_"};
    for (int colour = BLACK; colour <= WHITE; colour++) {
        SeatWatch *watch = &record->watch[colour];
        const struct {
            const char *key;
            int64_t *target;
        } NUMBERS[] = {{"dropped_lines", &watch->dropped_lines},
                       {"idle_us", &watch->idle_us},
                       {"idle_cpu_us", &watch->idle_cpu_us}};
        size_t length = strlen(COLOURS[colour]);
        if (strncmp(field->key, COLOURS[colour], length) != 0)
            continue;
        for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
            if (strcmp(field->key + length, NUMBERS[i].key) == 0) {
                *is_one = watch->is_watched = true;
                return field_int(field, 0, INT64_MAX, NUMBERS[i].target);
            }
    }
    return true;
}

// The name of a player.
static bool read_name_field(char **name, const Field *field) {
    char *words = decode(field->whole, field->length);
    bool is_read = words && game_sheet_set(name, words, strlen(words));
    free(words);
    return is_read;
}

// Fields of words; others are passed over.
static bool read_text_field(GameSheet *sheet, const Field *field) {
    GameRecord *record = sheet->record;
    if (strcmp(field->key, "black_name") == 0)
        return read_name_field(&sheet->black, field);
    if (strcmp(field->key, "white_name") == 0)
        return read_name_field(&sheet->white, field);
    const struct {
        const char *key;
        char **target;
    } TEXTS[] = {{"note", &record->note},
                 {"event", &record->source.event},
                 {"date", &record->source.date},
                 {"round", &record->source.round}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (strcmp(field->key, TEXTS[i].key) == 0) {
            free(*TEXTS[i].target);
            *TEXTS[i].target = decode(field->whole, field->length);
            return *TEXTS[i].target != NULL;
        }
    return true;
}

static bool read_game_field(GameSheet *sheet, const Field *field) {
    GameRecord *record = sheet->record;
    const struct {
        const char *key;
        int64_t *target;
    } NUMBERS[] = {{"slot", &record->slot},
                   {"pair", &record->pair},
                   {"opening", &record->opening},
                   {"wall_us", &record->wall_us}};
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        if (strcmp(field->key, NUMBERS[i].key) == 0)
            return field_int(field, -1, INT64_MAX, NUMBERS[i].target);
    int64_t number;
    bool is_watch = false, is_good = read_watch_field(record, field, &is_watch);
    if (is_watch)
        return is_good;
    if (strcmp(field->key, "opening_plies") == 0) {
        if (!field_int(field, 0, BOARD_MAX_CELLS, &number))
            return false;
        record->opening_plies = (int)number;
    } else if (strcmp(field->key, "result") == 0) {
        if (field->length != 1 || !strchr("BWD", field->value[0]))
            return false;
        record->result = field->value[0];
    } else if (strcmp(field->key, "reason") == 0) {
        sheet->has_reason = game_reason_parse(field->value, &record->reason);
        return sheet->has_reason;
    } else if (strcmp(field->key, "seed") == 0) {
        return field_seed(field, &record->seed);
    } else {
        // Unknown keys are passed over: newer builds may write more.
        return read_text_field(sheet, field);
    }
    return true;
}

bool game_fields_read(GameSheet *sheet, const char *text, size_t length) {
    Field field;
    const char *at = text, *end = text + length;
    while (next_field(&at, end, &field))
        if (!read_game_field(sheet, &field))
            return false;
    return true;
}

static bool read_value(const Field *field, double *out) {
    char *end;
    // A NaN is refused: no comparison with it would ever hold.
    *out = strtod(field->value, &end); // takes inf and -inf, too
    return end != field->value && !*end && *out == *out;
}

static bool read_pv(MoveRecord *move, const Field *field) {
    char *pv = strndup(field->whole, field->length);
    // Commas back to the blanks that move_fields_write took out.
    for (char *c = pv; c && *c; c++)
        *c = *c == ',' ? ' ' : *c;
    free(move->pv);
    move->pv = pv;
    move->known |= KNOWN_PV;
    return pv != NULL;
}

static bool read_move_field(MoveRecord *move, const Field *field) {
    SearchCost *c = &move->cost;
    const struct {
        const char *key;
        uint64_t *target;
        unsigned known;
    } COUNTS[] = {{"nodes", &c->nodes, KNOWN_NODES},
                  {"interior", &c->interior, KNOWN_COUNTERS},
                  {"leaves", &c->leaves, KNOWN_COUNTERS},
                  {"cutoffs", &c->cutoffs, KNOWN_COUNTERS},
                  {"first_cutoffs", &c->first_cutoffs, KNOWN_COUNTERS},
                  {"branches", &c->branches, KNOWN_COUNTERS},
                  {"tt_probes", &c->tt_probes, KNOWN_COUNTERS},
                  {"tt_hits", &c->tt_hits, KNOWN_COUNTERS}};
    int64_t number;
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        if (strcmp(field->key, COUNTS[i].key) == 0) {
            if (!field_int(field, 0, INT64_MAX, &number))
                return false;
            *COUNTS[i].target = (uint64_t)number;
            move->known |= COUNTS[i].known;
            return true;
        }
    if (strcmp(field->key, "value") == 0) {
        move->known |= KNOWN_VALUE;
        return read_value(field, &move->value);
    }
    if (strcmp(field->key, "pv") == 0)
        return read_pv(move, field);
    bool is_depth = strcmp(field->key, "depth") == 0,
         is_seldepth = strcmp(field->key, "seldepth") == 0;
    if (!is_depth && !is_seldepth && strcmp(field->key, "time_us") != 0)
        return true;
    bool is_plies = is_depth || is_seldepth;
    if (!field_int(field, is_plies ? INT32_MIN : INT64_MIN, is_plies ? INT32_MAX : INT64_MAX,
                   &number))
        return false;
    if (is_depth)
        c->depth = (int)number;
    else if (is_seldepth)
        c->seldepth = (int)number;
    else
        c->time_us = number;
    move->known |= is_depth ? KNOWN_DEPTH : is_seldepth ? KNOWN_SELDEPTH : KNOWN_TIME;
    return true;
}

bool move_fields_read(MoveRecord *move, const char *text, size_t length) {
    Field field;
    const char *at = text, *end = text + length;
    while (next_field(&at, end, &field))
        if (!read_move_field(move, &field))
            return false;
    return true;
}

Status sheet_taker_hand_over(const SheetTaker *taker, GameSheet **at, ErrorText *err) {
    GameSheet *sheet = *at;
    *at = NULL;
    if (!sheet)
        return STATUS_OK;
    if ((!sheet->black && !game_sheet_set(&sheet->black, "black", 5)) ||
        (!sheet->white && !game_sheet_set(&sheet->white, "white", 5))) {
        game_sheet_free(sheet);
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    }
    return taker->take(taker->ctx, sheet, err);
}
