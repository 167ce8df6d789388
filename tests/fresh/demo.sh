#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# demo.sh: make demo ends with a page that plays; with a scan, with a page and a picture of it.
make demo
[ -s build/demo/drive.html ]
make demo SCAN=build/demo/street.pcd
[ -s build/demo/page.html ]
[ -s build/demo/picture.png ]
