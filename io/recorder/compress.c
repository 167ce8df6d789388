/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compress.c: the libraries of compression behind one call.
 */
#include "recorder/recorder.h"

#include "common/assert.h"

#ifdef CLUMP_IO_LZ4
#include <lz4frame.h>
#endif
#ifdef CLUMP_IO_ZSTD
#include <zstd.h>
#endif
#ifdef CLUMP_IO_BZ2
#include <bzlib.h>
#endif

bool clump_io_packer_has(clump_compression compression)
{
    switch (compression) {
#ifdef CLUMP_IO_LZ4
    case CLUMP_COMPRESSION_LZ4:
#endif
#ifdef CLUMP_IO_ZSTD
    case CLUMP_COMPRESSION_ZSTD:
#endif
#ifdef CLUMP_IO_BZ2
    case CLUMP_COMPRESSION_BZ2:
#endif
    case CLUMP_COMPRESSION_NONE:
        return true;
    default:
        return false;
    }
}

const char *clump_io_compression_name(clump_compression compression)
{
    static const char *const names[] = {"none", "lz4", "zstd", "bz2"};
    return (unsigned)compression < sizeof names / sizeof *names ? names[compression] : NULL;
}

/* Each returns the size of the compressed bytes in `to`, which has room for its bound; 0: failed. */

#ifdef CLUMP_IO_LZ4
/* Blocks are independent of each other, and neither blocks nor the frame name their size: ROS 1 reads no other frames.
 * */
static const LZ4F_preferences_t lz4_preferences = {.frameInfo = {.blockSizeID = LZ4F_max1MB,
                                                                 .blockMode = LZ4F_blockIndependent,
                                                                 .contentChecksumFlag = LZ4F_contentChecksumEnabled},
                                                   .autoFlush = 1};

static size_t lz4_bound(size_t size)
{
    return LZ4F_compressFrameBound(size, &lz4_preferences);
}

static size_t lz4_pack(clump_io_packer *packer, unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    LZ4F_cctx *state = packer->lz4;
    if (!state && LZ4F_isError(LZ4F_createCompressionContext(&state, LZ4F_VERSION))) return 0;
    packer->lz4 = state;
    const size_t head = LZ4F_compressBegin(state, to, room, &lz4_preferences);
    if (LZ4F_isError(head)) return 0;
    const size_t body = LZ4F_compressUpdate(state, to + head, room - head, from, size, NULL);
    if (LZ4F_isError(body)) return 0;
    const size_t end = LZ4F_compressEnd(state, to + head + body, room - head - body, NULL);
    return LZ4F_isError(end) ? 0 : head + body + end;
}
#endif

#ifdef CLUMP_IO_ZSTD
static size_t zstd_pack(clump_io_packer *packer, unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    enum { FASTEST = 1 }; /* level: recordings are written as fast as frames arrive */
    if (!packer->zstd) packer->zstd = ZSTD_createCCtx();
    if (!packer->zstd) return 0;
    const size_t packed = ZSTD_compressCCtx(packer->zstd, to, room, from, size, FASTEST);
    return ZSTD_isError(packed) ? 0 : packed;
}
#endif

#ifdef CLUMP_IO_BZ2
static size_t bz2_bound(size_t size)
{
    return size + size / 100 + 600; /* the library's documentation says so */
}

static size_t bz2_pack(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    enum { LARGEST_BLOCK = 9 };
    if (size > UINT32_MAX || room > UINT32_MAX) return 0;
    unsigned packed = (unsigned)room;
    const int failed =
        BZ2_bzBuffToBuffCompress((char *)to, &packed, (char *)(uintptr_t)from, (unsigned)size, LARGEST_BLOCK, 0, 0);
    return failed == BZ_OK ? packed : 0;
}
#endif

static size_t bound(clump_compression compression, size_t size)
{
#ifdef CLUMP_IO_LZ4
    if (compression == CLUMP_COMPRESSION_LZ4) return lz4_bound(size);
#endif
#ifdef CLUMP_IO_ZSTD
    if (compression == CLUMP_COMPRESSION_ZSTD) return ZSTD_compressBound(size);
#endif
#ifdef CLUMP_IO_BZ2
    if (compression == CLUMP_COMPRESSION_BZ2) return bz2_bound(size);
#endif
    (void)compression;
    return size;
}

static size_t pack(clump_io_packer *packer, clump_compression compression, size_t room, const unsigned char *from,
                   size_t size)
{
    unsigned char *const to = packer->packed.data;
#ifdef CLUMP_IO_LZ4
    if (compression == CLUMP_COMPRESSION_LZ4) return lz4_pack(packer, to, room, from, size);
#endif
#ifdef CLUMP_IO_ZSTD
    if (compression == CLUMP_COMPRESSION_ZSTD) return zstd_pack(packer, to, room, from, size);
#endif
#ifdef CLUMP_IO_BZ2
    if (compression == CLUMP_COMPRESSION_BZ2) return bz2_pack(to, room, from, size);
#endif
    (void)to, (void)compression, (void)room, (void)from, (void)size;
    return 0;
}

clump_status clump_io_pack(const clump_io_where *where, clump_io_packer *packer, clump_compression compression,
                           const unsigned char *from, size_t size, const unsigned char **to, size_t *to_size)
{
    *to = from;
    *to_size = size;
    if (compression == CLUMP_COMPRESSION_NONE) return CLUMP_OK;
    CLUMP_ASSERT(clump_io_packer_has(compression));
    const size_t room = bound(compression, size);
    packer->packed.size = 0;
    if (!clump_io_encoder_reserve(&packer->packed, room)) return clump_io_no_memory(where, room);
    *to = packer->packed.data;
    *to_size = pack(packer, compression, room, from, size);
    CLUMP_ASSERT(*to_size <= room && room <= packer->packed.capacity);
    if (*to_size) return CLUMP_OK;
    /* The room suffices for any content. What remains is the memory of the library. */
    return clump_io_fail(where, CLUMP_ERR_OUT_OF_MEMORY, "no memory for the compression %s",
                         clump_io_compression_name(compression));
}

void clump_io_packer_release(clump_io_packer *packer)
{
#ifdef CLUMP_IO_LZ4
    LZ4F_freeCompressionContext(packer->lz4);
#endif
#ifdef CLUMP_IO_ZSTD
    ZSTD_freeCCtx(packer->zstd);
#endif
    clump_io_encoder_release(&packer->packed);
    *packer = (clump_io_packer){0};
}
