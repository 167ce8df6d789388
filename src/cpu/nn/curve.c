/* SPDX-License-Identifier: BSD-3-Clause
 *
 * curve.c: see curve.h. Cells of a batch of points are computed in loops that a compiler turns into
 * vector code.
 */
#include "cpu/nn/curve.h"

#include "common/radix_sort.h"
#include "common/share.h"
#include "common/sort.h"
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

size_t clump_curve_box(clump_view view, float lower[3], float upper[3])
{
    return box_share(view, (clump_share){0, view.count}, lower, upper);
}

/* Of one share of the points. */
typedef struct share_box {
    float lower[3], upper[3];
    size_t finite;
} share_box;

typedef struct boxing {
    clump_view view;
    int shares;
    share_box box[CLUMP_MAX_THREADS];
} boxing;

static void box_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    boxing *const b = arg;
    for (size_t t = begin; t < end; t++)
        b->box[t].finite =
            box_share(b->view, clump_share_of(b->view.count, (int)t, b->shares), b->box[t].lower, b->box[t].upper);
}

clump_status clump_curve_box_shared(clump_context *ctx, clump_view view, int threads, float lower[3], float upper[3],
                                    size_t *finite)
{
    boxing b = {.view = view, .shares = threads};
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, box_shares, &b));
    *finite = 0;
    for (int t = 0; t < threads; t++) {
        const share_box *const s = &b.box[t];
        for (int k = 0; k < 3; k++) {
            lower[k] = t == 0 || s->lower[k] < lower[k] ? s->lower[k] : lower[k];
            upper[k] = t == 0 || s->upper[k] > upper[k] ? s->upper[k] : upper[k];
        }
        *finite += s->finite;
    }
    return CLUMP_OK;
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

typedef struct placing {
    const clump_curve *curve;
    clump_view view;
    int shares;
    size_t *begin; /* where the words of a share go */
    uint64_t *out;
} placing;

static void count_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const placing *const p = arg;
    for (size_t t = begin; t < end; t++)
        p->begin[t] = count_share(p->view, clump_share_of(p->view.count, (int)t, p->shares));
}

static void place_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const placing *const p = arg;
    for (size_t t = begin; t < end; t++)
        place_share(p->curve, p->view, clump_share_of(p->view.count, (int)t, p->shares), p->out + p->begin[t]);
}

/* The words of all finite points. With threads each has to know where to begin. */
static clump_status place_all(clump_context *ctx, const clump_curve *curve, clump_view view, int threads, size_t *begin,
                              uint64_t *out, size_t *count)
{
    placing p = {curve, view, threads, begin, out};
    if (threads == 1) {
        *count = place_share(curve, view, (clump_share){0, view.count}, out);
        return clump_poll(ctx);
    }
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, count_shares, &p));
    size_t n = 0;
    for (int t = 0; t < threads; t++) {
        const size_t here = begin[t];
        begin[t] = n;
        n += here;
    }
    *count = n;
    return clump_run(ctx, threads, (size_t)threads, 1, place_shares, &p);
}

/* ----- sorting -------------------------------------------------------------------------------- */

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
    if (n <= FEW) clump_sort_few(words, n);
}

bool clump_curve_sort(clump_team *team, uint64_t *words, uint64_t *spare, size_t n, size_t *counters, int threads)
{
    if (n < MANY) {
        sort_some(words, n, 63);
        return true;
    }
    const uint64_t *const sorted =
        clump_radix_sort(team, words, spare, n, CLUMP_CURVE_SHIFT, CLUMP_CURVE_BITS, counters, threads);
    if (sorted && sorted != words) memcpy(words, sorted, n * sizeof *words);
    return sorted != NULL;
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
    CLUMP_TRY(place_all(ctx, curve, view, threads, begin, out, count));
    *words = out;
    if (*count < MANY)
        sort_some(out, *count, 63);
    else
        *words = clump_radix_sort(ctx->team, out, scratch->spare.data, *count, CLUMP_CURVE_SHIFT, CLUMP_CURVE_BITS,
                                  begin, threads);
    return *words ? CLUMP_OK : clump_poll(ctx);
}

void clump_curve_release(clump_context *ctx, clump_curve_scratch *scratch)
{
    clump_buffer_release(ctx, &scratch->words);
    clump_buffer_release(ctx, &scratch->spare);
    clump_buffer_release(ctx, &scratch->counters);
}
