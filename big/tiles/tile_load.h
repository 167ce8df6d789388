/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_load.h: the points of one tile, from the segments of the log to what clump_piece_cluster() takes.
 */
#ifndef CLUMP_BIG_TILE_LOAD_H
#define CLUMP_BIG_TILE_LOAD_H

#include "job.h"

/* Memory of one thread. Set to zero before the first use. */
typedef struct clump_big_loaded {
    size_t own, count; /* own points first, ascending by index, then the rim */
    float *xyz;
    int64_t *indices;
    uint8_t *strip;        /* one per own point: it may be in the rim of another tile */
    int32_t *labels;       /* room for one per own point */
    unsigned char *memory; /* of all arrays */
    size_t memory_size;
    unsigned char *segment; /* one segment at a time */
    size_t segment_size;
} clump_big_loaded;

/* Loads a tile. `frame` is that of the job, or the same with another kind: it tells which floats the points become. */
clump_status clump_big_tile_load(const clump_big_job *job, const clump_big_frame *frame, uint32_t number,
                                 clump_big_loaded *out, clump_message *message);
void clump_big_tile_unload(clump_big_loaded *loaded);

#endif
