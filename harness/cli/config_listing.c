// SPDX-License-Identifier: GPL-3.0-or-later
// A growing list of configuration entries.
#include "harness/cli/config_listing.h"

#include <stdlib.h>
#include <string.h>

// Room for one more entry?
static bool has_room(ConfigListing *listing) {
    if (listing->count < listing->cap)
        return true;
    int cap = listing->cap ? listing->cap * 2 : 64;
    ConfigEntry *entries = realloc(listing->entries, (size_t)cap * sizeof *entries);
    listing->failed |= !entries;
    if (!entries)
        return false;
    listing->entries = entries;
    listing->cap = cap;
    return true;
}

void config_listing_add(ConfigListing *listing, const char *player, const char *key,
                        const Text *value, const Text *origin) {
    if (!has_room(listing))
        return;
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

void config_listing_move(ConfigListing *to, ConfigListing *from) {
    int moved = 0;
    to->failed |= from->failed;
    while (moved < from->count && has_room(to))
        to->entries[to->count++] = from->entries[moved++];
    // What found no room is freed with the rest.
    for (int i = moved; i < from->count; i++)
        from->entries[i - moved] = from->entries[i];
    from->count -= moved;
    config_listing_release(from);
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
