// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings of a pool: checks the request, fits every group, places them, and says how sure each
// number is.
#include "harness/stats/rating.h"

#include "harness/stats/elo.h"
#include "harness/stats/rating_pool.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const char other_group[] = "the two are not linked by points taken both ways";
static const char only_bound[] = "a perfect score across a one-way link: only a bound exists";
static const char alone[] = "no games with anyone to compare with";
static const char no_games[] = "no games";
static const char no_scatter[] = "the pairs are too few or too alike to tell an error";

RatingOptions rating_options_default(void) {
    // A draw width of 0.01 Elo is what Gomocup's own list is made with: draws are rare there.
    return (RatingOptions){.bootstrap_rounds = 1000, .seed = 1, .draw_elo = 0.01};
}

void rating_release(Rating *rating) {
    free(rating->player);
    free(rating->group);
    free(rating->order);
    free(rating->covariance);
    *rating = (Rating){0};
}

static bool player_is_valid(const RatingInput *in, int player) {
    return player >= 0 && player < in->players;
}

// Counts come from files: everything that indexes an array or could turn a sum into NaN is looked
// at here, once.
static Status games_check(const RatingInput *in, ErrorText *err) {
    for (size_t i = 0; i < in->count_nb; i++) {
        const RatingCount *c = &in->counts[i];
        if (!player_is_valid(in, c->first) || !player_is_valid(in, c->second))
            return error_set(err, STATUS_INVALID, "results %zu: no such player", i + 1);
        if (c->first == c->second)
            return error_set(err, STATUS_INVALID, "results %zu: %s against itself", i + 1,
                             in->names ? in->names[c->first] : "a player");
        if (!(c->first_wins >= 0.0 && c->draws >= 0.0 && c->second_wins >= 0.0) ||
            !(c->first_wins + c->draws + c->second_wins <= 3.0 * (double)COUNT_MAX))
            return error_set(err, STATUS_INVALID, "results %zu: a count is negative or too large",
                             i + 1);
    }
    for (size_t i = 0; i < in->pair_nb; i++)
        if (!player_is_valid(in, in->pairs[i].a) || !player_is_valid(in, in->pairs[i].b) ||
            in->pairs[i].a == in->pairs[i].b)
            return error_set(err, STATUS_INVALID, "pairs %zu: no such pairing", i + 1);
    return STATUS_OK;
}

static Status options_check(const RatingInput *in, const RatingOptions *o, ErrorText *err) {
    for (size_t i = 0; i < o->anchor_nb; i++) {
        if (!player_is_valid(in, o->anchors[i].player) || !isfinite(o->anchors[i].elo) ||
            !(o->anchors[i].sd >= 0.0))
            return error_set(err, STATUS_INVALID,
                             "anchor %zu: no such player, or its deviation is negative", i + 1);
        for (size_t j = 0; j < i; j++)
            if (o->anchors[i].player == o->anchors[j].player)
                return error_set(err, STATUS_INVALID, "anchor %zu: %s has an anchor already", i + 1,
                                 in->names ? in->names[o->anchors[i].player] : "the player");
    }
    for (size_t i = 0; i < o->link_nb; i++)
        if (!player_is_valid(in, o->links[i].a) || !player_is_valid(in, o->links[i].b) ||
            o->links[i].a == o->links[i].b || !(o->links[i].sd > 0.0) ||
            !isfinite(o->links[i].delta))
            return error_set(err, STATUS_INVALID,
                             "link %zu: two different players and a deviation above 0 are needed",
                             i + 1);
    if (!(o->prior_draws >= 0.0 && o->prior_draws <= 1e6))
        return error_set(err, STATUS_INVALID, "virtual draws %g: must be 0..1000000",
                         o->prior_draws);
    if (o->is_draw_elo_fixed && !(o->draw_elo > 0.0 && o->draw_elo <= 4000.0))
        return error_set(err, STATUS_INVALID, "draw width %g: must be above 0 and at most 4000 Elo",
                         o->draw_elo);
    if (o->is_advantage_fixed && !(fabs(o->advantage) <= 4000.0))
        return error_set(err, STATUS_INVALID, "advantage %g: must be within +-4000 Elo",
                         o->advantage);
    if (o->errors == ERRORS_BOOTSTRAP && o->bootstrap_rounds < 2)
        return error_set(err, STATUS_INVALID, "bootstrap rounds %d: must be at least 2",
                         o->bootstrap_rounds);
    if (o->against == AGAINST_PLAYER && !player_is_valid(in, o->against_player))
        return error_set(err, STATUS_INVALID, "errors against a player that does not exist");
    return STATUS_OK;
}

