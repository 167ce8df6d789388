#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# test.sh: make test.
make test
