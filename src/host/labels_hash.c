/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels_hash.c: XXH64 of an array of int32 instead of bytes (common/xxh64.h). Lengths are multiples of 4 bytes, so there are no
 * single bytes. A 64-bit lane is composed of two labels by arithmetic, which is little-endian on every host.
 */
#include <clump/clump.h>

#include "common/xxh64.h"

static uint64_t lane_of(const int32_t *labels)
{
    return (uint64_t)(uint32_t)labels[0] | (uint64_t)(uint32_t)labels[1] << 32;
}

uint64_t clump_labels_hash(const int32_t *labels, size_t count)
{
    if (!labels) count = 0;
    size_t i = 0;
    uint64_t lanes[4];
    clump_xxh64_begin(lanes);
    for (; count - i >= 8; i += 8)
        for (size_t k = 0; k < 4; k++) lanes[k] = clump_xxh64_mix(lanes[k], lane_of(labels + i + 2 * k));
    uint64_t hash = clump_xxh64_join(lanes, (uint64_t)count * sizeof *labels);
    for (; count - i >= 2; i += 2) hash = clump_xxh64_add_lane(hash, lane_of(labels + i));
    if (i < count) hash = clump_xxh64_add_word(hash, (uint32_t)labels[i]);
    return clump_xxh64_end(hash);
}
