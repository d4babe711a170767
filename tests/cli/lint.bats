#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Every rule of the lint can fail: each test plants one fault in a small tree that is otherwise clean.
# sanitizers: none

SPDX='// SPDX-License-Identifier: GPL-3.0-or-later'

setup() {
    PATH=/usr/bin:$PATH # python's own start, not that of a version manager
    lint=$BATS_TEST_DIRNAME/../../scripts/lint.py
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"/engine/{base,board,search} "$tree"/harness/{store,cli} "$tree"/scripts
    cp "$BATS_TEST_DIRNAME/../../.clang-format" "$tree"
    cd "$tree"
    header engine/base/low.h 'int low(void); // a small number'
    header engine/board/mid.h '#include "engine/base/low.h"' '' '// Twice low. Thread: any.' 'int mid(void);'
    source engine/board/mid.c '#include "engine/board/mid.h"' '' 'int mid(void) { return 2 * low(); }'
    source harness/cli/main.c '#include <stdlib.h>' '' 'int main(void) { exit(0); }'
    source harness/store/rows.c '#include <sqlite3.h>' '' 'int rows_count = 0;'
    printf '#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n# Does nothing.\n' >scripts/nothing.sh
}

# header FILE LINE... and source FILE LINE...: a clean file with these lines
header() { printf '%s\n' "$SPDX" '// What it is for.' '#pragma once' '' "${@:2}" >"$1"; }
source() { printf '%s\n' "$SPDX" '// What it is for.' '' "${@:2}" >"$1"; }

# fails RULE TEXT: lint finds this violation, and no other
fails() {
    run python3 "$lint" --root "$tree"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *": $1: "*"$2"* ]]
    [[ "$output" == *" 1 violations"* ]]
}

@test "a clean tree passes" {
    run python3 "$lint" --root "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "lint: 5 files, 0 violations, 0 notes" ]
}

@test "this tree's rules are all planted here" {
    for rule in $(python3 "$lint" --list | awk '{ print $1 }'); do
        grep -q "fails $rule " "$BATS_TEST_FILENAME" || { echo "no planted failure for $rule" && false; }
    done
}

@test "layer: upward include" {
    source engine/base/low.c '#include "engine/board/mid.h"' '' 'int low(void) { return mid(); }'
    # mid.h includes low.h, so this is a cycle as well: take that away
    header engine/board/mid.h '// Twice low. Thread: any.' 'int mid(void);'
    source engine/board/mid.c '#include "engine/board/mid.h"' '' '#include "engine/base/low.h"' '' \
        'int mid(void) { return 2 * low(); }'
    run python3 "$lint" --root "$tree"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *'engine/base/low.c:4: layer: engine/base must not include "engine/board/mid.h"'* ]]
}

@test "layer: engine includes harness" {
    header harness/store/rows.h '// How many. Thread: any.' 'int rows(void);'
    source engine/search/deep.c '#include "harness/store/rows.h"' '' 'int deep(void) { return rows(); }'
    fails layer 'engine/search must not include "harness/store/rows.h"'
}

@test "layer: the facade's header shows the search to its users" {
    header engine/search/deep.h '// How deep. Thread: any.' 'int deep(void);'
    header engine/engine.h '#include "engine/search/deep.h"'
    fails layer 'engine must not include "engine/search/deep.h"'
}

@test "layer: relative include" {
    source engine/board/mid.c '#include "mid.h"' '' 'int mid(void) { return 2; }'
    fails layer 'no path from the root'
}

@test "layer: sqlite3.h outside the store" {
    source harness/cli/rows_cmd.c '#include <sqlite3.h>' '' 'int rows_cmd = 0;'
    fails layer '<sqlite3.h> belongs in harness/store'
}

@test "layer: a directory that is no layer" {
    mkdir engine/misc
    source engine/misc/stuff.c 'int stuff = 0;'
    fails layer 'engine/misc is no layer'
}

@test "cycle" {
    header engine/board/one.h '#include "engine/board/two.h"'
    header engine/board/two.h '#include "engine/board/one.h"'
    fails cycle 'engine/board/one -> engine/board/two -> engine/board/one'
}

@test "banned: functions without bounds" {
    source engine/board/mid.c 'void mid(char *to, const char *from) { strcpy(to, from); }'
    fails banned 'strcpy()'
}

@test "banned: files in the engine" {
    source engine/board/mid.c '#include <stdio.h>' '' 'FILE *mid(void) { return fopen("x", "r"); }'
    fails banned 'fopen()'
}

@test "banned: threads in the engine" {
    source engine/search/deep.c '#include <pthread.h>' '' \
        'int deep(pthread_t *t) { return pthread_create(t, NULL, NULL, NULL); }'
    fails banned 'pthread_create()'
}

