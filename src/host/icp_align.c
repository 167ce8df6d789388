/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_align.c: see icp.h.
 */
#include "common/bits.h"
#include "common/timer.h"
#include "core/context.h"
#include "host/icp.h"

#include <math.h>
#include <string.h>

enum {
    ALIGN_MIN_SHARE = 4096,    /* points per thread that are worth waking it */
    ALIGN_BUCKETS = 65536,     /* one per value of half the bits of a distance */
    ALIGN_ALL = ALIGN_BUCKETS, /* find_bucket: all pairs, by the upper half of their bits */
};

/* ----- memory ------------------------------------------------------------------------------------ */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Reserves all memory in one piece, for iterations that are composed here. */
static clump_status reserve_memory(clump_align *a, clump_work *home, clump_buffer *scratch)
{
    const size_t n = a->source.count, m = a->normal_neighbours > 0 ? a->target.count : 0;
    const size_t g = a->source_index ? n : 0;
    const size_t doubles = clump_pairs_scratch(n), buckets = a->trims ? ALIGN_BUCKETS : 0;
    const size_t normals = m > 0 ? clump_normals_bytes(a->normal_neighbours) : 0;
    const size_t bytes = doubles * sizeof(double) + normals + buckets * sizeof(uint32_t) + 4 * n * sizeof(float) +
                         n * sizeof(int32_t) + larger(n, 1) * sizeof(int32_t) + 3 * (m + g) * sizeof(float) + m + g;
    if (bytes > scratch->bytes) CLUMP_TRY(clump_buffer_reserve(home, scratch, bytes + (a->roomy ? bytes / 4 : 0)));
    a->scratch = scratch->data;
    a->normals_scratch = (char *)(a->scratch + doubles);
    a->buckets = (uint32_t *)(void *)(a->normals_scratch + normals);
    a->moved = (float *)(a->buckets + buckets);
    a->distances = a->moved + 3 * n;
    a->indices = (int32_t *)(a->distances + n);
    a->wanted = a->indices + n;
    a->normals = m > 0 ? (float *)(a->wanted + larger(n, 1)) : NULL;
    a->from_normals = g > 0 ? a->normals + 3 * m : NULL;
    a->is_known = m > 0 ? (uint8_t *)(a->normals + 3 * (m + g)) : NULL;
    a->is_from_known = g > 0 ? a->is_known + m : NULL;
    return CLUMP_OK;
}

clump_status clump_align_begin(clump_align *a, clump_work *home, clump_buffer *scratch)
{
    CLUMP_ASSERT(a->index && a->on && a->source.stride >= 12 && a->target.stride >= 12);
    a->whole = a->on->table->icp_step != NULL && !a->source_index;
    a->again = false;
    a->query_ms = 0;
    a->job = (clump_icp_job){.source = (const char *)a->source.xyz,
                             .count = a->source.count,
                             .stride = a->source.stride,
                             .normal_neighbours = a->normal_neighbours,
                             .normal_flat = a->normal_flat,
                             .keep = a->trims ? 0.5 : 1};
    if (a->whole) return a->on->table->icp_begin(&a->ctx->work, a->on->state, clump_index_state(a->index), &a->job);
    CLUMP_TRY(reserve_memory(a, home, scratch));
    if (a->is_known) memset(a->is_known, 0, a->target.count);
    if (a->is_from_known) memset(a->is_from_known, 0, a->source.count);
    for (size_t i = 0; i < a->source.count; i++) a->indices[i] = -1;
    return CLUMP_OK;
}

/* ----- pairs ------------------------------------------------------------------------------------- */

typedef struct moving {
    const clump_align *a;
    const clump_rigid *motion;
} moving;

static void move_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_align *const a = ((const moving *)arg)->a;
    const clump_rigid *const m = ((const moving *)arg)->motion;
    for (size_t i = begin; i < end; i++) {
        const float *const p = clump_points_at(a->source, i);
        for (size_t k = 0; k < 3; k++) a->moved[3 * i + k] = clump_moved(m->turn + 3 * k, m->move[k], p);
    }
}

static clump_status move_source(const clump_align *a, const clump_rigid *motion)
{
    moving m = {a, motion};
    const int threads = clump_threads_for(&a->ctx->work, a->source.count, ALIGN_MIN_SHARE);
    return clump_run(&a->ctx->work, threads, a->source.count, ALIGN_MIN_SHARE, move_points, &m);
}

