/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decompress.c: chunks of bags and of MCAP: bz2, lz4 (frame format) and zstd, by the libraries of the system.
 *
 * No size that a file claims is allocated before data of about that size has come out. The memory grows step by
 * step. zstd alone keeps a second copy meanwhile, its window. Once the memory is large enough, zstd writes into it
 * directly, without a window, and only a damaged chunk goes through the steps again: they give the bytes before the
 * damage.
 */
#include "containers/decompress.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

#ifdef CLUMP_IO_BZ2
#include <bzlib.h>
#endif
#ifdef CLUMP_IO_LZ4
#include <lz4frame.h>
#endif
#ifdef CLUMP_IO_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum {
    DECOMPRESS_FIRST = 65536,     /* bytes of memory before anything has come out */
    DECOMPRESS_WINDOW_LOG = 27,   /* zstd: the largest window of its levels, 128 MiB. Most chunks have 2 MiB */
    DECOMPRESS_ZSTD_BEGIN = 5,    /* bytes of the shortest frame header */
    DECOMPRESS_BZ2_STEP = 1 << 30 /* libbz2 counts in unsigned int */
};

clump_io_packing clump_io_packing_of(const void *name, size_t size)
{
    static const struct {
        const char *name;
        clump_io_packing packing;
    } known[] = {{"", CLUMP_IO_PACKING_NONE},
                 {"none", CLUMP_IO_PACKING_NONE},
                 {"bz2", CLUMP_IO_PACKING_BZ2},
                 {"lz4", CLUMP_IO_PACKING_LZ4},
                 {"zstd", CLUMP_IO_PACKING_ZSTD}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == size && (size == 0 || memcmp(known[i].name, name, size) == 0))
            return known[i].packing;
    return CLUMP_IO_PACKING_UNKNOWN;
}

void clump_io_unpacker_release(clump_io_unpacker *unpacker)
{
#ifdef CLUMP_IO_LZ4
    if (unpacker->lz4) LZ4F_freeDecompressionContext(unpacker->lz4);
#endif
#ifdef CLUMP_IO_ZSTD
    if (unpacker->zstd) ZSTD_freeDCtx(unpacker->zstd);
#endif
    *unpacker = (clump_io_unpacker){0};
}

#if defined CLUMP_IO_BZ2 || defined CLUMP_IO_LZ4 || defined CLUMP_IO_ZSTD
/* Makes room behind the bytes that have come out, up to the announced size and one byte: that byte shows that more
 * comes out than announced. False: no memory. */
static bool make_room(clump_io_bytes *to, size_t announced)
{
    const size_t enough = announced + 1;
    const size_t step = 2 * to->size + DECOMPRESS_FIRST;
    if (to->capacity >= enough || to->capacity > to->size) return true;
    return clump_io_bytes_reserve(&(clump_io_where){0}, to, step < enough ? step : enough) == CLUMP_OK;
}

/* Returns how much may be written now: never more than one byte beyond the announced size. */
static size_t room_of(const clump_io_bytes *to, size_t announced)
{
    CLUMP_ASSERT(to->size <= to->capacity);
    const size_t end = to->capacity < announced + 1 ? to->capacity : announced + 1;
    return end - to->size;
}

/* The result, once all has come out that can: complete if the stream came to its end with the announced size. */
static clump_io_unpacked finish(clump_io_bytes *to, size_t announced, bool ended)
{
    if (ended && to->size == announced) return CLUMP_IO_UNPACKED;
    if (to->size > announced) to->size = announced;
    return CLUMP_IO_UNPACKED_PART;
}
#endif

