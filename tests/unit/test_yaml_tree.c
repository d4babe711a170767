// SPDX-License-Identifier: GPL-3.0-or-later
// Trees of YAML: places of nodes, what is nothing, bounds that no text gets past.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/text.h"
#include "harness/cli/yaml_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static YamlFile *parse(const char *text) {
    ErrorText err = {""};
    YamlFile *file = NULL;
    if (yaml_parse("t.yaml", text, strlen(text), &file, &err))
        fail_msg("%s", err.text);
    return file;
}

static void place_check(const YamlNode *node, int line, int column) {
    assert_non_null(node);
    assert_int_equal(node->line, line);
    assert_int_equal(node->column, column);
}

static void test_yaml_tree__every_node_knows_its_place(void **state) {
    (void)state;
    YamlFile *file = parse("# remark\na:\n  - x\n  - {b: 'y', c: [1,2]}\n\"d\": |\n  text\n");
    const YamlNode *root = file->root, *a = yaml_get(root, "a"), *map = a->items[1];
    place_check(root, 2, 1);
    place_check(root->pairs[0].key, 2, 1);
    place_check(a, 3, 3);
    place_check(a->items[0], 3, 5);
    place_check(map, 4, 5);
    place_check(map->pairs[0].key, 4, 6);
    place_check(yaml_get(map, "b"), 4, 9);
    place_check(yaml_get(map, "c"), 4, 17);
    place_check(yaml_get(map, "c")->items[1], 4, 20);
    place_check(yaml_get(root, "d"), 5, 6);
    assert_string_equal(yaml_get(root, "d")->text, "text\n");
    assert_null(yaml_get(root, "b"));
    assert_null(yaml_get(a, "b")); // no map
    assert_null(yaml_get(a->items[0], "x"));
    yaml_file_free(file);
    yaml_file_free(NULL);
}

static void test_yaml_tree__nothing_is_told_from_text(void **state) {
    (void)state;
    YamlFile *file =
        parse("a:\nb: ~\nc: null\nd: NULL\ne: ''\nf: 'null'\ng: \"~\"\nh: []\ni: {}\n");
    for (const char *key = "abcd"; *key; key++)
        assert_true(yaml_is_null(yaml_get(file->root, (char[]){*key, '\0'})));
    for (const char *key = "efghi"; *key; key++)
        assert_false(yaml_is_null(yaml_get(file->root, (char[]){*key, '\0'})));
    char buffer[80];
    assert_string_equal(yaml_describe(yaml_get(file->root, "a"), buffer, sizeof buffer), "nothing");
    assert_string_equal(yaml_describe(yaml_get(file->root, "e"), buffer, sizeof buffer), "''");
    assert_string_equal(yaml_describe(yaml_get(file->root, "h"), buffer, sizeof buffer), "a list");
    assert_string_equal(yaml_describe(yaml_get(file->root, "i"), buffer, sizeof buffer), "a map");
    yaml_file_free(file);
}

static void test_yaml_tree__an_empty_text_is_an_empty_map(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"", "\n\n", "# only a remark\n", "---\n", "---\n...\n"};
    for (size_t i = 0; i < ARRAY_LEN(TEXTS); i++) {
        YamlFile *file = parse(TEXTS[i]);
        if (i < 3)
            assert_int_equal(file->root->kind, YAML_MAP);
        assert_int_equal(file->root->count, 0);
        yaml_file_free(file);
    }
}

static void test_yaml_tree__aliases_are_copies_at_the_place_of_their_anchor(void **state) {
    (void)state;
    YamlFile *file = parse("a: &x {n: 1}\nb: *x\nc: [*x, *x]\n");
    const YamlNode *b = yaml_get(file->root, "b");
    assert_string_equal(yaml_get(b, "n")->text, "1");
    place_check(yaml_get(b, "n"), 1, 11);
    assert_int_equal(yaml_get(file->root, "c")->count, 2);
    yaml_file_free(file);
}

static void refuse(const char *text, size_t length, const char *words) {
    ErrorText err = {""};
    YamlFile *file = (YamlFile *)0x1;
    assert_int_equal(yaml_parse("t.yaml", text, length, &file, &err), STATUS_INVALID);
    if (!strstr(err.text, words))
        fail_msg("'%s' says nothing of '%s'", err.text, words);
    assert_ptr_equal(file, (YamlFile *)0x1); // untouched
}

// `parts` times the text `part` between a head and a tail.
static void refuse_many(const char *head, const char *part, int parts, const char *tail,
                        const char *words) {
    Text text = {0};
    text_append(&text, head);
    for (int i = 0; i < parts; i++)
        text_append(&text, part);
    text_append(&text, tail);
    refuse(text_cstr(&text), text.length, words);
    text_release(&text);
}

static void test_yaml_tree__bounds_are_kept(void **state) {
    (void)state;
    refuse_many("", "[", 24, "", "t.yaml:2:1: not YAML"); // lists without an end
    // At once, however many there are: this would take libyaml alone hours.
    refuse_many("", "[", 1000000, "", "t.yaml:1:26: nested deeper than 24 levels");
    refuse_many("", "- ", 500000, "", "t.yaml:1:51: nested deeper than 24 levels");
    refuse_many("", "{a: ", 250000, "", "t.yaml:1:101: nested deeper than 24 levels");
    Text deep = {0};
    for (int i = 0; i < YAML_MAX_DEPTH + 2; i++)
        text_append(&deep, "[");
    for (int i = 0; i < YAML_MAX_DEPTH + 2; i++)
        text_append(&deep, "]");
    refuse(text_cstr(&deep), deep.length, "t.yaml:1:26: nested deeper than 24 levels");
    text_release(&deep);
    refuse_many("[", "1,", YAML_MAX_NODES + 1, "]", "more than 100000 values");
    Text keys = {0};
    for (int i = 0; i <= YAML_MAX_KEYS; i++)
        text_printf(&keys, "k%d: 1\n", i);
    refuse(text_cstr(&keys), keys.length, "more than 4096 keys in a map");
    text_release(&keys);
    char *large = calloc(1, YAML_MAX_BYTES + 1);
    assert_non_null(large);
    memset(large, ' ', YAML_MAX_BYTES + 1);
    refuse(large, YAML_MAX_BYTES + 1, "t.yaml: larger than 1048576 bytes");
    free(large);
    // Few bytes that aliases make many: ten to the sixth values.
    refuse_many("a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: ",
                "", 0, "[*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n", "more than 100000 values");
}

static void test_yaml_tree__bytes_that_are_no_text_are_refused(void **state) {
    (void)state;
    static const char LATIN[] = "name: \xe9t\xe9\n", NUL[] = "a: b\0c\n";
    refuse(LATIN, sizeof LATIN - 1, "t.yaml:1:");
    refuse(NUL, sizeof NUL - 1, "t.yaml:1:");
    refuse("a: b\na: c\n", 10, "t.yaml:2:1: 'a' is given twice, first on line 1");
    refuse("a: {b: 1, b: 2}", 15, "t.yaml:1:11: 'b' is given twice, first on line 1");
    refuse("*x", 2, "t.yaml:1:1: not YAML");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yaml_tree__every_node_knows_its_place),
        cmocka_unit_test(test_yaml_tree__nothing_is_told_from_text),
        cmocka_unit_test(test_yaml_tree__an_empty_text_is_an_empty_map),
        cmocka_unit_test(test_yaml_tree__aliases_are_copies_at_the_place_of_their_anchor),
        cmocka_unit_test(test_yaml_tree__bounds_are_kept),
        cmocka_unit_test(test_yaml_tree__bytes_that_are_no_text_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
