// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what an autopsy found.
#include "harness/cli/autopsy_view.h"

#include "engine/base/check.h"
#include "engine/board/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Both enums in one numbering, so that one loop counts all shapes.
enum { SHAPES = COLLAPSE_NB + REASON_NB }; // a collapse, or else the reason of the end

static int shape_of(const AutopsyGame *game) {
    return game->collapse != COLLAPSE_NONE ? (int)game->collapse : COLLAPSE_NB + (int)game->reason;
}

static const char *shape_name(int shape) {
    if (shape < COLLAPSE_NB)
        return collapse_name((Collapse)shape);
    return shape == COLLAPSE_NB + REASON_FIVE ? "other"
                                              : game_reason_name((GameReason)(shape - COLLAPSE_NB));
}

// Sets a square as people write it, from its cell; left missing for MOVE_NONE.
// By hand, as the tables are made from games without a board.
static void set_square(Table *table, int column, const AutopsyGame *game, Move move) {
    char text[12];
    if (move == MOVE_NONE)
        return;
    snprintf(text, sizeof text, "%c%d", 'a' + move % game->width,
             game->height - move / game->width);
    table_set_text(table, column, text);
}

// --- games
// --------------------------------------------------------------------------------------------------------------

enum {
    G_GAME,
    G_LOSER,
    G_WINNER,
    G_COLOUR,
    G_REASON,
    G_PLIES,
    G_SURVIVED,
    G_PROVED,
    G_PROOF,
    G_RESISTED,
    G_LOSING,
    G_ESCAPE_PLY,
    G_ESCAPE,
    G_ESCAPES,
    G_SHAPE
};
static const TableColumn GAME_COLUMNS[] = {
    {"game", COLUMN_INT, 0, NULL},         {"loser", COLUMN_TEXT, 0, NULL},
    {"winner", COLUMN_TEXT, 0, NULL},      {"colour", COLUMN_TEXT, 0, NULL},
    {"reason", COLUMN_TEXT, 0, NULL},      {"plies", COLUMN_INT, 0, NULL},
    {"survived", COLUMN_INT, 0, NULL},     {"proved_ply", COLUMN_INT, 0, "proved at"},
    {"proof", COLUMN_TEXT, 0, NULL},       {"resisted", COLUMN_INT, 0, NULL},
    {"losing_move", COLUMN_TEXT, 0, "by"}, {"escape_ply", COLUMN_INT, 0, "escape at"},
    {"escape", COLUMN_TEXT, 0, NULL},      {"escapes", COLUMN_INT, 0, NULL},
    {"shape", COLUMN_TEXT, 0, NULL},
};

static void add_game(const Store *store, const AutopsyGame *game, Table *table) {
    table_row(table);
    table_set_int(table, G_GAME, game->slot);
    table_set_text(table, G_LOSER, store_player(store, game->loser)->name);
    table_set_text(table, G_WINNER, store_player(store, game->winner)->name);
    table_set_text(table, G_COLOUR, game->colour == BLACK ? "black" : "white");
    table_set_text(table, G_REASON, game_reason_name(game->reason));
    table_set_int(table, G_PLIES, game->plies);
    table_set_int(table, G_SURVIVED, game->survived);
    table_set_text(table, G_SHAPE, shape_name(shape_of(game)));
    // Nothing was proved: the cells stay empty, since 0 would be a ply.
    if (!game->proved_ply)
        return;
    table_set_int(table, G_PROVED, game->proved_ply);
    table_set_text(table, G_PROOF, autopsy_proof_name(game->proof));
    table_set_int(table, G_RESISTED, game->resisted);
    set_square(table, G_LOSING, game, game->losing_move);
    if (game->losing_move != MOVE_NONE)
        table_set_int(table, G_ESCAPES, game->escapes);
    if (game->escape_ply)
        table_set_int(table, G_ESCAPE_PLY, game->escape_ply);
    set_square(table, G_ESCAPE, game, game->escape);
}

static void fill_games(const Store *store, const Autopsy *autopsy, Table *table) {
    for (int64_t i = 0; i < autopsy->count; i++)
        add_game(store, &autopsy->games[i], table);
}

// --- players
// ------------------------------------------------------------------------------------------------------------

enum {
    P_PLAYER,
    P_LOSSES,
    P_PROVED,
    P_SURVIVED,
    P_PROVED_PLY,
    P_RESISTED,
    P_VCF,
    P_VCT,
    P_AVOIDABLE
};
static const TableColumn PLAYER_COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL},
    {"losses", COLUMN_INT, 0, NULL},
    {"proved", COLUMN_INT, 0, NULL},
    {"survived_mean", COLUMN_REAL, 1, "survived"},
    {"proved_ply_mean", COLUMN_REAL, 1, "proved at"},
    {"resisted_mean", COLUMN_REAL, 1, "resisted"},
    {"by_vcf", COLUMN_INT, 0, NULL},
    {"by_vct", COLUMN_INT, 0, NULL},
    {"avoidable", COLUMN_INT, 0, NULL},
};

