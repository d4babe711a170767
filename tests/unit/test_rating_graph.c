// SPDX-License-Identifier: GPL-3.0-or-later
// Components and the kind of advantage, held against definitions tried out on small random graphs.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/stats/rating_graph.h"

enum { NODES_MAX = 9, EDGES_MAX = 24 };

// reach[a][b]: b can be reached from a (Warshall 1962).
static void closure(int nodes, const GraphEdge *edges, size_t edge_nb, bool directed,
                    bool reach[NODES_MAX][NODES_MAX]) {
    memset(reach, 0, sizeof(bool[NODES_MAX][NODES_MAX]));
    for (int v = 0; v < nodes; v++)
        reach[v][v] = true;
    for (size_t e = 0; e < edge_nb; e++) {
        reach[edges[e].from][edges[e].to] = true;
        if (!directed)
            reach[edges[e].to][edges[e].from] = true;
    }
    for (int k = 0; k < nodes; k++)
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < nodes; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
}

static size_t random_edges(Rng *rng, int nodes, GraphEdge *edges) {
    size_t edge_nb = rng_below(rng, EDGES_MAX + 1);
    for (size_t e = 0; e < edge_nb; e++) {
        edges[e].from = (int)rng_below(rng, (uint64_t)nodes);
        edges[e].to = (int)rng_below(rng, (uint64_t)nodes);
    }
    return edge_nb;
}

static void test_rating_graph__strong_components_reach_each_other(void **state) {
    (void)state;
    Rng rng = rng_init(21);
    for (int round = 0; round < 400; round++) {
        int nodes = 1 + (int)rng_below(&rng, NODES_MAX), component[NODES_MAX];
        int scratch[6 * NODES_MAX + 1 + EDGES_MAX];
        bool reach[NODES_MAX][NODES_MAX], seen[NODES_MAX] = {0};
        GraphEdge edges[EDGES_MAX];
        size_t edge_nb = random_edges(&rng, nodes, edges);
        int count = graph_components_strong(nodes, edges, edge_nb, component, scratch);
        closure(nodes, edges, edge_nb, true, reach);
        for (int a = 0; a < nodes; a++) {
            assert_in_range(component[a], 0, count - 1);
            seen[component[a]] = true;
            for (int b = 0; b < nodes; b++) {
                assert_int_equal(component[a] == component[b], reach[a][b] && reach[b][a]);
                if (reach[a][b]) // who took points is numbered after whom they were taken from
                    assert_true(component[b] <= component[a]);
            }
        }
        for (int c = 0; c < count; c++)
            assert_true(seen[c]);
    }
}

static void test_rating_graph__weak_components_are_numbered_by_their_first_node(void **state) {
    (void)state;
    Rng rng = rng_init(22);
    for (int round = 0; round < 400; round++) {
        int nodes = 1 + (int)rng_below(&rng, NODES_MAX), component[NODES_MAX], next = 0;
        bool reach[NODES_MAX][NODES_MAX];
        GraphEdge edges[EDGES_MAX];
        size_t edge_nb = random_edges(&rng, nodes, edges) / 3;
        int count = graph_components_weak(nodes, edges, edge_nb, component);
        closure(nodes, edges, edge_nb, false, reach);
        for (int a = 0; a < nodes; a++) {
            int first = 0;
            while (!reach[a][first])
                first++;
            if (first == a)
                assert_int_equal(component[a], next++);
            else
                assert_int_equal(component[a], component[first]);
        }
        assert_int_equal(count, next);
    }
}

// A chain as long as no recursion would survive.
static void test_rating_graph__a_long_chain_and_its_circle(void **state) {
    (void)state;
    enum { LONG = 200000 };
    GraphEdge *edges = malloc(LONG * sizeof *edges);
    int *component = malloc(LONG * sizeof *component), *scratch = malloc(8 * LONG * sizeof(int));
    assert_true(edges && component && scratch);
    for (int v = 0; v < LONG; v++)
        edges[v] = (GraphEdge){v, (v + 1) % LONG};
    assert_int_equal(graph_components_strong(LONG, edges, LONG, component, scratch), 1);
    assert_int_equal(graph_components_strong(LONG, edges, LONG - 1, component, scratch), LONG);
    assert_int_equal(component[LONG - 1], 0);
    assert_int_equal(component[0], LONG - 1);
    assert_int_equal(graph_components_weak(LONG, edges, LONG - 1, component), 1);
    free(edges);
    free(component);
    free(scratch);
}

enum { PLAYERS = 4, COUNTS_MAX = 8 };

// Do whole ratings exist under which every result stays as likely while the advantage grows by
// `h`? A chain of bounds of one step each spans no more than PLAYERS - 1, so all are tried.
static bool some_shift_fits(const RatingCount *counts, size_t count_nb, int h) {
    for (int code = 0; code < PLAYERS * PLAYERS * PLAYERS * PLAYERS; code++) {
        int rating[PLAYERS], rest = code;
        for (int p = 0; p < PLAYERS; p++, rest /= PLAYERS)
            rating[p] = rest % PLAYERS;
        bool fits = true;
        for (size_t c = 0; c < count_nb; c++) {
            int shift = rating[counts[c].first] - rating[counts[c].second] + h;
            fits = fits && !(counts[c].first_wins + counts[c].draws > 0 && shift < 0) &&
                   !(counts[c].second_wins + counts[c].draws > 0 && shift > 0);
        }
        if (fits)
            return true;
    }
    return false;
}

static void test_rating_graph__the_advantage_is_unlimited_when_some_shift_fits(void **state) {
    (void)state;
    Rng rng = rng_init(23);
    int kinds[4] = {0};
    for (int round = 0; round < 600; round++) {
        RatingCount counts[COUNTS_MAX];
        size_t count_nb = 1 + rng_below(&rng, COUNTS_MAX);
        double scratch[PLAYERS];
        for (size_t c = 0; c < count_nb; c++) {
            int first = (int)rng_below(&rng, PLAYERS);
            int second = (first + 1 + (int)rng_below(&rng, PLAYERS - 1)) % PLAYERS;
            counts[c] = (RatingCount){first, second, 0, 0, 0};
            double *what[] = {&counts[c].first_wins, &counts[c].second_wins, &counts[c].draws};
            *what[rng_below(&rng, 5) / 2] = 1;
        }
        bool plus = some_shift_fits(counts, count_nb, 1);
        bool minus = some_shift_fits(counts, count_nb, -1);
        AdvantageKind want = plus && minus ? ADVANTAGE_FLAT
                             : plus        ? ADVANTAGE_PLUS
                             : minus       ? ADVANTAGE_MINUS
                                           : ADVANTAGE_FINITE;
        assert_int_equal(graph_advantage_kind(PLAYERS, counts, count_nb, scratch), want);
        kinds[want]++;
    }
    for (int kind = 0; kind < 4; kind++)
        assert_true(kinds[kind] > 10); // every answer was asked for
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rating_graph__strong_components_reach_each_other),
        cmocka_unit_test(test_rating_graph__weak_components_are_numbered_by_their_first_node),
        cmocka_unit_test(test_rating_graph__a_long_chain_and_its_circle),
        cmocka_unit_test(test_rating_graph__the_advantage_is_unlimited_when_some_shift_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
