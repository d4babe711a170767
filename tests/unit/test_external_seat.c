// SPDX-License-Identifier: GPL-3.0-or-later
// Games of real processes: whatever a program does, the right player loses, for the right reason,
// and nothing is left.
#include "engine/base/check.h"
#include "engine/base/knob.h"
#include "harness/play/external_seat.h"
#include "harness/play/game.h"
#include "harness/play/seats.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char stub_path[4096], program_path[4096];

typedef struct Table { // an experiment of two programs
    Experiment experiment;
    PlayerSpec players[2];
    const char *args[2][12];
    Seat *seats[2];
    atomic_bool stop;
} Table;

static void add_args(Table *table, int player, const char *const *args) {
    ExternalSpec *external = &table->players[player].external;
    external->args = (char **)table->args[player];
    for (int i = 0; args && args[i]; i++)
        table->args[player][external->arg_count++] = args[i];
}

static void table_init(Table *table, const char *const *black_args, const char *const *white_args) {
    memset(table, 0, sizeof *table);
    table->experiment = (Experiment){.name = (char *)"t",
                                     .width = 15,
                                     .height = 15,
                                     .k = 5,
                                     .rule = RULE_FREESTYLE,
                                     .players = table->players,
                                     .player_count = 2};
    // Far away: the machine may be busy, and most faults are faults however long they take.
    table->experiment.clock = (ClockSpec){.move_ms = 20000, .start_ms = 20000, .end_ms = 300};
    for (int i = 0; i < 2; i++) {
        table->players[i].name = (char *)(i ? "white-player" : "black-player");
        table->players[i].knobs = knob_defaults();
        table->players[i].knobs.number[KNOB_SEARCH_DEPTH] = 0; // none is told
        table->players[i].external.command = stub_path;
        table->players[i].external.restart = RESTART_FAILURE;
        add_args(table, i, i ? white_args : black_args);
    }
}

// For programs that hang: somebody waits until the deadline.
static void make_impatient(Table *table) {
    table->experiment.clock = (ClockSpec){
        .move_ms = 400, .margin_ms = 200, .start_ms = 1000, .end_ms = 300, .first_ms = 0};
}

static void table_open(Table *table) {
    ErrorText err = {""};
    for (int i = 0; i < 2; i++)
        if (seat_open(&table->experiment, i, &table->seats[i], &err))
            fail_msg("%s", err.text);
}

static void table_close(Table *table) {
    for (int i = 0; i < 2; i++)
        seat_free(table->seats[i]);
}

// Plays one game, player 0 with black, and returns its record.
static GameRecord *table_play(Table *table, int64_t slot) {
    ErrorText err = {""};
    static Referee referee;
    GameRecord *record = NULL;
    assert_int_equal(referee_init(&referee, &table->experiment, &err), STATUS_OK);
    Move opening[] = {112, 113, 98, (Move)(slot % 60)};
    GameSetup setup = {.experiment = &table->experiment,
                       .slot = {.slot = slot, .black = 0, .white = 1, .seed = (uint64_t)slot},
                       .opening = opening,
                       .opening_count = 4,
                       .seats = {table->seats[0], table->seats[1]},
                       .clock = clock_monotonic(),
                       .stop = &table->stop};
    Status status = game_play(&setup, &referee, &record, &err);
    if (status)
        fail_msg("%s: %s", status_name(status), err.text);
    return record;
}

// Children of this process other than the watchdog.
static int count_children(void) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    while ((entry = readdir(tasks)) != NULL) {
        char path[300], name[64];
        snprintf(path, sizeof path, "/proc/self/task/%s/children", entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
        int child;
        while (file && fscanf(file, "%d", &child) == 1) {
            snprintf(path, sizeof path, "/proc/%d/cmdline", child);
            FILE *cmdline = fopen(path, "r");
            name[0] = '\0';
            if (cmdline && !fgets(name, sizeof name, cmdline))
                name[0] = '\0';
            if (cmdline)
                fclose(cmdline);
            count += strcmp(name, "gomolab-watchdog") != 0;
        }
        if (file)
            fclose(file);
    }
    closedir(tasks);
    return count;
}

