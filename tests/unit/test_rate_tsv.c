// SPDX-License-Identifier: GPL-3.0-or-later
// Results from TSV files: every mistake with its place, and sums against games counted one by one.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "harness/cli/rate_tsv.h"
#include "tests/support/scratch_folder.h"

#include <string.h>

static Status read_text(const char *text, ResultPool *pool, ErrorText *err) {
    scratch_file_write("r.tsv", text);
    *err = (ErrorText){""};
    return rate_tsv_read(pool, "r.tsv", err);
}

#define COUNTS "first\tsecond\tfirst_wins\tdraws\tsecond_wins\n"
#define GAMES "first\tsecond\tresult_first\n"
#define PAIRS "pair\tfirst\tsecond\tresult_first\n"

static const struct {
    const char *text, *message;
} BAD[] = {
    {"", "r.tsv:1:1: nothing, expected a header of columns and results"},
    {"# only remarks\n\n", "r.tsv:1:1: nothing, expected a header of columns and results"},
    {"first,second,first_wins,draws,second_wins\n",
     "r.tsv:1:1: 'first,second,first_wins,draws,second_wins', expected a header with the columns"},
    {"first\tsecond\tfirst_wins\tdraws\n", "r.tsv:1:1: 'first second first_wins draws', exp"},
    {"\n# x\nfirst\tresult_first\n", "r.tsv:3:1: 'first result_first', expected a header"},
    {"first\tsecond\tfirst\tresult_first\n", "r.tsv:1:14: column 'first' is named twice"},
    {COUNTS "A\tB\t1\t2\t3\nA\tB\t-1\t2\t3\n",
     "r.tsv:3:5: '-1', expected a count of games, 0..1000000000000000"},
    {COUNTS "A\tB\t1\t1.5\t3\n", "r.tsv:2:7: '1.5', expected a count of games"},
    {COUNTS "A\tB\t1\t\t3\n", "r.tsv:2:7: '', expected a count of games"},
    {COUNTS "A\tB\t1\t2\t1000000000000001\n", "r.tsv:2:9: '1000000000000001', expected a count"},
    {COUNTS "A\tB\t1\t2\n", "r.tsv:2:8: the line ends before column second_wins"},
    {COUNTS "A\n", "r.tsv:2:2: the line ends before column second"},
    {COUNTS "\tB\t1\t2\t3\n", "r.tsv:2:1: '', expected the name of a player"},
    {COUNTS "A\t\t1\t2\t3\n", "r.tsv:2:3: '', expected the name of a player"},
    {COUNTS "A\tA\t1\t2\t3\n", "r.tsv:2:3: 'A', expected another player than first"},
    {GAMES "A\tB\t2\n", "r.tsv:2:5: '2', expected 1, 0.5 or 0"},
    {GAMES "A\tB\t1-0\n", "r.tsv:2:5: '1-0', expected 1, 0.5 or 0"},
    {GAMES "A\tB\n", "r.tsv:2:4: the line ends before column result_first"},
    {PAIRS "1\tA\tB\t1\n1\tA\tB\t0\n",
     "r.tsv:3:1: pair '1' must be two games with first and second swapped"},
    {PAIRS "1\tA\tB\t1\n1\tB\tC\t0\n", "r.tsv:3:1: pair '1' must be two games"},
    {PAIRS "1\tA\tB\t1\n2\tA\tB\t1\n1\tB\tA\t0\n1\tA\tB\t0\n",
     "r.tsv:5:1: pair '1' has 3 games, expected two"},
};

static void test_rate_tsv__mistakes_have_a_place(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        ResultPool pool = {0};
        ErrorText err;
        if (read_text(BAD[i].text, &pool, &err) != STATUS_INVALID ||
            strncmp(err.text, BAD[i].message, strlen(BAD[i].message)) != 0)
            fail_msg("%s: '%s', expected '%s'", BAD[i].text, err.text, BAD[i].message);
        result_pool_release(&pool);
    }
    ResultPool pool = {0};
    ErrorText err;
    assert_int_equal(rate_tsv_read(&pool, "nowhere.tsv", &err), STATUS_NOT_FOUND);
    assert_string_equal(err.text, "nowhere.tsv: No such file or directory");
    assert_int_equal(rate_tsv_read(&pool, "sub", &err), STATUS_INVALID);
}