@test "banned: comments, strings and longer names are free" {
    source engine/board/mid.c '// never strcpy(a, b)' 'const char *mid = "strcpy(a, b)";' 'int my_strcpy(int a);'
    run python3 "$lint" --root "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "exit outside main.c" {
    source harness/cli/other.c '#include <stdlib.h>' '' 'void other(void) { exit(1); }'
    fails exit 'exit() outside main.c'
}

@test "contract: a prototype without one" {
    header engine/base/low.h 'int low(void);'
    run python3 "$lint" --root "$tree"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"engine/base/low.h:5: contract: low has no contract"* ]]
    [[ "$output" == *"contract: 50 % of 2 prototypes documented, need 90 %"* ]]
    run python3 "$lint" --root "$tree" --rule contract
    [ "$status" -eq 1 ]
    # fails contract  (two lines: the prototype and the share)
}

@test "status: a Status that may be dropped" {
    header engine/base/low.h '// Tries. Thread: any.' 'Status low(int lower_and_much_longer_name_so_that_the_line_has_to_break_somewhere, int upper_bound,' '           int step);'
    fails status 'low returns a Status'
}

# long_function FILE LINES
long_function() {
    {
        printf '%s\n// Long.\n\n' "$SPDX"
        echo "int $(basename "$1" .c)(int x) {"
        yes '    x++;' | head -n $(($2 - 3))
        printf '    return x;\n}\n'
    } >"$1"
}

@test "length: a function of 101 lines, but not one of 100" {
    long_function harness/cli/lengthy.c 100
    run python3 "$lint" --root "$tree"
    [ "$status" -eq 0 ]
    [[ "$output" == *"note: harness/cli/lengthy.c:4: lengthy has 100 lines"* ]]
    long_function harness/cli/lengthy.c 101
    fails length 'lengthy has 101 lines'
}

@test "length: one search node may have 250 lines, a second may not" {
    long_function engine/search/node.c 250
    run python3 "$lint" --root "$tree"
    [ "$status" -eq 0 ]
    long_function engine/search/other_node.c 120
    fails length 'other_node has 120 lines'
}

@test "length: a search node of 251 lines" {
    long_function engine/search/node.c 251
    fails length 'node has 251 lines'
}

@test "head: no licence" {
    sed -i 1d engine/board/mid.c
    fails head 'no SPDX'
}

@test "head: no comment, in code and in a script" {
    sed -i 2d engine/board/mid.c
    fails head 'no comment that says'
    source engine/board/mid.c 'int mid = 0;'
    sed -i 3d scripts/nothing.sh
    fails head 'no comment that says'
}

@test "head: no pragma once" {
    sed -i '/pragma/d' engine/base/low.h
    fails head 'no #pragma once'
}

@test "comment: a block" {
    source engine/board/mid.c 'int mid = 0; /* a block */'
    fails comment 'block comment'
}

@test "unique: the same name in two directories" {
    source harness/cli/mid.c 'int mid_other = 0;'
    fails unique 'engine/board has a file named mid, too'
}

@test "foreign: a path of somebody's machine" {
    printf 'see /ho''me/someone/notes\n' >README.md
    fails foreign "a path of somebody's machine"
}

@test "foreign: a merge conflict" {
    printf '<<<<<<''< HEAD\n' >README.md
    fails foreign 'a merge conflict'
}

@test "vacuous: checks in tests that cannot fail" {
    mkdir -p tests/cli
    test_file() { printf '%s\n' '# SPDX-License-Identifier: GPL-3.0-or-later' '# A test.' '@test "a" {' "$@" '}' >tests/cli/a.bats; }
    test_file '    ! false' '    true'
    fails vacuous 'a negated command'
    test_file '    [ 1 = 2 ] && [ 1 = 1 ]' '    true'
    fails vacuous 'the head of an && list'
    test_file '    [ 1 = 2 ] && [ 1 = 1 ] || false' '    [[ a && b ]]' '    if false; then false; fi' '    ! false'
    run python3 "$lint" --root "$tree"
    [ "$status" -eq 0 ]
}

@test "format: layout" {
    source engine/board/mid.c 'int   mid=0;'
    fails format 'make format'
}

@test "format: a missing clang-format is no pass" {
    CLANG_FORMAT=no-such-program run python3 "$lint" --root "$tree" --rule format
    [ "$status" -ne 0 ]
}

@test "an empty tree is no pass" {
    run python3 "$lint" --root "$BATS_TEST_TMPDIR"
    [ "$status" -eq 1 ]
}
