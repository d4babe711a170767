// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting names so that they stay different.
#include "harness/report/short_names.h"

#include "harness/report/number_text.h"
#include "harness/report/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Ways to write a name, from the plainest on.
typedef enum Manner { MANNER_END, MANNER_KEYS, MANNER_MIDDLE, MANNER_NUMBER, MANNER_NB } Manner;

// "c eval.defense=1.5 search.depth=2" as "c defense=1.5 depth=2".
static void append_without_groups(Text *out, const char *name) {
    while (*name) {
        size_t word = strcspn(name, " ");
        size_t equals = strcspn(name, " =");
        const char *start = name;
        // Only in KEY=VALUE words: a dot elsewhere is part of the name.
        if (equals < word)
            for (size_t i = 0; i < equals; i++)
                if (name[i] == '.' && i > 0 && i + 1 < equals)
                    start = name + i + 1;
        text_append_bytes(out, start, word - (size_t)(start - name));
        name += word;
        size_t gap = strspn(name, " ");
        text_append_bytes(out, name, gap);
        name += gap;
    }
}

// The last `columns` columns of a name, or one less where a wide character would be split.
static const char *tail_of(const char *name, int columns) {
    int width = table_text_width(name);
    while (width > columns && *name) {
        int bytes = table_char_bytes(name);
        name += bytes ? bytes : 1;
        width = table_text_width(name);
    }
    return name;
}

static void append_cut_inside(Text *out, const char *name, int columns) {
    if (table_text_width(name) <= columns) {
        text_append(out, name);
        return;
    }
    // The middle is given up: names of sweeps differ at their ends.
    int head = columns / 2;
    number_text_cut(out, name, head);
    text_append(out, tail_of(name, columns - head));
}

static char *name_write(const char *name, int index, Manner manner) {
    Text clean = {0}, text = {0};
    number_text_clean(&clean, name);
    if (manner == MANNER_KEYS || manner == MANNER_MIDDLE) {
        Text keys = {0};
        append_without_groups(&keys, text_cstr(&clean));
        if (manner == MANNER_KEYS)
            number_text_cut(&text, text_cstr(&keys), SHORT_NAME_COLUMNS);
        else
            append_cut_inside(&text, text_cstr(&keys), SHORT_NAME_COLUMNS);
        text.failed |= keys.failed;
        text_release(&keys);
    } else if (manner == MANNER_NUMBER) {
        // Room for the number, which always tells them apart.
        number_text_cut(&text, text_cstr(&clean), SHORT_NAME_COLUMNS - 8);
        text_printf(&text, " #%d", index + 1);
    } else {
        number_text_cut(&text, text_cstr(&clean), SHORT_NAME_COLUMNS);
    }
    char *result = clean.failed || text.failed ? NULL : strdup(text_cstr(&text));
    text_release(&clean);
    text_release(&text);
    return result;
}

typedef struct Ranked {
    const char *text;
    int index;
} Ranked;

static int ranked_compare(const void *left, const void *right) {
    return strcmp(((const Ranked *)left)->text, ((const Ranked *)right)->text);
}

// Marks the texts that more than one name has. Returns whether there are any.
static bool alike_mark(char *const *texts, int count, Ranked *ranked, bool *is_alike) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        ranked[i] = (Ranked){texts[i], i};
        is_alike[i] = false;
    }
    // Equal texts are neighbours then; a thousand names compared two by two would be half a
    // million.
    qsort(ranked, (size_t)count, sizeof *ranked, ranked_compare);
    for (int i = 1; i < count; i++)
        if (strcmp(ranked[i - 1].text, ranked[i].text) == 0)
            any = is_alike[ranked[i - 1].index] = is_alike[ranked[i].index] = true;
    return any;
}

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory for the names of players");
}

Status short_names_make(const char *const *names, int count, char **out, ErrorText *err) {
    Ranked *ranked = calloc((size_t)count + 1, sizeof *ranked);
    bool *is_alike = calloc((size_t)count + 1, sizeof *is_alike);
    Status status = ranked && is_alike ? STATUS_OK : no_memory(err);
    // The first manner is tried on all, each further one while some are still alike.
    bool any = true;
    for (int manner = 0; manner < MANNER_NB && any && !status; manner++) {
        for (int i = 0; i < count && !status; i++) {
            // The keys of all are shortened alike; what is uglier, only where it must be.
            if (manner > MANNER_KEYS && !is_alike[i])
                continue;
            free(out[i]);
            out[i] = name_write(names[i], i, (Manner)manner);
            if (!out[i])
                status = no_memory(err);
        }
        any = !status && count > 0 && alike_mark(out, count, ranked, is_alike);
    }
    free(ranked);
    free(is_alike);
    return status;
}
