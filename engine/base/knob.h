// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of a player: what knobs.def declares, as typed values and as text.
//
// A KnobSet is a plain value (copy it freely) that holds every knob. Texts are what people write in
// YAML, `--set` and reports; each knob accepts its own text only and says what it expected
// otherwise.
#pragma once

#include "engine/base/nearest.h"
#include "engine/base/status.h"
#include "engine/base/text.h"

#include <stdbool.h>
#include <stdint.h>

// One constant a row of knobs.def, in its order: KNOB_SEARCH_DEPTH and so on.
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

// What values a knob has, and with it how its text is read.
typedef enum KnobType {
    KNOB_TYPE_INT,
    KNOB_TYPE_REAL,
    KNOB_TYPE_BOOL,
    KNOB_TYPE_CHOICE,
    KNOB_TYPE_ORDER
} KnobType;
// What a change of the knob does to the value that plain minimax has with the other knobs the same.
typedef enum KnobExact {
    EXACT,   // keeps it: only the cost changes
    INEXACT, // it is another search and may find another value
    DEFINES, // it says what minimax means: both sides of a comparison must share it
} KnobExact;

// A row of the table. All texts are constants of the program.
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

// The choices of each knob, in the order of its row in knobs.def: the index of a choice there is
// its constant here. What each does stands where it is read; what it means to a user, in the row.

// search.algorithm. The first two look no move ahead. Minimax is the oracle of the two after it.
typedef enum Algorithm {
    ALGORITHM_RANDOM,
    ALGORITHM_GREEDY,
    ALGORITHM_MINIMAX,
    ALGORITHM_ALPHABETA,
    ALGORITHM_PVS,
    ALGORITHM_MCTS
} Algorithm;
// search.tie: of root moves with one value the first on the board, or the first that was searched.
typedef enum TieBreak { TIE_BOARD, TIE_ORDER } TieBreak;
// search.root: just wide enough for the tie to be seen, the whole range, or the best value so far.
typedef enum RootWindow { ROOT_EXACT, ROOT_FULL, ROOT_SHARED } RootWindow;
// search.terminal: where a line ends, besides at depth 0.
typedef enum Terminal {
    TERMINAL_RULE,
    TERMINAL_BEFORE_ENTRY,
    TERMINAL_THRESHOLD,
    TERMINAL_NONE
} Terminal;
// search.win_value: what a won line is worth.
typedef enum WinValue { WIN_MINUS_PLY, WIN_TIMES_DEPTH, WIN_STATIC } WinValue;
// search.no_moves: what a node without candidates is worth to the side to move.
typedef enum NoMoves { NO_MOVES_STATIC, NO_MOVES_ZERO, NO_MOVES_INFINITE, NO_MOVES_VALUE } NoMoves;
// search.center: what the ordering term `center` measures.
typedef enum CenterTerm { CENTER_DISTANCE, CENTER_PRODUCT } CenterTerm;
// search.vcf and search.vct: where wins by fours, and by fours and threes, are looked for.
typedef enum VcfUse { VCF_NONE, VCF_ROOT, VCF_LEAVES, VCF_BOTH } VcfUse;
typedef enum VctUse { VCT_NONE, VCT_ROOT } VctUse;
// mcts.leaf: who judges a new position of the tree.
typedef enum MctsLeaf { MCTS_LEAF_EVAL, MCTS_LEAF_PLAYOUT } MctsLeaf;
// history.bonus, .nodes, .table: how much a cutoff adds, at whose nodes (MAX: where the searching
// player moves), and to which table.
typedef enum HistoryBonus { HISTORY_SQUARE, HISTORY_FLAT, HISTORY_HALVING } HistoryBonus;
typedef enum HistoryNodes { HISTORY_BOTH, HISTORY_MAX } HistoryNodes;
typedef enum HistoryTable { HISTORY_BY_COLOUR, HISTORY_SHARED } HistoryTable;
// search.rule: what the player takes for five in a row, rightly or not.
typedef enum SearchRule {
    SEARCH_RULE_GAME,
    SEARCH_RULE_FREESTYLE,
    SEARCH_RULE_STANDARD
} SearchRule;
// eval.arithmetic: whole numbers, doubles as they come, or all values ten times as large, which
// keeps a weight with one decimal exact.
typedef enum Arithmetic { ARITHMETIC_WHOLE, ARITHMETIC_DOUBLE, ARITHMETIC_TENTHS } Arithmetic;
// eval.windows: the six printed entries of the model's table, or all of them.
typedef enum WindowTable { WINDOWS_LIT, WINDOWS_FULL } WindowTable;
// play.precheck and play.opening: what a player does without searching, in games only.
typedef enum PlayPrecheck { PRECHECK_NONE, PRECHECK_WIN, PRECHECK_WIN_BLOCK } PlayPrecheck;
typedef enum PlayOpening { OPENING_BY_SEARCH, OPENING_CENTRE, OPENING_NEAR_CENTRE } PlayOpening;
// moves.select: whose point scores decide which candidates moves.limit keeps.
typedef enum MoveSelect { SELECT_BOTH, SELECT_OWN, SELECT_MOVER, SELECT_BOARD } MoveSelect;
// moves.empty: the candidates of a board without a stone.
typedef enum MovesEmpty { MOVES_EMPTY_CENTRE, MOVES_EMPTY_NONE } MovesEmpty;

// What a part of an ordering term reads.
typedef enum OrderKey {
    ORDER_SCORE,
    ORDER_CENTER,
    ORDER_DISTANCE,
    ORDER_HISTORY,
    ORDER_KILLER,
    ORDER_COUNTER, // the reply that refuted the opponent's last move before
    ORDER_KEY_NB
} OrderKey;
// Whose: of the searching player, of the side to move, of both together.
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

// search.order as read. [score+history, center] has two terms, the first of two parts.
typedef struct OrderList {
    OrderTerm term[ORDER_MAX_TERMS]; // the first decides, later ones break ties; none = board order
    int term_count;
} OrderList;

// Every knob of one player. Indexed by KnobId; plain data without pointers, so a copy is a copy.
typedef struct KnobSet {
    double number[KNOB_NB]; // value of int, real, bool (0, 1); index of a choice
    double param[KNOB_NB];  // the N of a choice such as threshold:N
    OrderList order;        // search.order
} KnobSet;

// The declaration of a knob. Thread: any.
const KnobInfo *knob_info(KnobId id);

// Finds a knob by key; KNOB_NB when there is none. Thread: any.
KnobId knob_find(const char *key);

// The half sentence that offers the key nearest to a mistyped one, or `otherwise`. Thread: any.
NearestHint knob_nearest_hint(const char *key, const char *otherwise);

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

// Value of an int, a bool (0, 1) or a choice (its index). Exact: the ranges of the table lie within
// the whole numbers of a double. Thread: any.
static inline int64_t knob_int(const KnobSet *set, KnobId id) { return (int64_t)set->number[id]; }
// Value of an int or a real. Thread: any.
static inline double knob_real(const KnobSet *set, KnobId id) { return set->number[id]; }
