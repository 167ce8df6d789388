#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# install.sh: make install, then the installed clump as its users meet it: the program, all examples by pkg-config, a project by
# find_package. make uninstall leaves the machine as it was.
# The toolkit of CUDA is not clump's, nor are the folders of Debian's Python.
installed() { find /usr/local -xdev ! -path '/usr/local/cuda*' ! -path '/usr/local/lib/python3*' | sort; }
installed >/tmp/before
make install
clump gen lidar -o /tmp/street.pcd
clump detect /tmp/street.pcd -o /tmp/labelled.pcd
mkdir /tmp/examples
flags=$(pkg-config --cflags --libs clump_io clump_sim clump_big)
for example in /usr/local/share/doc/clump/examples/*.c; do
    # shellcheck disable=SC2086 # a list of words
    cc -std=c17 "$example" $flags -lpthread -lm -o "/tmp/examples/$(basename "$example" .c)"
done
/tmp/examples/01_label | grep 'point 4: cluster 1 of 2'
cmake -S tests/install/consumer -B /tmp/consumer -DWANTED="$(pkg-config --modversion clump)"
cmake --build /tmp/consumer
/tmp/consumer/consumer | grep '2 clusters'
make uninstall
installed >/tmp/after
diff /tmp/before /tmp/after
