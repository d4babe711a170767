// SPDX-License-Identifier: GPL-3.0-or-later
// Every allocation of an engine, a solver and a brain fails once: each time the cause is said, and
// nothing is kept. Allocations are counted and refused by standing in for malloc.
// sanitizers: none
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/proof.h"
#include "engine/proto/brain.h"
#include "tests/support/player_file.h"
#include "tests/support/random_board.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

static long live, until_failure = -1; // memory in use; allocations until one fails, -1: never

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static bool fails(void) { return until_failure >= 0 && until_failure-- == 0; }

void *malloc(size_t size) {
    void *memory = fails() ? NULL : __libc_malloc(size);
    live += memory != NULL;
    return memory;
}
void *calloc(size_t count, size_t size) {
    void *memory = fails() ? NULL : __libc_calloc(count, size);
    live += memory != NULL;
    return memory;
}
void *realloc(void *memory, size_t size) {
    void *moved = fails() ? NULL : __libc_realloc(memory, size);
    live += moved && !memory;
    return moved;
}
void free(void *memory) {
    live -= memory != NULL;
    __libc_free(memory);
}

static Board position;
static KnobSet knobs;

// Something that allocates: returns its status, having given everything back.
typedef Status (*Attempt)(ErrorText *err);

// Fails the first allocation, then the second, ... until the attempt succeeds.
static void fail_each(const char *what, Attempt attempt) {
    ErrorText err = {{0}};
    assert_int_equal(attempt(&err), STATUS_OK); // and the shared tables are there
    for (int allocation = 0;; allocation++) {
        long before = live;
        err.text[0] = '\0';
        until_failure = allocation;
        Status status = attempt(&err);
        bool has_failed = until_failure < 0;
        until_failure = -1;
        if (live != before)
            fail_msg("%s, allocation %d: %ld pieces were kept", what, allocation, live - before);
        if (!has_failed) {
            assert_int_equal(status, STATUS_OK);
            assert_true(allocation > 0); // something was allocated at all
            return;
        }
        if (status != STATUS_NO_MEMORY || !strstr(err.text, "memory"))
            fail_msg("%s, allocation %d: %s '%s'", what, allocation, status_name(status), err.text);
    }
}

static Status make_engine(ErrorText *err) {
    EngineSetup setup = {&knobs, 15, 15, 5, RULE_FREESTYLE, clock_monotonic()};
    Engine *engine = NULL;
    Status status = engine_new(&setup, &engine, err);
    assert_int_equal(engine == NULL, status != STATUS_OK);
    engine_free(engine);
    return status;
}

static void test_out_of_memory__engines(void **state) {
    (void)state;
    static const char *const PLAYERS[] = {
        "",
        "eval.model=stone_runs search.tt_mb=1",
        "eval.model=windows",
        "eval.model=none",
        "search.algorithm=pvs eval.model=threat search.vcf=both search.vct=root search.tt_mb=1",
        "search.algorithm=mcts mcts.playouts=9 mcts.memory_mb=1",
    };
    for (size_t i = 0; i < ARRAY_LEN(PLAYERS); i++) {
        knobs = knob_defaults();
        player_set_all(&knobs, PLAYERS[i]);
        fail_each(PLAYERS[i], make_engine);
    }
}

static Status prove_fours(ErrorText *err) {
    static FoursProof proof;
    return proof_fours(&position, 100, &proof, err);
}
static Status prove_threats(ErrorText *err) {
    static ThreatsProof proof;
    return proof_vct(&position, 100, &proof, err);
}
static Status prove_end(ErrorText *err) {
    static EndProof proof;
    return proof_end(&position, 1, 100, &proof, err);
}

static void test_out_of_memory__proofs(void **state) {
    (void)state;
    ErrorText err = {{0}};
    fresh_board(&position, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_play_moves(&position, ROWS_BOTTOM, "h8 i9 g7 j10", &err), STATUS_OK);
    fail_each("fours", prove_fours);
    fail_each("threats", prove_threats);
    fail_each("end", prove_end);
}

static char said[64];

static void hear(void *ctx, const char *bytes, size_t count) {
    (void)ctx;
    snprintf(said, sizeof said, "%.*s", (int)count, bytes);
}

// A brain that cannot make its engine says so and can be asked again.
static Status start_brain(ErrorText *err) {
    BrainSetup setup = {.knobs = &knobs,
                        .name = "x",
                        .version = "1",
                        .clock = clock_monotonic(),
                        .margin_ms = -1,
                        .write = hear};
    Brain *brain = NULL;
    Status status = brain_new(&setup, &brain, err);
    if (status)
        return status;
    said[0] = '\0';
    brain_line(brain, "INFO rule 0", 11, 0);
    brain_line(brain, "START 15", 8, 0);
    if (strcmp(said, "OK\n") != 0) {
        bool is_said = strncmp(said, "ERROR ", 6) == 0 && strstr(said, "memory");
        status = is_said ? error_set(err, STATUS_NO_MEMORY, "memory: %s", said) : STATUS_INVALID;
        brain_line(brain, "START 15", 8, 0);
        assert_string_equal(said, "OK\n");
    }
    brain_free(brain);
    return status;
}

static void test_out_of_memory__a_brain_says_so_and_recovers(void **state) {
    (void)state;
    knobs = knob_defaults();
    fail_each("brain", start_brain);
}

// A text that could not grow stays failed, keeps what it has and does no harm.
static void test_out_of_memory__texts_stay_failed(void **state) {
    (void)state;
    Text text = {0};
    text_append(&text, "kept");
    until_failure = 0;
    for (int i = 0; i < 100; i++)
        text_append(&text, "0123456789");
    assert_true(text.failed);
    assert_true(strlen(text_cstr(&text)) == text.length && text.length < 100);
    assert_memory_equal(text_cstr(&text), "kept0123456789", 14);
    size_t length = text.length;
    text_printf(&text, "%d", 5);
    text_append_json(&text, "\"");
    assert_int_equal(text.length, length);
    text_release(&text);
    assert_false(text.failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_memory__engines),
        cmocka_unit_test(test_out_of_memory__proofs),
        cmocka_unit_test(test_out_of_memory__a_brain_says_so_and_recovers),
        cmocka_unit_test(test_out_of_memory__texts_stay_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) { return 0; } // a sanitizer stands in for malloc itself

#endif
