# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of defence share: lets the strongest player move in the positions of defence.tsv.
# Where the table knows a move that does not lose to continuous fours, the move must be one of
# them; own fours are not judged.

# defend EVERY SETTING...: every EVERYth position of each rule; prints the ids that are lost.
defend() {
    local every=$1 rule
    shift
    for rule in freestyle standard; do
        awk -F '\t' -v rule="$rule" -v every="$every" \
            'NR == 1 || ($2 == rule && $5 != "-" && n++ % every == 0)' \
            "$ROOT/tests/data/puzzles/defence.tsv" >"$BATS_TEST_TMPDIR/$rule.tsv"
        "$GOMOLAB" analyze "$ROOT/configs/players/strong.yaml" --rule "$rule" "$@" --format tsv \
            --file "$BATS_TEST_TMPDIR/$rule.tsv" 2>/dev/null >"$BATS_TEST_TMPDIR/$rule.out"
        awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) if (FNR == NR && $i == "move") move = i; next }
                     FNR == NR { played[$1] = $move; next }
                     {
                         judged++
                         height = split($3, rows, "/")
                         x = index("abcdefghijklmnopqrstuv", substr(played[$1], 1, 1)) - 1
                         cell = x "," (height - substr(played[$1], 2))
                         if (index(" " $5 " " $6 " ", " " cell " ") == 0)
                             print $1, played[$1]
                     }
                     END { if (judged < 5) print "only", judged + 0, "positions" }' \
            "$BATS_TEST_TMPDIR/$rule.out" "$BATS_TEST_TMPDIR/$rule.tsv"
    done
}
