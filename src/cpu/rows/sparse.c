/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.c: see rows.h. The cells are those of sorted.h, with an edge just over d. The cost of rows grows with the
 * points per cell, the cost of blocks falls with them. Two figures tell which is less:
 *
 *   density      points in a point's own cell, itself included, on average. Estimated from the pairs in a thin random
 *                sample. Measured on blobs, lines and KITTI scans: below 2.2 rows are always faster, above 6 blocks are.
 *   collisions   share of points in a cell that another point has taken. Between 2.2 and 6 this decides better. Rows win
 *                at 0.56 and lose at 0.70 (uniform), win at 0.65 (KITTI), are equal at 0.62 (joints); Xeon, AVX-512. A
 *                thin sample does not show it. So all points of a few parts of space are taken, chosen by a fixed hash;
 *                they are as dense as the whole cloud. This reads every point once, for 1 to 3 % of the time of such a
 *                cloud.
 *
 * Both depend little on the order of the points. The sample and its hash table lie in job->labels:
 *
 *     [ picked: n / 4 indices | slots: n / 2 ]
 */
#include "cpu/rows/rows.h"

#include "common/share.h"
#include "cpu/grid/batch.h"
#include "cpu/grid/slices.h"
#include "rules/cell.h"

#include <math.h>
#include <string.h>

#define SPARSE_FEW       8192 /* with fewer points both methods are fast and the choice is not worth its time */
#define SPARSE_LEAST     2048 /* points that a sample of 8 sqrt(n) and its hash table have room in */
#define SPARSE_DENSE     6.0  /* above it blocks win, below SPARSE_THIN rows: measured, see above */
#define SPARSE_THIN      2.2
#define SPARSE_COLLIDING 0.60 /* see above */
/* A thin sample has SPARSE_SAMPLE sqrt(n) points: 70 collisions at density 2.2, 192 at 6, so 12 and 7 % of error. */
#define SPARSE_SAMPLE 8
#define SPARSE_WANTED 2048 /* points in parts of space, about: 1 % of error */
#define SPARSE_BATCH  64

/* ----- the measure -------------------------------------------------------------------------------------------- */

typedef struct cell {
    int32_t x, y, z;
} cell;

static inline cell cell_of_point(const clump_cloud_job *job, clump_cell_rule rule, size_t i)
{
    const float *const f = clump_point_at(job, i);
    return (cell){clump_cell(f[0], rule), clump_cell(f[1], rule), job->two_d ? 0 : clump_cell(f[2], rule)};
}

/* Returns the share of the picked points in a cell that an earlier one has taken; 1 if no point takes part. */
static double collisions(const clump_cloud_job *job, clump_hash_key key, const uint32_t *picked, size_t count,
                         uint32_t *slot)
{
    const clump_cell_rule rule = clump_voxel_rule_make(job->d);
    const uint32_t slots = (uint32_t)(2 * count);
    CLUMP_ASSERT(2 * count <= job->count / 2);
    memset(slot, 0xff, slots * sizeof *slot);
    size_t points = 0, cells = 0;
    for (size_t k = 0; k < count; k++) {
        const uint32_t i = picked[k];
        if (!clump_takes_part(job, i)) continue;
        const cell c = cell_of_point(job, rule, i);
        uint32_t s = clump_hash_slot(clump_hash(key, c.x, c.y, c.z, 0), slots);
        bool taken = false;
        for (; slot[s] != UINT32_MAX && !taken; s = s + 1 < slots ? s + 1 : 0) {
            const cell other = cell_of_point(job, rule, slot[s]);
            taken = ((other.x ^ c.x) | (other.y ^ c.y) | (other.z ^ c.z)) == 0;
        }
        if (!taken) slot[s] = i;
        cells += !taken;
        points++;
    }
    return points > 0 ? 1 - (double)cells / (double)points : 1;
}

/* ----- the samples -------------------------------------------------------------------------------------------- */

/* The hash of a part of space. It has no key: the decision is the same for all contexts. */
static inline uint32_t hash_part(uint32_t x, uint32_t y, uint32_t z)
{
    return clump_hash_mixed(x * 0x9e3779b1u + y * 0x85ebca77u + z * 0xc2b2ae3du);
}

/* Picks points at random, with repetition: neighbours in the array are as likely as any others. */
static void pick_at_random(size_t n, size_t count, uint32_t *picked)
{
    uint64_t state = n;
    for (size_t k = 0; k < count; k++)
        picked[k] = clump_hash_slot((uint32_t)(clump_hash_draw(&state) >> 32), (uint32_t)n);
}

/* Returns the number of a part of space on one axis. Parts are 4 x 4 x 4 cells. The number is the integer nearest to
 * x / 4 edges - 3/8, in float32, taken from the low bits of a sum. Where float32 cannot tell parts apart, several share a
 * number. */
