/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_job.cuh: the data that the kernels of clump_objects work on. The body of a kernel is a function for one item, a
 * point, a place in the rings or a node, that the host can run too: tests/gpu/objects.cu compares it with the CPU without a
 * GPU.
 *
 *     buffer     one entry per   holds
 *     jumps      point           jumps of the azimuth, then their sums: rings by the order of the points
 *     keys       point           ring and azimuth; `sorted` in this order, `index` with the points
 *     begin      ring            its first place in this order, and the end of the last
 *     point      place           x, y, z, and the azimuth in `azimuth`
 *     bounds     place           squares of the radii of all levels
 *     link       place           the level at which it is joined with the next in its ring; the number of levels: at none
 *     ahead[t]   place           the levels at which it has to be joined with the one t + 1 places after it in its ring
 *     tests[r]   place           the tests with ring r + 1 after its own
 *     of[k]      point           its node of level k, CLUMP_GPU_NONE for a point that is not clustered
 *     node[k]    node            measures (core/node.h)
 *     parts[k]   node            its parts (core/node.h); not of the finest level
 *     name       node, level 0   the node that names its cluster
 *     marks      32 points       a bit per point: the first of its cluster (gpu/marks.cuh); numbers: the marks before
 *     whole      label           measures of the clusters that are listed
 *
 * Nodes have numbers below the number of points: a label of Euclidean clustering (exact neighbours), or the smallest point
 * of the node (neighbours of the scan).
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_JOB_CUH
#define CLUMP_CUDA_OBJECTS_OBJECTS_JOB_CUH

#include "core/backend.h"
#include "core/node.h"
#include "cuda/gpu/labels.h"
#include "cuda/gpu/transfer.h"
#include "rules/float_key.h"
#include "rules/radius.h"
#include "rules/rings.h"
#include "rules/scan.h"

/* A node. Measures are keys of floats (rules/float_key.h), for atomic minima and maxima. */
typedef struct objects_node {
    uint32_t count;
    uint32_t low[CLUMP_NODE_DIRECTIONS], high[CLUMP_NODE_DIRECTIONS];
    uint32_t bottom, top, lowest, highest;
    uint32_t first; /* the smallest index of its points; of the finest level only */
    uint32_t size;  /* points of the cluster that it names, before people are cut out; in `whole`: 1 + level
                     * of an object */
    uint32_t start; /* the smallest index of the points of that cluster */
} objects_node;

static_assert(sizeof(objects_node) == 128, "a line of the cache");

/* As clump_node_parts, for atomic sums and maxima. */
typedef struct objects_parts {
    uint32_t people, most_person, users, most_user;
} objects_parts;

typedef struct objects_name {
    uint32_t node;
    uint16_t level, object; /* object: 1, background: 0 */
} objects_name;

/* Tests of a point with one of the next rings (rules/scan.h). */
enum { OBJECTS_TESTS = 1 + 2 * CLUMP_SCAN_BESIDE };
static_assert(CLUMP_SCAN_BESIDE == 1, "objects_beside: the nearest, the one before, the one after");

typedef struct objects_tests {
    uint32_t nearest;             /* a place */
    uint8_t level[OBJECTS_TESTS]; /* at which the points are joined; the number of levels: at none */
} objects_tests;

/* Zeroed before. */
typedef struct objects_counters {
    clump_ring_steps steps;
    uint32_t counted;    /* thread blocks that have counted steps */
    uint32_t not_finite; /* points */
    uint32_t rings;      /* of given rings: the largest number + 1 */
} objects_counters;

/* What the GPU reports before the tree is built, and after it: in pinned memory of the host. */
typedef struct objects_report {
    clump_ring_steps steps;
    uint32_t rings;
} objects_report;

