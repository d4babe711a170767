// SPDX-License-Identifier: GPL-3.0-or-later
// The writer: whole games whatever happens, many producers, bounded memory, full disks.
#include "engine/base/clock.h"
#include "store_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void test_store_writer__keeps_every_number(void **state) {
    (void)state;
    const char *path = fixture_path("numbers.db");
    Store *store = fixture_open(path);
    fixture_write(store, 0, 500, 1);
    store_close(store);
    assert_int_equal(fixture_check_games(path), 500);
}

static void test_store_writer__keeps_what_is_unknown_unknown(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("unknown.db");
    Store *store = fixture_open(path);
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    GameRecord *game = fixture_game(0);
    game->pair = game->opening = -1;
    for (int i = 0; i < game->move_count; i++)
        game->moves[i].known = i < 7 ? 1u << i : 0;
    OK(game_sink_take(&sink, game, &err));
    OK(store_writer_stop(writer, NULL, &err));
    OK(store_load_game(store, 0, &game, &err));
    assert_int_equal(game->pair, -1);
    assert_int_equal(game->opening, -1);
    for (int i = 0; i < game->move_count; i++)
        assert_int_equal(game->moves[i].known, i < 7 ? 1u << i : 0);
    game_record_free(game);
    REFUSED(store_load_game(store, 1, &game, &err), STATUS_NOT_FOUND, "there is no game 1");
    store_close(store);
}

