// SPDX-License-Identifier: GPL-3.0-or-later
// Writing CSV.
#include "harness/record/game_csv.h"

#include <string.h>

// RFC 4180: quoted where a comma, a quote or an end of line would break the row, quotes doubled.
static void append_text(Text *out, const char *text) {
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        text_append(out, text);
        return;
    }
    text_append(out, "\"");
    for (const char *c = text; *c; c++)
        text_append_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_append(out, "\"");
}

// A number that is not there, -1, is an empty cell.
static void append_number(Text *out, long long number) {
    if (number >= 0)
        text_printf(out, "%lld", number);
    text_append(out, ",");
}

void game_csv_write_header(Text *out) {
    text_append(
        out,
        "slot,pair,opening,opening_plies,black,white,rule,width,height,result,reason,plies,seed,"
        "wall_us,note,"
        "ply,x,y,square,value,depth,seldepth,nodes,interior,leaves,cutoffs,first_cutoffs,branches,"
        "tt_probes,tt_hits,time_us,pv,black_dropped_lines,black_idle_us,black_idle_cpu_us,"
        "white_dropped_lines,white_idle_us,white_idle_cpu_us\n");
}

static void append_game(const GameSheet *sheet, Text *out) {
    const GameRecord *record = sheet->record;
    append_number(out, record->slot);
    append_number(out, record->pair);
    append_number(out, record->opening);
    append_number(out, record->opening_plies);
    append_text(out, sheet->black);
    text_append(out, ",");
    append_text(out, sheet->white);
    text_printf(out, ",%s,%d,%d,%c,%s,", rule_name(sheet->rule), record->width, record->height,
                record->result, game_reason_name(record->reason));
    // Games of a run without a move log have no moves, which is not the same as none having been
    // played.
    append_number(out, record->move_count ? record->move_count : -1);
    text_printf(out, "%llu,%lld,", (unsigned long long)record->seed, (long long)record->wall_us);
    append_text(out, record->note);
    text_append(out, ",");
}

// Numbers that a program did not tell are empty cells; its own 0 is a 0.
static void append_move(const GameRecord *record, int ply, Text *out) {
    const MoveRecord *m = &record->moves[ply - 1];
    const SearchCost *c = &m->cost;
    text_printf(out, "%d,%d,%d,", ply, m->move % record->width, m->move / record->width);
    game_record_write_square(record, m->move, out);
    text_append(out, ",");
    if (m->known & KNOWN_VALUE)
        text_append_double(out, m->value);
    text_append(out, ",");
    append_number(out, m->known & KNOWN_DEPTH ? c->depth : -1);
    append_number(out, m->known & KNOWN_SELDEPTH ? c->seldepth : -1);
    append_number(out, m->known & KNOWN_NODES ? (long long)c->nodes : -1);
    const uint64_t counters[] = {c->interior, c->leaves,    c->cutoffs, c->first_cutoffs,
                                 c->branches, c->tt_probes, c->tt_hits};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        append_number(out, m->known & KNOWN_COUNTERS ? (long long)counters[i] : -1);
    append_number(out, m->known & KNOWN_TIME ? (long long)c->time_us : -1);
    append_text(out, m->known & KNOWN_PV ? m->pv : NULL);
}

// The last columns, of the game again: empty for a player that is no program.
// Two seats a game: six columns at the end, so that older readers find theirs where they were.
static void append_watches(const GameRecord *record, Text *out) {
    for (int colour = BLACK; colour <= WHITE; colour++) {
        const SeatWatch *watch = &record->watch[colour];
        if (watch->is_watched)
            text_printf(out, ",%lld,%lld,%lld", (long long)watch->dropped_lines,
                        (long long)watch->idle_us, (long long)watch->idle_cpu_us);
        else
            text_append(out, ",,,");
    }
    text_append(out, "\n");
}

// The columns of the game are written once and repeated in every row: a table without joins.
void game_csv_write(const GameSheet *sheet, Text *out) {
    const GameRecord *record = sheet->record;
    Text game = {0};
    append_game(sheet, &game);
    for (int ply = 1; ply <= record->move_count; ply++) {
        text_append(out, text_cstr(&game));
        append_move(record, ply, out);
        append_watches(record, out);
    }
    // One row all the same, or the game would be lost.
    if (record->move_count == 0) {
        text_append(out, text_cstr(&game));
        text_append(out, ",,,,,,,,,,,,,,,,");
        append_watches(record, out);
    }
    out->failed |= game.failed;
    text_release(&game);
}