static int count_descriptors(void) {
    int count = 0;
    DIR *fds = opendir("/proc/self/fd");
    while (readdir(fds))
        count++;
    closedir(fds);
    return count;
}

typedef struct FaultCase {
    const char *mode;
    GameReason reason; // of the loss; REASON_NB: the game is played to its end
    const char *note;  // part of the note; NULL = none asked for
} FaultCase;

static const FaultCase FAULTS[] = {
    {"exit-now", REASON_CRASH, "ended at START"},
    {"exit-start", REASON_CRASH, "exit status 9"},
    {"exit-ready", REASON_CRASH, "exit status 0"},
    {"exit-move", REASON_CRASH, "exit status 7"},
    {"crash-move", REASON_CRASH, "about to crash at move 2"},
    {"exit-between", REASON_CRASH, "exit status 0"},
    {"hang-now", REASON_TIMEOUT, "no OK to START"},
    {"hang-start", REASON_TIMEOUT, "no OK to START"},
    {"refuse-start", REASON_TIMEOUT, "ERROR unsupported size"},
    {"hang-move", REASON_TIMEOUT, "no move within"},
    {"spin-move", REASON_TIMEOUT, "no move within"},
    {"hang-between", REASON_TIMEOUT, "no move within"},
    {"self-stop", REASON_TIMEOUT, "no move within"},
    {"late", REASON_TIMEOUT, "no move within"},
    {"error-only", REASON_TIMEOUT, "ERROR cannot move"},
    {"early", REASON_TIMEOUT, "no move within"},
    {"close-output", REASON_CRASH, "closed its output while its move was due"},
    {"close-input", REASON_CRASH, "closed its input"},
    {"flood", REASON_ILLEGAL, "xxxx"},
    {"flood-lines", REASON_TIMEOUT, "no move within"},
    {"off-board", REASON_ILLEGAL, "-4,-4 is outside the board"},
    {"occupied", REASON_ILLEGAL, "is occupied"},
    {"text", REASON_ILLEGAL, "'I would rather not' is no move"},
    {"two-moves", REASON_ILLEGAL, "is no move"},
    {"orphan", REASON_CRASH, "exit status 3"},
    {"escaped-orphan", REASON_CRASH, "exit status 3"},
    {"ignore-end", REASON_NB, NULL},
    {"ignore-term", REASON_NB, NULL},
    {"two-lines", REASON_NB, "1 line while not on move, dropped"},
    {"stderr", REASON_NB, NULL},
    {"memory", REASON_NB, NULL},
};

// On a busy machine the other one may be late before the faulty one is: the case is played again.
static GameRecord *play_fault(Table *table, const FaultCase *fault, char winner) {
    for (int tries = 0;; tries++) {
        table_open(table);
        GameRecord *record = table_play(table, 0);
        bool is_disturbed = record->reason == REASON_TIMEOUT && record->result != winner;
        if (!is_disturbed || fault->reason != REASON_TIMEOUT || tries == 20)
            return record;
        game_record_free(record);
        table_close(table);
    }
}

