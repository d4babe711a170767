// SPDX-License-Identifier: GPL-3.0-or-later
// Bit tricks on 32- and 64-bit words, named once. All are pure and become an instruction or two.
// The scans have no answer for a word of 0, where the builtins are undefined: who asks makes sure
// that a bit is set, as the walls of a line do (board/line.h).
#pragma once

#include <stdint.h>

// Index of the lowest set bit, 0..31. Thread: any.
static inline int bits_lowest(uint32_t word) { return __builtin_ctz(word); }
// Index of the highest set bit, 0..31. Thread: any.
static inline int bits_highest(uint32_t word) { return 31 - __builtin_clz(word); }
// Number of set bits, 0..32. Thread: any.
static inline int bits_count(uint32_t word) { return __builtin_popcount(word); }
// Index of the lowest set bit of 64, 0..63. Thread: any.
static inline int bits_lowest64(uint64_t word) { return __builtin_ctzll(word); }
// The word with bits 0..index-1 set; index 0..31, since C leaves a shift by the whole width
// undefined. Thread: any.
static inline uint32_t bits_below(int index) { return ((uint32_t)1 << index) - 1u; }
