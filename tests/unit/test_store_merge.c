// SPDX-License-Identifier: GPL-3.0-or-later
// Shards become what one run would have written, or nothing.
#include "store_fixture.h"

#include <dirent.h>

enum { GAMES = 300 };

static void write_shard(const char *path, int64_t index, int64_t count) {
    ErrorText err = {""};
    Store *store = fixture_open(path);
    for (int64_t pair = index; pair < GAMES / 2; pair += count)
        fixture_write(store, 2 * pair, 2 * pair + 2, 1);
    OK(store_finish_run(store, true, &err));
    store_close(store);
}

static int setup(void **state) {
    if (fixture_setup(state))
        return -1;
    write_shard(fixture_path("a.db"), 0, 3);
    write_shard(fixture_path("b.db"), 1, 3);
    write_shard(fixture_path("c.db"), 2, 3);
    return 0;
}

static int64_t files_in_folder(void) {
    DIR *folder = opendir(fixture_folder);
    int64_t count = 0;
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void test_store_merge__equals_one_run(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreMergeStats stats;
    char a[300], b[300], c[300], out[300];
    snprintf(a, sizeof a, "%s", fixture_path("a.db"));
    snprintf(b, sizeof b, "%s", fixture_path("b.db"));
    snprintf(c, sizeof c, "%s", fixture_path("c.db"));
    snprintf(out, sizeof out, "%s", fixture_path("all.db"));
    const char *const shards[] = {c, a, b}; // in any order
    OK(store_merge(out, shards, 3, &stats, &err));
    assert_int_equal(stats.games, GAMES);
    assert_int_equal(fixture_check_games(out), GAMES);
    Store *store = NULL;
    OK(store_open(out, &store, &err));
    assert_non_null(store_experiment(store)->finished_at);
    StoreSitting *sittings = NULL;
    int count = 0;
    OK(store_sittings(store, &sittings, &count, &err));
    assert_int_equal(count, 3);
    for (int i = 0; i < count; i++)
        assert_int_equal(sittings[i].games, GAMES / 3);
    store_sittings_free(sittings, count);
    store_close(store);
    store = fixture_open(out); // a merged database is a database to go on with
    fixture_write(store, GAMES, GAMES + 2, 1);
    store_close(store);
    assert_int_equal(fixture_check_games(out), GAMES + 2);
    assert_int_equal(unlink(out), 0);
}

static void test_store_merge__refuses_and_leaves_nothing(void **state) {
    (void)state;
    ErrorText err = {""};
    char a[300], b[300], other[300], out[300];
    snprintf(a, sizeof a, "%s", fixture_path("a.db"));
    snprintf(b, sizeof b, "%s", fixture_path("b.db"));
    snprintf(other, sizeof other, "%s", fixture_path("other.db"));
    snprintf(out, sizeof out, "%s", fixture_path("out.db"));
    StoreRun run = fixture_run(other);
    Experiment foreign = *run.experiment;
    foreign.seed = 99;
    run.experiment = &foreign;
    Store *store = NULL;
    StoreResume resume;
    OK(store_open_run(&run, &store, &resume, &err));
    store_resume_release(&resume);
    store_close(store);

    int64_t files = files_in_folder();
    const char *const twice[] = {a, b, a}, *const mixed[] = {a, other},
                      *const missing[] = {a, "no/such.db"};
    REFUSED(store_merge(out, twice, 3, NULL, &err), STATUS_CONFLICT, "slot 0 is in another");
    REFUSED(store_merge(out, mixed, 2, NULL, &err), STATUS_CONFLICT, "seed is");
    REFUSED(store_merge(out, missing, 2, NULL, &err), STATUS_NOT_FOUND, "no/such.db");
    REFUSED(store_merge(a, twice, 2, NULL, &err), STATUS_CONFLICT, "is there already");
    assert_int_equal(files_in_folder(), files);
    assert_int_equal(fixture_check_games(a), GAMES / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_merge__equals_one_run),
        cmocka_unit_test(test_store_merge__refuses_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, setup, fixture_teardown);
}