static clump_status find_pairs(clump_align *a)
{
    const double start = clump_now_ms();
    const clump_points queries = {.xyz = a->moved, .count = a->source.count};
    const clump_status status =
        clump_index_nearest_again(a->ctx, a->index, a->target, queries, a->again, a->most, a->indices, a->distances);
    a->query_ms += clump_now_ms() - start;
    return status;
}

/* One pass of a radix selection. Returns the bucket of the pair of this rank, counted from 1; *rank becomes its rank
 * within the bucket. With ALIGN_ALL buckets are the upper halves of all distances; else they are the lower halves of
 * those with this upper half. Squared distances are not negative, so they sort like their bits. */
static uint32_t find_bucket(const clump_align *a, uint32_t upper, size_t *rank)
{
    memset(a->buckets, 0, ALIGN_BUCKETS * sizeof *a->buckets);
    for (size_t i = 0; i < a->source.count; i++) {
        if (a->indices[i] < 0) continue;
        const uint32_t bits = clump_float_bits(a->distances[i]);
        if (upper == ALIGN_ALL)
            a->buckets[bits >> 16]++;
        else if (bits >> 16 == upper)
            a->buckets[bits & 0xffff]++;
    }
    uint32_t b = 0;
    while (a->buckets[b] < *rank) {
        *rank -= a->buckets[b++];
        CLUMP_ASSERT(b < ALIGN_BUCKETS);
    }
    return b;
}

/* Returns the largest squared distance of the pairs that are kept. */
static float find_cut(const clump_align *a)
{
    if (a->keep >= 1) return INFINITY;
    size_t pairs = 0;
    for (size_t i = 0; i < a->source.count; i++) pairs += a->indices[i] >= 0;
    if (pairs == 0) return INFINITY;
    size_t rank = clump_pairs_kept(a->keep, (uint32_t)pairs);
    const uint32_t upper = find_bucket(a, ALIGN_ALL, &rank), lower = find_bucket(a, upper, &rank);
    const uint32_t bits = upper << 16 | lower;
    float cut;
    memcpy(&cut, &bits, sizeof cut);
    return cut;
}

/* Computes the normals that pairs need for the first time. */
static clump_status find_normals(clump_align *a, float cut)
{
    size_t wanted = 0;
    for (size_t i = 0; i < a->source.count; i++) {
        const int32_t to = a->indices[i];
        if (to < 0 || a->distances[i] > cut || a->is_known[to]) continue;
        a->is_known[to] = 1;
        a->wanted[wanted++] = to;
    }
    if (wanted == 0) return CLUMP_OK;
    a->again = false; /* the queries for normals leave their own order */
    return clump_normals(a->ctx, a->index, a->target, a->normal_neighbours, a->normal_flat, a->wanted, wanted,
                         a->normals_scratch, a->normals);
}

/* The same for points of the source, for GICP. */
static clump_status find_from_normals(clump_align *a, float cut)
{
    size_t wanted = 0;
    for (size_t i = 0; i < a->source.count; i++) {
        if (a->indices[i] < 0 || a->distances[i] > cut || a->is_from_known[i]) continue;
        a->is_from_known[i] = 1;
        a->wanted[wanted++] = (int32_t)i;
    }
    if (wanted == 0) return CLUMP_OK;
    a->again = false;
    return clump_normals(a->ctx, a->source_index, a->source, a->normal_neighbours, a->normal_flat, a->wanted, wanted,
                         a->normals_scratch, a->from_normals);
}

clump_status clump_align_sum(clump_align *a, const clump_rigid *motion, double *sums)
{
    a->job.keep = a->keep;
    a->job.bound = clump_distance_bound(a->most);
    a->job.kernel = a->kernel;
    memcpy(a->job.center, a->center, sizeof a->center);
    if (a->whole) { /* the backend polls: it may have work under way that reads the source */
        const double start = clump_now_ms();
        const clump_status status =
            a->on->table->icp_step(&a->ctx->work, a->on->state, clump_index_state(a->index), &a->job, motion, sums);
        a->query_ms += clump_now_ms() - start;
        return status;
    }
    CLUMP_TRY(clump_poll(&a->ctx->work));
    CLUMP_TRY(move_source(a, motion));
    CLUMP_TRY(find_pairs(a));
    a->again = true;
    const float cut = find_cut(a);
    if (a->normals) CLUMP_TRY(find_normals(a, cut));
    if (a->from_normals) CLUMP_TRY(find_from_normals(a, cut));
    const clump_pairs pairs = {.target = a->target,
                               .moved = a->moved,
                               .indices = a->indices,
                               .distances = a->distances,
                               .count = a->source.count,
                               .normals = a->normals,
                               .from_normals = a->from_normals,
                               .turn = motion->turn,
                               .center = a->center,
                               .kernel = a->kernel,
                               .cut = cut};
    return clump_pairs_sum(&a->ctx->work, &pairs, a->scratch, sums);
}

