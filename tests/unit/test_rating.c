// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings of pools against independent reference fits, and the shapes of pools where ratings do not
// exist.
// sanitizers: asan
#include "engine/base/rng.h"
#include "golden_pool.h"
#include "harness/stats/rating_advice.h"

// Compares a rating with a reference file: the comment lines, then player, elo, se.
static void reference_check(const GoldenPool *pool, const Rating *r, const char *file_name) {
    char path_line[GOLDEN_LINE_MAX];
    FILE *file = golden_open(file_name);
    int players = 0;
    while (fgets(path_line, sizeof path_line, file)) {
        double value, se = -1.0;
        if (sscanf(path_line, "# first_move_advantage_elo %lf %lf", &value, &se) >= 1) {
            golden_near("advantage", r->group[0].advantage.value, value, 1e-4);
            golden_near("advantage se", r->group[0].advantage_se.value, se, 1e-4);
        } else if (sscanf(path_line, "# drawElo %lf %lf", &value, &se) >= 1) {
            golden_near("draw elo", r->group[0].draw_elo.value, value, 1e-4);
            if (se > 0.0)
                golden_near("draw elo se", r->group[0].draw_elo_se.value, se, 1e-4);
        } else if (path_line[0] != '#' && strncmp(path_line, "player\t", 7) != 0) {
            GoldenRow row;
            memcpy(row.line, path_line, sizeof row.line);
            golden_split(&row, '\t');
            int i = golden_player((GoldenPool *)pool, row.field[0]);
            golden_near(row.field[0], r->player[i].elo.value, golden_number(row.field[1]), 1e-4);
            golden_near("se", r->player[i].se.value, golden_number(row.field[2]), 1e-4);
            players++;
        } else {
            char *found = strstr(path_line, "loglik=");
            if (found)
                golden_near("log-likelihood", r->log_likelihood, golden_number(found + 7), 1e-3);
        }
    }
    fclose(file);
    assert_int_equal(players, pool->players);
}