static void check_fault(const FaultCase *fault, int faulty) {
    const char *args[] = {"--mode", fault->mode, "--delay", "900", NULL};
    Table table;
    table_init(&table, faulty == 0 ? args : NULL, faulty == 1 ? args : NULL);
    table.players[faulty].external.memory_mb = 32;
    if (fault->reason == REASON_TIMEOUT)
        make_impatient(&table);
    GameRecord *record = play_fault(&table, fault, faulty == 0 ? 'W' : 'B');
    if (fault->reason != REASON_NB) {
        if (record->reason != fault->reason || record->result != (faulty == 0 ? 'W' : 'B'))
            fail_msg("%s: %c by %s (%s)", fault->mode, record->result,
                     game_reason_name(record->reason), record->note ? record->note : "no note");
    } else if (record->reason != REASON_FIVE && record->reason != REASON_BOARD_FULL) {
        fail_msg("%s: %s (%s)", fault->mode, game_reason_name(record->reason),
                 record->note ? record->note : "no note");
    }
    if (fault->note && (!record->note || !strstr(record->note, fault->note)))
        fail_msg("%s: '%s' is not in the note: %s", fault->mode, fault->note,
                 record->note ? record->note : "none");
    game_record_free(record);
    // The other one plays on, with a fresh opponent.
    if (strcmp(fault->mode, "exit-now") != 0 && strcmp(fault->mode, "late") != 0) {
        table.args[faulty][1] = "honest";
        table.experiment.clock.move_ms = table.experiment.clock.start_ms = 20000;
        record = table_play(&table, 1);
        if (record->reason != REASON_FIVE && record->reason != REASON_BOARD_FULL)
            fail_msg("%s, next game: %s (%s)", fault->mode, game_reason_name(record->reason),
                     record->note ? record->note : "no note");
        game_record_free(record);
    }
    table_close(&table);
    if (count_children() > 0)
        fail_msg("%s: %d children left", fault->mode, count_children());
}

static void test_external_seat__every_fault_is_a_result(void **state) {
    (void)state;
    int descriptors = -1;
    for (size_t i = 0; i < ARRAY_LEN(FAULTS); i++) {
        check_fault(&FAULTS[i], (int)(i % 2));
        if (descriptors < 0)
            descriptors = count_descriptors(); // with the watchdog's pipe
        if (count_descriptors() != descriptors)
            fail_msg("%s: %d descriptors, had %d", FAULTS[i].mode, count_descriptors(),
                     descriptors);
    }
}

// Ways to speak that differ, and are fine.
static void test_external_seat__dialects_are_understood(void **state) {
    (void)state;
    static const char *const MODES[] = {"honest",  "crlf",       "cr",      "blanks", "banner",
                                        "ok-text", "any-case",   "bytes",   "talk",   "torn-talk",
                                        "carbon",  "no-restart", "suggest", "mutter"};
    char *honest_moves = NULL;
    for (size_t i = 0; i < ARRAY_LEN(MODES); i++) {
        const char *args[] = {"--mode", MODES[i], NULL};
        Table table;
        table_init(&table, args, args);
        table_open(&table);
        for (int64_t slot = 0; slot < 2; slot++) {
            GameRecord *record = table_play(&table, slot);
            Text moves = {0};
            for (int ply = 0; ply < record->move_count; ply++)
                text_printf(&moves, "%d ", record->moves[ply].move);
            if (record->note)
                fail_msg("%s: %s", MODES[i], record->note);
            if (slot == 1 && honest_moves)
                assert_string_equal(text_cstr(&moves), honest_moves);
            else if (slot == 1)
                honest_moves = strdup(text_cstr(&moves));
            const MoveRecord *move = &record->moves[record->move_count - 1];
            bool is_talk = strcmp(MODES[i], "talk") == 0,
                 is_carbon = strcmp(MODES[i], "carbon") == 0 || strcmp(MODES[i], "torn-talk") == 0;
            assert_int_equal(move->known & KNOWN_NODES ? 1 : 0, is_talk || is_carbon);
            if (is_talk) {
                assert_int_equal(move->known, KNOWN_NODES | KNOWN_DEPTH | KNOWN_SELDEPTH |
                                                  KNOWN_VALUE | KNOWN_PV | KNOWN_TIME);
                assert_int_equal(move->cost.nodes, 1234);
                assert_int_equal(move->cost.seldepth, 9);
                assert_true(move->value == -17);
                assert_string_equal(move->pv, "h8 i7");
            }
            text_release(&moves);
            game_record_free(record);
        }
        table_close(&table);
    }
    free(honest_moves);
    assert_int_equal(count_children(), 0);
}

