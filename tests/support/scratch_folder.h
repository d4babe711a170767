// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of its own for a group of tests, which run inside it so that the paths in messages are
// short.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// Group setup: makes the folder, with a folder `sub` inside, and enters it. 0 on success.
static inline int scratch_folder_enter(void **state) {
    static char folder[] = "/tmp/gomolab-test-XXXXXX";
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 && mkdir("sub", 0777) == 0 ? 0 : -1;
}

// Group teardown: removes it. 0 on success.
static inline int scratch_folder_leave(void **state) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    return chdir("/") == 0 ? system(command) : -1;
}

// Writes a text file, or fails the test.
static inline void scratch_file_write(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
