// SPDX-License-Identifier: GPL-3.0-or-later
// Every knob at the ends of its range and at each of its choices: a player that is refused says
// why, any other plays a legal move within its limits; and what is declared exact keeps the value
// of plain minimax, alone and in random company.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "tests/support/player_file.h"
#include "tests/support/random_board.h"

#include <math.h>

static Board position;

enum { VALUES_MAX = 12 };

typedef struct Values {
    char text[VALUES_MAX][160];
    int count;
} Values;

static void add_number(Values *values, KnobId id, double number) {
    Text text = {0};
    KnobSet set = knob_defaults();
    set.number[id] = number;
    knob_write_text(&set, id, &text);
    snprintf(values->text[values->count++], sizeof values->text[0], "%s", text_cstr(&text));
    text_release(&text);
}

// The ends of a range, every choice (those with a number at both of its ends), some orderings.
static Values values_of(KnobId id) {
    static const char *const ORDERS[] = {
        "[]", "[score]", "[history:both+killer,counter,center]",
        "[score,center,distance,history,killer,counter]",
        "[score:own+history:own+killer+counter,score:mover,score:both,distance,center,history]"};
    const KnobInfo *info = knob_info(id);
    Values values = {.count = 0};
    switch (info->type) {
    case KNOB_TYPE_INT:
    case KNOB_TYPE_REAL:
        add_number(&values, id, info->low);
        add_number(&values, id, info->high);
        add_number(&values, id, info->low + 1 <= info->high ? info->low + 1 : info->low);
        break;
    case KNOB_TYPE_BOOL:
        snprintf(values.text[values.count++], sizeof values.text[0], "no");
        snprintf(values.text[values.count++], sizeof values.text[0], "yes");
        break;
    case KNOB_TYPE_CHOICE: {
        const char *start;
        size_t length;
        for (int i = 0; (length = text_choice_at(info->choices, i, &start)) > 0; i++) {
            bool has_number = start[length - 1] == 'N' && start[length - 2] == ':';
            static const char *const NUMBERS[] = {"1e15", "-1e15", "0"};
            for (int n = 0; n < (has_number ? 3 : 1); n++)
                snprintf(values.text[values.count++], sizeof values.text[0], "%.*s%s",
                         (int)(has_number ? length - 1 : length), start,
                         has_number ? NUMBERS[n] : "");
        }
        break;
    }
    case KNOB_TYPE_ORDER:
        for (size_t i = 0; i < ARRAY_LEN(ORDERS); i++)
            snprintf(values.text[values.count++], sizeof values.text[0], "%s", ORDERS[i]);
        break;
    }
    return values;
}

static const char *const BASES[] = {
    "search.depth=3",
    "search.algorithm=pvs search.depth=4 search.deepening=yes search.tt_mb=1 eval.model=threat "
    "search.order=[score+history+killer+counter] search.threats=yes search.lmr=yes "
    "moves.forced=yes",
    "search.algorithm=minimax search.depth=2 eval.model=stone_runs eval.one=5",
    "search.algorithm=mcts mcts.playouts=40 mcts.memory_mb=1",
    "search.algorithm=greedy eval.model=windows",
};

static const char *const GAMES[] = {"-", "h8", "h8 i9 g7 j10 i8 g8 h10", "h8 a1 i8 a3 j8 a5 k8 b9"};

static void play_with(const KnobSet *knobs, const char *what, int width, int height, Rule rule) {
    EngineSetup setup = {knobs, width, height, 5, rule, clock_monotonic()};
    Engine *engine = NULL;
    ErrorText err = {{0}};
    Status status = engine_new(&setup, &engine, &err);
    if (status) {
        if (status != STATUS_INVALID && status != STATUS_UNSUPPORTED)
            fail_msg("%s: %s", what, status_name(status));
        assert_true(strlen(err.text) > 10);
        return;
    }
    for (size_t game = 0; game < ARRAY_LEN(GAMES); game++) {
        ThinkReport report;
        engine_clear(engine, game);
        fresh_board(&position, width, height, 5, rule, 2);
        assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, GAMES[game], &err), STATUS_OK);
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        engine_think(engine, &(ThinkLimits){.as_played = true, .nodes = 60}, &report);
        if (!board_is_free(&position, report.move))
            fail_msg("%s: no move after %s", what, GAMES[game]);
        if (report.cost.nodes > 60 + 1000) // leaves may ask for fours
            fail_msg("%s: %llu nodes", what, (unsigned long long)report.cost.nodes);
        assert_int_equal(engine_board(engine)->stone_count, position.stone_count);
    }
    engine_free(engine);
}

