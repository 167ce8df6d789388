/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.cuh: cpu/papers/dbscan_dclust.c on a GPU: chains grow at once, each by a thread block of its own. By
 * default there are 256 chains, 512 threads per thread block and 1024 seeds per list, as in the paper. Until all points
 * are processed, an iteration is three kernels:
 *
 *     fill      each chain takes an unprocessed point and a new number: base + chain
 *     expand    a chain takes seeds from its list, which is in shared memory if it is short. All threads of the thread
 *               block read the points in the voxels around the seed. First they count. If there are enough, they visit
 *               the neighbours: an unprocessed one becomes a seed; a core point of another chain is a collision; a core
 *               point of a cluster of an earlier iteration is a correction
 *     merge     chains that collided are united, also with the clusters of their corrections
 *
 * and once, after the last iteration:
 *
 *     relabel   core points get the number that their chain has become. In every iteration it would be n steps for
 *               256 chains: n * n / 256 where chains collide in each
 *
 *     owner     by place in the grid:  UNPROCESSED,
 *                                      TAKEN: waits in a list, or is no core point,
 *                                      or the number of the chain whose core point it is
 *     parent    by number of a chain, union_find.h: the smallest is the root
 *
 * The host puts several iterations on the stream before it reads whether the last of them had a chain.
 *
 * The paper clears the collision and the correction matrix in a kernel of its own, "Init Matrix Kernel", before it
 * expands. Here `expand` does it: a thread block begins with empty rows of both matrices in shared memory, and writes the
 * whole rows when its chain is complete. The effect is the same. Only `merge` reads the matrices, and only the rows of
 * the chains of this iteration, each of which was written in full.
 *
 * What differs from the CPU's statement, and why the result is right:
 *
 *   1. Every point is expanded exactly once. UNPROCESSED becomes TAKEN by compare-and-swap, so one chain gets the point
 *   into its list, and no other chain writes its owner from then on. An iteration ends when all lists are empty. A full
 *   list loses no point: the point stays unprocessed, for another chain or a later iteration. This holds for lists of one
 *   seed and for one chain, too. (The CPU gives such a point to the cluster and leaves it open. By 2 this makes no
 *   difference.)
 *
 *   2. The owner of a point that is not core does not matter. The last step (dbscan_dclust.h) gives border points to the
 *   smallest number, whichever chain reached them. So noise that a core point reaches stays as it is.
 *
 *   3. A chain is connected: each of its core points but the first was a seed of another. A chain whose seeds were no core
 *   points has not begun and may take another point, so clouds full of noise need few iterations.
 *
 *   4. Of two core points a and b within eps, at least one sees the other as core, and notes it if the numbers differ.
 *   In one thread block, or in two iterations, the later sees the earlier. In two thread blocks at once: one writes
 *   owner[a], makes a fence, and then, behind the barrier, reads owner[b]; the other writes owner[b], makes a fence, reads
 *   owner[a]. __threadfence() is sequentially consistent, so one of the two fences is first. What was written before it is
 *   visible to reads after the second. (A barrier alone is not enough: it orders the threads of one thread block. Each
 *   thread block could find its own write, but not yet the other's.)
 *
 *   5. Numbers are never used twice, and each belongs to a different point with which a chain began: they are below n.
 *   Clusters of earlier iterations have numbers below base, each in the set of its cluster: a chain that reaches one finds
 *   its root, and notes the root. Corrections of a full row unite such sets meanwhile, by compare-and-swap. So a noted
 *   root may no longer be a root, but it stays in the same set.
 *
 *   6. Places that a chain has passed in its search for unprocessed points never become unprocessed again, so it stores
 *   how far it came. Each chain begins elsewhere and goes round once: chains grow far from each other at first.
 */
#ifndef CLUMP_CUDA_PAPERS_DBSCAN_DCLUST_CUH
#define CLUMP_CUDA_PAPERS_DBSCAN_DCLUST_CUH

#include <clump/papers.h>

#include "cuda/gpu/warp.cuh"
#include "cuda/papers/dbscan_dclust.h"
#include "rules/union_find.h"

enum {
    DCLUST_LEAST_THREADS = 32, /* per thread block; the sizes of small arrays below are not larger */
    DCLUST_ROW = 8,            /* clusters that a chain notes before it unites further ones with the first */
    DCLUST_MOST_WORDS = CLUMP_DCLUST_MOST_CHAINS / 32
};
static_assert((int)DCLUST_MOST_WORDS <= (int)DCLUST_LEAST_THREADS && (int)DCLUST_ROW <= (int)DCLUST_LEAST_THREADS,
              "one thread per entry of a row");

#define DCLUST_UNPROCESSED UINT32_MAX
#define DCLUST_TAKEN       (UINT32_MAX - 1)
#define DCLUST_NONE        UINT32_MAX /* in a row of the correction matrix */

typedef struct dclust_control {
    uint32_t chains[CLUMP_DCLUST_ITERATIONS]; /* in each iteration that was launched */
    uint32_t base, used;                      /* number of the first chain of this iteration, and number of chains */
} dclust_control;

/* Arrays without another remark have one entry per chain. */
typedef struct dclust_job {
    clump_six_search search;
    uint32_t min_points;
    uint32_t seeds; /* a list with this number of seeds is full */
    uint32_t room;  /* entries of a list: when it becomes full, every thread may still add one seed */
    uint32_t words; /* per row of the collision matrix */
    uint32_t *owner, *parent;
    dclust_control *control;
    unsigned long long *begun, *ended; /* when the thread block began and ended the first expansion; nanoseconds */
    uint32_t *passed;                  /* places from its beginning on that are not unprocessed */
    uint32_t *first;                   /* the point with which the chain begins */
    uint32_t *collision;               /* chain x chain, one bit per pair: `words` entries per chain */
    uint32_t *correction;              /* chain x the clusters to which it belongs: DCLUST_ROW entries per chain */
    uint32_t *lists;                   /* `room` entries per chain; null: the lists are in shared memory */
} dclust_job;

/* A chain while it grows, in shared memory. Its list is an array of its own. */
typedef struct dclust_chain {
    uint32_t waiting; /* seeds in the list */
    uint2 rows[9];    /* around the seed */
    uint32_t collision[DCLUST_MOST_WORDS], correction[DCLUST_ROW];
    uint32_t nearest; /* of the unprocessed points that were found */
} dclust_chain;

/* Reads an owner, which other thread blocks write at the same time. */
__device__ static inline uint32_t dclust_owner(const dclust_job &w, uint32_t place)
{
    return *(const volatile uint32_t *)&w.owner[place];
}

/* ----- fill ----------------------------------------------------------------------------------------- */

/* Returns the place where this thread block begins to search for unprocessed points. */
__device__ static inline uint32_t dclust_start(const dclust_job &w)
{
    return (uint32_t)((uint64_t)w.search.count * blockIdx.x / gridDim.x);
}

/* Takes the next unprocessed point after those that were passed; false where there is none. For all threads of a thread
 * block. */
__device__ static inline bool dclust_take_next(const dclust_job &w, uint32_t start, uint32_t *passed, uint32_t *nearest,
                                               uint32_t *place)
{
    const uint32_t n = w.search.count;
    while (*passed < n) {
        const uint32_t at = *passed + threadIdx.x;
        const uint32_t here = start < n - at ? start + at : start + at - n; /* not used where at >= n */
        const bool open = at < n && dclust_owner(w, here) == DCLUST_UNPROCESSED;
        if (!__syncthreads_or(open)) {
            *passed += blockDim.x;
            continue;
        }
        if (threadIdx.x == 0) *nearest = UINT32_MAX;
        __syncthreads();
        if (open) atomicMin(nearest, at);
        __syncthreads();
        const uint32_t found = *nearest;
        *place = start < n - found ? start + found : start + found - n;
        *passed = found + 1; /* taken now, by this chain or by another */
        const bool taken =
            threadIdx.x == 0 && atomicCAS(&w.owner[*place], DCLUST_UNPROCESSED, DCLUST_TAKEN) == DCLUST_UNPROCESSED;
        if (__syncthreads_or(taken)) return true;
    }
    return false;
}

/* Begins a chain, one thread block per chain. Chains that find a point are numbered in the order in which they find it. */
__device__ static inline void dclust_fill(const dclust_job &w, uint32_t *nearest)
{
    dclust_control *const control = w.control;
    uint32_t passed = w.passed[blockIdx.x], place = 0;
    const bool found = dclust_take_next(w, dclust_start(w), &passed, nearest, &place);
    if (threadIdx.x > 0) return;
    w.passed[blockIdx.x] = passed;
    if (!found) return;
    const uint32_t chain = atomicAdd(&control->used, 1u), number = control->base + chain;
    w.first[chain] = place;
    w.parent[number] = number;
}

/* ----- expand --------------------------------------------------------------------------------------- */

/* A thread's walk over its part of the points in the voxels around a seed. */
typedef struct dclust_walk {
    uint32_t row, at; /* at: in that row, or past its end */
} dclust_walk;

__device__ static inline bool dclust_next_place(const dclust_chain &c, dclust_walk *walk, uint32_t *place)
{
    while (walk->row < 9) {
        const uint2 row = c.rows[walk->row];
        if (walk->at < row.y - row.x) {
            *place = row.x + walk->at;
            walk->at += blockDim.x;
            return true;
        }
        walk->at -= row.y - row.x;
        walk->row++;
    }
    return false;
}

__device__ static inline bool dclust_within(const dclust_job &w, float4 p, uint32_t place)
{
    const float4 q = w.search.sorted[place];
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < w.search.bound;
}

/* Returns whether the seed at p is a core point. Counts no further than min_points. For all threads of a thread block. */
__device__ static inline bool dclust_is_core(const dclust_job &w, const dclust_chain &c, float4 p)
{
    uint32_t around = 0, found = 0;
    for (int row = 0; row < 9; row++) around += c.rows[row].y - c.rows[row].x;
    if (around < w.min_points) return false;
    dclust_walk walk = {0, threadIdx.x};
    for (uint32_t k = 0; k < around && found < w.min_points; k += blockDim.x) {
        uint32_t place;
        found += (uint32_t)__syncthreads_count(dclust_next_place(c, &walk, &place) && dclust_within(w, p, place));
    }
    return found >= w.min_points;
}

/* Notes that the chain has reached a core point of another owner. A full row has eight clusters that differed when they were
 * noted. The next cluster is united with the first of them at once: all belong to this chain. */
__device__ static inline void dclust_note_cluster(const dclust_job &w, dclust_chain *c, uint32_t base, uint32_t owner)
{
    if (owner >= base) {
        atomicOr(&c->collision[(owner - base) / 32], 1u << (owner - base) % 32);
        return;
    }
    const uint32_t cluster = clump_find(w.parent, owner);
    uint32_t first = cluster;
    for (int k = 0; k < DCLUST_ROW; k++) {
        const uint32_t noted = atomicCAS(&c->correction[k], DCLUST_NONE, cluster);
        if (noted == DCLUST_NONE || noted == cluster) return;
        if (k == 0) first = noted;
    }
    clump_unite(w.parent, first, cluster);
}

/* Visits the neighbours of the seed at p, a core point of the chain `number`. Where the owner alone decides, no distance is
 * computed. For all threads of a thread block. */
__device__ static inline void dclust_visit_neighbours(const dclust_job &w, dclust_chain *c, uint32_t *list, float4 p,
                                                      uint32_t base, uint32_t number)
{
    bool full = false;
    uint32_t noted = number;
    dclust_walk walk = {0, threadIdx.x};
    for (uint32_t place; dclust_next_place(*c, &walk, &place);) {
        const uint32_t owner = dclust_owner(w, place);
        if (owner == DCLUST_TAKEN || owner == number || owner == noted) continue;
        if (owner != DCLUST_UNPROCESSED) {
            if (!dclust_within(w, p, place)) continue;
            dclust_note_cluster(w, c, base, owner);
            noted = owner;
        } else if (!full && dclust_within(w, p, place)) {
            full = atomicAdd(&c->waiting, 0u) >= w.seeds; /* no thread takes from it now */
            if (!full && atomicCAS(&w.owner[place], DCLUST_UNPROCESSED, DCLUST_TAKEN) == DCLUST_UNPROCESSED)
                list[atomicAdd(&c->waiting, 1u)] = place;
        }
    }
}

/* Grows a chain until its list is empty, one thread block per chain. */
__device__ static inline void dclust_grow(const dclust_job &w, dclust_chain *c, uint32_t *list)
{
    const uint32_t chain = blockIdx.x, base = w.control->base, number = base + chain, start = dclust_start(w);
    uint32_t passed = w.passed[chain];
    if (threadIdx.x < w.words) c->collision[threadIdx.x] = 0;
    if (threadIdx.x < DCLUST_ROW) c->correction[threadIdx.x] = DCLUST_NONE;
    if (threadIdx.x == 0) {
        list[0] = w.first[chain];
        c->waiting = 1;
    }
    __syncthreads();
    for (bool begun = false;;) {
        const uint32_t waiting = c->waiting;
        uint32_t seed;
        if (waiting > 0)
            seed = list[waiting - 1];
        else if (begun || !dclust_take_next(w, start, &passed, &c->nearest, &seed))
            break;
        __syncthreads(); /* all threads have read the list */
        if (threadIdx.x == 0 && waiting > 0) c->waiting = waiting - 1;
        if (threadIdx.x < 9) c->rows[threadIdx.x] = w.search.rows[(size_t)w.search.voxel_of[seed] * 9 + threadIdx.x];
        __syncthreads();
        const float4 p = w.search.sorted[seed];
        if (!dclust_is_core(w, *c, p)) continue;
        begun = true;
        if (threadIdx.x == 0) {
            *(volatile uint32_t *)&w.owner[seed] = number;
            __threadfence(); /* before this thread block reads the owners of others: step 4 above */
        }
        __syncthreads();
        dclust_visit_neighbours(w, c, list, p, base, number);
        __syncthreads();
    }
    if (threadIdx.x < w.words) w.collision[chain * w.words + threadIdx.x] = c->collision[threadIdx.x];
    if (threadIdx.x < DCLUST_ROW) w.correction[chain * DCLUST_ROW + threadIdx.x] = c->correction[threadIdx.x];
    if (threadIdx.x == 0) w.passed[chain] = passed;
}

/* ----- merge ---------------------------------------------------------------------------------------- */

/* Unites the chains of this iteration. For all threads of one thread block. */
__device__ static inline void dclust_merge(const dclust_job &w)
{
    const uint32_t base = w.control->base, used = w.control->used;
    for (uint32_t k = threadIdx.x; k < used * w.words; k += blockDim.x) {
        const uint32_t chain = k / w.words, word = k % w.words;
        for (uint32_t bits = w.collision[k]; bits; bits &= bits - 1)
            clump_unite(w.parent, base + chain, base + 32 * word + (uint32_t)__ffs((int)bits) - 1);
    }
    for (uint32_t k = threadIdx.x; k < used * DCLUST_ROW; k += blockDim.x) {
        const uint32_t cluster = w.correction[k];
        if (cluster != DCLUST_NONE) clump_unite(w.parent, base + k / DCLUST_ROW, cluster);
    }
}

/* Replaces the owner of a core point by its root. clump_find, not clump_root: paths may be long now. */
__device__ static inline void dclust_relabel(const dclust_job &w, size_t place)
{
    if (place >= w.search.count) return;
    const uint32_t owner = w.owner[place];
    if (owner < DCLUST_TAKEN) w.owner[place] = clump_find(w.parent, owner);
}

#endif
