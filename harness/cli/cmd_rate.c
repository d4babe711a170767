// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab rate`: ratings of a pool from files of results and databases.
#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "harness/cli/command.h"
#include "harness/cli/rate_input.h"
#include "harness/report/rating_view.h"
#include "harness/stats/rating_advice.h"

#include <stdlib.h>
#include <string.h>

// What takes a word besides numbers, or names that are known only after reading, stays text here.
typedef struct RateOptions {
    OptionList files, anchors, links;
    const char *advantage, *against;
    double draw_elo, prior_draws, offset;
    int64_t rounds, seed;
    int draws, errors, format;
    bool is_opening_free, has_superiority, is_explained;
} RateOptions;

static const Option OPTIONS[] = {
    OPTION_ARGS(RateOptions, files, "FILE",
                "TSV of results (first, second, first_wins, draws, second_wins) or a database"),
    OPTION_CHOICE(RateOptions, draws, "--draws", "half|rao-kupper", RATING_HALF_WIN,
                  "draws as half wins, or as an outcome of their own"),
    // Cannot be given as 0: that is what "fitted" is stored as.
    OPTION_REAL(RateOptions, draw_elo, "--draw-elo", "ELO", 0, 0.0001, 4000, "fitted",
                "rao-kupper: half width of draws"),
    OPTION_TEXT(RateOptions, advantage, "--advantage", "ELO", "fitted",
                "first-move advantage; 0 = there is none"),
    OPTION_REAL(RateOptions, prior_draws, "--prior-draws", "K", 0, 0, 1000, "0, none",
                "virtual draws a player with its opponents"),
    OPTION_LIST(RateOptions, anchors, "--anchor", "PLAYER=ELO[,SD]",
                "one: shift the list; several: fixed; with SD: pulled there"),
    OPTION_LIST(RateOptions, links, "--link", "NEW,OLD,DELTA,SD",
                "two versions of one program: NEW - OLD is about DELTA"),
    OPTION_REAL(RateOptions, offset, "--offset", "ELO", 0, -100000, 100000, NULL,
                "mean of a list without anchors"),
    OPTION_CHOICE(RateOptions, errors, "--errors", "auto|sandwich|hessian|bootstrap", ERRORS_AUTO,
                  "how errors are made; auto: sandwich when pairs are known, else hessian"),
    OPTION_INT(RateOptions, rounds, "--rounds", "N", 1000, 2, 1000000, NULL,
               "bootstrap: resamples"),
    // Up to 2^53 - 1: every bound of the table is a double, which is exact so far.
    OPTION_INT(RateOptions, seed, "--seed", "N", 1, 0, 9007199254740991, NULL, "bootstrap: seed"),
    OPTION_TEXT(RateOptions, against, "--against", "mean|anchor|PLAYER",
                "the anchor, else the mean of the group", "what the errors are measured against"),
    OPTION_FLAG(RateOptions, is_opening_free, "--opening-free",
                "only pairs won twice by one side: strength without the openings"),
    OPTION_FLAG(RateOptions, has_superiority, "--los",
                "the matrix of superiority: how likely the row is stronger than the column"),
    OPTION_FLAG(RateOptions, is_explained, "--explain",
                "a plain sentence under each kind of number (text)"),
    OPTION_CHOICE(RateOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT, "how to print"),
};

static const OptionNeed NEEDS[] = {
    {"--rounds", "--errors=bootstrap"},
    {"--draw-elo", "--draws=rao-kupper"},
};

// What the options become once the players are known.
// The struct that is passed to the fit only borrows the two arrays.
typedef struct Request {
    RatingOptions rating;
    RatingAnchor *anchors; // owned
    RatingLink *links;     // owned
} Request;

// The nearest name is part of the message because names of engines are long and full of versions.
static Status player_find(const ResultPool *input, const char *option, const char *name,
                          int *player, ErrorText *err) {
    *player = result_pool_find(input, name);
    if (*player >= 0)
        return STATUS_OK;
    return error_set(
        err, STATUS_INVALID, "%s: no player '%s'%s", option, name,
        nearest_hint(name, (const char *const *)input->names, (size_t)input->players, "").text);
}

