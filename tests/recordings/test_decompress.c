/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_decompress.c: chunks compressed with bz2, lz4 and zstd: complete, cut, changed, and with false sizes.
 */
#include "containers/decompress.h"

#include "support/check.h"
#include "recordings/decompress_samples.h"

static const struct sample {
    const char *name;
    clump_io_packing packing;
    const unsigned char *bytes;
    size_t size;
} samples[] = {{"bz2", CLUMP_IO_PACKING_BZ2, sample_bz2, sizeof sample_bz2},
               {"lz4", CLUMP_IO_PACKING_LZ4, sample_lz4, sizeof sample_lz4},
               {"zstd", CLUMP_IO_PACKING_ZSTD, sample_zstd, sizeof sample_zstd},
               {"zstd", CLUMP_IO_PACKING_ZSTD, sample_zstd_stream, sizeof sample_zstd_stream}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static size_t good_bytes(const clump_io_bytes *to)
{
    size_t i = 0;
    while (i < to->size && to->data[i] == sample_byte(i)) i++;
    return i;
}

/* Copies the bytes to memory of exactly their size, so that the sanitizer sees a read beyond the end. */
static clump_io_unpacked unpack_copy(clump_io_unpacker *unpacker, const struct sample *sample, size_t size,
                                     size_t changed, size_t announced, clump_io_bytes *to)
{
    unsigned char *const copy = malloc(size ? size : 1);
    memcpy(copy, sample->bytes, size);
    if (changed < size) copy[changed] ^= 0x5a;
    const clump_io_unpacked result = clump_io_unpack(unpacker, sample->packing, copy, size, announced, to);
    free(copy);
    return result;
}

static void knows_names(void)
{
    CHECK_INT(clump_io_packing_of("", 0), CLUMP_IO_PACKING_NONE);
    CHECK_INT(clump_io_packing_of(NULL, 0), CLUMP_IO_PACKING_NONE);
    CHECK_INT(clump_io_packing_of("none", 4), CLUMP_IO_PACKING_NONE);
    for (int i = 0; i < SAMPLES; i++)
        CHECK_INT(clump_io_packing_of(samples[i].name, strlen(samples[i].name)), samples[i].packing);
    CHECK_INT(clump_io_packing_of("lz", 2), CLUMP_IO_PACKING_UNKNOWN);
    CHECK_INT(clump_io_packing_of("lz4hc", 5), CLUMP_IO_PACKING_UNKNOWN);
    clump_io_unpacker unpacker = {0};
    clump_io_bytes to = {0};
    CHECK_INT(clump_io_unpack(&unpacker, CLUMP_IO_PACKING_UNKNOWN, sample_bz2, 1, 1, &to), CLUMP_IO_UNPACKED_NOT_BUILT);
}

static void copies_what_is_not_compressed(void)
{
    clump_io_unpacker unpacker = {0};
    clump_io_bytes to = {0};
    const unsigned char plain[] = "plain";
    CHECK_INT(clump_io_unpack(&unpacker, CLUMP_IO_PACKING_NONE, plain, 5, 5, &to), CLUMP_IO_UNPACKED);
    CHECK(to.size == 5 && memcmp(to.data, plain, 5) == 0);
    CHECK_INT(clump_io_unpack(&unpacker, CLUMP_IO_PACKING_NONE, plain, 5, 900, &to), CLUMP_IO_UNPACKED_PART);
    CHECK_INT(to.size, 5);
    CHECK_INT(clump_io_unpack(&unpacker, CLUMP_IO_PACKING_NONE, plain, 5, 3, &to), CLUMP_IO_UNPACKED_PART);
    CHECK_INT(to.size, 3);
    clump_io_bytes_release(&to);
}

static void unpacks(void)
{
    clump_io_unpacker unpacker = {0};
    clump_io_bytes to = {0};
    int built = 0;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < SAMPLES; i++) {
            const clump_io_unpacked result =
                unpack_copy(&unpacker, &samples[i], samples[i].size, SIZE_MAX, SAMPLE_SIZE, &to);
            if (result == CLUMP_IO_UNPACKED_NOT_BUILT) continue;
            built++;
            CHECK_MSG(result == CLUMP_IO_UNPACKED, "%s", samples[i].name);
            CHECK_INT(to.size, SAMPLE_SIZE);
            CHECK_INT(good_bytes(&to), SAMPLE_SIZE);
            if (round == 0) clump_io_bytes_release(&to); /* each decoder starts with empty memory once */
        }
    clump_io_unpacker_release(&unpacker);
    clump_io_bytes_release(&to);
    if (!built) SKIP("the build has no bz2, lz4 and zstd: " DO_SETUP);
}

