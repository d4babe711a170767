// SPDX-License-Identifier: GPL-3.0-or-later
// The pool: the same games on any number of threads, resuming, interruption, failing sinks and
// players.
#include "engine/base/check.h"
#include "harness/play/pool.h"
#include "harness/play/seats.h"
#include "tests/unit/experiment_fixture.h"

#include <pthread.h>

// A sink that keeps everything in memory, by slot; it fails at its `fail_at`th game, and interrupts
// at its `stop_at`th.
typedef struct Shelf {
    pthread_mutex_t lock;
    GameRecord *games[512];
    int count, fail_at, stop_at;
    PoolControl *control;
} Shelf;

static Status shelf_take(void *ctx, GameRecord *record, ErrorText *err) {
    Shelf *shelf = ctx;
    Status status = STATUS_OK;
    pthread_mutex_lock(&shelf->lock);
    assert_null(shelf->games[record->slot]);
    if (shelf->fail_at && shelf->count + 1 >= shelf->fail_at) {
        status = error_set(err, STATUS_IO, "the shelf is full");
        game_record_free(record);
    } else {
        shelf->games[record->slot] = record;
        if (++shelf->count == shelf->stop_at)
            pool_control_interrupt(shelf->control);
    }
    pthread_mutex_unlock(&shelf->lock);
    return status;
}

static void shelf_release(Shelf *shelf) {
    for (size_t i = 0; i < ARRAY_LEN(shelf->games); i++)
        game_record_free(shelf->games[i]);
    pthread_mutex_destroy(&shelf->lock);
    free(shelf);
}

static Shelf *shelf_new(void) {
    Shelf *shelf = calloc(1, sizeof *shelf);
    pthread_mutex_init(&shelf->lock, NULL);
    return shelf;
}

// The games on a shelf as earlier games.
typedef struct ShelfPast {
    const Shelf *shelf;
    int64_t next;
    bool present[ARRAY_LEN(((Shelf *)0)->games)]; // when the sitting began
} ShelfPast;

static Status shelf_next(void *ctx, PastGame *out, bool *found, ErrorText *err) {
    ShelfPast *past = ctx;
    (void)err;
    int64_t count = (int64_t)ARRAY_LEN(past->present);
    while (past->next < count && !past->present[past->next])
        past->next++;
    *found = past->next < count;
    if (*found) {
        *out = (PastGame){past->next, past->shelf->games[past->next]->result};
        past->next++;
    }
    return STATUS_OK;
}

typedef struct Sitting {
    int jobs;
    PlanLimits limits;
    Status (*open_seat)(void *ctx, int player, Seat **out, ErrorText *err);
    void *seat_ctx;
    int stop_level;
    // results
    Status status;
    ErrorText err;
    int64_t played;
    PairCounts pairs; // of player 0
    WdlCounts games;
    SprtState sprt;
    int64_t sprt_pairs;
    int64_t reported, reported_total;
} Sitting;

static void note_progress(void *ctx, const PoolProgress *progress) {
    Sitting *sitting = ctx;
    assert_true(progress->known >= sitting->reported || progress->is_last);
    sitting->reported = progress->known;
    sitting->reported_total = progress->total;
    tally_leader(progress->tally);
}

static void sit(const Experiment *experiment, Shelf *shelf, Sitting *sitting) {
    Plan plan;
    Tally tally;
    PoolControl control = {0};
    ShelfPast past = {.shelf = shelf};
    for (size_t i = 0; i < ARRAY_LEN(past.present); i++)
        past.present[i] = shelf->games[i];
    for (int i = 0; i < sitting->stop_level; i++)
        pool_control_interrupt(&control);
    shelf->control = &control;
    if (plan_init(&plan, experiment, &sitting->limits, &sitting->err) ||
        tally_init(&tally, &plan, &sitting->err))
        fail_msg("%s", sitting->err.text);
    PoolOptions options = {.plan = &plan,
                           .jobs = sitting->jobs ? sitting->jobs : 1,
                           .sink = {shelf_take, shelf},
                           .past = {shelf_next, &past},
                           .past_games = shelf->count,
                           .control = &control,
                           .open_seat = sitting->open_seat,
                           .seat_ctx = sitting->seat_ctx,
                           .progress = note_progress,
                           .progress_ctx = sitting};
    sitting->reported = 0;
    sitting->status = pool_run(&options, &tally, &sitting->played, &sitting->err);
    tally_player(&tally, 0, &sitting->games, &sitting->pairs);
    sitting->sprt = tally.sprt.result.state;
    sitting->sprt_pairs = pair_counts_total(&tally.sprt.tested);
    tally_release(&tally);
    plan_release(&plan);
}

