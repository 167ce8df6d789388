/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters.h: descriptions of clusters, as clump_describe() makes them of one cloud. The points of clusters are put into
 * buckets: consecutive numbers, as many as fit into the memory. A description depends on the set of points alone, so
 * buckets need no order. Rank r of P has the buckets r, r + P ...; rank 0 gives their descriptions to the caller.
 *
 *     clusters_plan.c   which numbers a bucket has
 *     clusters_deal.c   puts the points of all tiles into the buckets
 *     clusters.c        describes one bucket after the other
 */
#ifndef CLUMP_BIG_CLUSTERS_H
#define CLUMP_BIG_CLUSTERS_H

#include "job.h"
#include "peers/outbox.h"

#define CLUMP_BIG_CLUSTERS_NAME "clump-clusters"

/* Bytes of memory that a description needs: per point 12 floats, 4 label, 28 scratch, 4 tables, of classes 2 and 16
 * scratch, and of hulls a corner, as every point can be one; per cluster the result and tables. */
enum {
    CLUMP_BIG_CLUSTER_POINT = 48,
    CLUMP_BIG_CLUSTER_CLASS = 18,
    CLUMP_BIG_CLUSTER_HULL = 8,
    CLUMP_BIG_CLUSTER_EACH = 192
};

/* Where planning and dealing end, as shares of the phase. */
#define CLUMP_BIG_BUCKETS_END 0.1
#define CLUMP_BIG_DEAL_END    0.6

/* In the file, of the rank that has the bucket: floats x y z of all points from byte 16 x before on, then their int32 labels,
 * counted from `first`; with classes from byte 18 x before on, and their uint16 classes behind. */
typedef struct clump_big_bucket {
    int64_t first;          /* number */
    uint64_t clusters;      /* that the bucket has */
    uint64_t before, count; /* points of the buckets before, and of this one */
    uint64_t filled;        /* atomic: points that are in the file */
} clump_big_bucket;

typedef struct clump_big_describing {
    clump_big_job *job;
    clump_big_frame frame; /* whole: float32 offsets from the origin that clump_cloud_load() chooses */
    clump_big_bucket *buckets;
    size_t count, capacity;
    uint64_t most; /* bytes that a bucket takes, if it has more than one cluster */
    clump_big_file file;
    clump_big_outbox outbox; /* points of buckets of other ranks; with several ranks */
    size_t point;            /* bytes of a point: 16 or 18 */
    uint32_t next;           /* atomic: tile */
    bool heavy;              /* only tiles that need the memory of all threads */
} clump_big_describing;

/* Makes the list of buckets. Refuses where a cluster has no room in the memory. */
clump_status clump_big_clusters_plan(clump_big_describing *d, clump_message *message);

/* Writes the points of all tiles to the file. */
clump_status clump_big_clusters_deal(clump_big_describing *d, clump_message *message);

#endif
