// SPDX-License-Identifier: GPL-3.0-or-later
// Turning the pages of a replay with keys, on the terminal at standard input and output.
#pragma once

#include "harness/report/replay_view.h"

// True when both standard input and output are a terminal that can do more than print lines.
// Thread: any.
bool replay_screen_is_possible(void);

// Columns of the terminal at standard output; 0 when it is none. Thread: any.
int replay_screen_columns(void);

// Shows the page of `ply` and follows the keys until `q`: right n space: forward; left p backspace:
// back; up, down: ten plies; home g, end G. The terminal is as it was when this returns, whatever
// signal ended it. STATUS_IO. Thread: main.
Status replay_screen_run(ReplayView *view, int ply, ErrorText *err) MUST_CHECK;