static void add_player(const Store *store, const Autopsy *autopsy, int player, Table *table) {
    int64_t losses = 0, proved = 0, survived = 0, ply = 0, resisted = 0, avoidable = 0;
    int64_t by[PROVED_VCT + 1] = {0};
    for (int64_t i = 0; i < autopsy->count; i++) {
        const AutopsyGame *game = &autopsy->games[i];
        if (game->loser != player)
            continue;
        losses++;
        survived += game->survived;
        proved += game->proved_ply > 0;
        ply += game->proved_ply;
        resisted += game->resisted;
        avoidable += game->escapes > 0;
        by[game->proof]++;
    }
    // Who never lost has no row: all its means would be of nothing.
    if (losses == 0)
        return;
    table_row(table);
    table_set_text(table, P_PLAYER, store_player(store, player)->name);
    table_set_int(table, P_LOSSES, losses);
    table_set_int(table, P_PROVED, proved);
    table_set_real(table, P_SURVIVED, (double)survived / (double)losses);
    if (proved) {
        table_set_real(table, P_PROVED_PLY, (double)ply / (double)proved);
        table_set_real(table, P_RESISTED, (double)resisted / (double)proved);
    }
    // A five at once is the shortest win by continuous fours.
    table_set_int(table, P_VCF, by[PROVED_VCF] + by[PROVED_FIVE]);
    table_set_int(table, P_VCT, by[PROVED_VCT]);
    table_set_int(table, P_AVOIDABLE, avoidable);
}

static void fill_players(const Store *store, const Autopsy *autopsy, Table *table) {
    for (int player = 0; player < store_player_count(store); player++)
        add_player(store, autopsy, player, table);
}

// --- shapes, and a board for each
// ---------------------------------------------------------------------------------------

enum { S_PLAYER, S_SHAPE, S_LOSSES, S_PERCENT, S_GAME, S_PLY, S_MOVES };
static const TableColumn SHAPE_COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL}, {"shape", COLUMN_TEXT, 0, NULL},
    {"losses", COLUMN_INT, 0, NULL},  {"percent", COLUMN_REAL, 1, NULL},
    {"game", COLUMN_INT, 0, "e.g."},  {"ply", COLUMN_INT, 0, NULL},
    {"moves", COLUMN_TEXT, 0, NULL},
};

typedef struct ShapeRow {
    int64_t losses, all;        // with this shape, and of the player altogether
    const AutopsyGame *example; // the first with a proof, else the first
} ShapeRow;

// One pass over the games for each row: there are a few players and a dozen shapes.
static ShapeRow count_shape(const Autopsy *autopsy, int player, int shape) {
    ShapeRow row = {0};
    for (int64_t i = 0; i < autopsy->count; i++) {
        const AutopsyGame *game = &autopsy->games[i];
        row.all += game->loser == player;
        if (game->loser != player || shape_of(game) != shape)
            continue;
        row.losses++;
        if (!row.example || (!row.example->proved_ply && game->proved_ply))
            row.example = game;
    }
    return row;
}

static void write_moves(const AutopsyGame *game, Text *out) {
    for (int i = 0; i < game->moves_kept; i++)
        text_printf(out, "%c%d", 'a' + game->moves[i] % game->width,
                    game->height - game->moves[i] / game->width);
}

static void add_shape(const Store *store, const ShapeRow *row, int shape, Table *table) {
    Text moves = {0};
    table_row(table);
    table_set_text(table, S_PLAYER, store_player(store, row->example->loser)->name);
    table_set_text(table, S_SHAPE, shape_name(shape));
    table_set_int(table, S_LOSSES, row->losses);
    table_set_real(table, S_PERCENT, 100.0 * (double)row->losses / (double)row->all);
    table_set_int(table, S_GAME, row->example->slot);
    // Without a proof there is no position to point at.
    if (row->example->proved_ply) {
        write_moves(row->example, &moves);
        table_set_int(table, S_PLY, row->example->proved_ply);
        table_set_text(table, S_MOVES, text_cstr(&moves));
    }
    text_release(&moves);
}

static void fill_shapes(const Store *store, const Autopsy *autopsy, Table *table) {
    for (int player = 0; player < store_player_count(store); player++)
        for (int shape = 0; shape < SHAPES; shape++) {
            ShapeRow row = count_shape(autopsy, player, shape);
            if (row.losses)
                add_shape(store, &row, shape, table);
        }
}

