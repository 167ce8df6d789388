/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sorted.c: see sorted.h. The key of a point is its place in the order:
 *
 *     key     z cell * cells in y + y cell | x cell, eight per edge        the row, and 2^x_bits cells in it
 *     slab    the high bits of the key: key >> shift
 *
 * The cloud is cut into chunks that threads claim. A chunk has one tally per slab, so every chunk can deal its points
 * without waiting for others, and the order does not depend on the threads. Steps and memory:
 *
 *               labels            wide               points              tallies
 *     survey                                                             boxes of chunks
 *     number    slab per point                                           points per chunk and slab
 *     deal      slab per point    points by slab                         places per chunk and slab
 *     sort      order in a slab   points by slab     words, twice        slabs: rows, squares
 *     copy      order in a slab   points by slab     x y z index
 *     rows      order in a slab   begin and spare    x y z index         slabs: rows
 */
#include "cpu/rows/sorted.h"

#include "common/radix_sort.h"
#include "core/context.h"
#include "cpu/grid/batch.h"
#include "cpu/shared/points.h"

#include <math.h>

#define SORTED_CHUNK 16384 /* points per chunk: 30 to 80 us per step */
#define SORTED_BATCH 64
#define SORTED_FINE  8 /* cells in x per edge: windows are 2.25 d wide; with 1 per edge they would be 4 d wide */
#define SORTED_LOG   3
#define SORTED_SLAB  256        /* points per slab, about; scans fill a tenth of their slabs */
#define SORTED_SLABS 1024       /* at most: a cache line each fits into the second-level cache */
#define SORTED_FIRST 0x80000000 /* of an entry of the order in a slab: the point is the first of its row */
#define SORTED_NONE  UINT32_MAX /* the slab of a point that takes no part */

/* How points are numbered; see above. */
typedef struct grid {
    double inverse; /* cells per unit. An edge is d (1 + 2^-20), so cells of neighbours differ by at most 1: */
                    /* |dx| <= d (1 + 2^-22) as in rules/cell.h, less than an edge */
    int32_t lower[3];
    uint64_t cells_y;
    unsigned x_bits, shift;
    size_t slabs;
} grid;

/* What a chunk of the cloud holds. */
typedef struct chunk {
    size_t unfinite, masked, left_out;
    float lower[3], upper[3];
} chunk;

typedef struct sorted_slab {
    size_t begin, count;
    uint64_t first_row, last_row;
    uint64_t squares;   /* sum of the squared numbers of points per cell */
    size_t starts;      /* rows that start in this slab */
    size_t rows_before; /* rows that start in slabs before */
} sorted_slab;

/* What the tasks share. */
typedef struct sorting {
    const clump_cloud_job *job;
    grid g;
    chunk *chunks;
    size_t chunk_count;
    sorted_slab *slabs;
    uint32_t *tally; /* chunk after chunk, one entry per slab */
    clump_point *dealt;
    uint64_t *words[2];
    clump_sorted *out;
} sorting;

/* ----- survey ------------------------------------------------------------------------------------------------- */

/* Lower and upper ends in lanes: compilers do not vectorise the minimum of an array of floats. */
typedef struct ends {
    float lower[SORTED_BATCH], upper[SORTED_BATCH];
} ends;

static void widen(ends *e, const float *x, size_t m)
{
    for (size_t j = 0; j < m; j++) {
        e->lower[j] = x[j] < e->lower[j] ? x[j] : e->lower[j];
        e->upper[j] = x[j] > e->upper[j] ? x[j] : e->upper[j];
    }
}

static bool all_finite(const float *x, const float *y, const float *z, size_t m)
{
    int finite = 0;
    for (size_t j = 0; j < m; j++)
        finite += (fabsf(x[j]) < INFINITY) & (fabsf(y[j]) < INFINITY) & (fabsf(z[j]) < INFINITY);
    return (size_t)finite == m;
}

