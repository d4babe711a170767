// SPDX-License-Identifier: GPL-3.0-or-later
// What this build calls itself: in --version, in the database, and as a Gomocup engine.
#pragma once

// The number of the release; the one place where it is written.
#define GOMOLAB_VERSION "0.1.0"

// Release and commit, "0.1.0 (1a2b3c4)"; the commit is missing when the sources were no git
// checkout, and "-dirty" follows it when they were changed. A different build of the same release
// is told apart by it. Thread: any.
const char *version_string(void);
