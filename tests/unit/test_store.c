// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, resuming and refusing databases.
#include "harness/store/migrate.h"
#include "harness/store/schema.h"
#include "store_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void sql(const char *path, const char *text) {
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &message))
        fail_msg("%s: %s", text, message);
    sqlite3_close(db);
}

static Status try_run(const StoreRun *run, ErrorText *err) {
    Store *store = NULL;
    StoreResume resume;
    Status status = store_open_run(run, &store, &resume, err);
    if (!status)
        store_resume_release(&resume);
    store_close(store);
    return status;
}

static void test_store__makes_folders_and_a_documented_database(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("results/deep/a.db");
    store_close(fixture_open(path));
    Store *store = NULL;
    OK(store_open(path, &store, &err));
    assert_string_equal(store_experiment(store)->name, "fixture");
    assert_true(store_experiment(store)->seed == 0xfedcba9876543210u);
    assert_int_equal(store_experiment(store)->planned_games, 300);
    assert_string_equal(store_experiment(store)->config, "name: fixture\n");
    assert_null(store_experiment(store)->finished_at);
    assert_int_equal(store_player_count(store), 3);
    assert_string_equal(store_player(store, 2)->name, "d6");
    assert_non_null(strstr(store_player(store, 2)->config, "\"search.depth\""));
    store_close(store);
    struct stat info;
    assert_int_not_equal(stat(fixture_path("results/deep/a.db-wal"), &info), 0);
    assert_int_not_equal(stat(fixture_path("results/deep/a.db-lock"), &info), 0);
}

static void test_store__resumes_the_same_experiment_only(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("resume.db");
    Store *store = fixture_open(path);
    fixture_write(store, 0, 10, 1);
    OK(store_finish_run(store, true, &err));
    store_close(store);

    StoreRun run = fixture_run(path);
    StoreResume resume;
    Experiment more = *run.experiment;
    more.pairs = 500; // more pairs simply go on
    run.experiment = &more;
    run.version = "2.0";
    OK(store_preview_run(&run, &resume, &err));
    assert_int_equal(resume.games, 10);
    store_resume_release(&resume);
    OK(store_open_run(&run, &store, &resume, &err));
    assert_true(resume.resumed);
    assert_int_equal(resume.games, 10);
    assert_non_null(strstr(resume.notice, "gomolab 1.0, this is 2.0"));
    store_resume_release(&resume);
    store_close(store);

    PlayerSpec players[FIXTURE_PLAYERS];
    memcpy(players, more.players, sizeof players);
    OK(knob_set_text(&players[1].knobs, "search.depth", "7", &err));
    more.players = players;
    REFUSED(try_run(&run, &err), STATUS_CONFLICT,
            "players[1].knobs.search.depth is 4 there, 7 here");
    REFUSED(store_preview_run(&run, &resume, &err), STATUS_CONFLICT, "holds another experiment");
    more.player_count = 2;
    REFUSED(try_run(&run, &err), STATUS_CONFLICT, "players has 3 entries there, 2 here");
    assert_int_equal(fixture_check_games(path), 10);
}

// As a program left it that did not have a knob yet, had another default, or one more.
static void test_store__a_missing_knob_has_its_default(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreRun run = fixture_run(fixture_path("knobs.db"));
    store_close(fixture_open(run.path));
    sql(run.path, "UPDATE experiment SET identity = json_remove(identity, "
                  "'$.players[0].knobs.\"search.lmr\"', '$.players[2].knobs.\"search.lmr\"')");
    OK(try_run(&run, &err));
    PlayerSpec players[FIXTURE_PLAYERS];
    memcpy(players, run.experiment->players, sizeof players);
    OK(knob_set_text(&players[2].knobs, "search.lmr", "true", &err));
    Experiment e = *run.experiment, *const as_it_was = (Experiment *)run.experiment;
    e.players = players;
    run.experiment = &e;
    REFUSED(try_run(&run, &err), STATUS_CONFLICT, "players[2].knobs.search.lmr is ");
    run.experiment = as_it_was;
    sql(run.path, "UPDATE experiment SET identity = "
                  "json_set(identity, '$.players[1].knobs.\"search.magic\"', 3)");
    REFUSED(
        try_run(&run, &err), STATUS_CONFLICT,
        "players[1].knobs.search.magic is 3 there, missing here: this program has no such knob");
}

