// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as text: folders, stems, joining and the way back.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/cli/file_path.h"
#include "tests/support/scratch_folder.h"

#include <string.h>

static void same(char *got, const char *want) {
    assert_non_null(got);
    assert_string_equal(got, want);
    free(got);
}

static void test_file_path__folders_and_stems(void **state) {
    (void)state;
    static const struct {
        const char *path, *folder, *stem;
    } CASES[] = {
        {"results/cup.db", "results/", "cup"},
        {"cup.db", "", "cup"},
        {"cup", "", "cup"},
        {"/cup.tar.gz", "/", "cup.tar"},
        {".hidden", "", ".hidden"},
        {"a/.hidden", "a/", ".hidden"},
        {"a.b/c", "a.b/", "c"},
        {"a//b.c", "a//", "b"},
        {"../x.yaml", "../", "x"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        same(path_folder(CASES[i].path), CASES[i].folder);
        same(path_stem(CASES[i].path), CASES[i].stem);
    }
}

static void test_file_path__joining_keeps_absolute_paths(void **state) {
    (void)state;
    same(path_join("", "a.yaml"), "a.yaml");
    same(path_join("configs", "a.yaml"), "configs/a.yaml");
    same(path_join("configs/", "a.yaml"), "configs/a.yaml");
    same(path_join("configs/", "/a.yaml"), "/a.yaml");
    same(path_join("configs/", "../a.yaml"), "configs/../a.yaml");
    same(path_join("/", "a.yaml"), "/a.yaml");
}

static void test_file_path__relative_paths_lead_back(void **state) {
    (void)state;
    static const struct {
        const char *folder, *path, *written;
    } CASES[] = {
        {"configs/experiments/", "configs/openings/book.txt", "../openings/book.txt"},
        {"", "configs/book.txt", "configs/book.txt"},
        {"configs/", "book.txt", "../book.txt"},
        {"a/b/c/", "a/b/c/d", "d"},
        {"a/b", "a/b/d", "d"},
        {"ab/", "a/d", "../a/d"},
        {"a/", "ab/d", "../ab/d"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        same(path_relative(CASES[i].folder, CASES[i].path), CASES[i].written);
}

static void test_file_path__programs_are_looked_up_as_a_shell_does(void **state) {
    (void)state;
    scratch_file_write("sub/tool", "#!/bin/sh\n");
    scratch_file_write("sub/data", "no program\n");
    assert_int_equal(chmod("sub/tool", 0755), 0);
    assert_int_equal(chmod("sub/data", 0644), 0);
    assert_int_equal(mkdir("sub/folder", 0755), 0);
    char *before = strdup(getenv("PATH") ? getenv("PATH") : "");
    setenv("PATH", "/nowhere:sub", 1);
    same(path_find_program("tool"), "sub/tool");
    same(path_find_program("missing"), "missing");
    same(path_find_program("folder"), "folder"); // a folder is no program
    same(path_find_program("./tool"), "./tool");
    same(path_find_program("a/b"), "a/b");
    setenv("PATH", before, 1);
    free(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_path__folders_and_stems),
        cmocka_unit_test(test_file_path__joining_keeps_absolute_paths),
        cmocka_unit_test(test_file_path__relative_paths_lead_back),
        cmocka_unit_test(test_file_path__programs_are_looked_up_as_a_shell_does),
    };
    return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
