// SPDX-License-Identifier: GPL-3.0-or-later
// Bit tricks on 32- and 64-bit words, named once. All are pure; arguments of the scans must not be
// 0.
#pragma once

#include <stdint.h>

static inline int bits_lowest(uint32_t word) {
    return __builtin_ctz(word);
} // index of the lowest set bit
static inline int bits_highest(uint32_t word) {
    return 31 - __builtin_clz(word);
} // index of the highest set bit
static inline int bits_count(uint32_t word) {
    return __builtin_popcount(word);
} // number of set bits
static inline int bits_lowest64(uint64_t word) {
    return __builtin_ctzll(word);
} // the same for 64 bits
static inline uint32_t bits_below(int index) {
    return ((uint32_t)1 << index) - 1u;
} // bits 0..index-1, index 0..31
