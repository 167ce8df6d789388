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
 *
 * With poses (clump_tracker_update_at), places are those over ground, and the result says what moves:
 * 1. The box of a cluster is its yaw-oriented box, seen from above, taken to the ground by the pose. An object is expected where
 *    its drift takes it. It is compared with clusters in four steps: within a quarter of the gate, half of it, the gate,
 *    and, if it was seen once, twice the gate. Pairs of one step are no longer there for the next. max_gap is four times as
 *    long: what stands is found again behind what has hidden it.
 * 2. Scenes, the boxes of a frame, are remembered if they are 1/16 s or more after the last one; the last 16 are there. Let `then` be
 *    the oldest of them in which the object was seen, within 1 s. The direction is that from its centroid then to its centroid
 *    now. Its move is how far both ends of its box have moved along the direction: the less of the two. The drift is the
 *    same with the oldest scene within 0.5 s, per second; 0 where the move is not positive.
 * 3. An object moves if all of this holds; otherwise it stands. It is not judged until it was seen in two remembered scenes before.
 *    a) Its move is above 0.15 gates + 0.2 times the longer extent of the two boxes along the direction.
 *    b) The scene in the middle of its scenes, this frame counted, divides the move into two parts. Both are above 0.4 of what
 *       a steady motion has.
 *    c) Both boxes are 0.15 gates high and 0.1 gates long or more. If the move differs from that of the sensor by less than
 *       0.15 of the latter, both are 0.25 gates wide or more across the direction. Stripes of single beams are not.
 *    d) It moved in the frame before, or one of two places was seen to be free: the place that it left, now, or the place that
 *       it reached, then. These are in the middle of the box, half of the move (at most half of the extent) inside its rear end
 *       then, and inside its front end now. A place is free if no other box of the scene, seen from the sensor, is in
 *       front of it, at it or within 0.1 gates behind it, and covers more than 0.3 of its height as the sensor sees it.
 * 4. The velocity is the move by the time since then, 0 unless the object moves. Confidence is c = move / (move + what (a) asks for), 0
 *    for a negative move, or 1 - c of an object that stands.
 * To see what is free, 2^20 boxes are looked at per frame; objects for which none are left do not begin to move.
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
    double
        max_gap; /* 0.5: seconds that an object keeps its identity without being seen, with poses four times as long; 0 or
                      * more. An object of the frame before is known, also where frames are further apart */
    double
        smooth; /* 0.5: weight of the newest measurement of the velocity; more than 0, at most 1. Not used with poses */
} clump_tracker_options;

typedef enum clump_track_motion {
    CLUMP_TRACK_UNKNOWN = 0, /* without poses, or seen too few times */
    CLUMP_TRACK_STANDING = 1,
    CLUMP_TRACK_MOVING = 2
} clump_track_motion;

