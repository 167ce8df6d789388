/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz.h: the chunks of a LAZ file, and their points.
 *
 *     clump_io_laz *laz;
 *     status = clump_io_laz_open(source, record, &laz);
 *     for (size_t c = 0; c < laz->chunk_count; c++) {                   in any order, by any number of threads
 *         const clump_io_laz_chunk *chunk = &laz->chunks[c];
 *         status = clump_io_laz_decode_chunk(laz, c, source->bytes + chunk->at, memory, CLUMP_IO_LAZ_ALL, records, &where);
 *     }
 *     clump_io_laz_close(laz);
 *
 * Point formats 0 to 3 and 6 to 8, with or without extra bytes; not the old LASzip 1, not waveforms.
 */
#ifndef CLUMP_IO_LAZ_H
#define CLUMP_IO_LAZ_H

#include "format.h"
#include "laz/codec.h"

typedef struct clump_io_laz_chunk {
    uint64_t first; /* index of its first point */
    size_t count;   /* points, at least 1 */
    size_t at;      /* where its bytes begin in the file */
    size_t size;    /* bytes that its points can take, at most; what follows them does not matter */
} clump_io_laz_chunk;

typedef struct clump_io_laz {
    clump_io_laz_layout layout;
    const clump_io_laz_codec *codec;
    uint64_t count; /* points of the file */
    size_t chunk_count;
    size_t largest; /* points of the largest chunk */
    size_t longest; /* bytes of the longest chunk */
    clump_io_laz_chunk *chunks;
} clump_io_laz;

/* Reads and checks what surrounds the chunks. record is the size of a point in bytes, from the LAS header. Reads only
 * the bytes before the first chunk and from the chunk table on, and keeps none of them. Memory and time depend on the
 * size of the file, not on the counts it claims. *out is null on failure. */
clump_status clump_io_laz_open(const clump_io_source *source, size_t record, clump_io_laz **out);
void clump_io_laz_close(clump_io_laz *laz); /* null is fine */

/* Bytes of the memory that a thread needs for clump_io_laz_decode_chunk(); from malloc, with any content. */
static inline size_t clump_io_laz_memory(const clump_io_laz *laz)
{
    return laz->codec->memory(&laz->layout);
}

/* Decodes chunk c to LAS records: chunks[c].count x layout.record bytes. bytes are the chunk's. wanted:
 * CLUMP_IO_LAZ_ALL, or the parts that are needed besides the coordinates. Several threads may call it, each with
 * memory and a message of its own. */
clump_status clump_io_laz_decode_chunk(const clump_io_laz *laz, size_t c, const unsigned char *bytes, void *memory,
                                       unsigned wanted, unsigned char *records, const clump_io_where *where);

/* Called with the records of a chunk, on the thread with this number. */
typedef void (*clump_io_laz_take)(void *user, size_t thread, const unsigned char *records, uint64_t first,
                                  size_t count);

/* Returns how many threads are worth starting: `wanted`, or as many as there are processors (0); not more than chunks. */
size_t clump_io_laz_threads(const clump_io_laz *laz, int wanted);

/* Decodes all chunks on several threads and passes them to `take`, in no particular order. The calling thread is
 * number 0, works too, and reports the progress. Fails with the first failure in the order of the points. Chunks that are
 * not in memory are read from the file, so that memory does not grow with it. */
clump_status clump_io_laz_each_chunk(const clump_io_laz *laz, const clump_io_source *source, size_t threads,
                                     clump_io_laz_take take, void *user);

/* --- laz_frame.c: what surrounds the compressed points of a LAZ file -------------------------------- */

typedef struct clump_io_laz_frame {
    const clump_io_source *source;
    clump_io_laz_layout layout;
    uint64_t count;      /* of points */
    size_t points;       /* where they begin: 8 bytes, then the chunks */
    size_t table;        /* where the chunk table begins */
    uint32_t chunks;     /* in the table */
    uint32_t chunk_size; /* points, or CLUMP_IO_LAZ_VARIABLE */
} clump_io_laz_frame;

/* Reads and checks the frame; source and layout.record are set by the caller. Without points, reads only the header. */
clump_status clump_io_laz_frame_read(clump_io_laz_frame *frame);

#endif
