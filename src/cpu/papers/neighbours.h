/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.h: finds all neighbours of a point in one of the two ways of Nguyen et al. 2020, 4.4.
 *
 *     exhaustive  every point is a candidate; the points are read tile by tile
 *     range       points are sorted by voxel; candidates are the points of the voxel and the 26 around it
 *
 * Voxels have an edge just over d, so that no neighbour is outside the 27, whatever is rounded
 * (clump_voxel_rule_make in rules/cell.h has the proof). They are sorted by z, then y, then x. So the
 * three voxels of a row are adjacent, and nine stretches of the sorted points hold all candidates:
 *
 *     sorted   . . . . [ . . . . ] . . . . [ . . . . . ] . . . [ . . ] . . .
 *                      x-1 x x+1           x-1   x   x+1       x-1 x x+1
 *                      y-1                 y                   y+1            for each of z-1, z, z+1
 *     V         one entry per voxel that holds points: its coordinates
 *     S         where its points begin, and one more entry, the end of the last
 *
 * Search:  for (clump_neighbour_walk w = clump_neighbours_of(&search, i); clump_next_neighbour(&w);)
 *              use w.id
 * A point is not its own neighbour, but its duplicates are.
 */
#ifndef CLUMP_CPU_PAPERS_NEIGHBOURS_H
#define CLUMP_CPU_PAPERS_NEIGHBOURS_H

#include "common/assert.h"
#include "core/work.h"
#include "rules/distance.h"

typedef enum clump_search_kind { CLUMP_SEARCH_EXHAUSTIVE, CLUMP_SEARCH_RANGE } clump_search_kind;

typedef struct clump_search_point {
    float x, y, z; /* finite; z = 0 in 2-D */
    uint32_t id;   /* place in P */
} clump_search_point;

typedef struct clump_voxel {
    int32_t at[3]; /* x, y, z */
} clump_voxel;

typedef struct clump_neighbours {
    const clump_search_point *points; /* the caller's P */
    size_t count;
    float bound;
    clump_search_kind kind;
    size_t tile;                      /* exhaustive: points per tile */
    const clump_search_point *sorted; /* this and all below: for range search */
    const clump_voxel *voxel_of;      /* by place in P */
    const clump_voxel *voxels;        /* V */
    const uint32_t *starts;           /* S */
    size_t voxel_count;
    clump_buffer cells, words, counters, marks, sorted_memory, voxel_memory, start_memory;
} clump_neighbours;

/* Prepares searches among these points, whose ids are their places. A zeroed struct is valid. `method` is a name for
 * error messages. The points must stay unchanged during the searches. */
clump_status clump_neighbours_prepare(clump_work *work, clump_neighbours *search, const char *method,
                                      clump_search_kind kind, const clump_search_point *points, size_t count, float d,
                                      size_t tile);
void clump_neighbours_release(clump_work *work, clump_neighbours *search);

/* Exclusive prefix sum of n entries; x[n] becomes the total. */
void clump_six_scan(uint32_t *x, size_t n);

/* ----- the walk ---------------------------------------------------------------------------------- */

typedef struct clump_neighbour_walk {
    uint32_t id; /* the neighbour, after clump_next_neighbour() */
    const clump_neighbours *search;
    clump_search_point from;
    const clump_search_point *at, *end; /* the current stretch: candidates not yet tested */
    size_t stretch;                     /* the next stretch: number of a tile or of a row of voxels */
} clump_neighbour_walk;

/* Moves to the next stretch, at ... end, which may be empty; false when there is none. */
bool clump_neighbours_stretch(clump_neighbour_walk *walk);

/* A walk over the neighbours of point i, before the first. */
static inline clump_neighbour_walk clump_neighbours_of(const clump_neighbours *search, size_t i)
{
    CLUMP_ASSERT(i < search->count);
    return (clump_neighbour_walk){.search = search, .from = search->points[i]};
}

/* Moves to the next neighbour; false when there is none. */
static inline bool clump_next_neighbour(clump_neighbour_walk *walk)
{
    const clump_search_point p = walk->from;
    const float bound = walk->search->bound;
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
