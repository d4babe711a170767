// SPDX-License-Identifier: GPL-3.0-or-later
// The valid name nearest to a mistyped one, and the half sentence that offers it.
#pragma once

#include <stddef.h>

// The name closest to `word`, or NULL when more than half of it would be wrong: one that begins
// with it comes first, else the fewest slips count (a letter added, left out, wrong, or two
// swapped: the optimal string alignment distance, case-insensitive), apart from leading parts that
// are the same ("engine." is no merit). When none is near, the parts of dotted names after the last
// dot are tried ("depth" is near to "search.depth"). `names` has `count` entries. Thread: any.
const char *nearest_name(const char *word, const char *const *names, size_t count);

// What an error message ends with, by value: room for one name, longer ones are cut.
typedef struct NearestHint {
    char text[128]; // ", nearest is 'NAME'", or what to say when none is near
} NearestHint;

// The hint for a word that is none of `names`; `otherwise` (up to 127 bytes) when none of them is
// near. Thread: any.
NearestHint nearest_hint(const char *word, const char *const *names, size_t count,
                         const char *otherwise);

// The same for a word that is none of the choices "a|b|c", of which 32 at most are looked at.
// Thread: any.
NearestHint nearest_choice_hint(const char *word, const char *choices);
