// SPDX-License-Identifier: GPL-3.0-or-later
// What a player thinks of one position of a stored game, for `gomolab show --analyze`.
#pragma once

#include "engine/board/board.h"
#include "harness/cli/options.h"

// Who looks at what; everything is borrowed.
typedef struct ShowAnalysis {
    const char *player;    // file of the player who looks
    const OptionList *set; // changes of its knobs
    const char *page;      // printed above what the player thinks
    const Board *position; // after `ply` plies
    int ply;
    // Looked at in any case, however it is rated, so that the table says what it cost.
    Move played;            // the game's next move; MOVE_NONE: there is none
    int candidates, format; // moves to look at; TableFormat
} ShowAnalysis;

// Prints the page, value, best move, line and cost (text and Markdown), then a table of
// candidates; nothing when it fails. Refuses external programs (STATUS_UNSUPPORTED). Thread: main.
Status show_analysis(const ShowAnalysis *request, ErrorText *err) MUST_CHECK;