typedef struct objects_job {
    clump_cloud_view view; /* its mask has the points that are clustered */
    const float *above;    /* heights above the ground; null: the ground is not known */
    clump_objects_rule rule;
    clump_radius_rule radius[CLUMP_OBJECTS_LEVELS]; /* per_metre may be 0 */

    clump_ring_source source; /* NONE: exact neighbours */
    uint32_t rings;           /* there are not more */
    clump_ring_order order;
    const uint16_t *given; /* a ring per point; on the GPU not checked */
    uint64_t columns;
    const uint16_t *table; /* the ring of a bin of vertical angles */
    uint32_t *bins;        /* points per bin of vertical angles */
    uint32_t *jumps;       /* one more than points */
    uint64_t *keys, *sorted;
    uint32_t *places, *index;
    uint32_t *begin; /* CLUMP_RINGS_MOST + 1 */
    float4 *point, *bounds;
    float *azimuth;
    uint8_t *link, *ahead[CLUMP_SCAN_NEXT];
    objects_tests *tests[CLUMP_SCAN_RINGS];

    uint32_t *of[CLUMP_OBJECTS_LEVELS];
    const clump_counts *level_counts; /* of Euclidean clustering per level, for exact neighbours */
    objects_node *node[CLUMP_OBJECTS_LEVELS];
    objects_parts *parts[CLUMP_OBJECTS_LEVELS]; /* of the finest level: unused */
    objects_name *name;
    uint32_t *marks, *numbers;
    int32_t *labels;
    clump_counts *counts;
    objects_counters *counters;
    objects_report *report; /* null: the host does not wait */

    objects_node *whole;
    clump_object *found;
    uint32_t listed; /* entries of both */
} objects_job;

static_assert(sizeof(objects_job) <= 4000, "it is a kernel argument, passed by value");

/* ----- on the GPU, and on the host with one thread ------------------------------------------------------- */

#define OBJECTS_BODY __host__ __device__ static inline

/* Lowers, raises or adds to a number of several threads. `known` is a value that it had: most values change nothing. */
OBJECTS_BODY void objects_lower_from(uint32_t *at, uint32_t known, uint32_t value)
{
#if defined(__CUDA_ARCH__)
    if (value < known) atomicMin(at, value);
#else
    (void)known;
    if (value < *at) *at = value;
#endif
}

OBJECTS_BODY void objects_raise_from(uint32_t *at, uint32_t known, uint32_t value)
{
#if defined(__CUDA_ARCH__)
    if (value > known) atomicMax(at, value);
#else
    (void)known;
    if (value > *at) *at = value;
#endif
}

/* Returns a value that a number of several threads had. */
OBJECTS_BODY uint32_t objects_peek(const uint32_t *at)
{
#if defined(__CUDA_ARCH__)
    return __ldcg(at);
#else
    return *at;
#endif
}

OBJECTS_BODY void objects_lower(uint32_t *at, uint32_t value)
{
    objects_lower_from(at, objects_peek(at), value);
}

OBJECTS_BODY void objects_raise(uint32_t *at, uint32_t value)
{
    objects_raise_from(at, objects_peek(at), value);
}

OBJECTS_BODY void objects_add(uint32_t *at, uint32_t value)
{
#if defined(__CUDA_ARCH__)
    atomicAdd(at, value);
#else
    *at += value;
#endif
}

OBJECTS_BODY void objects_set_bits(uint32_t *at, uint32_t bits)
{
#if defined(__CUDA_ARCH__)
    atomicOr(at, bits);
#else
    *at |= bits;
#endif
}

OBJECTS_BODY uint32_t objects_count_bits(uint32_t bits)
{
#if defined(__CUDA_ARCH__)
    return (uint32_t)__popc(bits);
#else
    return (uint32_t)__builtin_popcount(bits);
#endif
}

/* Returns a copy of a node that other threads change: each number is one that it had. */
OBJECTS_BODY objects_node objects_glance(const objects_node *n)
{
#if defined(__CUDA_ARCH__)
    enum { QUARTERS = sizeof(objects_node) / sizeof(uint4) };
    union {
        objects_node node;
        uint4 part[QUARTERS];
    } copy;
    for (int k = 0; k < QUARTERS; k++) copy.part[k] = __ldcg((const uint4 *)n + k);
    return copy.node;
#else
    return *n;
#endif
}

OBJECTS_BODY const float *objects_point(const objects_job &job, size_t i)
{
    return (const float *)(job.view.points + i * job.view.stride);
}

OBJECTS_BODY bool objects_is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

#endif
