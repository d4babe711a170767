// SPDX-License-Identifier: GPL-3.0-or-later
// One line of a table a call.
#include "harness/cli/tune_synthetic.h"

#include "engine/base/nearest.h"
#include "engine/base/text.h"
#include "harness/cli/command.h"
#include "harness/tune/synthetic_study.h"

#include <stdio.h>

// As --help says.
enum { GAMES = 100000 };

int tune_synthetic(const TuneSyntheticOptions *options) {
    ErrorText err = {0};
    SyntheticStudy study;
    int shape = text_choice_find(SYNTHETIC_NAMES, options->surface);
    if (shape < 0)
        return command_fail(error_set(&err, STATUS_INVALID,
                                      "--synthetic: '%s', expected one of %s%s", options->surface,
                                      SYNTHETIC_NAMES,
                                      nearest_choice_hint(options->surface, SYNTHETIC_NAMES).text),
                            &err);
    double games = options->games > 0 ? (double)options->games : GAMES;
    Status status =
        synthetic_study((SyntheticShape)shape, options->seeds, games, options->known, &study, &err);
    if (status)
        return command_fail(status, &err);
    printf("surface       games     scan  seeds  Elo below the best: start    end  +-   forecast"
           "  idle weights: rms z  max z  accepted\n");
    printf("%-11s %7.0f  %7.0f  %5lld  %25.1f  %5.2f  %4.2f  %7.2f", options->surface, study.games,
           study.scan_games, (long long)study.seeds, study.gap, study.regret,
           1.96 * study.regret_se, study.forecast);
    if (study.idle > 0)
        printf("  %19.2f  %5.2f", study.start_z_rms, study.start_z_max);
    else
        printf("  %19s  %5s", "-", "-");
    printf("  %lld of %lld\n", (long long)study.passed, (long long)study.seeds);
    return EXIT_DONE;
}
