// SPDX-License-Identifier: GPL-3.0-or-later
// The section of sequential tests: their verdicts, and what they say about strength.
#include "engine/base/check.h"
#include "harness/report/number_text.h"
#include "harness/report/section.h"
#include "harness/stats/sprt_estimate.h"

#include <stdio.h>

enum {
    SQ_EXPERIMENT,
    SQ_CANDIDATE,
    SQ_BASE,
    SQ_MODEL,
    SQ_ELO0,
    SQ_ELO1,
    SQ_ALPHA,
    SQ_BETA,
    SQ_PAIRS,
    SQ_LLR,
    SQ_LOWER,
    SQ_UPPER,
    SQ_STATE,
    SQ_ELO,
    SQ_ELO_LO,
    SQ_ELO_HI,
    SQ_FIXED,
    SQ_FIXED_LO,
    SQ_FIXED_HI,
    SQ_LATER,
    SQ_WAITING
};

// One row an experiment with a test: several databases of one report each have their own.
static const TableColumn COLUMNS[] = {
    [SQ_EXPERIMENT] = {"experiment", COLUMN_TEXT, 0, NULL},
    [SQ_CANDIDATE] = {"candidate", COLUMN_TEXT, 0, NULL},
    [SQ_BASE] = {"base", COLUMN_TEXT, 0, NULL},
    [SQ_MODEL] = {"model", COLUMN_TEXT, 0, NULL},
    [SQ_ELO0] = {"elo0", COLUMN_REAL, 2, NULL},
    [SQ_ELO1] = {"elo1", COLUMN_REAL, 2, NULL},
    [SQ_ALPHA] = {"alpha", COLUMN_REAL, 3, NULL},
    [SQ_BETA] = {"beta", COLUMN_REAL, 3, NULL},
    [SQ_PAIRS] = {"pairs", COLUMN_INT, 0, NULL},
    [SQ_LLR] = {"llr", COLUMN_REAL, 3, NULL},
    [SQ_LOWER] = {"lower", COLUMN_REAL, 3, NULL},
    [SQ_UPPER] = {"upper", COLUMN_REAL, 3, NULL},
    [SQ_STATE] = {"state", COLUMN_TEXT, 0, NULL},
    [SQ_ELO] = {"elo", COLUMN_REAL, 2, NULL},
    [SQ_ELO_LO] = {"elo_lo", COLUMN_REAL, 2, NULL},
    [SQ_ELO_HI] = {"elo_hi", COLUMN_REAL, 2, NULL},
    [SQ_FIXED] = {"fixed_elo", COLUMN_REAL, 2, NULL},
    [SQ_FIXED_LO] = {"fixed_elo_lo", COLUMN_REAL, 2, NULL},
    [SQ_FIXED_HI] = {"fixed_elo_hi", COLUMN_REAL, 2, NULL},
    [SQ_LATER] = {"later_pairs", COLUMN_INT, 0, NULL},
    [SQ_WAITING] = {"waiting_pairs", COLUMN_INT, 0, NULL},
};

// Both estimates of a test: one that allows for the stopping rule, one as if the length had been
// fixed before.
typedef struct Estimates {
    SprtEstimate unbiased;
    MatchStats fixed;
} Estimates;

// Both, because both are asked for: the unbiased one for what is true, the other for comparing with
// tools that know no other.
static Estimates estimates_of(const SprtTest *test) {
    ScoreCells cells = score_cells_from_pairs(&test->tested);
    return (Estimates){sprt_estimate(&test->params, &test->result, &cells),
                       match_stats_compute(&test->tested, NULL, BY_PAIRS)};
}

static void fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->source_count; i++) {
        const ReportSource *source = &input->sources[i];
        const SprtTest *test = &source->sequential.test;
        if (!source->sequential.is_asked)
            continue;
        Estimates estimates = estimates_of(test);
        table_row(table);
        table_set_text(table, SQ_EXPERIMENT, source->name);
        table_set_text(table, SQ_CANDIDATE, source->candidate);
        table_set_text(table, SQ_BASE, source->opponent);
        table_set_text(table, SQ_MODEL, sprt_model_name(test->params.model));
        table_set_real(table, SQ_ELO0, test->params.elo0);
        table_set_real(table, SQ_ELO1, test->params.elo1);
        table_set_real(table, SQ_ALPHA, test->params.alpha);
        table_set_real(table, SQ_BETA, test->params.beta);
        table_set_int(table, SQ_PAIRS, pair_counts_total(&test->tested));
        section_set_stat(table, SQ_LLR, test->result.llr);
        table_set_real(table, SQ_LOWER, test->result.lower);
        table_set_real(table, SQ_UPPER, test->result.upper);
        table_set_text(table, SQ_STATE, sprt_state_name(test->result.state));
        section_set_stat(table, SQ_ELO, estimates.unbiased.elo);
        section_set_stat(table, SQ_ELO_LO, estimates.unbiased.lo);
        section_set_stat(table, SQ_ELO_HI, estimates.unbiased.hi);
        section_set_stat(table, SQ_FIXED, estimates.fixed.elo);
        section_set_stat(table, SQ_FIXED_LO, estimates.fixed.interval.lo);
        section_set_stat(table, SQ_FIXED_HI, estimates.fixed.interval.hi);
        // Pairs that were still being played when the test ended: saved, and not counted.
        table_set_int(table, SQ_LATER, pair_counts_total(&test->later));
        // Whole pairs behind one that is missing: they count when it is there, since the test takes
        // pairs in the order of the plan.
        table_set_int(table, SQ_WAITING, source->sequential.waiting);
    }
}