static void test_rating__matches_the_reference_fits(void **state) {
    (void)state;
    static const struct {
        const char *pool, *reference;
        RatingModel model;
        double prior;
        bool has_no_advantage;
    } cases[] = {
        {"01_two_players.tsv", "01_two_players.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"01_two_players.tsv", "01_two_players.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"01_two_players.tsv", "01_two_players.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
        {"02_rr8_draws.tsv", "02_rr8_draws.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"02_rr8_draws.tsv", "02_rr8_draws.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"02_rr8_draws.tsv", "02_rr8_draws.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
        {"03_rr8_adv200.tsv", "03_rr8_adv200.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"03_rr8_adv200.tsv", "03_rr8_adv200.ref_bt_noadv.tsv", RATING_HALF_WIN, 0, true},
        {"03_rr8_adv200.tsv", "03_rr8_adv200.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"04_perfect.tsv", "04_perfect.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
        {"04c_one_perfect_winner.tsv", "04c_one_perfect_winner.ref_rk_prior2.tsv",
         RATING_RAO_KUPPER, 2, false},
        {"04d_one_perfect_loser.tsv", "04d_one_perfect_loser.ref_rk_prior2.tsv", RATING_RAO_KUPPER,
         2, false},
        {"05c_weaklink.tsv", "05c_weaklink.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"05c_weaklink.tsv", "05c_weaklink.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"05c_weaklink.tsv", "05c_weaklink.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
        {"06_200p_100k.tsv", "06_200p_100k.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"06_200p_100k.tsv", "06_200p_100k.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"06_200p_100k.tsv", "06_200p_100k.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
        {"07_200p_1M.tsv", "07_200p_1M.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"07_200p_1M.tsv", "07_200p_1M.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"07_200p_1M.tsv", "07_200p_1M.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
        {"08_gomocup.tsv", "08_gomocup.ref_bt.tsv", RATING_HALF_WIN, 0, false},
        {"08_gomocup.tsv", "08_gomocup.ref_rk_prior0.tsv", RATING_RAO_KUPPER, 0, false},
        {"08_gomocup.tsv", "08_gomocup.ref_rk_prior2.tsv", RATING_RAO_KUPPER, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("%s\n", cases[i].reference);
        GoldenPool *pool = golden_pool_load(cases[i].pool);
        RatingOptions o = rating_options_default();
        o.model = cases[i].model;
        o.prior_draws = cases[i].prior;
        o.is_advantage_fixed = cases[i].has_no_advantage;
        Rating r = golden_rate(pool, &o);
        assert_int_equal(r.group_nb, 1);
        reference_check(pool, &r, cases[i].reference);
        rating_release(&r);
        golden_pool_free(pool);
    }
}

static void test_rating__matches_the_superiority_tables(void **state) {
    (void)state;
    static const char *const names[] = {"02_rr8_draws", "03_rr8_adv200", "05c_weaklink"};
    for (size_t k = 0; k < 3; k++) {
        char name[64], line[GOLDEN_LINE_MAX];
        snprintf(name, sizeof name, "%s.tsv", names[k]);
        GoldenPool *pool = golden_pool_load(name);
        snprintf(name, sizeof name, "%s.ref_los.tsv", names[k]);
        FILE *file = golden_open(name);
        assert_non_null(fgets(line, sizeof line, file));
        RatingOptions o = rating_options_default();
        o.model = strstr(line, "model=rk") ? RATING_RAO_KUPPER : RATING_HALF_WIN;
        Rating r = golden_rate(pool, &o);
        GoldenRow row;
        golden_next(file, &row);
        while (golden_next(file, &row)) {
            RatingDifference d = rating_difference(&r, golden_player(pool, row.field[0]),
                                                   golden_player(pool, row.field[1]));
            golden_near("difference", d.elo.value, golden_number(row.field[2]), 1e-4);
            golden_near("its error", d.se.value, golden_number(row.field[3]), 1e-4);
            golden_near("los", d.los.value, golden_number(row.field[4]), 1e-6);
        }
        fclose(file);
        rating_release(&r);
        golden_pool_free(pool);
    }
}

// The paired pool: rows of pair, opening, first, second, result of the first mover.
static GoldenPool *paired_load(void) {
    GoldenPool *pool = golden_pool_new();
    FILE *file = golden_open("09_paired.tsv");
    GoldenRow one, two;
    golden_next(file, &one);
    while (golden_next(file, &one) && golden_next(file, &two)) {
        assert_string_equal(one.field[0], two.field[0]);
        int first_points = (int)(2 * golden_number(one.field[4])),
            second_points = (int)(2 * golden_number(two.field[4]));
        int a = golden_player(pool, one.field[2]), b = golden_player(pool, one.field[3]);
        golden_pool_add(pool, one.field[2], one.field[3], first_points == 2, first_points == 1,
                        first_points == 0);
        golden_pool_add(pool, two.field[2], two.field[3], second_points == 2, second_points == 1,
                        second_points == 0);
        size_t k = 0;
        while (k < pool->pair_nb && (pool->pairs[k].a != a || pool->pairs[k].b != b))
            k++;
        pool->pair_nb += k == pool->pair_nb;
        assert_true(pool->pair_nb < 64);
        pool->pairs[k].a = a;
        pool->pairs[k].b = b;
        pool->pairs[k].n[first_points][2 - second_points]++;
    }
    fclose(file);
    return pool;
}

// Errors against the reference columns: 2 Hessian, 3 sandwich, 4 bootstrap.
static void paired_check(GoldenPool *pool, RatingErrors errors, int column, double tolerance,
                         double relative) {
    RatingOptions o = rating_options_default();
    o.errors = errors;
    o.bootstrap_rounds = 400;
    Rating r = golden_rate(pool, &o);
    FILE *file = golden_open("09_paired.expected.tsv");
    GoldenRow row;
    golden_next(file, &row);
    while (golden_next(file, &row)) {
        double want = golden_number(row.field[column]), got, elo;
        if (strcmp(row.field[0], "first_move_adv") == 0) {
            elo = r.group[0].advantage.value;
            got = r.group[0].advantage_se.value;
        } else {
            int i = golden_player(pool, row.field[0]);
            elo = r.player[i].elo.value;
            got = r.player[i].se.value;
        }
        golden_near(row.field[0], elo, golden_number(row.field[1]), 1e-4);
        golden_near("error", got, want, tolerance + relative * want);
    }
    fclose(file);
    rating_release(&r);
}

static void test_rating__errors_of_pairs_match_the_reference(void **state) {
    (void)state;
    GoldenPool *pool = paired_load();
    paired_check(pool, ERRORS_HESSIAN, 2, 1e-4, 0);
    paired_check(pool, ERRORS_SANDWICH, 3, 1e-4, 0);
    paired_check(pool, ERRORS_AUTO, 3, 1e-4, 0);
    paired_check(pool, ERRORS_BOOTSTRAP, 4, 0,
                 0.13); // 400 rounds each, theirs and ours: 5 % noise on both
    golden_pool_free(pool);
}

// One pair, or many that say the same, have no scatter to read an error from: none is claimed.
static void test_rating__pairs_without_scatter_give_no_error(void **state) {
    (void)state;
    const double pair_nbs[] = {1.0, 40.0};
    for (int i = 0; i < 2; i++) {
        RatingCount counts[] = {{0, 1, pair_nbs[i], 0, 0},
                                {1, 0, 0, 0, pair_nbs[i]},
                                {0, 1, 0, 0, 2 * pair_nbs[i]},
                                {1, 0, 2 * pair_nbs[i], 0, 0}};
        RatingPairs pairs = {.a = 0, .b = 1};
        pairs.n[2][2] = pair_nbs[i];
        pairs.n[0][0] = 2 * pair_nbs[i];
        RatingInput in = {
            .players = 2, .counts = counts, .count_nb = 4, .pairs = &pairs, .pair_nb = 1};
        RatingOptions o = rating_options_default();
        Rating r;
        assert_int_equal(rating_compute(&in, &o, &r, NULL), STATUS_OK);
        assert_false(stat_exists(r.group[0].advantage_se)); // no pair was split
        assert_true(stat_exists(r.player[0].se) && r.player[0].se.value > 0.0);
        rating_release(&r);
    }
    RatingCount split[] = {{0, 1, 3, 0, 1}, {1, 0, 3, 0, 1}};
    RatingPairs pairs = {.a = 0, .b = 1};
    pairs.n[2][0] = 3;
    pairs.n[0][2] = 1;
    RatingInput in = {.players = 2, .counts = split, .count_nb = 2, .pairs = &pairs, .pair_nb = 1};
    RatingOptions o = rating_options_default();
    Rating r;
    assert_int_equal(rating_compute(&in, &o, &r, NULL), STATUS_OK);
    assert_true(stat_exists(r.group[0].advantage_se) && r.group[0].advantage_se.value > 0.0);
    for (int i = 0; i < 2; i++) { // every pair was split
        assert_false(stat_exists(r.player[i].se));
        assert_false(stat_exists(r.player[i].lo));
        assert_false(stat_exists(r.player[i].hi));
    }
    assert_false(stat_exists(rating_difference(&r, 0, 1).los));
    rating_release(&r);
}

// A player with a pair or two is fitted so closely that its pairs scatter hardly at all: that is no
// certainty. From eight pairs on the scatter counts, small as it may be.
static void test_rating__few_pairs_are_no_certainty(void **state) {
    (void)state;
    for (int pair_nb = 1; pair_nb <= 12; pair_nb++) {
        // Player 2 has `pair_nb` pairs, most of them split; the others many with more scatter.
        RatingCount counts[] = {{0, 1, 26, 0, 14},
                                {1, 0, 22, 0, 18},
                                {2, 0, pair_nb, 0, 0},
                                {0, 2, pair_nb - 0.5, 0, 0.5}};
        RatingPairs pairs[] = {{.a = 0, .b = 1}, {.a = 2, .b = 0}};
        pairs[0].n[2][2] = 12;
        pairs[0].n[2][0] = 14;
        pairs[0].n[0][2] = 6;
        pairs[0].n[0][0] = 8;
        pairs[1].n[2][0] = pair_nb - 0.5;
        pairs[1].n[2][2] = 0.5;
        RatingInput in = {
            .players = 3, .counts = counts, .count_nb = 4, .pairs = pairs, .pair_nb = 2};
        RatingOptions o = rating_options_default();
        Rating clustered, model;
        ErrorText err = {""};
        Text told = {0};
        const char *const names[] = {"many", "more", "few"};
        in.names = names;
        assert_int_equal(rating_compute(&in, &o, &clustered, &err), STATUS_OK);
        o.errors = ERRORS_HESSIAN;
        assert_int_equal(rating_compute(&in, &o, &model, &err), STATUS_OK);
        double ratio = clustered.player[2].se.value / model.player[2].se.value;
        if (pair_nb < 8 ? ratio < 0.7 : ratio > 0.5)
            fail_msg("%d pairs: %g of the model's error", pair_nb, ratio);
        assert_int_equal(rating_warnings(&in, &o, &clustered, &told, &err), STATUS_OK);
        bool is_told = strstr(text_cstr(&told), "few: fewer than 8 pairs") != NULL;
        assert_int_equal(is_told, pair_nb < 8);
        text_release(&told);
        rating_release(&clustered);
        rating_release(&model);
    }
}

static void test_rating__opening_free_matches_the_reference(void **state) {
    (void)state;
    GoldenPool *pool = paired_load();
    RatingInput input = golden_input(pool);
    RatingOptions o = rating_options_default();
    Rating r;
    ErrorText err = {0};
    assert_int_equal(rating_compute_opening_free(&input, &o, &r, &err), STATUS_OK);
    FILE *file = golden_open("09_paired.conditional.tsv");
    GoldenRow row;
    golden_next(file, &row);
    while (golden_next(file, &row)) {
        int i = golden_player(pool, row.field[0]);
        golden_near(row.field[0], r.player[i].elo.value, golden_number(row.field[2]), 1e-4);
        golden_near("se", r.player[i].se.value, golden_number(row.field[3]), 1e-4);
    }
    fclose(file);
    rating_release(&r);
    golden_pool_free(pool);
}

static void test_rating__perfect_scores_are_bounds(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_load("04_perfect.tsv");
    RatingOptions o = rating_options_default();
    Rating r = golden_rate(pool, &o);
    assert_int_equal(r.table_nb, 1);
    assert_int_equal(r.group_nb, 3);
    int ace = golden_player(pool, "ACE"), dud = golden_player(pool, "DUD"),
        m1 = golden_player(pool, "M1");
    assert_int_equal(r.order[0], ace);
    assert_int_equal(r.order[5], dud);
    assert_int_equal(r.player[ace].bound, BOUND_ABOVE);
    assert_int_equal(r.player[dud].bound, BOUND_BELOW);
    assert_int_equal(r.player[m1].bound, BOUND_NONE);
    assert_false(stat_exists(r.player[ace].se));
    assert_true(r.player[ace].elo.value > r.player[m1].elo.value + 500);
    double sum = 0;
    for (int i = 0; i < pool->players; i++)
        sum += r.player[i].bound == BOUND_NONE ? r.player[i].elo.value : 0;
    golden_near("mean of the rated", sum, 0, 1e-6);
    // 80 games against M1..M4, each colour 10: half a point lost is what the bound says.
    double lost = 0, h = r.group[1].advantage.value;
    for (int i = 0; i < pool->players; i++)
        if (r.player[i].bound == BOUND_NONE)
            for (int colour = -1; colour <= 1; colour += 2)
                lost +=
                    10 /
                    (1 +
                     pow(10, (r.player[ace].elo.value - r.player[i].elo.value + colour * h) / 400));
    golden_near("points lost at the bound", lost, 0.5, 1e-6);
    assert_false(stat_exists(rating_difference(&r, ace, m1).los));
    rating_release(&r);
    golden_pool_free(pool);
}

// The four in the middle are rated as if the others had not played.
static void test_rating__groups_are_rated_alone(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_load("04_perfect.tsv"), *middle = golden_pool_new();
    for (size_t i = 0; i < pool->count_nb; i++) {
        const RatingCount *c = &pool->counts[i];
        if (pool->names[c->first][0] == 'M' && pool->names[c->second][0] == 'M')
            golden_pool_add(middle, pool->names[c->first], pool->names[c->second], c->first_wins,
                            c->draws, c->second_wins);
    }
    RatingOptions o = rating_options_default();
    Rating all = golden_rate(pool, &o), some = golden_rate(middle, &o);
    for (int i = 0; i < middle->players; i++) {
        int j = golden_player(pool, middle->names[i]);
        golden_near("elo", all.player[j].elo.value, some.player[i].elo.value, 1e-6);
        golden_near("se", all.player[j].se.value, some.player[i].se.value, 1e-6);
    }
    rating_release(&all);
    rating_release(&some);
    golden_pool_free(pool);
    golden_pool_free(middle);
}

static void test_rating__nested_perfect_scores_keep_their_order(void **state) {
    (void)state;
    enum { PLAYERS = 7 };
    GoldenPool *pool = golden_pool_new();
    char a[16], b[16];
    for (int i = 0; i < PLAYERS; i++)
        for (int j = i + 1; j < PLAYERS; j++) {
            snprintf(a, sizeof a, "p%d", i);
            snprintf(b, sizeof b, "p%d", j);
            golden_pool_add(pool, a, b, 5, 0, 0);
            golden_pool_add(pool, b, a, 0, 0, 5);
        }
    RatingOptions o = rating_options_default();
    Rating r = golden_rate(pool, &o);
    assert_int_equal(r.table_nb, 1);
    assert_int_equal(r.group_nb, PLAYERS);
    for (int i = 0; i < PLAYERS; i++) {
        assert_int_equal(r.order[i], i);
        assert_int_equal(r.player[i].group, i + 1);
        if (i)
            assert_true(r.player[i].elo.value < r.player[i - 1].elo.value - 50);
    }
    assert_int_equal(r.player[0].bound, BOUND_ABOVE);
    assert_int_equal(r.player[PLAYERS - 1].bound, BOUND_BELOW);
    rating_release(&r);
    golden_pool_free(pool);
}

static void test_rating__two_players_and_a_perfect_score(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_new();
    golden_pool_add(pool, "A", "B", 10, 0, 0);
    RatingOptions o = rating_options_default();
    Rating r = golden_rate(pool, &o);
    assert_int_equal(r.player[0].bound, BOUND_ABOVE);
    assert_int_equal(r.player[1].bound, BOUND_BELOW);
    golden_near("gap", r.player[0].elo.value - r.player[1].elo.value, 400 * log10(9.5 / 0.5), 1e-6);
    rating_release(&r);
    golden_pool_free(pool);
}

static void test_rating__disconnected_pools_are_apart(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_load("05_disconnected.tsv");
    RatingOptions o = rating_options_default();
    Rating r = golden_rate(pool, &o);
    assert_int_equal(r.table_nb, 2);
    assert_int_equal(r.group_nb, 2);
    double sum[3] = {0};
    for (int i = 0; i < pool->players; i++) {
        sum[r.player[i].table] += r.player[i].elo.value;
        assert_int_equal(r.player[i].table,
                         pool->names[i][0] == 'B' ? 1 : 2); // the larger group first
    }
    golden_near("mean", sum[1], 0, 1e-6);
    golden_near("mean", sum[2], 0, 1e-6);
    assert_false(stat_exists(rating_difference(&r, 0, golden_player(pool, "B1")).elo));
    rating_release(&r);
    golden_pool_free(pool);
}

// Z only lost to X, who is only bounded from below: Z stands in no known relation to the rest.
static void test_rating__incomparable_players_get_their_own_table(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_new();
    golden_pool_add(pool, "A", "B", 5, 0, 3);
    golden_pool_add(pool, "B", "A", 5, 0, 3);
    golden_pool_add(pool, "X", "A", 4, 0, 0);
    golden_pool_add(pool, "X", "Z", 4, 0, 0);
    RatingOptions o = rating_options_default();
    Rating r = golden_rate(pool, &o);
    int z = golden_player(pool, "Z"), x = golden_player(pool, "X"), a = golden_player(pool, "A");
    assert_int_equal(r.player[x].table, r.player[a].table);
    assert_int_not_equal(r.player[z].table, r.player[a].table);
    rating_release(&r);
    golden_pool_free(pool);
}

static void test_rating__unlimited_advantage_is_a_bound(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_new();
    golden_pool_add(pool, "A", "B", 10, 0, 0);
    golden_pool_add(pool, "B", "A", 10, 0, 0);
    RatingOptions o = rating_options_default();
    Rating r = golden_rate(pool, &o);
    assert_int_equal(r.group_nb, 1);
    assert_int_equal(r.group[0].advantage_bound, BOUND_ABOVE);
    assert_true(r.group[0].advantage.value > 200 && r.group[0].advantage.value < 2000);
    assert_false(stat_exists(r.group[0].advantage_se));
    golden_near("even", r.player[0].elo.value, 0, 1e-6);
    rating_release(&r);
    golden_pool_free(pool);
    // One player always first: advantage and strength are the same thing.
    pool = golden_pool_new();
    golden_pool_add(pool, "A", "B", 7, 0, 3);
    r = golden_rate(pool, &o);
    assert_true(r.group[0].is_advantage_flat);
    golden_near("difference", r.player[0].elo.value - r.player[1].elo.value, 400 * log10(7.0 / 3),
                1e-6);
    rating_release(&r);
    golden_pool_free(pool);
}

static void test_rating__anchors_shift_fix_and_pull(void **state) {
    (void)state;
    GoldenPool *pool = golden_pool_load("02_rr8_draws.tsv");
    RatingOptions o = rating_options_default();
    Rating plain = golden_rate(pool, &o);
    int p3 = golden_player(pool, "P3"), p6 = golden_player(pool, "P6");
    RatingAnchor anchors[2] = {{p3, 2000, 0}, {p6, 1000, 0}};
    o.anchors = anchors;
    o.anchor_nb = 1;
    Rating shifted = golden_rate(pool, &o);
    golden_near("anchor", shifted.player[p3].elo.value, 2000, 1e-9);
    golden_near("difference", shifted.player[p3].elo.value - shifted.player[p6].elo.value,
                plain.player[p3].elo.value - plain.player[p6].elo.value, 1e-6);
    assert_int_equal(shifted.against, p3);
    golden_near("no error against itself", shifted.player[p3].se.value, 0, 0);
    golden_near("error against the anchor", shifted.player[p6].se.value,
                rating_difference(&plain, p6, p3).se.value, 1e-6);
    o.anchor_nb = 2;
    Rating fixed = golden_rate(pool, &o);
    golden_near("fixed", fixed.player[p3].elo.value, 2000, 1e-9);
    golden_near("fixed", fixed.player[p6].elo.value, 1000, 1e-9);
    assert_int_equal(fixed.against, AGAINST_SCALE);
    anchors[0].sd = 30; // 144 Elo apart in the games, 1000 in the priors: the games and the priors
                        // share the difference
    anchors[1].sd = 30;
    Rating pulled = golden_rate(pool, &o);
    double gap = pulled.player[p3].elo.value - pulled.player[p6].elo.value;
    assert_true(gap > 150 && gap < 900);
    RatingLink link = {golden_player(pool, "P1"), p6, 0, 1e-3};
    o.anchor_nb = 0;
    o.links = &link;
    o.link_nb = 1;
    Rating linked = golden_rate(pool, &o);
    golden_near("link", linked.player[link.a].elo.value, linked.player[p6].elo.value, 0.1);
    rating_release(&plain);
    rating_release(&shifted);
    rating_release(&fixed);
    rating_release(&pulled);
    rating_release(&linked);
    golden_pool_free(pool);
}

// Two players, unbalanced colours: the score equations hold exactly at the fit.
static void test_rating__unbalanced_colours_solve_the_score_equations(void **state) {
    (void)state;
    Rng rng = rng_init(17);
    for (int round = 0; round < 50; round++) {
        GoldenPool *pool = golden_pool_new();
        char a[16], b[16];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                snprintf(a, sizeof a, "p%d", i);
                snprintf(b, sizeof b, "p%d", j);
                if (i != j)
                    golden_pool_add(pool, a, b, 1 + (double)rng_below(&rng, 60),
                                    (double)rng_below(&rng, 5), 1 + (double)rng_below(&rng, 20));
            }
        RatingOptions o = rating_options_default();
        Rating r = golden_rate(pool, &o);
        double points[6] = {0}, all = 0, h = r.group[0].advantage.value;
        for (size_t i = 0; i < pool->count_nb; i++) {
            const RatingCount *c = &pool->counts[i];
            double n = c->first_wins + c->draws + c->second_wins;
            double p =
                1 /
                (1 + pow(10, -(r.player[c->first].elo.value - r.player[c->second].elo.value + h) /
                                 400));
            double excess = c->first_wins + c->draws / 2 - n * p;
            points[c->first] += excess;
            points[c->second] -= excess;
            all += excess;
        }
        for (int i = 0; i < 6; i++)
            golden_near("points", points[i], 0, 1e-6);
        golden_near("first mover's points", all, 0, 1e-6);
        rating_release(&r);
        golden_pool_free(pool);
    }
}

static void test_rating__fuzzed_pools_stay_finite(void **state) {
    (void)state;
    Rng rng = rng_init(23);
    for (int round = 0; round < 1500; round++) {
        GoldenPool *pool = golden_pool_new();
        int players = 2 + (int)rng_below(&rng, 7), rows = 1 + (int)rng_below(&rng, 20);
        char a[16], b[16];
        for (int k = 0; k < rows; k++) {
            double n[3];
            for (int c = 0; c < 3; c++)
                n[c] = rng_below(&rng, 3) ? 0 : floor(pow(10, rng_unit(&rng) * 12));
            int i = (int)rng_below(&rng, (uint64_t)players),
                j = (int)rng_below(&rng, (uint64_t)players);
            snprintf(a, sizeof a, "p%d", i);
            snprintf(b, sizeof b, "p%d", j);
            if (i != j)
                golden_pool_add(pool, a, b, n[0], n[1], n[2]);
        }
        RatingOptions o = rating_options_default();
        o.model = round % 2 ? RATING_RAO_KUPPER : RATING_HALF_WIN;
        o.prior_draws = round % 5 == 0 ? 2 : 0;
        if (pool->count_nb) {
            Rating r = golden_rate(pool, &o);
            for (int i = 0; i < r.players; i++) {
                const StatValue all[] = {r.player[i].elo, r.player[i].se, r.player[i].lo,
                                         r.player[i].hi, r.player[i].score};
                for (int v = 0; v < 5; v++)
                    assert_true(isfinite(all[v].value));
                assert_true(r.player[i].group >= 1 && r.player[i].group <= r.group_nb);
            }
            for (int g = 0; g < r.group_nb; g++)
                assert_true(isfinite(r.group[g].advantage.value) &&
                            isfinite(r.group[g].advantage_se.value));
            rating_release(&r);
        }
        golden_pool_free(pool);
    }
}

// One request of two players, three games, and everything that may be wrong with it.
typedef struct Request {
    RatingCount count;
    RatingPairs pair;
    RatingAnchor anchors[2];
    RatingLink link;
    RatingOptions options;
    size_t pair_nb;
    const char *words; // the refusal must say
} Request;

#define REQUEST(said, ...)                                                                         \
    do {                                                                                           \
        Request r = {                                                                              \
            .count = {0, 1, 2, 0, 1}, .options = rating_options_default(), .words = said};         \
        RatingOptions *o = &r.options;                                                             \
        __VA_ARGS__;                                                                               \
        (void)o;                                                                                   \
        request_check(&r);                                                                         \
    } while (0)

static void request_check(Request *r) {
    r->options.anchors = r->anchors;
    r->options.links = &r->link;
    const char *const names[] = {"one", "two"};
    RatingInput in = {2, names, &r->count, 1, &r->pair, r->pair_nb};
    Rating out = {.players = 77};
    ErrorText err = {""};
    Status status = rating_compute(&in, &r->options, &out, &err);
    if (r->words) {
        if (status != STATUS_INVALID || strcmp(err.text, r->words) != 0)
            fail_msg("'%s', expected '%s'", err.text, r->words);
        assert_int_equal(out.players, 77);
        return;
    }
    assert_int_equal(status, STATUS_OK);
    rating_release(&out);
}

static void test_rating__bad_results_are_refused(void **state) {
    (void)state;
    REQUEST(NULL, (void)r);
    REQUEST("results 1: no such player", r.count.second = 2);
    REQUEST("results 1: no such player", r.count.first = -1);
    REQUEST("results 1: one against itself", r.count.second = 0);
    REQUEST("results 1: a count is negative or too large", r.count.draws = -1);
    REQUEST("results 1: a count is negative or too large", r.count.first_wins = NAN);
    REQUEST("results 1: a count is negative or too large", r.count.first_wins = INFINITY);
    REQUEST("results 1: a count is negative or too large", r.count.second_wins = 3.1e15);
    REQUEST("pairs 1: no such pairing", r.pair_nb = 1);
    REQUEST("pairs 1: no such pairing", r.pair_nb = 1, r.pair.b = 2);
}

static void test_rating__bad_requests_are_refused(void **state) {
    (void)state;
    static const char ANCHOR[] = "anchor 1: no such player, or its deviation is negative";
    REQUEST(ANCHOR, o->anchor_nb = 1, r.anchors[0].player = 2);
    REQUEST(ANCHOR, o->anchor_nb = 1, r.anchors[0].elo = NAN);
    REQUEST(ANCHOR, o->anchor_nb = 1, r.anchors[0].sd = -1);
    REQUEST("anchor 2: one has an anchor already", o->anchor_nb = 2);
    static const char LINK[] = "link 1: two different players and a deviation above 0 are needed";
    REQUEST(LINK, o->link_nb = 1, r.link = (RatingLink){0, 0, 0, 1});
    REQUEST(LINK, o->link_nb = 1, r.link = (RatingLink){0, 2, 0, 1});
    REQUEST(LINK, o->link_nb = 1, r.link = (RatingLink){0, 1, 0, 0});
    REQUEST(LINK, o->link_nb = 1, r.link = (RatingLink){0, 1, NAN, 1});
    REQUEST(NULL, o->link_nb = 1, r.link = (RatingLink){0, 1, 30, 1});
    REQUEST("virtual draws -1: must be 0..1000000", o->prior_draws = -1);
    REQUEST("virtual draws 2e+06: must be 0..1000000", o->prior_draws = 2e6);
    REQUEST("draw width 0: must be above 0 and at most 4000 Elo", o->is_draw_elo_fixed = true,
            o->draw_elo = 0);
    REQUEST("draw width 4001: must be above 0 and at most 4000 Elo", o->is_draw_elo_fixed = true,
            o->draw_elo = 4001);
    REQUEST("advantage -4001: must be within +-4000 Elo", o->is_advantage_fixed = true,
            o->advantage = -4001);
    REQUEST("bootstrap rounds 1: must be at least 2", o->errors = ERRORS_BOOTSTRAP,
            o->bootstrap_rounds = 1);
    REQUEST("errors against a player that does not exist", o->against = AGAINST_PLAYER,
            o->against_player = 2);
}

// The fit is the best of all: every other rating, advantage and width is less likely.
static void test_rating__nothing_nearby_is_likelier(void **state) {
    (void)state;
    enum { PLAYERS = 4 };
    const RatingCount counts[] = {{0, 1, 12, 4, 6}, {1, 0, 9, 2, 7}, {1, 2, 8, 0, 5},
                                  {2, 0, 6, 1, 9},  {2, 3, 4, 2, 4}, {3, 0, 1, 3, 8}};
    for (int model = RATING_HALF_WIN; model <= RATING_RAO_KUPPER; model++) {
        RatingInput in = {.players = PLAYERS, .counts = counts, .count_nb = 6};
        RatingOptions o = rating_options_default();
        o.model = (RatingModel)model;
        Rating best;
        ErrorText err = {""};
        assert_int_equal(rating_compute(&in, &o, &best, &err), STATUS_OK);
        RatingAnchor anchors[PLAYERS];
        o.anchors = anchors;
        o.anchor_nb = PLAYERS;
        o.is_advantage_fixed = true;
        o.is_draw_elo_fixed = model == RATING_RAO_KUPPER;
        for (int changed = -1; changed < PLAYERS + 2; changed++)
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int p = 0; p < PLAYERS; p++)
                    anchors[p] = (RatingAnchor){
                        p, best.player[p].elo.value + (p == changed ? 5.0 * sign : 0), 0};
                o.advantage = best.group[0].advantage.value + (changed == PLAYERS ? 5.0 * sign : 0);
                o.draw_elo =
                    best.group[0].draw_elo.value + (changed == PLAYERS + 1 ? 5.0 * sign : 0);
                if (model == RATING_HALF_WIN && changed > PLAYERS)
                    continue;
                Rating other;
                if (rating_compute(&in, &o, &other, &err))
                    fail_msg("%s", err.text);
                if (changed < 0)
                    golden_near("same", other.log_likelihood, best.log_likelihood, 1e-9);
                else
                    assert_true(other.log_likelihood < best.log_likelihood - 1e-4);
                rating_release(&other);
            }
        rating_release(&best);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rating__matches_the_reference_fits),
        cmocka_unit_test(test_rating__matches_the_superiority_tables),
        cmocka_unit_test(test_rating__errors_of_pairs_match_the_reference),
        cmocka_unit_test(test_rating__pairs_without_scatter_give_no_error),
        cmocka_unit_test(test_rating__few_pairs_are_no_certainty),
        cmocka_unit_test(test_rating__opening_free_matches_the_reference),
        cmocka_unit_test(test_rating__perfect_scores_are_bounds),
        cmocka_unit_test(test_rating__groups_are_rated_alone),
        cmocka_unit_test(test_rating__nested_perfect_scores_keep_their_order),
        cmocka_unit_test(test_rating__two_players_and_a_perfect_score),
        cmocka_unit_test(test_rating__disconnected_pools_are_apart),
        cmocka_unit_test(test_rating__incomparable_players_get_their_own_table),
        cmocka_unit_test(test_rating__unlimited_advantage_is_a_bound),
        cmocka_unit_test(test_rating__anchors_shift_fix_and_pull),
        cmocka_unit_test(test_rating__unbalanced_colours_solve_the_score_equations),
        cmocka_unit_test(test_rating__fuzzed_pools_stay_finite),
        cmocka_unit_test(test_rating__nothing_nearby_is_likelier),
        cmocka_unit_test(test_rating__bad_results_are_refused),
        cmocka_unit_test(test_rating__bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
