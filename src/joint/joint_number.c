/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joint_number.c: numbers the clusters of a joint by first point, or by size and then first point.
 *
 * No two clusters have the same first point, or a point is an own point of two pieces, which is refused. So the number of a cluster by first point is the number of first points before
 * it: a bit per index of the cloud, and the sum of the bits before each word. Where the indices are too far apart for that,
 * and for the order by size, the clusters are sorted.
 */
#include "joint/joint.h"

#include "common/bits.h"

#include <inttypes.h>
#include <string.h>

/* Bits and sums take no more memory than sorting would: 32 bytes per cluster. */
#define NUMBER_BITS 128 /* indices per cluster, at most */

static bool is_kept(const clump_joint_settings *s, const clump_joint_nodes *nodes, size_t i)
{
    const uint64_t size = (uint64_t)nodes->size[i];
    return nodes->parent[i] == i && nodes->first[i] != INT64_MAX && size >= s->min_size &&
           (s->max_size == 0 || size <= s->max_size);
}

static clump_status refuse_twice(clump_work *work, int64_t index)
{
    return clump_fail(work, CLUMP_ERR_ARGUMENT,
                      "%s: the point with the index %" PRId64 " is an own point of two pieces", work->call, index);
}

/* Writes the numbers of the roots by first point; kept roots have a number of 0, others CLUMP_NOISE. */
static clump_status number_by_bits(clump_work *work, const clump_joint_nodes *nodes, size_t words, int64_t *numbers)
{
    clump_buffer memory = {0};
    CLUMP_TRY(clump_buffer_reserve(work, &memory, 2 * words * sizeof(uint64_t)));
    uint64_t *const bits = memory.data, *const before = bits + words;
    memset(bits, 0, words * sizeof *bits);
    for (size_t i = 0; i < nodes->count; i++) {
        if (numbers[i] != 0) continue;
        uint64_t *const word = &bits[nodes->first[i] / 64], bit = (uint64_t)1 << (nodes->first[i] % 64);
        if (*word & bit) return clump_buffer_release(work, &memory), refuse_twice(work, nodes->first[i]);
        *word |= bit;
    }
    uint64_t sum = 0;
    for (size_t w = 0; w < words; w++) {
        before[w] = sum;
        sum += clump_popcount(bits[w]);
    }
    for (size_t i = 0; i < nodes->count; i++) {
        if (numbers[i] != 0) continue;
        const size_t word = (size_t)nodes->first[i] / 64;
        const uint64_t below = bits[word] & (((uint64_t)1 << (nodes->first[i] % 64)) - 1);
        numbers[i] = (int64_t)(before[word] + clump_popcount(below));
    }
    clump_buffer_release(work, &memory);
    return CLUMP_OK;
}

/* The same by sorting, by first point or by size. */
static clump_status number_by_sorting(clump_work *work, const clump_joint_nodes *nodes, clump_order by, size_t kept,
                                      int64_t *numbers)
{
    clump_buffer memory = {0};
    CLUMP_TRY(clump_buffer_reserve(work, &memory, 2 * kept * sizeof(clump_pair)));
    clump_pair *const order = memory.data;
    size_t n = 0;
    for (size_t i = 0; i < nodes->count; i++)
        if (numbers[i] == 0) order[n++] = (clump_pair){(uint64_t)nodes->first[i], i};
    clump_pair_sort(order, order + kept, kept);
    for (size_t k = 1; k < kept; k++)
        if (order[k].key == order[k - 1].key) {
            const int64_t index = (int64_t)order[k].key;
            clump_buffer_release(work, &memory);
            return refuse_twice(work, index);
        }
    if (by == CLUMP_ORDER_SIZE) { /* the sort is stable: equal sizes stay in the order of first points */
        for (size_t k = 0; k < kept; k++) order[k].key = UINT64_MAX - (uint64_t)nodes->size[order[k].value];
        clump_pair_sort(order, order + kept, kept);
    }
    for (size_t k = 0; k < kept; k++) numbers[order[k].value] = (int64_t)k;
    clump_buffer_release(work, &memory);
    return CLUMP_OK;
}

clump_status clump_joint_number(clump_work *work, const clump_joint_settings *settings, const clump_joint_nodes *nodes,
                                int64_t *numbers, int64_t *clusters)
{
    size_t kept = 0;
    int64_t last = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        const bool keep = is_kept(settings, nodes, i);
        numbers[i] = keep ? 0 : CLUMP_NOISE;
        kept += keep;
        if (keep && nodes->first[i] > last) last = nodes->first[i];
    }
    const bool sorted = settings->order != CLUMP_ORDER_INDEX || (uint64_t)last / NUMBER_BITS >= kept;
    CLUMP_TRY(sorted ? number_by_sorting(work, nodes, settings->order, kept, numbers)
                     : number_by_bits(work, nodes, (size_t)last / 64 + 1, numbers));
    for (size_t i = 0; i < nodes->count; i++) numbers[i] = numbers[clump_joint_find(nodes->parent, i)];
    *clusters = (int64_t)kept;
    return CLUMP_OK;
}
