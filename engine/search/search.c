// SPDX-License-Identifier: GPL-3.0-or-later
// What the searches share: knobs unpacked, node and root bookkeeping, iterative deepening, and the
// choice of the algorithm.
#include "engine/search/search.h"

#include "engine/base/check.h"
#include "engine/search/mcts_tree.h"
#include "engine/search/movepick.h"
#include "engine/search/root_threats.h"
#include "engine/search/selective.h"
#include "engine/search/vct.h"

#include <stdlib.h>
#include <string.h>

// What the ordering asks for: terms that nobody reads are not learned either. And whether its first
// term is the very ranking by which moves.limit selects, which is then not computed twice.
static void unpack_order(SearchParams *params) {
    const OrderList *order = &params->order;
    for (int t = 0; t < order->term_count; t++)
        for (int p = 0; p < order->term[t].part_count; p++) {
            params->uses_history |= order->term[t].part[p].key == ORDER_HISTORY;
            params->uses_killers |= order->term[t].part[p].key == ORDER_KILLER;
            params->uses_counters |= order->term[t].part[p].key == ORDER_COUNTER;
        }
    if (order->term_count == 0 || order->term[0].part_count != 1 ||
        order->term[0].part[0].key != ORDER_SCORE)
        return;
    OrderColour colour = order->term[0].part[0].colour;
    params->rank_leads =
        (params->select == SELECT_BOTH && (colour == ORDER_DEFAULT || colour == ORDER_BOTH)) ||
        (params->select == SELECT_OWN && colour == ORDER_OWN) ||
        (params->select == SELECT_MOVER && colour == ORDER_MOVER);
}

// Nodes read plain fields: a knob is a double in an array, and knows its meaning as text only.
static SearchParams unpack(const KnobSet *knobs) {
    SearchParams params = {
        .order = knobs->order,
        .limit = (int)knob_int(knobs, KNOB_MOVES_LIMIT),
        .select = (MoveSelect)knob_int(knobs, KNOB_MOVES_SELECT),
        .terminal = (Terminal)knob_int(knobs, KNOB_SEARCH_TERMINAL),
        .threshold = knobs->param[KNOB_SEARCH_TERMINAL],
        .win_value = (WinValue)knob_int(knobs, KNOB_SEARCH_WIN_VALUE),
        .win_unit = knobs->param[KNOB_SEARCH_WIN_VALUE],
        .no_moves = (NoMoves)knob_int(knobs, KNOB_SEARCH_NO_MOVES),
        .no_moves_unit = knobs->param[KNOB_SEARCH_NO_MOVES],
        .from_scratch = !knob_int(knobs, KNOB_SEARCH_INCREMENTAL),
        .count_root = knob_int(knobs, KNOB_SEARCH_COUNT_ROOT) != 0,
        .root = (RootWindow)knob_int(knobs, KNOB_SEARCH_ROOT),
        .tie_by_board = knob_int(knobs, KNOB_SEARCH_TIE) == TIE_BOARD,
        .pvs = knob_int(knobs, KNOB_SEARCH_ALGORITHM) == ALGORITHM_PVS,
        .center = (CenterTerm)knob_int(knobs, KNOB_SEARCH_CENTER),
        .history_bonus = (HistoryBonus)knob_int(knobs, KNOB_HISTORY_BONUS),
        .history_unit = knobs->param[KNOB_HISTORY_BONUS],
        .history_nodes = (HistoryNodes)knob_int(knobs, KNOB_HISTORY_NODES),
        .history_skip_first = knob_int(knobs, KNOB_HISTORY_SKIP_FIRST) != 0,
        .history_shared = knob_int(knobs, KNOB_HISTORY_TABLE) == HISTORY_SHARED,
    };
    int vcf = (int)knob_int(knobs, KNOB_SEARCH_VCF);
    params.vcf_root = vcf == VCF_ROOT || vcf == VCF_BOTH;
    params.vcf_leaves = vcf == VCF_LEAVES || vcf == VCF_BOTH;
    params.vct_nodes = knob_int(knobs, KNOB_SEARCH_VCT_NODES);
    params.vcf_fours = (int)knob_int(knobs, KNOB_SEARCH_VCF_FOURS);
    params.threats = knob_int(knobs, KNOB_SEARCH_THREATS) != 0;
    params.forced = knob_int(knobs, KNOB_MOVES_FORCED) != 0;
    params.tt_deeper = knob_int(knobs, KNOB_SEARCH_TT_DEEPER) != 0;
    params.lmr = knob_int(knobs, KNOB_SEARCH_LMR) != 0;
    params.extend = knob_int(knobs, KNOB_SEARCH_EXTEND) != 0;
    params.null_move = (int)knob_int(knobs, KNOB_SEARCH_NULL_MOVE);
    params.late_moves = (int)knob_int(knobs, KNOB_SEARCH_LATE_MOVES);
    params.futility = knob_real(knobs, KNOB_SEARCH_FUTILITY);
    params.razor = knob_real(knobs, KNOB_SEARCH_RAZOR);
    params.singular = (int)knob_int(knobs, KNOB_SEARCH_SINGULAR);
    params.iid = (int)knob_int(knobs, KNOB_SEARCH_IID);
    params.aspiration = knob_real(knobs, KNOB_SEARCH_ASPIRATION);
    params.history_gravity = knob_int(knobs, KNOB_HISTORY_GRAVITY) != 0;
    // Whatever a node asks between its steps. search.lmr is not among them: a reduction belongs to
    // a move, and works alone.
    params.is_selective = params.vcf_leaves || params.threats || params.extend ||
                          params.null_move || params.late_moves || params.futility > 0 ||
                          params.razor > 0 || params.singular;
    unpack_order(&params);
    return params;
}

