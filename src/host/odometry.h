/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry.h: the parts of clump_odometry. A frame passes them in this order:
 *
 *     odometry_thin.c    points -> samples: the first usable point of every voxel, of two sizes; spacing of the rings
 *     odometry_twist.c   samples -> moved to the time of the frame, by the velocity; the expected motion
 *     odometry_match.c   samples, map -> motion: iterations of icp_align.c, and how certain it is
 *     odometry_map.c     samples -> map; far points leave it
 *     odometry.c         the calls, and what becomes of a frame
 *
 * A sample is a point of the frame that is left after thinning. A twist is a velocity: of translation and of rotation. The map
 * has points relative to its origin, which follows the sensor: their floats stay precise however far it drives.
 */
#ifndef CLUMP_HOST_ODOMETRY_H
#define CLUMP_HOST_ODOMETRY_H

#include "host/icp.h"

#include <clump/odometry.h>

typedef struct clump_sample {
    float xyz[3];
    float time; /* seconds after the time of the frame; 0 without times */
} clump_sample;

/* --- odometry_thin.c ------------------------------------------------------------------------------ */

/* Memory stays between frames; zeroed is valid. */
typedef struct clump_thinner {
    clump_buffer table;        /* hash table of voxels */
    clump_buffer fine, coarse; /* samples, with voxels of the map and of the registration */
    size_t fine_count, coarse_count;
    float side;        /* of the voxels of the map */
    float spacing;     /* voxels are no smaller than this, per metre of range */
    bool timed;        /* the samples have usable times */
    float first, last; /* the least and the largest time of usable points */
} clump_thinner;

/* Finds the distance of neighbouring rings of the sensor, per metre of range; about 0 where the points are not in rings. */
clump_status clump_thin_spacing(clump_work *work, const clump_odometry_options *options, clump_points points,
                                float *spacing);

/* Thins a frame. The stride of the points is in bytes; times may be null. */
clump_status clump_thin_frame(clump_work *work, clump_work *home, clump_thinner *thinner,
                              const clump_odometry_options *options, clump_points points, const float *times);

/* Replaces points by the first finite one of every voxel, in `samples`. For clump_icp. */
clump_status clump_thin_cloud(clump_work *work, clump_buffer *table, clump_buffer *samples, float side,
                              clump_points *points);

/* --- odometry_twist.c ----------------------------------------------------------------------------- */

/* Per second, in the axes of the sensor. */
typedef struct clump_twist {
    double move[3], turn[3];
} clump_twist;

clump_rigid clump_rigid_inverse(const clump_rigid *m);

/* Returns the motion of a constant velocity after some seconds, which may be negative: from the sensor then to now. */
clump_rigid clump_twist_after(const clump_twist *twist, double seconds);

/* Returns the velocity of a motion in some seconds. */
clump_twist clump_twist_of(const clump_rigid *motion, double seconds);

/* Moves points to where they would have been seen at one time, in seconds after that of the frame. Strides are in bytes. */
void clump_twist_move(const clump_twist *twist, double at, const float *xyz, size_t stride, const float *times,
                      size_t times_stride, size_t count, float *out);

/* Whether times from first to last, in seconds after that of the frame, can be those of one turn. `elapsed` are the seconds
 * between two frames, 0: not known. */
static inline bool clump_times_are_usable(float first, float last, double elapsed)
{
    return first >= -1 && last <= 1 && (elapsed == 0 || (double)last - (double)first <= 2 * elapsed);
}

/* The same for samples; without a twist they stay. */
void clump_samples_deskew(const clump_sample *samples, size_t count, const clump_twist *twist, double at, float *xyz);

/* --- odometry_map.c ------------------------------------------------------------------------------- */

/* One point per voxel: the first. Zeroed is an empty map. */
typedef struct clump_local_map {
    float side, range; /* of the voxels; how far points may be */
    double origin[3];  /* of the points, in the axes of the first frame */
    double cleaned[3]; /* where the sensor was when far points were removed */
    clump_buffer points, table;
    size_t count;
    size_t slots; /* of the hash table: a power of two, at least twice the points */
} clump_local_map;

/* Makes room for more points. Then clump_local_map_add() cannot fail. */
clump_status clump_local_map_reserve(clump_work *home, clump_local_map *map, size_t more);

/* Adds points of a frame with this pose, where their voxels are empty. Before that, where the sensor has moved far enough,
 * removes far points and moves the origin. */
void clump_local_map_add(clump_work *home, clump_local_map *map, const clump_rigid *pose, const float *xyz,
                         size_t count);

/* Changes the side of the voxels. Of several points in a voxel the first stays. */
void clump_local_map_set_side(clump_work *home, clump_local_map *map, float side);

/* Puts copies of points behind those of the map, a quarter more at most; returns the number of both. They are no part of it. */
size_t clump_local_map_pad(const clump_local_map *map);

void clump_local_map_clear(clump_local_map *map);

/* --- odometry_match.c ----------------------------------------------------------------------------- */

/* A frame to register, and the result. Motions take points of the frame to those of the first. */
typedef struct clump_match {
    const clump_odometry_options *options;
    double sigma, least;  /* how wrong the expectation may be; the least that it ever is */
    clump_rigid expected; /* input */
    clump_rigid pose;     /* output from here on */
    double information[36], certainty[3], weakest[3];
    double turn_certainty, turn_weakest[3];
    double fitness, rmse, share; /* share: mean weight by the robust kernel */
    int iterations;
    bool converged, weak; /* weak: a direction of the translation */
    bool weak_turn;       /* an axis of the rotation */
} clump_match;

/* Registers points of a frame to the map. `align` has the context, the backend, the index and the points of both. */
clump_status clump_match_run(clump_match *match, clump_align *align, const clump_local_map *map);

#endif
