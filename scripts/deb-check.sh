#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/deb-check.sh: installs the packages of build/deb/ (scripts/deb.sh makes them) in a bare Debian in build/deb/root and runs
# their tests there (packaging/debian/tests). Then the libraries of build/cpack/, if any, replace Debian's. The system is that of
# this machine, from the same servers. Status 77 and a sentence where such a system cannot be made: it takes root, mmdebstrap,
# autopkgtest and a network.
set -eu
cd "$(dirname "$0")/.."

skip() { echo "skipped: deb-check: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root can make a system in a folder"
for tool in mmdebstrap autopkgtest; do
    command -v $tool >/dev/null || skip "there is no $tool (scripts/setup.sh --packages)"
done
[ -n "$(find build/deb -maxdepth 1 -name '*.deb' 2>/dev/null)" ] || { echo "deb-check: run scripts/deb.sh first" >&2; exit 1; }

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
root=$PWD/build/deb/root
rm -rf "$root" build/deb/tests
trap 'rm -rf "$root"' EXIT
# The servers and settings of apt here, old and new form; keys lie where the sources say.
set --
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ ! -s "$list" ] || set -- "$@" "$list"
done
settings=
for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'proxy|Acquire::' "$file"; then settings="$settings $file"; fi
done
# shellcheck disable=SC2086 # a list of words
if ! mmdebstrap --mode=root --variant=minbase --skip=cleanup/apt --dpkgopt=force-unsafe-io $(printf -- '--aptopt=%s ' $settings) \
    "$suite" "$root" "$@" >build/deb/root.log 2>&1; then
    tail -n 5 build/deb/root.log
    skip "mmdebstrap could not make a system: build/deb/root.log says why"
fi

# -B: nothing is built again. The tests come with the source package.
status=0
debs=$(find build/deb -maxdepth 1 -name '*.deb' ! -name '*-dbgsym_*')
# shellcheck disable=SC2086 # a list of words
autopkgtest -B -o build/deb/tests $debs build/deb/*.dsc -- chroot "$root" >build/deb/tests.log 2>&1 || status=$?
cat build/deb/tests/summary 2>/dev/null || tail -n 20 build/deb/tests.log
# 2: some tests were left out.
if [ $status -ne 0 ] && [ $status -ne 2 ]; then
    tail -n 40 build/deb/tests.log
    echo "deb-check: the packages failed their tests" >&2
    exit 1
fi

# The libraries of CPack, where scripts/cpack.sh made them, take the place of Debian's below Debian's program.
package=$(find build/cpack -maxdepth 1 -name 'libclump[0-9]*.deb' 2>/dev/null | head -n 1)
if [ -n "$package" ]; then
    cp "$package" "$root/tmp/replacing.deb"
    if ! chroot "$root" sh -c 'apt-get install -y --no-install-recommends --allow-downgrades /tmp/replacing.deb clump python3-clump &&
        ! dpkg -s libclump0 && clump devices && python3 -c "import clump"' </dev/null >build/deb/replaced.log 2>&1; then
        tail -n 20 build/deb/replaced.log
        echo "deb-check: $(basename "$package") does not replace Debian's libraries" >&2
        exit 1
    fi
    echo "$(basename "$package") PASS"
fi
