#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/pcl-versions.sh [SUITE|FOLDER]...: builds and runs the tests of clump/pcl.hpp with the PCL of other releases of Debian:
# bookworm has 1.13, trixie (the default) and sid have 1.15. A SUITE becomes a system in build/pcl/SUITE (3 GB, mostly what PCL itself
# depends on), which stays for the next time. A FOLDER holds a system with libpcl-dev, g++, cmake, ninja-build and pkg-config. Takes root,
# mmdebstrap and a network; status 77 and a sentence where there is none of them.
set -eu
cd "$(dirname "$0")/.."

skip() { echo "skipped: pcl-versions: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root can make a system in a folder"
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap (scripts/setup.sh --packages)"
mkdir -p build/pcl

# make_system SUITE FOLDER: from the server of this system. sid's lists are often past their date here.
make_system() {
    server=$(sed -n 's/^URIs: *//p; s/^deb \(\[.*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
    rm -rf "$2"
    mmdebstrap --mode=root --variant=minbase --dpkgopt=force-unsafe-io --aptopt='Acquire::Check-Valid-Until "false"' \
        --include=libpcl-dev,g++,cmake,ninja-build,pkg-config "$1" "$2" "$server" >"build/pcl/$1.log" 2>&1 || {
        rm -rf "$2"
        skip "mmdebstrap could not make a system: build/pcl/$1.log says why"
    }
}

# check FOLDER: builds and runs the tests in the system.
check() {
    rm -rf "$1/clump"
    mkdir "$1/clump"
    tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$1/clump"
    tests="test_dropin_extract test_dropin_kdtree test_dropin_icp test_dropin_classes tutorial_clump tutorial_pcl"
    chroot "$1" sh -ec "cd /clump && cmake -B /clump-build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCLUMP_CUDA=OFF -DCLUMP_PYTHON=OFF -DCLUMP_MPI=OFF \
        -DCLUMP_BUILD_BENCH=ON -DCLUMP_LAZPERF=OFF && cmake --build /clump-build -j ${JOBS:-2} --target $tests &&
        ctest --test-dir /clump-build -R '^test_dropin_' --output-on-failure" </dev/null >build/pcl/check.log 2>&1 || {
        tail -n 40 build/pcl/check.log
        echo "pcl-versions: clump/pcl.hpp fails in $1 (build/pcl/check.log)" >&2
        exit 1
    }
    # shellcheck disable=SC2016 # for dpkg-query
    version=$(chroot "$1" dpkg-query -W -f '${Version}' libpcl-dev)
    echo "$(basename "$1"): PCL $version, $(sed -n 's/.*tests passed, .* out of \(.*\)/\1 tests passed/p' build/pcl/check.log)"
}

for system in "${@:-trixie}"; do
    folder=$system
    case $system in */*) ;; *) folder=build/pcl/$system ;; esac
    [ -d "$folder" ] || make_system "$system" "$folder"
    check "$folder"
done
