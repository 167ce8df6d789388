#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/cpack.sh: builds the preset `package`, with CUDA where there is an nvcc, and makes .deb packages of it in build/cpack/. All GPU
# architectures take long; CLUMP_PACK_GPUS="90-real" names others.
# scripts/cpack.sh BUILD_DIR: makes them of a build that exists. That of the preset `release` is for this machine alone.
#
# The packages are unpacked in build/cpack/unpacked, and the program in them is run.
set -eu
cd "$(dirname "$0")/.."

build=${1:-build/package}
if [ $# -eq 0 ]; then
    cuda=OFF
    if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then cuda=ON; fi
    cmake --preset package "-DCLUMP_CUDA=$cuda" ${CLUMP_PACK_GPUS:+"-DCMAKE_CUDA_ARCHITECTURES=$CLUMP_PACK_GPUS"} >build/configure-package.log 2>&1 || {
        cat build/configure-package.log
        exit 1
    }
    grep -E '^-- (clump_io|CUDA|CPU levels|No ) ?' build/configure-package.log || true
    cmake --build build/package -j "${JOBS:-$(nproc)}"
fi

rm -rf build/cpack
if ! cpack --config "$build/CPackConfig.cmake" -G DEB -B "$PWD/build/cpack" >build/cpack.log 2>&1; then
    cat build/cpack.log
    exit 1
fi
rm -rf build/cpack/_CPack_Packages

unpacked=$PWD/build/cpack/unpacked
fail() { echo "cpack: $*" >&2; exit 1; }
packages=0
for package in build/cpack/*.deb; do
    packages=$((packages + 1))
    dpkg-deb -x "$package" "$unpacked"
    for field in Depends Provides Conflicts; do
        [ -n "$(dpkg-deb -f "$package" $field)" ] || fail "$package has no $field"
    done
done
[ $packages -eq 3 ] || fail "$packages packages instead of three"
version=$("$unpacked/usr/bin/clump" --version | head -n 1) || fail "the program does not run"
case $version in
"clump $(scripts/version.sh)"*) ;;
*) fail "the program says: $version" ;;
esac
"$unpacked/usr/bin/clump" devices
rm -rf "$unpacked"
ls -l build/cpack/*.deb
