// SPDX-License-Identifier: GPL-3.0-or-later
// A game between scripted seats: every way it can end, what is recorded, what the seats were told.
#include "engine/base/check.h"
#include "harness/play/game.h"
#include "tests/unit/experiment_fixture.h"

// A seat that plays a list of squares, then fails as told.
typedef struct ScriptSeat {
    Seat seat;
    const char *script;   // "h8 i9 ..."; "-" = a cell outside the board
    Status start, finish; // of starting; of thinking when the script is over
    int64_t elapsed_us;   // of every move
    int fail_place;       // the stone (from 1) at which placing crashes; 0 = never
    unsigned known;
    double value;
    const Board *board; // for reading squares
    SeatGame game;      // as told
    SeatTurn turn;      // the last one
    int starts, ends, placed, thought;
} ScriptSeat;

static Status script_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    ScriptSeat *self = (ScriptSeat *)seat;
    self->game = *game;
    self->starts++;
    return self->start ? error_set(err, self->start, "no start") : STATUS_OK;
}

static Status script_place(Seat *seat, Move move, ErrorText *err) {
    ScriptSeat *self = (ScriptSeat *)seat;
    (void)move;
    return ++self->placed == self->fail_place ? error_set(err, STATUS_CRASH, "gone") : STATUS_OK;
}

static Status script_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer, ErrorText *err) {
    ScriptSeat *self = (ScriptSeat *)seat;
    self->turn = *turn;
    self->thought++;
    answer->elapsed_us = self->elapsed_us;
    while (*self->script == ' ')
        self->script++;
    if (!*self->script)
        return error_set(err, self->finish, "the script is over");
    bool is_outside = *self->script == '-';
    if (is_outside)
        self->script++;
    else
        self->script += notation_read_square(self->board, ROWS_BOTTOM, self->script, &answer->move);
    answer->move = (Move)(is_outside ? 999 : answer->move);
    answer->known = self->known;
    answer->value = self->value;
    answer->cost = (SearchCost){.nodes = 7, .depth = 3};
    strncpy(answer->pv, "h8 h9", SEAT_PV_CAP);
    return STATUS_OK;
}

static void script_end(Seat *seat, Text *note, SeatWatch *watch) {
    (void)watch;
    ((ScriptSeat *)seat)->ends++;
    if (note->length > 0)
        text_append(note, "tail\n");
}

static void script_free(Seat *seat) { (void)seat; }

static const SeatMethods SCRIPT = {script_start, script_place, script_think, script_end,
                                   script_free};

typedef struct Played {
    Status status;
    GameRecord *record;
    ErrorText err;
} Played;

static Played play(const Experiment *experiment, const char *opening, ScriptSeat *black,
                   ScriptSeat *white) {
    Referee *referee = malloc(sizeof *referee);
    Played played = {0};
    atomic_bool stop = false;
    assert_int_equal(referee_init(referee, experiment, &played.err), STATUS_OK);
    assert_int_equal(notation_play_moves(&referee->board, ROWS_BOTTOM, opening, &played.err),
                     STATUS_OK);
    Move moves[BOARD_MAX_CELLS];
    int count = referee->board.stone_count;
    memcpy(moves, referee->board.moves, (size_t)count * sizeof *moves);
    black->board = white->board = &referee->board;
    black->seat.methods = white->seat.methods = &SCRIPT;
    GameSetup setup = {
        .experiment = experiment,
        .slot = {.slot = 7, .pair = 3, .opening = 5, .black = 1, .white = 0, .seed = 99},
        .opening = moves,
        .opening_count = count,
        .seats = {&black->seat, &white->seat},
        .clock = clock_monotonic(),
        .stop = &stop};
    played.status = game_play(&setup, referee, &played.record, &played.err);
    assert_int_equal(black->starts, black->ends);
    assert_int_equal(white->starts, white->ends);
    free(referee);
    return played;
}

static void assert_result(const Played *played, char result, GameReason reason) {
    if (played->status)
        fail_msg("%s: %s", status_name(played->status), played->err.text);
    assert_string_equal(game_reason_name(played->record->reason), game_reason_name(reason));
    assert_int_equal(played->record->result, result);
}

