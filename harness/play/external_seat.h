// SPDX-License-Identifier: GPL-3.0-or-later
// A program at the board: the Gomocup protocol over pipes, one process for many games.
//
// start: RESTART when the process has played before, else a new process and START; both must answer
// OK. think: BEGIN, TURN or BOARD, with INFO time_left, in one write; the clock runs from the last
// byte written to the whole line read. While a move is due, lines that begin with MESSAGE, DEBUG,
// INFO, ERROR, UNKNOWN, SUGGEST or OK are heard, any other line that is not blank is the answer;
// lines that come at other times are dropped and counted. A process that has failed is stopped,
// group and all, when the game ends, and the next game starts another one (restart: failure).
//
// Details and quirks that this copes with are listed where they are handled, in external_seat.c.
#pragma once

#include "harness/play/seat.h"
#include "harness/record/experiment.h"

// Opens the seat and executes the program, so that what cannot be executed is known before the
// first game: STATUS_IO with the path. STATUS_UNSUPPORTED for games of other than five in a row.
// Freed by seat_free. Thread: owner.
Status external_seat_new(const Experiment *experiment, int player, Seat **out,
                         ErrorText *err) MUST_CHECK;

// Can the program be executed? It is started and killed at once. STATUS_IO with the path and the
// reason. Thread: any.
Status external_seat_probe(const PlayerSpec *player, ErrorText *err) MUST_CHECK;
