// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a pool into groups and tables.
#include "harness/stats/rating_pool.h"

#include "harness/stats/rating_graph.h"

#include <stdlib.h>
#include <string.h>

void pool_release(Pool *p) {
    free(p->group_of);
    free(p->table_of);
    free(p->local);
    free(p->member);
    free(p->member_start);
    free(p->is_absolute);
    free(p->total_games);
    free(p->elo);
    free(p->shift);
    free(p->advantage);
    free(p->draw_elo);
    free(p->counts);
    free(p->count_start);
    free(p->across);
    free(p->reference);
    *p = (Pool){0};
}

static double count_games(const RatingCount *c) {
    return c->first_wins + c->draws + c->second_wins;
}

// Edges of "took points from". Virtual draws and version links tie both ways; several anchors or
// priors tie their players through a node of their own, since they share a scale.
// A finite rating needs a way by points from everyone to everyone (Ford 1957), so the strong
// components of these edges are the groups.
static size_t edges_collect(const Pool *p, GraphEdge *edges) {
    size_t nb = 0;
    const RatingInput *in = p->input;
    bool is_prior = p->options->prior_draws > 0.0;
    for (size_t i = 0; i < in->count_nb; i++) {
        const RatingCount *c = &in->counts[i];
        if (count_games(c) <= 0.0)
            continue;
        if (is_prior || c->first_wins + c->draws > 0.0)
            edges[nb++] = (GraphEdge){c->first, c->second};
        if (is_prior || c->second_wins + c->draws > 0.0)
            edges[nb++] = (GraphEdge){c->second, c->first};
    }
    for (size_t i = 0; i < p->options->link_nb; i++) {
        edges[nb++] = (GraphEdge){p->options->links[i].a, p->options->links[i].b};
        edges[nb++] = (GraphEdge){p->options->links[i].b, p->options->links[i].a};
    }
    for (size_t i = 0; i < p->options->anchor_nb; i++) {
        edges[nb++] = (GraphEdge){p->options->anchors[i].player, in->players};
        edges[nb++] = (GraphEdge){in->players, p->options->anchors[i].player};
    }
    return nb;
}

// Tables: the groups above and below a reference share its table; those left over start another.
typedef struct TableCut {
    Pool *pool;
    const GraphEdge *edges;
    size_t edge_nb;
    double *inside; // games inside a group
    char *seen;
} TableCut;

// The table is read from its reference: one with a scale, else with many players, else with many
// games; the input's order last, so that the choice never depends on numbering.
static bool group_is_better_reference(const TableCut *cut, int a, int b) {
    const Pool *p = cut->pool;
    if (p->is_absolute[a] != p->is_absolute[b])
        return p->is_absolute[a];
    int size_a = p->member_start[a + 1] - p->member_start[a],
        size_b = p->member_start[b + 1] - p->member_start[b];
    if (size_a != size_b)
        return size_a > size_b;
    if (cut->inside[a] != cut->inside[b])
        return cut->inside[a] > cut->inside[b];
    return p->member[p->member_start[a]] < p->member[p->member_start[b]];
}

// Marks in `seen` the unplaced groups reachable from `start` along the links (down) or against
// them, by sweeps over the edges until nothing changes.
static void reach(const TableCut *cut, int start, bool is_down) {
    const Pool *p = cut->pool;
    memset(cut->seen, 0, (size_t)p->groups);
    cut->seen[start] = 1;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t e = 0; e < cut->edge_nb; e++) {
            if (cut->edges[e].from >= p->input->players || cut->edges[e].to >= p->input->players)
                continue;
            int from = p->group_of[cut->edges[e].from], to = p->group_of[cut->edges[e].to];
            int source = is_down ? from : to, target = is_down ? to : from;
            if (cut->seen[source] && !cut->seen[target] && p->table_of[target] < 0) {
                cut->seen[target] = 1;
                is_changed = true;
            }
        }
    }
}

// Greedy, the best reference left first: what is above or below it by one-way links can at least be
// bounded, and shares its table. What is neither starts a table of its own, even where both have
// met a third: there is no way to say which of the two is stronger.
static void tables_cut(TableCut *cut) {
    Pool *p = cut->pool;
    for (int g = 0; g < p->groups; g++)
        p->table_of[g] = -1;
    for (int left = p->groups; left > 0;) {
        int best = -1;
        for (int g = 0; g < p->groups; g++)
            if (p->table_of[g] < 0 && (best < 0 || group_is_better_reference(cut, g, best)))
                best = g;
        int table = p->tables++;
        p->reference[table] = best;
        for (int down = 0; down < 2; down++) {
            reach(cut, best, down);
            for (int g = 0; g < p->groups; g++)
                if (cut->seen[g] && p->table_of[g] < 0) {
                    p->table_of[g] = table;
                    left -= g != best;
                }
            p->table_of[best] = -1;
        }
        p->table_of[best] = table;
        left--;
    }
}

