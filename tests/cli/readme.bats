#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The README and `make help` promise only what is there: commands, options, targets, scripts, files.
# sanitizers: none

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
    gomolab=${GOMOLAB:-build/gomolab}
}

# spans: every span and line of code in the README, one a line
spans() { tr '\n' ' ' <README.md | grep -o '`[^`]*`' | tr -d '`'; sed -n 's/^    //p' README.md | sed 's/  *#.*//'; }

@test "every command in the README exists, with the options shown" {
    seen=0
    while read -r command rest; do
        run "$gomolab" "$command" --help
        [ "$status" -eq 0 ] || { echo "README: gomolab $command" && false; }
        for word in $rest; do
            case $word in
            --help) ;;
            --*) [[ "$output" == *"$word"* ]] || { echo "README: gomolab $command $word" && false; } ;;
            esac
        done
        seen=$((seen + 1))
    done < <(spans | sed -n 's#^\(build/\)\{0,1\}gomolab \([a-z][a-z-]*\)#\2#p')
    [ "$seen" -ge 4 ]
}

@test "every target of make in the README exists" {
    for target in $(spans | sed -n 's/^make \([a-z][a-z-]*\)$/\1/p' | sort -u); do
        make -n -o all "$target" >/dev/null 2>&1 || { echo "README: make $target" && false; }
    done
}

@test "every file and folder named in the README exists" {
    seen=0
    for path in $(grep -oE '\b(engine|harness|configs|scripts|tests|docs)/[A-Za-z0-9_./*-]*' README.md | sort -u); do
        compgen -G "${path%[.]}" >/dev/null || { echo "README: $path" && false; }
        seen=$((seen + 1))
    done
    [ "$seen" -ge 10 ]
}

@test "make help names every target that has a note, and each can be made" {
    run make help
    [ "$status" -eq 0 ]
    for target in $(grep -oE '^[a-z][a-z-]*:.*## ' Makefile | cut -d: -f1); do
        [[ "$output" == *"make $target "* ]]
    done
}
