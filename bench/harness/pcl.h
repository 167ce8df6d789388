/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PCL's Euclidean clustering as a contestant, in two builds: as Debian packages it, and at its best.
 */
#ifndef CLUMP_BENCH_PCL_H
#define CLUMP_BENCH_PCL_H

#include "harness/contest.h"

/* Loads the modules of the folder, unless --no-rivals was given. They stay loaded. A missing one is
 * named on standard error. */
void pcl_load(const char *folder);

/* Enters both builds. Labels of pcl-debian may differ: its binary may round differently. */
void pcl_enter(contest *c, const bench_cloud *cloud);

/* Returns the functions of a build, 0 or 1; null where it is not loaded. */
const struct clump_rival *pcl_functions(size_t build);

bool pcl_run(contestant *who, float d, double *seconds);
void pcl_labels(const contestant *who, int32_t *labels);
void pcl_leave(contestant *who);

#endif
