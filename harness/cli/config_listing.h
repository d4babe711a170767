// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of a resolved configuration, its value, and where the value came from.
#pragma once

#include "engine/base/text.h"

// One key of `check --resolved`; all texts are owned.
typedef struct ConfigEntry {
    char *player; // owned; NULL for a key of the file itself, or when there is one player only
    char *key, *value;
    char *origin; // "file:line", "--set key=value" or "default"
} ConfigEntry;

// Zero-initialised is empty. In the order of the tables of keys, the file's own before the
// players'.
typedef struct ConfigListing {
    ConfigEntry *entries; // owned
    int count, cap;
    // Remembered instead of returned: whoever fills the list asks once, at its end.
    bool failed; // out of memory: entries are missing
} ConfigListing;

// Appends an entry; the texts are copied, `player` may be NULL. Thread: owner.
// `key` is the dotted key, `value` reads back to the same, `origin` is for people.
void config_listing_add(ConfigListing *listing, const char *player, const char *key,
                        const Text *value, const Text *origin);

// Moves all entries of `from` behind those of `to`; `from` is empty afterwards. Thread: owner.
void config_listing_move(ConfigListing *to, ConfigListing *from);

// Frees the entries. Thread: owner.
void config_listing_release(ConfigListing *listing);