/* What is known of the object that a cluster is. */
typedef struct clump_track {
    uint64_t id; /* from 1, in the order of appearance; never given to another object */
    float velocity
        [3];       /* units per second; 0 in the first frame of an object. With poses over ground, along the axes of the
                        * frame; 0 unless the object moves */
    float speed;   /* its length */
    uint32_t seen; /* frames in which the object was seen, this one counted */
    uint32_t missed;           /* frames since it was last seen before this one; 0: it was seen in the frame before */
    double age;                /* seconds since it was first seen */
    clump_track_motion motion; /* over ground; with poses */
    float confidence;          /* of `motion`, from 0 to 1; 0 where it is not known */
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

/* The same with the pose of the frame: a 3 x 4 matrix, row by row, that takes its points to a world that stands still, as in
 * clump_poses of clump/io.h. The first 12 numbers of a 4 x 4 matrix are that, too. pose null: as clump_tracker_update. A frame
 * with a pose after one without, or the reverse, begins anew. */
CLUMP_API clump_status clump_tracker_update_at(clump_context *ctx, clump_tracker *tracker, int64_t time,
                                               const double *pose, const clump_cluster *clusters, int32_t count,
                                               clump_track *tracks);

/* Forgets all objects. Identities go on. tracker may be null. */
CLUMP_API void clump_tracker_reset(clump_tracker *tracker);
CLUMP_API void clump_tracker_destroy(clump_tracker *tracker); /* tracker may be null */

/* --- evidence over time ------------------------------------------------------------------------------------------
 *
 * A memory corrects the clusters of a frame by what earlier frames have shown, before the tracker gets them:
 *
 *     for each frame:
 *         clump_detect(ctx, points, &options, labels, clusters, capacity, &count);   // method objects, options.objects.found
 *         clump_memory_correct(ctx, memory, time, pose, points, &options.describe, labels, clusters, found, capacity, &count);
 *         clump_tracker_update_at(ctx, tracker, time, pose, clusters, count, tracks);
 *         clump_memory_remember(ctx, memory, time, pose, clusters, found, tracks, count, boxes);
 *
 * Everything is seen from above, over ground. A view is an object in one frame. It is of its own if no correction made it. What
 * is remembered of an object are its views in the last 8 frames that were remembered. It is known if it was seen within 1 s, was
 * an object in its last view, its box is at most 15 long, and in at least two of these frames, and in half of those since it was
 * first seen, it had a view of its own. Its box is expected where its velocity takes the box of the last view.
 *
 * A point is in a box if it is within 0.3 of it, seen from above, and of its heights. Only the first 16 clusters that have a
 * point in a box are looked at, in the order of the points. A box is looked for in squares of 2 x 2 units that begin at the
 * sensor, along the axes of the ground, up to 256 away from it. Of the boxes that reach a square, with their margin and by
 * their extents along the axes, 64 are looked at: those of the lowest identities.
 * 1. Split. A known object has a cluster of its own if 7 of 10 points of a cluster, and 10 or more, are in its box. If it has
 *    none, the cluster with the most points in its box, of equals the lower label, has swallowed it: if these are at least 10,
 *    and at least 2 of 5 as many as the last view of its own had. Such a cluster is divided if it is background. One that is an
 *    object is divided if it has swallowed at least two that had a view of their own in each of these frames, or in each since they
 *    were first seen, and in three or more; others do not count. A point that is in a box of the swallowed
 *    objects goes to the nearest one; of equal distances, to the smaller one, then to that of the lower identity. If fewer than 10
 *    points are left, they go to the nearest box, too, whatever their height is.
 * 2. Merge. Clusters with 9 of 10 points in the expected box of one object that moves are one, if no other known object has
 *    them as its own, and if together they have half as many points as its last view of its own. It needs three of these.
 * 3. Size. The box of an object is the union of the boxes of its views of the last 8 frames, moved by its velocity, along the yaw of
 *    the newest. Along each axis it is at most 1.5 times as long as the longest single view.
 * Labels stay 0, 1, 2 ...: of a cluster that is divided, what is left, or else the part of the lowest identity, keeps its label; other
 * parts come after all clusters, by the label of their cluster, then by identity. Clusters that are one have the lowest label
 * of theirs; labels after a gap move up. So limits and order of sizes are those before a correction. The result depends on the
 * calls alone: it is equal on all machines, bit for bit. */

typedef struct clump_memory clump_memory;

typedef enum clump_memory_change {
    CLUMP_MEMORY_NONE = 0, /* as the clustering found it */
    CLUMP_MEMORY_SPLIT = 1,
    CLUMP_MEMORY_REST = 2, /* what is left of a cluster that was divided */
    CLUMP_MEMORY_MERGED = 3
} clump_memory_change;

/* The union of the views of an object, in the coordinates of the frame. */
typedef struct clump_memory_box {
    float center[2];    /* seen from above, as clump_cluster.box_center */
    float size[2];      /* along yaw and across yaw */
    float yaw;          /* degrees, that of the cluster */
    float lower, upper; /* along the up axis */
    int32_t views;      /* frames */
    clump_memory_change change;
} clump_memory_box;

/* Creates a memory. *out is null on failure. Memory comes from the context's allocator, also after the context has been
 * destroyed. */
CLUMP_API clump_status clump_memory_create(clump_context *ctx, clump_up up, clump_memory **out);

/* Corrects labels, clusters and objects of the next frame. What is remembered stays as it is.
 * pose      as in clump_tracker_update_at; must be given
 * points    in host memory
 * describe  how clusters that change are described; null: with the defaults, and the axis of the memory. Hulls and heights are
 *           not computed: `height` of a cluster that changes is the top of its object
 * labels    one per point, in and out; below *count
 * clusters, objects  in and out: by label, room for `capacity`. A part has the object of its last view of its own
 * count     in and out. If it is above the capacity after the call, nothing else has changed, and the call can be repeated with
 *           more room and the count that it had before
 * On failure, labels, clusters and objects are undefined. */
CLUMP_API clump_status clump_memory_correct(clump_context *ctx, clump_memory *memory, int64_t time, const double *pose,
                                            clump_points points, const clump_describe_options *describe,
                                            int32_t *labels, clump_cluster *clusters, clump_object *objects,
                                            int32_t capacity, int32_t *count);

/* Remembers a frame, with the tracks of its clusters.
 * boxes  output, may be null: one per cluster
 * A time that is not later than the one before begins anew. Once warm, calls allocate nothing. */
CLUMP_API clump_status clump_memory_remember(clump_context *ctx, clump_memory *memory, int64_t time, const double *pose,
                                             const clump_cluster *clusters, const clump_object *objects,
                                             const clump_track *tracks, int32_t count, clump_memory_box *boxes);

CLUMP_API void clump_memory_reset(clump_memory *memory);   /* forgets all objects; memory may be null */
CLUMP_API void clump_memory_destroy(clump_memory *memory); /* memory may be null */

#ifdef __cplusplus
}
#endif
#endif
