/* SPDX-License-Identifier: BSD-3-Clause
 *
 * curve.c: see curve.h. Cells of a batch of points are computed in loops that a compiler turns into
 * vector code.
 */
#include "cpu/curve.h"

#include "common/radix_sort.h"
#include "common/share.h"
#include "core/context.h"

#include <math.h>
#include <string.h>

#define BATCH 64
#define CELLS 2048 /* along a side */
#define FEW   24   /* words that are sorted sooner by comparing them */
#define MANY  256  /* words that are sorted sooner by counting digits */

/* ----- cells ---------------------------------------------------------------------------------- */

/* Bit i of an 11-bit number to bit 3i. */
static inline uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x070000ffu;
    x = (x | x << 8) & 0x0700f00fu;
    x = (x | x << 4) & 0x430c30c3u;
    return (x | x << 2) & 0x49249249u;
}

/* Clamped, and 0 for NaN, which an overflow can make of a finite coordinate. */
static inline uint32_t cell(float x, float lower, float scale)
{
    float c = (x - lower) * scale;
    c = c > 0 ? c : 0;
    c = c < CELLS - 1 ? c : CELLS - 1;
    return (uint32_t)(int32_t)c;
}

static inline uint64_t join(uint32_t x, uint32_t y, uint32_t z)
{
    return (uint64_t)x << 2 | (uint64_t)y << 1 | z;
}

clump_curve clump_curve_of(const float lower[3], const float upper[3])
{
    clump_curve curve = {{lower[0], lower[1], lower[2]}, 0};
    float side = 0;
    for (int k = 0; k < 3; k++) side = upper[k] - lower[k] > side ? upper[k] - lower[k] : side;
    if (side > 0) curve.scale = (CELLS - 0.01f) / side; /* 0 or infinity in extreme cases: then cells are 0 or all */
    return curve;
}

static inline void cells_of(const float *restrict x, float lower, float scale, uint32_t *restrict out)
{
    for (size_t j = 0; j < BATCH; j++) out[j] = spread(cell(x[j], lower, scale));
}

/* ----- a batch -------------------------------------------------------------------------------- */

typedef struct batch {
    float x[BATCH], y[BATCH], z[BATCH];
    uint32_t number[BATCH];
} batch;

static inline bool is_finite(float x, float y, float z)
{
    return fabsf(x) < INFINITY && fabsf(y) < INFINITY && fabsf(z) < INFINITY;
}

static inline void load(batch *b, clump_view view, size_t stride, size_t first, size_t n)
{
    const char *const at = view.points + first * stride;
    for (size_t j = 0; j < n; j++) {
        const float *const p = (const float *)(const void *)(at + j * stride);
        b->x[j] = p[0], b->y[j] = p[1], b->z[j] = p[2];
        b->number[j] = (uint32_t)(first + j);
    }
}

/* The finite ones of the n points from `first` on; returns how many. */
static inline size_t fill(batch *b, clump_view view, size_t first, size_t n)
{
    if (view.stride == 12)
        load(b, view, 12, first, n); /* constant strides become vector loads */
    else if (view.stride == 16)
        load(b, view, 16, first, n);
    else
        load(b, view, view.stride, first, n);
    unsigned odd = 0;
    for (size_t j = 0; j < n; j++)
        odd |= !(fabsf(b->x[j]) < INFINITY) | !(fabsf(b->y[j]) < INFINITY) | !(fabsf(b->z[j]) < INFINITY);
    if (!odd) return n;
    size_t kept = 0;
    for (size_t j = 0; j < n; j++) {
        b->x[kept] = b->x[j], b->y[kept] = b->y[j], b->z[kept] = b->z[j];
        b->number[kept] = b->number[j];
        kept += is_finite(b->x[j], b->y[j], b->z[j]);
    }
    return kept;
}

static inline void place_batch(const clump_curve *curve, const batch *b, size_t n, uint64_t *out)
{
    uint32_t x[BATCH], y[BATCH], z[BATCH];
    cells_of(b->x, curve->lower[0], curve->scale, x);
    cells_of(b->y, curve->lower[1], curve->scale, y);
    cells_of(b->z, curve->lower[2], curve->scale, z);
    for (size_t j = 0; j < n; j++) out[j] = join(x[j], y[j], z[j]) << CLUMP_CURVE_SHIFT | b->number[j];
}

/* Words of the finite points of a share; returns how many. */
static size_t place_share(const clump_curve *curve, clump_view view, clump_share s, uint64_t *out)
{
    batch b = {.number = {0}};
    size_t total = 0;
    for (size_t i = s.begin; i < s.end; i += BATCH) {
        const size_t n = fill(&b, view, i, s.end - i < BATCH ? s.end - i : BATCH);
        place_batch(curve, &b, n, out + total);
        total += n;
    }
    return total;
}

void clump_curve_words(const clump_curve *curve, clump_view view, uint64_t *words)
{
    place_share(curve, view, (clump_share){0, view.count}, words);
}

void clump_curve_replace(const clump_curve *curve, clump_view view, uint64_t *words, size_t n)
{
    batch b = {.number = {0}};
    for (size_t i = 0; i < n; i += BATCH) {
        const size_t here = n - i < BATCH ? n - i : BATCH;
        for (size_t j = 0; j < here; j++) {
            b.number[j] = clump_word_point(words[i + j]);
            const float *const p = clump_view_at(view, b.number[j]);
            b.x[j] = p[0], b.y[j] = p[1], b.z[j] = p[2];
        }
        place_batch(curve, &b, here, words + i);
    }
}

