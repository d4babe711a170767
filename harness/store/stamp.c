// SPDX-License-Identifier: GPL-3.0-or-later
// Time and host as text.
#include "harness/store/stamp.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

// For people and for sorting as text; nothing is computed from it, so a clock that is set back does
// no harm.
StampText stamp_now(void) {
    StampText stamp = {"1970-01-01T00:00:00Z"};
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(stamp.text, sizeof stamp.text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return stamp;
}

StampHost stamp_host(void) {
    StampHost host = {"unknown"};
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(host.text, sizeof host.text, "%.80s (%.40s)", name.nodename, name.machine);
    return host;
}
