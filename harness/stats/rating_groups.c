// SPDX-License-Identifier: GPL-3.0-or-later
// Fitting one group of a pool, and placing the groups of a table against each other.
#include "harness/stats/numeric.h"
#include "harness/stats/rating_graph.h"
#include "harness/stats/rating_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Elo. Not 0: the derivatives in the width divide by 1 - e^-2e.
static const double draw_elo_without_draws = 0.01;

// A group as a fitting problem; the arrays are owned here.
typedef struct GroupFit {
    FitProblem problem;
    double *theta, *matrix, *work;
    AdvantageKind kind;
    bool is_draw_elo_assumed;
} GroupFit;

static void group_fit_release(GroupFit *g) {
    free(g->problem.counts);
    free(g->problem.virtuals);
    free(g->problem.pairs);
    free(g->problem.anchors);
    free(g->problem.links);
    free(g->problem.is_fixed);
    free(g->theta);
    free(g->matrix);
    free(g->work);
}

// Virtual draws: each player adds prior/2 of them, spread over its opponents in proportion to
// games, half per colour.
// After BayesElo: with k = 2 and no advantage the winner of an only game leads by 120 Elo (70 under
// Rao-Kupper, where a draw is a win and a loss), not by infinity. Both colours alike, so that the
// prior says nothing about the advantage.
static void virtuals_fill(const Pool *p, FitProblem *f, const RatingCount *counts) {
    double k = p->options->prior_draws;
    for (size_t i = 0; k > 0.0 && i < f->count_nb; i++) {
        const RatingCount *c = &f->counts[i];
        double games = c->first_wins + c->draws + c->second_wins;
        double share =
            // By global indices: games against other groups count as well, or the prior would be
            // stronger for whoever has few games inside the group.
            games / p->total_games[counts[i].first] + games / p->total_games[counts[i].second];
        f->virtuals[f->virtual_nb++] =
            (RatingCount){c->first, c->second, 0.0, k / 4.0 * share, 0.0};
        f->virtuals[f->virtual_nb++] =
            (RatingCount){c->second, c->first, 0.0, k / 4.0 * share, 0.0};
    }
}

static void priors_fill(const Pool *p, int group, GroupFit *g) {
    FitProblem *f = &g->problem;
    const RatingOptions *o = p->options;
    for (size_t i = 0; i < o->anchor_nb && f->is_absolute; i++) {
        const RatingAnchor *a = &o->anchors[i];
        if (p->group_of[a->player] != group)
            continue;
        int local = p->local[a->player];
        // The start of the fit, and for an exact anchor its place for good.
        g->theta[local] = a->elo / ELO_PER_LOGIT;
        if (a->sd > 0.0)
            f->anchors[f->anchor_nb++] =
                (RatingAnchor){local, a->elo / ELO_PER_LOGIT, a->sd / ELO_PER_LOGIT};
        else
            f->is_fixed[local] = true;
    }
    for (size_t i = 0; i < o->link_nb; i++) {
        const RatingLink *l = &o->links[i];
        if (p->group_of[l->a] == group)
            f->links[f->link_nb++] = (RatingLink){p->local[l->a], p->local[l->b],
                                                  l->delta / ELO_PER_LOGIT, l->sd / ELO_PER_LOGIT};
    }
}

// Pairs that reach across groups are left out, like their games: what they say goes into the
// bounds.
static void games_fill(const Pool *p, int group, FitProblem *f, const RatingCount *counts) {
    for (size_t i = 0; i < f->count_nb; i++) {
        f->counts[i] = counts[i];
        f->counts[i].first = p->local[counts[i].first];
        f->counts[i].second = p->local[counts[i].second];
    }
    for (size_t i = 0; i < p->input->pair_nb; i++) {
        const RatingPairs *pair = &p->input->pairs[i];
        if (p->group_of[pair->a] != group || p->group_of[pair->b] != group)
            continue;
        f->pairs[f->pair_nb] = *pair;
        f->pairs[f->pair_nb].a = p->local[pair->a];
        f->pairs[f->pair_nb++].b = p->local[pair->b];
    }
}

