# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Completion scripts can be read by their shells, and they and the manual know every option.
clump --completion bash >clump.bash
clump --completion zsh >_clump
clump --completion fish >clump.fish
clump --manual "$cli/manual.txt" >clump.1
try --completion tcsh
check "bash can read it" bash -n clump.bash
if command -v zsh >/dev/null; then check "zsh can read it" zsh -n _clump; else skip "zsh can read it" "install zsh"; fi
if command -v fish >/dev/null; then check "fish can read it" fish -n clump.fish; else skip "fish can read it" "install fish"; fi

# What is searched in, in variables: a process per option would take seconds.
zsh=$(cat _clump) fish=$(cat clump.fish)
while read -r command; do
    # shellcheck disable=SC2086
    clump $command --help | grep -oE '^  (-.,|   ) --[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' >options
    section=$(sed -n "/^\.SH \"clump $command\"/,/^\.SH /p" clump.1 | sed -e 's/\\-/-/g' -e 's/\\f./ /g')
    line=$(grep -E "^    ${command// /_}\) words=" clump.bash)
    missing=
    while read -r option; do
        [[ $line == *"$option"* ]] || missing+=" bash:$option"
        [[ $zsh == *"$option"* ]] || missing+=" zsh:$option"
        [[ $fish == *"-l ${option#--} "* ]] || missing+=" fish:$option"
        [[ $option = --help || " ${section//$'\n'/ } " == *" $option "* ]] || missing+=" manual:$option"
    done <options
    [ "$(wc -l <options)" -ge 2 ] || missing+=" help" # every command has --help and another
    echo "$command: missing:${missing:- none}"
done < <(commands)

# complete WORDS...: what bash offers for the last word.
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _clump
    echo "$* -> ${COMPREPLY[*]}"
}
complete() { :; }
source ./clump.bash
touch scan.pcd
complete_words clump ''
complete_words clump gen ''
complete_words clump gen lidar --sc
complete_words clump gen lidar --scene ''
complete_words clump gen factors --layout ''
complete_words clump gen factors --in
complete_words clump ec --method ''
complete_words clump ec --min
complete_words clump dbscan --method ''
complete_words clump dbscan --min
complete_words clump ec -d ''
complete_words clump ec sc
complete_words clump ec -o sc
complete_words clump help d

if command -v groff >/dev/null; then
    check "the manual has no errors" bash -c "[ -z \"\$(groff -man -Tutf8 -ww clump.1 2>&1 >/dev/null)\" ]"
else
    skip "the manual has no errors" "install groff"
fi

# Prose about what is not there.
try --manual
try --manual none.txt
try --manual .
printf 'A comment.\n\n# clump ecc\n' >prose
try --manual prose
printf '# clump ec\n\n+ distance\nFar.\n\n+ distanse\n' >prose
try --manual prose
printf '# OPTIONS OF SEVERAL COMMANDS\n+ core\n' >prose
try --manual prose
check "a command needs no prose" cmp <(clump --manual /dev/null | grep '^\.SH "') <(grep '^\.SH "\(clump \|OPTIONS\)' clump.1)
