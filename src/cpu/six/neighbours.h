/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.h: all neighbours of a point, found in one of the two ways of Nguyen et al. 2020, 4.4.
 *
 *     exhaustive  every point is a candidate, one tile of points after the other
 *     range       points are sorted by voxel; candidates are the 27 voxels around the point's own
 *
 * Voxels have an edge just over d, such that no neighbour is outside the 27 whatever is rounded
 * (clump_voxel_rule_make in rules/cell.h has the proof). They are sorted by z, then y, then x, so the
 * three of a row are side by side, and nine stretches of the sorted points hold all candidates:
 *
 *     sorted   . . . . [ . . . . ] . . . . [ . . . . . ] . . . [ . . ] . . .
 *                      x-1 x x+1           x-1   x   x+1       x-1 x x+1
 *                      y-1                 y                   y+1            and so for z-1, z, z+1
 *     V         one entry a voxel that holds points: where it is
 *     S         where its points begin; one entry more, for the end of the last
 *
 * Search:  for (clump_neighbour_walk w = clump_neighbours_of(&near, i); clump_next_neighbour(&w);)
 *              look at w.id
 * A point is not its own neighbour; its copies are.
 */
#ifndef CLUMP_CPU_SIX_NEIGHBOURS_H
#define CLUMP_CPU_SIX_NEIGHBOURS_H

#include "core/buffer.h"
#include "rules/distance.h"

typedef enum clump_search { CLUMP_SEARCH_EXHAUSTIVE, CLUMP_SEARCH_RANGE } clump_search;

typedef struct clump_search_point {
    float x, y, z; /* finite; z = 0 in 2-D */
    uint32_t id;   /* its place in P */
} clump_search_point;

typedef struct clump_voxel {
    int32_t x, y, z;
} clump_voxel;

typedef struct clump_neighbours {
    const clump_search_point *points; /* the caller's P */
    size_t count;
    float bound;
    clump_search search;
    size_t tile;                      /* exhaustive: points of a tile */
    const clump_search_point *sorted; /* range, and all below */
    const clump_voxel *voxel_of;      /* by place in P */
    const clump_voxel *voxels;        /* V */
    const uint32_t *starts;           /* S */
    size_t voxel_count;
    clump_buffer cells, words, counters, marks, sorted_memory, voxel_memory, start_memory;
} clump_neighbours;

/* Prepares searches among the points, whose ids are their places. A zeroed struct is valid. `method`
 * is for the sentence when there is no memory. The points must stay while searches are made. */
clump_status clump_neighbours_prepare(clump_context *ctx, clump_neighbours *near, clump_ec_method method,
                                      clump_search search, const clump_search_point *points, size_t count, float d,
                                      size_t tile);
void clump_neighbours_release(clump_context *ctx, clump_neighbours *near);

/* ----- the walk ---------------------------------------------------------------------------------- */

typedef struct clump_neighbour_walk {
    uint32_t id; /* the neighbour, after clump_next_neighbour() */
    const clump_neighbours *near;
    clump_search_point from;
    const clump_search_point *at, *end; /* the stretch of candidates being looked at */
    size_t stretch;                     /* the next one: number of a tile, or of a row of voxels */
} clump_neighbour_walk;

/* The next stretch into at ... end, which may be empty; false when there are no more. */
bool clump_neighbours_stretch(clump_neighbour_walk *walk);

static inline clump_neighbour_walk clump_neighbours_of(const clump_neighbours *near, size_t i)
{
    return (clump_neighbour_walk){.near = near, .from = near->points[i]};
}

static inline bool clump_next_neighbour(clump_neighbour_walk *walk)
{
    const clump_search_point p = walk->from;
    const float bound = walk->near->bound;
    do {
        while (walk->at < walk->end) {
            const clump_search_point *const q = walk->at++;
            if (!(clump_distance_squared(p.x, p.y, p.z, q->x, q->y, q->z) < bound) || q->id == p.id) continue;
            walk->id = q->id;
            return true;
        }
    } while (clump_neighbours_stretch(walk));
    return false;
}

#endif