// What is fitted, what is given, and what has no finite value.
static void parameters_choose(const Pool *p, GroupFit *g, double *scratch) {
    FitProblem *f = &g->problem;
    const RatingOptions *o = p->options;
    f->model = o->model;
    double *advantage = &g->theta[f->players + FIT_ADVANTAGE],
           *width = &g->theta[f->players + FIT_DRAW_WIDTH];
    g->kind = ADVANTAGE_FINITE;
    if (o->is_advantage_fixed) {
        *advantage = o->advantage / ELO_PER_LOGIT;
    } else {
        // Virtual draws are points on both sides, both colours: nothing can run away then.
        if (!(o->prior_draws > 0.0))
            g->kind = graph_advantage_kind(f->players, f->counts, f->count_nb, scratch);
        if (g->kind == ADVANTAGE_FLAT && f->anchor_nb + f->link_nb > 0)
            g->kind = ADVANTAGE_FINITE; // priors on ratings tell the two apart
        f->is_advantage_fitted = g->kind != ADVANTAGE_FLAT;
        f->is_advantage_pinned = g->kind == ADVANTAGE_PLUS || g->kind == ADVANTAGE_MINUS;
    }
    double draws = 0.0, decisive = 0.0;
    for (size_t i = 0; i < f->count_nb; i++) {
        draws += f->counts[i].draws;
        decisive += f->counts[i].first_wins + f->counts[i].second_wins;
    }
    // Virtual draws are draws for the width as well, even where no game was drawn.
    draws += o->prior_draws > 0.0;
    // Where the fit of the width begins, and a harmless value where the model has none.
    *width = 10.0 / ELO_PER_LOGIT;
    if (o->model != RATING_RAO_KUPPER)
        return;
    if (o->is_draw_elo_fixed)
        *width = o->draw_elo / ELO_PER_LOGIT;
    else if (draws > 0.0 && decisive > 0.0)
        f->is_draw_width_fitted = true;
    else {
        // Without draws the width falls to 0, with nothing but draws it grows for ever.
        // ln(2 D + 1): a draw of equals then has chance D / (D + 1), as if one game more had been
        // decided.
        *width = decisive > 0.0 ? draw_elo_without_draws / ELO_PER_LOGIT : log(2.0 * draws + 1.0);
        g->is_draw_elo_assumed = true;
    }
}

static bool group_fit_alloc(GroupFit *g, const Pool *p, size_t count_nb, int players) {
    FitProblem *f = &g->problem;
    size_t n = (size_t)players + FIT_EXTRA;
    f->players = players;
    f->count_nb = count_nb;
    f->counts = calloc(count_nb + 1, sizeof *f->counts);
    f->virtuals = calloc(2 * count_nb + 1, sizeof *f->virtuals);
    f->pairs = calloc(p->input->pair_nb + 1, sizeof *f->pairs);
    f->anchors = calloc(p->options->anchor_nb + 1, sizeof *f->anchors);
    f->links = calloc(p->options->link_nb + 1, sizeof *f->links);
    // Arrays as long as they can get, the whole input's pairs for each group: a group is freed
    // before the next is made.
    f->is_fixed = calloc((size_t)players, sizeof *f->is_fixed);
    g->theta = calloc(n, sizeof *g->theta);
    g->matrix = calloc(n * n, sizeof *g->matrix);
    g->work = calloc(2 * n * (n + 1), sizeof *g->work);
    return f->counts && f->virtuals && f->pairs && f->anchors && f->links && f->is_fixed &&
           g->theta && g->matrix && g->work;
}

// Standard error of a place of the fit, in Elo.
static StatValue place_error(const GroupFit *g, const Rating *out, size_t place) {
    size_t n = (size_t)g->problem.players + FIT_EXTRA;
    return pool_error(out->errors, g->matrix[place * n + place] * ELO_PER_LOGIT * ELO_PER_LOGIT);
}

