// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of a player: what knobs.def declares, as typed values and as text.
//
// A KnobSet is a plain value (copy it freely) that holds every knob. Texts are what people write in
// YAML, `--set` and reports; each knob accepts its own text only and says what it expected
// otherwise.
#pragma once

#include "engine/base/status.h"
#include "engine/base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum KnobId {
#define KNOB_INT(id, ...) KNOB_##id,
#define KNOB_REAL(id, ...) KNOB_##id,
#define KNOB_BOOL(id, ...) KNOB_##id,
#define KNOB_CHOICE(id, ...) KNOB_##id,
#define KNOB_ORDER(id, ...) KNOB_##id,
#include "engine/base/knobs.def"
#undef KNOB_INT
#undef KNOB_REAL
#undef KNOB_BOOL
#undef KNOB_CHOICE
#undef KNOB_ORDER
    KNOB_NB
} KnobId;

typedef enum KnobType {
    KNOB_TYPE_INT,
    KNOB_TYPE_REAL,
    KNOB_TYPE_BOOL,
    KNOB_TYPE_CHOICE,
    KNOB_TYPE_ORDER
} KnobType;
typedef enum KnobExact { EXACT, INEXACT, DEFINES } KnobExact; // see knobs.def

typedef struct KnobInfo {
    const char *key; // "search.depth"
    KnobType type;
    const char *default_text;
    double low, high; // range of int and real
    double step;      // for the tuner; 0 = not tunable
    KnobExact exact;
    const char *choices; // "a|b|c:N" for a choice, else NULL
    const char *meaning; // one line
} KnobInfo;

// The choices, in the order of their rows in knobs.def.
typedef enum Algorithm {
    ALGORITHM_RANDOM,
    ALGORITHM_GREEDY,
    ALGORITHM_MINIMAX,
    ALGORITHM_ALPHABETA,
    ALGORITHM_PVS,
    ALGORITHM_MCTS
} Algorithm;
typedef enum TieBreak { TIE_BOARD, TIE_ORDER } TieBreak;
typedef enum RootWindow { ROOT_EXACT, ROOT_FULL, ROOT_SHARED } RootWindow;
typedef enum Terminal {
    TERMINAL_RULE,
    TERMINAL_BEFORE_ENTRY,
    TERMINAL_THRESHOLD,
    TERMINAL_NONE
} Terminal;
typedef enum WinValue { WIN_MINUS_PLY, WIN_TIMES_DEPTH, WIN_STATIC } WinValue;
typedef enum NoMoves { NO_MOVES_STATIC, NO_MOVES_ZERO, NO_MOVES_INFINITE, NO_MOVES_VALUE } NoMoves;
typedef enum CenterTerm { CENTER_DISTANCE, CENTER_PRODUCT } CenterTerm;
typedef enum VcfUse { VCF_NONE, VCF_ROOT, VCF_LEAVES, VCF_BOTH } VcfUse;
typedef enum VctUse { VCT_NONE, VCT_ROOT } VctUse;
typedef enum MctsLeaf { MCTS_LEAF_EVAL, MCTS_LEAF_PLAYOUT } MctsLeaf;
typedef enum HistoryBonus { HISTORY_SQUARE, HISTORY_FLAT, HISTORY_HALVING } HistoryBonus;
typedef enum HistoryNodes { HISTORY_BOTH, HISTORY_MAX } HistoryNodes;
typedef enum HistoryTable { HISTORY_BY_COLOUR, HISTORY_SHARED } HistoryTable;
typedef enum SearchRule {
    SEARCH_RULE_GAME,
    SEARCH_RULE_FREESTYLE,
    SEARCH_RULE_STANDARD
} SearchRule;
typedef enum Arithmetic { ARITHMETIC_WHOLE, ARITHMETIC_DOUBLE, ARITHMETIC_TENTHS } Arithmetic;
typedef enum WindowTable { WINDOWS_LIT, WINDOWS_FULL } WindowTable;
typedef enum PlayPrecheck { PRECHECK_NONE, PRECHECK_WIN, PRECHECK_WIN_BLOCK } PlayPrecheck;
typedef enum PlayOpening { OPENING_BY_SEARCH, OPENING_CENTRE, OPENING_NEAR_CENTRE } PlayOpening;
typedef enum MoveSelect { SELECT_BOTH, SELECT_OWN, SELECT_MOVER, SELECT_BOARD } MoveSelect;
typedef enum MovesEmpty { MOVES_EMPTY_CENTRE, MOVES_EMPTY_NONE } MovesEmpty;

typedef enum OrderKey {
    ORDER_SCORE,
    ORDER_CENTER,
    ORDER_DISTANCE,
    ORDER_HISTORY,
    ORDER_KILLER,
    ORDER_COUNTER, // the reply that refuted the opponent's last move before
    ORDER_KEY_NB
} OrderKey;
typedef enum OrderColour { ORDER_DEFAULT, ORDER_OWN, ORDER_MOVER, ORDER_BOTH } OrderColour;
enum { ORDER_MAX_TERMS = 6, ORDER_MAX_PARTS = 4 };

typedef struct OrderPart {
    OrderKey key;
    OrderColour colour; // whose score or history; the default is both for score, mover for history
} OrderPart;

typedef struct OrderTerm {
    OrderPart part[ORDER_MAX_PARTS]; // the term is the sum of its parts
    int part_count;
} OrderTerm;

typedef struct OrderList {
    OrderTerm term[ORDER_MAX_TERMS]; // the first decides, later ones break ties; none = board order
    int term_count;
} OrderList;

typedef struct KnobSet {
    double number[KNOB_NB]; // value of int, real, bool (0, 1); index of a choice
    double param[KNOB_NB];  // the N of a choice such as threshold:N
    OrderList order;        // search.order
} KnobSet;

// The declaration of a knob. Thread: any.
const KnobInfo *knob_info(KnobId id);

// Finds a knob by key; KNOB_NB when there is none. Thread: any.
KnobId knob_find(const char *key);

// The key nearest to a mistyped one, or NULL. Thread: any.
const char *knob_nearest_key(const char *key);

// Every knob at its default. Thread: any.
KnobSet knob_defaults(void);

// Sets one knob from its text; `key` names it. STATUS_NOT_FOUND for an unknown key (names the
// nearest), STATUS_INVALID for a text that is no value of it (says what was expected). *set is
// untouched on failure. Thread: owner.
Status knob_set_text(KnobSet *set, const char *key, const char *text, ErrorText *err) MUST_CHECK;

// Appends the value as text that knob_set_text reads back. Thread: owner of `out`.
void knob_write_text(const KnobSet *set, KnobId id, Text *out);

// Appends all knobs as one JSON object, key by key in table order: numbers, booleans, strings.
// Thread: owner of `out`.
void knob_write_json(const KnobSet *set, Text *out);

// Combinations that make no sense (mcts with a depth only, ...): STATUS_INVALID and why. Thread:
// any.
Status knob_check(const KnobSet *set, ErrorText *err) MUST_CHECK;

// MiB of tables that a player with these knobs takes: its transposition table, its tree. Thread:
// any.
int64_t knob_memory_mb(const KnobSet *set);

static inline int64_t knob_int(const KnobSet *set, KnobId id) {
    return (int64_t)set->number[id];
} // int, bool, choice
static inline double knob_real(const KnobSet *set, KnobId id) {
    return set->number[id];
} // int or real