static void test_external_seat__lines_in_pieces_are_put_together(void **state) {
    (void)state;
    const char *args[] = {"--mode", "split", NULL};
    Table table;
    table_init(&table, args, NULL);
    table.experiment.adjudicate.max_moves = 20;
    table_open(&table);
    GameRecord *record = table_play(&table, 0);
    assert_true(record->reason == REASON_ADJUDICATED || record->reason == REASON_FIVE);
    game_record_free(record);
    table_close(&table);
}

// A process serves all games unless told otherwise; a fault in the very last of them is found as
// well.
static void test_external_seat__one_process_plays_many_games(void **state) {
    (void)state;
    enum { GAMES = 12 };
    const char *args[] = {"--mode", "crash-move", "--game", "12", NULL};
    Table table;
    table_init(&table, args, NULL);
    table_open(&table);
    for (int64_t slot = 1; slot <= GAMES; slot++) {
        GameRecord *record = table_play(&table, slot);
        assert_int_equal(record->reason == REASON_CRASH, slot == GAMES);
        game_record_free(record);
    }
    table_close(&table);
    // A process a game: the twelfth game of it never comes.
    table_init(&table, args, NULL);
    table.players[0].external.restart = RESTART_GAME;
    table_open(&table);
    for (int64_t slot = 1; slot <= GAMES; slot++) {
        GameRecord *record = table_play(&table, slot);
        assert_int_not_equal(record->reason, REASON_CRASH);
        game_record_free(record);
    }
    table_close(&table);
}

// restart: never: what has ended stays away, and loses; what is alive goes on.
static void test_external_seat__never_means_never(void **state) {
    (void)state;
    const char *crash[] = {"--mode", "crash-move", "--game", "2", NULL};
    Table table;
    table_init(&table, crash, NULL);
    table.players[0].external.restart = RESTART_NEVER;
    table_open(&table);
    for (int64_t slot = 1; slot <= 4; slot++) {
        GameRecord *record = table_play(&table, slot);
        assert_int_equal(record->reason == REASON_CRASH, slot >= 2);
        game_record_free(record);
    }
    table_close(&table);
    const char *text[] = {"--mode", "text", "--game", "2", NULL};
    table_init(&table, text, NULL);
    table.players[0].external.restart = RESTART_NEVER;
    table_open(&table);
    for (int64_t slot = 1; slot <= 4; slot++) {
        GameRecord *record = table_play(&table, slot);
        assert_int_equal(record->reason == REASON_ILLEGAL, slot == 2);
        game_record_free(record);
    }
    table_close(&table);
}

// From a program that answers at once, too: it is waited for in another way than one that thinks.
static void test_external_seat__silence_ends_at_the_deadline(void **state) {
    (void)state;
    static const struct { int64_t move_ms, margin_ms; } CLOCKS[] = {{300, 100}, {20, 0}, {60, 0}};
    const char *args[] = {"--mode", "hang-move", "--move", "4", NULL};
    for (size_t i = 0; i < ARRAY_LEN(CLOCKS); i++) {
        int64_t allowed_us = (CLOCKS[i].move_ms + CLOCKS[i].margin_ms) * 1000, best_us = INT64_MAX;
        // The machine may be busy: then our own comes late, or we look late.
        for (int64_t slot = 1; slot <= 40 && best_us > allowed_us + 400000; slot++) {
            Table table;
            table_init(&table, args, NULL);
            table.experiment.clock.move_ms = CLOCKS[i].move_ms;
            table.experiment.clock.margin_ms = CLOCKS[i].margin_ms;
            table_open(&table);
            GameRecord *record = table_play(&table, slot);
            assert_int_equal(record->reason, REASON_TIMEOUT);
            if (record->result == 'W') {
                assert_true(record->wall_us >= allowed_us);
                best_us = record->wall_us < best_us ? record->wall_us : best_us;
            }
            game_record_free(record);
            table_close(&table);
        }
        if (best_us > allowed_us + 400000)
            fail_msg("%lld us allowed, the game took %lld at best", (long long)allowed_us,
                     (long long)best_us);
    }
}