static void test_game__five_wins_and_is_recorded(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    ScriptSeat black = {.script = "j8 k8 l8", .known = KNOWN_ALL, .value = 12, .elapsed_us = 34};
    ScriptSeat white = {.script = "a3 a4"};
    Played played = play(&experiment, "h8 a1 i8 a2", &black, &white);
    assert_result(&played, 'B', REASON_FIVE);
    const GameRecord *record = played.record;
    assert_int_equal(record->slot, 7);
    assert_int_equal(record->pair, 3);
    assert_int_equal(record->opening, 5);
    assert_int_equal(record->black, 1);
    assert_int_equal(record->white, 0);
    assert_int_equal(record->opening_plies, 4);
    assert_int_equal(record->move_count, 9);
    assert_null(record->note);
    for (int i = 0; i < 4; i++)
        assert_int_equal(record->moves[i].known, 0);
    assert_int_equal(record->moves[4].known, KNOWN_ALL);
    assert_int_equal(record->moves[4].cost.nodes, 7);
    assert_int_equal(record->moves[4].cost.time_us, 34);
    assert_string_equal(record->moves[4].pv, "h8 h9");
    assert_int_equal(record->moves[5].known, KNOWN_TIME); // a seat that says nothing
    assert_null(record->moves[5].pv);
    assert_int_equal(black.placed, 8); // all but the winning stone
    assert_int_equal(white.placed, 8);
    assert_int_equal(black.game.colour, BLACK);
    assert_int_equal(white.game.colour, WHITE);
    assert_true(black.game.seed == game_seat_seed(99, BLACK));
    assert_true(white.game.seed != black.game.seed);
    game_record_free(played.record);
    experiment_release(&experiment);
}

static void test_game__an_overline_wins_by_the_rule(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    static const char OPENING[] = "h8 a1 i8 a2 j8 a3 l8 a5 m8 b1";
    for (int rule = 0; rule < RULE_NB; rule++) {
        ScriptSeat black = {.script = "k8", .finish = STATUS_CRASH}, white = {.script = "c1"};
        experiment.rule = (Rule)rule;
        Played played = play(&experiment, OPENING, &black, &white);
        assert_result(&played, rule == RULE_FREESTYLE ? 'B' : 'W',
                      rule == RULE_FREESTYLE ? REASON_FIVE : REASON_CRASH);
        game_record_free(played.record);
    }
    experiment_release(&experiment);
}

static void test_game__a_full_board_is_a_draw(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    experiment.width = experiment.height = 2;
    experiment.k = 5;
    ScriptSeat black = {.script = ""}, white = {.script = "b1"};
    Played played = play(&experiment, "a1 a2 b2", &black, &white);
    assert_result(&played, 'D', REASON_BOARD_FULL);
    assert_int_equal(played.record->move_count, 4);
    game_record_free(played.record);
    experiment_release(&experiment);
}

typedef struct EndCase {
    const char *what, *opening;
    ScriptSeat black, white;
    char result;
    GameReason reason;
    int plies;
    const char *note; // must stand in it; NULL = no note
} EndCase;