static void test_knobs__every_end_of_every_knob_plays(void **state) {
    (void)state;
    for (size_t base = 0; base < ARRAY_LEN(BASES); base++)
        for (int id = 0; id < KNOB_NB; id++) {
            Values values = values_of((KnobId)id);
            for (int v = 0; v < values.count; v++) {
                char what[256];
                KnobSet knobs = knob_defaults();
                player_set_all(&knobs, BASES[base]);
                player_set(&knobs, knob_info((KnobId)id)->key, values.text[v]);
                bool is_memory = id == KNOB_SEARCH_TT_MB || id == KNOB_MCTS_MEMORY_MB;
                if (is_memory && v == 1)
                    continue; // the machine's matter
                snprintf(what, sizeof what, "%s with %s=%s", BASES[base],
                         knob_info((KnobId)id)->key, values.text[v]);
                play_with(&knobs, what, 15, 11, (Rule)((id + v) % RULE_NB));
            }
        }
}

// --- exact is exact

typedef struct World {
    int width, height, k, stones, depth;
    const char *settings;
} World;

static const World WORLDS[] = {
    {9, 9, 5, 14, 3, "moves.limit=7 eval.defense=1.2"},
    {6, 5, 4, 8, 3, "moves.limit=0 moves.radius=1 eval.model=none"},
    {8, 6, 5, 20, 3, "moves.limit=6 eval.model=threat search.tie=order"},
    {7, 7, 5, 16, 3,
     "moves.limit=6 eval.model=stone_runs search.win_value=times_depth:1000000 "
     "search.terminal=before_entry"},
    {4, 4, 3, 6, 5, "moves.limit=0 eval.model=none search.win_value=times_depth:3e10"},
    {4, 4, 3, 7, 5, "moves.limit=0 eval.model=none search.win_value=times_depth:999500000"},
    {7, 7, 5, 12, 3, "moves.limit=6 search.no_moves=value:-7 moves.radius=1 eval.model=placement"},
    {7, 7, 5, 16, 3,
     "moves.limit=6 eval.model=windows search.terminal=threshold:3000 "
     "search.win_value=static"},
};

static ThinkReport answer(const KnobSet *knobs, const World *world) {
    EngineSetup setup = {knobs,    world->width,  world->height,
                         world->k, position.rule, clock_monotonic()};
    Engine *engine = NULL;
    ErrorText err = {{0}};
    ThinkReport report;
    if (engine_new(&setup, &engine, &err) || engine_set_position(engine, &position, &err))
        fail_msg("%s", err.text);
    engine_think(engine, &(ThinkLimits){0}, &report);
    engine_free(engine);
    return report;
}

// One random value of about half of the exact knobs.
static void draw_exact(KnobSet *knobs, Rng *rng, Text *what) {
    player_set(knobs, "search.algorithm", rng_below(rng, 2) ? "pvs" : "alphabeta");
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        if (info->exact != EXACT || id == KNOB_SEARCH_ALGORITHM || rng_below(rng, 2))
            continue;
        Values values = values_of((KnobId)id);
        const char *value = values.text[rng_below(rng, (uint64_t)values.count)];
        if (id == KNOB_SEARCH_TT_MB)
            value = "1";
        player_set(knobs, info->key, value);
        text_printf(what, " %s=%s", info->key, value);
    }
}

static void test_knobs__exact_ones_keep_the_value_of_minimax(void **state) {
    (void)state;
    Rng rng = rng_init(81);
    for (size_t w = 0; w < ARRAY_LEN(WORLDS); w++)
        for (int round = 0; round < 8; round++) {
            const World *world = &WORLDS[w];
            fresh_board(&position, world->width, world->height, world->k, (Rule)(round % RULE_NB),
                        2);
            random_stones(&position, &rng, 1 + (int)rng_below(&rng, (uint64_t)world->stones));
            KnobSet plain = knob_defaults();
            player_set_all(&plain, world->settings);
            plain.number[KNOB_SEARCH_DEPTH] = 1 + (int)rng_below(&rng, (uint64_t)world->depth);
            KnobSet minimax = plain;
            player_set(&minimax, "search.algorithm", "minimax");
            ThinkReport expected = answer(&minimax, world);
            for (int draw = 0; draw < 5; draw++) {
                Text what = {0};
                KnobSet knobs = plain;
                draw_exact(&knobs, &rng, &what);
                ThinkReport found = answer(&knobs, world);
                bool same_value =
                    found.value == expected.value || (isnan(found.value) && isnan(expected.value));
                bool same_move =
                    found.move == expected.move || knob_int(&plain, KNOB_SEARCH_TIE) == TIE_ORDER;
                if (!same_value || !same_move)
                    fail_msg("%s, depth %.0f:%s: %g %d, minimax %g %d", world->settings,
                             plain.number[KNOB_SEARCH_DEPTH], text_cstr(&what), found.value,
                             found.move, expected.value, expected.move);
                text_release(&what);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knobs__every_end_of_every_knob_plays),
        cmocka_unit_test(test_knobs__exact_ones_keep_the_value_of_minimax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
