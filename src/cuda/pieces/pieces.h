/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces.h: `fast` of Euclidean clustering and DBSCAN on clouds in host memory that do not fit into the memory of the GPU.
 * rules/pieces.h has the terms and the proof, joint/pieces_plan.h the plan. Four steps:
 *
 *     group    chunk by chunk: points to the GPU, grouped there by the cells of the plan, back to pinned memory  pieces_group.cu
 *     tiles    tile by tile: own points and rim to the GPU, clustered by `fast`; the id of each point comes back  pieces_tiles.cu
 *     merge    on the host: ids of clusters that have points in common                                       joint/pieces_plan.h
 *     label    chunk by chunk: ids become labels, in the order of the input                                  pieces_label.cu
 *
 * Two lanes, each a stream with half of the memory, take turns with tiles: the copies of one overlap with the kernels of the
 * other, and the kernels of one tile run at a time. Chunks are in four slots, each a stream with half of the memory of a lane: a copy up, a copy down and kernels
 * run at the same time.
 * A chunk occupies the same entries in the groups as in the input. So labels can replace ids in place:
 *
 *     input     | chunk 0              | chunk 1              | ...
 *     groups    | cell 0 | cell 1 | ...| cell 0 | cell 1 | ...| ...     points, indices, ids
 */
#ifndef CLUMP_CUDA_PIECES_PIECES_H
#define CLUMP_CUDA_PIECES_PIECES_H

#include "cuda/fast/ec_fast.h"
#include "rules/pieces.h"

extern "C" {
#include "joint/pieces_plan.h"
}

/* The job of a cloud in pieces, of clump_ec or clump_dbscan. */
typedef struct clump_pieces_job {
    const clump_cloud_job *in;
    size_t min_points; /* 0: Euclidean clustering */
    bool border_points;
    uint8_t *core; /* may be null */
} clump_pieces_job;

/* How the memory is used. */
typedef struct clump_pieces_sizes {
    size_t most;       /* points of a tile with its rim */
    size_t chunk;      /* points that are grouped at a time, */
    size_t chunk_most; /* and how many there is room for */
    size_t chunks;
    size_t count; /* points of the largest cloud that these sizes are for */
    bool density; /* DBSCAN */
    size_t cells; /* of the grid, at most */
    size_t arena; /* bytes per lane */
    size_t pairs; /* of a tile, at first */
} clump_pieces_sizes;

/* A stream with memory of its own. A lane with a number of CLUMP_PIECES_LANES or more is only a slot for chunks. */
typedef struct clump_pieces_lane {
    cudaStream_t stream;
    cudaEvent_t staged;   /* the copy from `staging` is done */
    cudaEvent_t computed; /* the kernels of the tile are done */
    clump_device_buffer arena;
    clump_cuda_fast fast;      /* its arena is the end of `arena` while tiles run */
    clump_device_buffer pairs; /* their number, and pairs of a point and a cluster */
    clump_pinned_buffer staging;
    clump_pinned_buffer rim; /* number of pairs, and ids of rim points */
    clump_buffer before;     /* of the tile: own points before those of each chunk */
    bool busy;
    uint32_t tile;
    size_t own, rims, early; /* own points, rim points; those of earlier tiles come first in the rim */
} clump_pieces_lane;

enum { CLUMP_PIECES_LANES = 2, CLUMP_PIECES_SLOTS = 4 };

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_pieces {
    clump_pieces_lane lanes[CLUMP_PIECES_SLOTS];
    clump_device_buffer marks, numbers; /* a bit per point, and sums (gpu/marks.cuh) */
    clump_device_buffer table, figures;
    clump_pinned_buffer points, indices, ids; /* grouped; ids only where the caller's labels are not pinned */
    clump_pinned_buffer starts;               /* keys + 1 per chunk */
    clump_buffer around, rims, choices;
    clump_pieces_plan plan;
    clump_pieces_links links;
    clump_pieces_sizes sizes;

    /* of the running call */
    uint32_t *ids_at; /* the caller's labels or `ids` */
    size_t keys;      /* 2 per cell */
    size_t rim_count; /* ids that are kept in `rims` so far */
    size_t choice_count;
    double merge_ms; /* host time after the last tile */
} clump_cuda_pieces;

void clump_cuda_pieces_trim(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p);
void clump_cuda_pieces_close(clump_cuda_pieces *p);

/* Returns the bytes of GPU memory that are held. */
size_t clump_cuda_pieces_held(const clump_cuda_pieces *p);

/* Reserves the memory for clouds of up to max_points, with the GPU memory that there is. */
clump_status clump_cuda_pieces_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, size_t max_points);

/* Runs a job; waits for it. */
clump_status clump_cuda_pieces_run(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p,
                                   const clump_pieces_job *job, clump_stats *stats);

#endif
