// SPDX-License-Identifier: GPL-3.0-or-later
// YAML to a tree of nodes, by libyaml.
#include "harness/cli/yaml_tree.h"

#include "harness/cli/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

// --- memory: blocks that are freed together --------------------------------------------

// Everything of a file hangs on one list: no node is freed alone, and a failure half-way leaks
// nothing.
typedef struct Block {
    struct Block *next;
    max_align_t data[]; // what was asked for
} Block;

// Zeroed: texts are ended and counts are 0 from the start, also when the copy stops half-way.
static void *file_alloc(YamlFile *file, size_t size) {
    Block *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->next = file->memory;
    file->memory = block;
    return block->data;
}

void yaml_file_free(YamlFile *file) {
    if (!file)
        return;
    for (Block *block = file->memory; block;) {
        Block *next = block->next;
        free(block);
        block = next;
    }
    free(file->path);
    free(file);
}

// --- copying libyaml's document --------------------------------------------------------

typedef struct Copy {
    YamlFile *file;
    yaml_document_t *document;
    ErrorText *err;
} Copy;

static Status copy_node(Copy *copy, int index, int depth, YamlNode **out);

static Status no_memory(Copy *copy) {
    return error_set(copy->err, STATUS_NO_MEMORY, "%s: out of memory", copy->file->path);
}

static Status copy_scalar(Copy *copy, const yaml_node_t *from, YamlNode *node) {
    size_t length = from->data.scalar.length;
    const char *bytes = (const char *)from->data.scalar.value;
    // YAML can write a NUL as "\0"; our texts are C strings.
    if (memchr(bytes, '\0', length))
        return yaml_error(copy->file, node,
                          error_set(copy->err, STATUS_INVALID, "a NUL character, expected text"),
                          copy->err);
    char *text = file_alloc(copy->file, length + 1);
    if (!text)
        return no_memory(copy);
    memcpy(text, bytes, length);
    node->text = text;
    // The one thing about style that matters: 'null' in quotes is a word, null without is nothing.
    node->is_plain = from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return STATUS_OK;
}

static Status copy_list(Copy *copy, const yaml_node_t *from, int depth, YamlNode *node) {
    const yaml_node_item_t *items = from->data.sequence.items.start;
    int count = (int)(from->data.sequence.items.top - items);
    node->items = file_alloc(copy->file, (size_t)count * sizeof *node->items);
    if (!node->items)
        return no_memory(copy);
    // The count grows with what is there, so that a tree that is cut short is still a tree.
    for (; node->count < count; node->count++) {
        Status status = copy_node(copy, items[node->count], depth + 1, &node->items[node->count]);
        if (status)
            return status;
    }
    return STATUS_OK;
}

// libyaml leaves duplicates to the reader: without this, one of the two would win without a word.
static Status check_key(Copy *copy, const YamlNode *map, const YamlNode *key) {
    if (key->kind != YAML_SCALAR)
        return yaml_error(
            copy->file, key,
            error_set(copy->err, STATUS_INVALID, "a map key must be a word, not a list or map"),
            copy->err);
    // Without this it would be an unknown key, and the message would not say how it is done here.
    if (strcmp(key->text, "<<") == 0)
        return yaml_error(
            copy->file, key,
            error_set(copy->err, STATUS_INVALID,
                      "merge keys ('<<') are not read; start from another file with 'base: FILE'"),
            copy->err);
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->pairs[i].key->text, key->text) == 0)
            return yaml_error(copy->file, key,
                              error_set(copy->err, STATUS_INVALID,
                                        "'%s' is given twice, first on line %d", key->text,
                                        map->pairs[i].key->line),
                              copy->err);
    return STATUS_OK;
}