static inline uint32_t part_of(float x, float inverse)
{
    const float sum = (x * inverse - 0.375f) + 0x1.8p23f; /* in this order: the constants have no sum in float32 */
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* Picks the points of a slice whose part of space has a hash below `limit`; returns how many. picked has room for all. */
static size_t pick_parts(const clump_cloud_job *job, clump_share s, float inverse, uint32_t limit, uint32_t *picked)
{
    size_t count = 0;
    for (size_t base = s.begin; base < s.end; base += SPARSE_BATCH) {
        float x[SPARSE_BATCH], y[SPARSE_BATCH], z[SPARSE_BATCH];
        uint32_t hash[SPARSE_BATCH];
        const size_t m = s.end - base < SPARSE_BATCH ? s.end - base : SPARSE_BATCH;
        clump_batch_load(job, base, m, x, y, z);
        for (size_t j = 0; j < m; j++)
            hash[j] = hash_part(part_of(x[j], inverse), part_of(y[j], inverse), part_of(z[j], inverse));
        for (size_t j = 0; j < m; j++) {
            picked[count] = (uint32_t)(base + j); /* at most one per point so far */
            count += hash[j] < limit;
        }
    }
    return count;
}

/* ----- the decision ------------------------------------------------------------------------------------------- */

/* Estimates the density: two picks are in one cell with the probability density / n, also where they are one point. */
static double estimate_density(const clump_cloud_job *job, clump_hash_key key, size_t sample, uint32_t *picked,
                               uint32_t *slot)
{
    pick_at_random(job->count, sample, picked);
    return 2 * collisions(job, key, picked, sample, slot) * (double)job->count / (double)sample;
}

typedef struct picking {
    const clump_cloud_job *job;
    float inverse;
    uint32_t limit, *picked;
    int slices;
    size_t counts[CLUMP_MAX_THREADS]; /* points picked in each slice */
} picking;

static void pick_slice(void *arg, size_t t)
{
    picking *const p = arg;
    const clump_share s = clump_share_of(p->job->count, (int)t, p->slices);
    p->counts[t] = pick_parts(p->job, s, p->inverse, p->limit, p->picked + s.begin);
}

/* *colliding becomes whether the points in some parts of space collide too much. */
static clump_status find_collisions(clump_work *work, const clump_cloud_job *job, clump_hash_key key, int threads,
                                    uint32_t *picked, uint32_t *slot, bool *colliding)
{
    const size_t n = job->count, wanted = n / 8 < SPARSE_WANTED ? n / 8 : SPARSE_WANTED;
    const uint32_t limit = (uint32_t)(0x1p32 * (double)wanted / (double)n);
    picking p = {.job = job, .limit = limit, .picked = picked, .slices = threads};
    p.inverse = (float)(clump_voxel_rule_make(job->d).inverse / 4);
    CLUMP_TRY(clump_each_slice(work, threads, pick_slice, &p));
    size_t count = p.counts[0];
    for (int t = 1; t < threads; t++) {
        memmove(picked + count, picked + clump_share_of(n, t, threads).begin, p.counts[t] * sizeof *picked);
        count += p.counts[t];
    }
    /* far more points than wanted: a few parts hold a large share of all points */
    *colliding = count > n / 4 || count > 4 * SPARSE_WANTED || count == 0 ||
                 collisions(job, key, picked, count, slot) > SPARSE_COLLIDING;
    return CLUMP_OK;
}

/* Returns the density. Clouds of more than twice the limit are known after few points. job->count >= SPARSE_LEAST. */
static double density_up_to(const clump_cloud_job *job, clump_hash_key key, double limit)
{
    const size_t n = job->count, sample = (size_t)(SPARSE_SAMPLE * sqrt((double)n));
    CLUMP_ASSERT(n >= SPARSE_LEAST);
    uint32_t *const picked = (uint32_t *)job->labels, *const slot = picked + n / 4;
    const double early = estimate_density(job, key, sample / 4, picked, slot);
    return early > 2 * limit ? early : estimate_density(job, key, sample, picked, slot);
}

bool clump_is_thinner(const clump_cloud_job *job, clump_hash_key key, double limit)
{
    return job->count >= SPARSE_LEAST && density_up_to(job, key, limit) < limit;
}

clump_status clump_is_sparse(clump_work *work, const clump_cloud_job *job, clump_hash_key key, int threads,
                             bool *sparse)
{
    const size_t n = job->count;
    *sparse = false;
    if (n < SPARSE_FEW) return CLUMP_OK;
    const double density = density_up_to(job, key, SPARSE_DENSE);
    if (density > SPARSE_DENSE) return CLUMP_OK;
    uint32_t *const picked = (uint32_t *)job->labels, *const slot = picked + n / 4;
    bool colliding = false;
    if (density >= SPARSE_THIN) CLUMP_TRY(find_collisions(work, job, key, threads, picked, slot, &colliding));
    *sparse = !colliding;
    return CLUMP_OK;
}
