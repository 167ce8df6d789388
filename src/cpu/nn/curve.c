/* SPDX-License-Identifier: BSD-3-Clause
 *
 * curve.c: see curve.h. Cells are computed for batches of 64 points, in loops that the compiler vectorises.
 */
#include "cpu/nn/curve.h"

#include "common/lanes.h"
#include "common/sort.h"
#include "common/share.h"
#include "core/work.h"

#include <math.h>
#include <string.h>

#define CURVE_BATCH   64   /* points; the arrays of a batch stay in the L1 cache */
#define CURVE_CELLS   2048 /* along a side */
#define CURVE_COMPARE 24   /* words: up to here insertion is fastest */
#define CURVE_RADIX   256  /* words: from here on the radix sort is fastest */

/* ----- cells ---------------------------------------------------------------------------------- */

/* Moves bit i of an 11-bit number to bit 3i. */
static inline uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x070000ffu;
    x = (x | x << 8) & 0x0700f00fu;
    x = (x | x << 4) & 0x430c30c3u;
    return (x | x << 2) & 0x49249249u;
}

/* Returns the cell along an axis, clamped to the box. NaN, from an overflow of a finite coordinate, gives 0. */
static inline uint32_t cell(float x, float lower, float scale)
{
    float c = (x - lower) * scale;
    c = c > 0 ? c : 0;
    c = c < CURVE_CELLS - 1 ? c : CURVE_CELLS - 1;
    return (uint32_t)(int32_t)c;
}

static inline uint64_t interleave(uint32_t x, uint32_t y, uint32_t z)
{
    return (uint64_t)x << 2 | (uint64_t)y << 1 | z;
}

clump_curve clump_curve_of(const clump_bounds *bounds)
{
    const float *const lower = bounds->lower, *const upper = bounds->upper;
    clump_curve curve = {{lower[0], lower[1], lower[2]}, 0};
    float side = 0;
    for (int k = 0; k < 3; k++) side = upper[k] - lower[k] > side ? upper[k] - lower[k] : side;
    if (side > 0) curve.scale = (CURVE_CELLS - 0.01f) / side; /* may be 0 or infinite: then cells are 0 or clamped */
    return curve;
}

static inline void cells_of(const float *restrict x, float lower, float scale, uint32_t *restrict out)
{
    for (size_t j = 0; j < CURVE_BATCH; j++) out[j] = spread(cell(x[j], lower, scale));
}

/* ----- a batch -------------------------------------------------------------------------------- */

typedef struct batch {
    float x[CURVE_BATCH], y[CURVE_BATCH], z[CURVE_BATCH];
    uint32_t number[CURVE_BATCH];
} batch;

static inline void load_points(batch *b, clump_view view, size_t stride, size_t first, size_t n)
{
    const char *const at = view.points + first * stride;
    for (size_t j = 0; j < n; j++) {
        const float *const p = clump_floats(at + j * stride);
        b->x[j] = p[0], b->y[j] = p[1], b->z[j] = p[2];
        b->number[j] = (uint32_t)(first + j);
    }
}

/* Loads the finite ones of the n points from `first` on. Returns their number. */
static inline size_t load_batch(batch *b, clump_view view, size_t first, size_t n)
{
    CLUMP_ASSERT(n <= CURVE_BATCH && first + n <= view.count);
    if (view.stride == 12)
        load_points(b, view, 12, first, n); /* constant strides become vector loads */
    else if (view.stride == 16)
        load_points(b, view, 16, first, n);
    else
        load_points(b, view, view.stride, first, n);
    unsigned odd = 0;
    for (size_t j = 0; j < n; j++)
        odd |= !(fabsf(b->x[j]) < INFINITY) | !(fabsf(b->y[j]) < INFINITY) | !(fabsf(b->z[j]) < INFINITY);
    if (!odd) return n;
    size_t kept = 0;
    for (size_t j = 0; j < n; j++) {
        b->x[kept] = b->x[j], b->y[kept] = b->y[j], b->z[kept] = b->z[j];
        b->number[kept] = b->number[j];
        kept += fabsf(b->x[j]) < INFINITY && fabsf(b->y[j]) < INFINITY && fabsf(b->z[j]) < INFINITY;
    }
    return kept;
}