static const TableColumn SHOWN[] = {
    {"candidate", COLUMN_TEXT, 0, NULL},
    {"base", COLUMN_TEXT, 0, "against"},
    {"bounds", COLUMN_TEXT, 0, "bounds, model"},
    {"pairs", COLUMN_RIGHT, 0, NULL},
    {"llr", COLUMN_RIGHT, 0, "LLR"},
    {"verdict", COLUMN_TEXT, 0, NULL},
    {"elo", COLUMN_RIGHT, 0, "Elo, unbiased"},
    {"interval", COLUMN_RIGHT, 0, "95 % interval"},
    {"fixed", COLUMN_RIGHT, 0, "Elo, fixed length"},
    {"fixed_interval", COLUMN_RIGHT, 0, "95 % interval"},
};

// "Accepted" and not "passed": accepting H0 is a result as well.
static const char *verdict_words(SprtState state) {
    switch (state) {
    case SPRT_H0:
        return "H0 accepted";
    case SPRT_H1:
        return "H1 accepted";
    case SPRT_CONTINUE:
        return "undecided";
    case SPRT_UNDEFINED:
        return "undefined";
    }
    return "";
}

static void fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->source_count; i++) {
        const ReportSource *source = &input->sources[i];
        const SprtTest *test = &source->sequential.test;
        if (!source->sequential.is_asked)
            continue;
        Estimates estimates = estimates_of(test);
        char bounds[64];
        snprintf(bounds, sizeof bounds, "[%g, %g] %s", test->params.elo0, test->params.elo1,
                 sprt_model_name(test->params.model));
        table_row(table);
        section_set_name(table, 0, summary_short_name(&input->summary, source->candidate));
        section_set_name(table, 1, summary_short_name(&input->summary, source->opponent));
        table_set_text(table, 2, bounds);
        section_set_number(table, 3, number_count(pair_counts_total(&test->tested)));
        // With its bounds: a ratio alone says nothing about how near the end is.
        if (stat_exists(test->result.llr)) {
            Text llr = {0};
            text_printf(&llr, "%s [%.2f, %.2f]",
                        number_fixed(test->result.llr.value, 2, false).text, test->result.lower,
                        test->result.upper);
            table_set_text(table, 4, text_cstr(&llr));
            text_release(&llr);
        }
        table_set_text(table, 5, verdict_words(test->result.state));
        section_set_number(table, 6, number_elo(estimates.unbiased.elo));
        section_set_number(table, 7, number_interval(estimates.unbiased.lo, estimates.unbiased.hi));
        section_set_number(table, 8, number_elo(estimates.fixed.elo));
        section_set_number(
            table, 9, number_interval(estimates.fixed.interval.lo, estimates.fixed.interval.hi));
    }
}

// What tells the test from the standings: pairs that came late or out of order, and a ratio that
// does not exist.
static void notes(const ReportInput *input, Text *out) {
    bool is_asked = false;
    for (int i = 0; i < input->source_count; i++) {
        const ReportSource *source = &input->sources[i];
        const SequentialTest *sequential = &source->sequential;
        is_asked |= sequential->is_asked;
        int64_t later = pair_counts_total(&sequential->test.later);
        if (later > 0)
            text_printf(
                out, "%s: after the verdict came %s pair%s more, counted in the standings only.\n",
                source->name, number_count(later).text, text_plural(later));
        if (sequential->waiting > 0)
            text_printf(
                out,
                "%s: waiting for one before them in the plan: %s pair%s; a test takes pairs in "
                "order.\n",
                source->name, number_count(sequential->waiting).text,
                text_plural(sequential->waiting));
        if (sequential->is_asked && !stat_exists(sequential->test.result.llr))
            text_printf(out, "%s: no LLR, %s.\n", source->name, sequential->test.result.llr.reason);
    }
    if (is_asked)
        text_append(out, "A test stops when the evidence happens to be strong, so the Elo as if "
                         "its length had been fixed is "
                         "biased outward; the unbiased one allows for that.\n");
}

static const SectionWord WORDS[] = {
    {"LLR", "the logarithm of how much better elo1 explains the results than elo0; beyond a bound "
            "the test ends"},
    {"H1 accepted", "the candidate is better than elo0, with the stated chance of error; it does "
                    "not say that it reaches elo1"},
    {"H0 accepted", "the candidate falls short of elo1, with the stated chance of error; it does "
                    "not say that it is worse"},
};

const ReportSection SECTION_SEQUENTIAL_TEST = {
    .name = "sequential_test",
    .title = "Sequential test",
    .programs = {COLUMNS, ARRAY_LEN(COLUMNS), fill},
    .people = {SHOWN, ARRAY_LEN(SHOWN), fill_people},
    .notes = notes,
    .words = WORDS,
    .word_count = ARRAY_LEN(WORDS),
};
