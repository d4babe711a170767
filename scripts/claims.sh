#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays the claims experiments (configs/experiments/claims) and writes results/claims.md: what the tutorials say, what was
# measured, and the verdict. Usage: scripts/claims.sh        (minutes; goes on where it was interrupted)
set -eu
cd "$(dirname "$0")/.."
[ -x build/gomolab ] || { echo "build first: make" >&2; exit 2; }
mkdir -p results/claims
for file in configs/experiments/claims/*.yaml; do
    name=$(basename "$file" .yaml)
    echo "playing $name" >&2
    build/gomolab run "$file" --db "results/claims/$name.db" --quiet >/dev/null
done
python3 scripts/claims.py results/claims >results/claims.md.new
mv results/claims.md.new results/claims.md
echo "wrote results/claims.md" >&2