static inline void place_batch(const clump_curve *curve, const batch *b, size_t n, uint64_t *out)
{
    uint32_t x[CURVE_BATCH], y[CURVE_BATCH], z[CURVE_BATCH];
    cells_of(b->x, curve->lower[0], curve->scale, x);
    cells_of(b->y, curve->lower[1], curve->scale, y);
    cells_of(b->z, curve->lower[2], curve->scale, z);
    for (size_t j = 0; j < n; j++) out[j] = interleave(x[j], y[j], z[j]) << CLUMP_CURVE_SHIFT | b->number[j];
}

/* Makes the words of the finite points of a slice. Returns their number. */
static size_t place_slice(const clump_curve *curve, clump_view view, clump_share s, uint64_t *out)
{
    batch b = {.number = {0}};
    size_t total = 0;
    for (size_t i = s.begin; i < s.end; i += CURVE_BATCH) {
        const size_t n = load_batch(&b, view, i, s.end - i < CURVE_BATCH ? s.end - i : CURVE_BATCH);
        place_batch(curve, &b, n, out + total);
        total += n;
    }
    return total;
}

void clump_curve_words(const clump_curve *curve, clump_view view, uint64_t *words)
{
    place_slice(curve, view, (clump_share){0, view.count}, words);
}

void clump_curve_replace(const clump_curve *curve, clump_view view, uint64_t *words, size_t n)
{
    batch b = {.number = {0}};
    for (size_t i = 0; i < n; i += CURVE_BATCH) {
        const size_t here = n - i < CURVE_BATCH ? n - i : CURVE_BATCH;
        for (size_t j = 0; j < here; j++) {
            b.number[j] = clump_word_point(words[i + j]);
            const float *const p = clump_view_at(view, b.number[j]);
            b.x[j] = p[0], b.y[j] = p[1], b.z[j] = p[2];
        }
        place_batch(curve, &b, here, words + i);
    }
}

/* ----- all points ----------------------------------------------------------------------------- */

static const clump_bounds curve_no_bounds = {.lower = {INFINITY, INFINITY, INFINITY},
                                             .upper = {-INFINITY, -INFINITY, -INFINITY}};

/* Returns the bounds of points that have four floats each in reach: the fourth is loaded and ignored. */
static clump_bounds bounds_of_loads(clump_view view, clump_share s)
{
    clump_f4 lower = clump_f4_set(INFINITY), upper = clump_f4_set(-INFINITY);
    size_t n = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        const clump_f4 p = clump_f4_load(clump_view_at(view, i));
        /* infinity minus itself is NaN */
        if ((clump_i4_bits(clump_f4_is_equal(clump_f4_sub(p, p), clump_f4_set(0))) & 7u) != 7u) continue;
        lower = clump_f4_min(lower, p);
        upper = clump_f4_max(upper, p);
        n++;
    }
    float lo[4], hi[4];
    clump_f4_store(lo, lower);
    clump_f4_store(hi, upper);
    return (clump_bounds){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, n};
}

static clump_bounds bounds_of_slice(clump_view view, clump_share s)
{
    if (s.begin == s.end) return curve_no_bounds;
    clump_bounds all = bounds_of_loads(view, (clump_share){s.begin, s.end - 1});
    const float *const p = clump_view_at(view, s.end - 1); /* nothing may follow the last point */
    if (clump_point_is_finite(p, false)) {
        const clump_bounds last = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}, 1};
        clump_bounds_join(&all, &last);
    }
    return all;
}

clump_bounds clump_bounds_of(clump_view view)
{
    return bounds_of_slice(view, (clump_share){0, view.count});
}

typedef struct bounding {
    clump_view view;
    clump_bounds of[CLUMP_MAX_THREADS]; /* of the chunks of each thread */
} bounding;

static void bound_chunk(void *arg, size_t begin, size_t end, int worker)
{
    bounding *const b = arg;
    const clump_bounds here = bounds_of_slice(b->view, (clump_share){begin, end});
    clump_bounds_join(&b->of[worker], &here);
}

clump_status clump_bounds_shared(clump_work *work, clump_view view, int threads, clump_bounds *bounds)
{
    CLUMP_ASSERT(threads >= 1 && threads <= CLUMP_MAX_THREADS);
    bounding b = {.view = view};
    for (int t = 0; t < threads; t++) b.of[t] = curve_no_bounds;
    CLUMP_TRY(clump_run(work, threads, view.count, CLUMP_CHUNK, bound_chunk, &b));
    *bounds = b.of[0];
    for (int t = 1; t < threads; t++) clump_bounds_join(bounds, &b.of[t]);
    return CLUMP_OK;
}

