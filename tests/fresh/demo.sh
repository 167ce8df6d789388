#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# demo.sh: make demo ends with a page and a picture.
make demo
[ -s build/demo/page.html ]
[ -s build/demo/picture.png ]
