// SPDX-License-Identifier: GPL-3.0-or-later
// Positions from stored games, and what each knob does to their evaluation.
#include "harness/tune/texel_positions.h"

#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/board/pattern_table.h"
#include "engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_GAMES = 200 }; // enough to see whether two knobs multiply each other

void texel_positions_release(TexelPositions *positions) {
    free(positions->games);
    free(positions->moves);
    free(positions->place);
    free(positions->value);
    free(positions->slope);
    free(positions->bend);
    free(positions->outcome);
    free(positions->group);
    *positions = (TexelPositions){0};
}

// --- choosing
// -----------------------------------------------------------------------------------------------------

// What makes a position loud, of one colour on one line.
static bool line_is_loud(const PatternCounts *table, uint32_t own, uint32_t stoppers) {
    // Counts stand in fields of four bits, one a pattern: any five, open four or four on the line.
    // The next move decides there, not the evaluation, which never sees such positions in a search
    // that resolves threats.
    const PatternCounts loud =
        15u << 4 * PATTERN_FIVE | 15u << 4 * PATTERN_OPEN_FOUR | 15u << 4 * PATTERN_FOUR;
    for (uint32_t open = ~stoppers; open;) { // one segment after another
        LineSegment segment = line_segment(stoppers, bits_lowest(open));
        uint32_t cells = bits_below(segment.length);
        if (table[pattern_index(segment.length, own >> segment.low & cells)] & loud)
            return true;
        open &= ~(cells << segment.low);
    }
    return false;
}

// From the lines themselves and not from an evaluation's state: any model's positions are chosen
// alike.
bool texel_position_is_quiet(const Board *board) {
    int longest = board->width > board->height ? board->width : board->height;
    const PatternCounts *table = pattern_table(board->rule, longest);
    if (!table)
        return false;
    for (int line = 0; line < board->geometry.line_count; line++)
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            uint32_t own = board->line[line].stones[colour];
            uint32_t stoppers = board->line[line].stones[colour ^ 1] | board->geometry.wall[line];
            if (line_is_loud(table, own, stoppers))
                return false;
        }
    return true;
}

// Makes room for `more` elements beyond `count`; false when memory is out.
static bool room_make(void **array, int64_t *cap, int64_t count, int64_t more, size_t size) {
    if (count + more <= *cap)
        return true;
    int64_t larger = (count + more) * 2;
    void *moved = realloc(*array, (size_t)larger * size);
    if (!moved)
        return false;
    *array = moved;
    *cap = larger;
    return true;
}

// Writes the stone counts at which the game is quiet, after its opening and before its end.
static int quiet_places(const GameRecord *game, Board *board, int16_t *out) {
    int count = 0;
    board_clear(board);
    for (int ply = 0; ply < game->move_count - 1; ply++) {
        if (!board_is_free(board, game->moves[ply].move))
            break; // set up in no order of play
        board_place(board, game->moves[ply].move);
        // Stones of the opening were nobody's choice; the position after the last move is not
        // evaluated by anybody.
        if (ply + 1 > game->opening_plies && texel_position_is_quiet(board))
            out[count++] = (int16_t)(ply + 1);
    }
    return count;
}

static int place_compare(const void *a, const void *b) {
    return *(const int16_t *)a - *(const int16_t *)b;
}

// Keeps `keep` of them, ascending: the head of a shuffle.
// At random among the quiet places: neighbours differ by two stones and say almost the same.
static void places_draw(int16_t *places, int count, int keep, Rng rng) {
    for (int i = 0; i < keep; i++) {
        int j = i + (int)rng_below(&rng, (uint64_t)(count - i));
        int16_t place = places[i];
        places[i] = places[j];
        places[j] = place;
    }
    qsort(places, (size_t)keep, sizeof *places, place_compare);
}

// Such a game was not decided on the board, so its outcome says nothing about its positions.
static bool reason_is_fault(GameReason reason) {
    return reason == REASON_TIMEOUT || reason == REASON_CRASH || reason == REASON_ILLEGAL;
}

typedef struct Chooser {
    Board board;
    int16_t place[BOARD_MAX_CELLS];
    int per_game;
    int64_t room; // positions when it is full; 0 = never
    uint64_t seed;
} Chooser;