// Ratings, covariance and the group's own parameters into the result.
static void group_store(Pool *p, int group, const GroupFit *g, Rating *out) {
    const FitProblem *f = &g->problem;
    size_t n = (size_t)f->players + FIT_EXTRA, all = (size_t)p->input->players;
    const int *member = p->member + p->member_start[group];
    for (int i = 0; i < f->players; i++) {
        p->elo[member[i]] = g->theta[i] * ELO_PER_LOGIT;
        for (int j = 0; j < f->players; j++)
            out->covariance[(size_t)member[i] * all + (size_t)member[j]] =
                g->matrix[(size_t)i * n + (size_t)j] * ELO_PER_LOGIT * ELO_PER_LOGIT;
    }
    size_t h = (size_t)f->players + FIT_ADVANTAGE, e = (size_t)f->players + FIT_DRAW_WIDTH;
    RatingGroup *r = &out->group[group];
    p->advantage[group] = g->theta[h] * ELO_PER_LOGIT;
    p->draw_elo[group] = g->theta[e] * ELO_PER_LOGIT;
    r->is_advantage_flat = g->kind == ADVANTAGE_FLAT;
    r->is_absolute = f->is_absolute;
    // Where advantage and strength are confounded, 0 is as good as any other value and the ratings
    // say so; it is not an estimate.
    r->advantage = r->is_advantage_flat
                       ? stat_missing("who moves first and who plays cannot be told apart")
                       : stat_value(p->advantage[group]);
    r->advantage_bound = g->kind == ADVANTAGE_PLUS    ? BOUND_ABOVE
                         : g->kind == ADVANTAGE_MINUS ? BOUND_BELOW
                                                      : BOUND_NONE;
    r->advantage_se = p->options->is_advantage_fixed ? stat_missing("the advantage was given")
                      : g->kind != ADVANTAGE_FINITE
                          ? stat_missing("the advantage has no finite value")
                          : place_error(g, out, h);
    if (f->model == RATING_RAO_KUPPER) {
        r->draw_elo = stat_value(p->draw_elo[group]);
        r->draw_elo_se = f->is_draw_width_fitted ? place_error(g, out, e)
                                                 : stat_missing("the draw width was given");
    } else {
        r->draw_elo = r->draw_elo_se = stat_missing("draws count as half wins");
    }
    out->is_draw_elo_assumed = out->is_draw_elo_assumed || g->is_draw_elo_assumed;
}

Status pool_fit_group(Pool *p, int group, Rating *out, ErrorText *err) {
    GroupFit g = {0};
    int players = p->member_start[group + 1] - p->member_start[group];
    const RatingCount *counts = p->counts + p->count_start[group];
    size_t count_nb = p->count_start[group + 1] - p->count_start[group];
    Status status = STATUS_OK;
    if (!group_fit_alloc(&g, p, count_nb, players)) {
        status = error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players", players);
        goto done;
    }
    g.problem.is_absolute = p->is_absolute[group];
    games_fill(p, group, &g.problem, counts);
    virtuals_fill(p, &g.problem, counts);
    priors_fill(p, group, &g);
    parameters_choose(p, &g, g.work);
    double log_likelihood;
    // A fit that stays singular still has the best point found; its covariance is unknown, left at
    // 0.
    bool is_sound = fit_newton(&g.problem, g.theta, g.matrix, &log_likelihood);
    out->log_likelihood += log_likelihood;
    if (!is_sound)
        memset(g.matrix, 0,
               ((size_t)players + FIT_EXTRA) * ((size_t)players + FIT_EXTRA) * sizeof *g.matrix);
    else if (out->errors == ERRORS_SANDWICH)
        fit_sandwich(&g.problem, g.theta, g.matrix, g.work);
    // Each group resamples from its own stream, or equal groups would be drawn alike.
    else if (out->errors == ERRORS_BOOTSTRAP &&
             !rating_bootstrap(&g.problem, g.theta, p->options->bootstrap_rounds,
                               p->options->seed + (uint64_t)group, g.matrix))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory in the bootstrap of %d players",
                           players);
    if (!status)
        group_store(p, group, &g, out);
done:
    group_fit_release(&g);
    return status;
}

// Points that a group is short of (or has beyond) a perfect score against the groups placed before
// it, as a function of how far it is shifted; half a point is where the bound lies.
typedef struct Shift {
    const Pool *pool;
    int group;
    bool is_above;
    double advantage, draw_width;
    size_t count_nb; // of pool->across that matter
} Shift;

// Whether a game across groups counts for the bound: against the reference or a placed group on the
// same side.
static bool shift_counts(const Shift *s, int other) {
    const Pool *p = s->pool;
    int table = p->table_of[s->group];
    if (p->table_of[other] != table)
        return false;
    int reference = p->reference[table];
    // Group numbers rise with the points: see graph_components_strong. Games against groups on the
    // far side of the reference would mix both bounds.
    return s->is_above ? other < s->group && other >= reference
                       : other > s->group && other <= reference;
}

