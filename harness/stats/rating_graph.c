// SPDX-License-Identifier: GPL-3.0-or-later
// Components of the graph of results, and the feasibility of an infinite advantage.
#include "harness/stats/rating_graph.h"

#include <string.h>

// Tarjan's depth-first search with its stacks in arrays, so that a chain of any length fits.
typedef struct Tarjan {
    const int *start, *target; // adjacency: edges of node v are target[start[v] .. start[v+1]-1]
    int *low, *index, *stack, *next, *component;
    int stack_nb, counter, components;
} Tarjan;

static void tarjan_enter(Tarjan *t, int node) {
    t->index[node] = t->low[node] = ++t->counter;
    t->next[node] = t->start[node];
    t->stack[t->stack_nb++] = node;
}

// A node whose low is its own index is the first of its component: all above it on the stack belong
// to it.
static void tarjan_leave(Tarjan *t, int node) {
    if (t->low[node] != t->index[node])
        return;
    for (int member = -1; member != node;) {
        member = t->stack[--t->stack_nb];
        t->component[member] = t->components;
    }
    t->components++;
}

// Visits everything reachable from `root`. The path is kept in `parent` (which shares storage with
// no one).
static void tarjan_visit(Tarjan *t, int root, int *parent) {
    parent[root] = -1;
    tarjan_enter(t, root);
    for (int node = root; node >= 0;) {
        if (t->next[node] < t->start[node + 1]) {
            int to = t->target[t->next[node]++];
            if (!t->index[to]) {
                parent[to] = node;
                tarjan_enter(t, to);
                node = to;
            } else if (t->component[to] < 0 && t->index[to] < t->low[node]) {
                t->low[node] = t->index[to];
            }
            continue;
        }
        tarjan_leave(t, node);
        int up = parent[node];
        if (up >= 0 && t->low[node] < t->low[up])
            t->low[up] = t->low[node];
        node = up;
    }
}

int graph_components_strong(int nodes, const GraphEdge *edges, size_t edge_nb, int *component,
                            int *scratch) {
    // Edges as rows of one array (compressed): counted, summed up, then dealt out.
    int *start = scratch, *target = start + nodes + 1;
    Tarjan t = {.start = start, .target = target, .component = component};
    t.low = target + edge_nb;
    t.index = t.low + nodes;
    t.stack = t.index + nodes;
    t.next = t.stack + nodes;
    memset(start, 0, (size_t)(nodes + 1) * sizeof *start);
    for (size_t e = 0; e < edge_nb; e++)
        start[edges[e].from + 1]++;
    for (int v = 0; v < nodes; v++) {
        start[v + 1] += start[v];
        t.next[v] = start[v];
        t.index[v] = 0;
        component[v] = -1;
    }
    for (size_t e = 0; e < edge_nb; e++)
        target[t.next[edges[e].from]++] = edges[e].to;
    // `next` has served its first purpose, dealing out edges; tarjan_enter sets it again.
    int *parent = t.next + nodes;
    for (int v = 0; v < nodes; v++)
        if (!t.index[v])
            tarjan_visit(&t, v, parent);
    return t.components;
}

// Union-find with path halving.
static int root_find(int *root, int node) {
    while (root[node] != node)
        node = root[node] = root[root[node]];
    return node;
}

int graph_components_weak(int nodes, const GraphEdge *edges, size_t edge_nb, int *component) {
    for (int v = 0; v < nodes; v++)
        component[v] = v;
    for (size_t e = 0; e < edge_nb; e++) {
        int a = root_find(component, edges[e].from), b = root_find(component, edges[e].to);
        component[a > b ? a : b] =
            a > b ? b : a; // the root is the least node, so numbering below goes upward
    }
    for (int v = 0; v < nodes; v++)
        component[v] = root_find(component, v);
    int count = 0;
    for (int v = 0; v < nodes; v++)
        // Roots become -1 - number: below 0, so that no number is taken for a node while the others
        // still point at theirs.
        component[v] = component[v] == v ? -1 - count++ : component[v];
    for (int v = 0; v < nodes; v++)
        component[v] = component[v] < 0 ? component[v] : component[component[v]];
    for (int v = 0; v < nodes; v++)
        component[v] = -1 - component[v];
    return count;
}

// Whether ratings exist with r_first - r_second + h >= 0 wherever the first mover took points and
// <= 0 wherever the second did, h being 1 or -1. Each is a bound on a difference; they contradict
// when a cycle of them sums below zero.
static bool advantage_is_feasible(int players, const RatingCount *counts, size_t count_nb, double h,
                                  double *height) {
    for (int v = 0; v < players; v++)
        height[v] = 0.0;
    for (int round = 0; round <= players; round++) {
        bool is_changed = false;
        for (size_t c = 0; c < count_nb; c++) {
            const RatingCount *g = &counts[c];
            double *first = &height[g->first], *second = &height[g->second];
            if (g->first_wins + g->draws > 0.0 && *second > *first + h) {
                *second = *first + h;
                is_changed = true;
            }
            if (g->second_wins + g->draws > 0.0 && *first > *second - h) {
                *first = *second - h;
                is_changed = true;
            }
        }
        if (!is_changed)
            return true;
        // Heights are sums of at most players - 1 steps of 1 unless a cycle feeds them.
        for (int v = 0; v < players; v++)
            if (height[v] < -players)
                return false;
    }
    return false;
}

AdvantageKind graph_advantage_kind(int players, const RatingCount *counts, size_t count_nb,
                                   double *scratch) {
    bool plus = advantage_is_feasible(players, counts, count_nb, 1.0, scratch);
    bool minus = advantage_is_feasible(players, counts, count_nb, -1.0, scratch);
    // Both at once: adding to the advantage and shifting ratings along changes no result's chance.
    return plus && minus ? ADVANTAGE_FLAT
           : plus        ? ADVANTAGE_PLUS
           : minus       ? ADVANTAGE_MINUS
                         : ADVANTAGE_FINITE;
}