static Status copy_map(Copy *copy, const yaml_node_t *from, int depth, YamlNode *node) {
    const yaml_node_pair_t *pairs = from->data.mapping.pairs.start;
    int count = (int)(from->data.mapping.pairs.top - pairs);
    if (count > YAML_MAX_KEYS) // looking for duplicates takes quadratic time
        return yaml_error(
            copy->file, node,
            error_set(copy->err, STATUS_INVALID, "more than %d keys in a map", YAML_MAX_KEYS),
            copy->err);
    node->pairs = file_alloc(copy->file, (size_t)count * sizeof *node->pairs);
    if (!node->pairs)
        return no_memory(copy);
    for (int i = 0; i < count; i++) {
        YamlPair *pair = &node->pairs[i];
        Status status = copy_node(copy, pairs[i].key, depth + 1, &pair->key);
        if (status == STATUS_OK)
            status = check_key(copy, node, pair->key);
        if (status == STATUS_OK)
            status = copy_node(copy, pairs[i].value, depth + 1, &pair->value);
        if (status)
            return status;
        // After the key was checked against those before it, itself not among them.
        node->count++;
    }
    return STATUS_OK;
}

static Status copy_node(Copy *copy, int index, int depth, YamlNode **out) {
    const yaml_node_t *from = yaml_document_get_node(copy->document, index);
    YamlNode *node = file_alloc(copy->file, sizeof *node);
    if (!node || !from)
        return no_memory(copy);
    // libyaml counts from 0, editors from 1.
    node->line = (int)from->start_mark.line + 1;
    node->column = (int)from->start_mark.column + 1;
    *out = node;
    // Checked with the node count: aliases may make a small file into a huge or endless tree.
    if (depth > YAML_MAX_DEPTH)
        return yaml_error(
            copy->file, node,
            error_set(copy->err, STATUS_INVALID, "nested deeper than %d levels", YAML_MAX_DEPTH),
            copy->err);
    if (++copy->file->node_count > YAML_MAX_NODES)
        return yaml_error(
            copy->file, node,
            error_set(copy->err, STATUS_INVALID, "more than %d values", YAML_MAX_NODES), copy->err);
    switch (from->type) {
    case YAML_SCALAR_NODE:
        node->kind = YAML_SCALAR;
        return copy_scalar(copy, from, node);
    case YAML_SEQUENCE_NODE:
        node->kind = YAML_LIST;
        return copy_list(copy, from, depth, node);
    case YAML_MAPPING_NODE:
        node->kind = YAML_MAP;
        return copy_map(copy, from, depth, node);
    case YAML_NO_NODE:
        break;
    }
    return yaml_error(copy->file, node, error_set(copy->err, STATUS_INVALID, "not a value"),
                      copy->err);
}

// --- reading ---------------------------------------------------------------------------

static Status parser_error(const char *path, const yaml_parser_t *parser, ErrorText *err) {
    if (parser->error == YAML_MEMORY_ERROR)
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    bool is_reader =
        parser->error == YAML_READER_ERROR; // bytes that are no UTF-8: only an offset is known
    if (is_reader)
        return error_set(err, STATUS_INVALID, "%s:%zu:%zu: not YAML: %s (byte %zu)", path,
                         parser->mark.line + 1, parser->mark.column + 1, parser->problem,
                         parser->problem_offset);
    return error_set(err, STATUS_INVALID, "%s:%zu:%zu: not YAML: %s%s%s", path,
                     parser->problem_mark.line + 1, parser->problem_mark.column + 1,
                     parser->problem ? parser->problem : "syntax error",
                     parser->context ? ", " : "", parser->context ? parser->context : "");
}

static Status too_deep(const YamlFile *file, const yaml_event_t *event, ErrorText *err) {
    return error_set(err, STATUS_INVALID, "%s:%zu:%zu: nested deeper than %d levels", file->path,
                     event->start_mark.line + 1, event->start_mark.column + 1, YAML_MAX_DEPTH);
}

// Looked at event by event before anything is loaded: what a list in a list in a list costs libyaml
// grows with the square of the depth, and a line of brackets would take minutes to be refused.
// Text that is no YAML passes, for the loading to say what is wrong with it.
static Status check_depth(const YamlFile *file, const char *bytes, size_t length, ErrorText *err) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", file->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    Status status = STATUS_OK;
    bool is_end = false;
    // The root is level 0, as in copy_node.
    int depth = -1;
    while (!status && !is_end) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event))
            break;
        bool opens =
            event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
        depth += opens;
        depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        if (opens && depth > YAML_MAX_DEPTH)
            status = too_deep(file, &event, err);
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

