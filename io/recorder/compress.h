/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compress.h: compresses the chunks of a recording: lz4 (frame format), zstd, bz2.
 */
#ifndef CLUMP_IO_RECORDER_COMPRESS_H
#define CLUMP_IO_RECORDER_COMPRESS_H

#include "messages/encode.h"

/* State of the compressors and memory for a chunk, used again. libbz2 allocates per chunk: it has no other way. A
 * zeroed packer is empty. */
typedef struct clump_io_packer {
    void *lz4, *zstd;
    clump_io_encoder packed;
} clump_io_packer;

/* Whether this build has the library. */
bool clump_io_packer_has(clump_compression compression);
const char *clump_io_compression_name(clump_compression compression); /* "none"; null: there is no such compression */

/* Compresses. *to is valid until the next call; without compression it is `from`. */
clump_status clump_io_pack(const clump_io_where *where, clump_io_packer *packer, clump_compression compression,
                           const unsigned char *from, size_t size, const unsigned char **to, size_t *to_size);
void clump_io_packer_release(clump_io_packer *packer);

#endif
