// SPDX-License-Identifier: GPL-3.0-or-later
// One plain sentence for every number that `stats` and `rate` print: what it means, and what it
// does not. (A report keeps the words of a section beside the section.)
#pragma once

// The sentence for a number, by the key it has in JSON and in column names ("elo", "los"); NULL
// when there is none. Thread: any.
const char *explain_key(const char *key);
