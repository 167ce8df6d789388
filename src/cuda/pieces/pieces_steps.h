/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_steps.h: the steps of pieces.h, for pieces.cu.
 */
#ifndef CLUMP_CUDA_PIECES_PIECES_STEPS_H
#define CLUMP_CUDA_PIECES_PIECES_STEPS_H

#include "cuda/pieces/pieces.h"

enum { PIECES_GROUP_BYTES = 12 + 1 + 4 + 12 + 4 }; /* per point of a chunk: point, mask, key; grouped: point, index */

/* Counted by the GPU. */
typedef struct pieces_figures {
    unsigned long long not_finite, masked, labelled;
    uint32_t clusters;
    clump_counts counts[CLUMP_PIECES_LANES]; /* of the tiles that run */
} pieces_figures;

/* Puts a lane's stream in place of the context's while it exists. */
struct pieces_on_lane {
    clump_cuda *cuda;
    cudaStream_t before;
    pieces_on_lane(clump_cuda *c, const clump_pieces_lane *lane) : cuda(c), before(c->stream)
    {
        c->stream = lane->stream;
    }
    ~pieces_on_lane()
    {
        cuda->stream = before;
    }
};

static inline size_t pieces_chunk_count(const clump_cuda_pieces *p, size_t count, size_t chunk)
{
    const size_t left = count - chunk * p->sizes.chunk;
    return left < p->sizes.chunk ? left : p->sizes.chunk;
}

/* Returns the bytes of a slot, and where its memory is: the lower or the upper half of a lane's. */
static inline size_t pieces_slot_bytes(const clump_pieces_sizes *s)
{
    return s->arena / 512 * 256;
}

static inline char *pieces_slot_memory(const clump_cuda_pieces *p, size_t slot)
{
    return (char *)p->lanes[slot % CLUMP_PIECES_LANES].arena.data +
           slot / CLUMP_PIECES_LANES * pieces_slot_bytes(&p->sizes);
}

/* Returns where the keys of a chunk start: keys + 1 entries, the last for the points that are left out. */
static inline uint32_t *pieces_starts(const clump_cuda_pieces *p, size_t chunk)
{
    return (uint32_t *)p->starts.data + chunk * (p->keys + 1);
}

/* Returns the bytes of a lane that the grid takes while points are grouped. */
size_t pieces_group_fixed(size_t cells);

/* Groups all points, with the grid of the plan, and counts loads and edges of its cells. Waits. */
clump_status pieces_group(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job);

/* Returns the bytes of an arena for tiles of up to n points, without those of `fast`. */
size_t pieces_tile_bytes(size_t n);

/* Clusters all tiles; ids, links and choices are there afterwards. Waits. */
clump_status pieces_tiles(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job);

/* Labels all points. Waits. */
clump_status pieces_label(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job);

#endif