static size_t count_slice(clump_view view, clump_share s)
{
    size_t n = 0;
    for (size_t i = s.begin; i < s.end; i++) n += clump_point_is_finite(clump_view_at(view, i), false);
    return n;
}

typedef struct placing {
    const clump_curve *curve;
    clump_view view;
    size_t size;   /* points of a slice; the last slice may have fewer */
    size_t *begin; /* where the words of a slice go */
    uint64_t *out;
} placing;

static clump_share slice_of(const placing *p, size_t t)
{
    const size_t first = t * p->size, left = p->view.count - first;
    return (clump_share){first, first + (left < p->size ? left : p->size)};
}

static void count_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const placing *const p = arg;
    for (size_t t = begin; t < end; t++) p->begin[t] = count_slice(p->view, slice_of(p, t));
}

static void place_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const placing *const p = arg;
    for (size_t t = begin; t < end; t++) place_slice(p->curve, p->view, slice_of(p, t), p->out + p->begin[t]);
}

/* Makes the words of all finite points. Several threads count first, slice by slice, so that each knows where its words
 * begin, unless all points are finite. `begin` has room for CLUMP_CURVE_COUNTERS slices. */
static clump_status place_all(clump_work *work, const clump_curve *curve, clump_view view, bool finite, int threads,
                              size_t *begin, uint64_t *out, size_t *count)
{
    if (threads == 1) {
        *count = place_slice(curve, view, (clump_share){0, view.count}, out);
        return clump_poll(work);
    }
    const size_t share = view.count / CLUMP_CURVE_COUNTERS + 1;
    placing p = {curve, view, share > CLUMP_CHUNK ? share : CLUMP_CHUNK, begin, out};
    const size_t slices = (view.count + p.size - 1) / p.size;
    if (!finite) CLUMP_TRY(clump_run(work, threads, slices, 1, count_slices, &p));
    size_t n = 0;
    for (size_t t = 0; t < slices; t++) {
        const size_t here = finite ? slice_of(&p, t).end - slice_of(&p, t).begin : begin[t];
        begin[t] = n;
        n += here;
    }
    *count = n;
    return clump_run(work, threads, slices, 1, place_slices, &p);
}

/* ----- sorting -------------------------------------------------------------------------------- */

/* Sorts words by their bits from `bit` down. */
static void sort_by_bits(uint64_t *words, size_t n, int bit)
{
    while (n > CURVE_COMPARE && bit >= 0) {
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
        sort_by_bits(words, low, bit);
        words += low, n -= low;
    }
    if (n <= CURVE_COMPARE) clump_sort_few(words, n);
}

bool clump_curve_sort(clump_team *team, uint64_t *words, uint64_t *spare, size_t n, size_t *counters, int threads)
{
    if (n < CURVE_RADIX) {
        sort_by_bits(words, n, 63);
        return true;
    }
    const uint64_t *const sorted =
        clump_radix_sort(team, words, spare, n, CLUMP_CURVE_SHIFT, CLUMP_CURVE_BITS, counters, threads);
    if (sorted && sorted != words) memcpy(words, sorted, n * sizeof *words);
    return sorted != NULL;
}

clump_status clump_curve_order(clump_work *work, clump_curve_scratch *scratch, const clump_curve *curve,
                               clump_view view, bool finite, int threads, uint64_t **words, size_t *count)
{
    const size_t bytes = view.count * sizeof(uint64_t);
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->words, bytes));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->spare, bytes));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->counters, CLUMP_CURVE_COUNTERS * (size_t)threads * sizeof(size_t)));
    uint64_t *const out = scratch->words.data;
    size_t *const begin = scratch->counters.data;
    CLUMP_TRY(place_all(work, curve, view, finite, threads, begin, out, count));
    *words = out;
    if (*count < CURVE_RADIX)
        sort_by_bits(out, *count, 63);
    else
        *words = clump_radix_sort(work->team, out, scratch->spare.data, *count, CLUMP_CURVE_SHIFT, CLUMP_CURVE_BITS,
                                  begin, threads);
    return *words ? CLUMP_OK : clump_poll(work);
}

void clump_curve_release(clump_work *work, clump_curve_scratch *scratch)
{
    clump_buffer_release(work, &scratch->words);
    clump_buffer_release(work, &scratch->spare);
    clump_buffer_release(work, &scratch->counters);
}
