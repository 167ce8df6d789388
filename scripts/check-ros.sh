#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-ros.sh [SCAN.bin]: builds ros/clump_ros with colcon, warnings as errors, and checks it on the ROS 2 that is sourced:
# components, lifecycle, parameters, messages, odometry, a bag (tests/ros/check.py). The scan is one of KITTI, by default one of
# CLUMP_DATA, else a made one. All traffic stays on this machine. Status 77 and a sentence where no ROS 2 is sourced. CHECK_ROS=build
# builds alone.
set -eu
cd "$(dirname "$0")/.."

skip() { echo "skipped: check-ros: $*"; exit 77; }
[ -n "${ROS_DISTRO:-}" ] || skip "no ROS 2 is sourced (. /opt/ros/DISTRO/setup.sh)"
command -v colcon >/dev/null || skip "there is no colcon"

scan=${1:-${CLUMP_DATA:+$CLUMP_DATA/kitti/semkitti_00_000000.bin}}
[ -f "$scan" ] || scan=
export MAKEFLAGS="${MAKEFLAGS:--j${JOBS:-$(nproc)}}"
# colcon does not look for packages inside a package: both folders are named.
colcon --log-base build/ros/log build --base-paths . ros --build-base build/ros/build --install-base build/ros/install \
    --merge-install --cmake-args -DCMAKE_BUILD_TYPE=Release -DCLUMP_WERROR=ON -DCLUMP_BUILD_CLI=OFF -DCLUMP_BUILD_TESTS=OFF \
    -DCLUMP_BUILD_EXAMPLES=OFF -DCLUMP_BUILD_BENCH=OFF -DCLUMP_PYTHON=OFF -DCLUMP_CUDA="${CLUMP_CUDA:-OFF}" --no-warn-unused-cli
[ "${CHECK_ROS:-all}" != build ] || exit 0

set +u
. build/ros/install/local_setup.sh
set -u
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-77}"
# Scans have 2 MB. With Cyclone's own limits, half of them are lost.
export CYCLONEDDS_URI="${CYCLONEDDS_URI:-<CycloneDDS><Domain><General><MaxMessageSize>65500B</MaxMessageSize>\
<FragmentSize>63000B</FragmentSize></General><Internal><SocketReceiveBufferSize min=\"4MB\"/></Internal></Domain></CycloneDDS>}"
exec python3 tests/ros/check.py ${scan:+"$scan"}
