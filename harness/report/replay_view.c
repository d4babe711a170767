// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of a replay.
#include "harness/report/replay_view.h"

#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "harness/report/number_text.h"
#include "harness/report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    GAP_COLUMNS = 3,
    PANEL_COLUMNS_MIN = 40,
    PANEL_COLUMNS_MAX = 72,
    PANEL_LINES_MAX = 40,
    NAME_COLUMNS = 32
};

// --- numbers of a move
// ----------------------------------------------------------------------------------------------

// "+12.5", "-3"; from the mover's side.
static NumberText value_text(double value) {
    NumberText out;
    if (!isfinite(value))
        snprintf(out.text, sizeof out.text, "%s", value > 0 ? "inf" : value < 0 ? "-inf" : "-");
    else if (fabs(value) >= (value == floor(value) ? 1e12 : 1e7)) // a proven win is told in full
        snprintf(out.text, sizeof out.text, "%+.3g", value);
    else
        snprintf(out.text, sizeof out.text, value == floor(value) ? "%+.0f" : "%+.2f", value + 0.0);
    return out;
}

// Black first, also through the opening: plies alternate.
static Colour mover(int ply) { return ply % 2 == 1 ? BLACK : WHITE; }

static const char *mover_name(const ReplayView *view, int ply) {
    return mover(ply) == BLACK ? view->black : view->white;
}

// --- the game as words
// ----------------------------------------------------------------------------------------------

static const char *reason_words(GameReason reason) {
    static const char *const WORDS[REASON_NB] = {
        [REASON_FIVE] = "five in a row",
        [REASON_OVERLINE] = "an overline",
        [REASON_FORBIDDEN] = "a forbidden move",
        [REASON_BOARD_FULL] = "a full board",
        [REASON_RESIGN] = "resignation",
        [REASON_TIMEOUT] = "timeout",
        [REASON_CRASH] = "a crash",
        [REASON_ILLEGAL] = "an illegal move",
        [REASON_ADJUDICATED] = "adjudication",
    };
    return WORDS[reason];
}

static void result_write(const ReplayView *view, Text *out) {
    const GameRecord *game = view->game;
    if (game->result == 'D')
        text_printf(out, "drawn by %s", reason_words(game->reason));
    else
        text_printf(out, "%s (%s) won by %s", game->result == 'B' ? view->black : view->white,
                    game->result == 'B' ? "black" : "white", reason_words(game->reason));
    if (game->move_count > 0)
        text_printf(out, " after %d %s", game->move_count, game->move_count == 1 ? "ply" : "plies");
}

// --- setting up
// -----------------------------------------------------------------------------------------------------

static void name_set(char *out, size_t size, const char *name) {
    Text clean = {0}, cut = {0};
    number_text_clean(&clean, name);
    number_text_cut(&cut, text_cstr(&clean), NAME_COLUMNS);
    snprintf(out, size, "%s", text_cstr(&cut));
    text_release(&clean);
    text_release(&cut);
}

Status replay_view_init(ReplayView *view, const Store *store, const GameRecord *game,
                        ErrorText *err) {
    const StoreExperiment *experiment = store_experiment(store);
    view->game = game;
    view->board_ply = 0;
    view->style = ART_UNICODE;
    view->columns = 0;
    Status status = board_init(&view->board, game->width, game->height, experiment->k,
                               experiment->rule, 2, err);
    if (status)
        return status;
    snprintf(view->title, sizeof view->title, "game %lld of %.100s, opening %lld, %s %dx%d",
             (long long)game->slot, experiment->name, (long long)game->opening,
             rule_name(experiment->rule), game->width, game->height);
    view->black_name = store_player(store, game->black)->name;
    view->white_name = store_player(store, game->white)->name;
    name_set(view->black, sizeof view->black, view->black_name);
    name_set(view->white, sizeof view->white, view->white_name);
    // Every page is drawn from moves that are known to fit.
    for (int i = 0; i < game->move_count; i++) {
        if (!board_is_free(&view->board, game->moves[i].move))
            return error_set(err, STATUS_INVALID, "%s: game %lld: ply %d is not on a free cell",
                             store_path(store), (long long)game->slot, i + 1);
        board_place(&view->board, game->moves[i].move);
    }
    view->board_ply = game->move_count;
    return STATUS_OK;
}

// Undone and played on, never set up anew: a step is a stone.
static void board_go(ReplayView *view, int ply) {
    CHECK(ply >= 0 && ply <= view->game->move_count);
    for (; view->board_ply > ply; view->board_ply--)
        board_undo(&view->board);
    for (; view->board_ply < ply; view->board_ply++)
        board_place(&view->board, view->game->moves[view->board_ply].move);
}

// --- the panel
// ------------------------------------------------------------------------------------------------------

typedef struct Panel {
    Text line[PANEL_LINES_MAX];
    int count, columns;
} Panel;

// The next line; the last one again when there is no more room.
// Too many lines are no fault: what is left over goes on in the last one.
static Text *panel_line(Panel *panel) {
    if (panel->count < PANEL_LINES_MAX)
        panel->count++;
    return &panel->line[panel->count - 1];
}