static void test_store__says_when_an_engine_has_changed(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreRun run = fixture_run(fixture_path("engine.db"));
    PlayerSpec players[FIXTURE_PLAYERS];
    memcpy(players, run.experiment->players, sizeof players);
    players[1].external.command = players[1].external.command_text = (char *)"/opt/brain";
    Experiment e = *run.experiment;
    e.players = players;
    run.experiment = &e;
    const char *before[] = {NULL, "aaaa", NULL}, *after[] = {NULL, "bbbb", NULL};
    run.engine_hash = before;
    OK(try_run(&run, &err));
    run.engine_hash = after;
    for (int i = 0; i < 2; i++) { // said once: the new one is then the known one
        Store *store = NULL;
        StoreResume resume;
        OK(store_open_run(&run, &store, &resume, &err));
        if (i == 0)
            assert_string_equal(resume.notice, "the program of player 'd4' has changed");
        else
            assert_null(resume.notice);
        store_resume_release(&resume);
        store_close(store);
    }
}

static void test_store__fresh_puts_the_old_database_aside(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("fresh.db");
    Store *store = fixture_open(path);
    fixture_write(store, 0, 6, 1);
    store_close(store);
    StoreRun run = fixture_run(path);
    run.fresh = true;
    for (int n = 1; n <= 2; n++) {
        StoreResume resume;
        char want[300];
        snprintf(want, sizeof want, "%s/fresh-%d.db", fixture_folder, n);
        OK(store_open_run(&run, &store, &resume, &err));
        assert_false(resume.resumed);
        assert_string_equal(resume.renamed, want);
        store_resume_release(&resume);
        store_close(store);
    }
    assert_int_equal(fixture_check_games(fixture_path("fresh-1.db")), 6);
    assert_int_equal(fixture_check_games(fixture_path("fresh-2.db")), 0);
    assert_int_equal(fixture_check_games(path), 0);
}

// A run that was killed leaves its log behind; the old games must go along with the old name.
static void test_store__fresh_takes_the_log_of_a_killed_run_along(void **state) {
    (void)state;
    const char *path = fixture_path("killed.db");
    pid_t child = fork();
    if (child == 0) {
        Store *store = fixture_open(path);
        fixture_write(store, 0, 8, 1);
        _exit(0); // no close: the log stays
    }
    int wait_status;
    waitpid(child, &wait_status, 0);
    struct stat info;
    assert_int_equal(stat(fixture_path("killed.db-wal"), &info), 0);
    ErrorText err = {""};
    StoreRun run = fixture_run(path);
    run.fresh = true;
    OK(try_run(&run, &err));
    assert_int_equal(fixture_check_games(fixture_path("killed-1.db")), 8);
    assert_int_equal(fixture_check_games(path), 0);
}

static void test_store__refuses_what_is_no_database_of_ours(void **state) {
    (void)state;
    ErrorText err = {""};
    Store *store = NULL;
    StoreRun run = fixture_run(fixture_path("text.db"));
    write_file(run.path, "this is a text, and long enough to look like a header of something: "
                         "0123456789 0123456789\n");
    REFUSED(try_run(&run, &err), STATUS_INVALID, "not a SQLite database");
    REFUSED(store_open(run.path, &store, &err), STATUS_INVALID, "not a SQLite database");
    REFUSED(store_open(fixture_path("missing.db"), &store, &err), STATUS_NOT_FOUND, "no such file");
    run.path = fixture_path("other.db");
    sql(run.path, "CREATE TABLE song (title TEXT)");
    REFUSED(try_run(&run, &err), STATUS_INVALID, "no database of gomolab");
    REFUSED(store_open(run.path, &store, &err), STATUS_INVALID, "no database of gomolab");
    run.path = fixture_path("folder.db");
    mkdir(run.path, 0777);
    REFUSED(try_run(&run, &err), STATUS_INVALID, "is a folder");
    run.path = fixture_path(
        "text.db/x.db"); // a file where a folder should be: cannot be written, even by root
    REFUSED(try_run(&run, &err), STATUS_INVALID, "text.db");
    run.path = fixture_path("newer.db");
    store_close(fixture_open(run.path));
    sql(run.path, "PRAGMA user_version = 99");
    REFUSED(try_run(&run, &err), STATUS_CONFLICT, "has schema version 99, this gomolab expects 4");
    REFUSED(store_open(run.path, &store, &err), STATUS_CONFLICT, "written by a newer one");
    sql(run.path, "PRAGMA user_version = 4");
    OK(try_run(&run, &err)); // nothing was done to it
}