static void assert_same_games(const Shelf *a, const Shelf *b, int64_t slots) {
    for (int64_t i = 0; i < slots; i++) {
        const GameRecord *left = a->games[i], *right = b->games[i];
        assert_non_null(left);
        assert_non_null(right);
        assert_int_equal(left->result, right->result);
        assert_int_equal(left->reason, right->reason);
        assert_int_equal(left->move_count, right->move_count);
        assert_true(left->seed == right->seed);
        for (int j = 0; j < left->move_count; j++) {
            assert_int_equal(left->moves[j].move, right->moves[j].move);
            assert_int_equal(left->moves[j].known, right->moves[j].known);
            if (left->moves[j].known & KNOWN_VALUE)
                assert_true(left->moves[j].value == right->moves[j].value);
            assert_int_equal(left->moves[j].cost.nodes, right->moves[j].cost.nodes);
        }
    }
}

// Three quick players, one of them not deterministic.
static Experiment quick_experiment(int64_t pairs) {
    Experiment experiment = experiment_fixture(3, pairs);
    fixture_set(&experiment, 0, "search.depth", "1");
    fixture_set(&experiment, 1, "search.algorithm", "greedy");
    fixture_set(&experiment, 2, "search.depth", "1");
    fixture_set(&experiment, 2, "play.randomness", "0.2");
    return experiment;
}

static void test_pool__one_and_eight_threads_play_the_same_games(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(4);
    Shelf *one = shelf_new(), *eight = shelf_new();
    Sitting a = {.jobs = 1}, b = {.jobs = 8};
    sit(&experiment, one, &a);
    sit(&experiment, eight, &b);
    assert_int_equal(a.status, STATUS_OK);
    assert_int_equal(b.status, STATUS_OK);
    assert_int_equal(a.played, 24);
    assert_int_equal(b.played, 24);
    assert_same_games(one, eight, 24);
    assert_memory_equal(&a.games, &b.games, sizeof a.games);
    assert_memory_equal(&a.pairs, &b.pairs, sizeof a.pairs);
    assert_int_equal(wdl_counts_total(&a.games), 16); // player 0 sits in two of three pairings
    assert_int_equal(pair_counts_total(&a.pairs), 8);
    assert_int_equal(a.reported, 24);
    assert_int_equal(a.reported_total, 24);
    shelf_release(one);
    shelf_release(eight);
    experiment_release(&experiment);
}

static void test_pool__resuming_fills_the_holes(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(4);
    Shelf *whole = shelf_new(), *torn = shelf_new();
    Sitting a = {.jobs = 2}, b = {.jobs = 2, .limits = {.games = 18}}, c = {.jobs = 3};
    sit(&experiment, whole, &a);
    sit(&experiment, torn, &b);
    assert_int_equal(torn->count, 18);
    static const int HOLES[] = {0, 5, 6, 7, 17};
    for (size_t i = 0; i < ARRAY_LEN(HOLES); i++) {
        game_record_free(torn->games[HOLES[i]]);
        torn->games[HOLES[i]] = NULL;
        torn->count--;
    }
    sit(&experiment, torn, &c);
    assert_int_equal(c.status, STATUS_OK);
    assert_int_equal(c.played, 24 - 13);
    assert_same_games(whole, torn, 24);
    assert_memory_equal(&a.games, &c.games, sizeof a.games);
    assert_memory_equal(&a.pairs, &c.pairs, sizeof a.pairs);
    // Nothing is left to do; more pairs go on.
    sit(&experiment, torn, &c);
    assert_int_equal(c.played, 0);
    assert_memory_equal(&a.games, &c.games, sizeof a.games);
    experiment.pairs = 5;
    sit(&experiment, torn, &c);
    assert_int_equal(c.played, 6);
    shelf_release(whole);
    shelf_release(torn);
    experiment_release(&experiment);
}

static void test_pool__shards_add_up_to_the_whole(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(4);
    Shelf *whole = shelf_new(), *joined = shelf_new();
    Sitting a = {.jobs = 2};
    sit(&experiment, whole, &a);
    int64_t played = 0;
    for (int64_t shard = 0; shard < 5; shard++) {
        // The games of other shards lie in the same place and must not count here.
        Sitting b = {.jobs = 2, .limits = {.shard = shard, .shard_count = 5}};
        sit(&experiment, joined, &b);
        assert_int_equal(b.status, STATUS_OK);
        assert_int_equal(b.played, b.reported_total);
        played += b.played;
    }
    assert_int_equal(played, 24);
    assert_same_games(whole, joined, 24);
    shelf_release(whole);
    shelf_release(joined);
    experiment_release(&experiment);
}

