// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab show`: one stored game as boards in the terminal.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/show_analysis.h"
#include "harness/report/replay_screen.h"
#include "harness/report/table.h"
#include "harness/study/close_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

typedef struct ShowOptions {
    const char *database, *game, *analyze;
    int64_t ply, candidates;
    OptionList set;
    bool all, ascii;
    int colour, format;
} ShowOptions;

// 0 is the empty board, which one may want to see.
enum { PLY_NOT_GIVEN = -1 };

static const Option OPTIONS[] = {
    OPTION_ARG(ShowOptions, database, "DB", "database of `run`, `merge` or `import`"),
    OPTION_ARG(ShowOptions, game, "GAME", "the game's slot: its number in the plan, from 0"),
    OPTION_INT(ShowOptions, ply, "--ply", "N", PLY_NOT_GIVEN, 0, BOARD_MAX_CELLS, "the last",
               "print the board after N plies"),
    OPTION_FLAG(ShowOptions, all, "--all", "print the board after every ply"),
    OPTION_TEXT(ShowOptions, analyze, "--analyze", "PLAYER", NULL,
                "let the player of this file look closer at the position of --ply"),
    OPTION_INT(ShowOptions, candidates, "--candidates", "N", 8, 1, CLOSE_LOOK_MAX, NULL,
               "with --analyze: look at N moves one by one"),
    OPTION_LIST(ShowOptions, set, "--set", "KEY=VALUE", "with --analyze: change a knob of PLAYER"),
    OPTION_CHOICE(
        ShowOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
        "text: boards; else the moves, or the table of --analyze (csv, tsv, json: it alone)"),
    OPTION_FLAG(ShowOptions, ascii, "--ascii", "X and O instead of stones"),
    OPTION_CHOICE(ShowOptions, colour, "--color", "auto|always|never", COLOUR_AUTO,
                  "paint the board"),
};

static const OptionNeed NEEDS[] = {
    {"--candidates", "--analyze"},
    {"--set", "--analyze"},
};

// Does the terminal know the 256 colours that a painted board needs?
static bool terminal_has_colours(void) {
    static const char *const KNOWN[] = {"256color", "direct", "kitty", "alacritty", "foot"};
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"),
               *colorterm = getenv("COLORTERM");
    if (!isatty(STDOUT_FILENO) || (no_color && no_color[0]) || !term) // https://no-color.org
        return false;
    // By name, without a library for terminals: these are what terminals with 256 colours call
    // themselves today.
    for (size_t i = 0; i < ARRAY_LEN(KNOWN); i++)
        if (strstr(term, KNOWN[i]))
            return true;
    return colorterm && colorterm[0];
}

static ArtStyle style_pick(const ShowOptions *options) {
    bool colour = options->colour == COLOUR_ALWAYS ||
                  (options->colour == COLOUR_AUTO && terminal_has_colours());
    return options->ascii ? ART_ASCII : colour ? ART_COLOUR : ART_UNICODE;
}

// Without a terminal: the page asked for, all of them, or the last page and the list of moves.
static Status pages_print(ReplayView *view, const ShowOptions *options, ErrorText *err) {
    // One buffer for all pages: a reader sees whole boards or an error, no half of one.
    int last = view->game->move_count;
    Text out = {0};
    if (options->all) {
        for (int ply = 0; ply <= last; ply++) {
            replay_view_page(view, ply, &out);
            text_append(&out, ply < last ? "\n" : "");
        }
    } else {
        replay_view_page(view, options->ply == PLY_NOT_GIVEN ? last : (int)options->ply, &out);
        if (options->ply == PLY_NOT_GIVEN && last > 0) {
            text_append(&out, "\n");
            replay_view_moves(view, &out);
        }
    }
    Status status = out.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory") : STATUS_OK;
    if (status == STATUS_OK)
        fputs(text_cstr(&out), stdout);
    text_release(&out);
    return status;
}

// The moves up to --ply for programs.
// Programs get no boards: they have the moves and can set up their own.
static Status table_of_moves_print(const ReplayView *view, const ShowOptions *options,
                                   ErrorText *err) {
    int plies = options->ply == PLY_NOT_GIVEN ? view->game->move_count : (int)options->ply;
    Table *table = replay_view_table(view, plies);
    Status status = table ? table_print(table, (TableFormat)options->format, stdout, err)
                          : error_set(err, STATUS_NO_MEMORY, "out of memory");
    table_free(table);
    return status;
}