static double shift_excess(double shift, void *ctx) {
    const Shift *s = ctx;
    const Pool *p = s->pool;
    double points = 0.0;
    for (size_t i = 0; i < s->count_nb; i++) {
        const RatingCount *c = p->across[i];
        int a = p->group_of[c->first];
        double games = c->first_wins + c->draws + c->second_wins, sign = a == s->group ? 1.0 : -1.0;
        double x =
            (p->elo[c->first] - p->elo[c->second] + sign * shift + s->advantage) / ELO_PER_LOGIT;
        // What the winner is expected to lose: the first mover's points when the loser moved first,
        // else the second's.
        bool is_first_winner = (a == s->group) == s->is_above;
        RatingModel model = p->options->model;
        // Rises or falls with the shift throughout, so the root is the only one.
        points += games * fit_expected_score(model, is_first_winner ? -x : x, s->draw_width);
    }
    return points - 0.5;
}

static void group_place(Pool *p, int group, bool is_above) {
    int reference = p->reference[p->table_of[group]];
    // A group of one has no advantage of its own; games across are judged by the reference's.
    Shift s = {p, group, is_above, p->advantage[reference], p->draw_elo[reference] / ELO_PER_LOGIT,
               0};
    for (size_t i = p->count_start[p->groups]; i < p->input->count_nb; i++) {
        int a = p->group_of[p->counts[i].first], b = p->group_of[p->counts[i].second];
        if ((a == group || b == group) && shift_counts(&s, a == group ? b : a))
            p->across[s.count_nb++] = &p->counts[i];
    }
    double shift;
    // 40000 Elo: with COUNT_MAX games half a point is reached within some 6000 of the opponents.
    if (!numeric_root(shift_excess, &s, -40000.0, 40000.0, &shift))
        shift = 0.0;
    for (int i = p->member_start[group]; i < p->member_start[group + 1]; i++)
        p->elo[p->member[i]] += shift;
}

// Where a reference is a single player no rating exists in the table at all: it, too, only has a
// bound unless there are players on both sides of it.
static RatingBound reference_bound(const Pool *p, int table) {
    int reference = p->reference[table];
    if (p->member_start[reference + 1] - p->member_start[reference] > 1 ||
        p->is_absolute[reference])
        return BOUND_NONE;
    bool is_above = false, is_below = false;
    for (int g = 0; g < p->groups; g++) {
        is_above = is_above || (p->table_of[g] == table && g > reference);
        is_below = is_below || (p->table_of[g] == table && g < reference);
    }
    // With players on both sides of it, or on neither, it is the zero that theirs are bounds
    // against.
    return is_above == is_below ? BOUND_NONE : is_above ? BOUND_BELOW : BOUND_ABOVE;
}

// The level of a table: its single anchor, else the mean of the reference group (of the table, when
// that is one player).
// An exact single anchor does not enter the fit: it moves the finished table as a whole.
static double table_level(const Pool *p, int table) {
    const RatingOptions *o = p->options;
    int reference = p->reference[table];
    if (p->is_absolute[reference])
        return 0.0;
    if (o->anchor_nb == 1 && o->anchors[0].sd == 0.0 &&
        p->table_of[p->group_of[o->anchors[0].player]] == table)
        return p->elo[o->anchors[0].player] - o->anchors[0].elo;
    int size = p->member_start[reference + 1] - p->member_start[reference], count = 0;
    double sum = 0.0;
    for (int i = 0; i < p->input->players; i++) {
        int g = p->group_of[i];
        if (size > 1 ? g == reference : p->table_of[g] == table) {
            sum += p->elo[i];
            count++;
        }
    }
    return sum / count - o->offset;
}

void pool_place_groups(Pool *p, Rating *out) {
    // Groups are numbered so that points flow upward in number: upward from the reference, each
    // group only meets groups already placed; then downward.
    for (int g = 0; g < p->groups; g++)
        if (g > p->reference[p->table_of[g]])
            group_place(p, g, true);
    for (int g = p->groups - 1; g >= 0; g--)
        if (g < p->reference[p->table_of[g]])
            group_place(p, g, false);
    for (int i = 0; i < p->input->players; i++) {
        int g = p->group_of[i], reference = p->reference[p->table_of[g]];
        out->player[i].bound = g > reference   ? BOUND_ABOVE
                               : g < reference ? BOUND_BELOW
                                               : reference_bound(p, p->table_of[g]);
    }
    for (int t = 0; t < p->tables; t++) {
        double level = table_level(p, t);
        for (int i = 0; i < p->input->players; i++)
            if (p->table_of[p->group_of[i]] == t)
                p->elo[i] -= level;
    }
}
