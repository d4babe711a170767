// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that can be planted into a search on purpose, to prove that what looks for them finds
// them. For tests only.
#pragma once

typedef enum SearchFault {
    FAULT_NONE,
    FAULT_TABLE_WITHOUT_BOUNDS,     // every entry of the transposition table is taken for an exact
                                    // value
    FAULT_NARROW_ROOT_WINDOW,       // alpha begins at 0 instead of minus infinity
    FAULT_STONE_LEFT,               // one stone is not taken back
    FAULT_HISTORY_OVERFLOW,         // a move whose history passes 127 is never picked
    FAULT_ORDER_CHANGES_CANDIDATES, // the ordering decides which moves moves.limit keeps
    FAULT_NB
} SearchFault;
