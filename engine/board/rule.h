// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of Gomoku that gomolab plays, as an explicit parameter everywhere.
//
// freestyle: k or more in a row win. standard: exactly k win, a longer row (overline) is nothing. A
// rule is one row of the table in rule.c; what a run of stones is worth is asked here and nowhere
// else.
#pragma once

#include <stdbool.h>

typedef enum Rule { RULE_FREESTYLE, RULE_STANDARD, RULE_NB } Rule;

// The name used in files and options ("freestyle"). Thread: any.
const char *rule_name(Rule rule);

// Finds a rule by name, any case. False (and *out untouched) when there is none. Thread: any.
bool rule_parse(const char *name, Rule *out);

// The `INFO rule` number of the Gomocup protocol (freestyle 0, standard 1). Thread: any.
int rule_gomocup_code(Rule rule);

// Does a maximal run of `length` own stones win when k in a row are asked for? Thread: any.
static inline bool rule_run_wins(Rule rule, int length, int k) {
    return rule == RULE_FREESTYLE ? length >= k : length == k;
}
