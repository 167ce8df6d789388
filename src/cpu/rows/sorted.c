/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sorted.c: see sorted.h. Points are sorted by their keys (row_keys.h). The cloud is cut into chunks that threads claim.
 * A chunk has one tally per slab, so every chunk can deal its points without waiting for others, and the order does not
 * depend on the threads. Steps and memory:
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

#include "common/sort.h"
#include "core/work.h"
#include "cpu/grid/batch.h"
#include "cpu/rows/row_keys.h"
#include "cpu/shared/points.h"

#include <math.h>

#define SORTED_CHUNK 16384      /* points per chunk: 30 to 80 us per step */
#define SORTED_SLAB  256        /* points per slab, about; scans fill a tenth of their slabs */
#define SORTED_SLABS 1024       /* at most: a cache line each fits into the second-level cache */
#define SORTED_FIRST 0x80000000 /* of an entry of the order in a slab: the point is the first of its row */
#define SORTED_NONE  UINT32_MAX /* the slab of a point that takes no part */

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
    clump_row_keys keys;
    clump_row_box *chunks;
    size_t chunk_count;
    sorted_slab *slabs;
    uint32_t *tally; /* chunk after chunk, one entry per slab */
    clump_point *dealt;
    uint64_t *words[2];
    clump_sorted *out;
} sorting;

static inline size_t chunk_end(const sorting *s, size_t begin)
{
    return s->job->count - begin < SORTED_CHUNK ? s->job->count : begin + SORTED_CHUNK;
}

static void survey_chunks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t c = begin; c < end; c++)
        s->chunks[c] = clump_row_box_make(s->job, c * SORTED_CHUNK, chunk_end(s, c * SORTED_CHUNK));
}

/* ----- keys --------------------------------------------------------------------------------------------------- */

/* The most slabs for a cloud of n points: a power of two. */
static size_t most_slabs(size_t n)
{
    size_t slabs = 16;
    while (slabs < SORTED_SLABS && slabs * SORTED_SLAB < n) slabs *= 2;
    return slabs;
}