static void test_external_seat__the_gap_is_kept(void **state) {
    (void)state;
    const char *args[] = {"--mode", "deaf", NULL};
    for (int gap_ms = 0; gap_ms <= 60; gap_ms += 60) {
        Table table;
        table_init(&table, args, NULL);
        table.players[0].external.gap_ms = gap_ms;
        if (gap_ms == 0)
            make_impatient(&table);
        table.experiment.adjudicate.max_moves = 10;
        table_open(&table);
        GameRecord *record = table_play(&table, 1);
        assert_int_equal(record->reason, gap_ms ? REASON_ADJUDICATED : REASON_TIMEOUT);
        game_record_free(record);
        table_close(&table);
    }
}

static void test_external_seat__a_move_is_one_write(void **state) {
    (void)state;
    const char *args[] = {"--mode", "one-write", NULL};
    Table table;
    table_init(&table, args, args);
    table.experiment.adjudicate.max_moves = 40;
    table_open(&table);
    GameRecord *record = table_play(&table, 1);
    assert_null(record->note);
    game_record_free(record);
    table_close(&table);
}

static void test_external_seat__tells_every_limit(void **state) {
    (void)state;
    const char *args[] = {"--mode", "infos", NULL};
    static const char *const TOLD[] = {
        "INFO rule 0\n",        "INFO game_type 2\n",         "INFO timeout_turn 400\n",
        "INFO max_depth 3\n",   "INFO timeout_match 9000\n",  "INFO time_increment 50\n",
        "INFO max_node 1000\n", "INFO max_memory 33554432\n", "INFO folder /usr\n",
        "INFO time_left 9000\n"};
    Table table;
    table_init(&table, args, NULL);
    table.experiment.clock.move_ms = 400;
    table.experiment.clock.match_ms = 9000;
    table.experiment.clock.increment_ms = 50;
    table.players[0].external.memory_mb = 32;
    table.players[0].external.dir = (char *)"/usr";
    table.players[0].knobs.number[KNOB_SEARCH_DEPTH] = 3;
    table.players[0].knobs.number[KNOB_SEARCH_NODES] = 1000;
    table_open(&table);
    GameRecord *record = table_play(&table, 1);
    assert_int_equal(record->reason, REASON_CRASH);
    for (size_t i = 0; i < ARRAY_LEN(TOLD); i++)
        if (!strstr(record->note, TOLD[i]))
            fail_msg("not told: %s%s", TOLD[i], record->note);
    game_record_free(record);
    table_close(&table);
}

static void test_external_seat__a_match_clock_runs_out(void **state) {
    (void)state;
    const char *args[] = {"--mode", "late", "--move", "2", "--delay", "900", NULL};
    int64_t best_us = INT64_MAX;
    // In the time that is allowed and not in that of the late move, on a machine that is not busy.
    for (int64_t slot = 1; slot <= 40 && best_us > 890000; slot++) {
        Table table;
        table_init(&table, args, NULL);
        table.experiment.clock.move_ms = 0;
        table.experiment.clock.match_ms = 500;
        table_open(&table);
        GameRecord *record = table_play(&table, slot);
        assert_int_equal(record->reason, REASON_TIMEOUT);
        assert_true(record->wall_us >= 500000);
        if (record->result == 'W' && record->wall_us < best_us)
            best_us = record->wall_us;
        game_record_free(record);
        table_close(&table);
    }
    assert_in_range(best_us, 500000, 890000);
}

