#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# changelog.sh SOURCE_DIR VERSION: CHANGELOG.md has the form of Keep a Changelog: [Unreleased] first, then versions with their dates, the
# present one among them; under each only the six sections, and every line below a section.
set -eu
cd "$1"

awk -v version="$2" '
    function fail(why) { printf "FAILED: CHANGELOG.md:%d: %s: %s\n", FNR, why, $0; failed = 1 }
    /^## / {
        versions++
        section = ""
        if (versions == 1 && $0 != "## [Unreleased]") fail("the first part is not [Unreleased]")
        if (versions > 1 && $0 !~ /^## \[[0-9]+\.[0-9]+\.[0-9]+\] - [0-9]+-[0-9][0-9]-[0-9][0-9]$/) fail("no version with a date")
        if (index($0, "## [" version "] ") == 1) found = 1
    }
    /^### / {
        section = $0
        if ($0 !~ /^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/) fail("no section of Keep a Changelog")
        if ((versions, section) in seen) fail("the section is there twice")
        seen[versions, section] = 1
    }
    /^- / && section == "" { fail("a line outside of the sections") }
    /^- / && !/^- (api|perf|cpu|cuda|io|cli|python|pcl|ros|build|bench|doc)(, (api|perf|cpu|cuda|io|cli|python|pcl|ros|build|bench|doc))*: / {
        fail("a line without its area")
    }
    END {
        if (!found) { print "FAILED: CHANGELOG.md has no part for the version " version; failed = 1 }
        exit failed
    }' CHANGELOG.md