double clump_align_fitness(const clump_align *a, const double *sums)
{
    double finite = 0, pairs = 0;
    if (a->whole) finite = sums[CLUMP_SUM_FINITE], pairs = sums[CLUMP_SUM_PAIRS];
    for (size_t i = 0; !a->whole && i < a->source.count; i++) {
        finite += clump_xyz_is_finite(a->moved + 3 * i);
        pairs += a->indices[i] >= 0;
    }
    return finite > 0 ? pairs / finite : 0;
}

/* ----- motions ----------------------------------------------------------------------------------- */

clump_rigid clump_align_about_origin(const clump_align *a, clump_rigid step)
{
    for (int k = 0; k < 3; k++) {
        double turned = 0;
        for (int j = 0; j < 3; j++) turned += step.turn[3 * k + j] * a->center[j];
        step.move[k] += a->center[k] - turned;
    }
    return step;
}

bool clump_align_step(const clump_align *a, const double *sums, clump_rigid *step)
{
    if (!(sums[CLUMP_SUM_KEPT] >= 3)) return false;
    if (a->normal_neighbours > 0) {
        clump_plane_sums planes = {.count = sums[CLUMP_SUM_WEIGHTS]};
        memcpy(planes.a, sums + CLUMP_SUM_A, sizeof planes.a);
        memcpy(planes.b, sums + CLUMP_SUM_B, sizeof planes.b);
        return clump_rigid_of_planes(&planes, step);
    }
    clump_pair_sums pairs = {.count = sums[CLUMP_SUM_WEIGHTS]};
    memcpy(pairs.p, sums + CLUMP_SUM_P, sizeof pairs.p);
    memcpy(pairs.q, sums + CLUMP_SUM_Q, sizeof pairs.q);
    memcpy(pairs.pq, sums + CLUMP_SUM_PQ, sizeof pairs.pq);
    return clump_rigid_of_pairs(&pairs, step);
}

double clump_align_rmse(const clump_align *a, const double *sums)
{
    const double pairs = sums[a->kernel.width2 > 0 ? CLUMP_SUM_WEIGHTS : CLUMP_SUM_KEPT];
    return pairs > 0 ? sqrt(sums[CLUMP_SUM_SQUARES] / pairs) : 0;
}

int clump_align_entry(int i, int j)
{
    CLUMP_ASSERT(0 <= i && i <= j && j < 6);
    return CLUMP_SUM_A + i * 6 - i * (i - 1) / 2 + j - i;
}

static void inform_of_planes(const double *sums, double information[36])
{
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++) {
            const int row = (i + 3) % 6, column = (j + 3) % 6;
            const int at = clump_align_entry(row < column ? row : column, row < column ? column : row);
            information[6 * i + j] = information[6 * j + i] = sums[at];
        }
}

/* With p for points relative to the center: a rotation by r moves them by r x p. */
static void inform_of_points(const double *sums, double information[36])
{
    const double *const p = sums + CLUMP_SUM_P, *const pq = sums + CLUMP_SUM_PQ;
    const double turned[9] = {0, p[2], -p[1], -p[2], 0, p[0], p[1], -p[0], 0}; /* the sum of r x p, by r */
    memset(information, 0, 36 * sizeof *information);
    for (int i = 0; i < 3; i++) {
        information[7 * i] = sums[CLUMP_SUM_WEIGHTS];
        for (int j = 0; j < 3; j++) {
            information[6 * i + 3 + j] = information[6 * (3 + j) + i] = turned[3 * i + j];
            information[6 * (3 + i) + 3 + j] =
                (i == j ? pq[0] + pq[4] + pq[8] : 0) - (pq[3 * i + j] + pq[3 * j + i]) / 2;
        }
    }
}

void clump_align_information(const clump_align *a, const double *sums, double information[36])
{
    if (a->normal_neighbours > 0)
        inform_of_planes(sums, information);
    else
        inform_of_points(sums, information);
}
