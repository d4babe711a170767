// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab stats`: the statistics of a match from counts alone, a sequential test of them, the
// length of a match to come.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/report/match_view.h"

#include <math.h>
#include <string.h>

typedef struct StatsOptions {
    OptionList wdl, pairs;
    const char *sprt;
    double alpha, beta, elo, power, confidence, bias;
    int model, by, format;
    bool is_plan, is_explained;
} StatsOptions;

// In the order of the words of --by.
enum { AS_GIVEN, AS_PAIRS, AS_GAMES };

static const Option OPTIONS[] = {
    OPTION_WORDS(StatsOptions, wdl, "--wdl", "WINS DRAWS LOSSES", 3,
                 "counts of single games, seen from the first player"),
    OPTION_WORDS(StatsOptions, pairs, "--pairs", "LL LD DD WL WD WW", PAIR_CLASS_NB,
                 "counts of pairs of games by their two results (WL: won one, lost one)"),
    OPTION_TEXT(StatsOptions, sprt, "--sprt", "ELO0,ELO1", NULL,
                "sequential test of ELO1 against ELO0"),
    OPTION_REAL(StatsOptions, alpha, "--alpha", "P", 0.05, 1e-9, 0.999999, NULL,
                "chance to accept H1 when H0 holds"),
    OPTION_REAL(StatsOptions, beta, "--beta", "P", 0.05, 1e-9, 0.999999, NULL,
                "chance to accept H0 when H1 holds"),
    OPTION_CHOICE(StatsOptions, model, "--model", "logistic|normalized", SPRT_LOGISTIC,
                  "what ELO0 and ELO1 are measured in"),
    OPTION_CHOICE(StatsOptions, by, "--by", "auto|pairs|games", AS_GIVEN,
                  "what counts as one observation; auto: pairs where they are given"),
    OPTION_FLAG(StatsOptions, is_plan, "--plan",
                "say how many pairs a match needs, given the results so far (if any)"),
    OPTION_REAL(StatsOptions, elo, "--elo", "ELO", 5, 0.001, 2000, NULL,
                "plan: difference in strength to be shown"),
    OPTION_REAL(StatsOptions, power, "--power", "P", 0.8, 0.01, 0.9999, NULL,
                "plan: chance to show it when it is there"),
    OPTION_REAL(StatsOptions, confidence, "--confidence", "P", 0.95, 0.5, 0.9999, NULL,
                "plan: of the two-sided interval"),
    // -1 is "not given": 0 is a bias that one may want to state.
    OPTION_REAL(StatsOptions, bias, "--bias", "ELO", -1, 0, 2000, "as seen, else 0",
                "plan: root mean square bias of the openings"),
    OPTION_FLAG(StatsOptions, is_explained, "--explain",
                "a plain sentence under each number (text)"),
    OPTION_CHOICE(StatsOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT, "how to print"),
};

static const OptionNeed NEEDS[] = {
    {"--alpha", "--sprt"}, {"--beta", "--sprt"},       {"--model", "--sprt"}, {"--elo", "--plan"},
    {"--power", "--plan"}, {"--confidence", "--plan"}, {"--bias", "--plan"},
};

// OPTION_WORDS appends its words each time: an option given twice has twice as many, and it would
// be arbitrary to use the first or the last set.
static Status counts_parse(const char *option, const OptionList *list, int expected, int64_t *out,
                           ErrorText *err) {
    if (list->count != expected)
        return error_set(err, STATUS_INVALID, "%s: given %d times, expected once", option,
                         list->count / expected);
    for (int i = 0; i < expected; i++)
        if (!text_parse_int(list->items[i], 0, COUNT_MAX, &out[i]))
            return error_set(err, STATUS_INVALID, "%s: '%s', expected a count 0..%lld", option,
                             list->items[i], (long long)COUNT_MAX);
    return STATUS_OK;
}

// "0,10" into the bounds of a test.
static Status sprt_parse(const StatsOptions *options, SprtParams *params, ErrorText *err) {
    char first[64];
    const char *comma = strchr(options->sprt, ',');
    size_t length = comma ? (size_t)(comma - options->sprt) : 0;
    if (comma && length < sizeof first) {
        memcpy(first, options->sprt, length);
        first[length] = '\0';
    }
    if (!comma || length >= sizeof first ||
        !text_parse_double(first, -SPRT_ELO_MAX, SPRT_ELO_MAX, &params->elo0) ||
        !text_parse_double(comma + 1, -SPRT_ELO_MAX, SPRT_ELO_MAX, &params->elo1))
        return error_set(err, STATUS_INVALID,
                         "--sprt: '%s', expected ELO0,ELO1, two numbers within +-%g, as in 0,10",
                         options->sprt, SPRT_ELO_MAX);
    params->alpha = options->alpha;
    params->beta = options->beta;
    params->model = (SprtModel)options->model;
    Status status = sprt_params_check(params, err);
    return status ? error_wrap(err, status, "--sprt") : STATUS_OK;
}

