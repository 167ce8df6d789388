#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# release.sh: cmake with the build type Release.
exec sh -e tests/fresh/cmake.sh -DCMAKE_BUILD_TYPE=Release