// A device is not renamed, not removed and not waited for, whoever runs this.
static void test_store__leaves_devices_and_pipes_alone(void **state) {
    (void)state;
    ErrorText err = {""};
    Store *store = NULL;
    StoreRun run = fixture_run(fixture_path("pipe.db"));
    struct stat info;
    assert_int_equal(mkfifo(run.path, 0666), 0);
    for (int fresh = 0; fresh < 2; fresh++) {
        run.fresh = fresh;
        REFUSED(try_run(&run, &err), STATUS_INVALID, "is a device or a pipe");
        assert_int_equal(lstat(run.path, &info), 0);
        assert_true(S_ISFIFO(info.st_mode));
    }
    REFUSED(store_open(run.path, &store, &err), STATUS_INVALID, "is a device or a pipe");
}

static void test_store__accepts_an_empty_file(void **state) {
    (void)state;
    StoreRun run = fixture_run(fixture_path("empty.db"));
    write_file(run.path, "");
    ErrorText err = {""};
    StoreResume resume;
    OK(store_preview_run(&run, &resume, &err));
    OK(try_run(&run, &err));
    run.path = fixture_path("begun.db"); // killed between its first write and its tables
    sql(run.path, "PRAGMA journal_mode = WAL");
    OK(try_run(&run, &err));
    OK(try_run(&run, &err));
}

// Root may write anything, so the file itself says that it is read-only: a header with a newer
// write version.
static void test_store__refuses_a_read_only_database_to_a_run(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreRun run = fixture_run(fixture_path("readonly.db"));
    Store *store = fixture_open(run.path);
    fixture_write(store, 0, 4, 1);
    store_close(store);
    sql(run.path, "PRAGMA journal_mode = DELETE");
    int fd = open(run.path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, "\003", 1, 18), 1);
    close(fd);
    REFUSED(try_run(&run, &err), STATUS_INVALID, "read-only");
    assert_int_equal(fixture_check_games(run.path), 4);
}

static int games_of(const char *path) {
    ErrorText err = {""};
    Store *store = NULL;
    int64_t games = -1;
    Status status = store_open(path, &store, &err);
    if (!status)
        status = store_count_games(store, INT64_MAX, &games, &err);
    store_close(store);
    if (status)
        fprintf(stderr, "%s\n", err.text);
    return status ? -1 : (int)games;
}

// How many games a reader finds who may write neither the file nor its folder; root becomes nobody
// for it. Nothing may be left beside the file.
static int games_read_only(const char *folder, const char *path) {
    enum { NOBODY = 65534 };
    char beside[700];
    int exit_code = 0;
    assert_int_equal(chmod(fixture_folder, 0755), 0);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(geteuid() == 0 && setuid(NOBODY) ? 99 : games_of(path));
    assert_int_equal(waitpid(child, &exit_code, 0), child);
    snprintf(beside, sizeof beside, "%s-wal", path);
    assert_int_equal(access(beside, F_OK), -1);
    snprintf(beside, sizeof beside, "%s-shm", path);
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(chmod(folder, 0755), 0);
    return WEXITSTATUS(exit_code);
}

// Whatever characters its name has.
static void test_store__reads_what_nobody_may_write(void **state) {
    (void)state;
    static const char *const NAMES[] = {"plain.db", "a?b#c%d&e=f.db", "with blanks \"'.db", "é.db"};
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%s", fixture_path("media"));
    assert_int_equal(mkdir(folder, 0755), 0);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        ErrorText err = {""};
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i]);
        Store *store = fixture_open(path);
        fixture_write(store, 0, 4 + (int64_t)i, 1);
        OK(store_finish_run(store, true, &err));
        store_close(store);
        assert_int_equal(games_read_only(folder, path), 4 + (int64_t)i);
    }
}

static void test_store__refuses_a_second_run_on_the_file(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreRun run = fixture_run(fixture_path("locked.db"));
    Store *store = fixture_open(run.path);
    char pid[32];
    snprintf(pid, sizeof pid, "(process %ld)", (long)getpid());
    REFUSED(try_run(&run, &err), STATUS_CONFLICT, pid);
    run.fresh = true;
    REFUSED(try_run(&run, &err), STATUS_CONFLICT, "another gomolab");
    Store *reader = NULL;
    OK(store_open(run.path, &reader, &err)); // reading is free
    store_close(reader);
    store_close(store);
    run.fresh = false;
    OK(try_run(&run, &err));
}

