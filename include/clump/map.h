/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.h: the frames of a drive as one cloud, without what moves.
 *
 *     clump_map *map;
 *     clump_map_create(ctx, NULL, &map);
 *     for each frame i: clump_map_add(ctx, map, i, points, pose, NULL);
 *     for each frame i: clump_map_look(ctx, map, i, points, pose);    // leave out to keep what moves
 *     clump_map_cloud cloud;
 *     clump_map_points(ctx, map, &cloud);
 *     clump_map_destroy(map);
 *
 * The map has one point per voxel: the mean of all points in it. It depends on the frames and their numbers alone: neither
 * on the order of the calls nor on the number of threads, bit for bit.
 *
 *   1. A point p of a frame is at w = R p + t in the world. Its voxel is floor(w / voxel). The place inside of the voxel is
 *      rounded down to 1/65536 of the side; the mean of these places is the point of the voxel. Ignored are points that are
 *      not finite or out of range, and voxels beyond 2^30 in an axis. Points that move
 *      (CLUMP_MAP_MOVES in the mask) count in rules 4 and 5 alone.
 *   2. `observations` of a voxel are the frames with a point in it. Its window is from the first to the last frame that has
 *      a point in it or in one of the 26 voxels around it.
 *   3. A beam goes from the sensor to a point at distance L, at most 1e30. It counts from CLUMP_MAP_BEGIN voxels (or min_range, if that is
 *      more) on, up to L - max(CLUMP_MAP_MARGIN x L, CLUMP_MAP_GAP voxels). It passes through a voxel where it is within
 *      CLUMP_MAP_RADIUS voxels of the voxel's point. So a beam that grazes ground or a wall does not pass through it, as
 *      long as ground or wall is CLUMP_MAP_RADIUS / CLUMP_MAP_MARGIN voxels or more beside the sensor.
 *   4. `passes` of a voxel are the frames outside of its window whose beams passed through it, from at most max_range away,
 *      and, counted again, the frames with a point in it that moves. Directions are divided into cells, 4096 x 4096 per
 *      side of a cube around the sensor; of the beams in one cell, the longest counts, of equal ones the first.
 *   5. A voxel is left out where all its points move, and where the passes of it and the 26 voxels around it, together, are
 *      more than options.passes x their observations. If it has more than CLUMP_MAP_FEW observations, that must hold for
 *      the voxel alone, too.
 *   6. A voxel of one observation is left out, too, where rule 5 leaves out more than CLUMP_MAP_SHARE of the voxels that are
 *      at most 2 away along each axis, itself counted.
 *
 * Memory: 64 bytes per voxel and 6 to 12 for the table that finds it; 40 and the same from the first clump_map_look() on;
 * both, and 16 more, while the one becomes the other. The cloud takes 22 per point.
 */
#ifndef CLUMP_MAP_H
#define CLUMP_MAP_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_MAP_BEGIN  4.0 /* voxels */
#define CLUMP_MAP_RADIUS 0.6 /* voxels */
#define CLUMP_MAP_MARGIN 0.1 /* share of the length of a beam */
#define CLUMP_MAP_GAP    2.0 /* voxels */
#define CLUMP_MAP_FEW    4   /* observations */
#define CLUMP_MAP_SHARE  0.3
#define CLUMP_MAP_CELLS  4096 /* of directions, along an edge of the cube */
#define CLUMP_MAP_MOVES  2    /* in a mask: the point is of something that moves */

typedef struct clump_map clump_map;

/* Lengths are in the unit of the coordinates; defaults are for metres and a vehicle. */
typedef struct clump_map_options {
    uint32_t cookie; /* set by clump_map_defaults(), do not touch */
    float voxel;     /* 0.2: side of a voxel, 0.001 to 1000 */
    float min_range; /* 1.0: nearer points are ignored, as those of the vehicle itself; 0 or more */
    float max_range; /* 60: farther points are ignored, but their beams count; more than min_range,
                      * at most 1e9 */
    float passes;    /* 0.3: passes per observation from which on a voxel is left out; 0 or more */
} clump_map_options;

/* The map. The arrays belong to it and are valid until the next call with this map. */
typedef struct clump_map_cloud {
    clump_points
        points;       /* relative to the origin; by blocks of 16 x 16 x 16 voxels in the order of x, y, z, the voxels of
                          * a block likewise */
    double origin[3]; /* lower corner of all voxels, rounded down to whole units */
    int32_t
        end; /* the blocks along x from here on are no part of it, see clump_map_part(); INT32_MAX: they have no voxels */
    const uint32_t *observations, *passes; /* per point */
    size_t voxels;                         /* that had points */
    size_t dropped;                        /* of these, left out: points.count is voxels - dropped */
} clump_map_cloud;

CLUMP_API clump_map_options clump_map_defaults(void);

/* Creates a map. options may be null for the defaults. *out is null on failure. Memory comes from the context's allocator,
 * also after the context has been destroyed. */
CLUMP_API clump_status clump_map_create(clump_context *ctx, const clump_map_options *options, clump_map **out);

/* Makes one part of a map that is too large for memory: the voxels whose block along x, floor(x / 16 voxels), is `first` or
 * more. Where that would be more than about max_voxels, the blocks from some place on are given up, and clump_map_cloud.end
 * is this place: another map with all frames and `first` = end has the next part. Parts after each other, INT32_MIN first, are
 * the whole map, bit for bit, with its origin. Fails later where the voxels of one block along x are too many. Call it before
 * the first frame is added. The 4 voxels beside the part are held, too, and count in max_voxels, which is 1 or more. */
CLUMP_API clump_status clump_map_part(clump_context *ctx, clump_map *map, int32_t first, size_t max_voxels);

/* Adds the points of a frame. All frames are added before the first is looked at.
 * frame   its number, in the order of time
 * points  in the frame of the sensor, which is at 0 0 0; in host memory
 * pose    3 x 4 matrix, row by row, that takes points of the frame to the world; its rotation is orthonormal to 0.001
 * mask    null, or one byte per point: 0 leaves the point out, CLUMP_MAP_MOVES says that it is of something that moves
 * Once warm, a call allocates memory for new voxels only. Refused arguments leave the map as it is; after another failure
 * (no memory, cancelled) the map can only be destroyed. This holds for the next two calls, too. */
CLUMP_API clump_status clump_map_add(clump_context *ctx, clump_map *map, int32_t frame, clump_points points,
                                     const double pose[12], const uint8_t *mask);

/* Counts the voxels that beams of a frame passed through. Arguments as above: a frame that was added, with all its points.
 * Once warm, a call allocates nothing for frames of equal size. */
CLUMP_API clump_status clump_map_look(clump_context *ctx, clump_map *map, int32_t frame, clump_points points,
                                      const double pose[12]);

/* Gives the map as a cloud. No frame can be added afterwards. */
CLUMP_API clump_status clump_map_points(clump_context *ctx, clump_map *map, clump_map_cloud *out);

CLUMP_API void clump_map_destroy(clump_map *map); /* map may be null */

#ifdef __cplusplus
}
#endif
#endif