#ifdef CLUMP_IO_BZ2
static clump_io_unpacked unpack_bz2(const unsigned char *bytes, size_t size, size_t announced, clump_io_bytes *to)
{
    bz_stream stream = {0};
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) return CLUMP_IO_UNPACKED_NO_MEMORY;
    size_t used = 0;
    int status = BZ_OK;
    bool memory = true;
    while (status == BZ_OK && to->size <= announced) {
        memory = make_room(to, announced);
        if (!memory) break;
        const size_t room = room_of(to, announced), left = size - used;
        const unsigned in = left < DECOMPRESS_BZ2_STEP ? (unsigned)left : DECOMPRESS_BZ2_STEP;
        const unsigned out = room < DECOMPRESS_BZ2_STEP ? (unsigned)room : DECOMPRESS_BZ2_STEP;
        stream.next_in = (char *)(uintptr_t)(bytes + used), stream.avail_in = in;
        stream.next_out = (char *)(to->data + to->size), stream.avail_out = out;
        status = BZ2_bzDecompress(&stream);
        used += in - stream.avail_in;
        to->size += out - stream.avail_out;
        if (in == stream.avail_in && out == stream.avail_out) break; /* cut: nothing comes out, nothing goes in */
    }
    BZ2_bzDecompressEnd(&stream);
    if (!memory || status == BZ_MEM_ERROR) return CLUMP_IO_UNPACKED_NO_MEMORY;
    return finish(to, announced, status == BZ_STREAM_END);
}
#endif

#ifdef CLUMP_IO_LZ4
static clump_io_unpacked unpack_lz4(clump_io_unpacker *unpacker, const unsigned char *bytes, size_t size,
                                    size_t announced, clump_io_bytes *to)
{
    LZ4F_dctx *context = unpacker->lz4;
    if (!context) {
        if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) return CLUMP_IO_UNPACKED_NO_MEMORY;
        unpacker->lz4 = context;
    }
    LZ4F_resetDecompressionContext(context);
    /* Memory that will not move saves the library a copy. */
    const LZ4F_decompressOptions_t options = {.stableDst = to->capacity > announced};
    /* Not more goes in than the library asks for, one block: what comes out before an error in the same call is
     * lost. */
    size_t used = 0, hint = LZ4F_HEADER_SIZE_MIN;
    bool full = false; /* the library may still have bytes to give: nothing goes in */
    while (hint && to->size <= announced) {
        if (!make_room(to, announced)) return CLUMP_IO_UNPACKED_NO_MEMORY;
        const size_t room = room_of(to, announced), left = full ? 0 : size - used;
        size_t out = room, in = hint < left ? hint : left;
        hint = LZ4F_decompress(context, to->data + to->size, &out, bytes + used, &in, &options);
        if (LZ4F_isError(hint)) {
            LZ4F_resetDecompressionContext(context);
            break;
        }
        used += in;
        to->size += out;
        if (in == 0 && out == 0 && !full) break; /* cut */
        full = out == room;
    }
    return finish(to, announced, hint == 0);
}
#endif

#ifdef CLUMP_IO_ZSTD
/* Decompresses step by step, up to the end or to damage. */
static clump_io_unpacked stream_zstd(ZSTD_DCtx *context, const unsigned char *bytes, size_t size, size_t announced,
                                     clump_io_bytes *to)
{
    ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters);
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, DECOMPRESS_WINDOW_LOG);
    /* Not more goes in than the library asks for, one block: what comes out before an error in the same call is
     * lost. */
    ZSTD_inBuffer in = {.src = bytes};
    size_t hint = 0;
    bool full = false; /* the library may still have bytes to give: nothing goes in */
    to->size = 0;
    while (to->size <= announced) {
        if (!make_room(to, announced)) return CLUMP_IO_UNPACKED_NO_MEMORY;
        ZSTD_outBuffer out = {.dst = to->data + to->size, .size = room_of(to, announced)};
        const size_t before = in.pos, step = full ? 0 : hint ? hint : DECOMPRESS_ZSTD_BEGIN;
        in.size = step < size - in.pos ? in.pos + step : size;
        hint = ZSTD_decompressStream(context, &out, &in);
        to->size += out.pos;
        if (ZSTD_isError(hint) || (hint == 0 && in.pos == size)) break;
        if (in.pos == before && out.pos == 0 && !full) break; /* cut */
        full = out.pos == out.size;
    }
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
    return finish(to, announced, hint == 0 && in.pos == size);
}

/* Whether this is a frame that zstd makes without --long: of format 1.0, with a window of 128 MiB at most. */
static bool is_usual_zstd(const unsigned char *bytes, size_t size)
{
    if (size < DECOMPRESS_ZSTD_BEGIN + 1 || memcmp(bytes, "\x28\xb5\x2f\xfd", 4) != 0) return false;
    const unsigned long long most = 1ull << DECOMPRESS_WINDOW_LOG;
    const bool single = bytes[4] & 0x20; /* the window is the whole content */
    const unsigned log = 10u + (bytes[5] >> 3), eighths = bytes[5] & 7u;
    if (single) return ZSTD_getFrameContentSize(bytes, size) <= most;
    return log < DECOMPRESS_WINDOW_LOG || (log == DECOMPRESS_WINDOW_LOG && eighths == 0);
}

