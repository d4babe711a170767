// SPDX-License-Identifier: GPL-3.0-or-later
// Which players can be compared node by node: read from the settings that a database keeps with
// each player.
#pragma once

#include "engine/base/text.h"

#include <stdbool.h>

typedef struct PlayerFamily {
    Text ladder;  // every setting but the depth: equal for the steps of a depth ladder; empty when
                  // unknown
    Text minimax; // the settings that define a minimax value, depth included; empty when unknown
    bool is_minimax; // plain minimax itself
} PlayerFamily;

// Reads the JSON of a player. Unknown or foreign text (an external engine, an imported player)
// leaves the family empty. Release with player_family_release. Thread: owner.
void player_family_read(const char *config_json, PlayerFamily *out);
void player_family_release(PlayerFamily *family); // frees the texts