static void test_rate_tsv__a_name_may_be_anything_but_too_long(void **state) {
    (void)state;
    ResultPool pool = {0};
    ErrorText err;
    assert_int_equal(read_text("second\tfirst\tother\tresult_first\r\n"
                               "五子棋\ta, \"b\"\tx\t1/2\r\n"
                               "# a remark\r\n\r\n"
                               " blank \t五子棋\t\t.5\r\n",
                               &pool, &err),
                     STATUS_OK);
    assert_int_equal(pool.players, 3);
    assert_int_equal(result_pool_find(&pool, "a, \"b\""), 0);
    assert_int_equal(result_pool_find(&pool, "五子棋"), 1);
    assert_int_equal(result_pool_find(&pool, " blank "), 2);
    assert_int_equal(result_pool_find(&pool, "blank"), -1);
    assert_true(pool.counts[0].draws == 1 && pool.counts[1].draws == 1);
    result_pool_release(&pool);
    char text[700] = GAMES;
    size_t head = strlen(text);
    memset(text + head, 'n', 520);
    memcpy(text + head + 520, "\tB\t1\n", 6);
    assert_int_equal(read_text(text, &pool, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "expected something shorter"));
    result_pool_release(&pool);
}

// Random games written as single lines, some in pairs: the same sums as counted directly.
static void test_rate_tsv__sums_are_those_of_the_games(void **state) {
    (void)state;
    enum { PLAYERS = 90, LINES = 4000 };
    static double wins[PLAYERS][PLAYERS], draws[PLAYERS][PLAYERS], pairs[PLAYERS][PLAYERS][3][3];
    static const char *const RESULTS[] = {"0", "0.5", "1"};
    Rng rng = rng_init(31);
    Text text = {0};
    text_append(&text, PAIRS);
    for (int i = 0; i < LINES; i++) {
        int a = (int)rng_below(&rng, PLAYERS);
        int b = (a + 1 + (int)rng_below(&rng, PLAYERS - 1)) % PLAYERS;
        int points[2] = {(int)rng_below(&rng, 3), (int)rng_below(&rng, 3)};
        bool is_pair = rng_below(&rng, 3) > 0;
        for (int game = 0; game < (is_pair ? 2 : 1); game++) {
            int first = game ? b : a, second = game ? a : b;
            text_printf(&text, "%s%d\tp%d\tp%d\t%s\n",
                        is_pair ? ""
                        : i % 2 ? "-"
                                : "only",
                        is_pair || i % 2 == 0 ? i : 0, first, second, RESULTS[points[game]]);
            wins[first][second] += points[game] == 2;
            draws[first][second] += points[game] == 1;
        }
        if (is_pair)
            pairs[a][b][points[0]][2 - points[1]]++;
    }
    char *dash = text.data; // "-0" is a name, "-" alone is none
    while ((dash = strstr(dash, "\n-0\t")))
        memmove(dash + 2, dash + 3, strlen(dash + 3) + 1);
    ResultPool pool = {0};
    ErrorText err;
    if (read_text(text_cstr(&text), &pool, &err))
        fail_msg("%s", err.text);
    int number[PLAYERS];
    for (int i = 0; i < PLAYERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        number[i] = result_pool_find(&pool, name);
    }
    RatingInput view = result_pool_view(&pool);
    double games = 0;
    for (size_t c = 0; c < view.count_nb; c++) {
        const RatingCount *count = &view.counts[c];
        int a = -1, b = -1;
        for (int i = 0; i < PLAYERS; i++) {
            a = number[i] == count->first ? i : a;
            b = number[i] == count->second ? i : b;
        }
        assert_true(count->first_wins == wins[a][b]);
        assert_true(count->draws == draws[a][b]);
        games += count->first_wins + count->draws + count->second_wins;
    }
    double whole = 0;
    for (size_t p = 0; p < view.pair_nb; p++) {
        int a = -1, b = -1;
        for (int i = 0; i < PLAYERS; i++) {
            a = number[i] == view.pairs[p].a ? i : a;
            b = number[i] == view.pairs[p].b ? i : b;
        }
        assert_memory_equal(view.pairs[p].n, pairs[a][b], sizeof pairs[a][b]);
        for (int cell = 0; cell < 9; cell++)
            whole += view.pairs[p].n[cell / 3][cell % 3];
    }
    assert_true(games == LINES + whole);
    assert_true(whole > LINES / 2);
    text_release(&text);
    result_pool_release(&pool);
    assert_int_equal(result_pool_find(&pool, "p1"), -1); // empty again
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_tsv__mistakes_have_a_place),
        cmocka_unit_test(test_rate_tsv__a_name_may_be_anything_but_too_long),
        cmocka_unit_test(test_rate_tsv__sums_are_those_of_the_games),
    };
    return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
