// SPDX-License-Identifier: GPL-3.0-or-later
// The version string. The build passes the commit; this file alone is compiled again when it
// changes.
#include "engine/base/version.h"

const char *version_string(void) {
#ifdef GOMOLAB_COMMIT
    return GOMOLAB_VERSION " (" GOMOLAB_COMMIT ")";
#else
    return GOMOLAB_VERSION;
#endif
}
