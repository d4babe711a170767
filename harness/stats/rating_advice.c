// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings about a rating list, and the weakest link.
#include "harness/stats/rating_advice.h"

#include "harness/stats/rating_fit.h"
#include "harness/stats/rating_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double weak_ratio =
    9.0; // variance along the cut over that of the rest: errors three times as wide
static const double least_share = 1e-9; // of the leading variance: less is rounding
enum { POWER_ROUNDS = 300, NAMES_SHOWN = 6 };

int rating_main_group(const Rating *r) {
    int best = -1;
    for (int g = 0; g < r->group_nb; g++)
        if (r->group[g].players > 1 && (best < 0 || r->group[g].games > r->group[best].games))
            best = g;
    return best;
}

// One group's covariance against its own mean, with its members.
typedef struct GroupView {
    int players;
    int *member;    // player indices
    double *c;      // players^2
    double *vector; // the leading direction, length 1
    double *image;
} GroupView;

static void view_release(GroupView *v) {
    free(v->member);
    free(v->c);
    free(v->vector);
    free(v->image);
}

// The covariance against the group's mean: rows, columns and the whole are centred (C_ij - row_i -
// row_j + mean), which takes out the direction in which all ratings move together.
static bool view_init(GroupView *v, const Rating *r, int group) {
    size_t n = (size_t)r->group[group - 1].players, all = (size_t)r->players;
    *v = (GroupView){.member = malloc(n * sizeof *v->member),
                     .c = malloc(n * n * sizeof *v->c),
                     .vector = malloc(n * sizeof *v->vector),
                     .image = malloc(n * sizeof *v->image)};
    if (!v->member || !v->c || !v->vector || !v->image)
        return false;
    for (int i = 0; i < r->players; i++)
        if (r->player[i].group == group)
            v->member[v->players++] = i;
    double mean = 0.0;
    for (size_t i = 0; i < n; i++) {
        v->image[i] = 0.0; // row means for now
        for (size_t j = 0; j < n; j++)
            v->image[i] +=
                r->covariance[(size_t)v->member[i] * all + (size_t)v->member[j]] / (double)n;
        mean += v->image[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            v->c[i * n + j] = r->covariance[(size_t)v->member[i] * all + (size_t)v->member[j]] -
                              v->image[i] - v->image[j] + mean;
    return true;
}

static void view_multiply(const GroupView *v, const double *x, double *out) {
    size_t n = (size_t)v->players;
    for (size_t i = 0; i < n; i++) {
        out[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            out[i] += v->c[i * n + j] * x[j];
    }
}

// Power iteration from the player with the widest error; returns the leading variance.
// The leading eigenvector is the contrast of players that the games know least about; with one weak
// link its two sides stand out as two levels.
static double view_lead(GroupView *v) {
    size_t n = (size_t)v->players, widest = 0;
    for (size_t i = 0; i < n; i++)
        if (v->c[i * n + i] > v->c[widest * n + widest])
            widest = i;
    for (size_t i = 0; i < n; i++)
        v->vector[i] = i == widest ? 1.0 : -0.1 / (double)n;
    double length = 0.0;
    for (int round = 0; round < POWER_ROUNDS; round++) {
        view_multiply(v, v->vector, v->image);
        double before = length;
        length = 0.0;
        for (size_t i = 0; i < n; i++)
            length += v->image[i] * v->image[i];
        length = sqrt(length);
        if (!(length > 0.0))
            return 0.0;
        for (size_t i = 0; i < n; i++)
            v->vector[i] = v->image[i] / length;
        // A nine-fold gap, which is all that matters here, settles within a few rounds; equal
        // eigenvalues would never settle the direction, only the length.
        if (round > 0 && fabs(length - before) < 1e-9 * length)
            break;
    }
    return length;
}

static int double_compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Cuts the group where the sorted direction has its widest gap; marks the smaller side.
// Of two levels the widest gap is the cut between them.
static int view_cut(GroupView *v, char *side) {
    int n = v->players, above = 0;
    memcpy(v->image, v->vector, (size_t)n * sizeof *v->image);
    qsort(v->image, (size_t)n, sizeof *v->image, double_compare);
    int widest = 1;
    for (int i = 2; i < n; i++)
        if (v->image[i] - v->image[i - 1] > v->image[widest] - v->image[widest - 1])
            widest = i;
    double limit = v->image[widest];
    above = n - widest;
    for (int i = 0; i < n; i++)
        side[v->member[i]] = (v->vector[i] >= limit) == (2 * above <= n);
    return 2 * above <= n ? above : n - above;
}

// The variance of the difference of the two sides, and the pairing whose games shrink it most:
// games of i and j add information w on d = e_i - e_j, which takes w (u C d)^2 / (1 + w d C d) from
// u C u.
static void view_best_pairing(GroupView *v, const Rating *r, const char *side,
                              RatingWeakLink *out) {
    size_t n = (size_t)v->players;
    double variance = 0.0, best = -1.0;
    for (size_t i = 0; i < n; i++)
        v->vector[i] =
            side[v->member[i]] ? 1.0 / out->side_players : -1.0 / (v->players - out->side_players);
    view_multiply(v, v->vector, v->image);
    for (size_t i = 0; i < n; i++)
        variance += v->vector[i] * v->image[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int a = v->member[i], b = v->member[j];
            if (!side[a] || side[b])
                continue;
            double p = fit_expected_score(
                RATING_HALF_WIN, (r->player[a].elo.value - r->player[b].elo.value) / ELO_PER_LOGIT,
                0.0);
            // Information of that many games of two players whose first score is p, without the
            // advantage.
            double weight = ADVICE_GAMES * p * (1.0 - p) / (ELO_PER_LOGIT * ELO_PER_LOGIT);
            double own = v->c[i * n + i] + v->c[j * n + j] - 2.0 * v->c[i * n + j],
                   shared = v->image[i] - v->image[j];
            double gain = weight * shared * shared / (1.0 + weight * own);
            if (gain > best) {
                best = gain;
                out->best_a = a;
                out->best_b = b;
            }
        }
    out->se = sqrt(fmax(0.0, variance));
    out->se_after = sqrt(fmax(0.0, variance - best));
}

Status rating_weak_link(const RatingInput *input, const Rating *r, int group, char *side,
                        RatingWeakLink *out, ErrorText *err) {
    GroupView v = {0};
    *out = (RatingWeakLink){.group = group};
    memset(side, 0, (size_t)r->players);
    if (r->group[group - 1].players < 3)
        return STATUS_OK;
    if (!view_init(&v, r, group)) {
        view_release(&v);
        return error_set(err, STATUS_NO_MEMORY, "out of memory looking for weak links");
    }
    // The trace less the leading variance, over the directions left (one is the common shift).
    size_t n = (size_t)v.players;
    double lead = view_lead(&v), rest = -lead;
    for (size_t i = 0; i < n; i++)
        rest += v.c[i * n + i];
    rest /= fmax(1.0, (double)n - 2.0);
    // Pairs that all ended alike leave errors of nothing but rounding, by which any other looks
    // wide.
    if (lead > weak_ratio * rest && rest > least_share * lead) {
        *out = (RatingWeakLink){
            .group = group, .se_inside = sqrt(rest), .side_players = view_cut(&v, side)};
        for (size_t i = 0; i < input->count_nb; i++) {
            const RatingCount *c = &input->counts[i];
            if (r->player[c->first].group == group && r->player[c->second].group == group &&
                side[c->first] != side[c->second])
                out->games += c->first_wins + c->draws + c->second_wins;
        }
        view_best_pairing(&v, r, side, out);
        // The eigenvector finds the place, the two means of the cut say whether it matters to a
        // reader.
        out->is_weak = out->se > 2.0 * out->se_inside;
    }
    view_release(&v);
    return STATUS_OK;
}

// Names of the players that `wanted` marks, the first few.
static void names_append(const RatingInput *input, const Rating *r, const char *wanted, Text *out) {
    int shown = 0, total = 0;
    for (int i = 0; i < r->players; i++) {
        int player = r->order[i];
        if (!wanted[player])
            continue;
        if (total++ < NAMES_SHOWN)
            text_printf(out, "%s%s", shown++ ? ", " : "", input->names[player]);
    }
    if (total > shown)
        text_printf(out, " and %d more", total - shown);
}

static void mark(const Rating *r, int group, int table, RatingBound bound, char *wanted) {
    for (int i = 0; i < r->players; i++)
        wanted[i] = (group == 0 || r->player[i].group == group) &&
                    (table == 0 || r->player[i].table == table) &&
                    (bound == BOUND_NONE || r->player[i].bound == bound);
}

static void warn_tables(const RatingInput *input, const Rating *r, char *wanted, Text *out) {
    if (r->table_nb < 2)
        return;
    text_printf(out, "%d tables: no results tell how players of different tables compare\n",
                r->table_nb);
    for (int t = 1; t <= r->table_nb && t <= NAMES_SHOWN; t++) {
        mark(r, 0, t, BOUND_NONE, wanted);
        text_printf(out, "table %d: ", t);
        names_append(input, r, wanted, out);
        text_append(out, "\n");
    }
}

static void warn_unrated(const RatingInput *input, const Rating *r, char *wanted, Text *out) {
    int unrated = 0;
    for (int i = 0; i < r->players; i++)
        unrated += wanted[i] = !stat_exists(r->player[i].elo);
    if (!unrated)
        return;
    names_append(input, r, wanted, out);
    text_append(out, ": no games, so no rating\n");
}

// By group: all players of a group hang on the same one-way link.
static void warn_bounds(const RatingInput *input, const Rating *r, char *wanted, Text *out) {
    int shown = 0, left = 0;
    for (int g = 0; g < r->group_nb; g++) {
        RatingBound bound = BOUND_NONE;
        for (int i = 0; i < r->players; i++)
            if (r->player[i].group == g + 1)
                bound = r->player[i].bound;
        if (bound == BOUND_NONE)
            continue;
        if (shown++ >= NAMES_SHOWN) {
            left++;
            continue;
        }
        mark(r, g + 1, 0, BOUND_NONE, wanted);
        names_append(input, r, wanted, out);
        text_printf(out,
                    ": %s; the number is where the rating would be had half a point more been %s, "
                    "the truth lies %s it\n",
                    bound == BOUND_ABOVE ? "no point lost across the link to those below"
                                         : "no point taken from those above",
                    bound == BOUND_ABOVE ? "lost" : "won",
                    bound == BOUND_ABOVE ? "above" : "below");
    }
    if (left)
        text_printf(out, "and %d more groups with only a bound\n", left);
}

// What the numbers rest on beside the games: a reader who disagrees can fix it by an option.
static void warn_assumptions(const RatingOptions *o, const Rating *r, Text *out) {
    int main_group = rating_main_group(r), with_advantage = 0;
    for (int g = 0; g < r->group_nb; g++) {
        const RatingGroup *group = &r->group[g];
        with_advantage += group->players > 1;
        if (group->is_advantage_flat)
            text_printf(out,
                        "group %d: who moves first and who plays cannot be told apart; the "
                        "advantage was taken as 0\n",
                        g + 1);
        if (group->advantage_bound != BOUND_NONE)
            text_printf(out,
                        "group %d: no result limits the first-move advantage %s; the number is a "
                        "bound (one game more, drawn)\n",
                        g + 1, group->advantage_bound == BOUND_ABOVE ? "from above" : "from below");
    }
    if (with_advantage > 1 && !o->is_advantage_fixed)
        text_printf(out,
                    "the first-move advantage is that of group %d, which has the most games; each "
                    "group has its own\n",
                    main_group + 1);
    if (with_advantage == 0 && !o->is_advantage_fixed)
        text_append(out, "the first-move advantage cannot be estimated: nobody took points from "
                         "each other both ways\n");
    if (o->prior_draws > 0.0)
        text_printf(out,
                    "a prior of %g virtual draws a player was used: ratings are pulled towards "
                    "each other\n",
                    o->prior_draws);
    if (r->is_draw_elo_assumed)
        text_append(
            out,
            "the draw width could not be fitted (no draws, or nothing else) and was assumed\n");
}

// Whose clustered errors were not let below the model's (fit_sandwich).
static Status warn_few_pairs(const RatingInput *input, const Rating *r, char *wanted, Text *out,
                             ErrorText *err) {
    if (r->errors != ERRORS_SANDWICH)
        return STATUS_OK;
    double *clusters = malloc(((size_t)r->players + 1) * sizeof *clusters);
    if (!clusters)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    fit_clusters(input->counts, input->count_nb, input->pairs, input->pair_nb, r->players,
                 clusters);
    int few = 0;
    for (int i = 0; i < r->players; i++)
        few += wanted[i] = clusters[i] < FIT_FEW_CLUSTERS && stat_exists(r->player[i].se);
    free(clusters);
    if (!few)
        return STATUS_OK;
    names_append(input, r, wanted, out);
    text_printf(out,
                ": fewer than %d pairs, too few to show how far they scatter; the errors are those "
                "of the model where these are larger\n",
                FIT_FEW_CLUSTERS);
    return STATUS_OK;
}

// One link a group: after the pairing that it names has been played, the next one shows.
static Status warn_weak_links(const RatingInput *input, const Rating *r, char *side, Text *out,
                              ErrorText *err) {
    for (int g = 1; g <= r->group_nb; g++) {
        RatingWeakLink link;
        Status status = rating_weak_link(input, r, g, side, &link, err);
        if (status)
            return status;
        if (!link.is_weak)
            continue;
        text_printf(out, "weak link: ");
        names_append(input, r, side, out);
        text_printf(out,
                    " against the rest of group %d: %.0f games, error of the difference %.0f Elo "
                    "(%.0f inside); "
                    "%d games of %s against %s would bring it to %.0f\n",
                    g, link.games, link.se, link.se_inside, ADVICE_GAMES, input->names[link.best_a],
                    input->names[link.best_b], link.se_after);
    }
    return STATUS_OK;
}

// Neighbours in the list whose order the games do not show.
static void warn_close(const RatingInput *input, const Rating *r, Text *out) {
    int close = 0, neighbours = 0, a = -1, b = -1;
    for (int i = 1; i < r->players; i++) {
        RatingDifference d = rating_difference(r, r->order[i - 1], r->order[i]);
        if (!stat_exists(d.elo) || !stat_exists(d.se))
            continue;
        neighbours++;
        if (d.elo.value < 1.959963984540054 * d.se.value && close++ == 0) {
            a = r->order[i - 1];
            b = r->order[i];
        }
    }
    if (close)
        text_printf(out,
                    "%d of %d neighbours differ by less than the 95 %% error of their difference "
                    "(first: %s and %s): "
                    "their order is not shown by these games\n",
                    close, neighbours, input->names[a], input->names[b]);
}

Status rating_warnings(const RatingInput *input, const RatingOptions *options, const Rating *rating,
                       Text *out, ErrorText *err) {
    char *wanted = malloc((size_t)rating->players + 1);
    if (!wanted)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    warn_tables(input, rating, wanted, out);
    warn_unrated(input, rating, wanted, out);
    warn_bounds(input, rating, wanted, out);
    warn_assumptions(options, rating, out);
    Status status = warn_few_pairs(input, rating, wanted, out, err);
    if (!status)
        status = warn_weak_links(input, rating, wanted, out, err);
    free(wanted);
    if (status)
        return status;
    warn_close(input, rating, out);
    return out->failed ? error_set(err, STATUS_NO_MEMORY, "out of memory") : STATUS_OK;
}
