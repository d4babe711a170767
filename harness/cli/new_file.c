// SPDX-License-Identifier: GPL-3.0-or-later
// Written beside its place and renamed.
#include "harness/cli/new_file.h"

#include "engine/base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(NewFile *file) {
    free(file->path);
    free(file->part);
    *file = (NewFile){0};
}

// The two names. Renaming would put a file in the place of a link, so a link is followed first.
static Status name_file(NewFile *file, const char *path, bool in_place, ErrorText *err) {
    file->path = realpath(path, NULL);
    if (!file->path)
        file->path = strdup(path); // not there yet
    if (in_place || !file->path)
        return file->path ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
    // One name for all tries: what a killed one left is used again.
    size_t size = strlen(file->path) + sizeof ".part";
    file->part = malloc(size);
    if (!file->part)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    snprintf(file->part, size, "%s.part", file->path);
    return STATUS_OK;
}

Status new_file_open(NewFile *file, const char *path, ErrorText *err) {
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    // Folders go the same way, for fopen to say what is wrong with them.
    Status status = name_file(file, path, is_there && !S_ISREG(info.st_mode), err);
    // Whoever may not write the file may still be able to replace it, which is not what was meant.
    if (!status && is_there && access(path, W_OK) != 0)
        status = error_set(err, STATUS_INVALID, "%s: cannot be written: %s", path, strerror(errno));
    if (!status && !(file->stream = fopen(file->part ? file->part : file->path, "we")))
        status = error_set(err, STATUS_INVALID, "%s: cannot be written: %s", path, strerror(errno));
    // Those who could read the old file can read the new one. A file system without modes refuses,
    // and the file is as good without.
    bool has_mode =
        !status && is_there && file->part && fchmod(fileno(file->stream), info.st_mode & 0777) == 0;
    (void)has_mode;
    if (status)
        release(file);
    return status;
}

Status new_file_close(NewFile *file, Status status, ErrorText *err) {
    if (!file->stream)
        return status;
    errno = 0;
    // The stream remembers a failed write; a full disk may show only at the last buffer, in fclose.
    bool ok = !ferror(file->stream);
    ok &= fclose(file->stream) == 0;
    if (ok && !status && file->part)
        ok = rename(file->part, file->path) == 0;
    if (!ok && !status)
        status = error_set(err, STATUS_IO, "%s: cannot be written: %s", file->path,
                           errno ? strerror(errno) : "a write failed");
    if (status && file->part)
        unlink(file->part);
    release(file);
    return status;
}
