// SPDX-License-Identifier: GPL-3.0-or-later
// Random stones, a judge, and sums over a set.
#include "harness/play/opening_book.h"

#include "engine/board/notation.h"
#include "engine/board/symmetry.h"
#include "engine/engine.h"
#include "harness/play/key_set.h"

#include <math.h>
#include <stdlib.h>

// Later stones fall within this distance of a stone: openings, not scattered stones.
enum { NEAR_DISTANCE = 3 };

// So many tries in a row without a new opening: there are hardly any left.
static const int64_t MAX_TRIES = 20000;

static Status judge_new(const OpeningSet *set, const KnobSet *knobs, Engine **out, ErrorText *err) {
    EngineSetup setup = {.knobs = knobs,
                         .width = set->width,
                         .height = set->height,
                         .k = set->k,
                         .rule = set->rule,
                         .clock = clock_monotonic()};
    return engine_new(&setup, out, err);
}

// What the judge thinks of the position, from black's side.
// Cleared for every position, with one seed: the same book comes out wherever it is made, and
// whatever was judged before.
static double judge_value(Engine *engine, const Move *moves, int count) {
    ThinkLimits limits = {0};
    ThinkReport report;
    engine_clear(engine, 0);
    for (int i = 0; i < count; i++)
        engine_place(engine, moves[i]);
    engine_think(engine, &limits, &report);
    return count & 1 ? -report.value : report.value;
}

// --- making --------------------------------------------------------------------------------------

static bool is_near(const Board *board, int cell) {
    int x = cell % board->width, y = cell / board->width;
    for (int i = 0; i < board->stone_count; i++) {
        int dx = abs(board->moves[i] % board->width - x);
        int dy = abs(board->moves[i] / board->width - y);
        if (dx <= NEAR_DISTANCE && dy <= NEAR_DISTANCE)
            return true;
    }
    return board->stone_count == 0;
}

// A free cell that is near a stone and does not win; MOVE_NONE when the draw misses.
static Move draw_stone(const Board *board, Rng *rng) {
    Move move = (Move)rng_below(rng, (uint64_t)board_cell_count(board));
    bool fits = board_is_free(board, move) && is_near(board, move) &&
                !board_wins_at(board, move, board->side);
    return fits ? move : (Move)MOVE_NONE;
}

static bool mover_wins_at_once(const Board *board) {
    for (int cell = 0; cell < board_cell_count(board); cell++)
        if (board_is_free(board, cell) && board_wins_at(board, (Move)cell, board->side))
            return true;
    return false;
}

// Stones of one try on the set's board; false when they make no opening.
static bool draw_opening(OpeningSet *set, const OpeningBookSpec *spec, Rng *rng) {
    Board *board = set->board;
    int span = spec->max_plies - spec->min_plies + 1;
    int plies = spec->min_plies + (int)rng_below(rng, (uint64_t)span);
    board_clear(board);
    for (int draws = 0; board->stone_count < plies && draws < 100 * BOARD_MAX_CELLS; draws++) {
        Move move = draw_stone(board, rng);
        if (move != MOVE_NONE)
            board_place(board, move);
    }
    return board->stone_count == plies && !mover_wins_at_once(board);
}

static Status keep_opening(OpeningSet *set, ErrorText *err) {
    int cells[BOARD_MAX_CELLS], count = set->board->stone_count;
    for (int i = 0; i < count; i++)
        cells[i] = set->board->moves[i];
    return opening_set_add(set, cells, count, set->count + 1, err);
}

// A book in the making.
typedef struct BookMaker {
    OpeningSet *set;
    const OpeningBookSpec *spec;
    Engine *judge; // owned; NULL: no balance asked for
    KeySet seen;   // canonical keys of all tries
} BookMaker;

// One try: adds an opening or does not.
static Status try_opening(BookMaker *maker, uint64_t number, ErrorText *err) {
    OpeningSet *set = maker->set;
    const OpeningBookSpec *spec = maker->spec;
    const Board *board = set->board;
    // By the number of the try, not one stream for all: the n-th try is the same whatever the tries
    // before it drew.
    Rng rng = rng_init(rng_mix(spec->seed, number));
    if (!draw_opening(set, spec, &rng))
        return STATUS_OK;
    int is_new =
        key_set_add(&maker->seen, symmetry_canonical_key(set->width, set->height, board->moves,
                                                         board->stone_count));
    if (is_new < 0)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for openings");
    if (!is_new)
        return STATUS_OK;
    if (maker->judge &&
        // Written so that a value that is no number fails, too.
        !(fabs(judge_value(maker->judge, board->moves, board->stone_count)) < spec->bound))
        return STATUS_OK;
    return keep_opening(set, err);
}