static Status game_add(TexelPositions *positions, Chooser *chooser, const GameRecord *game,
                       ErrorText *err) {
    positions->games_seen++;
    bool is_faulty = reason_is_fault(game->reason);
    positions->faulty_games += is_faulty;
    if (is_faulty || game->width != positions->width || game->height != positions->height)
        return STATUS_OK;
    int quiet = quiet_places(game, &chooser->board, chooser->place);
    int keep = quiet < chooser->per_game ? quiet : chooser->per_game;
    if (chooser->room > 0 && keep > chooser->room - positions->count)
        keep = (int)(chooser->room - positions->count);
    positions->quiet += quiet;
    if (keep == 0)
        return STATUS_OK;
    places_draw(chooser->place, quiet, keep,
                rng_init(rng_mix(chooser->seed, (uint64_t)game->slot)));
    int plies = chooser->place[keep - 1];
    if (!room_make((void **)&positions->games, &positions->game_cap, positions->game_count, 1,
                   sizeof *positions->games) ||
        !room_make((void **)&positions->moves, &positions->move_cap, positions->move_count, plies,
                   sizeof *positions->moves) ||
        !room_make((void **)&positions->place, &positions->place_cap, positions->count, keep,
                   sizeof *positions->place))
        return error_set(err, STATUS_NO_MEMORY, "no memory for positions");
    // A pair is one group, a game without a pair its own: even and odd numbers keep the two apart,
    // and each source has a range of its own.
    int64_t within = game->pair >= 0 ? 2 * game->pair : 2 * game->slot + 1;
    // Moves are kept only as far as the last place that was drawn.
    positions->games[positions->game_count++] =
        (TexelGame){.group = ((int64_t)positions->sources << 48) + within,
                    .first_move = positions->move_count,
                    .first_place = positions->count,
                    .place_count = keep,
                    .result = game->result};
    for (int ply = 0; ply < plies; ply++)
        positions->moves[positions->move_count++] = game->moves[ply].move;
    memcpy(positions->place + positions->count, chooser->place,
           (size_t)keep * sizeof *positions->place);
    positions->count += keep;
    return STATUS_OK;
}

// Slopes are measured by one engine on one board: games of another rule or size need another tune.
static Status source_check(TexelPositions *positions, const Store *store, ErrorText *err) {
    const StoreExperiment *experiment = store_experiment(store);
    if (experiment->k != 5)
        return error_set(err, STATUS_CONFLICT, "%s: %d in a row win, expected five",
                         store_path(store), experiment->k);
    if (positions->width == 0) {
        positions->width = experiment->width;
        positions->height = experiment->height;
        positions->rule = experiment->rule;
    }
    if (positions->width != experiment->width || positions->height != experiment->height ||
        positions->rule != experiment->rule)
        return error_set(err, STATUS_CONFLICT, "%s: %s %dx%d, other games are %s %dx%d",
                         store_path(store), rule_name(experiment->rule), experiment->width,
                         experiment->height, rule_name(positions->rule), positions->width,
                         positions->height);
    return STATUS_OK;
}

Status texel_positions_add(TexelPositions *positions, Store *store, const TexelChoice *choice,
                           ErrorText *err) {
    Status status = source_check(positions, store, err);
    StoreCursor *cursor = NULL;
    Chooser *chooser = malloc(sizeof *chooser);
    if (!status && !chooser)
        status = error_set(err, STATUS_NO_MEMORY, "no memory for positions");
    if (!status) {
        chooser->per_game = choice->per_game;
        chooser->room = choice->positions ? positions->count + choice->positions : 0;
        // The same games give the same positions however many databases come after them.
        chooser->seed = rng_mix(choice->seed, (uint64_t)positions->sources);
        status = board_init(&chooser->board, positions->width, positions->height, 5,
                            positions->rule, 2, err);
    }
    if (!status)
        status = store_games_open(store, 0, &cursor, err);
    while (!status && (chooser->room == 0 || positions->count < chooser->room)) {
        GameRecord *game = NULL;
        bool found = false;
        status = store_games_next_full(cursor, &game, &found, err);
        if (status || !found)
            break;
        status = game_add(positions, chooser, game, err);
        game_record_free(game);
    }
    positions->sources++;
    store_cursor_close(cursor);
    free(chooser);
    return status;
}

// --- evaluating
// ---------------------------------------------------------------------------------------------------

// The evaluation alone, without the rounding that hides small steps.
static KnobSet evaluation_knobs(const KnobSet *start) {
    // Defaults elsewhere: search, moves and play must not matter, and do not cost memory.
    KnobSet knobs = knob_defaults();
    for (int id = 0; id < KNOB_NB; id++)
        if (strncmp(knob_info((KnobId)id)->key, "eval.", 5) == 0) {
            knobs.number[id] = start->number[id];
            knobs.param[id] = start->param[id];
        }
    knobs.number[KNOB_SEARCH_RULE] = start->number[KNOB_SEARCH_RULE];
    // Whole numbers are rounded after the sum, and a step of a small weight would vanish.
    if (knob_int(&knobs, KNOB_EVAL_ARITHMETIC) == ARITHMETIC_WHOLE)
        knobs.number[KNOB_EVAL_ARITHMETIC] = ARITHMETIC_DOUBLE;
    return knobs;
}