static void takes_memory_as_data_comes(void)
{
    for (int i = 0; i < SAMPLES; i++) {
        clump_io_unpacker unpacker = {0};
        clump_io_bytes to = {0};
        const clump_io_unpacked result =
            unpack_copy(&unpacker, &samples[i], samples[i].size, SIZE_MAX, (size_t)1 << 40, &to);
        if (result == CLUMP_IO_UNPACKED_NOT_BUILT) continue;
        CHECK_MSG(result == CLUMP_IO_UNPACKED_PART, "%s", samples[i].name);
        CHECK_INT(to.size, SAMPLE_SIZE);
        CHECK_MSG(to.capacity <= 2 * SAMPLE_SIZE + 65536, "%s: %zu", samples[i].name, to.capacity);
        CHECK_INT(unpack_copy(&unpacker, &samples[i], 0, SIZE_MAX, SIZE_MAX, &to), CLUMP_IO_UNPACKED_PART);
        CHECK_INT(to.size, 0);
        CHECK_INT(unpack_copy(&unpacker, &samples[i], samples[i].size, SIZE_MAX, SAMPLE_SIZE - 1, &to),
                  CLUMP_IO_UNPACKED_PART);
        CHECK_INT(to.size, SAMPLE_SIZE - 1);
        CHECK_INT(good_bytes(&to), SAMPLE_SIZE - 1);
        CHECK_INT(unpack_copy(&unpacker, &samples[i], samples[i].size, SIZE_MAX, 0, &to), CLUMP_IO_UNPACKED_PART);
        CHECK_INT(to.size, 0);
        clump_io_unpacker_release(&unpacker);
        clump_io_bytes_release(&to);
    }
}

static void gives_the_bytes_before_a_cut(void)
{
    for (int i = 0; i < SAMPLES; i++) {
        clump_io_unpacker unpacker = {0};
        clump_io_bytes to = {0};
        for (size_t size = 0; size < samples[i].size; size++) {
            const clump_io_unpacked result = unpack_copy(&unpacker, &samples[i], size, SIZE_MAX, SAMPLE_SIZE, &to);
            if (result == CLUMP_IO_UNPACKED_NOT_BUILT) break;
            CHECK_MSG(result == CLUMP_IO_UNPACKED_PART, "%s cut at %zu", samples[i].name, size);
            CHECK_INT(good_bytes(&to), to.size);
        }
        if (samples[i].packing == CLUMP_IO_PACKING_LZ4) CHECK_INT(to.size, SAMPLE_SIZE); /* only the checksum is cut */
        clump_io_unpacker_release(&unpacker);
        clump_io_bytes_release(&to);
    }
}

static void survives_changed_bytes(void)
{
    clump_io_unpacker unpacker = {0};
    clump_io_bytes to = {0};
    for (int i = 0; i < SAMPLES; i++)
        for (size_t at = 0; at < samples[i].size; at++) {
            const clump_io_unpacked result = unpack_copy(&unpacker, &samples[i], samples[i].size, at, SAMPLE_SIZE, &to);
            if (result == CLUMP_IO_UNPACKED_NOT_BUILT) break;
            CHECK(result == CLUMP_IO_UNPACKED || result == CLUMP_IO_UNPACKED_PART);
            CHECK(to.size <= SAMPLE_SIZE);
            /* A chunk that is called complete is the sample: all three formats have checksums. */
            if (result == CLUMP_IO_UNPACKED)
                CHECK_MSG(good_bytes(&to) == SAMPLE_SIZE, "%s, byte %zu", samples[i].name, at);
        }
    /* The state of a decoder is good after damage. */
    for (int i = 0; i < SAMPLES; i++) {
        const clump_io_unpacked result =
            unpack_copy(&unpacker, &samples[i], samples[i].size, SIZE_MAX, SAMPLE_SIZE, &to);
        CHECK(result == CLUMP_IO_UNPACKED || result == CLUMP_IO_UNPACKED_NOT_BUILT);
    }
    clump_io_unpacker_release(&unpacker);
    clump_io_bytes_release(&to);
}

/* The second block is damaged: the first one, 64 KiB, is good. Also with memory for all of it from the beginning. */
static void keeps_the_blocks_before_damage(void)
{
    clump_io_unpacker unpacker = {0};
    clump_io_bytes to = {0};
    for (int round = 0; round < 2; round++) {
        const clump_io_unpacked result =
            unpack_copy(&unpacker, &samples[1], samples[1].size, samples[1].size - 60, SAMPLE_SIZE, &to);
        if (result == CLUMP_IO_UNPACKED_NOT_BUILT) SKIP("the build has no lz4: " DO_SETUP);
        CHECK_INT(result, CLUMP_IO_UNPACKED_PART);
        CHECK_MSG(to.size >= 65536, "%zu bytes", to.size);
        CHECK(good_bytes(&to) >= 65536);
        CHECK_INT(clump_io_bytes_reserve(&(clump_io_where){0}, &to, SAMPLE_SIZE + 1), CLUMP_OK);
    }
    clump_io_unpacker_release(&unpacker);
    clump_io_bytes_release(&to);
}

CHECK_PROGRAM(test_decompress)
{
    RUN(knows_names);
    RUN(copies_what_is_not_compressed);
    RUN(unpacks);
    RUN(takes_memory_as_data_comes);
    RUN(gives_the_bytes_before_a_cut);
    RUN(survives_changed_bytes);
    RUN(keeps_the_blocks_before_damage);
}