static void test_store_writer__can_leave_the_moves_out(void **state) {
    (void)state;
    ErrorText err = {""};
    Store *store = fixture_open(fixture_path("nomoves.db"));
    StoreWriter *writer = NULL;
    StoreWriterOptions options = {.skip_moves = true};
    StoreWriterStats stats;
    OK(store_writer_start(store, &options, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    GameRecord *game = fixture_game(3);
    int plies = game->move_count;
    OK(game_sink_take(&sink, game, &err));
    OK(store_writer_flush(writer, &err));
    OK(store_writer_stop(writer, &stats, &err));
    assert_int_equal(stats.games, 1);
    assert_int_equal(stats.moves, 0);
    OK(store_load_game(store, 3, &game, &err));
    assert_int_equal(game->move_count, 0);
    game_record_free(game);
    StoreCursor *cursor = NULL;
    StoreGame row;
    bool found;
    OK(store_games_open(store, 0, &cursor, &err));
    OK(store_games_next(cursor, &row, &found, &err));
    assert_int_equal(row.plies, plies);
    store_cursor_close(cursor);
    store_close(store);
}

typedef struct Producer {
    GameSink sink;
    int64_t first, end, step;
} Producer;

static void *produce(void *ctx) {
    Producer *p = ctx;
    ErrorText err = {""};
    for (int64_t slot = p->first; slot < p->end; slot += p->step)
        OK(game_sink_take(&p->sink, fixture_game(slot), &err));
    return NULL;
}

static void test_store_writer__serves_eight_producers(void **state) {
    (void)state;
    enum { PRODUCERS = 8, GAMES = 2000 };
    ErrorText err = {""};
    const char *path = fixture_path("eight.db");
    Store *store = fixture_open(path);
    StoreWriter *writer = NULL;
    StoreWriterOptions options = {.queue_games = 16,
                                  .batch_games = 8}; // small, so that producers have to wait
    OK(store_writer_start(store, &options, &writer, &err));
    pthread_t thread[PRODUCERS];
    Producer producer[PRODUCERS];
    for (int i = 0; i < PRODUCERS; i++) {
        producer[i] = (Producer){store_writer_sink(writer), i, GAMES, PRODUCERS};
        assert_int_equal(pthread_create(&thread[i], NULL, produce, &producer[i]), 0);
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(thread[i], NULL);
    OK(store_writer_flush(writer, &err));
    assert_int_equal(store_writer_stats(writer).games, GAMES);
    StoreWriterStats stats;
    OK(store_writer_stop(writer, &stats, &err));
    assert_true(stats.queue_peak <= 16);
    store_close(store);
    assert_int_equal(fixture_check_games(path), GAMES);
}

static void test_store_writer__refuses_a_slot_twice(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("twice.db");
    Store *store = fixture_open(path);
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    OK(game_sink_take(&sink, fixture_game(5), &err));
    OK(store_writer_flush(writer, &err));
    OK(game_sink_take(&sink, fixture_game(5), &err));
    REFUSED(store_writer_flush(writer, &err), STATUS_CONFLICT, "slot 5");
    REFUSED(game_sink_take(&sink, fixture_game(6), &err), STATUS_CONFLICT, "slot 5");
    REFUSED(store_writer_stop(writer, NULL, &err), STATUS_CONFLICT, "slot 5");
    store_close(store);
    assert_int_equal(fixture_check_games(path), 1);
}

// A game is in the database soon after it ended, without anybody asking.
static void test_store_writer__commits_without_being_asked(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("soon.db");
    Store *store = fixture_open(path), *reader = NULL;
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    OK(game_sink_take(&sink, fixture_game(0), &err));
    OK(store_open(path, &reader, &err));
    int64_t games = 0;
    for (int tries = 0; tries < 6000 && games == 0; tries++) {
        usleep(10000);
        OK(store_count_games(reader, INT64_MAX, &games, &err));
    }
    assert_int_equal(games, 1);
    store_close(reader);
    OK(store_writer_stop(writer, NULL, &err));
    store_close(store);
}

static void check_integrity(const char *path) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(stmt, 0), "ok");
    sqlite3_finalize(stmt);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA foreign_key_check", -1, &stmt, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

// The first slot from `slot` on that a reader does not see.
static int64_t first_missing(StoreCursor *cursor, StoreGame *at, bool *found, int64_t slot) {
    ErrorText err = {""};
    while (*found && at->slot <= slot) {
        if (at->slot == slot)
            slot++;
        OK(store_games_next(cursor, at, found, &err));
    }
    return slot;
}

// Plays what is missing until it is killed; *flushed counts the games that were confirmed.
static void killed_sitting(const char *path, int64_t games, _Atomic int64_t *flushed) {
    ErrorText err = {""};
    Store *store = fixture_open(path), *reader = NULL;
    StoreWriter *writer = NULL;
    StoreCursor *cursor = NULL;
    StoreGame at;
    bool found;
    OK(store_open(path, &reader, &err));
    OK(store_games_open(reader, 0, &cursor, &err));
    OK(store_games_next(cursor, &at, &found, &err)); // what follows is not seen by this cursor
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    int64_t slot = 0;
    for (int n = 0; (slot = first_missing(cursor, &at, &found, slot)) < games; n++, slot++) {
        OK(game_sink_take(&sink, fixture_game(slot), &err));
        if (n % 50 == 49) {
            OK(store_writer_flush(writer, &err));
            *flushed += 50;
        }
    }
    OK(store_writer_stop(writer, NULL, &err));
    OK(store_finish_run(store, true, &err));
    store_cursor_close(cursor);
    store_close(reader);
    store_close(store);
    _exit(0);
}

static void test_store_writer__survives_kill_at_any_moment(void **state) {
    (void)state;
    enum { GAMES = 4000 };
    const char *path = fixture_path("kill.db");
    _Atomic int64_t *flushed =
        mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(flushed != MAP_FAILED);
    Rng rng = rng_init(4);
    int kills = 0, wait_status;
    for (int sitting = 0; sitting < 200; sitting++) {
        pid_t child = fork();
        if (child == 0)
            killed_sitting(path, GAMES, flushed);
        if (sitting < 25) { // the first ones die young, some before there is a table
            usleep((useconds_t)rng_below(&rng, sitting < 8 ? 4000 : 40000));
            kills += kill(child, SIGKILL) == 0;
        }
        waitpid(child, &wait_status, 0);
        if (access(path, F_OK) == 0)
            check_integrity(path);
        if (WIFEXITED(wait_status)) {
            assert_int_equal(WEXITSTATUS(wait_status), 0);
            break;
        }
        ErrorText err = {""};
        Store *store = NULL;
        int64_t games = 0;
        if (store_open(path, &store, &err) == STATUS_OK)
            OK(store_count_games(store, INT64_MAX, &games, &err));
        store_close(store);
        assert_true(games >= *flushed); // what was confirmed is there
        *flushed = games;
    }
    assert_true(kills > 10);
    assert_int_equal(fixture_check_games(path), GAMES);
    munmap(flushed, sizeof *flushed);
}

// A file-size limit stands for a full disk: SQLite sees a write that fails.
static void full_disk(const char *path, _Atomic int64_t *taken) {
    ErrorText err = {""};
    Store *store = fixture_open(path);
    fixture_write(store, 0, 20, 1);
    struct rlimit limit = {300000, 300000};
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    Status status = STATUS_OK;
    int64_t slot = 20;
    for (; slot < 20000 && !status; slot++)
        status = game_sink_take(&sink, fixture_game(slot), &err);
    if (status != STATUS_IO || !strstr(err.text, "full.db"))
        _exit(1);
    for (int i = 0; i < 100; i++) // final
        if (game_sink_take(&sink, fixture_game(slot + i), &err) != STATUS_IO)
            _exit(2);
    StoreWriterStats stats;
    if (store_writer_stop(writer, &stats, &err) != STATUS_IO)
        _exit(3);
    *taken = stats.games + 20;
    store_close(store);
    _exit(0);
}

static void test_store_writer__keeps_what_was_committed_when_the_disk_is_full(void **state) {
    (void)state;
    const char *path = fixture_path("full.db");
    _Atomic int64_t *taken =
        mmap(NULL, sizeof *taken, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(taken != MAP_FAILED);
    pid_t child = fork();
    if (child == 0)
        full_disk(path, taken);
    int wait_status;
    waitpid(child, &wait_status, 0);
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), 0);
    check_integrity(path);
    int64_t games = fixture_check_games(path);
    assert_int_equal(games, *taken);
    assert_true(games >= 20 && games < 20000);
    Store *store = fixture_open(path); // with room again, it goes on
    fixture_write(store, 30000, 30010, 1);
    store_close(store);
    assert_int_equal(fixture_check_games(path), games + 10);
    munmap(taken, sizeof *taken);
}

static void test_store_writer__says_so_when_the_disk_is_full_from_the_start(void **state) {
    (void)state;
    const char *path = fixture_path("none/begin.db");
    pid_t child = fork();
    if (child == 0) {
        ErrorText err = {""};
        StoreRun run = fixture_run(path);
        StoreResume resume;
        Store *store = NULL;
        struct rlimit limit = {2000, 2000};
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(store_open_run(&run, &store, &resume, &err) == STATUS_IO &&
                      strstr(err.text, "begin.db")
                  ? 0
                  : 1);
    }
    int wait_status;
    waitpid(child, &wait_status, 0);
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), 0);
    assert_int_not_equal(access(path, F_OK), 0); // nothing half-written
}

