/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_plan.h: cuts a cloud that is larger than a GPU's memory into tiles (rules/pieces.h):
 *
 *     sample   voxels of some thousand points
 *     grid     coarse cells, small enough for tiles of a given size; numbered along a curve
 *     cut      after the points of each cell have been counted: ranges of cells, the tiles
 *
 * The sample may mislead: points outside of its box belong to the cells at the sides of the grid, and where a cell has too
 * many points the caller makes a finer grid.
 */
#ifndef CLUMP_CORE_PIECES_PLAN_H
#define CLUMP_CORE_PIECES_PLAN_H

#include "core/backend.h"
#include "rules/pieces.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_pieces_plan {
    clump_pieces_grid grid; /* its table is in host memory */
    uint32_t cells;
    uint32_t *entries; /* rank to entry of the table */
    bool one_sided;    /* rims have points of earlier tiles only: Euclidean clustering and min_points 1 */

    uint64_t *edges, *loads; /* per rank: points near a side; all points. Counted by the caller */

    uint32_t tiles;
    uint32_t *begins; /* tiles + 1 entries: the first rank of each tile */
    uint64_t *stamps; /* per rank, for clump_pieces_around */
    uint64_t stamp;

    clump_buffer sample, table, lists;
    size_t sampled;
} clump_pieces_plan;

void clump_pieces_plan_trim(clump_work *work, clump_pieces_plan *plan);

/* Takes the sample. The job is of clump_ec, or of clump_dbscan with min_points. */
clump_status clump_pieces_sample(clump_work *work, clump_pieces_plan *plan, const clump_cloud_job *job,
                                 size_t min_points);

/* Makes a grid for tiles of up to `most` points with at most `most_cells` cells. Each level of `finer` halves the cells.
 * *finest: there is no finer grid. Loads and edges are 0 afterwards. */
clump_status clump_pieces_grid_make(clump_work *work, clump_pieces_plan *plan, const clump_cloud_job *job, size_t most,
                                    size_t most_cells, int finer, bool *finest);

/* Cuts the cells into tiles whose own and rim points are at most `most` together. Returns false where a cell alone has
 * more; then *fullest is its number of points, with the rim. */
bool clump_pieces_cut(clump_pieces_plan *plan, uint64_t most, uint64_t *fullest);

/* Writes the ranks of the cells whose points may be in the rim of a tile, each once, and returns how many. There is room
 * for one per cell. */
size_t clump_pieces_around(clump_pieces_plan *plan, uint32_t tile, uint32_t *ranks);

/* --- pieces_map.c: joins the clusters of tiles that have a point in common: makes the map of rules/pieces.h */

/* The links of a run of rim points are mostly equal: this many recent ones are remembered. */
#define CLUMP_PIECES_RECENT 256

/* A map that is being made. Zeroed is valid. */
typedef struct clump_pieces_links {
    clump_pieces_map map;
    clump_buffer memory; /* of the slots */
    size_t entries;
    uint64_t recent[CLUMP_PIECES_RECENT];
} clump_pieces_links;

/* Empties the map. */
void clump_pieces_links_begin(clump_work *work, clump_pieces_links *links);

/* Links rim points: here[k] is the id by clump_pieces_link(), home[k] the entry of the point in its own tile, maybe with
 * CLUMP_PIECES_CORE. */
clump_status clump_pieces_links_add(clump_work *work, clump_pieces_links *links, const uint32_t *here,
                                    const uint32_t *home, size_t count);

/* Completes the map: every entry has the smallest id that it is joined with. */
void clump_pieces_links_end(clump_pieces_links *links);

#endif