static void test_game__what_fails_in_a_seat_is_a_result(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    experiment.clock = (ClockSpec){.move_ms = 1000, .margin_ms = 50};
    const EndCase CASES[] = {
        {"occupied",
         "h8",
         {.script = ""},
         {.script = "h8"},
         'B',
         REASON_ILLEGAL,
         1,
         "p0 (white), ply 2: h8 is occupied\ntail\ntail\n"},
        {"outside",
         "h8",
         {.script = ""},
         {.script = "-"},
         'B',
         REASON_ILLEGAL,
         1,
         "outside the board"},
        {"no move",
         "h8",
         {.script = ""},
         {.script = "", .finish = STATUS_INVALID},
         'B',
         REASON_ILLEGAL,
         1,
         "the script is over"},
        {"crash",
         "-",
         {.script = "", .finish = STATUS_CRASH},
         {.script = ""},
         'W',
         REASON_CRASH,
         0,
         "p1 (black), ply 1: the script is over"},
        {"hangs",
         "-",
         {.script = "", .finish = STATUS_TIMEOUT},
         {.script = ""},
         'W',
         REASON_TIMEOUT,
         0,
         "p1 (black)"},
        {"late, although it answered",
         "-",
         {.script = "h8", .elapsed_us = 1050001},
         {.script = ""},
         'W',
         REASON_TIMEOUT,
         0,
         "1050.1 ms, 1050.0 ms were allowed"},
        {"within the margin",
         "-",
         {.script = "h8", .elapsed_us = 1050000},
         {.script = "", .finish = STATUS_CRASH},
         'B',
         REASON_CRASH,
         1,
         "p0 (white)"},
        {"crash at start",
         "h8",
         {.script = "", .start = STATUS_CRASH},
         {.script = ""},
         'W',
         REASON_CRASH,
         1,
         "no start"},
        {"hangs at start",
         "h8",
         {.script = ""},
         {.script = "", .start = STATUS_TIMEOUT},
         'B',
         REASON_TIMEOUT,
         1,
         "no start"},
        {"crash in the opening",
         "h8 h9",
         {.script = "", .fail_place = 2},
         {.script = ""},
         'W',
         REASON_CRASH,
         2,
         "gone"},
        {"crash between two moves",
         "-",
         {.script = "h8"},
         {.script = "", .fail_place = 1},
         'B',
         REASON_CRASH,
         1,
         "gone"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        EndCase c = CASES[i];
        Played played = play(&experiment, c.opening, &c.black, &c.white);
        assert_result(&played, c.result, c.reason);
        assert_int_equal(played.record->move_count, c.plies);
        if (!played.record->note || !strstr(played.record->note, c.note))
            fail_msg("%s: note '%s'", c.what, played.record->note ? played.record->note : "");
        game_record_free(played.record);
    }
    experiment_release(&experiment);
}

static void test_game__what_the_run_cannot_survive_is_no_result(void **state) {
    (void)state;
    static const Status FATAL[] = {STATUS_IO, STATUS_NOT_FOUND, STATUS_UNSUPPORTED,
                                   STATUS_NO_MEMORY, STATUS_STOPPED};
    Experiment experiment = experiment_fixture(2, 1);
    for (size_t i = 0; i < ARRAY_LEN(FATAL); i++) {
        ScriptSeat black = {.script = "h8"}, white = {.script = "", .finish = FATAL[i]};
        Played played = play(&experiment, "-", &black, &white);
        assert_int_equal(played.status, FATAL[i]);
        assert_null(played.record);
    }
    experiment_release(&experiment);
}

static void test_game__clocks_count_down(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    experiment.clock =
        (ClockSpec){.move_ms = 400, .match_ms = 1000, .increment_ms = 100, .margin_ms = 50};
    ScriptSeat black = {.script = "h8 h9 h10", .elapsed_us = 350000, .finish = STATUS_CRASH};
    ScriptSeat white = {.script = "a1 a2 a3", .elapsed_us = 20000};
    Played played = play(&experiment, "-", &black, &white);
    assert_result(&played, 'W', REASON_CRASH);
    assert_int_equal(black.turn.left_ms, 1000 - 3 * 350 + 3 * 100);
    assert_int_equal(black.turn.allowed_us, (250 + 50) * 1000); // less than the 450 ms of a move
    assert_int_equal(white.turn.left_ms, 1000 - 2 * 20 + 2 * 100);
    assert_int_equal(white.turn.allowed_us, 450 * 1000);
    game_record_free(played.record);

    // The match clock runs out at the third move: 1000 - 2 * 550 + 2 * 50 + 50 of margin < 550.
    experiment.clock = (ClockSpec){.match_ms = 1000, .increment_ms = 50, .margin_ms = 50};
    black = (ScriptSeat){.script = "h8 h9 h10", .elapsed_us = 550000};
    white = (ScriptSeat){.script = "a1 a2 a3", .elapsed_us = 1};
    played = play(&experiment, "-", &black, &white);
    assert_result(&played, 'W', REASON_TIMEOUT);
    assert_int_equal(played.record->move_count, 4);
    game_record_free(played.record);
    experiment_release(&experiment);
}

static void test_game__the_first_move_may_take_longer(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    experiment.clock = (ClockSpec){.move_ms = 100, .first_ms = 500, .margin_ms = 10};
    ScriptSeat black = {.script = "h8 h9", .elapsed_us = 300000}, white = {.script = "a1 a2"};
    Played played = play(&experiment, "-", &black, &white);
    assert_result(&played, 'W', REASON_TIMEOUT);
    assert_int_equal(played.record->move_count, 2); // the first was in time, the second not
    game_record_free(played.record);
    experiment_release(&experiment);
}

static void test_game__own_limits_are_told_and_bind_programs_only(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    fixture_set(&experiment, 0, "search.time_ms", "70");
    fixture_set(&experiment, 1, "search.time_ms", "80");
    experiment.players[1].external.command = strdup("program");
    experiment.clock.margin_ms = 5;
    ScriptSeat black = {.script = "h8"}, white = {.script = "", .finish = STATUS_CRASH};
    Played played = play(&experiment, "-", &black, &white); // black is player 1
    assert_result(&played, 'B', REASON_CRASH);
    assert_int_equal(black.turn.move_ms, 80);
    assert_int_equal(black.turn.allowed_us, 85000);
    assert_int_equal(white.turn.move_ms, 70);
    assert_int_equal(white.turn.allowed_us, 0);
    game_record_free(played.record);
    experiment_release(&experiment);
}

static void test_game__values_that_agree_end_it(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    experiment.adjudicate = (AdjudicateSpec){.resign_plies = 4, .resign_value = 100};
    ScriptSeat black = {.script = "h8 i9 j8 k9", .known = KNOWN_VALUE, .value = -150};
    ScriptSeat white = {.script = "a1 a2 b1 b2", .known = KNOWN_VALUE, .value = 100};
    Played played = play(&experiment, "-", &black, &white);
    assert_result(&played, 'W', REASON_RESIGN);
    assert_int_equal(played.record->move_count, 4);
    game_record_free(played.record);

    // They do not agree: each believes in itself. Or one says nothing.
    for (int silent = 0; silent < 2; silent++) {
        black = (ScriptSeat){
            .script = "h8 i9 j8", .known = KNOWN_VALUE, .value = 150, .finish = STATUS_CRASH};
        white = (ScriptSeat){.script = "a1 a2 b1 b2",
                             .known = silent ? 0 : KNOWN_VALUE,
                             .value = silent ? -150 : 150};
        played = play(&experiment, "-", &black, &white);
        assert_result(&played, 'W', REASON_CRASH);
        game_record_free(played.record);
    }
    experiment_release(&experiment);
}

static void test_game__a_proven_win_by_fours_ends_it(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    experiment.adjudicate.vcf = true;
    // White's a9 leaves black an open three to push: open four, then five.
    ScriptSeat black = {.script = "j8"}, white = {.script = "a9"};
    Played played = play(&experiment, "h8 a1 i8 b5", &black, &white);
    assert_result(&played, 'B', REASON_ADJUDICATED);
    assert_int_equal(played.record->move_count, 6);
    game_record_free(played.record);
    experiment.k = 4; // proofs know five in a row only
    Referee *referee = malloc(sizeof *referee);
    ErrorText err = {0};
    assert_int_equal(referee_init(referee, &experiment, &err), STATUS_UNSUPPORTED);
    assert_non_null(strstr(err.text, "adjudicate.vcf"));
    free(referee);
    experiment_release(&experiment);
}

static void test_game__a_limit_of_moves_is_a_draw(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 1);
    for (int which = 0; which < 2; which++) {
        experiment.adjudicate =
            which ? (AdjudicateSpec){.max_moves = 3} : (AdjudicateSpec){.draw_plies = 3};
        ScriptSeat black = {.script = "h8 i9"}, white = {.script = "a1 a2"};
        Played played = play(&experiment, "-", &black, &white);
        assert_result(&played, 'D', REASON_ADJUDICATED);
        assert_int_equal(played.record->move_count, 3);
        game_record_free(played.record);
    }
    experiment_release(&experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game__five_wins_and_is_recorded),
        cmocka_unit_test(test_game__an_overline_wins_by_the_rule),
        cmocka_unit_test(test_game__a_full_board_is_a_draw),
        cmocka_unit_test(test_game__what_fails_in_a_seat_is_a_result),
        cmocka_unit_test(test_game__what_the_run_cannot_survive_is_no_result),
        cmocka_unit_test(test_game__clocks_count_down),
        cmocka_unit_test(test_game__the_first_move_may_take_longer),
        cmocka_unit_test(test_game__own_limits_are_told_and_bind_programs_only),
        cmocka_unit_test(test_game__values_that_agree_end_it),
        cmocka_unit_test(test_game__a_proven_win_by_fours_ends_it),
        cmocka_unit_test(test_game__a_limit_of_moves_is_a_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