/* Counts the points from `base` on that take no part and removes them from the batch. Returns the size of the rest. */
static size_t sift_batch(const clump_cloud_job *job, size_t base, size_t m, float *x, float *y, float *z, chunk *c)
{
    size_t kept = 0;
    for (size_t j = 0; j < m; j++) {
        const size_t i = base + j;
        x[kept] = x[j], y[kept] = y[j], z[kept] = z[j];
        c->masked += clump_point_is_masked(job, i);
        c->unfinite += !clump_point_is_finite(clump_point_at(job, i), job->two_d);
        kept += clump_takes_part(job, i);
    }
    c->left_out += m - kept;
    return kept;
}

static void survey_chunk(const clump_cloud_job *job, size_t begin, size_t end, chunk *c)
{
    ends axis[3];
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < SORTED_BATCH; j++) axis[k].lower[j] = INFINITY, axis[k].upper[j] = -INFINITY;
    *c = (chunk){0};
    for (size_t base = begin; base < end; base += SORTED_BATCH) {
        float x[SORTED_BATCH], y[SORTED_BATCH], z[SORTED_BATCH];
        size_t m = end - base < SORTED_BATCH ? end - base : SORTED_BATCH;
        clump_batch_load(job, base, m, x, y, z);
        if (job->mask || !all_finite(x, y, z, m)) m = sift_batch(job, base, m, x, y, z, c);
        widen(&axis[0], x, m), widen(&axis[1], y, m), widen(&axis[2], z, m);
    }
    for (int k = 0; k < 3; k++) {
        c->lower[k] = INFINITY, c->upper[k] = -INFINITY;
        for (size_t j = 0; j < SORTED_BATCH; j++) {
            c->lower[k] = fminf(c->lower[k], axis[k].lower[j]);
            c->upper[k] = fmaxf(c->upper[k], axis[k].upper[j]);
        }
    }
}

static inline size_t chunk_end(const sorting *s, size_t begin)
{
    return s->job->count - begin < SORTED_CHUNK ? s->job->count : begin + SORTED_CHUNK;
}

static void survey_chunks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t c = begin; c < end; c++)
        survey_chunk(s->job, c * SORTED_CHUNK, chunk_end(s, c * SORTED_CHUNK), &s->chunks[c]);
}

/* Adds up what all chunks hold. */
static chunk sum_chunks(const sorting *s)
{
    chunk all = s->chunks[0];
    for (size_t c = 1; c < s->chunk_count; c++) {
        const chunk *const one = &s->chunks[c];
        for (int k = 0; k < 3; k++) {
            all.lower[k] = fminf(all.lower[k], one->lower[k]);
            all.upper[k] = fmaxf(all.upper[k], one->upper[k]);
        }
        all.unfinite += one->unfinite, all.masked += one->masked, all.left_out += one->left_out;
    }
    return all;
}

/* ----- keys --------------------------------------------------------------------------------------------------- */

