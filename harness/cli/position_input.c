// SPDX-License-Identifier: GPL-3.0-or-later
// Positions from the command line.
#include "harness/cli/position_input.h"

#include "engine/base/nearest.h"

#include <stdio.h>

void position_note_unusual(const char *command, const char *file, const PositionList *list) {
    int unusual = 0, first = 0;
    for (int i = 0; i < list->count; i++)
        if (!list->items[i].has_usual_counts && unusual++ == 0)
            first = i;
    // A note, not an error: puzzles often set up stones that no game would reach.
    if (unusual)
        fprintf(stderr,
                "gomolab %s: note: %d of %d positions have stone counts that no game reaches, "
                "first %s:%d (%s)\n",
                command, unusual, list->count, file, list->items[first].line,
                list->items[first].id);
}

Status position_input_read(const PositionInput *input, const char *command, PositionList *out,
                           Rule *rule, ErrorText *err) {
    Rule named = RULE_FREESTYLE;
    if (!input->position == !input->file)
        return error_set(err, STATUS_INVALID,
                         "gomolab %s: expected either --position MOVES or --file FILE", command);
    if (input->rule && !rule_parse(input->rule, &named)) {
        const char *names[RULE_NB];
        for (int i = 0; i < RULE_NB; i++)
            names[i] = rule_name((Rule)i);
        return error_set(err, STATUS_INVALID, "--rule %s: expected freestyle or standard%s",
                         input->rule, nearest_hint(input->rule, names, RULE_NB, "").text);
    }
    Status status;
    if (input->position) {
        status = positions_add_moves(out, "1", input->position, (int)input->board, err);
        if (status)
            error_wrap(err, status, "--position");
    } else {
        status = positions_read(input->file, (int)input->board, out, err);
    }
    if (status)
        return status;
    if (input->file)
        position_note_unusual(command, input->file, out);
    *rule = named;
    return STATUS_OK;
}

Status position_input_fault(const PositionInput *input, const Position *position, Status status,
                            ErrorText *err) {
    return position->line > 0 ? error_wrap(err, status, "%s:%d: position %s", input->file,
                                           position->line, position->id)
                              : error_wrap(err, status, "--position");
}