/* Writes the slab of every point of a chunk into its label, and counts the points per slab. */
static void number_chunk(const sorting *s, size_t c)
{
    const clump_cloud_job *const job = s->job;
    uint32_t *const tally = s->tally + c * s->keys.slabs, *const slab_of = (uint32_t *)job->labels;
    const size_t end = chunk_end(s, c * SORTED_CHUNK);
    memset(tally, 0, s->keys.slabs * sizeof *tally);
    for (size_t base = c * SORTED_CHUNK; base < end; base += CLUMP_KEYS_BATCH) {
        float x[CLUMP_KEYS_BATCH], y[CLUMP_KEYS_BATCH], z[CLUMP_KEYS_BATCH];
        uint64_t key[CLUMP_KEYS_BATCH];
        const size_t m = end - base < CLUMP_KEYS_BATCH ? end - base : CLUMP_KEYS_BATCH;
        clump_batch_load(job, base, m, x, y, z);
        if (s->chunks[c].left_out > 0) /* a number for points that take no part */
            for (size_t j = 0; j < m; j++)
                if (!clump_takes_part(job, base + j)) x[j] = y[j] = z[j] = 0;
        clump_row_keys_number(&s->keys, x, y, z, m, key);
        for (size_t j = 0; j < m; j++) {
            const uint32_t slab = (uint32_t)(key[j] >> s->keys.shift);
            if (s->chunks[c].left_out > 0 && !clump_takes_part(job, base + j)) {
                slab_of[base + j] = SORTED_NONE;
                continue;
            }
            CLUMP_ASSERT(slab < s->keys.slabs);
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
        for (size_t k = begin; k < end; k++) s->slabs[k].count += s->tally[c * s->keys.slabs + k];
}

/* Turns the tallies of slabs into places. */
static void place_tallies(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t k = begin; k < end; k++) {
        size_t place = s->slabs[k].begin;
        for (size_t c = 0; c < s->chunk_count; c++) {
            uint32_t *const tally = &s->tally[c * s->keys.slabs + k];
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
    for (size_t k = 0; k < s->keys.slabs; k++) {
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
        uint32_t *const place = s->tally + c * s->keys.slabs;
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
    const uint64_t mask = ((uint64_t)1 << s->keys.shift) - 1;
    uint64_t differ = 0;
    for (size_t base = 0; base < slab->count; base += CLUMP_KEYS_BATCH) {
        float x[CLUMP_KEYS_BATCH], y[CLUMP_KEYS_BATCH], z[CLUMP_KEYS_BATCH];
        uint64_t key[CLUMP_KEYS_BATCH];
        const size_t m = slab->count - base < CLUMP_KEYS_BATCH ? slab->count - base : CLUMP_KEYS_BATCH;
        for (size_t j = 0; j < m; j++) x[j] = p[base + j].x, y[j] = p[base + j].y, z[j] = p[base + j].z;
        clump_row_keys_number(&s->keys, x, y, z, m, key);
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
    slab->first_row = before >> s->keys.x_bits;
    for (size_t j = 0; j < slab->count; j++) {
        const uint64_t key = words[j] >> place_bits | high;
        const bool first = key >> s->keys.x_bits != before >> s->keys.x_bits;
        k = key >> CLUMP_KEYS_LOG == before >> CLUMP_KEYS_LOG ? k + 1 : 1;
        slab->squares += 2 * k - 1;
        slab->starts += first;
        order[j] = (uint32_t)(words[j] & places) | (first ? SORTED_FIRST : 0);
        before = key;
    }
    slab->last_row = before >> s->keys.x_bits;
}

static void sort_slabs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    for (size_t k = begin; k < end; k++) {
        sorted_slab *const slab = &s->slabs[k];
        if (slab->count == 0) continue;
        uint64_t *const a = s->words[0] + slab->begin, *const b = s->words[1] + slab->begin;
        const unsigned place_bits = clump_bit_length(slab->count - 1);
        const unsigned bits = clump_bit_length(write_words(s, slab, place_bits, a) >> place_bits);
        const uint64_t *const words = clump_radix_sort_alone(a, b, slab->count, place_bits, bits);
        note_order(s, slab, words, place_bits, (uint64_t)k << s->keys.shift);
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
    for (size_t k = 0; k < s->keys.slabs; k++) {
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
    const size_t bytes =
        chunks * sizeof(clump_row_box) + slabs * sizeof(sorted_slab) + chunks * slabs * sizeof(uint32_t);
    return bytes > clump_sorted_bits(count) ? bytes : clump_sorted_bits(count);
}

/* For n points that take part. */
static clump_status reserve_points(clump_work *work, clump_sorted_memory memory, size_t n)
{
    CLUMP_TRY(clump_buffer_reserve(work, memory.wide, clump_rows_bytes(n)));
    return clump_buffer_reserve(work, memory.points, clump_rows_bytes(n));
}

/* Deals and sorts: everything after the grid is known. out->n becomes 0 where a slab has too many points. */
static clump_status sort_points(clump_work *work, sorting *s, int threads)
{
    const size_t slabs = s->keys.slabs, together = 1 + slabs / 256; /* slabs per task */
    CLUMP_TRY(clump_run(work, threads, s->chunk_count, 1, number_chunks, s));
    CLUMP_TRY(clump_run(work, threads, slabs, 128, sum_tallies, s));
    if (s->keys.shift + clump_bit_length(place_slabs(s)) > 64) {
        s->out->n = 0;
        return CLUMP_OK;
    }
    CLUMP_TRY(clump_run(work, threads, slabs, 128, place_tallies, s));
    CLUMP_TRY(clump_run(work, threads, s->chunk_count, 1, deal_chunks, s));
    CLUMP_TRY(clump_run(work, threads, slabs, together, sort_slabs, s));
    count_rows(s);
    CLUMP_TRY(clump_run(work, threads, slabs, together, copy_slabs, s));
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

clump_status clump_sorted_make(clump_work *work, clump_sorted_memory memory, const clump_cloud_job *job, int threads,
                               clump_sorted *out)
{
    *out = (clump_sorted){0};
    if (job->count == 0) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(work, memory.tallies, tally_bytes(job->count)));
    sorting s = {.job = job, .chunk_count = chunks_of(job->count), .out = out};
    s.chunks = memory.tallies->data;
    s.slabs = (sorted_slab *)(s.chunks + s.chunk_count);
    CLUMP_TRY(clump_run(work, threads, s.chunk_count, 1, survey_chunks, &s));
    clump_row_box all = s.chunks[0];
    for (size_t c = 1; c < s.chunk_count; c++) clump_row_box_add(&all, &s.chunks[c]);
    out->unfinite = all.unfinite, out->masked = all.masked, out->left_out = all.left_out;
    const size_t n = job->count - all.left_out;
    if (n == 0 || !clump_row_keys_make(&s.keys, job->d, &all, most_slabs(job->count))) return CLUMP_OK;
    out->n = n;
    out->inverse = s.keys.inverse;
    out->reach = (float)((double)job->d * (1 + 1.0 / CLUMP_KEYS_FINE + 0x1p-12));
    out->reach_on = (float)((double)job->d * (1 + 2.0 / CLUMP_KEYS_FINE + 0x1p-11));
    CLUMP_TRY(reserve_points(work, memory, n));
    s.tally = (uint32_t *)(s.slabs + most_slabs(job->count));
    s.dealt = memory.wide->data;
    s.words[0] = memory.points->data, s.words[1] = s.words[0] + n + CLUMP_ROWS_PAD;
    place_arrays(&s, memory);
    CLUMP_TRY(sort_points(work, &s, threads));
    if (out->n == 0) return CLUMP_OK;
    CLUMP_TRY(clump_run(work, threads, s.keys.slabs, 1 + s.keys.slabs / 64, write_rows, &s));
    write_padding(out);
    if (all.left_out > 0) CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, label_left_out, &s));
    return CLUMP_OK;
}

clump_status clump_sorted_reserve(clump_work *work, clump_sorted_memory memory, size_t max_points)
{
    CLUMP_TRY(clump_buffer_reserve(work, memory.tallies, tally_bytes(max_points)));
    return reserve_points(work, memory, max_points);
}
