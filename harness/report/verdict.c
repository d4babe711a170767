// SPDX-License-Identifier: GPL-3.0-or-later
// The words for a sequential test.
#include "harness/report/verdict.h"

#include "harness/report/number_text.h"
#include "harness/stats/elo.h"
#include "harness/stats/sprt_estimate.h"

// "+14.2 Elo [5.0, 23.1]"; an end that does not exist is left open: "> 286.6".
static void elo_append(StatValue elo, StatValue lo, StatValue hi, Text *out) {
    if (stat_exists(elo))
        text_printf(out, "%s Elo", number_fixed(elo.value, 1, true).text);
    else
        text_append(out, "Elo n/a");
    if (stat_exists(lo) && stat_exists(hi))
        text_printf(out, " [%s, %s]", number_fixed(lo.value, 1, false).text,
                    number_fixed(hi.value, 1, false).text);
    else if (stat_exists(lo))
        text_printf(out, " (> %s)", number_fixed(lo.value, 1, false).text);
    else if (stat_exists(hi))
        text_printf(out, " (< %s)", number_fixed(hi.value, 1, false).text);
}

void verdict_write(const SprtTest *test, Text *out) {
    static const char *const VERDICTS[] = {
        [SPRT_CONTINUE] = "undecided",
        [SPRT_H0] = "H0 accepted",
        [SPRT_H1] = "H1 accepted",
        [SPRT_UNDEFINED] = "undefined",
    };
    const SprtParams *p = &test->params;
    const SprtResult *r = &test->result;
    ScoreCells cells = score_cells_from_pairs(&test->tested);
    SprtEstimate stopped = sprt_estimate(p, r, &cells);
    MatchStats fixed = match_stats_compute(&test->tested, NULL, BY_PAIRS);
    bool is_stopped = r->state == SPRT_H0 || r->state == SPRT_H1;
    // Only a stopped test is biased by its stop; before that the plain estimate is the right one.
    bool is_allowing = is_stopped && stat_exists(stopped.elo);
    text_printf(out, "%s: ", VERDICTS[r->state]);
    if (is_allowing)
        elo_append(stopped.elo, stopped.lo, stopped.hi, out);
    else
        elo_append(fixed.elo, fixed.interval.lo, fixed.interval.hi, out);
    int64_t tested = pair_counts_total(&test->tested);
    text_printf(out, " after %lld pair%s, LLR ", (long long)tested, text_plural(tested));
    if (stat_exists(r->llr))
        text_append(out, number_fixed(r->llr.value, 2, false).text);
    else
        text_printf(out, "n/a (%s)", r->llr.reason);
    text_printf(out, " [%.2f, %.2f] for elo0 %g, elo1 %g, %s model, alpha %g, beta %g\n", r->lower,
                r->upper, p->elo0, p->elo1, sprt_model_name(p->model), p->alpha, p->beta);
    if (is_allowing) {
        text_append(out,
                    "  that Elo allows for the stop (median-unbiased); as for a fixed length: ");
        elo_append(fixed.elo, fixed.interval.lo, fixed.interval.hi, out);
        text_append(out, "\n");
    } else if (is_stopped) {
        text_printf(out, "  that Elo is as for a fixed length; none that allows for the stop: %s\n",
                    stopped.elo.reason);
    }
    // Workers were in the middle of them when the test ended; taking them in would mean to stop by
    // another rule.
    int64_t later = pair_counts_total(&test->later);
    if (later > 0) {
        text_printf(out, "  %lld pair%s came after the verdict and do%s not change it:",
                    (long long)later, text_plural(later), later == 1 ? "es" : "");
        for (int c = PAIR_CLASS_NB - 1; c >= 0; c--)
            text_printf(out, " %s %lld", pair_class_name((PairClass)c),
                        (long long)test->later.n[c]);
        text_append(out, "\n");
    }
}
