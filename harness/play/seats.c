// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the kind of a seat.
#include "harness/play/seats.h"

#include "harness/play/engine_seat.h"

Status seat_open(const Experiment *experiment, int player, Seat **out, ErrorText *err) {
    const PlayerSpec *spec = &experiment->players[player];
    if (spec->external.command)
        return error_set(err, STATUS_UNSUPPORTED, "player %s: this build plays no programs",
                         spec->name);
    return engine_seat_new(experiment, player, out, err);
}
