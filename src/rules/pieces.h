/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces.h: how a cloud that is larger than a GPU's memory is cut, and what the pieces tell each other; compiled by the C
 * compiler and by nvcc.
 *
 * Coarse cells (rules/tiles.h) are numbered along a curve; this number is the rank of a cell. A tile is a range of ranks.
 * Points are grouped by key: 2 * rank for the points near a side of their cell, 2 * rank + 1 for the others. So the points of
 * a tile are consecutive, and so are the points of a cell that may be in the rim of another tile. Points that are left out
 * have the largest key.
 *
 * A cluster of a tile is named by its id, the smallest index of its core points: of the own ones, or of the rim where it
 * has no own one. The ids of all tiles together are distinct, or name the same cluster of the whole cloud:
 *
 *   1  Core points of a tile are core points of the cloud, and clusters of a tile are parts of clusters (docs/scale.md).
 *   2  So an id is the index of a core point of the whole cluster, and equal ids name one cluster.
 *   3  A rim point that is a core point has an id in its own tile and one here: both name its cluster. Two neighbours that
 *      are core points of two tiles are in one cluster of the later tile, where the other is in the rim. So links of rim
 *      points of earlier tiles join all parts of a cluster.
 *   4  The first core point of a whole cluster is an own point of some tile, and is the id there. No id is smaller. So
 *      the smallest id of the joined parts is the first core point of the cluster, which gives its number.
 */
#ifndef CLUMP_RULES_PIECES_H
#define CLUMP_RULES_PIECES_H

#include "rules/cell.h"
#include "rules/hash.h"
#include "rules/tiles.h"

#define CLUMP_PIECES_NONE 0x7fffffffu /* id of points in no cluster; indices are smaller */
#define CLUMP_PIECES_CORE 0x80000000u /* added to the id of a core point */
#define CLUMP_PIECES_RIM  0x80000000u /* added to an index: a point of the rim. So own points come first */

typedef struct clump_pieces_grid {
    clump_cell_rule voxels;
    clump_tiling tiling; /* its table has ranks in place of tiles */
    bool two_d;
} clump_pieces_grid;

/* Returns the key of a point that takes part. */
CLUMP_RULE uint32_t clump_pieces_key(const clump_pieces_grid *g, float x, float y, float z)
{
    const int64_t voxel[3] = {clump_cell(x, g->voxels), clump_cell(y, g->voxels),
                              g->two_d ? 0 : clump_cell(z, g->voxels)};
    return 2 * clump_tile_of(&g->tiling, voxel) + (uint32_t)clump_tile_is_inside(&g->tiling, voxel);
}

/* Returns the id of a cluster whose first point, with CLUMP_PIECES_RIM in it or not, is known. */
CLUMP_RULE uint32_t clump_pieces_id(uint32_t first)
{
    return first & ~CLUMP_PIECES_RIM;
}

/* Returns the id by which a rim point links its cluster here with its cluster at home; CLUMP_PIECES_NONE: it links none.
 * Of a cluster with own core points those of earlier tiles link, see 3. Of others only the point that is the id. */
CLUMP_RULE uint32_t clump_pieces_link(uint32_t first, uint32_t index, bool earlier)
{
    const uint32_t id = clump_pieces_id(first);
    return (first < CLUMP_PIECES_RIM ? earlier : id == index) ? id : CLUMP_PIECES_NONE;
}

/* ----- the map from ids to first points ---------------------------------------------------------------- */

#define CLUMP_PIECES_FREE UINT64_MAX /* a slot without an entry */

/* A hash table of ids that have links. An entry is the id, and in the lower half the smallest id that it is joined with. */
typedef struct clump_pieces_map {
    uint64_t *slots; /* null: no id has links */
    uint32_t slot_mask;
    clump_hash_key key;
} clump_pieces_map;

/* Returns the slot of an id, or the free slot where it belongs. */
CLUMP_RULE uint32_t clump_pieces_slot(const clump_pieces_map *map, uint32_t id)
{
    uint32_t slot = clump_hash_slot_masked(clump_hash(map->key, (int32_t)id, 0, 0, 0), map->slot_mask);
    while (map->slots[slot] != CLUMP_PIECES_FREE && (uint32_t)(map->slots[slot] >> 32) != id)
        slot = (slot + 1) & map->slot_mask;
    return slot;
}

/* Returns the first point of the whole cluster with this id, once the map is complete. */
CLUMP_RULE uint32_t clump_pieces_first(const clump_pieces_map *map, uint32_t id)
{
    if (!map->slots) return id;
    const uint64_t entry = map->slots[clump_pieces_slot(map, id)];
    return entry == CLUMP_PIECES_FREE ? id : (uint32_t)entry;
}

#endif
