// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed positions of the benchmark: games of the engine against itself at depth 4 from balanced
// openings, cut at 14 to 26 stones, the openings that a few of them came from, and games of 72
// plies and more between two weights of defence, cut at 6, 7 and 60 stones.
#include "engine/base/check.h"
#include "harness/study/bench.h"

// The first BENCH_SIGNED positions, which fill sets 0 to 4, are in the signature, and set 0 is what
// speeds on record were measured on: new positions go into later sets or into new ones at the end.
static const BenchSet SETS[] = {
    {"midgame",
     RULE_FREESTYLE,
     15,
     {"a8b12c9c12b10d10d12c11e9b11d8e7c7f10",
      "m14k10i13h10h9h15i12i9i10k7j8i11j12k12k11l10j13j11g15h14h11",
      "f12f8e8g10c11e9c9d10c10c12b11d9d11g7h6",
      "i3h5j6f2l9g5i5h6i4i6i2i1i7h4h3g4f3g3g2j5h8k5",
      "e8k12j10i11h8k11k10i10h9i12i13j12h12h11j11m12",
      "g12d13e9e14i14c12b11e12f11h13e10c10d9c8d11e11c9e13e15b9f9g9g8",
      "n5o5m7m5n4n7j9n6l4o6o7n8k8l7k6n10n9",
      "d8e9g8d5d9f9b11e8g10d10e7g9c11c9e11h9i9d11e13b10e10e12f13d13",
      "k4h6h5j2k9g5i6i7f4j7k7k6l5j5j3i2i4k2",
      "g8h8d9f11i12f10f9g9e11h7g10i7j6h11j7h9h10h6h5j8k9g5f4i8k8",
      "c3d5f6f3b6e7f5e5e4d3d4c4f7f8b5g9d6e6b3",
      "m10l12l8i13l11l13j13k12m12j11i10k10k11n15m14m11j14i12l9h13g14h12j12l7i11k13",
      "i8l8g10k6n9l10l11k9k10j9j10m11j8n12o13i10h9f11h11h8",
      "k3n5k2m5n4n3m8l5k5k4m6k6m4i6",
      "g14k10g12m8m14m6g11g13j11m7m9i11h12m5m4i12i13j14f10e9f13",
      "j12h11i11g15l14k13h14j9l9g9j11i9h9i10k8",
      "h8b10d7f13f7f10j7e7d8d6f8e8e6f5h9g8h7h6i8g10j9k10",
      "k15k11h12g14j14i13j12i12i11h10k13j11l14m15h13k10",
      "g3h3e2g4d3e5h2k7f2g2h4i5f5i4j5i6i7g6h5h6f6i3i2",
      "m12m7i9j8n8i10j10m8n9i8h8k11g7f6n7n10l8"}},
    {"opening", RULE_FREESTYLE, 15, {"h8i9", "m12m7i9j8"}},
    {"midgame",
     RULE_STANDARD,
     15,
     {"a8b12c9c12b10d10d12c11e9b11d8e7c7f10", "e4f8f4h4e9e7g5d6g9h6h7g6f9d9i9h9g8i6e10d11j6",
      "e6h9g9e5i6h3b5h5d6h4h6h2h1k6e7"}},
    {"midgame",
     RULE_FREESTYLE,
     20,
     {"a13b17c14c17b15d15d17c16e14b16d13e12c12f15",
      "f17f13e13g15c16e14c14d15c15c17b16d14d16g12h11e16g14e17e18f16h14"}},
    {"midgame", RULE_STANDARD, 20, {"g17d18e14e19i19c17b16e17f16h18e15c15d14c13d16"}},
    {"late",
     RULE_FREESTYLE,
     15,
     {"o14k12b12m12o12j12l12o11k11j10j11l11k10i12h12j13i14m10n9h11k14f9g10l14k13m11m13i10g12m8m9g9h"
      "9f11o15n14f10g11i11d11e11e10c12k8d12j9l7h7g8e12c13b14l8c10b9g14f13e13l9l6",
      "c5g10o10e1o12o11c6g12c8c7e8g11g9g14g13e12h9f12h12d12c12h10i9e13d14f9j9k9e10e11d11e14e15f14b1"
      "3a14c11h14i14f11f13c14d13i11h11f8f10c9e5e6b10f7d10c10b12b11c13a11f6a13"}},
    {"opening", RULE_FREESTYLE, 20, {"m7h1n15h20n17f20", "s17m17a15h16s19l18s18"}},
    {"late",
     RULE_FREESTYLE,
     20,
     {"c2l14d9q10m13n13m14m15n15l13l12o17n16n14l16o16o15m17l17p15l18l19o14m18n17m16m19o10n10k13j12k"
      "12n18n19k17j16k11j13j10i9i13h14m9l10i14k9i12i11o11p12i16i15k7l8m11f12g13g11n11l11",
      "q11f14k19m6i19h16h19j19j18k18l17k17l18l15m17n16l16k15m15k16k14m14n13i18j17h17g16g15e13h14l19"
      "l20h15f17f16g17e17i15j14g13j16j15f12g14e14f18e19e15h12i13f19g19i14j12k11d16c17d15k12j13"}},
    {"opening", RULE_STANDARD, 15, {"n9n5g3d1l11n7", "e6e8k5l2l6j4i5"}},
    {"late",
     RULE_STANDARD,
     15,
     {"l6l13o1o3k5k14n8m7l8n11m12l9m9k7n7k8m10m11l11n10k11l10n12l12k13k10n5n6l5k6k9m5l4l7l3l2m3n2i7"
      "j6m8j3k2m4k12n9j5i6j13i14i11h5j7h6g6j11j10h12h13l14",
      "d12h1a8e14e11g12b14c13h11f11h13h14f14e13d13f12i12d14g11i13k11j11f9g10h9g9h10h12h8h7k9i9k10k1"
      "2k7k8l10j10j9n8m11n12i7j8m12l8m8l11m10m9m14m13n10o10j13j14k14l15e8g8"}},
    {"opening", RULE_STANDARD, 20, {"s1l16l1q1m1j1", "t9f19h6o7t11t10f8"}},
    {"late",
     RULE_STANDARD,
     20,
     {"c2l14d9q10m13n13m14m15n15l13l12o17n16n14l16o16o15m17l17p15l18l19o14m18n17m16m19p12n18n19o13o"
      "11n10m11k17j16n11q12o12p13p14q13q11n9o10m10p9q8r14q14q15r16r13r12t12p16p7q16s16p8",
      "m7h1n15h20n17f20g20n18m16o17k18l17p16l15l16n16m15m14k16k17j16i16i18j17i17l14j18l18k19h16n14o"
      "15o13p12h18g18p14o18o16m18p18h17j15n12p17p15k15g19q18r19p19p20j14f19e20i13j13j12r17s16"}},
};

int bench_set_count(void) { return (int)ARRAY_LEN(SETS); }

const BenchSet *bench_set(int set) {
    CHECK(set >= 0 && set < bench_set_count());
    return &SETS[set];
}

int bench_position_count(void) {
    int count = 0;
    for (size_t set = 0; set < ARRAY_LEN(SETS); set++)
        for (int i = 0; SETS[set].moves[i]; i++)
            count++;
    return count;
}

BenchPosition bench_position(int index) {
    int left = index;
    CHECK(index >= 0 && index < bench_position_count());
    for (const BenchSet *set = SETS;; set++)
        for (int i = 0; set->moves[i]; i++)
            if (left-- == 0)
                return (BenchPosition){set, set->moves[i]};
}
