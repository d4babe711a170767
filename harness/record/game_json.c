// SPDX-License-Identifier: GPL-3.0-or-later
// Writing JSON lines.
#include "harness/record/game_json.h"

#include <math.h>

// Names of imported players may hold anything; JSON wants valid UTF-8.
static void append_string(Text *out, const char *text) {
    Text clean = {0};
    text_append_clean(&clean, text);
    text_append_json(out, text_cstr(&clean));
    out->failed |= clean.failed;
    text_release(&clean);
}

static void append_text(Text *out, const char *key, const char *text) {
    if (!text)
        return;
    text_printf(out, ", \"%s\": ", key);
    append_string(out, text);
}

// Negative stands for "none" in a record; a missing key says the same.
static void append_number(Text *out, const char *key, long long number) {
    if (number >= 0)
        text_printf(out, ", \"%s\": %lld", key, number);
}

static void append_move(const GameRecord *record, int ply, Text *out) {
    const MoveRecord *m = &record->moves[ply - 1];
    const SearchCost *c = &m->cost;
    const struct {
        const char *key;
        uint64_t count;
    } COUNTERS[] = {{"interior", c->interior}, {"leaves", c->leaves},
                    {"cutoffs", c->cutoffs},   {"first_cutoffs", c->first_cutoffs},
                    {"branches", c->branches}, {"tt_probes", c->tt_probes},
                    {"tt_hits", c->tt_hits}};
    text_printf(out, "%s{\"ply\": %d, \"x\": %d, \"y\": %d, \"square\": \"", ply > 1 ? ", " : "",
                ply, m->move % record->width, m->move / record->width);
    game_record_write_square(record, m->move, out);
    text_append(out, "\"");
    if (m->known & KNOWN_VALUE) {
        // JSON knows no infinities: as strings, like everywhere in this program.
        text_append(out, isinf(m->value) ? ", \"value\": \"" : ", \"value\": ");
        text_append_double(out, m->value);
        text_append(out, isinf(m->value) ? "\"" : "");
    }
    append_number(out, "depth", m->known & KNOWN_DEPTH ? c->depth : -1);
    append_number(out, "seldepth", m->known & KNOWN_SELDEPTH ? c->seldepth : -1);
    append_number(out, "nodes", m->known & KNOWN_NODES ? (long long)c->nodes : -1);
    for (size_t i = 0; m->known & KNOWN_COUNTERS && i < sizeof COUNTERS / sizeof *COUNTERS; i++)
        append_number(out, COUNTERS[i].key, (long long)COUNTERS[i].count);
    // Keys of what is not known are left out: 0 would be a measurement.
    append_number(out, "time_us", m->known & KNOWN_TIME ? (long long)c->time_us : -1);
    append_text(out, "pv", m->known & KNOWN_PV ? m->pv : NULL);
    text_append(out, "}");
}

void game_json_write(const GameSheet *sheet, Text *out) {
    const GameRecord *record = sheet->record;
    text_printf(out, "{\"slot\": %lld", (long long)record->slot);
    append_number(out, "pair", record->pair);
    append_number(out, "opening", record->opening);
    append_number(out, "opening_plies", record->opening_plies);
    append_text(out, "event", game_sheet_event(sheet));
    append_text(out, "date", game_sheet_date(sheet));
    append_text(out, "round", record->source.round);
    append_text(out, "black", sheet->black);
    append_text(out, "white", sheet->white);
    append_text(out, "rule", rule_name(sheet->rule));
    append_number(out, "width", record->width);
    append_number(out, "height", record->height);
    // The seed is text, since many readers of JSON have doubles only and would round 64 bits.
    text_printf(out, ", \"result\": \"%c\", \"reason\": \"%s\", \"seed\": \"%llu\"", record->result,
                game_reason_name(record->reason), (unsigned long long)record->seed);
    // Without moves kept, their number is not 0 but unknown here.
    append_number(out, "plies", record->move_count ? record->move_count : -1);
    append_number(out, "wall_us", record->wall_us);
    append_text(out, "note", record->note);
    for (int colour = BLACK; colour <= WHITE; colour++) {
        const SeatWatch *watch = &record->watch[colour];
        const char *name = colour == BLACK ? "black" : "white";
        if (watch->is_watched)
            text_printf(out,
                        ", \"%s_dropped_lines\": %lld, \"%s_idle_us\": %lld, "
                        "\"%s_idle_cpu_us\": %lld",
                        name, (long long)watch->dropped_lines, name, (long long)watch->idle_us,
                        name, (long long)watch->idle_cpu_us);
    }
    text_append(out, ", \"moves\": [");
    for (int ply = 1; ply <= record->move_count; ply++)
        append_move(record, ply, out);
    text_append(out, "]}\n");
}
