// SPDX-License-Identifier: GPL-3.0-or-later
// Who can be compared with whom: connected components, strongly connected components of "took
// points from", their order, and whether a first-move advantage can be told from strength. Sources:
// Tarjan (SIAM J. Comput. 1972); Ford (1957).
#pragma once

#include "harness/stats/rating_data.h"

typedef struct GraphEdge {
    int from, to; // from took points from to
} GraphEdge;

// Strongly connected components of `nodes` nodes: component[node] = number from 0, in reverse
// topological order (a component is numbered before every component that took points from it one
// way). Returns how many. `scratch` holds 6 * nodes + 1 + edge_nb ints. Thread: any.
int graph_components_strong(int nodes, const GraphEdge *edges, size_t edge_nb, int *component,
                            int *scratch);

// Connected components, directions ignored; numbered from 0 by their first node. Returns how many.
// Thread: any.
int graph_components_weak(int nodes, const GraphEdge *edges, size_t edge_nb, int *component);

typedef enum AdvantageKind {
    ADVANTAGE_FINITE, // one best value
    ADVANTAGE_PLUS,   // grows without bound: nothing limits the first mover
    ADVANTAGE_MINUS,  // the same for the second mover
    ADVANTAGE_FLAT,   // every value fits alike: who moves first and who plays are confounded
} AdvantageKind;

// What the likelihood does with the advantage among players who form one strongly connected
// component: it has no finite best value exactly when some shift of ratings makes every result at
// least as likely as the advantage grows, a system of difference constraints (Bellman-Ford). Needs
// `players` doubles of scratch. Thread: any.
AdvantageKind graph_advantage_kind(int players, const RatingCount *counts, size_t count_nb,
                                   double *scratch);