// The ordering term `center` by cell: minus the distance in king's steps, or the product of both
// closenesses to the edge midpoint as one tutorial prints it (w/2 - |x - w/2|)(h/2 - |y - h/2|).
static void fill_center_keys(Search *search) {
    const Board *board = search->board;
    for (int cell = 0; cell < board_cell_count(board); cell++) {
        double half_width = board->width / 2.0, half_height = board->height / 2.0;
        double x = cell % board->width, y = cell / board->width;
        if (search->params.center == CENTER_PRODUCT) {
            search->center_key[cell] =
                (half_width - fabs(x - half_width)) * (half_height - fabs(y - half_height));
        } else {
            double dx = fabs(x - (board->width - 1) / 2.0),
                   dy = fabs(y - (board->height - 1) / 2.0);
            search->center_key[cell] = -(dx > dy ? dx : dy);
        }
    }
}

static Status open_solvers(Search *search, ErrorText *err) {
    // A MiB each: a player asks with small limits of nodes; proofs have tables of their own
    // (proof.c).
    enum { VCF_MEMO_BITS = 16, VCT_TABLE_BITS = 16 };
    bool vct = knob_int(&search->knobs, KNOB_SEARCH_VCT) != VCT_NONE;
    if (!vct && !search->params.vcf_root && !search->params.vcf_leaves)
        return STATUS_OK;
    search->vcf = calloc(1, sizeof *search->vcf);
    search->vct = vct ? calloc(1, sizeof *search->vct) : NULL;
    if (!search->vcf || (vct && !search->vct))
        return error_set(err, STATUS_NO_MEMORY, "no memory for the solvers of threats");
    Status status = vcf_init(search->vcf, search->board, search->eval->threats, VCF_MEMO_BITS, err);
    return status || !vct ? status : vct_init(search->vct, search->vcf, VCT_TABLE_BITS, err);
}

