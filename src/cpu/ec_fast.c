/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.c: Euclidean clustering, our way.
 *
 *     1  build    points into cells so small that a cell is always in one cluster   (blocks.c)
 *     2  cluster  cells that hold neighbours into sets, by reps, then by points     (join.c)
 *     3  label    sets numbered by their smallest point index, points by their cell (here)
 *
 * No neighbour list is made and points are not sorted, so memory is linear and a crowd costs no
 * more than its points. The floor is two passes over the points: one in, one out.
 */
#include "cpu/ec_fast.h"

#include "common/timer.h"
#include "core/context.h"

#define MIN_SHARE 4096 /* points a thread must have to be worth waking */

/* The labels of a block's points: one for all of them, or one a cell. Kept where the crowds were. */
static void set_block_label(clump_block *block, int32_t label)
{
    block->crowds = (uint64_t)(int64_t)label;
}
static int32_t block_label(const clump_block *block)
{
    return (int32_t)(int64_t)block->crowds;
}

static void lower(uint32_t *value, uint32_t to)
{
    uint32_t seen = CLUMP_LOAD(value);
    while (to < seen && !CLUMP_SWAP(value, &seen, to)) {
    }
}

/* The smallest point index of each set, in the rep of its root. One thread meets the points in
 * order, so a cell's rep is its first point and cells are enough; several have to ask every point. */
static void find_firsts(clump_blocks *b, uint32_t *parent, size_t n, int threads)
{
    const uint32_t cells = b->cell_count;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (uint32_t c = 0; c < cells; c++) {
        const uint32_t root = clump_find(parent, c);
        CLUMP_STORE(&parent[c], root);
        if (root != c) lower(&b->rep[root].index, CLUMP_LOAD(&b->rep[c].index));
    }
    if (threads == 1) return;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) {
        if (b->owner[i] == CLUMP_NO_BLOCK) continue;
        const uint32_t c = clump_cell_number(&b->block[b->owner[i]], b->sub[i]);
        lower(&b->rep[CLUMP_LOAD(&parent[c])].index, (uint32_t)i);
    }
}

/* Numbers the sets by their first points: a bit a point, set for the first ones; the number of a
 * set is the number of set bits before its own. Leaves a label in every root's rep. */
static int32_t number_sets(clump_blocks *b, const uint32_t *parent, uint64_t *bits, uint32_t *before, size_t words)
{
    for (size_t w = 0; w < words; w++) bits[w] = 0;
    for (uint32_t c = 0; c < b->cell_count; c++) {
        if (CLUMP_LOAD(&parent[c]) != c) continue;
        const uint32_t first = CLUMP_LOAD(&b->rep[c].index);
        bits[first / 64] |= (uint64_t)1 << first % 64;
    }
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++) {
        before[w] = sum;
        sum += clump_popcount(bits[w]);
    }
    for (uint32_t c = 0; c < b->cell_count; c++) {
        if (CLUMP_LOAD(&parent[c]) != c) continue;
        const uint32_t first = CLUMP_LOAD(&b->rep[c].index);
        const uint64_t below = bits[first / 64] & (((uint64_t)1 << first % 64) - 1);
        CLUMP_STORE(&b->rep[c].index, before[first / 64] + clump_popcount(below));
    }
    return (int32_t)sum;
}

/* From sets to cells to blocks to points. label[] takes over the memory of parent[], entry by entry:
 * by now every cell points to its root, and the label of a root is in its rep. */
static void label_points(clump_blocks *b, uint32_t *parent, int32_t *labels, size_t n, int threads)
{
    const uint32_t blocks = b->block_count;
    uint32_t *const label = parent;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (uint32_t id = 0; id < blocks; id++) {
        clump_block *const k = &b->block[id];
        const uint32_t cells = clump_popcount(k->cells);
        uint32_t low = UINT32_MAX, high = 0;
        for (uint32_t c = k->first; c < k->first + cells; c++) {
            const uint32_t root = CLUMP_LOAD(&parent[c]);
            const uint32_t l = CLUMP_LOAD(&b->rep[root].index);
            CLUMP_STORE(&label[c], l);
            low = l < low ? l : low;
            high = l > high ? l : high;
        }
        set_block_label(k, low == high ? (int32_t)low : -1);
    }
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = b->owner[i]; /* the same memory as labels[i] */
        if (id == CLUMP_NO_BLOCK) {
            labels[i] = CLUMP_NOISE;
            continue;
        }
        const clump_block *const k = &b->block[id];
        int32_t l = block_label(k);
        if (l < 0) l = (int32_t)CLUMP_LOAD(&label[clump_cell_number(k, b->sub[i])]);
        labels[i] = l;
    }
}

static size_t rank_bytes(size_t n)
{
    return (n + 63) / 64 * (sizeof(uint64_t) + sizeof(uint32_t));
}

clump_status clump_cpu_ec_fast(clump_context *ctx, clump_cpu_fast *fast, const clump_ec_job *job, clump_ec_result *result)
{
    const size_t n = job->count, words = (n + 63) / 64, shares = n / MIN_SHARE;
    int threads = ctx->options.threads;
    if ((size_t)threads > shares) threads = shares > 0 ? (int)shares : 1;
    clump_blocks *const b = &fast->blocks;

    const double start = clump_now_ms();
    clump_status status = clump_blocks_build(ctx, b, job, threads);
    if (status != CLUMP_OK) return status;
    const double built = clump_now_ms();
    status = clump_join_cells(ctx, &fast->join, b, job, threads);
    if (status != CLUMP_OK) return status;
    const double joined = clump_now_ms();
    status = clump_buffer_reserve(ctx, &fast->ranks, rank_bytes(n));
    if (status != CLUMP_OK) return status;
    uint64_t *const bits = fast->ranks.data;
    find_firsts(b, fast->join.parent, n, threads);
    result->clusters = number_sets(b, fast->join.parent, bits, (uint32_t *)(bits + words), words);
    label_points(b, fast->join.parent, job->labels, n, threads);

    result->finite = b->finite;
    result->masked = b->masked;
    result->left_out = b->left_out;
    result->threads = threads;
    result->build_ms = built - start;
    result->cluster_ms = joined - built;
    result->label_ms = clump_now_ms() - joined;
    return CLUMP_OK;
}

clump_status clump_cpu_fast_reserve(clump_context *ctx, clump_cpu_fast *fast, size_t max_points)
{
    const int threads = ctx->options.threads;
    clump_status status = clump_blocks_reserve(ctx, &fast->blocks, max_points, threads);
    if (status == CLUMP_OK) status = clump_join_reserve(ctx, &fast->join, max_points, threads);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &fast->ranks, rank_bytes(max_points));
    return status;
}

void clump_cpu_fast_release(clump_context *ctx, clump_cpu_fast *fast)
{
    clump_blocks_release(ctx, &fast->blocks);
    clump_join_release(ctx, &fast->join);
    clump_buffer_release(ctx, &fast->ranks);
}
