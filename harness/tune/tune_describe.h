// SPDX-License-Identifier: GPL-3.0-or-later
// How a tune describes itself to the store: by its identity, which says whether a database is its
// own, and by its knobs.
#pragma once

#include "harness/store/store_tune.h"
#include "harness/tune/tune_spec.h"

// Makes the row of a tune. *identity (empty at first) gets the text that the row points at: the
// caller's text_release; *out is the caller's free(); both are to live as long as the row is used,
// and to be freed after a failure, too. STATUS_NO_MEMORY. Thread: owner.
Status tune_describe(const TuneSpec *spec, Text *identity, StoreTune **out,
                     ErrorText *err) MUST_CHECK;
