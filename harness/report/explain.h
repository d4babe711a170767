// SPDX-License-Identifier: GPL-3.0-or-later
// One plain sentence for every number that is printed: what it means, and what it does not. The one
// place for them, so that `report --explain` and `stats --explain` say the same.
#pragma once

// The sentence for a number, by the key it has in JSON and in column names ("elo", "los"); NULL
// when there is none. Thread: any.
const char *explain_key(const char *key);
