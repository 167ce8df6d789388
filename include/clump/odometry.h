/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry.h: where a sensor moved, from its scans alone.
 *
 *     clump_odometry *odometry;
 *     clump_odometry_create(ctx, NULL, &odometry);
 *     for each frame:
 *         clump_odometry_pose pose;
 *         clump_odometry_push(ctx, odometry, stamp, points, NULL, &pose);   // pose.transform: sensor -> first frame
 *     clump_odometry_destroy(odometry);
 *
 * A frame is expected where the motion of the frame before takes it. It is thinned by voxels and registered to a local map,
 * point to plane, with a robust kernel. The map is made of earlier frames: the first point of every voxel, within a range of
 * the sensor. Voxels are larger where the rings of the sensor are farther apart (docs/drive.md). Pairs are exact nearest
 * neighbours. How far a pair may be apart, and the width of the kernel, follow from how wrong the expectations of earlier
 * frames were (Vizzo et al., KISS-ICP, 2023).
 *
 * A pose is never a guess in silence. A frame that cannot be registered is `lost`: its pose is the expected one and the map
 * stays as it is. A direction that the frame does not determine, as along a tunnel, or a rotation, as in a round room, is
 * `weak`: there the expected motion stays. The result depends on the calls alone: it is equal, bit for bit, for any number of threads and on a GPU.
 */
#ifndef CLUMP_ODOMETRY_H
#define CLUMP_ODOMETRY_H

#include <clump/index.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clump_odometry clump_odometry;

/* Lengths are in the unit of the coordinates; defaults are for metres and a vehicle. */
typedef struct clump_odometry_options {
    uint32_t cookie;         /* set by clump_odometry_defaults(), do not touch */
    clump_icp_method method; /* CLUMP_ICP_PLANE */
    float voxel;             /* 1.0: side of the voxels that thin a frame for its registration; more than 0 */
    float map_voxel;         /* 0.5: least side of the voxels of the map, which keep one point each; more than 0 */
    float min_range;         /* 1.0: nearer points are ignored, as those of the vehicle itself; 0 or more */
    float max_range;         /* 100: farther points are ignored, and leave the map; more than min_range */
    float reach;           /* 2.0: how wrong the expectation of a first motion may be; more than 0. A first motion that
                              * does not fit is searched as with twice and four times this */
    int normal_neighbours; /* 15: points of the map per surface normal; 3 ... CLUMP_NN_MAX_K */
    int max_iterations;    /* 50; at least 1 */
    double tolerance;      /* 1e-3: the last iteration moves by less, and rotates by less, in radians; 0 or more */
    int patience;          /* 5: after this number of lost frames in a row the map begins anew; 0: never */
} clump_odometry_options;

typedef enum clump_odometry_state {
    CLUMP_ODOMETRY_FIRST = 0, /* the first frame: its pose is the identity */
    CLUMP_ODOMETRY_OK = 1,
    CLUMP_ODOMETRY_LOST = 2,     /* not registered: the pose is the expected one, the map is unchanged */
    CLUMP_ODOMETRY_RESTARTED = 3 /* not registered, for the last time: the map begins anew at the expected pose */
} clump_odometry_state;

