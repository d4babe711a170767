// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a closer look.
#include "harness/cli/show_analysis.h"

#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "harness/cli/config.h"
#include "harness/report/table.h"
#include "harness/study/close_look.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLY, MOVE, VALUE, PLIES, BEST, PLAYED, LINE };
static const TableColumn COLUMNS[] = {
    {"ply", COLUMN_INT, 0, NULL},     {"move", COLUMN_TEXT, 0, NULL},
    {"value", COLUMN_REAL, -1, NULL}, {"plies", COLUMN_INT, 0, "ends in"},
    {"best", COLUMN_BOOL, 0, NULL},   {"played", COLUMN_BOOL, 0, NULL},
    {"line", COLUMN_TEXT, 0, NULL},
};

static void write_line(const Board *board, const Move *line, int length, Text *out) {
    for (int i = 0; i < length; i++)
        text_printf(out, "%s%s", i ? " " : "", notation_square(board, line[i]).text);
}

static void fill_table(const ShowAnalysis *request, const CloseLook *look, Table *table) {
    for (int i = 0; i < look->count; i++) {
        const CandidateLook *candidate = &look->candidates[i];
        int plies = close_look_plies(candidate->value);
        Text line = {0};
        write_line(request->position, candidate->line, candidate->line_length, &line);
        table_row(table);
        // The ply that the move would be, not the one before it.
        table_set_int(table, PLY, request->ply + 1);
        table_set_text(table, MOVE, notation_square(request->position, candidate->move).text);
        table_set_real(table, VALUE, candidate->value);
        // Only proved ends have a length.
        if (plies)
            table_set_int(table, PLIES, plies);
        table_set_bool(table, BEST, candidate->is_best);
        table_set_bool(table, PLAYED, candidate->is_played);
        table_set_text(table, LINE, text_cstr(&line));
        text_release(&line);
    }
}

// The lines above the table: who looks, and what it would play.
static void print_head(const ShowAnalysis *request, const char *name, const CloseLook *look) {
    const ThinkReport *best = &look->best;
    int plies = close_look_plies(best->value);
    Text line = {0}, value = {0};
    write_line(request->position, best->pv, best->pv_length, &line);
    text_append_double(&value, best->value);
    printf("\n%s looks at it, %s to move\n", name,
           request->position->side == BLACK ? "black" : "white");
    printf("value     %s", text_cstr(&value));
    if (plies)
        printf(" (%s in %d %s)", plies > 0 ? "won" : "lost", abs(plies),
               abs(plies) == 1 ? "ply" : "plies");
    printf("\nbest move %s\nline      %s\n", notation_square(request->position, best->move).text,
           best->pv_length ? text_cstr(&line) : "-");
    printf("depth     %d, selective %d\nnodes     %llu\ntime      %.2f ms\n\n", best->cost.depth,
           best->cost.seldepth, (unsigned long long)best->cost.nodes,
           (double)best->cost.time_us / 1000);
    text_release(&line);
    text_release(&value);
}

Status show_analysis(const ShowAnalysis *request, ErrorText *err) {
    PlayerSpec player = {0};
    CloseLook *look = calloc(1, sizeof *look);
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    Status status = look && table
                        ? config_load_player(request->player, request->set, &player, NULL, err)
                        : error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status && player.external.command)
        status = error_set(err, STATUS_UNSUPPORTED,
                           "%s is an external program: only gomolab's own engine can look closer",
                           request->player);
    if (!status)
        status = close_look(&player.knobs, request->position, request->played, request->candidates,
                            look, err);
    if (!status) {
        fill_table(request, look, table);
        // For people; csv, tsv and json are the table alone.
        if (request->format == TABLE_TEXT || request->format == TABLE_MD) {
            fputs(request->page, stdout);
            print_head(request, player.name, look);
        }
        status = table_print(table, (TableFormat)request->format, stdout, err);
    }
    table_free(table);
    free(look);
    player_spec_release(&player);
    return status;
}
