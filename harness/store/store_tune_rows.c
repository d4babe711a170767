// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors as text, and freeing a tune.
#include "harness/store/store_tune_rows.h"

#include <stdlib.h>
#include <string.h>

// JSON, so that json_each in SQL opens it; text_append_double writes the shortest digits that read
// back to the same double.
void store_vector_write(const StoreVector *vector, Text *out) {
    text_append(out, "[");
    for (int i = 0; i < vector->count; i++) {
        if (i)
            text_append(out, ",");
        text_append_double(out, vector->at[i]);
    }
    text_append(out, "]");
}

// As many places as commas and one more. "[]" gets one that stays empty, since malloc(0) may give
// NULL, which stands for no memory.
bool store_vector_read(const char *text, StoreVector *out) {
    StoreVector vector = {0};
    int cap = 1;
    if (*text++ != '[')
        return false;
    for (const char *c = text; *c; c++)
        cap += *c == ',';
    vector.at = malloc((size_t)cap * sizeof *vector.at);
    while (vector.at && *text && *text != ']') {
        char *end;
        double number = strtod(text, &end);
        if (end == text || (*end != ',' && *end != ']') || vector.count == cap)
            break;
        vector.at[vector.count++] = number;
        text = *end == ',' ? end + 1 : end;
    }
    if (!vector.at || strcmp(text, "]") != 0) {
        free(vector.at);
        return false;
    }
    *out = vector;
    return true;
}

void store_vector_release(StoreVector *vector) {
    free(vector->at);
    *vector = (StoreVector){0};
}

void store_tune_free(StoreTune *tune) {
    if (!tune)
        return;
    free(tune->name);
    free(tune->method);
    free(tune->config);
    free(tune->identity);
    free(tune->started_at);
    free(tune->finished_at);
    free(tune->version);
    free(tune->host);
    free(tune);
}

void store_tune_match_release(StoreTuneMatch *match) {
    free(match->player);
    free(match->opponent);
    free(match->openings);
    free(match->verdict);
    *match = (StoreTuneMatch){0};
}
