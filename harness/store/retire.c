// SPDX-License-Identifier: GPL-3.0-or-later
// Renaming a database together with its log.
#include "harness/store/retire.h"

#include "harness/store/connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

static bool exists_with(const char *path, const char *suffix) {
    Text name = {0};
    text_printf(&name, "%s%s", path, suffix);
    bool found = exists(text_cstr(&name));
    text_release(&name);
    return found;
}

// "results/a.db" -> "results/a-1.db"; a name without an extension gets the number at its end.
// "-wal" too: a log that was left behind under that name would be taken for that of the database
// that is renamed to it.
static char *free_name(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);
    Text name = {0};
    for (int n = 1; n == 1 || exists(text_cstr(&name)) || exists_with(text_cstr(&name), "-wal");
         n++) {
        text_clear(&name);
        text_append_bytes(&name, path, stem);
        text_printf(&name, "-%d%s", n, path + stem);
        if (name.failed)
            break;
    }
    char *result = name.failed ? NULL : strdup(text_cstr(&name));
    text_release(&name);
    return result;
}

static Status rename_with(const char *from, const char *to, const char *suffix, ErrorText *err) {
    Text old = {0}, new = {0};
    text_printf(&old, "%s%s", from, suffix);
    text_printf(&new, "%s%s", to, suffix);
    Status status = STATUS_OK;
    if (rename(text_cstr(&old), text_cstr(&new)) && errno != ENOENT)
        status = error_set(err, STATUS_INVALID, "%s: cannot be renamed: %s", text_cstr(&old),
                           strerror(errno));
    text_release(&old);
    text_release(&new);
    return status;
}

Status retire_database(const char *path, char **renamed, ErrorText *err) {
    struct stat info;
    *renamed = NULL;
    // lstat: a symbolic link that leads nowhere is something to be put aside, too.
    if (lstat(path, &info))
        return STATUS_OK;
    Status status = S_ISLNK(info.st_mode) ? STATUS_OK // the link alone is renamed
                                          : connection_check_kind(path, info.st_mode, err);
    if (status)
        return status;
    Store *store = NULL;
    ErrorText ignored; // whatever the file is, it may be put aside
    if (connection_open(path, CONNECTION_WRITE, &store, &ignored) == STATUS_OK)
        sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    connection_close(store);
    char *name = free_name(path);
    if (!name)
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    // The log first: a log without its database is harmless, but a new database must never find the
    // log of an old one.
    status = rename_with(path, name, "-wal", err);
    if (!status)
        status = rename_with(path, name, "", err);
    Text shared = {0};
    text_printf(&shared, "%s-shm", path);
    unlink(text_cstr(&shared)); // an index into the log that SQLite makes anew
    text_release(&shared);
    if (status)
        free(name);
    else
        *renamed = name;
    return status;
}