/* Returns the number of bits of n: 0 for 0. */
static unsigned bit_length(uint64_t n)
{
    return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

/* The most slabs for a cloud of n points: a power of two. */
static size_t most_slabs(size_t n)
{
    size_t slabs = 16;
    while (slabs < SORTED_SLABS && slabs * SORTED_SLAB < n) slabs *= 2;
    return slabs;
}

/* Returns false if the cloud is too wide. */
static bool make_grid(grid *g, float d, const float *lower, const float *upper, size_t count)
{
    g->inverse = 1 / ((double)d * (1 + 0x1p-20));
    uint64_t size[3];
    for (int k = 0; k < 3; k++) {
        const double inverse = k == 0 ? g->inverse * SORTED_FINE : g->inverse;
        if (!(fmax(fabs((double)lower[k]), fabs((double)upper[k])) * g->inverse < 0x1p26)) return false;
        g->lower[k] = clump_cell_near(lower[k], inverse);
        size[k] = (uint64_t)(clump_cell_near(upper[k], inverse) - (int64_t)g->lower[k]) + 1;
    }
    g->lower[0] &= -SORTED_FINE; /* so that the edges of whole cells are multiples of SORTED_FINE */
    g->cells_y = size[1];
    g->x_bits = bit_length(size[0] + SORTED_FINE - 1);
    if (bit_length(size[1] * size[2]) + g->x_bits > 62) return false;
    const uint64_t last = ((size[1] * size[2]) << g->x_bits) - 1;
    g->shift = SORTED_LOG; /* a whole cell is in one slab */
    while (last >> g->shift >= most_slabs(count)) g->shift++;
    g->slabs = (size_t)(last >> g->shift) + 1;
    return true;
}

/* Computes the keys of a batch. */
static void number_batch(const grid *g, const float *x, const float *y, const float *z, size_t m, uint64_t *key)
{
    int32_t cx[SORTED_BATCH], cy[SORTED_BATCH], cz[SORTED_BATCH];
    const double inverse = g->inverse, fine = g->inverse * SORTED_FINE;
    CLUMP_ASSERT(m <= SORTED_BATCH);
    for (size_t j = 0; j < m; j++) cx[j] = clump_cell_near(x[j], fine) - g->lower[0];
    for (size_t j = 0; j < m; j++) cy[j] = clump_cell_near(y[j], inverse) - g->lower[1];
    for (size_t j = 0; j < m; j++) cz[j] = clump_cell_near(z[j], inverse) - g->lower[2];
    for (size_t j = 0; j < m; j++)
        key[j] = ((uint32_t)cz[j] * g->cells_y + (uint32_t)cy[j]) << g->x_bits | (uint32_t)cx[j];
}

/* Writes the slab of every point of a chunk into its label, and counts the points per slab. */
static void number_chunk(const sorting *s, size_t c)
{
    const clump_cloud_job *const job = s->job;
    uint32_t *const tally = s->tally + c * s->g.slabs, *const slab_of = (uint32_t *)job->labels;
    const size_t end = chunk_end(s, c * SORTED_CHUNK);
    memset(tally, 0, s->g.slabs * sizeof *tally);
    for (size_t base = c * SORTED_CHUNK; base < end; base += SORTED_BATCH) {
        float x[SORTED_BATCH], y[SORTED_BATCH], z[SORTED_BATCH];
        uint64_t key[SORTED_BATCH];
        const size_t m = end - base < SORTED_BATCH ? end - base : SORTED_BATCH;
        clump_batch_load(job, base, m, x, y, z);
        if (s->chunks[c].left_out > 0) /* a number for points that take no part */
            for (size_t j = 0; j < m; j++)
                if (!clump_takes_part(job, base + j)) x[j] = y[j] = z[j] = 0;
        number_batch(&s->g, x, y, z, m, key);
        for (size_t j = 0; j < m; j++) {
            const uint32_t slab = (uint32_t)(key[j] >> s->g.shift);
            if (s->chunks[c].left_out > 0 && !clump_takes_part(job, base + j)) {
                slab_of[base + j] = SORTED_NONE;
                continue;
            }
            CLUMP_ASSERT(slab < s->g.slabs);
            slab_of[base + j] = slab;
            tally[slab]++;
        }
    }
}

static void number_chunks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t c = begin; c < end; c++) number_chunk(arg, c);
}

/* ----- slabs -------------------------------------------------------------------------------------------------- */

/* Counts the points of slabs. */
static void sum_tallies(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t k = begin; k < end; k++) s->slabs[k] = (sorted_slab){0};
    for (size_t c = 0; c < s->chunk_count; c++)
        for (size_t k = begin; k < end; k++) s->slabs[k].count += s->tally[c * s->g.slabs + k];
}

