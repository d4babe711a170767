// SPDX-License-Identifier: GPL-3.0-or-later
// A growing list of configuration entries.
#include "harness/cli/config_listing.h"

#include <stdlib.h>
#include <string.h>

void config_listing_add(ConfigListing *listing, const char *player, const char *key,
                        const Text *value, const Text *origin) {
    if (listing->count == listing->cap) {
        int cap = listing->cap ? listing->cap * 2 : 64;
        ConfigEntry *entries = realloc(listing->entries, (size_t)cap * sizeof *entries);
        if (!entries) {
            listing->failed = true;
            return;
        }
        listing->entries = entries;
        listing->cap = cap;
    }
    // Counted even when a copy fails: the release then frees the others.
    ConfigEntry *entry = &listing->entries[listing->count++];
    *entry = (ConfigEntry){
        .player = player ? strdup(player) : NULL,
        .key = strdup(key),
        .value = strdup(text_cstr(value)),
        .origin = strdup(text_cstr(origin)),
    };
    listing->failed |=
        value->failed || origin->failed || !entry->key || !entry->value || !entry->origin;
    listing->failed |= player && !entry->player;
}

void config_listing_release(ConfigListing *listing) {
    for (int i = 0; i < listing->count; i++) {
        ConfigEntry *entry = &listing->entries[i];
        free(entry->player);
        free(entry->key);
        free(entry->value);
        free(entry->origin);
    }
    free(listing->entries);
    *listing = (ConfigListing){0};
}
