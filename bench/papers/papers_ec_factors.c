/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clouds of four factors of Table 2, one factor varied at a time: ec-size, ec-clusters, ec-degree, ec-distance. With
 * --quick the clouds have 65536 points at most: the six take seconds for 262144 points on a CPU.
 *
 * The degree of these clouds (`joints`) is nominal: it grows with the number of points. Section 6 is about orders of
 * growth. Its clouds are `blob`, whose degree is k, with clusters of EC_ORDER_MEMBERS points: ec-order-n varies n alone,
 * ec-order-k varies k alone.
 */
#include "papers/papers_ec.h"

#include <stdio.h>
#include <string.h>

enum { FACTOR_VALUES = 9, EC_ORDER_MEMBERS = 512 };

typedef struct ec_sweep {
    const char *experiment;
    size_t n, c;                          /* 0: the factor that is varied; c of `blob`: follows from n */
    size_t values[FACTOR_VALUES];         /* ended by 0 */
    size_t quick_n, quick[FACTOR_VALUES]; /* the same with --quick */
} ec_sweep;

static const ec_sweep sweeps[] = {
    {"ec-size", 0, 128, {4096, 8192, 16384, 32768, 65536, 131072, 262144}, 0, {4096, 16384, 65536}},
    {"ec-clusters", 262144, 0, {16, 64, 256, 1024, 4096, 8192}, 65536, {16, 128, 2048}},
    {"ec-degree", 262144, 128, {1, 4, 16, 32, 64, 256, 1024, 2048}, 65536, {1, 32, 64, 512}},
    {"ec-distance", 65536, 1024, {1, 4, 16, 64, 256, 1024}, 65536, {1, 32, 1024}},
    {"ec-order-n", 0, 0, {4096, 16384, 65536, 262144}, 0, {2048, 8192}},
    {"ec-order-k", 65536, 0, {4, 16, 64, 256}, 8192, {4, 64}},
};
static const ec_sweep *sweep; /* of the job that is played */

static size_t value_of(size_t index)
{
    return papers.quick ? sweep->quick[index] : sweep->values[index];
}

static clump_factors factors_of(size_t index)
{
    const size_t value = value_of(index), n = papers.quick ? sweep->quick_n : sweep->n;
    clump_factors f = clump_factors_defaults();
    const bool order = strncmp(sweep->experiment, "ec-order", 8) == 0;
    f.points = n ? n : value, f.clusters = sweep->c ? sweep->c : order ? f.points / EC_ORDER_MEMBERS : value;
    if (order) f.layout = CLUMP_LAYOUT_BLOB;
    if (strcmp(sweep->experiment, "ec-degree") == 0 || strcmp(sweep->experiment, "ec-order-k") == 0)
        f.degree = (double)value;
    if (strcmp(sweep->experiment, "ec-distance") == 0) f.distance = value;
    return f;
}

static bool describe(size_t index, char *name, char *text)
{
    if (value_of(index) == 0) return false;
    const clump_factors f = factors_of(index);
    snprintf(name, CONTEST_NAME, "%s-%zu", sweep->experiment, value_of(index));
    snprintf(text, CONTEST_TEXT, "%s n=%zu c=%zu k=%g D=%zu d=1", clump_layout_name(f.layout), f.points, f.clusters,
             f.degree, f.distance);
    return true;
}

/* Section 5.2.3 explains the clustering stages of vertex and edge by atomicMin on one array of labels: in place. */
static void enter_in_place(contest *c)
{
    ec_enter_in_place(c, CLUMP_EC_VERTEX_RS, CONTEST_GPU);
    ec_enter_in_place(c, CLUMP_EC_EDGE_RS, CONTEST_GPU);
}

static bool enter(contest *c, clump_message *why)
{
    const clump_factors f = factors_of(c->index);
    if (!ec_make_case(c, sweep->experiment, (double)value_of(c->index), 1, why)) return false;
    if (!bench_cloud_factors(&f, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    ec_enter_all(c);
    if (strcmp(sweep->experiment, "ec-degree") == 0 && !papers.no_gpu) enter_in_place(c);
    return true;
}

/* The paper's own times of matrix-rs, on a GPU of 2015. */
static void figures(contest *c, contest_totals *totals)
{
    const ec_case *const item = c->scratch;
    const double most = ec_given_ms(item->experiment, "matrix-rs", item->x);
    const contestant *const ours = contest_find(c, "matrix-rs", CONTEST_GPU);
    if (ours && most > 0)
        contest_figure(totals, ours->time[0].median_ms <= most, "matrix-rs: %.3f ms [at most %g, the paper's]",
                       ours->time[0].median_ms, most);
}

/* One job per sweep; a job has no other way to tell its functions which one it is. */
static void begin(size_t which)
{
    sweep = &sweeps[which];
    ec_begin();
}
static void begin_size(void)
{
    begin(0);
}
static void begin_clusters(void)
{
    begin(1);
}
static void begin_degree(void)
{
    begin(2);
}
static void begin_distance(void)
{
    begin(3);
}
static void begin_order_n(void)
{
    begin(4);
}
static void begin_order_k(void)
{
    begin(5);
}

static const char legend[] =
    "Median ms; x = times as long as the first line. GPU: pinned memory, both copies included. ES methods on the CPU\n"
    "compare all pairs of points; they are left out where they would take too long.";

#define EC_SWEEP(function)                                                                                             \
    {                                                                                                                  \
        EC_JOB_OF_CALLS, .figures = figures, .legend = legend, .case_count = FACTOR_VALUES, .begin = function,         \
                         .describe = describe, .enter = enter                                                          \
    }
const contest_job ec_size_job = EC_SWEEP(begin_size);
const contest_job ec_clusters_job = EC_SWEEP(begin_clusters);
const contest_job ec_degree_job = EC_SWEEP(begin_degree);
const contest_job ec_distance_job = EC_SWEEP(begin_distance);
const contest_job ec_order_n_job = EC_SWEEP(begin_order_n);
const contest_job ec_order_k_job = EC_SWEEP(begin_order_k);