/* Turns the tallies of slabs into places. */
static void place_tallies(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t k = begin; k < end; k++) {
        size_t place = s->slabs[k].begin;
        for (size_t c = 0; c < s->chunk_count; c++) {
            uint32_t *const tally = &s->tally[c * s->g.slabs + k];
            const uint32_t count = *tally;
            *tally = (uint32_t)place;
            place += count;
        }
    }
}

/* Returns the number of points of the largest slab. */
static size_t place_slabs(const sorting *s)
{
    size_t place = 0, largest = 0;
    for (size_t k = 0; k < s->g.slabs; k++) {
        s->slabs[k].begin = place;
        place += s->slabs[k].count;
        largest = s->slabs[k].count > largest ? s->slabs[k].count : largest;
    }
    return largest;
}

/* Deals the points of chunks to their slabs. */
static void deal_chunks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    const uint32_t *const slab_of = (const uint32_t *)s->job->labels;
    for (size_t c = begin; c < end; c++) {
        uint32_t *const place = s->tally + c * s->g.slabs;
        const size_t last = chunk_end(s, c * SORTED_CHUNK);
        for (size_t i = c * SORTED_CHUNK; i < last; i++)
            if (slab_of[i] != SORTED_NONE) s->dealt[place[slab_of[i]]++] = clump_point_copy(s->job, i);
    }
}

/* Writes the words of the points of a slab: the low bits of the key, then the place in the slab. Returns the bits in
 * which words differ. */
static uint64_t write_words(const sorting *s, const sorted_slab *slab, unsigned place_bits, uint64_t *words)
{
    const clump_point *const p = s->dealt + slab->begin;
    const uint64_t mask = ((uint64_t)1 << s->g.shift) - 1;
    uint64_t differ = 0;
    for (size_t base = 0; base < slab->count; base += SORTED_BATCH) {
        float x[SORTED_BATCH], y[SORTED_BATCH], z[SORTED_BATCH];
        uint64_t key[SORTED_BATCH];
        const size_t m = slab->count - base < SORTED_BATCH ? slab->count - base : SORTED_BATCH;
        for (size_t j = 0; j < m; j++) x[j] = p[base + j].x, y[j] = p[base + j].y, z[j] = p[base + j].z;
        number_batch(&s->g, x, y, z, m, key);
        for (size_t j = 0; j < m; j++) {
            words[base + j] = (key[j] & mask) << place_bits | (base + j);
            differ |= words[base + j] ^ words[0];
        }
    }
    return differ;
}

/* Writes the order of a slab from its sorted words, marks the first point of every row, and finds rows and density.
 * The k-th point of a cell adds 2 k - 1, which makes the square of their number without a branch on where a cell
 * ends. */
static void note_order(const sorting *s, sorted_slab *slab, const uint64_t *words, unsigned place_bits, uint64_t high)
{
    uint32_t *const order = (uint32_t *)s->job->labels + slab->begin;
    const uint64_t places = ((uint64_t)1 << place_bits) - 1;
    uint64_t before = words[0] >> place_bits | high, k = 0;
    slab->first_row = before >> s->g.x_bits;
    for (size_t j = 0; j < slab->count; j++) {
        const uint64_t key = words[j] >> place_bits | high;
        const bool first = key >> s->g.x_bits != before >> s->g.x_bits;
        k = key >> SORTED_LOG == before >> SORTED_LOG ? k + 1 : 1;
        slab->squares += 2 * k - 1;
        slab->starts += first;
        order[j] = (uint32_t)(words[j] & places) | (first ? SORTED_FIRST : 0);
        before = key;
    }
    slab->last_row = before >> s->g.x_bits;
}

static void sort_slabs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t k = begin; k < end; k++) {
        sorted_slab *const slab = &s->slabs[k];
        if (slab->count == 0) continue;
        uint64_t *const a = s->words[0] + slab->begin, *const b = s->words[1] + slab->begin;
        const unsigned place_bits = bit_length(slab->count - 1);
        const unsigned bits = bit_length(write_words(s, slab, place_bits, a) >> place_bits);
        const uint64_t *const words = clump_radix_sort_alone(a, b, slab->count, place_bits, bits);
        note_order(s, slab, words, place_bits, (uint64_t)k << s->g.shift);
    }
}

