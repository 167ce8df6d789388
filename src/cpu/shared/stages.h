/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stages.h: what a clustering run reports: threads, passes, and the time of its three stages.
 */
#ifndef CLUMP_CPU_SHARED_STAGES_H
#define CLUMP_CPU_SHARED_STAGES_H

#include "common/timer.h"
#include "core/backend.h"

/* Times by clump_now_ms(): the start of the run, and the ends of its stages. */
typedef struct clump_stages {
    double start, built, clustered, labelled;
} clump_stages;

static inline void clump_report_stages(clump_stats *stats, int threads, int64_t passes, clump_stages at)
{
    stats->threads = threads;
    stats->passes = passes;
    stats->build_ms = at.built - at.start;
    stats->cluster_ms = at.clustered - at.built;
    stats->label_ms = at.labelled - at.clustered;
}

#endif
