// SPDX-License-Identifier: GPL-3.0-or-later
// The tables and boards of an autopsy.
//
//   games    one row a lost game
//   players  one row a player that lost
//   shapes   one row a player and shape of collapse, with an example: its position is drawn below
#pragma once

#include "harness/report/board_art.h"
#include "harness/report/table.h"
#include "harness/study/autopsy.h"

// Sections as the user names them; in data formats several are set apart as those of a report.
typedef enum AutopsySection {
    AUTOPSY_ALL,
    AUTOPSY_GAMES,
    AUTOPSY_PLAYERS,
    AUTOPSY_SHAPES
} AutopsySection;
#define AUTOPSY_SECTIONS "all|games|players|shapes" // in the order of the enum

// What is printed, and how. Boards are part of a text that may be piped: never painted.
typedef struct AutopsyView {
    AutopsySection section;
    TableFormat format;
    bool boards; // below shapes, in text and Markdown
    ArtStyle style;
} AutopsyView;

// Prints to standard output: several tables as `report` does, one of them alone. Thread: main.
Status autopsy_print(const Store *store, const Autopsy *autopsy, const AutopsyView *view,
                     ErrorText *err) MUST_CHECK;