static Status rating_alloc(Rating *out, const RatingInput *in, ErrorText *err) {
    size_t n = (size_t)in->players + 1;
    out->players = in->players;
    out->player = calloc(n, sizeof *out->player);
    out->group = calloc(n, sizeof *out->group);
    out->order = calloc(n, sizeof *out->order);
    // The whole covariance, not its diagonal: errors of differences need it.
    out->covariance = calloc(n * n, sizeof *out->covariance);
    if (!out->player || !out->group || !out->order || !out->covariance)
        return error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players", in->players);
    return STATUS_OK;
}

static RatingErrors errors_choose(const RatingInput *in, const RatingOptions *o) {
    if (o->errors != ERRORS_AUTO)
        return o->errors;
    // Two games of one opening are not independent. Where openings are biased, the Hessian, which
    // takes them to be, overstates the errors of ratings and understates that of the advantage.
    return in->pair_nb > 0 ? ERRORS_SANDWICH : ERRORS_HESSIAN;
}

static int against_choose(const RatingOptions *o) {
    if (o->against == AGAINST_PLAYER)
        return o->against_player;
    if (o->against == AGAINST_MEAN || o->anchor_nb == 0)
        return AGAINST_GROUP_MEAN;
    // One exact anchor is a player of the pool that everybody is measured against; several anchors,
    // or one with an error of its own, make a scale that stands outside.
    return o->anchor_nb == 1 && o->anchors[0].sd == 0.0 ? o->anchors[0].player : AGAINST_SCALE;
}

