/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_pack.h: compresses records to chunks on several threads, and hands the chunks over in order.
 */
#ifndef CLUMP_IO_LAZ_PACK_H
#define CLUMP_IO_LAZ_PACK_H

#include "laz/codec.h"

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
