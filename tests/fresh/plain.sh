#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# plain.sh: cmake without a build type.
exec sh -e tests/fresh/cmake.sh
