/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_job.cuh: see tree.h: what kernels read and write. Two phases share the memory of their arrays: the rounds, which find the
 * edges, and the merge, which makes the hierarchy of them.
 */
#ifndef CLUMP_CUDA_TREE_TREE_JOB_CUH
#define CLUMP_CUDA_TREE_TREE_JOB_CUH

#include "cuda/gpu/warp.cuh"
#include "cuda/nn/tree.h"
#include "rules/distance.h"
#include "rules/union_find.h"

#include <math.h>

enum {
    TREE_LISTED = 12,  /* near points of a list, at most */
    TREE_THREADS = 256 /* per thread block */
};
static const uint32_t TREE_MIXED = UINT32_MAX;     /* no component has all points of a box */
static const uint32_t TREE_INFINITE = 0x7f800000u; /* bits of an infinite weight */
static const uint64_t TREE_NO_EDGE = UINT64_MAX;   /* in `best`: heavier than every edge */
static const uint32_t TREE_NO_SLOT = UINT32_MAX;   /* in `claim` and `first` */

/* What the host reads back. */
typedef struct tree_counters {
    uint32_t finite, masked; /* of all points */
    uint32_t places;         /* points that take part */
    uint32_t edges, ranks;   /* edges so far; different weights */
} tree_counters;

/* Arrays of the rounds have one entry per place unless said otherwise. Weights and distances are bits of floats that are not
 * negative: they compare as the numbers do. */
typedef struct tree_forest {
    clump_tree_view tree;
    uint32_t count; /* places */
    uint32_t *core; /* squared core distances */

    uint32_t *lower;     /* edges that leave the component, are not in the list and not `target`, are no lighter */
    uint32_t *near;      /* TREE_LISTED places per place, of which the first `fill` are in use */
    uint8_t *fill;       /* shrinks: what is in the own component is dropped */
    uint32_t *target;    /* other end of the lightest known edge */
    uint32_t *component; /* names */
    uint32_t *set;       /* union-find of names */
    uint64_t *best;      /* per name: lightest known edge that leaves, weight above place */
    uint32_t *least;     /* per name: the smallest `lower` of its points */

    uint32_t
        *box_component[CLUMP_TREE_LEVELS];  /* per box: name where all its points are in one component, or TREE_MIXED */
    uint32_t *box_core[CLUMP_TREE_LEVELS];  /* per box: smallest core distance */
    uint32_t *box_lower[CLUMP_TREE_LEVELS]; /* per box: as `lower`, of all its points; 0 in boxes of leaves */

    uint2 *edges;   /* places of both ends; in any order */
    uint64_t *keys; /* per edge: weight above its number */
    tree_counters *counters;
} tree_forest;

/* Arrays of the merge: edges by weight, and two slots per edge (tree_merge.cuh). */
typedef struct tree_merge {
    uint32_t edge_count;
    const uint64_t *sorted; /* keys of the edges */
    const uint2 *edges;
    uint32_t *rank;                 /* per edge: the number of smaller weights */
    uint32_t *id, *low, *up;        /* per slot */
    uint32_t *least, *claim, *root; /* per slot */
    uint32_t *first;                /* per place: its first slot */
    const float4 *points;           /* by place */
    int32_t *parents;               /* results, per point */
    float *heights;
} tree_merge;

__device__ static inline uint32_t tree_bits_of(float x)
{
    return (uint32_t)__float_as_int(x);
}

__device__ static inline uint32_t tree_distance_bits(const float4 &p, const float4 &q)
{
    return tree_bits_of(clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z));
}

/* The weight of a pair of places. */
__device__ static inline uint32_t tree_weight(const tree_forest &f, uint32_t a, uint32_t b)
{
    return max(tree_distance_bits(f.tree.points[a], f.tree.points[b]), max(f.core[a], f.core[b]));
}

/* Atomic minima that are skipped where the entry is no larger already: most are. */
__device__ static inline void tree_lower(uint32_t *at, uint32_t value)
{
    if (value < *(const volatile uint32_t *)at) atomicMin(at, value);
}

__device__ static inline void tree_lower_wide(uint64_t *at, uint64_t value)
{
    if (value < *(const volatile uint64_t *)at) atomicMin((unsigned long long *)at, (unsigned long long)value);
}

/* Joins the sets of a and b; returns whether they were different. Sets are linked in pseudo-random order: by index, neighbours
 * on a line would become a chain as long as the line. */
__device__ static inline bool tree_unite(uint32_t *set, uint32_t a, uint32_t b)
{
    const auto drawn = [](uint32_t i) { /* different for all i */
                                        i *= 0x9e3779b1u;
                                        i ^= i >> 15;
                                        return i * 0x85ebca77u;
    };
    for (;;) {
        a = clump_find(set, a);
        b = clump_find(set, b);
        if (a == b) return false;
        if (drawn(a) < drawn(b)) {
            const uint32_t swapped = a;
            a = b, b = swapped;
        }
        if (atomicCAS(&set[a], a, b) == a) return true;
    }
}

#endif