static const char *const OLD_SCHEMA[] = {"CREATE TABLE thing (id INTEGER PRIMARY KEY)",
                                         "INSERT INTO thing VALUES (7)", NULL};
static const char *const NEWER[] = {"ALTER TABLE thing ADD COLUMN name TEXT",
                                    "UPDATE thing SET name = 'seven'", NULL};
static const char *const BROKEN[] = {"ALTER TABLE thing ADD COLUMN size REAL",
                                     "UPDATE nothing SET x = 1", NULL};

static void test_store__migrates_older_schemas_forward(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *path = fixture_path("old.db");
    const SchemaStep steps[] = {OLD_SCHEMA, NEWER, BROKEN};
    Store *store = NULL;
    int64_t number;
    OK(connection_open(path, CONNECTION_CREATE, &store, &err));
    OK(schema_apply(store->db, steps, 0, 1, &err));
    OK(migrate_store(store, steps, 2, &err));
    OK(connection_int(store, "PRAGMA user_version", &number, &err));
    assert_int_equal(number, 2);
    OK(connection_int(store, "SELECT count(*) FROM thing WHERE name = 'seven'", &number, &err));
    assert_int_equal(number, 1);
    // A step that fails leaves the version before it, whole.
    REFUSED(migrate_store(store, steps, 3, &err), STATUS_INVALID, "nothing");
    OK(connection_int(store, "PRAGMA user_version", &number, &err));
    assert_int_equal(number, 2);
    OK(connection_int(store, "SELECT count(*) FROM pragma_table_info('thing')", &number, &err));
    assert_int_equal(number, 2);
    OK(migrate_store(store, steps, 2, &err)); // nothing to do
    store_close(store);
}

// What version 2 added is taken away again: a file as version 1 left it.
static void test_store__goes_on_with_an_experiment_of_version_1(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreRun run = fixture_run(fixture_path("version1.db"));
    store_close(fixture_open(run.path));
    sql(run.path, "DROP VIEW tune_path; DROP TABLE tune_match; DROP TABLE tune_effect;"
                  "DROP TABLE tune_iteration; DROP TABLE tune_stage; DROP TABLE tune_knob;"
                  "DROP TABLE tune; DROP VIEW player_watch; DROP TABLE seat_watch;"
                  "DROP TABLE game_source;"
                  "PRAGMA user_version = 1");
    StoreResume resume; // a look at it says what a run would find, and leaves it as it is
    OK(store_preview_run(&run, &resume, &err));
    assert_true(resume.resumed);
    store_resume_release(&resume);
    OK(try_run(&run, &err));
    Store *store = NULL;
    int64_t number;
    OK(store_open(run.path, &store, &err));
    OK(connection_int(store, "PRAGMA user_version", &number, &err));
    assert_int_equal(number, STORE_SCHEMA_VERSION);
    OK(connection_int(store, "SELECT count(*) FROM tune_iteration", &number, &err));
    assert_int_equal(number, 0);
    store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__makes_folders_and_a_documented_database),
        cmocka_unit_test(test_store__resumes_the_same_experiment_only),
        cmocka_unit_test(test_store__a_missing_knob_has_its_default),
        cmocka_unit_test(test_store__says_when_an_engine_has_changed),
        cmocka_unit_test(test_store__fresh_puts_the_old_database_aside),
        cmocka_unit_test(test_store__fresh_takes_the_log_of_a_killed_run_along),
        cmocka_unit_test(test_store__refuses_what_is_no_database_of_ours),
        cmocka_unit_test(test_store__leaves_devices_and_pipes_alone),
        cmocka_unit_test(test_store__accepts_an_empty_file),
        cmocka_unit_test(test_store__refuses_a_read_only_database_to_a_run),
        cmocka_unit_test(test_store__reads_what_nobody_may_write),
        cmocka_unit_test(test_store__refuses_a_second_run_on_the_file),
        cmocka_unit_test(test_store__migrates_older_schemas_forward),
        cmocka_unit_test(test_store__goes_on_with_an_experiment_of_version_1),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