/* ----- all points ----------------------------------------------------------------------------- */

static size_t box_share(clump_view view, clump_share s, float lower[3], float upper[3])
{
    float lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t n = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        const float *const p = clump_view_at(view, i);
        const bool in = is_finite(p[0], p[1], p[2]);
        n += in;
        for (int k = 0; k < 3; k++) {
            lo[k] = in && p[k] < lo[k] ? p[k] : lo[k];
            hi[k] = in && p[k] > hi[k] ? p[k] : hi[k];
        }
    }
    memcpy(lower, lo, sizeof lo);
    memcpy(upper, hi, sizeof hi);
    return n;
}

size_t clump_curve_box(clump_view view, float lower[3], float upper[3], int threads)
{
    size_t finite = 0;
    float x0 = INFINITY, y0 = INFINITY, z0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, z1 = -INFINITY;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1) reduction(+ : finite)               \
    reduction(min : x0, y0, z0) reduction(max : x1, y1, z1)
    for (int t = 0; t < threads; t++) {
        float lo[3], hi[3];
        finite += box_share(view, clump_share_of(view.count, t, threads), lo, hi);
        x0 = lo[0] < x0 ? lo[0] : x0, y0 = lo[1] < y0 ? lo[1] : y0, z0 = lo[2] < z0 ? lo[2] : z0;
        x1 = hi[0] > x1 ? hi[0] : x1, y1 = hi[1] > y1 ? hi[1] : y1, z1 = hi[2] > z1 ? hi[2] : z1;
    }
    lower[0] = x0, lower[1] = y0, lower[2] = z0;
    upper[0] = x1, upper[1] = y1, upper[2] = z1;
    return finite;
}

static size_t count_share(clump_view view, clump_share s)
{
    size_t n = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        const float *const p = clump_view_at(view, i);
        n += is_finite(p[0], p[1], p[2]);
    }
    return n;
}

/* The same with threads, each of which has to know where to begin. */
static size_t place_all(const clump_curve *curve, clump_view view, int threads, size_t *begin, uint64_t *out)
{
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) begin[t] = count_share(view, clump_share_of(view.count, t, threads));
    size_t n = 0;
    for (int t = 0; t < threads; t++) {
        const size_t here = begin[t];
        begin[t] = n;
        n += here;
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) place_share(curve, view, clump_share_of(view.count, t, threads), out + begin[t]);
    return n;
}

/* ----- sorting -------------------------------------------------------------------------------- */

static void sort_few(uint64_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t word = a[i];
        size_t j = i;
        for (; j > 0 && a[j - 1] > word; j--) a[j] = a[j - 1];
        a[j] = word;
    }
}

/* By bits from `bit` down. */
static void sort_some(uint64_t *words, size_t n, int bit)
{
    while (n > FEW && bit >= 0) {
        size_t low = 0, high = n;
        while (low < high) {
            const uint64_t word = words[low];
            if (word >> bit & 1) {
                words[low] = words[--high];
                words[high] = word;
            } else {
                low++;
            }
        }
        bit--;
        sort_some(words, low, bit);
        words += low, n -= low;
    }
    if (n <= FEW) sort_few(words, n);
}

void clump_curve_sort(uint64_t *words, uint64_t *spare, size_t n, size_t *counters, int threads)
{
    if (n < MANY) {
        sort_some(words, n, 63);
        return;
    }
    const uint64_t *const sorted =
        clump_radix_sort(words, spare, n, CLUMP_CURVE_SHIFT, CLUMP_CURVE_BITS, counters, threads);
    if (sorted != words) memcpy(words, sorted, n * sizeof *words);
}

clump_status clump_curve_order(clump_context *ctx, clump_curve_scratch *scratch, const clump_curve *curve,
                               clump_view view, int threads, uint64_t **words, size_t *count)
{
    const size_t bytes = view.count * sizeof(uint64_t);
    clump_status status = clump_buffer_reserve(ctx, &scratch->words, bytes);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &scratch->spare, bytes);
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(ctx, &scratch->counters, CLUMP_CURVE_COUNTERS * (size_t)threads * sizeof(size_t));
    if (status != CLUMP_OK) return status;

    uint64_t *const out = scratch->words.data;
    size_t *const begin = scratch->counters.data;
    const size_t n = threads == 1 ? place_share(curve, view, (clump_share){0, view.count}, out)
                                  : place_all(curve, view, threads, begin, out);
    *count = n;
    if (n < MANY) {
        sort_some(out, n, 63);
        *words = out;
        return CLUMP_OK;
    }
    *words = clump_radix_sort(out, scratch->spare.data, n, CLUMP_CURVE_SHIFT, CLUMP_CURVE_BITS, begin, threads);
    return CLUMP_OK;
}

void clump_curve_release(clump_context *ctx, clump_curve_scratch *scratch)
{
    clump_buffer_release(ctx, &scratch->words);
    clump_buffer_release(ctx, &scratch->spare);
    clump_buffer_release(ctx, &scratch->counters);
}
