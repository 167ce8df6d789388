/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink.h: collects points per tile and appends them to the log in segments. One sink per thread.
 */
#ifndef CLUMP_BIG_SINK_H
#define CLUMP_BIG_SINK_H

#include "store/log.h"
#include "tiles/map.h"

typedef struct clump_big_sink {
    clump_big_log *log;
    uint32_t first_tile; /* number of the map's tile 0 in the log */
    uint32_t tiles;
    uint32_t capacity, run_capacity; /* points and runs per tile */
    size_t stride;                   /* bytes per tile */
    struct clump_big_sunk *sunk;     /* per tile: what is collected */
    unsigned char *memory;
    uint32_t *tile_of; /* scratch: per point of a block */
    uint32_t *outer;   /* scratch: points that may be in rims */
} clump_big_sink;

/* Makes a sink with buffers of about `bytes` in all. */
clump_status clump_big_sink_open(clump_big_log *log, uint32_t first_tile, uint32_t tiles, size_t bytes,
                                 clump_big_sink *out, clump_message *message);
void clump_big_sink_close(clump_big_sink *sink);

/* Appends consecutive points of one block to a tile. kind: 0, or CLUMP_BIG_RIM. `places` is null in a log without them. */
clump_status clump_big_sink_add(clump_big_sink *sink, uint32_t tile, uint32_t block, uint32_t kind,
                                const unsigned char *stored, const uint16_t *places, size_t count,
                                clump_message *message);

/* Puts own points of one input block, at most 65536 of them, into their tiles and into rims. */
clump_status clump_big_sink_own(clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                                uint32_t block, const void *stored, const uint16_t *places, size_t count,
                                clump_message *message);

/* Puts points that belong to none of the map's tiles into the rims of those that are near. */
clump_status clump_big_sink_rim(clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                                uint32_t block, const void *stored, const uint16_t *places, size_t count,
                                clump_message *message);

/* Appends everything that is left. */
clump_status clump_big_sink_flush(clump_big_sink *sink, clump_message *message);

#endif
