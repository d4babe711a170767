// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed positions of the benchmark: games of the engine against itself at depth 4 from balanced
// openings, cut at 14 to 26 stones, and the openings that a few of them came from.
#include "engine/base/check.h"
#include "harness/study/bench.h"

#define MIDGAME(moves)                                                                             \
    { "midgame", RULE_FREESTYLE, 15, moves }

static const BenchPosition POSITIONS[] = {
    MIDGAME("a8b12c9c12b10d10d12c11e9b11d8e7c7f10"),
    MIDGAME("m14k10i13h10h9h15i12i9i10k7j8i11j12k12k11l10j13j11g15h14h11"),
    MIDGAME("f12f8e8g10c11e9c9d10c10c12b11d9d11g7h6"),
    MIDGAME("i3h5j6f2l9g5i5h6i4i6i2i1i7h4h3g4f3g3g2j5h8k5"),
    MIDGAME("e8k12j10i11h8k11k10i10h9i12i13j12h12h11j11m12"),
    MIDGAME("g12d13e9e14i14c12b11e12f11h13e10c10d9c8d11e11c9e13e15b9f9g9g8"),
    MIDGAME("n5o5m7m5n4n7j9n6l4o6o7n8k8l7k6n10n9"),
    MIDGAME("d8e9g8d5d9f9b11e8g10d10e7g9c11c9e11h9i9d11e13b10e10e12f13d13"),
    MIDGAME("k4h6h5j2k9g5i6i7f4j7k7k6l5j5j3i2i4k2"),
    MIDGAME("g8h8d9f11i12f10f9g9e11h7g10i7j6h11j7h9h10h6h5j8k9g5f4i8k8"),
    MIDGAME("c3d5f6f3b6e7f5e5e4d3d4c4f7f8b5g9d6e6b3"),
    MIDGAME("m10l12l8i13l11l13j13k12m12j11i10k10k11n15m14m11j14i12l9h13g14h12j12l7i11k13"),
    MIDGAME("i8l8g10k6n9l10l11k9k10j9j10m11j8n12o13i10h9f11h11h8"),
    MIDGAME("k3n5k2m5n4n3m8l5k5k4m6k6m4i6"),
    MIDGAME("g14k10g12m8m14m6g11g13j11m7m9i11h12m5m4i12i13j14f10e9f13"),
    MIDGAME("j12h11i11g15l14k13h14j9l9g9j11i9h9i10k8"),
    MIDGAME("h8b10d7f13f7f10j7e7d8d6f8e8e6f5h9g8h7h6i8g10j9k10"),
    MIDGAME("k15k11h12g14j14i13j12i12i11h10k13j11l14m15h13k10"),
    MIDGAME("g3h3e2g4d3e5h2k7f2g2h4i5f5i4j5i6i7g6h5h6f6i3i2"),
    MIDGAME("m12m7i9j8n8i10j10m8n9i8h8k11g7f6n7n10l8"),
    {"opening", RULE_FREESTYLE, 15, "h8i9"},
    {"opening", RULE_FREESTYLE, 15, "m12m7i9j8"},
    {"midgame", RULE_STANDARD, 15, "a8b12c9c12b10d10d12c11e9b11d8e7c7f10"},
    {"midgame", RULE_STANDARD, 15, "e4f8f4h4e9e7g5d6g9h6h7g6f9d9i9h9g8i6e10d11j6"},
    {"midgame", RULE_STANDARD, 15, "e6h9g9e5i6h3b5h5d6h4h6h2h1k6e7"},
    {"midgame", RULE_FREESTYLE, 20, "a13b17c14c17b15d15d17c16e14b16d13e12c12f15"},
    {"midgame", RULE_FREESTYLE, 20,
     "f17f13e13g15c16e14c14d15c15c17b16d14d16g12h11e16g14e17e18f16h14"},
    {"midgame", RULE_STANDARD, 20, "g17d18e14e19i19c17b16e17f16h18e15c15d14c13d16"},
};

int bench_position_count(void) { return (int)ARRAY_LEN(POSITIONS); }

const BenchPosition *bench_position(int index) {
    CHECK(index >= 0 && index < bench_position_count());
    return &POSITIONS[index];
}