static Status groups_fit(Pool *p, Rating *out, ErrorText *err) {
    for (int g = 0; g < p->groups; g++) {
        RatingGroup *r = &out->group[g];
        r->players = p->member_start[g + 1] - p->member_start[g];
        for (size_t i = p->count_start[g]; i < p->count_start[g + 1]; i++)
            r->games += p->counts[i].first_wins + p->counts[i].draws + p->counts[i].second_wins;
        r->advantage = r->advantage_se = r->draw_elo = r->draw_elo_se = stat_missing(alone);
        if (p->options->is_advantage_fixed)
            p->advantage[g] = p->options->advantage;
        // Nothing to fit: a player alone has no opponents in its group, and its rating is placed
        // later.
        if (r->players == 1 && !p->is_absolute[g])
            continue;
        Status status = pool_fit_group(p, g, out, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

// From the counts as given, games across groups included: the score is a plain fact, whatever can
// be rated.
static void scores_fill(const Pool *p, Rating *out) {
    for (int i = 0; i < p->input->players; i++) {
        out->player[i].games = p->total_games[i];
        out->player[i].score = stat_missing(no_games);
    }
    for (size_t i = 0; i < p->input->count_nb; i++) {
        const RatingCount *c = &p->input->counts[i];
        StatValue *first = &out->player[c->first].score, *second = &out->player[c->second].score;
        if (!(c->first_wins + c->draws + c->second_wins > 0.0))
            continue;
        // From missing to a value: points are summed here and divided by games below.
        first->reason = second->reason = NULL;
        first->value += c->first_wins + c->draws / 2.0;
        second->value += c->second_wins + c->draws / 2.0;
    }
    for (int i = 0; i < p->input->players; i++)
        if (out->player[i].games > 0.0)
            out->player[i].score.value /= out->player[i].games;
}

// Variance of r_i against the mean of its group: C_ii - 2 mean_j C_ij + mean_jk C_jk.
static double variance_against_mean(const Pool *p, const Rating *out, int i, double group_mean) {
    int g = p->group_of[i], size = p->member_start[g + 1] - p->member_start[g];
    size_t n = (size_t)p->input->players;
    double row = 0.0;
    for (int k = p->member_start[g]; k < p->member_start[g + 1]; k++)
        row += out->covariance[(size_t)i * n + (size_t)p->member[k]] / size;
    return out->covariance[(size_t)i * n + (size_t)i] - 2.0 * row + group_mean;
}

StatValue pool_error(RatingErrors errors, double variance) {
    if (errors != ERRORS_HESSIAN && !(variance > RATING_NO_SCATTER))
        return stat_missing(no_scatter);
    return stat_value(sqrt(fmax(0.0, variance)));
}

// Against a player the error is that of a difference; a group whose scale is fixed may be measured
// against that scale, any other only against its own mean.
static StatValue error_of(const Pool *p, const Rating *out, int i, double group_mean) {
    size_t n = (size_t)p->input->players;
    if (out->against >= 0) {
        if (i == out->against)
            return stat_value(0.0);
        return rating_difference(out, i, out->against).se;
    }
    double variance = out->against == AGAINST_GROUP_MEAN || !p->is_absolute[p->group_of[i]]
                          ? variance_against_mean(p, out, i, group_mean)
                          : out->covariance[(size_t)i * n + (size_t)i];
    return out->player[i].is_fixed ? stat_value(sqrt(fmax(0.0, variance)))
                                   : pool_error(out->errors, variance);
}

// A rating alone in its group has no error inside it; a bound has no interval at all, since its
// truth may lie any distance beyond the number.
static void player_fill(const Pool *p, Rating *out, int i, double group_mean) {
    RatedPlayer *r = &out->player[i];
    int g = p->group_of[i], size = p->member_start[g + 1] - p->member_start[g];
    r->group = out->group[g].group;
    r->table = out->group[g].table;
    r->elo = r->games > 0.0 || p->is_absolute[g] ? stat_value(p->elo[i]) : stat_missing(no_games);
    if (size == 1 && !p->is_absolute[g]) {
        r->se = r->lo = r->hi = stat_missing(r->bound != BOUND_NONE ? only_bound : alone);
        if (out->against == i)
            r->se = stat_value(0.0);
        return;
    }
    r->se = error_of(p, out, i, group_mean);
    if (r->bound != BOUND_NONE) {
        r->lo = r->hi = stat_missing(only_bound); // the error is that inside the group
    } else if (stat_exists(r->se)) {
        r->lo = stat_value(p->elo[i] - NORMAL_Z95 * r->se.value);
        r->hi = stat_value(p->elo[i] + NORMAL_Z95 * r->se.value);
    } else {
        r->lo = r->hi = r->se;
    }
}

static void players_fill(const Pool *p, Rating *out) {
    size_t n = (size_t)p->input->players;
    for (int i = 0; i < p->input->players; i++) // rating_difference looks at these
        out->player[i].group = out->group[p->group_of[i]].group;
    for (size_t i = 0; i < p->options->anchor_nb; i++)
        if (p->is_absolute[p->group_of[p->options->anchors[i].player]])
            out->player[p->options->anchors[i].player].is_fixed = p->options->anchors[i].sd == 0.0;
    for (int g = 0; g < p->groups; g++) {
        int size = p->member_start[g + 1] - p->member_start[g];
        // The mean of all covariances of the group is the variance of its mean rating.
        double mean = 0.0;
        for (int a = p->member_start[g]; a < p->member_start[g + 1]; a++)
            for (int b = p->member_start[g]; b < p->member_start[g + 1]; b++)
                mean += out->covariance[(size_t)p->member[a] * n + (size_t)p->member[b]] /
                        ((double)size * size);
        for (int a = p->member_start[g]; a < p->member_start[g + 1]; a++)
            player_fill(p, out, p->member[a], mean);
    }
}

// A sort key beside the index, since qsort passes no context.
typedef struct OrderKey {
    int table, index;
    double elo;
} OrderKey;

static int order_compare(const void *left, const void *right) {
    const OrderKey *a = left, *b = right;
    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    if (a->elo != b->elo)
        return a->elo > b->elo ? -1 : 1;
    // Equal ratings in the order of the input, so that qsort, which is not stable, has no say.
    return (a->index > b->index) - (a->index < b->index);
}

static Status order_fill(const Pool *p, Rating *out, ErrorText *err) {
    OrderKey *keys = malloc((size_t)(p->input->players + 1) * sizeof *keys);
    if (!keys)
        return error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players",
                         p->input->players);
    for (int i = 0; i < p->input->players; i++)
        keys[i] = (OrderKey){p->table_of[p->group_of[i]], i, p->elo[i]};
    qsort(keys, (size_t)p->input->players, sizeof *keys, order_compare);
    for (int i = 0; i < p->input->players; i++)
        out->order[i] = keys[i].index;
    free(keys);
    return STATUS_OK;
}

// Groups are shown from the strongest down within their table, tables one after the other: number
// them that way.
static void groups_number(const Pool *p, Rating *out) {
    int next = 0;
    for (int i = 0; i < p->input->players; i++) {
        int g = p->group_of[out->order[i]];
        if (!out->group[g].group) {
            out->group[g].group = ++next;
            out->group[g].table = p->table_of[g] + 1;
        }
    }
}

static Status groups_sort(Rating *out, ErrorText *err) {
    RatingGroup *sorted = calloc((size_t)out->group_nb + 1, sizeof *sorted);
    if (!sorted)
        return error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players", out->players);
    for (int g = 0; g < out->group_nb; g++)
        sorted[out->group[g].group - 1] = out->group[g];
    free(out->group);
    out->group = sorted;
    return STATUS_OK;
}

Status rating_compute(const RatingInput *input, const RatingOptions *options, Rating *out,
                      ErrorText *err) {
    Pool pool = {0};
    Rating rating = {0};
    Status status = games_check(input, err);
    if (!status)
        status = options_check(input, options, err);
    if (!status)
        status = rating_alloc(&rating, input, err);
    if (!status)
        status = pool_init(&pool, input, options, err);
    if (status)
        goto done;
    rating.group_nb = pool.groups;
    rating.table_nb = pool.tables;
    rating.errors = errors_choose(input, options);
    rating.against = against_choose(options);
    status = groups_fit(&pool, &rating, err);
    if (status)
        goto done;
    // Order matters from here on: places need the fits, the order needs the places, the numbers of
    // groups need the order, and the errors need the numbers (rating_difference asks for groups).
    pool_place_groups(&pool, &rating);
    scores_fill(&pool, &rating);
    status = order_fill(&pool, &rating, err);
    if (status)
        goto done;
    groups_number(&pool, &rating);
    players_fill(&pool, &rating);
    status = groups_sort(&rating, err);
    if (status)
        goto done;
    *out = rating;
    rating = (Rating){0};
done:
    pool_release(&pool);
    rating_release(&rating);
    return status;
}

RatingDifference rating_difference(const Rating *rating, int i, int j) {
    size_t n = (size_t)rating->players, a = (size_t)i, b = (size_t)j;
    const double *c = rating->covariance;
    if (rating->player[i].group != rating->player[j].group) {
        StatValue none = stat_missing(other_group);
        return (RatingDifference){none, none, none};
    }
    double elo = rating->player[i].elo.value - rating->player[j].elo.value;
    double variance = c[a * n + a] + c[b * n + b] - 2.0 * c[a * n + b];
    if (rating->player[i].is_fixed && rating->player[j].is_fixed)
        return (RatingDifference){stat_value(elo), stat_value(0.0),
                                  stat_missing("the two ratings are tied together")};
    StatValue se = pool_error(rating->errors, variance);
    return (RatingDifference){
        .elo = stat_value(elo),
        .se = se,
        .los = !stat_exists(se) ? se
               : se.value > 0.0 ? stat_value(gsl_cdf_ugaussian_P(elo / se.value))
                                : stat_missing("the two ratings are tied together"),
    };
}

// A pair that one side won twice, as one game without a first mover.
Status rating_compute_opening_free(const RatingInput *input, const RatingOptions *options,
                                   Rating *out, ErrorText *err) {
    RatingCount *decisive = calloc(input->pair_nb + 1, sizeof *decisive);
    if (!decisive)
        return error_set(err, STATUS_NO_MEMORY, "out of memory rating %d players", input->players);
    RatingInput reduced = *input;
    reduced.counts = decisive;
    reduced.count_nb = input->pair_nb;
    reduced.pairs = NULL;
    reduced.pair_nb = 0;
    for (size_t i = 0; i < input->pair_nb; i++)
        decisive[i] = (RatingCount){input->pairs[i].a, input->pairs[i].b, input->pairs[i].n[2][2],
                                    0.0, input->pairs[i].n[0][0]};
    RatingOptions plain = *options;
    plain.model = RATING_HALF_WIN;
    // Who moved first has cancelled within the pair, and pairs are the observations: there is
    // nothing left to cluster.
    plain.is_advantage_fixed = true;
    plain.advantage = 0.0;
    plain.errors = options->errors == ERRORS_BOOTSTRAP ? ERRORS_BOOTSTRAP : ERRORS_HESSIAN;
    plain.anchor_nb = plain.link_nb = 0; // their scale is not that of the doubled difference
    plain.offset = 0.0;
    Status status = rating_compute(&reduced, &plain, out, err);
    free(decisive);
    if (status)
        return status;
    // The odds of a pair are those of twice the difference.
    for (int i = 0; i < out->players; i++) {
        StatValue *values[] = {&out->player[i].elo, &out->player[i].se, &out->player[i].lo,
                               &out->player[i].hi};
        for (int k = 0; k < 4; k++)
            values[k]->value /= 2.0;
    }
    for (size_t i = 0; i < (size_t)out->players * (size_t)out->players; i++)
        out->covariance[i] /= 4.0;
    return STATUS_OK;
}