static int64_t resident_kib(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (int64_t)pages * sysconf(_SC_PAGESIZE) / 1024;
}

// Memory stays where it was after the first games. Run with few games here; the long tests run a
// hundred thousand.
static void test_store_writer__memory_is_flat(void **state) {
    (void)state;
    const char *wanted = getenv("GOMOLAB_STORE_GAMES");
    int64_t games = wanted ? strtoll(wanted, NULL, 10) : 8000;
    ErrorText err = {""};
    Store *store = fixture_open(fixture_path("flat.db"));
    StoreWriter *writer = NULL;
    OK(store_writer_start(store, NULL, &writer, &err));
    GameSink sink = store_writer_sink(writer);
    int64_t before = 0;
    for (int64_t slot = 0; slot < games; slot++) {
        if (slot == games / 4)
            before = resident_kib();
        OK(game_sink_take(&sink, fixture_game(slot), &err));
    }
    StoreWriterStats stats;
    OK(store_writer_stop(writer, &stats, &err));
    int64_t growth = resident_kib() - before;
    double us_row = (double)stats.cpu_ns / 1e3 / (double)stats.moves;
    print_message("# %lld games, %lld moves, %lld commits, queue peak %d, %.2f us CPU a row, "
                  "growth %lld KiB\n",
                  (long long)stats.games, (long long)stats.moves, (long long)stats.commits,
                  stats.queue_peak, us_row, (long long)growth);
    store_close(store);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)growth; // a sanitizer keeps freed memory back: its growth says nothing of ours
#else
    assert_true(growth < 4096);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_writer__keeps_every_number),
        cmocka_unit_test(test_store_writer__keeps_what_is_unknown_unknown),
        cmocka_unit_test(test_store_writer__can_leave_the_moves_out),
        cmocka_unit_test(test_store_writer__serves_eight_producers),
        cmocka_unit_test(test_store_writer__refuses_a_slot_twice),
        cmocka_unit_test(test_store_writer__commits_without_being_asked),
        cmocka_unit_test(test_store_writer__survives_kill_at_any_moment),
        cmocka_unit_test(test_store_writer__keeps_what_was_committed_when_the_disk_is_full),
        cmocka_unit_test(test_store_writer__says_so_when_the_disk_is_full_from_the_start),
        cmocka_unit_test(test_store_writer__memory_is_flat),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