// "NAME=2000" or "NAME=2000,30"; the last = counts, since names may hold one.
static Status anchor_parse(const ResultPool *input, const char *text, RatingAnchor *anchor,
                           ErrorText *err) {
    char name[512], first[64];
    // A comma counts behind the = only; one before it belongs to the name.
    const char *equals = strrchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    size_t length = equals ? (size_t)(equals - text) : 0;
    size_t digits = equals ? (comma ? (size_t)(comma - equals) : strlen(equals)) - 1 : 0;
    *anchor = (RatingAnchor){0};
    if (equals && length < sizeof name && digits < sizeof first) {
        memcpy(name, text, length);
        name[length] = '\0';
        memcpy(first, equals + 1, digits);
        first[digits] = '\0';
        if (text_parse_double(first, -100000, 100000, &anchor->elo) &&
            (!comma || text_parse_double(comma + 1, 1e-6, 100000, &anchor->sd)))
            return player_find(input, "--anchor", name, &anchor->player, err);
    }
    return error_set(err, STATUS_INVALID,
                     "--anchor: '%s', expected PLAYER=ELO or PLAYER=ELO,SD with SD above 0", text);
}

// Splits "NEW,OLD" where both sides are names, since names may hold commas.
static bool names_split(const ResultPool *input, char *text, RatingLink *link) {
    for (char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        *comma = '\0';
        link->a = result_pool_find(input, text);
        link->b = result_pool_find(input, comma + 1);
        *comma = ',';
        if (link->a >= 0 && link->b >= 0)
            return true;
    }
    return false;
}

// Cut from the end: the numbers hold no commas, the names may.
static Status link_parse(const ResultPool *input, const char *text, RatingLink *link,
                         ErrorText *err) {
    char *copy = strdup(text);
    if (!copy)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    *link = (RatingLink){0};
    char *sd = strrchr(copy, ','), *delta = NULL;
    if (sd) {
        *sd++ = '\0';
        delta = strrchr(copy, ',');
    }
    if (delta)
        *delta++ = '\0';
    Status status = STATUS_OK;
    if (!delta || !text_parse_double(delta, -100000, 100000, &link->delta) ||
        !text_parse_double(sd, 1e-6, 100000, &link->sd))
        status = error_set(
            err, STATUS_INVALID,
            "--link: '%s', expected NEW,OLD,DELTA,SD with SD above 0, as in v2,v1,0,50", text);
    else if (!names_split(input, copy, link))
        status =
            error_set(err, STATUS_INVALID,
                      "--link: '%s', expected two players of the files before the numbers", text);
    free(copy);
    return status;
}

static Status against_parse(const ResultPool *input, const char *text, RatingOptions *rating,
                            ErrorText *err) {
    if (!text)
        return STATUS_OK;
    if (strcmp(text, "mean") == 0) {
        rating->against = AGAINST_MEAN;
        return STATUS_OK;
    }
    if (strcmp(text, "anchor") == 0)
        // Nothing to set, as anchors are the default when there are any; but asked for without one
        // it is a mistake.
        return rating->anchor_nb
                   ? STATUS_OK
                   : error_set(err, STATUS_INVALID, "--against anchor: there is no --anchor");
    rating->against = AGAINST_PLAYER;
    return player_find(input, "--against", text, &rating->against_player, err);
}

static Status request_make(const RateOptions *options, const ResultPool *input, Request *request,
                           ErrorText *err) {
    RatingOptions *rating = &request->rating;
    *rating = rating_options_default();
    rating->model = (RatingModel)options->draws;
    rating->is_draw_elo_fixed = options->draw_elo > 0.0;
    rating->draw_elo = options->draw_elo;
    rating->prior_draws = options->prior_draws;
    rating->offset = options->offset;
    rating->errors = (RatingErrors)options->errors;
    rating->bootstrap_rounds = (int)options->rounds;
    rating->seed = (uint64_t)options->seed;
    rating->is_advantage_fixed = options->advantage && strcmp(options->advantage, "fitted") != 0;
    if (rating->is_advantage_fixed &&
        !text_parse_double(options->advantage, -4000, 4000, &rating->advantage))
        return error_set(err, STATUS_INVALID,
                         "--advantage: '%s', expected a number within +-4000, or fitted",
                         options->advantage);
    // One more than needed: calloc of nothing may return NULL, which would look like no memory.
    request->anchors = calloc((size_t)options->anchors.count + 1, sizeof *request->anchors);
    request->links = calloc((size_t)options->links.count + 1, sizeof *request->links);
    if (!request->anchors || !request->links)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    rating->anchors = request->anchors;
    rating->links = request->links;
    for (int i = 0; i < options->anchors.count; i++) {
        Status status = anchor_parse(input, options->anchors.items[i],
                                     &request->anchors[rating->anchor_nb++], err);
        if (status)
            return status;
    }
    for (int i = 0; i < options->links.count; i++) {
        Status status =
            link_parse(input, options->links.items[i], &request->links[rating->link_nb++], err);
        if (status)
            return status;
    }
    return against_parse(input, options->against, rating, err);
}

