#!/usr/bin/env sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tuner on surfaces whose truth is known: how far below the best it ends, with known sensitivities and with scanned
# ones; weights that do nothing; how often a tune that can gain nothing passes its proof.
# Usage: scripts/study-synthetic.sh [SEEDS]        (default 60)
set -eu
cd "$(dirname "$0")/.."
program=build/gomolab
seeds=${1:-60}
[ -x "$program" ] || { echo "build first: make" >&2; exit 2; }

row() { "$program" tune --synthetic "$@" --seeds "$seeds" | sed -n 2p; }

"$program" tune --synthetic null --known --seeds 1 --games 1000 | sed -n 1p
echo "known sensitivities"
for games in 1000 2000 5000 10000 20000 50000 100000; do row quadratic --known --games "$games"; done
for surface in correlated saturating flat bound; do
    for games in 5000 100000; do row "$surface" --known --games "$games"; done
done
echo "scanned sensitivities (games include those of the scan)"
for surface in quadratic correlated saturating flat bound; do
    for games in 5000 20000 100000; do row "$surface" --games "$games"; done
done
echo "nothing to gain: 'accepted' may be alpha, 5 %, of the seeds"
"$program" tune --synthetic null --seeds 400 --games 5000 | sed -n 2p
