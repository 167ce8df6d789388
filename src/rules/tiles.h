/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tiles.h: which tile a point belongs to, and in which rims it is; compiled by the C compiler and by nvcc.
 *
 * Space is divided into voxels such that two neighbours are at most one voxel apart along every axis. A coarse cell is
 * 2^shift voxels wide. A table maps coarse cells to tiles: a tile is any set of coarse cells. Coarse cells outside of
 * the table count as those at its side, so the table may be planned from a box that is wrong.
 *
 *     rim of tile t   points of other tiles that have a voxel of t within `reach` voxels of their own, along every axis
 *     reach           1 for Euclidean clustering and for min_points 1; 2 for DBSCAN
 *
 * reach is at most 2^(shift - 1), so the 2 reach + 1 voxels within reach of a voxel are in at most two coarse cells along
 * an axis.
 *
 * Voxels of float32 coordinates: clump_cell() with clump_voxel_rule_make(). Voxels of integers: clump_tile_step().
 */
#ifndef CLUMP_RULES_TILES_H
#define CLUMP_RULES_TILES_H

#include "rules/distance.h"

#include <stdbool.h>
#include <stdint.h>

#define CLUMP_TILE_RIMS 7 /* rims that a point can be in, at most */

typedef struct clump_tiling {
    int shift[3];          /* 2^shift voxels per coarse cell; reach ... 40, where the axis is divided */
    int reach;             /* voxels */
    int64_t first[3];      /* coarse cell of the first entry, along each axis */
    int64_t size[3];       /* entries along each axis, at least 1; an axis of size 1 is not divided */
    const uint32_t *tiles; /* size[0] x size[1] x size[2] entries, x fastest */
} clump_tiling;

/* Returns the entry of a voxel along an axis. */
CLUMP_RULE int64_t clump_tile_entry(const clump_tiling *t, int axis, int64_t voxel)
{
    const int64_t entry = (voxel >> t->shift[axis]) - t->first[axis];
    return entry < 0 ? 0 : entry >= t->size[axis] ? t->size[axis] - 1 : entry;
}

CLUMP_RULE uint32_t clump_tile_at(const clump_tiling *t, int64_t x, int64_t y, int64_t z)
{
    return t->tiles[(z * t->size[1] + y) * t->size[0] + x];
}

/* Returns the tile of a voxel. */
CLUMP_RULE uint32_t clump_tile_of(const clump_tiling *t, const int64_t voxel[3])
{
    return clump_tile_at(t, clump_tile_entry(t, 0, voxel[0]), clump_tile_entry(t, 1, voxel[1]),
                         clump_tile_entry(t, 2, voxel[2]));
}

/* Whether all voxels within reach are in the coarse cell of the voxel: then the point is in no rim. Most points are. */
CLUMP_RULE bool clump_tile_is_inside(const clump_tiling *t, const int64_t voxel[3])
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        const int64_t within = voxel[k] & (((int64_t)1 << t->shift[k]) - 1);
        inside &= (t->size[k] == 1) | ((within >= t->reach) & (within < ((int64_t)1 << t->shift[k]) - t->reach));
    }
    return inside;
}

/* Writes the tiles whose rim has the points of this voxel, each once, and returns how many. `own` is the tile of the voxel. */
CLUMP_RULE int clump_tile_rims(const clump_tiling *t, const int64_t voxel[3], uint32_t own,
                               uint32_t rims[CLUMP_TILE_RIMS])
{
    int64_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = clump_tile_entry(t, k, voxel[k] - t->reach);
        high[k] = clump_tile_entry(t, k, voxel[k] + t->reach);
    }
    int count = 0;
    for (int64_t z = low[2]; z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t x = low[0]; x <= high[0]; x++) {
                const uint32_t tile = clump_tile_at(t, x, y, z);
                bool known = tile == own;
                for (int i = 0; i < count; i++) known |= rims[i] == tile;
                if (!known) rims[count++] = tile;
            }
    return count;
}

/* Returns the edge of voxels of integer coordinates, in whole steps, such that neighbours are at most one voxel apart.
 * The distance d is in steps; `extent` is the largest offset, in steps, that a float32 of the cloud stands for: 0 where
 * floats hold the integers exactly. Proof: neighbours have floats that differ by at most d (1 + 2^-22) as computed, so by
 * at most d (1 + 2^-21) in truth, and each float is within 2^-24 extent of its integer. */
CLUMP_RULE int64_t clump_tile_step(double d, double extent)
{
    const double edge = d * (1 + 0x1p-20) + 0x1p-22 * extent;
    return (int64_t)edge + 1;
}

/* Returns floor(step / edge). */
CLUMP_RULE int64_t clump_tile_voxel(int64_t step, int64_t edge)
{
    const int64_t quotient = step / edge;
    return quotient - (step % edge < 0);
}

#endif