// None of this is an error, but each changes what the error bars mean.
static void input_warnings(const ResultPool *input, const RatingInput *view, const Rating *rating,
                           Text *out) {
    text_append(out, text_cstr(&input->warnings));
    double games = 0.0, paired = 0.0;
    for (size_t i = 0; i < view->count_nb; i++)
        games += view->counts[i].first_wins + view->counts[i].draws + view->counts[i].second_wins;
    for (size_t i = 0; i < view->pair_nb; i++)
        for (int cell = 0; cell < 9; cell++)
            // A cell counts pairs, and a pair is two games.
            paired += 2.0 * view->pairs[i].n[cell / 3][cell % 3];
    if (view->pair_nb && games > paired)
        text_printf(out,
                    "%.0f of %.0f games are not in a complete pair; they count as independent\n",
                    games - paired, games);
    if (!view->pair_nb && rating->errors != ERRORS_HESSIAN)
        text_append(out,
                    "the results do not say which games are pairs; all count as independent\n");
    if (input->lost_on_time + input->crashed > 0)
        text_printf(out,
                    "%lld games were lost on time and %lld by crashes or illegal moves; they count "
                    "as losses\n",
                    (long long)input->lost_on_time, (long long)input->crashed);
}

// Warnings for people go to standard error; in JSON they are part of the object.
static void warnings_print(const char *warnings) {
    for (const char *line = warnings; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(stderr, "warning: %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static Status rate(const RateOptions *options, const ResultPool *input, const Request *request,
                   Text *out, ErrorText *err) {
    RatingInput view = result_pool_view(input);
    Rating rating = {0};
    Text warnings = {0};
    // Otherwise every player would be left without a game, and the answer an empty table.
    if (options->is_opening_free && !view.pair_nb)
        return error_set(err, STATUS_INVALID,
                         "--opening-free needs results that say which games are pairs");
    Status status = options->is_opening_free
                        ? rating_compute_opening_free(&view, &request->rating, &rating, err)
                        : rating_compute(&view, &request->rating, &rating, err);
    if (status)
        return status;
    input_warnings(input, &view, &rating, &warnings);
    status = rating_warnings(&view, &request->rating, &rating, &warnings, err);
    RatingView shown = {.input = &view,
                        .options = &request->rating,
                        .rating = &rating,
                        .warnings = text_cstr(&warnings),
                        .is_opening_free = options->is_opening_free,
                        .has_superiority = options->has_superiority,
                        .is_explained = options->is_explained};
    if (!status)
        status = rating_view_write(&shown, (TableFormat)options->format, out, err);
    // After the table was made, so that a failure is not preceded by advice about it.
    if (!status && options->format != TABLE_JSON)
        warnings_print(text_cstr(&warnings));
    text_release(&warnings);
    rating_release(&rating);
    return status;
}

static int run(const void *values) {
    const RateOptions *options = values;
    ResultPool input = {0};
    Request request = {0};
    Text out = {0};
    ErrorText err = {0};
    Status status = rate_input_load(&input, options->files.items, options->files.count, &err);
    if (!status && input.count_nb == 0)
        status = error_set(&err, STATUS_INVALID, "%s: no games", options->files.items[0]);
    // Names on the command line are looked up in what was read, hence the order.
    if (!status)
        status = request_make(options, &input, &request, &err);
    if (!status)
        status = rate(options, &input, &request, &out, &err);
    if (!status)
        // All or nothing: half a list of ratings would be taken for a whole one.
        fputs(text_cstr(&out), stdout);
    text_release(&out);
    free(request.anchors);
    free(request.links);
    result_pool_release(&input);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_rate = {
    .name = "rate",
    .summary = "ratings of many players from results: first-move advantage, errors, bounds",
    .details = "Maximum likelihood over all games. Players that took points from each other, "
               "directly or round a circle, form a\n"
               "group and get ratings; across a perfect score there is only a bound, > or <; "
               "players that no results link are in\n"
               "different tables. Files may be TSV with a header (also: first, second, "
               "result_first, pair, a game a line) or\n"
               "databases of experiments; several are put together. - is standard input.\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS), NEEDS, ARRAY_LEN(NEEDS)},
    .values_size = sizeof(RateOptions),
    .run = run,
};
