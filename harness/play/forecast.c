// SPDX-License-Identifier: GPL-3.0-or-later
// Probe games with a stopwatch in every seat.
#include "harness/play/forecast.h"

#include "engine/base/clock.h"
#include "harness/play/pool.h"
#include "harness/play/seats.h"

#include <stdlib.h>

// Length of a game before any has ended: what depth-4 games of the default player take.
static const double PLIES_GUESS = 40;

// Tables of the probe's players at most, in MiB. A moment of play fills no more; a larger table
// would spend that moment on page faults and on clearing itself, and say nothing about moves.
static const int64_t PROBE_TABLE_MB = 16;

// Counted by the workers, read by the thread that waits for them when they have ended; atomic
// because the seats of one player in several workers share one counter.
typedef struct MoveTimes {
    atomic_llong moves, us;     // made in time
    atomic_llong unfinished_us; // spent on moves that were cut short
} MoveTimes;

typedef struct Probe {
    const Plan *plan;
    Experiment experiment; // the plan's, but for the sizes of tables; owns `players` only
    MoveTimes *times;      // owned; by player
    PoolControl control;
    double seconds;
    atomic_llong plies, games;
} Probe;

// A seat with a stopwatch: hands everything on, and times what is thought.
typedef struct ProbeSeat {
    Seat seat;
    Seat *inner; // owned
    MoveTimes *times;
} ProbeSeat;

static Status probe_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    return seat_start(((ProbeSeat *)seat)->inner, game, err);
}
static Status probe_place(Seat *seat, Move move, ErrorText *err) {
    return seat_place(((ProbeSeat *)seat)->inner, move, err);
}
static void probe_end(Seat *seat, Text *note, SeatWatch *watch) {
    seat_end(((ProbeSeat *)seat)->inner, note, watch);
}
static void probe_free(Seat *seat) {
    seat_free(((ProbeSeat *)seat)->inner);
    free(seat);
}

static Status probe_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer, ErrorText *err) {
    ProbeSeat *self = (ProbeSeat *)seat;
    int64_t start_ns = clock_now_ns(clock_monotonic());
    Status status = seat_think(self->inner, turn, answer, err);
    // Our own measure, not answer->elapsed_us: a move that was cut short has none.
    int64_t us = (clock_now_ns(clock_monotonic()) - start_ns) / 1000;
    if (status == STATUS_STOPPED) {
        atomic_fetch_add(&self->times->unfinished_us, us);
    } else {
        atomic_fetch_add(&self->times->moves, 1);
        atomic_fetch_add(&self->times->us, us);
    }
    return status;
}

static const SeatMethods PROBE = {probe_start, probe_place, probe_think, probe_end, probe_free};

static Status probe_open(void *ctx, int player, Seat **out, ErrorText *err) {
    Probe *probe = ctx;
    ProbeSeat *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a player");
    Status status = seat_open(&probe->experiment, player, &self->inner, err);
    if (status) {
        free(self);
        return status;
    }
    self->seat.methods = &PROBE;
    self->times = &probe->times[player];
    *out = &self->seat;
    return STATUS_OK;
}

static Status probe_take(void *ctx, GameRecord *record, ErrorText *err) {
    Probe *probe = ctx;
    (void)err;
    atomic_fetch_add(&probe->plies, record->move_count - record->opening_plies);
    atomic_fetch_add(&probe->games, 1);
    game_record_free(record);
    return STATUS_OK;
}

// Called in the thread of pool_run some times a second. Level 2 drops the games in progress: the
// probe must end in time, however long a move takes.
static void probe_watch(void *ctx, const PoolProgress *progress) {
    Probe *probe = ctx;
    if (progress->seconds >= probe->seconds)
        while (atomic_load(&probe->control.level) < 2)
            pool_control_interrupt(&probe->control);
}

static void limit_table(KnobSet *knobs, KnobId id) {
    if (knobs->number[id] > (double)PROBE_TABLE_MB)
        knobs->number[id] = (double)PROBE_TABLE_MB;
}

// Shallow copies: what the specs point to stays the plan's.
static Status copy_players(Probe *probe, ErrorText *err) {
    const Experiment *experiment = probe->plan->experiment;
    size_t count = (size_t)experiment->player_count;
    probe->experiment = *experiment;
    probe->experiment.players = calloc(count, sizeof *probe->experiment.players);
    probe->times = calloc(count, sizeof *probe->times);
    if (!probe->experiment.players || !probe->times)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a forecast");
    for (size_t i = 0; i < count; i++) {
        PlayerSpec *player = &probe->experiment.players[i];
        *player = experiment->players[i];
        limit_table(&player->knobs, KNOB_SEARCH_TT_MB);
        limit_table(&player->knobs, KNOB_MCTS_MEMORY_MB);
    }
    return STATUS_OK;
}

// Mean time of a move of a player in seconds; negative when it made none.
static double move_s(const MoveTimes *times) {
    long long moves = atomic_load(&times->moves), us = atomic_load(&times->us);
    long long unfinished_us = atomic_load(&times->unfinished_us);
    // Whole moves if there are any. A move that was cut short would have taken longer; alone it is
    // a lower bound, and better than nothing.
    if (moves > 0)
        return (double)us / 1e6 / (double)moves;
    return unfinished_us > 0 ? (double)unfinished_us / 1e6 : -1;
}

static void forecast_sum(const Probe *probe, Forecast *out) {
    const Plan *plan = probe->plan;
    double known_s = 0;
    int known = 0;
    *out = (Forecast){.games = atomic_load(&probe->games)};
    for (int i = 0; i < plan->experiment->player_count; i++) {
        double seconds = move_s(&probe->times[i]);
        long long moves = atomic_load(&probe->times[i].moves);
        out->moves += moves;
        out->is_lower_bound |= seconds >= 0 && moves == 0;
        known_s += seconds >= 0 ? seconds : 0;
        known += seconds >= 0;
    }
    // Players that have not moved yet count as the mean of those that have: `jobs` games at the
    // start of the plan need not meet every player.
    double mean_s = known ? known_s / known : 0;
    out->plies = out->games ? (double)atomic_load(&probe->plies) / (double)out->games : PLIES_GUESS;
    for (int64_t i = 0; i < plan->pairing_count; i++) {
        double first_s = move_s(&probe->times[plan->pairings[i].first]);
        double second_s = move_s(&probe->times[plan->pairings[i].second]);
        out->game_s += out->plies / 2 *
                       ((first_s < 0 ? mean_s : first_s) + (second_s < 0 ? mean_s : second_s));
    }
    out->game_s /= (double)plan->pairing_count;
}

Status forecast_plan(const Plan *plan, int jobs, double seconds, Forecast *out, ErrorText *err) {
    Probe probe = {.plan = plan, .seconds = seconds};
    Tally tally;
    int64_t played = 0;
    Status status = copy_players(&probe, err);
    if (!status)
        status = tally_init(&tally, plan, err);
    if (!status) {
        PoolOptions options = {.plan = plan,
                               .jobs = jobs,
                               .sink = {probe_take, &probe},
                               .control = &probe.control,
                               .open_seat = probe_open,
                               .seat_ctx = &probe,
                               .progress = probe_watch,
                               .progress_ctx = &probe};
        status = pool_run(&options, &tally, &played, err);
        tally_release(&tally);
    }
    // Interrupted by probe_watch, as meant; a plan that is shorter than the probe ends by itself.
    if (status == STATUS_STOPPED)
        status = STATUS_OK;
    if (!status)
        forecast_sum(&probe, out);
    free(probe.experiment.players);
    free(probe.times);
    return status;
}