/* Copies the points of slabs into their order. */
static void copy_slabs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    const clump_sorted *const out = s->out;
    for (size_t k = begin; k < end; k++) {
        const sorted_slab *const slab = &s->slabs[k];
        const clump_point *const p = s->dealt + slab->begin;
        const uint32_t *const order = (const uint32_t *)s->job->labels;
        for (size_t j = slab->begin; j < slab->begin + slab->count; j++) {
            const clump_point one = p[order[j] & ~SORTED_FIRST];
            out->x[j] = one.x, out->y[j] = one.y, out->z[j] = one.z, out->index[j] = one.more;
        }
    }
}

/* ----- rows --------------------------------------------------------------------------------------------------- */

/* Counts the rows before every slab. The first point of a slab may continue the last row before. */
static void count_rows(const sorting *s)
{
    uint32_t *const order = (uint32_t *)s->job->labels;
    uint64_t last = UINT64_MAX, squares = 0;
    size_t rows = 0;
    for (size_t k = 0; k < s->g.slabs; k++) {
        sorted_slab *const slab = &s->slabs[k];
        slab->rows_before = rows;
        if (slab->count == 0) continue;
        if (slab->first_row != last) order[slab->begin] |= SORTED_FIRST, slab->starts++;
        rows += slab->starts;
        squares += slab->squares;
        last = slab->last_row;
    }
    s->out->rows = rows;
    s->out->density = (double)squares / (double)s->out->n;
}

static void write_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    const uint32_t *const order = (const uint32_t *)s->job->labels;
    for (size_t k = begin; k < end; k++) {
        const sorted_slab *const slab = &s->slabs[k];
        size_t row = slab->rows_before;
        for (size_t j = slab->begin; j < slab->begin + slab->count; j++)
            if (order[j] & SORTED_FIRST) s->out->begin[row++] = (uint32_t)j;
        CLUMP_ASSERT(row == slab->rows_before + slab->starts);
    }
}

/* Labels all points noise that take no part. */
static void label_left_out(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_cloud_job *const job = ((const sorting *)arg)->job;
    for (size_t i = begin; i < end; i++)
        if (!clump_takes_part(job, i)) job->labels[i] = CLUMP_NOISE;
}

/* ----- all of it ---------------------------------------------------------------------------------------------- */

static size_t chunks_of(size_t count)
{
    return (count + SORTED_CHUNK - 1) / SORTED_CHUNK;
}

/* The bytes of chunks, slabs and tallies of a cloud, or of the bits that are there afterwards. */
static size_t tally_bytes(size_t count)
{
    const size_t chunks = chunks_of(count), slabs = most_slabs(count);
    const size_t bytes = chunks * sizeof(chunk) + slabs * sizeof(sorted_slab) + chunks * slabs * sizeof(uint32_t);
    return bytes > clump_sorted_bits(count) ? bytes : clump_sorted_bits(count);
}

/* For n points that take part. */
static clump_status reserve_points(clump_context *ctx, clump_sorted_memory memory, size_t n)
{
    CLUMP_TRY(clump_buffer_reserve(ctx, memory.wide, clump_rows_bytes(n)));
    return clump_buffer_reserve(ctx, memory.points, clump_rows_bytes(n));
}

