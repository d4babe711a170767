// SPDX-License-Identifier: GPL-3.0-or-later
// A brain (engine/proto/brain.h) behind two descriptors: one thread thinks, another one reads
// ahead.
//
// Reading ahead is what makes YXSTOP, and managers that go away, end a search: a stop ends the
// search that it came after, never a later one; END gives the search in progress half a second;
// when nobody reads our output any more it ends at once. The end of the input alone stops nothing:
// `printf 'START 15\nBEGIN\n' | gomolab brain p.yaml` gets its answer.
#pragma once

#include "engine/proto/brain.h"

// Serves a manager until END or the end of the input. `setup->write`, `ctx` and `stop` are set
// here. STATUS_IO when the output cannot be written (not when its reader has gone),
// STATUS_NO_MEMORY. Thread: one at a time per descriptor.
Status brain_stdio_run(const BrainSetup *setup, int in_fd, int out_fd, ErrorText *err) MUST_CHECK;