static void test_external_seat__runs_where_it_was_told_to(void **state) {
    (void)state;
    const char *args[] = {"--mode", "where", NULL}, *env[] = {"STUB_MARK=a b"};
    Table table;
    table_init(&table, args, NULL);
    table.players[0].external.dir = (char *)"/usr";
    table.players[0].external.env = (char **)env;
    table.players[0].external.env_count = 1;
    table_open(&table);
    GameRecord *record = table_play(&table, 1);
    assert_int_equal(record->reason, REASON_CRASH);
    assert_non_null(strstr(record->note, "in /usr, mark a b\n"));
    game_record_free(record);
    table_close(&table);
}

static void test_external_seat__suspended_between_moves(void **state) {
    (void)state;
    Table table;
    table_init(&table, NULL, NULL);
    table.players[0].external.suspend = table.players[1].external.suspend = true;
    table.players[1].external.gap_ms = 2;
    table.experiment.adjudicate.max_moves = 30;
    table_open(&table);
    for (int64_t slot = 0; slot < 3; slot++) {
        GameRecord *record = table_play(&table, slot);
        assert_int_not_equal(record->reason, REASON_TIMEOUT);
        assert_null(record->note);
        game_record_free(record);
    }
    table_close(&table);
    assert_int_equal(count_children(), 0);
}

static void test_external_seat__a_dropped_game_ends_at_once(void **state) {
    (void)state;
    ErrorText err = {""};
    const char *args[] = {"--mode", "hang-move", NULL};
    Table table;
    table_init(&table, args, NULL);
    table.experiment.clock.move_ms = 100000;
    table_open(&table);
    static Referee referee;
    assert_int_equal(referee_init(&referee, &table.experiment, &err), STATUS_OK);
    GameSetup setup = {.experiment = &table.experiment,
                       .slot = {.black = 0, .white = 1},
                       .seats = {table.seats[0], table.seats[1]},
                       .clock = clock_monotonic(),
                       .stop = &table.stop};
    atomic_store(&table.stop, true);
    GameRecord *record = NULL;
    assert_int_equal(game_play(&setup, &referee, &record, &err), STATUS_STOPPED);
    assert_null(record);
    table_close(&table);
    assert_int_equal(count_children(), 0);
}

static void test_external_seat__what_cannot_be_executed_says_where(void **state) {
    (void)state;
    static const struct {
        const char *path, *says;
    } CASES[] = {{"/no/such/engine", "/no/such/engine: cannot be executed: No such file"},
                 {"/etc/passwd", "/etc/passwd: cannot be executed: not executable"},
                 {"/tmp", "/tmp: cannot be executed: it is a directory"}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {""};
        Table table;
        table_init(&table, NULL, NULL);
        table.players[1].external.command = (char *)CASES[i].path;
        assert_int_equal(seats_probe(&table.experiment, &err), STATUS_IO);
        if (!strstr(err.text, CASES[i].says) || !strstr(err.text, "player white-player"))
            fail_msg("%s", err.text);
    }
}

