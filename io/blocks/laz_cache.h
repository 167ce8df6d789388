/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_cache.h: decoded chunks of LAZ files, which the threads of a reader share. A block of 65,536 points ends in the middle
 * of a chunk; the thread that reads the next block finds the chunk here.
 */
#ifndef CLUMP_IO_LAZ_CACHE_H
#define CLUMP_IO_LAZ_CACHE_H

#include "blocks/blocks.h"
#include "las/laz.h"

/* A point of a decoded chunk: coordinates and classes. */
typedef struct clump_io_laz_point {
    int32_t steps[3];
    uint16_t id; /* by options.class_fields */
    uint8_t class;
} clump_io_laz_point;

typedef struct clump_io_laz_slot {
    const clump_io_block_file *file; /* null: the slot is empty */
    size_t chunk;
    clump_io_laz_point *points; /* null: a thread is decoding the chunk */
    unsigned users;             /* threads that decode, wait or copy */
    size_t served;              /* points that have been copied */
    uint64_t last_used;
} clump_io_laz_slot;

/* Opens the chunks of a LAZ file for reading in blocks. */
clump_status clump_io_block_open_laz(const clump_io_where *where, size_t record, clump_io_block_file *file);

/* Returns the chunk of a point of the file. */
size_t clump_io_laz_chunk_of(const clump_io_laz *laz, uint64_t point);

/* Decodes chunk c into m->records. wanted: as in clump_io_laz_decode_chunk(). */
clump_status clump_io_laz_decode(const clump_io_block_file *file, size_t c, const clump_io_source *source,
                                 unsigned wanted, clump_io_block_memory *m);

/* Makes memory of at least `size` bytes, without its contents. */
clump_status clump_io_block_make_room(const clump_io_where *where, unsigned char **memory, size_t *room, size_t size);

/* Gives the decoded chunk c of the file, until it is given back. source reads the file. Bytes and records are decoded in
 * `memory`. */
clump_status clump_io_laz_cache_take(clump_reader *reader, const clump_io_block_file *file, size_t c,
                                     const clump_io_source *source, clump_io_block_memory *memory,
                                     clump_io_laz_slot **slot);
void clump_io_laz_cache_give_back(clump_reader *reader, clump_io_laz_slot *slot, size_t served);

void clump_io_laz_cache_free(clump_reader *reader);

#endif