// Writes the evaluation of the positions of the first `games` games, from the side to move.
static Status evaluate(const TexelPositions *positions, const KnobSet *knobs, int64_t games,
                       double *out, ErrorText *err) {
    EngineSetup setup = {.knobs = knobs,
                         .width = positions->width,
                         .height = positions->height,
                         .k = 5,
                         .rule = positions->rule,
                         .clock = clock_monotonic()};
    Engine *engine = NULL;
    Status status = engine_new(&setup, &engine, err);
    for (int64_t g = 0; g < games && !status; g++) {
        const TexelGame *game = &positions->games[g];
        const Move *move = positions->moves + game->first_move;
        int stones = 0;
        for (int i = 0; i < game->place_count; i++) {
            int64_t row = game->first_place + i;
            while (stones < positions->place[row])
                engine_place(engine, move[stones++]);
            out[row] = engine_static_value(engine);
        }
        // Back to the empty board by undoing: the engine is made once for all games.
        while (stones-- > 0)
            engine_undo(engine);
    }
    engine_free(engine);
    return status;
}

typedef struct Probe {
    const TexelPositions *positions;
    KnobSet start;
    KnobId knob[TEXEL_KNOBS_MAX];
    double step[TEXEL_KNOBS_MAX]; // into the range of the knob
    double *moved, *both;         // owned; evaluations with one knob moved and with two
    double *first;                // owned; probe_rows a knob: with one knob moved
    int64_t games, rows;          // of a quick look
} Probe;

static KnobSet with_moved(const Probe *probe, int a, double by_a, int b, double by_b) {
    KnobSet knobs = probe->start;
    knobs.number[probe->knob[a]] += by_a;
    if (b >= 0)
        knobs.number[probe->knob[b]] += by_b;
    return knobs;
}

// Forward, or backward at the upper end; the size does not matter as long as the evaluation is
// linear in the knob, which slope_measure checks.
static void steps_choose(Probe *probe, int knob_count) {
    for (int i = 0; i < knob_count; i++) {
        const KnobInfo *info = knob_info(probe->knob[i]);
        double step = info->step > 0 ? info->step : 1;
        bool fits = probe->start.number[probe->knob[i]] + step <= info->high;
        probe->step[i] = fits ? step : -step;
    }
}

// Slopes by one knob; also notes whether the evaluation bends in it.
static Status slope_measure(TexelPositions *positions, Probe *probe, int knob_count, int i,
                            ErrorText *err) {
    KnobSet knobs = with_moved(probe, i, probe->step[i], -1, 0);
    Status status = evaluate(positions, &knobs, positions->game_count, probe->moved, err);
    if (status)
        return status;
    for (int64_t row = 0; row < positions->count; row++)
        positions->slope[row * knob_count + i] =
            (probe->moved[row] - positions->value[row]) / probe->step[i];
    memcpy(probe->first + i * probe->rows, probe->moved,
           (size_t)probe->rows * sizeof *probe->moved);
    // Twice the step must give twice the change. It is only noted: a curved knob is fitted by its
    // slope at the start and reported as an estimate.
    knobs = with_moved(probe, i, 2 * probe->step[i], -1, 0);
    const KnobInfo *info = knob_info(probe->knob[i]);
    double at = knobs.number[probe->knob[i]];
    if (at < info->low || at > info->high)
        return STATUS_OK;
    status = evaluate(positions, &knobs, probe->games, probe->both, err);
    for (int64_t row = 0; row < probe->rows && !status; row++) {
        double bent = probe->both[row] - 2 * probe->moved[row] + positions->value[row];
        positions->is_curved[i] |= fabs(bent) > 1e-6 * (1 + fabs(positions->value[row]));
    }
    return status;
}

// How far the evaluation with two knobs moved is from the sum of its parts.
static double apart(const TexelPositions *positions, const Probe *probe, int64_t row, int a,
                    int b) {
    return probe->both[row] - probe->first[a * probe->rows + row] -
           probe->first[b * probe->rows + row] + positions->value[row];
}

// Looks for pairs of knobs that multiply each other.
// A quick look at the first games: knobs^2 / 2 evaluations of all positions would take longer than
// the fit.
static Status crosses_find(TexelPositions *positions, Probe *probe, int knob_count,
                           ErrorText *err) {
    Status status = STATUS_OK;
    for (int a = 0; a < knob_count && !status; a++)
        for (int b = a + 1; b < knob_count && !status; b++) {
            KnobSet knobs = with_moved(probe, a, probe->step[a], b, probe->step[b]);
            status = evaluate(positions, &knobs, probe->games, probe->both, err);
            bool multiply = false;
            for (int64_t row = 0; row < probe->rows && !status && !multiply; row++)
                multiply = fabs(apart(positions, probe, row, a, b)) >
                           1e-6 * (1 + fabs(positions->value[row]));
            if (multiply && positions->cross_count == TEXEL_CROSS_MAX)
                return error_set(err, STATUS_UNSUPPORTED,
                                 "more than %d pairs of knobs multiply each other",
                                 TEXEL_CROSS_MAX);
            if (multiply)
                positions->cross[positions->cross_count++] = (TexelCross){a, b};
        }
    return status;
}