static void panel_label(Panel *panel, const char *label, const char *value) {
    if (value[0])
        text_printf(panel_line(panel), "%-10s%s", label, value);
}

// Text broken at its line ends, and between words into the panel's width; labelled on its first
// line.
static void panel_wrap(Panel *panel, const char *label, const char *words) {
    enum { LABEL = 10 };
    Text *line = panel_line(panel);
    text_printf(line, "%-*s", LABEL, label);
    int column = LABEL;
    bool is_new_line = false;
    for (const char *c = words; *c;) {
        size_t bytes = strcspn(c, " \n");
        size_t gap = strspn(c + bytes, " \n");
        // A word longer than the panel stands on a line of its own and runs over its edge rather
        // than being cut.
        if (is_new_line || (column > LABEL && column + (int)bytes + 1 > panel->columns)) {
            line = panel_line(panel);
            text_printf(line, "%-*s", LABEL, "");
            column = LABEL;
        }
        if (column > LABEL) {
            text_append(line, " ");
            column++;
        }
        text_append_bytes(line, c, bytes);
        column += (int)bytes;
        is_new_line = memchr(c + bytes, '\n', gap) != NULL;
        c += bytes + gap;
    }
}

// Only what is known: external programs say as much of a move as they like.
static void panel_cost(Panel *panel, const MoveRecord *move) {
    const SearchCost *cost = &move->cost;
    Text text = {0};
    if (move->known & KNOWN_VALUE)
        panel_label(panel, "value", value_text(move->value).text);
    if (move->known & KNOWN_DEPTH) {
        text_printf(&text, "%d", cost->depth);
        if (move->known & KNOWN_SELDEPTH)
            text_printf(&text, ", selective %d", cost->seldepth);
        panel_label(panel, "depth", text_cstr(&text));
        text_clear(&text);
    }
    if (move->known & KNOWN_NODES) {
        text_append(&text, number_count((int64_t)cost->nodes).text);
        if ((move->known & KNOWN_TIME) && cost->time_us > 0)
            text_printf(&text, "  (%s/s)",
                        number_short(1e6 * (double)cost->nodes / (double)cost->time_us).text);
        panel_label(panel, "nodes", text_cstr(&text));
        text_clear(&text);
    }
    if ((move->known & KNOWN_COUNTERS) && cost->interior > 0) {
        text_printf(&text, "%s of interior nodes",
                    number_percent((double)cost->cutoffs / (double)cost->interior).text);
        if (cost->cutoffs > 0)
            text_printf(&text, ", %s at the first move",
                        number_percent((double)cost->first_cutoffs / (double)cost->cutoffs).text);
        panel_label(panel, "cutoffs", text_cstr(&text));
    }
    if (move->known & KNOWN_TIME)
        panel_label(panel, "time", number_time_us((double)cost->time_us).text);
    if ((move->known & KNOWN_PV) && move->pv && move->pv[0])
        panel_wrap(panel, "pv", move->pv);
    text_release(&text);
}

static void panel_players(const ReplayView *view, Panel *panel, int ply) {
    for (int colour = BLACK; colour <= WHITE; colour++) {
        Text *line = panel_line(panel);
        board_art_stone((Colour)colour, view->style, line);
        // Nobody is to move after the end.
        bool is_next = ply < view->game->move_count && mover(ply + 1) == (Colour)colour;
        text_printf(line, " %s  %s%s", colour == BLACK ? "black" : "white",
                    colour == BLACK ? view->black : view->white, is_next ? "  (to move)" : "");
    }
}

static void panel_move(ReplayView *view, Panel *panel, int ply) {
    const GameRecord *game = view->game;
    Text *line = panel_line(panel);
    if (ply == 0) {
        text_printf(line, "ply 0 of %d: before the first stone", game->move_count);
        return;
    }
    const MoveRecord *move = &game->moves[ply - 1];
    text_printf(line, "ply %d of %d: ", ply, game->move_count);
    board_art_stone(mover(ply), view->style, line);
    text_printf(line, " %s", notation_square(&view->board, move->move).text);
    if (ply <= game->opening_plies)
        text_append(line, ", stone of the opening");
    else
        text_printf(line, ", %s", mover_name(view, ply));
    panel_cost(panel, move);
}

// The last moves up to `ply`, as many as fit below what the panel has.
// What has room is shown; a single line would only repeat the move above.
static void panel_recent(ReplayView *view, Panel *panel, int ply, int lines) {
    int shown = lines < ply ? lines : ply;
    if (shown < 2)
        return;
    panel_line(panel);
    for (int p = ply - shown + 1; p <= ply; p++) {
        const MoveRecord *move = &view->game->moves[p - 1];
        Text *line = panel_line(panel);
        text_printf(line, "%s%3d ", p == ply ? ">" : " ", p);
        board_art_stone(mover(p), view->style, line);
        text_printf(line, " %-4s", notation_square(&view->board, move->move).text);
        if (p <= view->game->opening_plies)
            text_append(line, " opening");
        if (move->known & KNOWN_VALUE)
            text_printf(line, " %10s", value_text(move->value).text);
        if (move->known & KNOWN_NODES)
            text_printf(line, "  %8s", number_short((double)move->cost.nodes).text);
        if (move->known & KNOWN_TIME) // "µ" is two bytes, one column
            text_printf(line, "  %*s",
                        8 + (strstr(number_time_us((double)move->cost.time_us).text, "µ") ? 1 : 0),
                        number_time_us((double)move->cost.time_us).text);
    }
}

