// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates of a verification by name: what can be changed about a player without changing its
// answers.
//
//   configured   the player as it is
//   alphabeta    plain alpha-beta: board order, no table, no deepening
//   pvs          the same as principal variation search
//   orderings    alpha-beta under each ordering term and some combinations
//   table, deepening, killers, history    one of them on top of the player
//   all          all of the above, and every other value of every knob that gomolab keys calls
//   exact, one at a time random:N     N random combinations of exact knobs, drawn by seed KEY=VALUE
//   ... the player with these knobs
#pragma once

#include "harness/study/verify.h"

// Appends the candidates that `word` names, on top of `player`; a name that is there already is not
// added again. STATUS_INVALID for a word that names none. `seed` drives random:N. Thread: owner.
Status verify_candidates_add(VerifyCandidates *list, const char *word, const KnobSet *player,
                             uint64_t seed, ErrorText *err) MUST_CHECK;

// Appends one candidate. Thread: owner.
Status verify_candidates_add_knobs(VerifyCandidates *list, const char *name, const KnobSet *knobs,
                                   ErrorText *err) MUST_CHECK;

// The default reference: the player with plain minimax. Thread: any.
KnobSet verify_minimax_of(const KnobSet *player);
