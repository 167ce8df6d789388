# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Every help page, and the ways to ask for one.
try --help
commands >listed
while read -r command; do
    # shellcheck disable=SC2086
    try $command --help
    # shellcheck disable=SC2086
    check "help $command is the same" cmp <(clump help $command) <(clump $command --help)
    # shellcheck disable=SC2086
    try $command -h
    # shellcheck disable=SC2086
    check "$command -h is short" test "$(clump $command -h | wc -l)" -le 25
done <listed
try gen --help
check "clump help" cmp <(clump help) <(clump --help)
check "help wins over what else is there" cmp <(clump ec --2d a --help) <(clump ec --help)
check "no line is longer than 80" bash -c "! { '$program' help; while read -r c; do '$program' help \$c; '$program' \$c -h; done <listed; } | grep -nE '^.{81}'"
check "--version" bash -c "'$program' --version | grep -Ex 'clump [0-9]+\.[0-9]+\.[0-9]+'"