Status opening_book_generate(OpeningSet *set, const OpeningBookSpec *spec, ErrorText *err) {
    BookMaker maker = {.set = set, .spec = spec};
    int64_t last = 0; // the try that found one
    Status status = spec->judge ? judge_new(set, spec->judge, &maker.judge, err) : STATUS_OK;
    // Ends: between two openings there are at most MAX_TRIES tries. Tries that repeat an earlier
    // one count, so that a small board runs out instead of going on for ever.
    for (int64_t number = 0; !status && set->count < spec->count; number++) {
        int64_t before = set->count;
        status = try_opening(&maker, (uint64_t)number, err);
        last = set->count > before ? number : last;
        if (!status && number - last > MAX_TRIES)
            status =
                error_set(err, STATUS_UNSUPPORTED,
                          "only %lld opening%s found of %lld; ask for fewer, more plies or a "
                          "wider bound",
                          (long long)set->count, text_plural(set->count), (long long)spec->count);
    }
    key_set_release(&maker.seen);
    engine_free(maker.judge);
    return status;
}

void opening_write_pos(const OpeningSet *set, int64_t index, bool rows_from_top, Text *out) {
    int count;
    const Move *moves = opening_set_get(set, index, &count);
    text_append(out, count ? "" : "-");
    for (int i = 0; i < count; i++) {
        int y = moves[i] / set->width;
        text_printf(out, "%c%d", 'a' + moves[i] % set->width,
                    rows_from_top ? y + 1 : set->height - y);
    }
}

// --- describing ----------------------------------------------------------------------------------

static int compare_values(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static Status describe_values(const OpeningSet *set, const KnobSet *knobs, double bound,
                              OpeningBookStats *out, ErrorText *err) {
    Engine *judge = NULL;
    double *values = calloc((size_t)set->count + 1, sizeof *values);
    Status status = values ? judge_new(set, knobs, &judge, err)
                           : error_set(err, STATUS_NO_MEMORY, "out of memory for values");
    for (int64_t i = 0; i < set->count && !status; i++) {
        int count;
        const Move *moves = opening_set_get(set, i, &count);
        values[i] = judge_value(judge, moves, count);
        out->mean_value += values[i] / (double)set->count;
        out->mean_abs_value += fabs(values[i]) / (double)set->count;
        out->max_abs_value = fmax(out->max_abs_value, fabs(values[i]));
        out->beyond_bound += !(fabs(values[i]) < bound);
    }
    if (!status && set->count > 0) {
        qsort(values, (size_t)set->count, sizeof *values, compare_values);
        out->has_values = true;
        out->min_value = values[0];
        out->max_value = values[set->count - 1];
        out->median_value = (values[(set->count - 1) / 2] + values[set->count / 2]) / 2;
    }
    engine_free(judge);
    free(values);
    return status;
}

Status opening_book_describe(const OpeningSet *set, const KnobSet *judge, double bound,
                             OpeningBookStats *out, ErrorText *err) {
    KeySet seen = {0}, seen_images = {0};
    bool failed = false;
    *out = (OpeningBookStats){.count = set->count, .min_plies = BOARD_MAX_CELLS};
    for (int64_t i = 0; i < set->count; i++) {
        int count;
        const Move *moves = opening_set_get(set, i, &count);
        out->min_plies = count < out->min_plies ? count : out->min_plies;
        out->max_plies = count > out->max_plies ? count : out->max_plies;
        out->mean_plies += (double)count / (double)set->count;
        out->black_to_move += count % 2 == 0;
        int is_new =
            key_set_add(&seen, symmetry_position_key(set->width, set->height, moves, count, 0));
        int is_new_image = key_set_add(
            &seen_images, symmetry_canonical_key(set->width, set->height, moves, count));
        failed |= is_new < 0 || is_new_image < 0;
        out->duplicates += is_new == 0;
        out->symmetric_duplicates += is_new_image == 0;
    }
    out->min_plies = set->count ? out->min_plies : 0;
    key_set_release(&seen);
    key_set_release(&seen_images);
    if (failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for openings");
    return judge ? describe_values(set, judge, bound, out, err) : STATUS_OK;
}
