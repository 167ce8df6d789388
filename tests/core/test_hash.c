/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hash.c: clump_labels_hash against published values of XXH64 and against a plain implementation for bytes.
 */
#include "support/check.h"

#include <clump/clump.h>

/* Converts bytes to labels that hold them in little-endian order, on any host. */
static size_t to_labels(const char *text, int32_t *labels)
{
    const size_t count = strlen(text) / 4;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *const b = (const unsigned char *)text + 4 * i;
        labels[i] = (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
    }
    return count;
}

static void published_values(void)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } cases[] = {
        {"", 0xef46db3751d8e999},
        {"asdf", 0x415872f599cea71e},
        {"Call me Ishmael.", 0x6d04390fc9d61a90},
        {"0123456789abcdef", 0x5c5b90c34e376d0b},
        {"0123456789abcdef0123456789abcdef", 0x642a94958e71e6c5},
        {"Call me Ishmael.  Some years ago--never mind how long precisely-", 0x3b1137909300afa6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t labels[16];
        const size_t count = to_labels(cases[i].text, labels);
        CHECK_MSG(clump_labels_hash(labels, count) == cases[i].hash, "\"%s\"", cases[i].text);
    }
}

/* XXH64, seed 0, of any number of bytes, to check the one for labels. */
static uint64_t rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}
static uint64_t read_bytes(const unsigned char *p, int bytes)
{
    uint64_t v = 0;
    for (int i = bytes; i-- > 0;) v = v << 8 | p[i];
    return v;
}
static uint64_t xxh64_bytes(const unsigned char *p, size_t length)
{
    const uint64_t p1 = 11400714785074694791u, p2 = 14029467366897019727u, p3 = 1609587929392839161u,
                   p4 = 9650029242287828579u, p5 = 2870177450012600261u;
    const unsigned char *const end = p + length;
    uint64_t hash = p5;
    if (length >= 32) {
        uint64_t lane[4] = {p1 + p2, p2, 0, 0 - p1};
        for (; end - p >= 32; p += 32)
            for (int k = 0; k < 4; k++) lane[k] = rotate(lane[k] + read_bytes(p + 8 * k, 8) * p2, 31) * p1;
        hash = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
        for (int k = 0; k < 4; k++) hash = (hash ^ rotate(lane[k] * p2, 31) * p1) * p1 + p4;
    }
    hash += length;
    for (; end - p >= 8; p += 8) hash = rotate(hash ^ rotate(read_bytes(p, 8) * p2, 31) * p1, 27) * p1 + p4;
    for (; end - p >= 4; p += 4) hash = rotate(hash ^ read_bytes(p, 4) * p1, 23) * p2 + p3;
    for (; p < end; p++) hash = rotate(hash ^ *p * p5, 11) * p1;
    hash = (hash ^ hash >> 33) * p2;
    hash = (hash ^ hash >> 29) * p3;
    return hash ^ hash >> 32;
}

static void every_length(void)
{
    /* First the checker itself, on published values whose lengths no array of labels has. */
    const char *const text = "Call me Ishmael. Some years ago--never mind how long precisely-";
    CHECK(xxh64_bytes((const unsigned char *)text, 63) == 0x02a2e85470d6fd96);
    CHECK(xxh64_bytes((const unsigned char *)"a", 1) == 0xd24ec4f1a98c6e5b);
    CHECK(xxh64_bytes((const unsigned char *)"asd", 3) == 0x631c37ce72a97393);

    int32_t labels[100];
    unsigned char bytes[400];
    uint64_t random = 7;
    for (size_t i = 0; i < 100; i++) {
        const uint32_t value = (uint32_t)check_random(&random) % 50u - 2u; /* some are negative */
        labels[i] = (int32_t)value;
        for (size_t k = 0; k < 4; k++) bytes[4 * i + k] = (unsigned char)(value >> 8 * k);
    }
    for (size_t count = 0; count <= 100; count++)
        CHECK_MSG(clump_labels_hash(labels, count) == xxh64_bytes(bytes, 4 * count), "%zu labels", count);
}

static void tells_labellings_apart(void)
{
    const int32_t a[3] = {0, 1, CLUMP_NOISE}, b[3] = {0, 1, CLUMP_GROUND}, c[3] = {1, 0, CLUMP_NOISE};
    CHECK(clump_labels_hash(a, 3) != clump_labels_hash(b, 3));
    CHECK(clump_labels_hash(a, 3) != clump_labels_hash(c, 3));
    CHECK(clump_labels_hash(a, 2) != clump_labels_hash(a, 3));
    CHECK(clump_labels_hash(NULL, 0) == 0xef46db3751d8e999);
}

CHECK_PROGRAM(test_hash)
{
    RUN(published_values);
    RUN(every_length);
    RUN(tells_labellings_apart);
}
