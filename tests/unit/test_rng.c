// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers: the published sequence, the same on every machine; uniform draws; seeds of items
// that have nothing in common. And memory in large pages, clocks, failed checks.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/large_memory.h"
#include "engine/base/rng.h"
#include "engine/base/version.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// The first outputs of splitmix64 as published, seeds 0 and 1234567.
static void test_rng__is_splitmix64(void **state) {
    (void)state;
    Rng zero = rng_init(0), other = rng_init(1234567);
    assert_int_equal(rng_next(&zero), 0xE220A8397B1DCDAFu);
    assert_int_equal(rng_next(&zero), 0x6E789E6AA1B965F4u);
    assert_int_equal(rng_next(&zero), 0x06C45D188009454Fu);
    assert_int_equal(rng_next(&other), 6457827717110365317u);
    assert_int_equal(rng_next(&other), 3203168211198807973u);
    assert_int_equal(rng_next(&other), 9817491932198370423u);
}

static void test_rng__a_copy_goes_on_alike(void **state) {
    (void)state;
    Rng rng = rng_init(9);
    for (int i = 0; i < 10; i++)
        rng_next(&rng);
    Rng copy = rng;
    for (int i = 0; i < 10; i++)
        assert_int_equal(rng_next(&copy), rng_next(&rng));
}

static void test_rng__draws_stay_below_and_are_even(void **state) {
    (void)state;
    Rng rng = rng_init(10);
    assert_int_equal(rng_below(&rng, 1), 0);
    for (uint64_t bound = 2; bound <= 9; bound++) {
        enum { DRAWS = 9000 };
        int count[9] = {0};
        for (int i = 0; i < DRAWS; i++) {
            uint64_t drawn = rng_below(&rng, bound);
            assert_true(drawn < bound);
            count[drawn]++;
        }
        double mean = (double)DRAWS / (double)bound, chi_squared = 0;
        for (uint64_t i = 0; i < bound; i++)
            chi_squared += (count[i] - mean) * (count[i] - mean) / mean;
        assert_true(chi_squared < 28); // 8 degrees of freedom: once in two thousand seeds
    }
    // Bounds that leave half of the words out, where a remainder alone would be uneven.
    uint64_t large = ((uint64_t)1 << 63) + 1, low = 0;
    for (int i = 0; i < 4000; i++) {
        uint64_t drawn = rng_below(&rng, large);
        assert_true(drawn < large);
        low += drawn < large / 2;
    }
    assert_in_range(low, 1850, 2150);
}

static void test_rng__units_are_in_their_interval(void **state) {
    (void)state;
    Rng rng = rng_init(11);
    double sum = 0, least = 1, most = 0;
    for (int i = 0; i < 10000; i++) {
        double unit = rng_unit(&rng);
        assert_true(unit >= 0 && unit < 1);
        sum += unit;
        least = unit < least ? unit : least;
        most = unit > most ? unit : most;
    }
    assert_true(sum > 4900 && sum < 5100 && least < 0.001 && most > 0.999);
}

// Neighbouring seeds and indices, swapped ones, zeros: all different.
static void test_rng__mixed_seeds_do_not_meet(void **state) {
    (void)state;
    enum { SIDE = 24 };
    static uint64_t mixed[SIDE * SIDE];
    for (uint64_t i = 0; i < SIDE * SIDE; i++) {
        mixed[i] = rng_mix(i / SIDE, i % SIDE);
        for (uint64_t j = 0; j < i; j++)
            assert_int_not_equal(mixed[i], mixed[j]);
    }
    int flipped = 0; // one bit of the index changes half of the seed's
    for (int bit = 0; bit < 64; bit++)
        flipped += __builtin_popcountll(rng_mix(7, 1000) ^ rng_mix(7, 1000 ^ (uint64_t)1 << bit));
    assert_in_range(flipped, 64 * 28, 64 * 36);
}

static void test_large_memory__is_zero_and_all_there(void **state) {
    (void)state;
    static const size_t SIZES[] = {1, 4096, 100000, 4194303, 4194304, 5000000, 9437184};
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        unsigned char *memory = large_memory_new(SIZES[i]);
        assert_non_null(memory);
        large_memory_claim(memory, SIZES[i]);
        for (size_t at = 0; at < SIZES[i]; at += 1021)
            assert_int_equal(memory[at], 0);
        memset(memory, 0xa5, SIZES[i]);
        assert_int_equal(memory[SIZES[i] - 1], 0xa5);
        large_memory_free(memory, SIZES[i]);
    }
    large_memory_free(NULL, 1);
    large_memory_free(NULL, 64 << 20);
    assert_null(large_memory_new(SIZE_MAX));
    assert_null(large_memory_new((size_t)1 << 62));
    assert_true(large_memory_machine_mb() > 16);
}

static void test_clock__never_goes_back(void **state) {
    (void)state;
    Clock clocks[] = {clock_monotonic(), clock_cpu()};
    for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
        int64_t last = clock_now_ns(clocks[i]), first = last;
        for (int look = 0; look < 200; look++) {
            int64_t now = clock_now_ns(clocks[i]);
            assert_true(now >= last);
            last = now;
        }
        assert_true(last > first); // looking takes time
    }
    int64_t before = clock_thread_cpu_ns();
    assert_true(clock_now_ns(clock_cpu()) >= before);
}

static void test_check__says_where_and_aborts(void **state) {
    (void)state;
    int pipe_ends[2], status;
    char said[256] = "";
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); // without the handlers of a test
        dup2(pipe_ends[1], STDERR_FILENO);
        check_failed("some/file.c", 12, "a == b");
    }
    close(pipe_ends[1]);
    ssize_t count = read(pipe_ends[0], said, sizeof said - 1);
    close(pipe_ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_true(count > 0);
    assert_string_equal(said, "some/file.c:12: check failed: a == b\n");
}

static void test_version__begins_with_the_release(void **state) {
    (void)state;
    assert_memory_equal(version_string(), GOMOLAB_VERSION, strlen(GOMOLAB_VERSION));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rng__is_splitmix64),
        cmocka_unit_test(test_rng__a_copy_goes_on_alike),
        cmocka_unit_test(test_rng__draws_stay_below_and_are_even),
        cmocka_unit_test(test_rng__units_are_in_their_interval),
        cmocka_unit_test(test_rng__mixed_seeds_do_not_meet),
        cmocka_unit_test(test_large_memory__is_zero_and_all_there),
        cmocka_unit_test(test_clock__never_goes_back),
        cmocka_unit_test(test_check__says_where_and_aborts),
        cmocka_unit_test(test_version__begins_with_the_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
