/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decompress.h: chunks of bags and of MCAP: bz2, lz4 (frame format) and zstd. One file per build decides which there are.
 */
#ifndef CLUMP_IO_RECORDINGS_DECOMPRESS_H
#define CLUMP_IO_RECORDINGS_DECOMPRESS_H

#include "recordings/container.h"

typedef enum clump_io_packing {
    CLUMP_IO_PACKING_NONE = 0,
    CLUMP_IO_PACKING_BZ2,
    CLUMP_IO_PACKING_LZ4,
    CLUMP_IO_PACKING_ZSTD,
    CLUMP_IO_PACKING_UNKNOWN
} clump_io_packing;

clump_io_packing clump_io_packing_of(const void *name, size_t size); /* "", "none", "bz2", "lz4", "zstd" */

/* Keeps the state of the decoders, so that a chunk allocates nothing once warm (libbz2 allocates per chunk: it has no other
 * way). A zeroed one is empty. */
typedef struct clump_io_unpacker {
    void *lz4, *zstd;
} clump_io_unpacker;
void clump_io_unpacker_release(clump_io_unpacker *unpacker);

typedef enum clump_io_unpacked {
    CLUMP_IO_UNPACKED,           /* all of it */
    CLUMP_IO_UNPACKED_PART,      /* damaged or cut: to->size bytes are good */
    CLUMP_IO_UNPACKED_NOT_BUILT, /* this build has no decoder for it */
    CLUMP_IO_UNPACKED_NO_MEMORY
} clump_io_unpacked;

/* Decompresses into *to, whose memory is used again. announced is the size that the file claims; to->capacity grows with
 * what comes out, never ahead of it by more than a factor of two and 64 KiB. More than announced is damage. */
clump_io_unpacked clump_io_unpack(clump_io_unpacker *unpacker, clump_io_packing packing, const unsigned char *bytes,
                                  size_t size, size_t announced, clump_io_bytes *to);

/* Reads the decompressed size that compressed bytes announce themselves. False: they do not, or are no zstd. Nothing is
 * known yet about its truth. */
bool clump_io_unpacked_size(clump_io_packing packing, const unsigned char *bytes, size_t size, size_t *announced);

#endif
