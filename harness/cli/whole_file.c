// SPDX-License-Identifier: GPL-3.0-or-later
// Reading files whole, pipes as often as files.
#include "harness/cli/whole_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What a stream gave, for as long as the program runs.
typedef struct KeptStream {
    struct KeptStream *next;
    char *path, *bytes;
    size_t length, limit;
} KeptStream;

// Never freed: a stream cannot be read again, and some later question may ask for it.
static KeptStream *kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static Status no_memory(const char *path, ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path);
}

static Status stream_read(FILE *stream, const char *path, size_t limit, char **bytes,
                          size_t *length, ErrorText *err) {
    char *buffer = malloc(limit + 1);
    if (!buffer)
        return no_memory(path, err);
    // ferror does not promise to set it, and an old value would explain the failure wrongly.
    errno = 0;
    *length = fread(buffer, 1, limit + 1, stream);
    if (ferror(stream)) {
        free(buffer);
        return error_set(err, STATUS_NOT_FOUND, "%s: %s", path, strerror(errno));
    }
    *bytes = buffer;
    return STATUS_OK;
}

// One byte more, so that an empty text has an address that is not NULL.
static Status bytes_copy(const KeptStream *stream, char **bytes, size_t *length, ErrorText *err) {
    *bytes = malloc(stream->length + 1);
    if (!*bytes)
        return no_memory(stream->path, err);
    memcpy(*bytes, stream->bytes, stream->length);
    *length = stream->length;
    return STATUS_OK;
}

// Under the lock, also while it waits for the stream: a second reader of the same pipe must wait
// for the first and not take half of its bytes.
static Status kept_read(const char *path, size_t limit, char **bytes, size_t *length,
                        ErrorText *err) {
    for (const KeptStream *stream = kept; stream; stream = stream->next)
        // A reader with a larger limit could miss the end of what was cut off at a smaller one.
        if (strcmp(stream->path, path) == 0 && stream->limit >= limit)
            return bytes_copy(stream, bytes, length, err);
    KeptStream *stream = calloc(1, sizeof *stream);
    FILE *file = fopen(path, "rbe");
    Status status = STATUS_OK;
    if (!file)
        status = error_set(err, STATUS_NOT_FOUND, "%s: %s", path, strerror(errno));
    else if (!stream || !(stream->path = strdup(path)))
        status = no_memory(path, err);
    else
        status = stream_read(file, path, limit, &stream->bytes, &stream->length, err);
    if (file)
        fclose(file);
    if (status) {
        free(stream ? stream->path : NULL);
        free(stream);
        return status;
    }
    stream->limit = limit;
    stream->next = kept;
    kept = stream;
    return bytes_copy(stream, bytes, length, err);
}

Status whole_file_read(const char *path, size_t limit, char **bytes, size_t *length,
                       ErrorText *err) {
    struct stat info;
    // A folder goes the way of files: fopen opens it, and the read says what it is.
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        pthread_mutex_lock(&kept_lock);
        Status status = kept_read(path, limit, bytes, length, err);
        pthread_mutex_unlock(&kept_lock);
        return status;
    }
    FILE *file = fopen(path, "rbe");
    if (!file)
        return error_set(err, STATUS_NOT_FOUND, "%s: %s", path, strerror(errno));
    Status status = stream_read(file, path, limit, bytes, length, err);
    fclose(file);
    return status;
}