static Status bend_measure(TexelPositions *positions, Probe *probe, int knob_count, int cross,
                           ErrorText *err) {
    int a = positions->cross[cross].a, b = positions->cross[cross].b;
    KnobSet knobs = with_moved(probe, a, probe->step[a], b, probe->step[b]);
    Status status = evaluate(positions, &knobs, positions->game_count, probe->both, err);
    for (int64_t row = 0; row < positions->count && !status; row++) {
        const double *slope = positions->slope + row * knob_count;
        double sum = positions->value[row] + slope[a] * probe->step[a] + slope[b] * probe->step[b];
        positions->bend[row * positions->cross_count + cross] =
            (probe->both[row] - sum) / (probe->step[a] * probe->step[b]);
    }
    return status;
}

static void outcomes_write(TexelPositions *positions) {
    for (int64_t g = 0; g < positions->game_count; g++) {
        const TexelGame *game = &positions->games[g];
        for (int i = 0; i < game->place_count; i++) {
            int64_t row = game->first_place + i;
            // An odd number of stones: black has just moved.
            char mover = positions->place[row] % 2 ? 'W' : 'B';
            positions->outcome[row] = game->result == 'D' ? 0.5 : game->result == mover;
            positions->group[row] = game->group;
        }
    }
}

static Status measure_all(TexelPositions *positions, Probe *probe, int knob_count, ErrorText *err) {
    Status status =
        evaluate(positions, &probe->start, positions->game_count, positions->value, err);
    for (int i = 0; i < knob_count && !status; i++)
        status = slope_measure(positions, probe, knob_count, i, err);
    if (!status)
        status = crosses_find(positions, probe, knob_count, err);
    if (!status && positions->cross_count) {
        positions->bend =
            calloc((size_t)(positions->count * positions->cross_count), sizeof(double));
        if (!positions->bend)
            status = error_set(err, STATUS_NO_MEMORY, "no memory for positions");
    }
    for (int c = 0; c < positions->cross_count && !status; c++)
        status = bend_measure(positions, probe, knob_count, c, err);
    return status;
}

// Knobs are moved one by one through the engine itself: no evaluation model has to know its own
// derivatives.
Status texel_positions_measure(TexelPositions *positions, const KnobSet *start, const KnobId *knobs,
                               int knob_count, ErrorText *err) {
    CHECK(knob_count >= 1 && knob_count <= TEXEL_KNOBS_MAX && !positions->value);
    if (positions->count == 0)
        return error_set(err, STATUS_INVALID,
                         "no quiet positions in %lld games (are their moves stored?)",
                         (long long)positions->games_seen);
    Probe probe = {.positions = positions, .start = evaluation_knobs(start)};
    for (int i = 0; i < knob_count; i++)
        probe.knob[i] = knobs[i];
    steps_choose(&probe, knob_count);
    probe.games = positions->game_count < PROBE_GAMES ? positions->game_count : PROBE_GAMES;
    for (int64_t g = 0; g < probe.games; g++)
        probe.rows += positions->games[g].place_count;
    size_t count = (size_t)positions->count;
    positions->value = calloc(count, sizeof(double));
    positions->slope = calloc(count * (size_t)knob_count, sizeof(double));
    positions->outcome = calloc(count, sizeof(double));
    positions->group = calloc(count, sizeof *positions->group);
    probe.moved = calloc(count, sizeof(double));
    probe.both = calloc(count, sizeof(double));
    probe.first = calloc((size_t)(probe.rows * knob_count), sizeof(double));
    Status status = positions->value && positions->slope && positions->outcome &&
                            positions->group && probe.moved && probe.both && probe.first
                        ? STATUS_OK
                        : error_set(err, STATUS_NO_MEMORY, "no memory for positions");
    if (!status) {
        outcomes_write(positions);
        status = measure_all(positions, &probe, knob_count, err);
    }
    free(probe.moved);
    free(probe.both);
    free(probe.first);
    return status;
}

TexelData texel_positions_data(const TexelPositions *positions, const TexelKnob *knob,
                               int knob_count) {
    TexelData data = {.knob_count = knob_count,
                      .cross_count = positions->cross_count,
                      .count = positions->count,
                      .value = positions->value,
                      .slope = positions->slope,
                      .bend = positions->bend,
                      .outcome = positions->outcome,
                      .group = positions->group};
    memcpy(data.knob, knob, (size_t)knob_count * sizeof *knob);
    memcpy(data.cross, positions->cross, sizeof data.cross);
    return data;
}