// The program's own players behind pipes play the games that they play in-process, move by move;
// with randomness, too.
static void test_external_seat__own_engine_plays_the_same_behind_pipes(void **state) {
    (void)state;
    static const char *const RANDOMNESS[] = {"play.randomness=0", "play.randomness=0.3"};
    char path[] = "/tmp/gomolab-brain-XXXXXX";
    int fd = mkstemp(path);
    static const char PLAYER[] = "name: p\nsearch: {algorithm: alphabeta, depth: 2, tt_mb: 1}\n";
    assert_true(write(fd, PLAYER, sizeof PLAYER - 1) == (ssize_t)sizeof PLAYER - 1);
    close(fd);
    for (size_t i = 0; i < ARRAY_LEN(RANDOMNESS); i++) {
        const char *args[] = {"brain", path, "--set", RANDOMNESS[i], NULL};
        Table piped, inside;
        ErrorText err;
        table_init(&piped, args, args);
        table_init(&inside, NULL, NULL);
        piped.experiment.clock.move_ms = 0;
        piped.experiment.rule = inside.experiment.rule = RULE_STANDARD;
        for (int player = 0; player < 2; player++) {
            piped.players[player].external.command = program_path;
            PlayerSpec *spec = &inside.players[player];
            spec->external.command = NULL;
            assert_int_equal(knob_set_text(&spec->knobs, "search.depth", "2", &err), STATUS_OK);
            assert_int_equal(knob_set_text(&spec->knobs, "search.tt_mb", "1", &err), STATUS_OK);
            assert_int_equal(knob_set_text(&spec->knobs, "play.randomness",
                                           strchr(RANDOMNESS[i], '=') + 1, &err),
                             STATUS_OK);
        }
        inside.experiment.clock.move_ms = 0;
        table_open(&piped);
        table_open(&inside);
        for (int64_t slot = 0; slot < 4; slot++) {
            GameRecord *a = table_play(&piped, slot), *b = table_play(&inside, slot);
            if (a->note)
                fail_msg("%s", a->note);
            assert_int_equal(a->result, b->result);
            assert_int_equal(a->move_count, b->move_count);
            for (int ply = 0; ply < a->move_count; ply++) {
                assert_int_equal(a->moves[ply].move, b->moves[ply].move);
                // A move by chance has no value.
                bool has_value = a->moves[ply].known & KNOWN_VALUE;
                assert_int_equal(has_value, (b->moves[ply].known & KNOWN_VALUE) &&
                                                !isnan(b->moves[ply].value));
                if (has_value && a->moves[ply].value != b->moves[ply].value)
                    fail_msg("ply %d: %.17g, in-process %.17g", ply + 1, a->moves[ply].value,
                             b->moves[ply].value);
                assert_true(a->moves[ply].cost.nodes == b->moves[ply].cost.nodes);
                if (a->moves[ply].known & KNOWN_DEPTH)
                    assert_int_equal(a->moves[ply].cost.depth, b->moves[ply].cost.depth);
                assert_int_equal(a->moves[ply].known & KNOWN_DEPTH,
                                 b->moves[ply].known & KNOWN_DEPTH);
                const char *pv = b->moves[ply].pv;
                assert_string_equal(a->moves[ply].pv ? a->moves[ply].pv : "", pv ? pv : "");
            }
            game_record_free(a);
            game_record_free(b);
        }
        table_close(&piped);
        table_close(&inside);
    }
    unlink(path);
}

int main(int argc, char **argv) {
    (void)argc;
    // Beside this program: <build>/tests/unit/test_x and <build>/tests/stub/stub_engine.
    snprintf(stub_path, sizeof stub_path, "%s", argv[0]);
    char *slash = strrchr(stub_path, '/');
    snprintf(slash ? slash + 1 : stub_path, 64, "../../gomolab");
    snprintf(program_path, sizeof program_path, "%s", stub_path);
    snprintf(slash ? slash + 1 : stub_path, 64, "../stub/stub_engine");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_external_seat__every_fault_is_a_result),
        cmocka_unit_test(test_external_seat__dialects_are_understood),
        cmocka_unit_test(test_external_seat__lines_in_pieces_are_put_together),
        cmocka_unit_test(test_external_seat__one_process_plays_many_games),
        cmocka_unit_test(test_external_seat__never_means_never),
        cmocka_unit_test(test_external_seat__suspended_between_moves),
        cmocka_unit_test(test_external_seat__silence_ends_at_the_deadline),
        cmocka_unit_test(test_external_seat__the_gap_is_kept),
        cmocka_unit_test(test_external_seat__a_move_is_one_write),
        cmocka_unit_test(test_external_seat__tells_every_limit),
        cmocka_unit_test(test_external_seat__a_match_clock_runs_out),
        cmocka_unit_test(test_external_seat__runs_where_it_was_told_to),
        cmocka_unit_test(test_external_seat__a_dropped_game_ends_at_once),
        cmocka_unit_test(test_external_seat__what_cannot_be_executed_says_where),
        cmocka_unit_test(test_external_seat__own_engine_plays_the_same_behind_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
