// SPDX-License-Identifier: GPL-3.0-or-later
// Writing SGF.
#include "harness/record/sgf.h"

#include <string.h>

// Property values: `]` and `\` are escaped; control characters become blanks, as readers of SGF
// take them.
static void append_property(Text *out, const char *name, const char *value) {
    text_printf(out, "%s[", name);
    for (const char *c = value; *c; c++) {
        if (*c == ']' || *c == '\\')
            text_append(out, "\\");
        text_append_bytes(out, (unsigned char)*c < ' ' ? " " : c, 1);
    }
    text_append(out, "]");
}

// SGF FF[4]: R resignation, T time, F forfeit, nothing for what the board shows. What is lost by
// that is in GC, in our own fields.
static void append_result(const GameRecord *record, Text *out) {
    const char *how = "";
    switch (record->reason) {
    case REASON_RESIGN:
        how = "R";
        break;
    case REASON_TIMEOUT:
        how = "T";
        break;
    case REASON_CRASH:
    case REASON_ILLEGAL:
    case REASON_FORBIDDEN:
        how = "F";
        break;
    case REASON_FIVE:
    case REASON_OVERLINE:
    case REASON_BOARD_FULL:
    case REASON_ADJUDICATED:
    case REASON_NB:
        break;
    }
    if (record->result == 'D')
        text_append(out, "RE[Draw]");
    else
        text_printf(out, "RE[%c+%s]", record->result, how);
}

void sgf_write(const GameSheet *sheet, Text *out) {
    const GameRecord *record = sheet->record;
    Text fields = {0};
    // Game 4 is Gomoku and Renju.
    text_append(out, "(;FF[4]GM[4]CA[UTF-8]AP[gomolab]");
    text_printf(out, "SZ[%d", record->width);
    if (record->height != record->width)
        text_printf(out, ":%d", record->height);
    text_append(out, "]");
    append_property(out, "PB", sheet->black ? sheet->black : "?");
    append_property(out, "PW", sheet->white ? sheet->white : "?");
    append_result(record, out);
    append_property(out, "RU", rule_name(sheet->rule));
    if (game_sheet_event(sheet))
        append_property(out, "EV", game_sheet_event(sheet));
    if (game_sheet_date(sheet))
        append_property(out, "DT", game_sheet_date(sheet));
    game_sheet_write_round(sheet, &fields);
    append_property(out, "RO", text_cstr(&fields));
    text_clear(&fields);
    game_fields_write(record, &fields);
    append_property(out, "GC", text_cstr(&fields));
    text_append(out, "\n");
    for (int i = 0; i < record->move_count; i++) {
        const MoveRecord *m = &record->moves[i];
        // Letters from the top left, as SGF has them for square boards of Go; x, y of the record
        // count from there, too.
        text_printf(out, ";%c[%c%c]", i % 2 ? 'W' : 'B', 'a' + m->move % record->width,
                    'a' + m->move / record->width);
        text_clear(&fields);
        move_fields_write(m, &fields);
        if (fields.length)
            append_property(out, "C", text_cstr(&fields));
        // Lines stay short where moves have comments, and games without any stay on one.
        text_append(out, m->known || i + 1 == record->move_count ? "\n" : "");
    }
    text_append(out, ")\n");
    text_release(&fields);
}