typedef struct clump_odometry_pose {
    int64_t time;         /* of the frame */
    double transform[16]; /* 4 x 4, row-major: takes points of this frame, at its time, to those of the first */
    clump_odometry_state state;
    const char *why; /* lost or restarted: why, one sentence that stays valid; else null */
    bool weak;     /* a direction, or the rotation about an axis, is not determined: the expected motion stays there */
    bool deskewed; /* points were moved to the time of the frame; false without usable times, see clump_odometry_push */

    /* What the pairs tell about the pose: the inverse of its covariance, where that exists. Row-major 6 x 6, for a small
     * translation along x, y, z and a small rotation about x, y, z, of the sensor at its place, in the axes of the first
     * frame. Only errors of single points count; 0 where the frame was not registered. */
    double information[36];
    double certainty
        [3]; /* how well the pairs determine the translation along three orthogonal directions, from the least to
                          * the best: shares, their sum is 1. A direction is weak below CLUMP_ODOMETRY_WEAK; 0 where the frame
                          * was not registered. Point to point determines all directions alike */
    double weakest[3]; /* the direction of certainty[0], of length 1, in the axes of the first frame */

    double fitness;    /* share of the thinned points that have a partner in the map */
    double rmse;       /* root mean square distance of the pairs to the surfaces of the map, weighted by the kernel */
    double deviation;  /* how far the pose is from the expected one: distance of points at max_range, at most */
    int iterations;    /* of the registration */
    size_t used;       /* points of the frame after thinning, that were registered */
    size_t map_points; /* of the map, this frame included */
    double
        turn_certainty; /* the same for rotations: of the motion of points by a rotation about turn_weakest, the share that the
                             * pairs see. Weak below CLUMP_ODOMETRY_WEAK. 1 for point to point, 0 where not registered */
    double turn_weakest
        [3]; /* the axis whose rotation is determined least, of length 1, in the axes of the first frame; 0: not known */
    double reach; /* in use: options.reach, or twice or four times it where only that found the first motion */
} clump_odometry_pose;

#define CLUMP_ODOMETRY_WEAK 0.01

CLUMP_API clump_odometry_options clump_odometry_defaults(void);

/* Translates a state to its name, "lost"; null for a value that does not exist. */
CLUMP_API const char *clump_odometry_state_name(clump_odometry_state state);

/* Creates an odometry. options may be null for the defaults. *out is null on failure. Memory comes from the context's
 * allocator, also after the context has been destroyed. */
CLUMP_API clump_status clump_odometry_create(clump_context *ctx, const clump_odometry_options *options,
                                             clump_odometry **out);

/* Takes the next frame.
 * time    of the frame, nanoseconds; later than that of the frame before, else the call fails
 * points  in the frame of the sensor, in host memory; points that are not finite are ignored. A frame without usable points
 *         is lost
 * times   null, or one per point: seconds from the time of the frame to that of the point, negative before it. Points are
 *         then moved to where they would have been seen at the time of the frame (deskewed). Times are usable where those
 *         of all finite points are at most 1 s from the frame and span at most twice the time since the frame before
 * pose    output
 * Once warm, a call allocates nothing. On failure *pose is undefined and the odometry is unchanged. */
CLUMP_API clump_status clump_odometry_push(clump_context *ctx, clump_odometry *odometry, int64_t time,
                                           clump_points points, const float *times, clump_odometry_pose *pose);

/* Moves the points of a frame to where they would have been seen at its time, by a constant velocity of the sensor: that
 * between two poses near it, as of the frame and the next.
 * points    in the frame of the sensor, in host memory
 * times     one per point, as above
 * from, to  3 x 4 matrices, row by row, as in clump_poses of clump/io.h
 * seconds   from the one pose to the other, more than 0
 * xyz       output: three per point; may be points.xyz where points are not strided
 * deskewed  output, may be null. False: the times are not usable, as above with `seconds` between two frames, and the points
 *           were copied as they are
 * Equal for any number of threads, bit for bit. */
CLUMP_API clump_status clump_deskew(clump_context *ctx, clump_points points, const float *times, const double from[12],
                                    const double to[12], double seconds, float *xyz, bool *deskewed);

/* Returns the local map: points relative to `origin`, in the axes of the first frame. xyz is valid until the next call with
 * this odometry. Outputs are 0 before the first frame. */
CLUMP_API void clump_odometry_map(const clump_odometry *odometry, clump_points *points, double origin[3]);

/* Forgets everything but the options: the next frame is the first. odometry may be null. */
CLUMP_API void clump_odometry_reset(clump_odometry *odometry);
CLUMP_API void clump_odometry_destroy(clump_odometry *odometry); /* odometry may be null */

#ifdef __cplusplus
}
#endif
#endif
