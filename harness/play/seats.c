// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the kind of a seat.
#include "harness/play/seats.h"

#include "harness/play/engine_seat.h"
#include "harness/play/external_seat.h"

Status seat_open(const Experiment *experiment, int player, Seat **out, ErrorText *err) {
    if (experiment->players[player].external.command)
        return external_seat_new(experiment, player, out, err);
    return engine_seat_new(experiment, player, out, err);
}

Status seats_probe(const Experiment *experiment, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < experiment->player_count && !status; i++)
        if (experiment->players[i].external.command)
            status = external_seat_probe(&experiment->players[i], err);
    return status;
}

// Programs first: executing one is cheap, and a missing file is the commonest fault.
Status seats_check(const Experiment *experiment, ErrorText *err) {
    Status status = seats_probe(experiment, err);
    for (int i = 0; i < experiment->player_count && !status; i++)
        if (!experiment->players[i].external.command)
            status = engine_seat_check(experiment, i, err);
    return status;
}