static void test_pool__an_interruption_ends_games_or_drops_them(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(40);
    Shelf *shelf = shelf_new();
    Sitting sitting = {.jobs = 3};
    shelf->stop_at = 10;
    sit(&experiment, shelf, &sitting);
    assert_int_equal(sitting.status, STATUS_STOPPED);
    assert_in_range(shelf->count, 10, 12); // those in progress were finished
    assert_int_equal(sitting.played, shelf->count);
    sitting.stop_level = 2; // dropped before the first move
    sit(&experiment, shelf, &sitting);
    assert_int_equal(sitting.status, STATUS_STOPPED);
    assert_int_equal(sitting.played, 0);
    shelf_release(shelf);
    experiment_release(&experiment);
}

static void test_pool__a_failing_sink_ends_the_run(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(40);
    Shelf *shelf = shelf_new();
    Sitting sitting = {.jobs = 2};
    shelf->fail_at = 5;
    sit(&experiment, shelf, &sitting);
    assert_int_equal(sitting.status, STATUS_IO);
    assert_string_equal(sitting.err.text, "the shelf is full");
    assert_int_equal(shelf->count, 4);
    assert_int_equal(sitting.played, 4);
    shelf_release(shelf);
    experiment_release(&experiment);
}

// A seat that fails in a fixed way: at `think`, or when it is opened.
typedef struct Faulty {
    const Experiment *experiment;
    int player;
    Status open, think;
} Faulty;
typedef struct FaultySeat {
    Seat seat;
    Status think;
} FaultySeat;

static Status faulty_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    (void)seat, (void)game, (void)err;
    return STATUS_OK;
}
static Status faulty_place(Seat *seat, Move move, ErrorText *err) {
    (void)seat, (void)move, (void)err;
    return STATUS_OK;
}
static Status faulty_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer, ErrorText *err) {
    (void)turn, (void)answer;
    return error_set(err, ((FaultySeat *)seat)->think, "it failed");
}
static void faulty_end(Seat *seat, Text *note, SeatWatch *watch) {
    (void)seat, (void)note, (void)watch;
}
static void faulty_free(Seat *seat) { free(seat); }
static const SeatMethods FAULTY = {faulty_start, faulty_place, faulty_think, faulty_end,
                                   faulty_free};

static Status faulty_open(void *ctx, int player, Seat **out, ErrorText *err) {
    Faulty *faulty = ctx;
    if (player != faulty->player)
        return seat_open(faulty->experiment, player, out, err);
    if (faulty->open)
        return error_set(err, faulty->open, "it cannot be opened");
    FaultySeat *seat = calloc(1, sizeof *seat);
    *seat = (FaultySeat){{&FAULTY}, faulty->think};
    *out = &seat->seat;
    return STATUS_OK;
}

static void test_pool__a_crashing_player_loses_and_the_rest_goes_on(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(3);
    Faulty faulty = {.experiment = &experiment, .player = 1, .think = STATUS_CRASH};
    Shelf *shelf = shelf_new();
    Sitting sitting = {.jobs = 2, .open_seat = faulty_open, .seat_ctx = &faulty};
    sit(&experiment, shelf, &sitting);
    assert_int_equal(sitting.status, STATUS_OK);
    assert_int_equal(sitting.played, 18);
    int crashes = 0;
    for (int i = 0; i < 18; i++) {
        const GameRecord *game = shelf->games[i];
        bool sat = game->black == 1 || game->white == 1;
        crashes += game->reason == REASON_CRASH;
        if (sat)
            assert_int_equal(game->result, game->black == 1 ? 'W' : 'B');
    }
    assert_int_equal(crashes, 12);
    shelf_release(shelf);

    // Five in a row are enough; all games are kept.
    experiment.stop_after_failures = 5;
    shelf = shelf_new();
    sitting.jobs = 1;
    sit(&experiment, shelf, &sitting);
    assert_int_equal(sitting.status, STATUS_IO);
    assert_non_null(strstr(sitting.err.text, "player p1 failed 5 times in a row"));
    assert_int_equal(sitting.played, shelf->count);
    assert_in_range(shelf->count, 5, 9);
    shelf_release(shelf);
    experiment_release(&experiment);
}

