// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that can be planted into a search on purpose, to prove that what looks for them finds
// them: a check that has never failed may be one that cannot. Classic mistakes, all of them. For
// tests only.
#pragma once

typedef enum SearchFault {
    FAULT_NONE,
    // Every entry of the transposition table is taken for an exact value.
    FAULT_TABLE_WITHOUT_BOUNDS,
    // Alpha begins at 0 instead of minus infinity.
    FAULT_NARROW_ROOT_WINDOW,
    // One stone is not taken back.
    FAULT_STONE_LEFT,
    // A move whose history passes 127, as in a signed byte, is never picked.
    FAULT_HISTORY_OVERFLOW,
    // The ordering decides which moves moves.limit keeps.
    FAULT_ORDER_CHANGES_CANDIDATES,
    FAULT_NB
} SearchFault;