// A counting sort: players of a group stand together, in the order of the input.
static void members_sort(Pool *p) {
    int n = p->input->players;
    memset(p->member_start, 0, (size_t)(p->groups + 1) * sizeof *p->member_start);
    for (int i = 0; i < n; i++)
        p->member_start[p->group_of[i] + 1]++;
    for (int g = 0; g < p->groups; g++)
        p->member_start[g + 1] += p->member_start[g];
    int *next = p->table_of; // borrowed before tables exist: groups <= players entries
    memcpy(next, p->member_start, (size_t)p->groups * sizeof *next);
    for (int i = 0; i < n; i++) {
        int g = p->group_of[i];
        p->local[i] = next[g] - p->member_start[g];
        p->member[next[g]++] = i;
    }
}

// The place of a count: its group, or `groups` for games across groups.
static int count_place(const Pool *p, const RatingCount *c) {
    int a = p->group_of[c->first], b = p->group_of[c->second];
    return a == b ? a : p->groups;
}

// The same for the games, two places ahead so that the starts come out right after dealing.
static void counts_sort(Pool *p, double *inside) {
    const RatingInput *in = p->input;
    size_t *start = p->count_start;
    memset(start, 0, (size_t)(p->groups + 3) * sizeof *start);
    for (size_t i = 0; i < in->count_nb; i++)
        start[count_place(p, &in->counts[i]) + 2]++;
    for (int g = 0; g <= p->groups; g++)
        start[g + 2] += start[g + 1];
    for (size_t i = 0; i < in->count_nb; i++) { // start[g + 1] runs to where start[g + 1] belongs
        const RatingCount *c = &in->counts[i];
        int place = count_place(p, c);
        p->counts[start[place + 1]++] = *c;
        if (place < p->groups)
            inside[place] += count_games(c);
        p->total_games[c->first] += count_games(c);
        p->total_games[c->second] += count_games(c);
    }
}

// One more than the players throughout: the node of the scale takes part in the components.
static Status pool_alloc(Pool *p, ErrorText *err) {
    size_t n = (size_t)p->input->players + 1;
    p->group_of = calloc(n, sizeof *p->group_of);
    p->table_of = calloc(n, sizeof *p->table_of);
    p->local = calloc(n, sizeof *p->local);
    p->member = calloc(n, sizeof *p->member);
    p->member_start = calloc(n + 1, sizeof *p->member_start);
    p->is_absolute = calloc(n, sizeof *p->is_absolute);
    p->total_games = calloc(n, sizeof *p->total_games);
    p->elo = calloc(n, sizeof *p->elo);
    p->shift = calloc(n, sizeof *p->shift);
    p->advantage = calloc(n, sizeof *p->advantage);
    p->draw_elo = calloc(n, sizeof *p->draw_elo);
    p->counts = calloc(p->input->count_nb + 1, sizeof *p->counts);
    p->count_start = calloc(n + 3, sizeof *p->count_start);
    p->across = calloc(p->input->count_nb + 1, sizeof *p->across);
    p->reference = calloc(n, sizeof *p->reference);
    if (!p->group_of || !p->table_of || !p->local || !p->member || !p->member_start ||
        !p->is_absolute || !p->total_games || !p->elo || !p->shift || !p->advantage ||
        !p->draw_elo || !p->counts || !p->count_start || !p->across || !p->reference)
        return error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players",
                         p->input->players);
    return STATUS_OK;
}

// Takes the node of the common scale (number `players`) out of the components it was in.
static void scale_node_remove(Pool *p, int components) {
    int n = p->input->players, scale = p->group_of[n];
    bool is_alone = true;
    for (int i = 0; i < n; i++)
        is_alone = is_alone && p->group_of[i] != scale;
    p->groups = components;
    if (is_alone) {
        for (int i = 0; i < n; i++)
            p->group_of[i] -= p->group_of[i] > scale;
        p->groups--;
    }
}

static void absolute_mark(Pool *p) {
    const RatingOptions *o = p->options;
    // A single exact anchor says nothing about differences: the group keeps its own zero for the
    // fit.
    bool is_shift_only = o->anchor_nb == 1 && o->anchors[0].sd == 0.0;
    for (size_t i = 0; i < o->anchor_nb && !is_shift_only; i++)
        p->is_absolute[p->group_of[o->anchors[i].player]] = true;
}

Status pool_init(Pool *p, const RatingInput *input, const RatingOptions *options, ErrorText *err) {
    *p = (Pool){.input = input, .options = options};
    // One node more than players: the common scale of anchors.
    int nodes = input->players + 1;
    size_t edge_max = 2 * (input->count_nb + options->link_nb + options->anchor_nb) + 1;
    GraphEdge *edges = malloc(edge_max * sizeof *edges);
    int *scratch = malloc((6 * (size_t)nodes + 1 + edge_max) * sizeof *scratch);
    double *inside = calloc((size_t)nodes, sizeof *inside);
    char *seen = calloc((size_t)nodes, 1);
    Status status = pool_alloc(p, err);
    if (!status && (!edges || !scratch || !inside || !seen))
        status =
            error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players", input->players);
    if (status)
        goto done;
    size_t edge_nb = edges_collect(p, edges);
    int components = graph_components_strong(nodes, edges, edge_nb, p->group_of, scratch);
    scale_node_remove(p, components);
    absolute_mark(p);
    members_sort(p);
    counts_sort(p, inside);
    tables_cut(&(TableCut){p, edges, edge_nb, inside, seen});
done:
    free(edges);
    free(scratch);
    free(inside);
    free(seen);
    if (status)
        pool_release(p);
    return status;
}