Status search_init(Search *search, const KnobSet *knobs, Board *board, Eval *eval, ErrorText *err) {
    search->knobs = *knobs;
    search->params = unpack(knobs);
    search->board = board;
    search->eval = eval;
    // After the parameters: what is quick depends on the model, too. A selective search asks its
    // leaves about fours, so their stones must stand.
    search->params.leaf_by_move = eval->model->value_after && !search->params.is_selective;
    search->params.quick_order = movepick_can_be_quick(search);
    fill_center_keys(search);
    selective_fill_reductions(search);
    threat_order_init(&search->order);
    Status status = tt_init(&search->tt, knob_int(knobs, KNOB_SEARCH_TT_MB), err);
    if (!status)
        status = open_solvers(search, err);
    if (!status && knob_int(knobs, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MCTS)
        status = mcts_tree_new(knob_int(knobs, KNOB_MCTS_MEMORY_MB), &search->mcts, err);
    if (!status)
        search_clear(search);
    return status;
}

void search_release(Search *search) {
    tt_release(&search->tt);
    if (search->vct)
        vct_release(search->vct);
    if (search->vcf)
        vcf_release(search->vcf);
    free(search->vct);
    free(search->vcf);
    search->vct = NULL;
    search->vcf = NULL;
    mcts_tree_free(search->mcts);
    search->mcts = NULL;
}

void search_clear(Search *search) {
    tt_clear(&search->tt);
    if (search->vcf)
        vcf_clear(search->vcf);
    if (search->vct)
        vct_clear(search->vct);
    memset(search->history, 0, sizeof search->history);
    // All bits set is -1 in two's complement.
    memset(search->killer, 0xff, sizeof search->killer); // MOVE_NONE
    memset(search->counter, 0xff, sizeof search->counter);
    memset(search->excluded, 0xff, sizeof search->excluded);
    memset(search->no_fours, 0, sizeof search->no_fours);
}

// --- nodes

enum { CHECK_FIRST = 16, CHECK_MOST = 1024 }; // nodes between two looks at the limits

// Stops at the deadline. Nodes take a microsecond as a rule and a hundred times that where memory
// is touched for the first time or others use the processor: the looks at the clock come closer
// while they are more than a millisecond apart.
static void check_deadline(Search *search) {
    const int64_t apart_ns = 1000000;
    int64_t now_ns = clock_now_ns(search->clock), took_ns = now_ns - search->checked_ns;
    search->checked_ns = now_ns;
    if (now_ns >= search->deadline_ns)
        search->stopped = true;
    if (took_ns > apart_ns && search->check_every > 1)
        search->check_every /= 2;
    else if (took_ns < apart_ns / 2 && search->check_every < CHECK_MOST)
        search->check_every *= 2;
}

void search_check_limits(Search *search) {
    if (search->node_limit && search->cost.nodes >= search->node_limit)
        search->stopped = true;
    if (search->stop_flag && atomic_load_explicit(search->stop_flag, memory_order_relaxed))
        search->stopped = true;
    if (search->deadline_ns)
        check_deadline(search);
    search->next_check = search->cost.nodes + search->check_every;
}

static double leaf(Search *search) {
    search->cost.leaves++;
    return search_static(search);
}

double search_win_value(Search *search, int depth_plies, int ply) {
    switch (search->params.win_value) {
    case WIN_TIMES_DEPTH:
        return search->params.win_unit * (depth_plies + 1);
    case WIN_STATIC:
        return leaf(search);
    case WIN_MINUS_PLY:
        break;
    }
    return VALUE_WIN - ply -
           (search->params.terminal == TERMINAL_BEFORE_ENTRY); // the five stands one ply further on
}

// From scratch as search.incremental no asks for: the fields of the board are not believed.
static bool has_won(const Search *search, Colour colour) {
    const Board *board = search->board;
    return search->params.from_scratch ? board_slow_wins(board, colour) > 0
                                       : board->wins[colour] > 0;
}

// A winning row or a full board, seen at the node itself.
static bool game_is_over(Search *search, int depth_plies, int ply, double *value) {
    const Board *board = search->board;
    bool lost = has_won(search, colour_other(board->side)), won = has_won(search, board->side);
    if (!lost && !won && !board_is_full(board))
        return false;
    if (search->params.win_value == WIN_STATIC)
        *value = leaf(search);
    else if (lost) // the row of the side that moved last counts first
        *value = -search_win_value(search, depth_plies, ply);
    else
        *value = won ? search_win_value(search, depth_plies, ply) : 0;
    return true;
}

bool search_line_ends(Search *search, int depth_plies, int ply, double *value) {
    if (search->params.terminal == TERMINAL_RULE && game_is_over(search, depth_plies, ply, value))
        return true;
    if (search->params.terminal == TERMINAL_THRESHOLD) {
        double now = search_static(search);
        if (depth_plies <= 0 || fabs(now) >= search->params.threshold) {
            search->cost.leaves++;
            *value = now;
            return true;
        }
    }
    // Extended lines end before the arrays by ply do: helpers look a ply or two ahead.
    if (depth_plies > 0 && ply < SEARCH_MAX_PLY - 3)
        return false;
    *value = leaf(search);
    return true;
}

double search_no_moves_value(Search *search) {
    switch (search->params.no_moves) {
    case NO_MOVES_ZERO:
        return 0;
    case NO_MOVES_INFINITE:
        return -INFINITY;
    case NO_MOVES_VALUE:
        return search->params.no_moves_unit;
    case NO_MOVES_STATIC:
        break;
    }
    return leaf(search);
}

// --- the root

const MoveList *search_root_moves(Search *search, int depth_plies, Move first,
                                  SearchResult *result) {
    *result = (SearchResult){.move = MOVE_NONE, .value = -INFINITY};
    search->pv[0].length = search->pv[1].length = 0;
    // A root without moves offers none: what stands in the list is of another position.
    search->list[0].count = 0;
    if (search->params.count_root) {
        search_count_node(search, 0);
        if (search_line_ends(search, depth_plies, 0, &result->value))
            return NULL;
    }
    MoveList *list = movepick_fill(search, 0, first);
    root_threats_apply(search, list);
    if (list->count == 0) {
        // A root that is no node has no value where the knob would invent one.
        bool is_node = search->params.count_root || search->params.no_moves != NO_MOVES_ZERO;
        result->value = is_node ? search_no_moves_value(search) : (double)NAN;
        return NULL;
    }
    if (search->params.count_root)
        search_count_interior(search, list);
    return list;
}

void search_root_offer(Search *search, Move move, double value, SearchResult *result) {
    bool equal_earlier = search->params.tie_by_board && value == result->value &&
                         move < result->move &&
                         search->params.root != ROOT_SHARED; // there an equal value is only a bound
    if (!(value > result->value) && !equal_earlier)
        return; // so a move worth -inf (search.no_moves infinite) is none
    search_pv_update(search, 0, move);
    *result = (SearchResult){.move = move, .value = value, .pv = search->pv[0]};
}

void search_root_wins(Search *search, int depth_plies, const MoveList *list, int index,
                      SearchResult *result) {
    Move move = list->move[index];
    // Every win before entry has the same value, so the tie is decided among them at once.
    for (int i = index + 1; i < list->count && search->params.tie_by_board; i++)
        if (list->move[i] < move && search_wins_before_entry(search, list->move[i]))
            move = list->move[i];
    search_pv_end(search, 0, move);
    *result = (SearchResult){
        .move = move, .value = search_win_value(search, depth_plies, 0), .pv = search->pv[0]};
}

// --- iterations

static void run_depth(Search *search, int depth_plies, Move first, SearchResult *result) {
    search->root_depth = depth_plies;
    if (knob_int(&search->knobs, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MINIMAX)
        minimax_root(search, depth_plies, result);
    else
        alphabeta_root(search, depth_plies, first, result);
}

// One iteration, at first with a window around the last value (search.aspiration). A result outside
// is only a bound: the window is opened on that side and the iteration begun again.
static void run_window(Search *search, int depth_plies, const SearchResult *last,
                       SearchResult *found) {
    double width = search->params.aspiration;
    // Proved values and full root windows have nothing to be narrowed.
    bool is_narrow = width > 0 && last && isfinite(last->value) &&
                     !value_is_win(fabs(last->value)) && search->params.root == ROOT_EXACT;
    search->window[0] = is_narrow ? last->value - width : (double)-INFINITY;
    search->window[1] = is_narrow ? last->value + width : (double)INFINITY;
    for (;;) {
        run_depth(search, depth_plies, last ? last->move : (Move)MOVE_NONE, found);
        if (search->stopped)
            break;
        // Four times as wide, from the value that was found: a fail-soft bound says already how far
        // off the window lay.
        width *= 4;
        if (found->value <= search->window[0] && search->window[0] > -INFINITY)
            search->window[0] = width > 1e6 ? (double)-INFINITY : found->value - width;
        else if (found->value >= search->window[1] && search->window[1] < INFINITY)
            search->window[1] = width > 1e6 ? (double)INFINITY : found->value + width;
        else
            return;
    }
    if (found->value <= search->window[0])
        found->move = MOVE_NONE; // interrupted below the window: its move is not the best of any
}

// Is the game proved won or lost, so that deeper changes neither winner nor distance? A selective
// search may prove a win longer than its depth: then a shorter one is looked for with as much work
// again.
static bool is_settled(const Search *search, int depth_plies, const SearchResult *result,
                       uint64_t *proof_nodes) {
    enum { SHORTER_WIN_NODES = 20000 };
    if (!value_is_win(fabs(result->value)) || search->params.win_value != WIN_MINUS_PLY)
        return false;
    if (!search->params.is_selective || VALUE_WIN - fabs(result->value) <= depth_plies)
        return true;
    if (*proof_nodes == 0)
        *proof_nodes = search->cost.nodes;
    uint64_t more = *proof_nodes > SHORTER_WIN_NODES ? *proof_nodes : SHORTER_WIN_NODES;
    return result->value < 0 || search->cost.nodes > *proof_nodes + more;
}

// The iterations so far, as the clock saw them.
typedef struct Pace {
    int64_t began_ns, last_ns; // when the current one began, and what the one before took
    Move best;
    int stable; // iterations in which the best move has stood
} Pace;

// Is another iteration worth beginning? Not if it would hardly get beyond its first move, which
// takes about a third of it. With a clock for the whole game less is spent while the best move
// stands firm, and more when it has just changed.
static bool has_time(const Search *search, Pace *pace, Move best) {
    if (!search->deadline_ns && !search->soft_ns)
        return true;
    int64_t now_ns = clock_now_ns(search->clock), took_ns = now_ns - pace->began_ns;
    // The next iteration takes as many times as long as this one did: bounded, for iterations of a
    // few nodes say little.
    double growth = pace->last_ns > 0 ? (double)took_ns / (double)pace->last_ns : 2;
    growth = growth < 1.5 ? 1.5 : growth > 4 ? 4 : growth;
    pace->stable = best == pace->best ? pace->stable + 1 : 0;
    pace->best = best;
    pace->last_ns = took_ns;
    pace->began_ns = now_ns;
    double first_ns = (double)took_ns * growth / 3, used_ns = (double)(now_ns - search->start_ns);
    if (search->deadline_ns &&
        used_ns + first_ns > (double)(search->deadline_ns - search->start_ns))
        return false;
    if (!search->soft_ns)
        return true;
    // Of the soft limit: less while the best move has stood for four iterations, more after a
    // change.
    double share = pace->stable >= 4 ? 0.6 : pace->stable >= 1 ? 1 : 1.5;
    return used_ns + first_ns < share * (double)(search->soft_ns - search->start_ns);
}

// Depth 1, 2, ... each starting with the best move of the one before. An interrupted iteration
// counts only if it has searched at least the first move: then its best is no worse than the last
// one's.
static void run_deepening(Search *search, int depth_plies, SearchResult *result) {
    int start = knob_int(&search->knobs, KNOB_SEARCH_DEEPENING) ? 1 : depth_plies;
    uint64_t proof_nodes = 0; // spent when a win was proved first
    Pace pace = {.began_ns = search->start_ns, .best = MOVE_NONE};
    for (int depth = start; depth <= depth_plies; depth++) {
        SearchResult found;
        run_window(search, depth, depth == start ? NULL : result, &found);
        // Of an interrupted iteration the move counts when there is one; a finished one counts in
        // any case.
        if (found.move != MOVE_NONE || depth == start || !search->stopped)
            *result = found;
        if (search->stopped)
            return;
        search->cost.depth = depth;
        if (result->move == MOVE_NONE || is_settled(search, depth, result, &proof_nodes) ||
            !has_time(search, &pace, result->move))
            return;
    }
}

void search_run(Search *search, int depth_plies, SearchResult *result) {
    CHECK(depth_plies >= 1 && depth_plies < SEARCH_MAX_PLY - 1);
    search->own = search->board->side;
    search->cost = (SearchCost){0};
    // The first node looks at the limits: a stop may have come before the search began.
    search->next_check = 0;
    search->check_every = search->deadline_ns ? CHECK_FIRST : CHECK_MOST;
    search->checked_ns = search->start_ns;
    search->stopped = false;
    // No ply has a null move right before it.
    search->passed_at = -2;
    tt_new_search(&search->tt);
    switch ((Algorithm)knob_int(&search->knobs, KNOB_SEARCH_ALGORITHM)) {
    case ALGORITHM_RANDOM:
        random_root(search, result);
        return;
    case ALGORITHM_GREEDY:
        greedy_root(search, result);
        return;
    case ALGORITHM_MINIMAX:
    case ALGORITHM_ALPHABETA:
    case ALGORITHM_PVS:
    case ALGORITHM_MCTS:
        break;
    }
    if (root_threats_win(search, result))
        return;
    if (knob_int(&search->knobs, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MCTS) {
        mcts_root(search, result);
        return;
    }
    root_threats_restrict(search);
    run_deepening(search, depth_plies, result);
    if (result->move == MOVE_NONE && search->stopped && search->list[0].count > 0) {
        result->move =
            search->list[0].move[0]; // not even one move was finished: the best by ordering
        result->value = search_static(search);
        result->pv = (PvLine){.move = {result->move}, .length = 1};
    }
}
