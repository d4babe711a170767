// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of progress.
#include "harness/cli/progress.h"

#include "harness/cli/live_standings.h"
#include "harness/report/number_text.h"

#include <stdio.h>
#include <unistd.h>

// Seconds between two plain lines. Short runs print none but the last.
static const double PLAIN_EVERY_S = 3.0;

// More games than this are no plan but "until it is decided".
static const int64_t TOTAL_SHOWN = INT64_C(1000000000);

Progress progress_start(bool is_quiet) {
    return (Progress){.is_quiet = is_quiet, .is_terminal = isatty(STDERR_FILENO) == 1};
}

static void write_duration(double seconds, Text *out) {
    int64_t s = (int64_t)(seconds + 0.5);
    if (s >= 3600)
        text_printf(out, "%lld:%02lld:%02lld", (long long)(s / 3600), (long long)(s / 60 % 60),
                    (long long)(s % 60));
    else
        text_printf(out, "%lld:%02lld", (long long)(s / 60), (long long)(s % 60));
}

static void write_bound(StatValue bound, const char *missing, Text *out) {
    if (stat_exists(bound))
        text_append(out, number_fixed(bound.value, 1, false).text);
    else
        text_append(out, missing);
}

static void write_elo(const Standing *row, Text *out) {
    if (stat_exists(row->elo) && !stat_exists(row->interval.lo) && !stat_exists(row->interval.hi)) {
        text_printf(out, "%s Elo, too few games for an error",
                    number_fixed(row->elo.value, 1, true).text);
    } else if (stat_exists(row->elo)) {
        text_printf(out, "%s Elo [", number_fixed(row->elo.value, 1, true).text);
        write_bound(row->interval.lo, "-inf", out);
        text_append(out, ", ");
        write_bound(row->interval.hi, "inf", out);
        text_append(out, "]");
        // A perfect score has no Elo, but a lower bound.
    } else if (stat_exists(row->interval.lo)) {
        text_printf(out, "> %s Elo", number_fixed(row->interval.lo.value, 1, true).text);
    } else {
        text_printf(out, "Elo unknown: %s", row->elo.reason);
    }
}

// The leader as `gomolab report` has it; of a very large field its score alone.
static void write_leader(const Tally *tally, Text *out) {
    const Experiment *experiment = tally->plan->experiment;
    Standings standings = {0};
    ErrorText err = {0};
    WdlCounts games;
    PairCounts pairs;
    int leader = tally_leader(tally);
    if (leader < 0)
        return;
    if (experiment->player_count > LIVE_RATED_MAX) {
        tally_player(tally, leader, &games, &pairs);
        text_printf(out, ", %s %.1f %%", experiment->players[leader].name,
                    100.0 * ((double)games.wins + 0.5 * (double)games.draws) /
                        (double)wdl_counts_total(&games));
        return;
    }
    if (live_standings_compute(tally, &standings, &err) == STATUS_OK && standings.count > 0) {
        text_printf(out, ", %s ", experiment->players[standings.rows[0].player].name);
        write_elo(&standings.rows[0], out);
    }
    standings_release(&standings);
}

static void write_sprt(const SprtTest *test, Text *out) {
    if (stat_exists(test->result.llr))
        text_printf(out, ", LLR %s [%.2f, %.2f] (%g, %g, %s)",
                    number_fixed(test->result.llr.value, 2, false).text, test->result.lower,
                    test->result.upper, test->params.elo0, test->params.elo1,
                    sprt_model_name(test->params.model));
    else
        text_append(out, ", LLR undefined");
}

void progress_write(const PoolProgress *progress, Text *out) {
    double speed = progress->seconds > 0 ? (double)progress->played / progress->seconds : 0;
    text_printf(out, "%lld", (long long)progress->known);
    if (progress->total < TOTAL_SHOWN)
        text_printf(out, "/%lld", (long long)progress->total);
    text_printf(out, " games, %.*f games/s", speed < 100 ? 1 : 0, speed);
    if (progress->is_last) {
        text_append(out, ", took ");
        write_duration(progress->seconds, out);
    } else if (progress->total < TOTAL_SHOWN && speed > 0) {
        text_append(out, ", ETA ");
        write_duration((double)(progress->total - progress->known) / speed, out);
    }
    write_leader(progress->tally, out);
    if (progress->tally->has_sprt)
        write_sprt(&progress->tally->sprt, out);
}

// Called with the pool's lock held (pool.h): short, and no waiting but for the terminal.
void progress_show(void *ctx, const PoolProgress *progress) {
    Progress *self = ctx;
    Text line = {0};
    if (self->is_quiet)
        return;
    bool was_told = self->said_ending;
    self->said_ending = progress->is_interrupted;
    if (progress->is_interrupted && !was_told && !progress->is_last && progress->jobs > 0)
        fprintf(stderr, "%sending: %d game%s in progress; once more to drop %s\n",
                self->has_line ? "\n" : "", progress->jobs, progress->jobs == 1 ? "" : "s",
                progress->jobs == 1 ? "it" : "them");
    // A terminal sees every report, a log one line in PLAIN_EVERY_S and the last.
    bool is_due =
        self->is_terminal || progress->is_last || progress->seconds - self->last_s >= PLAIN_EVERY_S;
    if (!is_due)
        return;
    self->last_s = progress->seconds;
    progress_write(progress, &line);
    // The terminal's line is written over; the last one stays.
    fprintf(stderr, "%s%s%s", self->is_terminal ? "\r\033[K" : "", text_cstr(&line),
            self->is_terminal && !progress->is_last ? "" : "\n");
    fflush(stderr);
    self->has_line = self->is_terminal && !progress->is_last;
    text_release(&line);
}
