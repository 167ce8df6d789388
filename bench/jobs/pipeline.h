/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PCL's pipeline from scans to boxes as a contestant, in two builds: as in its tutorials with Debian's packages, and at
 * its best.
 */
#ifndef CLUMP_BENCH_PIPELINE_H
#define CLUMP_BENCH_PIPELINE_H

#include "harness/contest.h"
#include "rivals/rival.h"

/* Loads the modules of the folder, unless --no-rivals was given. They stay loaded. A missing one is named on standard
 * error. */
void pipeline_load(const char *folder);

/* Enters both builds. Labels of pcl-debian may differ: its binary may round differently. */
void pipeline_enter(contest *c, const bench_cloud *cloud);

/* One run. seconds: in all; stages: of each stage. */
bool pipeline_run(contestant *who, const clump_rival_settings *how, double *seconds, double stages[CLUMP_RIVAL_STAGES]);
void pipeline_leave(contestant *who);

/* Clusters that a rival has found among given points. */
typedef struct pipeline_clusters {
    const clump_detect_rival *rival;
    float d;
    size_t min_size;
    size_t count;       /* found */
    float (*bounds)[6]; /* of each: lower x y z, upper x y z; freed by the caller */
} pipeline_clusters;

/* A steps_cluster: clusters all given points by the rival, neither thinned nor without a plane. user: a
 * pipeline_clusters. */
bool pipeline_cluster(void *user, const float *xyz, size_t count, int32_t *labels);

#endif
