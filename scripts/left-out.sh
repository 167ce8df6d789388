#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/left-out.sh [LOG...]: what the tests left out, from logs of CTest (LastTest.log): one line per reason, with the
# number of tests and the command or variable that would enable them. Nothing where nothing was left out.
#
# A test that leaves something out prints "skipped: WHAT: WHY". The reasons are recognised by WHY in the table below; one
# that is not in the table is printed as it is.
#
# scripts/left-out.sh --complete LOG...: the names of the tests that passed and left nothing out.
set -eu

if [ "${1:-}" = --complete ]; then
    shift
    exec awk '
        /^[0-9]+\/[0-9]+ Testing: / { test = $3; left = 0 }
        /^skipped: / { left = 1 }
        /^Test Passed\.$/ { if (!left) print test }' "$@"
fi

awk '
    # Rows are asked in this order. "have" is what to do about it.
    function rule(pattern, need, have) { patterns[++rules] = pattern; needs[rules] = need; haves[rules] = have }
    BEGIN {
        rule("^there is( one| a CUDA device)?$", "only for machines without a CUDA device", "run make test on one")
        rule("CLUMP_TEST_SMALL|sanitizer|threads are watched", "too large for a sanitizer", "run make test")
        rule("CUDA|NVIDIA|GPU", "an NVIDIA GPU", "run scripts/gpu-check.sh on a machine with one")
        rule("PCL|rival", "PCL", "run scripts/setup.sh --rivals")
        rule("CLUMP_DATA|scans|data folder|cannot be read|no .*\\.(bin|pcd|label)|is not there$", "real scans",
             "set CLUMP_DATA to a folder with them (default ../shared/data)")
        rule("scripts/setup.sh --python|pytest|hypothesis", "the Python package", "run scripts/setup.sh --python and build anew")
        rule("sklearn|scikit-learn|numpy|scipy", "scikit-learn", "run scripts/setup.sh --rivals")
        rule("liblzf", "liblzf", "run scripts/setup.sh and build anew")
        rule("^the build has no ", "libbz2, liblz4, libzstd and libsqlite3", "run scripts/setup.sh and build anew")
        rule("laz-perf", "laz-perf", "run scripts/setup.sh --laz and build anew")
        rule("cannot run the level", "a newer processor", "run scripts/check.sh no-cuda on one with AVX2 and AVX-512")
        rule("has one level$", "several CPU levels", "run scripts/check.sh no-cuda on x86-64")
        rule("^assertions are off", "assertions", "run scripts/check.sh debug")
        rule("^no (npm|packages of npm|Node 20|chromium)", "Node 20, npm and a browser",
             "run scripts/setup.sh --viewer and scripts/viewer.sh --packages")
        rule("CycloneDDS|Fast DDS", "CycloneDDS and Fast DDS", "run scripts/setup.sh --ros and build anew")
        rule("mpirun", "MPI", "run scripts/setup.sh --mpi and build anew")
        rule("sparse files|unnamed files", "a file system with sparse and unnamed files", "run them on ext4 or xfs")
        rule("multicast", "multicast on the loopback interface", "run them where lo takes it")
        rule("tmpfs", "a tmpfs", "run them as root")
        rule("has not been built$|compile_commands.json$", "a finished build", "build all targets")
    }
    /^[0-9]+\/[0-9]+ Testing: / { test = $3 }
    /^skipped: / {
        why = $0
        sub(/^skipped: /, "", why)
        sub(/ \(Debian: [^)]*\)/, "", why)
        sub(/.*: /, "", why) # WHAT may have colons, too
        tool = why
        for (r = 1; r <= rules; r++) if (why ~ patterns[r]) break
        if (r <= rules) {
            need = needs[r]; have = haves[r]
        } else if (sub(/^(there is )?no /, "", tool) && tool ~ /^(a )?[A-Za-z0-9+\/ -]+$/ && tool !~ / .* /) {
            need = tool; have = tool ~ /^\// ? "run them where it is there" : "install it"
        } else {
            need = "something else"; have = why
        }
        line = need ": " have
        if (!(line in order)) { order[line] = ++lines; texts[lines] = line }
        if (!((line, test) in seen)) { seen[line, test] = 1; counts[line]++ }
    }
    END {
        for (i = 1; i <= lines; i++) {
            n = counts[texts[i]]
            verb = texts[i] ~ /^(only|too) / ? (n == 1 ? "is" : "are") : (n == 1 ? "needs" : "need")
            printf "%4d test%s %s %s\n", n, n == 1 ? "" : "s", verb, texts[i]
        }
    }' "$@" </dev/null | LC_ALL=C sort -s -k1,1nr
