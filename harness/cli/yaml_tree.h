// SPDX-License-Identifier: GPL-3.0-or-later
// A YAML text as a tree in which every node knows its line and column.
//
// Read with libyaml's document tree and copied into nodes of our own: aliases are followed (a
// cycle, or a text that aliases blow up, is refused by the bounds below), tags and styles are
// forgotten but for quoting. A map with the same key twice is refused here, once for all readers.
// One document a file. Reading is bounded in bytes, depth and nodes.
#pragma once

#include "engine/base/status.h"

#include <stdbool.h>
#include <stddef.h>

// Far beyond every honest configuration, and small enough that a hostile one costs no time worth
// mentioning.
enum {
    YAML_MAX_BYTES = 1 << 20,
    YAML_MAX_DEPTH = 24,
    YAML_MAX_NODES = 100000,
    YAML_MAX_KEYS = 4096
};

// What a tree consists of; numbers and truth values are texts until somebody asks for one.
typedef enum YamlKind { YAML_SCALAR, YAML_LIST, YAML_MAP } YamlKind;

typedef struct YamlNode YamlNode;

// Pairs keep the order of the file.
typedef struct YamlPair {
    YamlNode *key; // a scalar
    YamlNode *value;
} YamlPair;

// Read-only for everybody but yaml_tree.c (and config_source.c, which makes nodes of words of
// --set).
struct YamlNode {
    YamlKind kind;
    int line, column; // of its first character, from 1; 0: from the command line
    const char *text; // scalar: its characters, without NULs inside; else NULL
    bool is_plain;    // scalar without quotes: `null` and `~` mean nothing only when plain
    int count;        // items of a list, pairs of a map
    // Both arrays belong to the file, as do the texts; nothing of a node is freed by itself.
    YamlNode **items; // of a list
    YamlPair *pairs;  // of a map
};

// A text and its tree; all of it is freed at once.
typedef struct YamlFile {
    char *path;     // owned; for messages and for paths relative to it
    YamlNode *root; // an empty text is an empty map
    void *memory;   // owned; everything the nodes point to
    int node_count;
} YamlFile;

// Parses `length` bytes; `path` names them in messages. STATUS_INVALID with "path:line:column:
// what" for text that is no YAML or breaks a bound. On success the file is the caller's, freed by
// yaml_file_free. Thread: any.
Status yaml_parse(const char *path, const char *bytes, size_t length, YamlFile **out,
                  ErrorText *err) MUST_CHECK;

// The same for a file on disk; STATUS_NOT_FOUND when it cannot be read. Thread: any.
Status yaml_read(const char *path, YamlFile **out, ErrorText *err) MUST_CHECK;

// Frees the file and all its nodes; NULL is fine. Thread: owner.
void yaml_file_free(YamlFile *file);

// The value of a key of a map, NULL when it is not there (or the node is no map). Thread: any.
// Linear: maps of a configuration have some dozens of keys at most.
const YamlNode *yaml_get(const YamlNode *map, const char *key);

// Is the node an empty value: nothing at all, `~` or `null`? Thread: any.
bool yaml_is_null(const YamlNode *node);

// How messages call the node: "'text'", "a list", "a map", "nothing". The name is written into
// `buffer` when needed. Thread: owner of `buffer`.
const char *yaml_describe(const YamlNode *node, char *buffer, size_t size);

// Puts "path:line:column: " before the text that error_set has written, and returns its status:
// `return yaml_error(file, node, error_set(err, STATUS_INVALID, "..."), err)`. Thread: owner of
// `err`.
Status yaml_error(const YamlFile *file, const YamlNode *node, Status status,
                  ErrorText *err) MUST_CHECK;
