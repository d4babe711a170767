// SPDX-License-Identifier: GPL-3.0-or-later
// Writing PGN-like games.
#include "harness/record/pgn.h"

// Lines of the PGN standard's export format (Edwards 1994) stay within 80 columns.
enum { LINE_MAX_BYTES = 80 };

static void append_tag(Text *out, const char *name, const char *value) {
    text_printf(out, "[%s \"", name);
    // Escapes as the standard has them; control characters would end the line.
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_append(out, "\\");
        text_append_bytes(out, (unsigned char)*c < ' ' ? " " : c, 1);
    }
    text_append(out, "\"]\n");
}

// PGN writes days with points.
static void append_date(Text *out, const char *date) {
    text_append(out, "[Date \"");
    for (const char *c = date; *c && *c != '"'; c++)
        text_append_bytes(out,
                          *c == '-'                               ? "."
                          : (unsigned char)*c < ' ' || *c == '\\' ? " "
                                                                  : c,
                          1);
    text_append(out, "\"]\n");
}

static void append_int_tag(Text *out, const char *name, long long value) {
    text_printf(out, "[%s \"%lld\"]\n", name, value);
}

// A word of the moves, on the next line when this one is full.
static void append_word(Text *out, const Text *word, size_t *column) {
    if (*column + word->length + 1 > LINE_MAX_BYTES) {
        text_append(out, "\n");
        *column = 0;
    } else if (*column > 0) {
        text_append(out, " ");
        ++*column;
    }
    text_append(out, text_cstr(word));
    *column += word->length;
}

void pgn_write(const GameSheet *sheet, Text *out) {
    const GameRecord *record = sheet->record;
    // White stands first in PGN, so that a win of white is 1-0 although black begins in Gomoku.
    const char *result = record->result == 'D' ? "1/2-1/2" : record->result == 'W' ? "1-0" : "0-1";
    const char *black = sheet->black ? sheet->black : "?",
               *white = sheet->white ? sheet->white : "?";
    Text word = {0};
    const char *event = game_sheet_event(sheet), *date = game_sheet_date(sheet);
    append_tag(out, "Event", event ? event : "?");
    // The seven tags that the standard asks for, in its order; then what rating tools may use.
    // There is no PGN of Gomoku: the moves are squares.
    append_tag(out, "Site", "gomolab");
    append_date(out, date ? date : "????.??.??");
    game_sheet_write_round(sheet, &word);
    append_tag(out, "Round", text_cstr(&word));
    append_tag(out, "White", white);
    append_tag(out, "Black", black);
    append_tag(out, "Result", result);
    append_tag(out, "Winner",
               record->result == 'D'   ? "draw"
               : record->result == 'B' ? black
                                       : white);
    append_tag(out, "Termination", game_reason_name(record->reason));
    append_tag(out, "Rule", rule_name(sheet->rule));
    text_printf(out, "[Board \"%dx%d\"]\n", record->width, record->height);
    append_int_tag(out, "Opening", (long long)record->opening);
    append_int_tag(out, "OpeningPlies", record->opening_plies);
    append_tag(out, "First", game_record_first(record) == BLACK ? "Black" : "White");
    // Without moves kept, their number is not 0 but unknown here.
    if (record->move_count > 0)
        append_int_tag(out, "PlyCount", record->move_count);
    text_append(out, "\n");
    // Counted in bytes: the moves are ASCII.
    size_t column = 0;
    for (int i = 0; i < record->move_count; i++) {
        if (i % 2 == 0) {
            text_clear(&word);
            text_printf(&word, "%d.", i / 2 + 1);
            append_word(out, &word, &column);
        }
        text_clear(&word);
        game_record_write_square(record, record->moves[i].move, &word);
        append_word(out, &word, &column);
    }
    text_clear(&word);
    text_append(&word, result);
    append_word(out, &word, &column);
    text_append(out, "\n\n");
    text_release(&word);
}