static Status parse_document(YamlFile *file, yaml_parser_t *parser, ErrorText *err) {
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document))
        return parser_error(file->path, parser, err);
    Copy copy = {file, &document, err};
    Status status = STATUS_OK;
    // An empty text has no root: it is a configuration in which everything has its default.
    if (yaml_document_get_root_node(&document)) {
        // libyaml numbers nodes from 1; the first is the root.
        status = copy_node(&copy, 1, 0, &file->root);
    } else {
        file->root = file_alloc(file, sizeof *file->root);
        if (file->root)
            *file->root = (YamlNode){.kind = YAML_MAP, .line = 1, .column = 1};
        else
            status = no_memory(&copy);
    }
    yaml_document_delete(&document);
    if (status)
        return status;
    // A second load tells the end of the stream from another document; the first stops where its
    // own ends.
    if (!yaml_parser_load(parser, &document)) // the stream must end here
        return parser_error(file->path, parser, err);
    const yaml_node_t *second = yaml_document_get_root_node(&document);
    if (second)
        status =
            error_set(err, STATUS_INVALID, "%s:%zu:%zu: a second document, expected one a file",
                      file->path, second->start_mark.line + 1, second->start_mark.column + 1);
    yaml_document_delete(&document);
    return status;
}

Status yaml_parse(const char *path, const char *bytes, size_t length, YamlFile **out,
                  ErrorText *err) {
    if (length > YAML_MAX_BYTES)
        return error_set(err, STATUS_INVALID, "%s: larger than %d bytes, which no configuration is",
                         path, YAML_MAX_BYTES);
    YamlFile *file = calloc(1, sizeof *file);
    yaml_parser_t parser;
    if (!file || !(file->path = strdup(path)) || !yaml_parser_initialize(&parser)) {
        yaml_file_free(file);
        return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    Status status = check_depth(file, bytes, length, err);
    if (!status)
        status = parse_document(file, &parser, err);
    yaml_parser_delete(&parser);
    if (status)
        yaml_file_free(file);
    else
        *out = file;
    return status;
}

Status yaml_read(const char *path, YamlFile **out, ErrorText *err) {
    char *bytes = NULL;
    size_t length = 0;
    // One byte more than allowed is read at most, which is enough for yaml_parse to refuse it.
    Status status = whole_file_read(path, YAML_MAX_BYTES, &bytes, &length, err);
    if (!status)
        status = yaml_parse(path, bytes, length, out, err); // refuses more bytes than are allowed
    free(bytes);
    return status;
}

// --- questions -------------------------------------------------------------------------

const YamlNode *yaml_get(const YamlNode *map, const char *key) {
    if (map->kind == YAML_MAP)
        for (int i = 0; i < map->count; i++)
            if (strcmp(map->pairs[i].key->text, key) == 0)
                return map->pairs[i].value;
    return NULL;
}

// As the core schema of YAML 1.2 has it, in any case of letters.
bool yaml_is_null(const YamlNode *node) {
    if (node->kind != YAML_SCALAR || !node->is_plain)
        return false;
    return !node->text[0] || strcmp(node->text, "~") == 0 || strcasecmp(node->text, "null") == 0;
}

const char *yaml_describe(const YamlNode *node, char *buffer, size_t size) {
    if (node->kind == YAML_LIST)
        return "a list";
    if (node->kind == YAML_MAP)
        return "a map";
    if (yaml_is_null(node))
        return "nothing";
    snprintf(buffer, size, "'%.60s'", node->text);
    return buffer;
}

Status yaml_error(const YamlFile *file, const YamlNode *node, Status status, ErrorText *err) {
    // Words of the command line have no line: there the path, "--set key=value", is the place.
    if (node && node->line > 0)
        return error_wrap(err, status, "%s:%d:%d", file->path, node->line, node->column);
    return error_wrap(err, status, "%s", file->path);
}
