/* SPDX-License-Identifier: BSD-3-Clause
 *
 * track.h: a stable identity per object over time, and its velocity.
 *
 *     clump_tracker *tracker;
 *     clump_tracker_create(ctx, NULL, &tracker);
 *     for each frame:
 *         clump_detect(ctx, points, &options, labels, clusters, capacity, &count);
 *         clump_tracker_update(ctx, tracker, stamp, clusters, count, tracks);   // tracks[i] belongs to clusters[i]
 *     clump_tracker_destroy(tracker);
 *
 * The place of an object is its centroid, seen from above. Each known object is expected where its velocity takes it. A
 * cluster within the gate of the expected place can be that object; the cost is the square of the distance. An object
 * is compared with at most 32 such clusters: the nearest, of equal distances those of lower index. Of all
 * assignments, one with the most pairs and, of these, the least sum of costs is taken. An object that is not seen keeps
 * its identity for max_gap. The result depends on the calls alone: it is equal on all machines, bit for bit.
 *
 * The work of an update is bounded, whatever the clusters are: n log n for n objects and clusters, and some steps per object.
 * 1. The search for the least sum may look at 8 pairs of an object and a cluster per object. Up to 4,096 objects it may look at
 *    4,096 more per object, up to 16,384 objects at 2^24 more in all, beyond that at 2^52 / objects^3 more per object. Objects
 *    that move less than they are apart take 2 to 7. Where that is not enough (thousands of clusters in no order within one
 *    gate), an object is compared with the 12 nearest clusters, and pairs are taken in the order of their costs, as long as
 *    object and cluster are free; of equal costs those of older objects, then those of lower index.
 * 2. To find the nearest clusters of an object, about 2,000 clusters and boxes of clusters are looked at. Where more would be
 *    needed (thousands of clusters in a circle around an object), the nearest of those count.
 * Neither depends on the order of the clusters, unless distances are equal.
 *
 * An object that was seen once has no velocity yet: it is expected where it was. If it gets no cluster, it is compared
 * in the same way with the clusters that are left, within twice the gate. So an object must not move further than twice
 * the gate from its first frame to the next. A faster one gets a new identity in each frame, and its speed is 0. The
 * default is enough for 40 units per second at 10 frames per second. Later the gate has to allow only for what the
 * velocity does not tell: acceleration, and parts that are hidden. A larger gate confuses more objects that are close
 * to each other. Where coordinates are those of a moving sensor, its motion counts as motion of all objects.
 */
#ifndef CLUMP_TRACK_H
#define CLUMP_TRACK_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clump_tracker clump_tracker;

typedef struct clump_tracker_options {
    uint32_t cookie; /* set by clump_tracker_defaults(), do not touch */
    clump_up up;     /* CLUMP_UP_Z: motion is tracked seen from above */
    double gate;     /* 2.0: an object is at most so far from where it is expected, twice as far where it was seen once;
                      * in the unit of the coordinates; more than 0. At least (highest speed x period) / 2 */
    double max_gap;  /* 0.5: seconds that an object keeps its identity without being seen; 0 or more. An object of the
                      * frame before is known, also where frames are further apart */
    double smooth;   /* 0.5: weight of the newest measurement of the velocity; more than 0, at most 1 */
} clump_tracker_options;

/* What is known of the object that a cluster is. */
typedef struct clump_track {
    uint64_t id;       /* from 1, in the order of appearance; never given to another object */
    float velocity[3]; /* units per second; 0 in the first frame of an object */
    float speed;       /* its length */
    uint32_t seen;     /* frames in which the object was seen, this one counted */
    uint32_t missed;   /* frames since it was last seen before this one; 0: it was seen in the frame before */
    double age;        /* seconds since it was first seen */
} clump_track;

CLUMP_API clump_tracker_options clump_tracker_defaults(void);

/* Creates a tracker. options may be null for the defaults. *out is null on failure. Memory comes from the context's
 * allocator, also after the context has been destroyed. */
CLUMP_API clump_status clump_tracker_create(clump_context *ctx, const clump_tracker_options *options,
                                            clump_tracker **out);

/* Takes the clusters of the next frame.
 * time      of the frame, nanoseconds. A time that is not later than the one before begins anew: all objects are
 *           forgotten, identities go on
 * clusters  as clump_detect or clump_describe make them; may be null where count is 0. A cluster whose centroid is not
 *           finite is an object of its own, for this frame only
 * tracks    output: one per cluster
 * Once warm, a call allocates nothing. On failure, tracks are undefined and the tracker is unchanged. */
CLUMP_API clump_status clump_tracker_update(clump_context *ctx, clump_tracker *tracker, int64_t time,
                                            const clump_cluster *clusters, int32_t count, clump_track *tracks);

/* Forgets all objects. Identities go on. tracker may be null. */
CLUMP_API void clump_tracker_reset(clump_tracker *tracker);
CLUMP_API void clump_tracker_destroy(clump_tracker *tracker); /* tracker may be null */

#ifdef __cplusplus
}
#endif
#endif