// First what holds for the whole game, then the move, then what has room of the moves before.
static void panel_fill(ReplayView *view, Panel *panel, int ply, int lines) {
    Text text = {0};
    text_append(panel_line(panel), view->title);
    panel_players(view, panel, ply);
    result_write(view, &text);
    panel_wrap(panel, "result", text_cstr(&text));
    if (view->game->note)
        panel_wrap(panel, "note", view->game->note);
    panel_line(panel);
    panel_move(view, panel, ply);
    panel_recent(view, panel, ply, lines - panel->count - 1);
    text_release(&text);
}

// --- pages
// ----------------------------------------------------------------------------------------------------------

// Ends a line, without blanks before its end.
// Blanks at line ends show up when a page is copied or compared.
static void line_end(Text *out) {
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_append(out, "\n");
}

// Board and panel side by side.
static void page_beside(ReplayView *view, Panel *panel, Text *out) {
    int height = board_art_height(&view->board);
    int lines = panel->count > height ? panel->count : height;
    for (int i = 0; i < lines; i++) {
        if (i < height)
            board_art_line(&view->board, view->style, i, out);
        if (i < panel->count && panel->line[i].length > 0) {
            int gap = GAP_COLUMNS + (i < height ? 0 : board_art_width(&view->board));
            text_printf(out, "%*s%s", gap, "", text_cstr(&panel->line[i]));
        }
        line_end(out);
    }
}

// On a narrow terminal the board comes first and nothing is cut off.
static void page_below(ReplayView *view, Panel *panel, Text *out) {
    for (int i = 0; i < board_art_height(&view->board); i++) {
        board_art_line(&view->board, view->style, i, out);
        line_end(out);
    }
    for (int i = 0; i < panel->count; i++)
        text_printf(out, "%s\n", text_cstr(&panel->line[i]));
}

void replay_view_page(ReplayView *view, int ply, Text *out) {
    board_go(view, ply);
    // Unknown width (a pipe, a file): as if there were room enough.
    int room = view->columns ? view->columns - board_art_width(&view->board) - GAP_COLUMNS
                             : PANEL_COLUMNS_MAX;
    bool is_beside = room >= PANEL_COLUMNS_MIN;
    Panel panel = {.columns = is_beside ? room : view->columns};
    if (panel.columns > PANEL_COLUMNS_MAX)
        panel.columns = PANEL_COLUMNS_MAX;
    panel_fill(view, &panel, ply, is_beside ? board_art_height(&view->board) : 0);
    if (is_beside)
        page_beside(view, &panel, out);
    else
        page_below(view, &panel, out);
    for (int i = 0; i < PANEL_LINES_MAX; i++) {
        out->failed |= panel.line[i].failed;
        text_release(&panel.line[i]);
    }
}

// Rounded, as for a reader of the page; replay_view_table has the exact numbers.
void replay_view_moves(ReplayView *view, Text *out) {
    static const TableColumn COLUMNS[] = {
        {"ply", COLUMN_INT, 0, NULL},    {"colour", COLUMN_TEXT, 0, " "},
        {"move", COLUMN_TEXT, 0, NULL},  {"value", COLUMN_RIGHT, 0, NULL},
        {"depth", COLUMN_INT, 0, NULL},  {"nodes", COLUMN_RIGHT, 0, NULL},
        {"time", COLUMN_RIGHT, 0, NULL}, {"pv", COLUMN_TEXT, 0, NULL},
    };
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    for (int ply = 1; table && ply <= view->game->move_count; ply++) {
        const MoveRecord *move = &view->game->moves[ply - 1];
        Text stone = {0}, pv = {0};
        board_art_stone(mover(ply), view->style == ART_COLOUR ? ART_UNICODE : view->style, &stone);
        table_row(table);
        table_set_int(table, 0, ply);
        table_set_text(table, 1, text_cstr(&stone));
        table_set_text(table, 2, notation_square(&view->board, move->move).text);
        if (move->known & KNOWN_VALUE)
            table_set_text(table, 3, value_text(move->value).text);
        if (move->known & KNOWN_DEPTH)
            table_set_int(table, 4, move->cost.depth);
        if (move->known & KNOWN_NODES)
            table_set_text(table, 5, number_count((int64_t)move->cost.nodes).text);
        if (move->known & KNOWN_TIME)
            table_set_text(table, 6, number_time_us((double)move->cost.time_us).text);
        number_text_cut(&pv, move->pv ? move->pv : "", 40);
        table_set_text(table, 7, ply <= view->game->opening_plies ? "(opening)" : text_cstr(&pv));
        text_release(&stone);
        text_release(&pv);
    }
    ErrorText err;
    out->failed |= !table || table_write(table, TABLE_TEXT, out, &err) != STATUS_OK;
    table_free(table);
}