/* Deals and sorts: everything after the grid is known. out->n becomes 0 where a slab has too many points. */
static clump_status sort_points(clump_context *ctx, sorting *s, int threads)
{
    const size_t slabs = s->g.slabs, together = 1 + slabs / 256; /* slabs per task */
    CLUMP_TRY(clump_run(ctx, threads, s->chunk_count, 1, number_chunks, s));
    CLUMP_TRY(clump_run(ctx, threads, slabs, 128, sum_tallies, s));
    if (s->g.shift + bit_length(place_slabs(s)) > 64) {
        s->out->n = 0;
        return CLUMP_OK;
    }
    CLUMP_TRY(clump_run(ctx, threads, slabs, 128, place_tallies, s));
    CLUMP_TRY(clump_run(ctx, threads, s->chunk_count, 1, deal_chunks, s));
    CLUMP_TRY(clump_run(ctx, threads, slabs, together, sort_slabs, s));
    count_rows(s);
    CLUMP_TRY(clump_run(ctx, threads, slabs, together, copy_slabs, s));
    return CLUMP_OK;
}

/* Divides the memory of the sorted points. */
static void place_arrays(const sorting *s, clump_sorted_memory memory)
{
    clump_sorted *const out = s->out;
    const size_t padded = out->n + CLUMP_ROWS_PAD;
    out->x = memory.points->data;
    out->y = out->x + padded, out->z = out->y + padded, out->index = (uint32_t *)(out->z + padded);
    out->begin = memory.wide->data;
    for (size_t k = 0; k < 3; k++) out->spare[k] = out->begin + (k + 1) * padded;
    out->bits = memory.tallies->data;
}

static void write_padding(const clump_sorted *out)
{
    for (size_t k = out->n; k < out->n + CLUMP_ROWS_PAD; k++) out->x[k] = out->y[k] = out->z[k] = NAN;
    out->begin[out->rows] = (uint32_t)out->n;
}

clump_status clump_sorted_make(clump_context *ctx, clump_sorted_memory memory, const clump_cloud_job *job, int threads,
                               clump_sorted *out)
{
    *out = (clump_sorted){0};
    if (job->count == 0) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(ctx, memory.tallies, tally_bytes(job->count)));
    sorting s = {.job = job, .chunk_count = chunks_of(job->count), .out = out};
    s.chunks = memory.tallies->data;
    s.slabs = (sorted_slab *)(s.chunks + s.chunk_count);
    CLUMP_TRY(clump_run(ctx, threads, s.chunk_count, 1, survey_chunks, &s));
    const chunk all = sum_chunks(&s);
    out->unfinite = all.unfinite, out->masked = all.masked, out->left_out = all.left_out;
    const size_t n = job->count - all.left_out;
    if (n == 0 || !make_grid(&s.g, job->d, all.lower, all.upper, job->count)) return CLUMP_OK;
    out->n = n;
    out->inverse = s.g.inverse;
    out->reach = (float)((double)job->d * (1 + 1.0 / SORTED_FINE + 0x1p-12));
    out->reach_on = (float)((double)job->d * (1 + 2.0 / SORTED_FINE + 0x1p-11));
    CLUMP_TRY(reserve_points(ctx, memory, n));
    s.tally = (uint32_t *)(s.slabs + most_slabs(job->count));
    s.dealt = memory.wide->data;
    s.words[0] = memory.points->data, s.words[1] = s.words[0] + n + CLUMP_ROWS_PAD;
    place_arrays(&s, memory);
    CLUMP_TRY(sort_points(ctx, &s, threads));
    if (out->n == 0) return CLUMP_OK;
    CLUMP_TRY(clump_run(ctx, threads, s.g.slabs, 1 + s.g.slabs / 64, write_rows, &s));
    write_padding(out);
    if (all.left_out > 0) CLUMP_TRY(clump_run(ctx, threads, job->count, CLUMP_CHUNK, label_left_out, &s));
    return CLUMP_OK;
}

clump_status clump_sorted_reserve(clump_context *ctx, clump_sorted_memory memory, size_t max_points)
{
    CLUMP_TRY(clump_buffer_reserve(ctx, memory.tallies, tally_bytes(max_points)));
    return reserve_points(ctx, memory, max_points);
}