// The page of --ply, and what a player thinks of it.
static Status analysis_print(ReplayView *view, const ShowOptions *options, ErrorText *err) {
    int ply = (int)options->ply;
    Text page = {0};
    replay_view_page(view, ply, &page); // the view's board is the position now
    ShowAnalysis request = {.player = options->analyze,
                            .set = &options->set,
                            .page = text_cstr(&page),
                            .position = &view->board,
                            .ply = ply,
                            .played = ply < view->game->move_count ? view->game->moves[ply].move
                                                                   : (Move)MOVE_NONE,
                            .candidates = (int)options->candidates,
                            .format = options->format};
    Status status = show_analysis(&request, err);
    text_release(&page);
    return status;
}

// Says that stones are missing; a game that ended before its first stone lacks none.
// The record counts the stones that are stored, the row those that were played.
static Status absence_tell(Store *store, const GameRecord *game, ErrorText *err) {
    StoreCursor *cursor = NULL;
    StoreGame row = {0};
    bool found = false;
    Status status = store_games_open(store, game->slot, &cursor, err);
    if (!status)
        status = store_games_next(cursor, &row, &found, err);
    store_cursor_close(cursor);
    if (!status && found && row.plies > 0)
        fputs("no moves of this game are stored: the run did not log them\n", stderr);
    return status;
}

static Status game_show(ReplayView *view, Store *store, const GameRecord *game,
                        const ShowOptions *options, ErrorText *err) {
    Status status = replay_view_init(view, store, game, err);
    if (status)
        return status;
    if (options->ply > game->move_count)
        return error_set(err, STATUS_INVALID,
                         "gomolab show: --ply: %lld, expected 0..%d: the game has no more plies",
                         (long long)options->ply, game->move_count);
    view->style = style_pick(options);
    view->columns = replay_screen_columns();
    if (game->move_count == 0)
        status = absence_tell(store, game, err);
    if (status)
        return status;
    if (options->analyze)
        return analysis_print(view, options, err);
    if (options->format != TABLE_TEXT)
        return table_of_moves_print(view, options, err);
    // Pages that are asked for by number are output; a screen that is turned by keys needs a person
    // before it.
    bool is_plain = options->all || options->ply != PLY_NOT_GIVEN || !replay_screen_is_possible();
    return is_plain ? pages_print(view, options, err) : replay_screen_run(view, 0, err);
}

static int show_command(const void *values) {
    const ShowOptions *options = values;
    ErrorText err = {0};
    Store *store = NULL;
    GameRecord *game = NULL;
    int64_t slot = 0;
    if (!text_parse_int(options->game, 0, INT64_MAX, &slot))
        return command_usage(&command_show, "GAME: '%s', expected a slot, a whole number from 0",
                             options->game);
    if (options->all && options->ply != PLY_NOT_GIVEN)
        return command_usage(&command_show, "--all and --ply exclude each other");
    // Which position is meant decides how long it takes and what is said, so that there is no
    // default.
    if (options->analyze && options->ply == PLY_NOT_GIVEN)
        return command_usage(&command_show, "--analyze PLAYER: expected --ply N, too");
    // On the heap: it holds a board with all its tables.
    ReplayView *view = calloc(1, sizeof *view);
    Status status = view ? store_open(options->database, &store, &err)
                         : error_set(&err, STATUS_NO_MEMORY, "out of memory");
    if (status == STATUS_OK) {
        status = store_load_game(store, slot, &game, &err);
        if (status == STATUS_OK)
            status = game_show(view, store, game, options, &err);
    }
    game_record_free(game);
    store_close(store);
    free(view);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_show = {
    .name = "show",
    .summary = "replay a stored game in the terminal",
    .details = "On a terminal the arrow keys, n and p turn the pages, q ends. Otherwise, and with "
               "--ply or --all, boards are\n"
               "printed. Without colours the filled stone is black, the hollow one white, whatever "
               "the terminal's background;\n"
               "with them both are filled, black and white on wood. The last stone stands in "
               "brackets. Values are from the\n"
               "mover's side. --analyze searches the position after --ply, then its best move, the "
               "game's and others one by one.\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS), NEEDS, ARRAY_LEN(NEEDS)},
    .values_size = sizeof(ShowOptions),
    .run = show_command,
};
