/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_sink.h: writes a LAZ file from what an uncompressed LAS file would be.
 *
 *     LAS   header | VLRs                     | gap |    records                          | tail
 *     LAZ   header | VLRs | "laszip encoded"  | gap | u64 byte of the table | chunks | chunk table | tail
 *
 *     clump_io_laz_sink *laz;
 *     status = clump_io_laz_sink_open(&where, sink, head, size, threads, &laz);
 *     while (...) status = clump_io_laz_sink_add(laz, records, count);
 *     status = clump_io_laz_sink_close(laz, head, tail, tail_size);
 *
 * Memory is constant where the output is a regular file. Else the compressed points are kept in memory until close, since
 * the header tells how many bytes they have. Failures of writing stay with the sink, as usual.
 */
#ifndef CLUMP_IO_LAZ_SINK_H
#define CLUMP_IO_LAZ_SINK_H

#include "format.h"
#include "laz/codec.h"

typedef struct clump_io_laz_sink clump_io_laz_sink;

/* Begins the file; the sink is new. head: all that a LAS file has in front of its points, without VLRs of a compression. A
 * point format without a codec is refused, and so are records with too many extra bytes. threads: 0: one per processor.
 * *out is null on failure. */
clump_status clump_io_laz_sink_open(const clump_io_where *where, clump_io_sink *sink, const unsigned char *head,
                                    size_t size, int threads, clump_io_laz_sink **out);

/* Appends records. */
clump_status clump_io_laz_sink_add(clump_io_laz_sink *laz, const unsigned char *records, size_t count);

/* Completes the file and frees laz. head: the LAS header as it is now known, of the same size as that of open; null: as it
 * was. tail: what follows the points. The offsets of EVLRs and waveforms in the header are those of the LAS file, and are
 * moved. */
clump_status clump_io_laz_sink_close(clump_io_laz_sink *laz, const unsigned char *head, const unsigned char *tail,
                                     size_t tail_size);

/* Frees laz; the file is not complete. Null is fine. */
void clump_io_laz_sink_abandon(clump_io_laz_sink *laz);

/* Whether LAZ files can hold points of this format and size; else a sentence that says why not. */
clump_status clump_io_laz_can_hold(const clump_io_where *where, unsigned format, size_t record);

/* --- laz_pack.c: compresses records to chunks on several threads, and hands the chunks over in order  */

#define CLUMP_IO_LAZ_CHUNK_POINTS 50000 /* points of a chunk but the last; the size that LASzip chooses */

/* Called with each chunk, in order, on the thread of the caller. */
typedef void (*clump_io_laz_packed)(void *user, const unsigned char *chunk, size_t size);

typedef struct clump_io_laz_packing clump_io_laz_packing;

/* threads: 0: one per processor. The caller's thread works too, while it waits. Null: no memory. */
clump_io_laz_packing *clump_io_laz_packing_open(const clump_io_laz_layout *layout, int threads,
                                                clump_io_laz_packed packed, void *user);

/* Appends records, which are copied. False: no memory; no further records can be added. */
bool clump_io_laz_packing_add(clump_io_laz_packing *packing, const unsigned char *records, size_t count);

/* Compresses what is left, as the last chunk, and frees everything. keep false: only frees. False: no memory. */
bool clump_io_laz_packing_close(clump_io_laz_packing *packing, bool keep); /* null is fine */

#endif
