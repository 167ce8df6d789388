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

typedef struct clump_big_bucket {
    int64_t first;     /* number */
    uint64_t clusters; /* that the bucket has */
    uint64_t count;    /* points of these */
} clump_big_bucket;

/* Bytes of a point in the log of the buckets, whose tiles are the buckets: floats x y z, and the int32 label, counted from the first
 * of the bucket; with classes its uint16 follows. */
enum { CLUMP_BIG_DEALT = 16 };

typedef struct clump_big_describing {
    clump_big_job *job;
    clump_big_frame frame; /* whole: float32 offsets from the origin that clump_cloud_load() chooses */
    clump_big_bucket *buckets;
    size_t count, capacity;
    uint64_t most; /* bytes that a bucket takes, if it has more than one cluster */
    clump_big_log log;
    size_t *begin;           /* where the segments of a bucket begin in the list of the log */
    clump_big_outbox outbox; /* points of buckets of other ranks */
    uint32_t next;           /* atomic: tile */
    bool heavy;              /* only tiles that need the memory of all threads */
} clump_big_describing;

/* Makes the list of buckets. Refuses where a cluster has no room in the memory. */
clump_status clump_big_clusters_plan(clump_big_describing *d, clump_message *message);

/* Makes the log of the buckets, with the points of all tiles. */
clump_status clump_big_clusters_deal(clump_big_describing *d, clump_message *message);

#endif
