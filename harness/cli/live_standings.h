// SPDX-License-Identifier: GPL-3.0-or-later
// Standings while games come in: what `gomolab report` would say, from the score in memory.
#pragma once

#include "harness/play/tally.h"
#include "harness/report/standing.h"

// More players take too long to rate between two games.
enum { LIVE_RATED_MAX = 64 };

// The rows of the players with at least one game, best first; Standing.player is the index in the
// experiment. STATUS_NO_MEMORY, or why there is no rating. Release with standings_release in every
// case. Thread: any reader of the tally.
Status live_standings_compute(const Tally *tally, Standings *out, ErrorText *err) MUST_CHECK;