// The position after the losing move, and what it was.
static Status draw_example(const Store *store, const AutopsyGame *game, const AutopsyView *view,
                           Text *out, ErrorText *err) {
    Board *board = malloc(sizeof *board);
    Status status = board ? board_init(board, game->width, game->height, 5,
                                       store_experiment(store)->rule, 2, err)
                          : error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    if (!status) {
        for (int i = 0; i < game->moves_kept; i++)
            board_place(board, game->moves[i]);
        text_printf(out, "\n%s, %s: game %lld, lost as %s to %s after ply %d (%s)",
                    store_player(store, game->loser)->name, shape_name(shape_of(game)),
                    (long long)game->slot, game->colour == BLACK ? "black" : "white",
                    store_player(store, game->winner)->name, game->proved_ply,
                    autopsy_proof_name(game->proof));
        if (game->escape_ply)
            text_printf(out, game->escapes ? "; %s had escaped" : "; %s was the last escape",
                        notation_square(board, game->escape).text);
        text_append(out, view->format == TABLE_MD ? "\n\n```\n" : "\n\n");
        for (int line = 0; line < board_art_height(board); line++) {
            board_art_line(board, view->style, line, out);
            text_append(out, "\n");
        }
        text_append(out, view->format == TABLE_MD ? "```\n" : "");
    }
    free(board);
    return status;
}

static Status draw_examples(const Store *store, const Autopsy *autopsy, const AutopsyView *view,
                            Text *out, ErrorText *err) {
    Status status = STATUS_OK;
    for (int player = 0; player < store_player_count(store); player++)
        for (int shape = 0; shape < SHAPES && !status; shape++) {
            ShapeRow row = count_shape(autopsy, player, shape);
            if (row.losses && row.example->proved_ply)
                status = draw_example(store, row.example, view, out, err);
        }
    return status;
}

// --- printing
// -----------------------------------------------------------------------------------------------------------

static const struct {
    AutopsySection section;
    const char *name;
    const TableColumn *columns;
    int column_count;
    void (*fill)(const Store *store, const Autopsy *autopsy, Table *table);
} TABLES[] = {
    {AUTOPSY_GAMES, "games", GAME_COLUMNS, ARRAY_LEN(GAME_COLUMNS), fill_games},
    {AUTOPSY_PLAYERS, "players", PLAYER_COLUMNS, ARRAY_LEN(PLAYER_COLUMNS), fill_players},
    {AUTOPSY_SHAPES, "shapes", SHAPE_COLUMNS, ARRAY_LEN(SHAPE_COLUMNS), fill_shapes},
};

// What stands before a table among several: its name, or its key.
// The same separators as `report` has for its sections.
static void introduce(size_t index, TableFormat format, Text *out) {
    const char *name = TABLES[index].name;
    if (format == TABLE_JSON)
        text_printf(out, "%s\"%s\": ", index ? ", " : "{", name);
    else if (format == TABLE_CSV || format == TABLE_TSV)
        text_printf(out, "%s# %s\n", index ? "\n" : "", name);
    else
        text_printf(out, format == TABLE_MD ? "%s## %s\n\n" : "%s%s\n\n", index ? "\n" : "", name);
}

// The rows of a table; NULL: out of memory. To be freed by the caller.
static Table *make_table(const Store *store, const Autopsy *autopsy, size_t index) {
    Table *table = table_new(TABLES[index].columns, TABLES[index].column_count);
    if (table)
        TABLES[index].fill(store, autopsy, table);
    return table;
}

Status autopsy_print(const Store *store, const Autopsy *autopsy, const AutopsyView *view,
                     ErrorText *err) {
    Text out = {0};
    Status status = STATUS_OK;
    // The formats for people come first in the enum.
    bool all = view->section == AUTOPSY_ALL, for_people = view->format <= TABLE_MD;
    for (size_t i = 0; i < ARRAY_LEN(TABLES) && !status; i++) {
        if (!all && view->section != TABLES[i].section)
            continue;
        if (all)
            introduce(i, view->format, &out);
        Table *table = make_table(store, autopsy, i);
        status = table ? table_write(table, view->format, &out, err)
                       : error_set(err, STATUS_NO_MEMORY, "out of memory");
        table_free(table);
    }
    if (view->format == TABLE_JSON)
        text_append(&out, all ? "}\n" : "\n");
    if (!status && for_people && view->boards && (all || view->section == AUTOPSY_SHAPES))
        status = draw_examples(store, autopsy, view, &out, err);
    if (!status && out.failed)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        fputs(text_cstr(&out), stdout);
    text_release(&out);
    return status;
}
