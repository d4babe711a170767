// SPDX-License-Identifier: GPL-3.0-or-later
// The fingerprint of a file.
#include "harness/record/file_hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

Status file_hash(const char *path, FileHash *out, ErrorText *err) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return error_set(err, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO, "%s: %s", path,
                         strerror(errno));
    // FNV-1a, 64 bits (Fowler, Noll & Vo): against mistakes, not against malice.
    uint64_t hash = 0xcbf29ce484222325u;
    unsigned char block[1 << 14];
    size_t count;
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        for (size_t i = 0; i < count; i++)
            hash = (hash ^ block[i]) * 0x100000001b3u;
    bool failed = ferror(file);
    fclose(file);
    if (failed)
        return error_set(err, STATUS_IO, "%s: cannot be read", path);
    snprintf(out->text, sizeof out->text, "%016" PRIx64, hash);
    return STATUS_OK;
}
