/* SPDX-License-Identifier: BSD-3-Clause
 *
 * motion.h: clusters over ground, and whether an object moves: what clump_tracker computes with poses. clump/track.h defines
 * it in words.
 *
 *     cluster + pose        -> box over ground, seen from above
 *     boxes of a frame      -> scene; some scenes of the last second are remembered
 *     object                -> its boxes in these scenes: traces
 *     first trace and now   -> how far both ends of the box have moved, and whether that was seen
 *
 * Only + - * / and sqrt of doubles are used, which round in the same way everywhere.
 */
#ifndef CLUMP_HOST_MOTION_H
#define CLUMP_HOST_MOTION_H

#include "core/context.h"

#include <clump/track.h>

enum { CLUMP_MOTION_SCENES = 16 };             /* that are remembered */
#define CLUMP_MOTION_LOOKS (UINT64_C(1) << 20) /* boxes that may be looked at per frame, to see what hides what */

/* A cluster over ground. */
typedef struct clump_motion_box {
    double place[2];     /* centroid */
    double middle[2];    /* of the yaw-oriented box */
    double along[2];     /* unit vector of its yaw */
    double half[2];      /* half extents along and across */
    double lower, upper; /* heights above the sensor */
} clump_motion_box;

typedef struct clump_motion_scene {
    int64_t time;
    double sensor[2];
    int32_t count;
    clump_buffer boxes; /* clump_motion_box */
} clump_motion_scene;

/* The axes of a frame: two of the plane seen from above, and up. */
typedef struct clump_motion_axes {
    int plane[2], up;
} clump_motion_axes;

/* Fills a scene, whose buffer has room, from the clusters of a frame. */
void clump_motion_set(clump_motion_scene *scene, const clump_motion_axes *axes, const double pose[12],
                      const clump_cluster *clusters, int32_t count);

/* The box of an object in a scene that is remembered. */
typedef struct clump_motion_trace {
    uint64_t scene; /* number of the scene, from 0 */
    int32_t box;
} clump_motion_trace;

/* What is remembered: scene i is in slot i % CLUMP_MOTION_SCENES; only the latest are there. */
typedef struct clump_motion_memory {
    clump_motion_scene scenes[CLUMP_MOTION_SCENES];
    uint64_t remembered; /* scenes, those that are gone counted */
} clump_motion_memory;

/* Whether the scene of this time is to be remembered: it is long enough after the last one. */
bool clump_motion_is_due(const clump_motion_memory *memory, int64_t time);

/* An object: what it was seen as, oldest first. */
typedef struct clump_motion {
    clump_motion_trace traces[CLUMP_MOTION_SCENES];
    int32_t count;
    clump_track_motion verdict;
    float confidence;
    double velocity[2]; /* over ground, units per second; 0 unless it moves */
    double drift[2];    /* velocity of the last half second, to expect it by; of things that stand, too */
} clump_motion;

/* Judges an object that is box number `box` of the scene `now`. Drops traces that are too old.
 * gate   of the tracker
 * looks  in and out: boxes that may still be looked at; an object that finds none left is not judged to move */
void clump_motion_judge(clump_motion *motion, const clump_motion_memory *memory, const clump_motion_scene *now,
                        int32_t box, double gate, uint64_t *looks);

/* Adds the box in the scene that will be remembered next as a trace. */
void clump_motion_trace_add(clump_motion *motion, const clump_motion_memory *memory, int32_t box);

#endif
