#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# left_out.sh SOURCE_DIR: scripts/left-out.sh on a log of CTest: one line per reason, each test counted once per reason.
set -eu
script=$1/scripts/left-out.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# test NAME SKIPPED...: a test in the log, with what it says it left out.
number=0
test_section() {
    number=$((number + 1))
    printf '%d/99 Testing: %s\n%d/99 Test: %s\nCommand: "%s"\nOutput:\n----------\n' $number "$1" $number "$1" "$1"
    shift
    for line; do echo "skipped: $line"; done
    printf '3 passed, 0 failed, 1 skipped\n<end of output>\nTest Passed.\n'
}
{
    test_section test_cuda "test_cuda: no NVIDIA driver"
    test_section test_cuda_large "test_cuda_large: this build of clump has no CUDA backend"
    test_section cli_ec "not a method of CUDA: there is no CUDA device" "from pinned memory: there is no CUDA device"
    test_section test_ok
    test_section test_io_data "one: no data folder" "two: no data folder"
    test_section test_ply "files: no data folder"
    test_section test_nn "scans: no real scans (CLUMP_DATA)"
    test_section test_erccl "scans: /data/kitti/000000.bin is not there"
    test_section test_pcl_reader "reads: PCL's reader is not there"
    test_section test_pcl "all: PCL is not installed (Debian: libpcl-dev)"
    test_section test_sklearn "/usr/bin/python3: No module named 'sklearn' (Debian: python3-sklearn)"
    test_section test_tracks "/usr/bin/python3: No module named 'scipy' (Debian: python3-numpy python3-scipy)"
    test_section test_laz_codec "samples: the tests were built without laz-perf"
    test_section test_reader_laz "oracle: the tests were built without laz-perf"
    test_section test_pcd "compressed: built without liblzf"
    test_section cli_completion "zsh can read it: no zsh" "fish can read it: no fish" "the manual has no errors: no groff"
    test_section cli_json "ec: keys in order: there is no python3" "ec: keys of time_ms: there is no python3"
    test_section cli_output "a full disk: no tmpfs can be mounted"
    test_section install_static "install: there is no C++ compiler"
    test_section test_no_cuda "refused: there is a CUDA device"
    test_section test_icp "frames: threads are watched on smaller clouds"
    test_section test_level "indices_stay_at_their_level: this build or machine has one level"
    test_section v4_test_ec "/build/tests/test_ec: this processor cannot run the level v4"
    test_section house_bundle "viewer/page/bundle: no npm (Debian: npm)"
    test_section view_page_load "view_page_load: no chromium-headless-shell"
    test_section test_odd "moon: the moon is not full"
} >"$scratch/log"
cat >"$scratch/expected" <<'END'
   4 tests need real scans: set CLUMP_DATA to a folder with them (default ../shared/data)
   3 tests need an NVIDIA GPU: run scripts/gpu-check.sh on a machine with one
   2 tests need PCL: run scripts/setup.sh --rivals
   2 tests need scikit-learn: run scripts/setup.sh --rivals
   2 tests need laz-perf: run scripts/setup.sh --laz and build anew
   2 tests need Node 20, npm and a browser: run scripts/setup.sh --viewer and scripts/viewer.sh --packages
   1 test needs liblzf: run scripts/setup.sh and build anew
   1 test needs zsh: install it
   1 test needs fish: install it
   1 test needs groff: install it
   1 test needs python3: install it
   1 test needs a tmpfs: run them as root
   1 test needs C++ compiler: install it
   1 test is only for machines without a CUDA device: run make test on one
   1 test is too large for a sanitizer: run make test
   1 test needs several CPU levels: run scripts/check.sh no-cuda on x86-64
   1 test needs a newer processor: run scripts/check.sh no-cuda on one with AVX2 and AVX-512
   1 test needs something else: the moon is not full
END
LC_ALL=C sh "$script" "$scratch/log" >"$scratch/found"
diff -u "$scratch/expected" "$scratch/found"

# Two logs count as one; without skipped tests nothing is said.
test_section test_ok >"$scratch/clean"
[ -z "$(sh "$script" "$scratch/clean")" ]
[ "$(LC_ALL=C sh "$script" "$scratch/log" "$scratch/clean" "$scratch/log" | cmp - "$scratch/expected" && echo same)" = same ]
