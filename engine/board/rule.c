// SPDX-License-Identifier: GPL-3.0-or-later
// The table of rules.
#include "engine/board/rule.h"

#include "engine/base/check.h"

#include <strings.h>

// By Rule. The codes are the protocol's sum of bits: a rule that gomolab does not play (renju, 4)
// has no row, and whoever is asked for it says so.
static const struct {
    const char *name;
    int gomocup_code;
} RULES[RULE_NB] = {
    [RULE_FREESTYLE] = {"freestyle", 0},
    [RULE_STANDARD] = {"standard", 1},
};

const char *rule_name(Rule rule) {
    CHECK((unsigned)rule < RULE_NB);
    return RULES[rule].name;
}

bool rule_parse(const char *name, Rule *out) {
    for (int i = 0; i < RULE_NB; i++)
        if (strcasecmp(name, RULES[i].name) == 0) {
            *out = (Rule)i;
            return true;
        }
    return false;
}

int rule_gomocup_code(Rule rule) {
    CHECK((unsigned)rule < RULE_NB);
    return RULES[rule].gomocup_code;
}
