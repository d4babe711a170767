// SPDX-License-Identifier: GPL-3.0-or-later
// When and where something was written.
#pragma once

// ISO 8601 in UTC, so that texts sort as times do.
typedef struct StampText {
    char text[24]; // "2026-11-03T10:20:30Z"
} StampText;

// By value, as is the time: nobody has to free what is only bound to a statement.
typedef struct StampHost {
    char text[128];
} StampHost;

// The time of day in UTC, to the second. Thread: any.
StampText stamp_now(void);

// Name of this machine and its processor architecture, "lab (x86_64)". Thread: any.
StampHost stamp_host(void);
