/* SPDX-License-Identifier: BSD-3-Clause
 *
 * merge.h: what merge.c and number.c share. The file of numbers has one int64 per provisional label of all tiles:
 *
 *     after merge.c    CLUMP_BIG_CROSSES   the cluster crosses into other tiles: see its node
 *                      CLUMP_NOISE         no label: too small, or too large
 *                      1 and more          the size of a cluster inside of the tile, which gets a number
 *                      of choices          the cluster of the tile that they take
 *     after number.c   the label of the whole survey, or CLUMP_NOISE
 */
#ifndef CLUMP_BIG_MERGE_H
#define CLUMP_BIG_MERGE_H

#include "job.h"
#include "tiles/nodes.h"
#include "tiles/sizes.h"

#define CLUMP_BIG_CROSSES (-2)

/* Where the steps of the merge end, as shares of the phase. */
#define CLUMP_BIG_LINKS_END   0.4
#define CLUMP_BIG_FIRSTS_END  0.5
#define CLUMP_BIG_SIZES_END   0.7
#define CLUMP_BIG_WINDOWS_END 0.9

typedef struct clump_big_merging {
    clump_big_job *job;
    clump_big_nodes nodes;
    clump_big_sizes sizes; /* of clusters with a number; only for CLUMP_ORDER_SIZE */
    uint64_t clusters;     /* with a number */
    uint64_t labelled;     /* points with a label */
    uint64_t largest;
} clump_big_merging;

/* Returns a share of the merge: `part` of the step between two shares. */
static inline double clump_big_between(double from, double to, double part)
{
    return from + (to - from) * part;
}

/* Numbers the clusters. */
clump_status clump_big_number(clump_big_merging *m, clump_message *message);

#endif
