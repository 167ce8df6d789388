/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frames.h: consecutive frames of a sensor with 64 beams, for the experiments whose papers took them from KITTI.
 */
#ifndef CLUMP_BENCH_PAPERS_FRAMES_H
#define CLUMP_BENCH_PAPERS_FRAMES_H

#include "harness/clouds.h"

/* Reads the first frames of KITTI's sequence 00 in settings.data, 1 or 2. Where one is missing, simulates all of them
 * instead: an HDL-64E in a street. Returns false with a sentence in why; no cloud is then left to free. */
bool frames_make(size_t count, bench_cloud *out, bool *simulated, clump_message *why);

#endif
