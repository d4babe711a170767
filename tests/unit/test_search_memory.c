// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is allocated while an engine thinks: allocations are counted by standing in for malloc.
// sanitizers: none
#include "engine/board/notation.h"
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

static long allocations;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

static Engine *make_engine(const char *const (*settings)[2]) {
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    for (int i = 0; settings[i][0]; i++)
        assert_int_equal(knob_set_text(&knobs, settings[i][0], settings[i][1], &err), STATUS_OK);
    EngineSetup setup = {&knobs, 15, 15, 5, RULE_FREESTYLE, clock_monotonic()};
    Engine *engine = NULL;
    assert_int_equal(engine_new(&setup, &engine, &err), STATUS_OK);
    return engine;
}

static void check_player(const char *const (*settings)[2]) {
    static Board position;
    ErrorText err = {{0}};
    Engine *engine = make_engine(settings);
    long before = allocations;
    void *volatile probe = malloc(1); // the count counts
    free(probe);
    assert_int_equal(allocations, before + 1);
    engine_clear(engine, 1);
    assert_int_equal(board_init(&position, 15, 15, 5, RULE_FREESTYLE, 3, &err), STATUS_OK);
    assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, "h8 i9 i8 g8 j10 h10 j8", &err),
                     STATUS_OK);
    before = allocations;
    for (int i = 0; i < 12; i++) {
        ThinkLimits limits = {.nodes = 20000};
        ThinkReport report;
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        engine_think(engine, &limits, &report);
        if (report.move == MOVE_NONE)
            break;
        board_place(&position, report.move);
    }
    assert_int_equal(allocations, before);
    engine_free(engine);
}

static void test_search_memory__nothing_is_allocated_while_thinking(void **state) {
    (void)state;
    check_player((const char *const[][2]){{"search.algorithm", "pvs"},
                                          {"search.depth", "40"},
                                          {"search.deepening", "yes"},
                                          {"search.tt_mb", "4"},
                                          {"search.order", "[score+history+killer+counter]"},
                                          {"search.vcf", "both"},
                                          {"search.vct", "root"},
                                          {"search.threats", "yes"},
                                          {"search.lmr", "yes"},
                                          {"search.singular", "6"},
                                          {"search.extend", "yes"},
                                          {"moves.forced", "yes"},
                                          {"eval.model", "threat"},
                                          {NULL, NULL}});
    check_player((const char *const[][2]){{"search.depth", "6"},
                                          {"search.deepening", "yes"},
                                          {"search.tt_mb", "4"},
                                          {"search.order", "[history, score, killer]"},
                                          {NULL, NULL}});
    check_player((const char *const[][2]){{"search.algorithm", "mcts"},
                                          {"search.nodes", "20000"},
                                          {"eval.model", "threat"},
                                          {NULL, NULL}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_memory__nothing_is_allocated_while_thinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) { return 0; } // a sanitizer stands in for malloc itself

#endif
