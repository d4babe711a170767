#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what gomolab needs and this machine lacks: the one place that names packages.
#
#   usage: sh scripts/install-deps.sh [build|demo|test]
#
# build: what `make` needs. demo: the same and gnuplot. test (default): everything, for `make test` and `make check`.
# A thing that is there, however it came there, is left alone; if nothing is missing, nothing is done or said. Packages
# are installed with apt, through sudo unless run by root. Without apt this prints what is needed and exits with 1.
set -eu

# For each group: what to look for, and the Debian package that has it.
NEEDED_build='
command:gcc              gcc
command:make             make
header:stdio.h           libc6-dev
header:yaml.h            libyaml-dev
header:sqlite3.h         libsqlite3-dev
header:gsl/gsl_cdf.h     libgsl-dev
header:jansson.h         libjansson-dev
'
NEEDED_demo="$NEEDED_build
command:gnuplot          gnuplot-nox
"
NEEDED_test="$NEEDED_demo
header:cmocka.h          libcmocka-dev
command:bats             bats
command:sqlite3          sqlite3
command:python3          python3
command:clang            clang
command:clang-format     clang-format
command:llvm-symbolizer  llvm
command:ctags            universal-ctags
fuzzer:clang             libclang-rt-dev
command:setarch          util-linux
command:ps               procps
command:git              git
"

# Succeeds if the thing is on this machine.
have() {
    name=${1#*:}
    case $1 in
    command:*) command -v "$name" >/dev/null 2>&1 ;;
    header:*)
        for folder in /usr/include /usr/include/*-linux-* /usr/local/include; do
            [ ! -e "$folder/$name" ] || return 0
        done
        return 1
        ;;
    fuzzer:*)
        for library in /usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer*.a; do
            [ ! -e "$library" ] || return 0
        done
        return 1
        ;;
    esac
}

group=${1:-test}
case $group in
build) needed=$NEEDED_build ;;
demo) needed=$NEEDED_demo ;;
test) needed=$NEEDED_test ;;
*)
    sed -n 's/^#   usage: /usage: /p' "$0" >&2
    exit 2
    ;;
esac

missing=$(printf '%s\n' "$needed" | while read -r thing package; do
    [ -z "$thing" ] || have "$thing" || printf ' %s' "$package"
done)
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "gomolab needs what these Debian packages hold, and apt-get is not there to install them:$missing" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "gomolab needs these packages; install them as root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

echo "installing:$missing" >&2
# shellcheck disable=SC2086 # lists of words
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >&2 </dev/null
}
# The lists of packages may be missing, or so old that what they name is gone: then they are fetched, once.
# shellcheck disable=SC2086
if apt-cache show $missing >/dev/null 2>&1 && install; then exit 0; fi
$as_root apt-get update >&2 </dev/null
install
