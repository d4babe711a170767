#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every unit and command test. The last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/.."
sh scripts/install-deps.sh test
make -s -j"$(nproc)" all tests
exec sh scripts/run-tests.sh --jobs "$(nproc)"