static void test_pool__a_player_that_cannot_sit_ends_the_run(void **state) {
    (void)state;
    Experiment experiment = quick_experiment(3);
    static const Faulty CASES[] = {{NULL, 0, STATUS_NOT_FOUND, 0}, {NULL, 0, 0, STATUS_IO}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Faulty faulty = CASES[i];
        faulty.experiment = &experiment;
        Shelf *shelf = shelf_new();
        Sitting sitting = {.jobs = 2, .open_seat = faulty_open, .seat_ctx = &faulty};
        sit(&experiment, shelf, &sitting);
        assert_int_equal(sitting.status, faulty.open ? faulty.open : faulty.think);
        shelf_release(shelf);
    }
    experiment_release(&experiment);
}

static void test_pool__the_test_stops_at_the_same_pair_on_any_threads(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 100);
    fixture_set(&experiment, 0, "search.algorithm", "greedy");
    fixture_set(&experiment, 1, "search.algorithm", "random");
    experiment.pairs_until_sprt = true;
    experiment.sprt = (SprtSpec){
        .enabled = true, .elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05, .normalized = true};
    int64_t pairs = 0;
    for (int jobs = 1; jobs <= 8; jobs += 7) {
        Shelf *shelf = shelf_new();
        Sitting sitting = {.jobs = jobs, .limits = {.games = ARRAY_LEN(shelf->games)}};
        sit(&experiment, shelf, &sitting);
        assert_int_equal(sitting.status, STATUS_OK);
        assert_int_equal(sitting.sprt, SPRT_H1);
        assert_true(shelf->count >= 2 * sitting.sprt_pairs);
        if (pairs)
            assert_int_equal(sitting.sprt_pairs, pairs);
        pairs = sitting.sprt_pairs;
        // Going on finds it decided at once.
        int64_t again = pairs;
        sit(&experiment, shelf, &sitting);
        assert_int_equal(sitting.played, 0);
        assert_int_equal(sitting.sprt, SPRT_H1);
        assert_int_equal(sitting.sprt_pairs, again);
        shelf_release(shelf);
    }
    experiment_release(&experiment);
}

static Status add(Tally *tally, int64_t slot, char result) {
    ErrorText err;
    // The key of even pairs is the same for both games, that of odd ones is not.
    TallyGame game = {slot, result, slot / 2 % 2 ? (uint64_t)slot + 1 : (uint64_t)(slot / 2) + 1};
    return tally_add(tally, &game, &err);
}

static void test_pool__pairs_are_counted_in_plan_order(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1000);
    Plan plan;
    Tally tally;
    ErrorText err;
    assert_int_equal(plan_init(&plan, &experiment, &(PlanLimits){0}, &err), STATUS_OK);
    assert_int_equal(tally_init(&tally, &plan, &err), STATUS_OK);
    for (int64_t slot = 1999; slot >= 1; slot--) { // backwards: all wait for slot 0
        assert_int_equal(add(&tally, slot, slot & 1 ? 'W' : 'D'), STATUS_OK);
        assert_int_equal(tally.base, 0);
    }
    assert_int_equal(add(&tally, 0, 'D'), STATUS_OK);
    assert_int_equal(tally.base, 1000);
    assert_int_equal(tally.pairs[0].n[PAIR_WD], 1000); // white in odd slots is the first player
    assert_int_equal(tally.games[0].wins, 1000);
    assert_int_equal(tally.games[0].draws, 1000);
    assert_int_equal(tally.twins, 500); // every other pair has one key
    tally_release(&tally);
    plan_release(&plan);
    experiment_release(&experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool__one_and_eight_threads_play_the_same_games),
        cmocka_unit_test(test_pool__resuming_fills_the_holes),
        cmocka_unit_test(test_pool__shards_add_up_to_the_whole),
        cmocka_unit_test(test_pool__an_interruption_ends_games_or_drops_them),
        cmocka_unit_test(test_pool__a_failing_sink_ends_the_run),
        cmocka_unit_test(test_pool__a_crashing_player_loses_and_the_rest_goes_on),
        cmocka_unit_test(test_pool__a_player_that_cannot_sit_ends_the_run),
        cmocka_unit_test(test_pool__the_test_stops_at_the_same_pair_on_any_threads),
        cmocka_unit_test(test_pool__pairs_are_counted_in_plan_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
