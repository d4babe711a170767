// SPDX-License-Identifier: GPL-3.0-or-later
// Making the folders that a path names.
#include "harness/store/folders.h"

#include "engine/base/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

Status folders_make(const char *path, ErrorText *err) {
    Text folder = {0};
    Status status = STATUS_OK;
    // From the outermost on, after the first character: the root is there. Folders that exist are
    // no error, whoever makes them at the same time.
    for (const char *slash = strchr(path + 1, '/'); slash && !status;
         slash = strchr(slash + 1, '/')) {
        text_clear(&folder);
        text_append_bytes(&folder, path, (size_t)(slash - path));
        if (mkdir(text_cstr(&folder), 0777) && errno != EEXIST) {
            Status cause = errno == ENOSPC || errno == EDQUOT ? STATUS_IO : STATUS_INVALID;
            status = error_set(err, cause, "%s: folder cannot be made: %s", text_cstr(&folder),
                               strerror(errno));
        }
    }
    text_release(&folder);
    return status;
}