static Status match_fill(const StatsOptions *options, MatchView *view, ErrorText *err) {
    int64_t n[PAIR_CLASS_NB] = {0};
    PairCounts pairs = {0};
    WdlCounts single = {0};
    bool is_pairs = options->pairs.count > 0;
    // Nothing says whether the games are those of the pairs or come on top of them.
    if (is_pairs && options->wdl.count > 0)
        return error_set(err, STATUS_INVALID, "--wdl and --pairs: one of them, not both");
    Status status = is_pairs ? counts_parse("--pairs", &options->pairs, PAIR_CLASS_NB, n, err)
                             : counts_parse("--wdl", &options->wdl, 3, n, err);
    if (status)
        return status;
    if (is_pairs)
        memcpy(pairs.n, n, sizeof pairs.n);
    else
        single = (WdlCounts){.wins = n[0], .draws = n[1], .losses = n[2]};
    if (options->by == AS_PAIRS && !is_pairs)
        return error_set(
            err, STATUS_INVALID,
            "--by pairs needs --pairs: counts of games do not say which belong together");
    StatBy by = is_pairs && options->by != AS_GAMES ? BY_PAIRS : BY_GAMES;
    view->has_counts = true;
    view->stats = match_stats_compute(&pairs, &single, by);
    if (!options->sprt)
        return STATUS_OK;
    status = sprt_parse(options, &view->params, err);
    if (status)
        return status;
    // The same observations as the intervals above it, so that test and Elo never tell two stories.
    ScoreCells cells =
        by == BY_PAIRS ? score_cells_from_pairs(&pairs) : score_cells_from_wdl(&view->stats.wdl);
    view->has_sprt = true;
    view->result = sprt_evaluate(&view->params, &cells);
    view->estimate = sprt_estimate(&view->params, &view->result, &cells);
    return STATUS_OK;
}

// Variance and bias as seen so far; without results, a match without draws from fair openings.
static void plan_fill(const StatsOptions *options, MatchView *view) {
    const MatchStats *s = &view->stats;
    double variance = PAIR_VARIANCE_FAIR, bias = 0.0;
    // From the standard error of the mean back to the variance of one pair.
    if (view->has_counts && s->pairs > 0) {
        variance = s->se_pairs.value * s->se_pairs.value * (double)s->pairs;
        bias = s->bias_score.value;
    } else if (view->has_counts && stat_exists(s->se)) {
        variance = s->se.value * s->se.value * (double)s->games / 2.0; // games as if independent
    }
    if (options->bias >= 0.0) {
        double given = score_from_elo(options->bias) - 0.5;
        if (!view->has_counts) // without draws, what the openings decide no longer varies
            variance = fmax(0.0, PAIR_VARIANCE_FAIR * (1.0 - 4.0 * given * given));
        bias = given;
    }
    view->has_plan = true;
    view->plan_input = (MatchPlanInput){.elo = options->elo,
                                        .power = options->power,
                                        .confidence = options->confidence,
                                        .pair_variance = variance,
                                        .bias_score = bias};
    view->plan = match_plan_compute(&view->plan_input);
}

static int run(const void *values) {
    const StatsOptions *options = values;
    MatchView view = {0};
    ErrorText err = {0};
    // Planning needs no results: a match that was not begun has none.
    bool has_counts = options->wdl.count > 0 || options->pairs.count > 0;
    if (!has_counts && !options->is_plan)
        return command_usage(
            &command_stats,
            "no counts: give --wdl WINS DRAWS LOSSES or --pairs LL LD DD WL WD WW (or --plan)");
    if (!has_counts && options->sprt)
        return command_usage(&command_stats, "--sprt needs counts: --wdl or --pairs");
    Status status = has_counts ? match_fill(options, &view, &err) : STATUS_OK;
    if (status)
        return command_fail(error_wrap(&err, status, "gomolab stats"), &err);
    if (options->is_plan)
        plan_fill(options, &view);
    Text out = {0};
    status =
        match_view_write(&view, (TableFormat)options->format, options->is_explained, &out, &err);
    // The object comes without an end of line.
    if (!status && options->format == TABLE_JSON)
        text_append(&out, "\n");
    if (!status)
        fputs(text_cstr(&out), stdout);
    text_release(&out);
    if (status)
        return command_fail(status, &err);
    if (!view.has_sprt || view.result.state == SPRT_H1)
        return EXIT_DONE;
    // A test that cannot be computed counts as undecided: a script must never read a missing answer
    // as one.
    return view.result.state == SPRT_H0 ? EXIT_H0 : EXIT_UNDECIDED;
}

const Command command_stats = {
    .name = "stats",
    .summary = "statistics of a match from counts: Elo, intervals, sequential test, planning",
    .details =
        "Elo, normalized Elo and superiority come from pairs when they are given, which is what "
        "makes the error bars\n"
        "honest: the two games of a pair share an opening. With --sprt the exit status is 0 for "
        "H1, 10 for H0, 11 when\n"
        "undecided or undefined. Numbers that do not exist are n/a (JSON: null) with the reason.\n"
        "ELO0 and ELO1 are plain (logistic) Elo here, as most programs that counts come from have "
        "it; sprt.model of an\n"
        "experiment is normalized. To test an experiment's counts as it does: --model "
        "normalized.\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS), NEEDS, ARRAY_LEN(NEEDS)},
    .values_size = sizeof(StatsOptions),
    .run = run,
};
