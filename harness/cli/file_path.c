// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as text.
#include "harness/cli/file_path.h"

#include "engine/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Hands the buffer over as a string of its own.
static char *text_take(Text *text) {
    char *result = text->failed ? NULL : strdup(text_cstr(text));
    text_release(text);
    return result;
}

char *path_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
}

char *path_stem(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

char *path_join(const char *folder, const char *path) {
    if (path[0] == '/' || !folder[0])
        return strdup(path);
    Text out = {0};
    text_append(&out, folder);
    text_append(&out, folder[strlen(folder) - 1] == '/' ? "" : "/");
    // "./x" in a folder is folder/x: stored texts stay short and comparable.
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    text_append(&out, path);
    return text_take(&out);
}

// Appends the parts of `path` to an absolute path without `.`, `..` and double slashes ("" is the
// root).
static void absolute_append(Text *out, const char *path) {
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && path[0] == '.' && path[1] == '.') {
            while (out->length > 0 && out->data[--out->length] != '/')
                ;
            if (out->data)
                out->data[out->length] = '\0';
        } else if (length > 0 && !(length == 1 && path[0] == '.')) {
            text_append(out, "/");
            text_append_bytes(out, path, length);
        }
        path += length + (path[length] == '/');
    }
}

static void absolute_write(const char *path, Text *out) {
    if (path[0] != '/') {
        char *here = getcwd(NULL, 0);
        absolute_append(out, here ? here : "");
        free(here);
    }
    absolute_append(out, path);
}

char *path_relative(const char *folder, const char *path) {
    Text from = {0}, to = {0}, out = {0};
    absolute_write(folder, &from);
    absolute_write(path, &to);
    const char *a = text_cstr(&from), *b = text_cstr(&to);
    size_t common = 0; // length of the shared folders, each with the slash before it
    for (size_t i = 0;; i++) {
        bool a_ends = a[i] == '\0' || a[i] == '/', b_ends = b[i] == '\0' || b[i] == '/';
        if (a_ends && b_ends)
            common = i;
        if (a[i] != b[i] || !a[i])
            break;
    }
    for (const char *c = a + common; *c; c++)
        text_append(&out, *c == '/' ? "../" : "");
    text_append(&out, b[common] == '/' ? b + common + 1 : "");
    if (out.length == 0)
        text_append(&out, ".");
    out.failed |= from.failed || to.failed;
    text_release(&from);
    text_release(&to);
    return text_take(&out);
}

static bool is_program(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *path_find_program(const char *command) {
    const char *folders = getenv("PATH");
    if (strchr(command, '/') || !folders)
        return strdup(command);
    Text path = {0};
    while (*folders) {
        size_t length = strcspn(folders, ":");
        text_clear(&path);
        text_append_bytes(&path, folders, length);
        text_append(&path, length ? "/" : "./"); // an empty part is the working directory
        text_append(&path, command);
        // As the shell does it, but looked up once: the run must not start another program because
        // PATH or a folder has changed meanwhile.
        if (is_program(text_cstr(&path)))
            return text_take(&path);
        folders += length + (folders[length] == ':');
    }
    text_release(&path);
    return strdup(command);
}
