/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decompress.h: chunks of bags and of MCAP: bz2, lz4 (frame format) and zstd. One file per build decides which there are.
 */
#ifndef CLUMP_IO_RECORDINGS_DECOMPRESS_H
#define CLUMP_IO_RECORDINGS_DECOMPRESS_H

#include "containers/container.h"

typedef enum clump_io_packing {
    CLUMP_IO_PACKING_NONE = 0,
    CLUMP_IO_PACKING_BZ2,
    CLUMP_IO_PACKING_LZ4,
    CLUMP_IO_PACKING_ZSTD,
    CLUMP_IO_PACKING_UNKNOWN
} clump_io_packing;

clump_io_packing clump_io_packing_of(const void *name, size_t size); /* "", "none", "bz2", "lz4", "zstd" */

/* Keeps the state of the decoders, so that a chunk allocates nothing once warm (libbz2 allocates per chunk: it has no other
 * way). A zeroed one is empty and has no bound. */
typedef struct clump_io_unpacker {
    void *lz4, *zstd;
    uint64_t spent, most; /* bytes that came out since the last seek, and their bound; 0: none */
} clump_io_unpacker;
void clump_io_unpacker_release(clump_io_unpacker *unpacker);

/* One pass through a file of `size` bytes decompresses at most CLUMP_IO_UNPACK_RATIO times its size, and 128 MiB. So its
 * time is linear in the size of the file. Small chunks pass the test of one chunk (CLUMP_IO_MAX_CHUNK), yet bz2 makes
 * 1.2 GB out of 47 kB of them. Chunks of LiDAR data have ratios below 10. */
#define CLUMP_IO_UNPACK_RATIO 256
#define CLUMP_IO_UNPACK_LEAST ((uint64_t)128 << 20)
static inline void clump_io_unpacker_bound(clump_io_unpacker *unpacker, uint64_t size)
{
    unpacker->spent = 0;
    unpacker->most = size < UINT64_MAX / (2 * CLUMP_IO_UNPACK_RATIO) ? CLUMP_IO_UNPACK_RATIO * size : UINT64_MAX / 2;
    unpacker->most += CLUMP_IO_UNPACK_LEAST;
}

/* Why a chunk is left out beyond the bound. The sentence takes the place of the first loss: that the rest is not read is
 * what a user has to know. */
#define CLUMP_IO_TOO_MUCH "more than 128 MiB + 256 x the file are decompressed, the rest is not read"

void clump_io_forget_first(clump_io_losses *losses); /* before the sentence is written; once is enough */

typedef enum clump_io_unpacked {
    CLUMP_IO_UNPACKED,           /* all of it */
    CLUMP_IO_UNPACKED_PART,      /* damaged or cut: to->size bytes are good */
    CLUMP_IO_UNPACKED_NOT_BUILT, /* this build has no decoder for it */
    CLUMP_IO_UNPACKED_TOO_MUCH,  /* the bound of the unpacker is reached: nothing came out */
    CLUMP_IO_UNPACKED_NO_MEMORY
} clump_io_unpacked;

/* Decompresses into *to, whose memory is used again. announced is the size that the file claims; to->capacity grows with
 * what comes out, never ahead of it by more than a factor of two and 64 KiB. More than announced is damage. After the first
 * chunk beyond the bound, none is decompressed. */
clump_io_unpacked clump_io_unpack(clump_io_unpacker *unpacker, clump_io_packing packing, const unsigned char *bytes,
                                  size_t size, size_t announced, clump_io_bytes *to);

/* Reads the decompressed size that compressed bytes announce themselves. False: they do not, or are no zstd. Nothing is
 * known yet about its truth. */
bool clump_io_unpacked_size(clump_io_packing packing, const unsigned char *bytes, size_t size, size_t *announced);

/* --- packed.c: what rosbag2 compresses: files and messages ------------------------------------------------- */

bool clump_io_is_packed(const unsigned char *bytes, size_t size); /* whether a file begins as zstd does */

/* Decompresses the first bytes of a packed file, at most `room`. *size: how many came out; 0 without a decoder. */
clump_status clump_io_packed_begin(const clump_io_blob *blob, unsigned char *begin, size_t room, size_t *size);

/* Decompresses a packed file, of which there may be 1 GiB. A file that is cut is read as far as it goes. The unpacker has
 * no bound yet. */
clump_status clump_io_unpack_file(const clump_io_blob *blob, clump_io_unpacker *unpacker, clump_io_losses *losses,
                                  clump_io_bytes *image);

/* Decompresses a message that is compressed into *plain; leaves others. *good false: it is damaged. */
clump_status clump_io_unpack_message(const clump_io_blob *blob, clump_io_unpacker *unpacker, clump_io_coding coding,
                                     clump_io_bytes *plain, clump_io_message *message, bool *good);

#endif