static clump_io_unpacked unpack_zstd(clump_io_unpacker *unpacker, const unsigned char *bytes, size_t size,
                                     size_t announced, clump_io_bytes *to)
{
    if (!is_usual_zstd(bytes, size)) return CLUMP_IO_UNPACKED_PART;
    if (!unpacker->zstd) unpacker->zstd = ZSTD_createDCtx();
    if (!unpacker->zstd) return CLUMP_IO_UNPACKED_NO_MEMORY;
    if (to->capacity > announced) {
        to->size = ZSTD_decompressDCtx(unpacker->zstd, to->data, announced + 1, bytes, size);
        if (!ZSTD_isError(to->size)) return finish(to, announced, true);
    }
    const clump_io_unpacked result = stream_zstd(unpacker->zstd, bytes, size, announced, to);
    if (result != CLUMP_IO_UNPACKED) return result;
    /* All of it has come out. The next chunk of this size goes the short way. */
    const clump_status status = clump_io_bytes_reserve(&(clump_io_where){0}, to, announced + 1);
    return status == CLUMP_OK ? CLUMP_IO_UNPACKED : CLUMP_IO_UNPACKED_NO_MEMORY;
}
#endif

static clump_io_unpacked copy_plain(const unsigned char *bytes, size_t size, size_t announced, clump_io_bytes *to)
{
    const size_t good = size < announced ? size : announced;
    if (clump_io_bytes_reserve(&(clump_io_where){0}, to, good + 1) != CLUMP_OK) return CLUMP_IO_UNPACKED_NO_MEMORY;
    if (good) memcpy(to->data, bytes, good);
    to->size = good;
    return size == announced ? CLUMP_IO_UNPACKED : CLUMP_IO_UNPACKED_PART;
}

static clump_io_unpacked unpack_any(clump_io_unpacker *unpacker, clump_io_packing packing, const unsigned char *bytes,
                                    size_t size, size_t announced, clump_io_bytes *to)
{
    (void)unpacker;
    to->size = 0;
    if (announced == SIZE_MAX) announced--; /* one byte more is asked for */
    switch (packing) {
    case CLUMP_IO_PACKING_NONE:
        return copy_plain(bytes, size, announced, to);
#ifdef CLUMP_IO_BZ2
    case CLUMP_IO_PACKING_BZ2:
        return unpack_bz2(bytes, size, announced, to);
#endif
#ifdef CLUMP_IO_LZ4
    case CLUMP_IO_PACKING_LZ4:
        return unpack_lz4(unpacker, bytes, size, announced, to);
#endif
#ifdef CLUMP_IO_ZSTD
    case CLUMP_IO_PACKING_ZSTD:
        return unpack_zstd(unpacker, bytes, size, announced, to);
#endif
    default:
        return CLUMP_IO_UNPACKED_NOT_BUILT;
    }
}

clump_io_unpacked clump_io_unpack(clump_io_unpacker *unpacker, clump_io_packing packing, const unsigned char *bytes,
                                  size_t size, size_t announced, clump_io_bytes *to)
{
    to->size = 0;
    if (unpacker->most && unpacker->spent > unpacker->most) return CLUMP_IO_UNPACKED_TOO_MUCH;
    const clump_io_unpacked result = unpack_any(unpacker, packing, bytes, size, announced, to);
    unpacker->spent += to->size;
    return result;
}

void clump_io_forget_first(clump_io_losses *losses)
{
    if (!strstr(losses->first, CLUMP_IO_TOO_MUCH)) losses->first[0] = 0;
}

bool clump_io_unpacked_size(clump_io_packing packing, const unsigned char *bytes, size_t size, size_t *announced)
{
#ifdef CLUMP_IO_ZSTD
    if (packing == CLUMP_IO_PACKING_ZSTD) {
        const unsigned long long content = ZSTD_getFrameContentSize(bytes, size);
        if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR || content >= SIZE_MAX)
            return false;
        *announced = (size_t)content;
        return true;
    }
#endif
    (void)packing, (void)bytes, (void)size, (void)announced;
    return false;
}
