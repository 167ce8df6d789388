/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.cuh: cpu/dbscan/dbscan_dclust.c on a GPU: 256 chains, a block of 512 threads each, grow at once. Until all
 * points are processed, an iteration is three kernels, of which here is what they do:
 *
 *     fill      each chain takes a point nobody has processed, and a new number: base + chain
 *     expand    a chain takes seeds from its list, which is in shared memory. All threads of the block look at the
 *               points in the voxels around: first they count, then, if there are enough, each tells its neighbours:
 *               one that is unprocessed becomes a seed, a core point of another chain is a collision, one of a
 *               cluster of an earlier iteration a correction. The rows of both matrices begin empty in shared memory
 *     merge     chains that collided, and the clusters they are to be corrected to, become one
 *
 * and once, after the last:
 *
 *     relabel   core points get the one number that their chain has become. In every iteration it would be n steps for
 *               256 chains: n * n / 256 where chains meet in each
 *
 *     owner     by place in the grid:  UNPROCESSED,
 *                                      TAKEN: waits in a list, or was found not to be a core point,
 *                                      or the number of a chain: a core point of it
 *     parent    by number of a chain, union_find.h: the smallest stays
 *
 * The host puts some iterations on the stream before it looks whether the last of them had anything to do.
 *
 * What differs from the CPU's statement, and why all of this is right:
 *
 *   Every point is expanded exactly once. UNPROCESSED becomes TAKEN by compare-and-swap, so one chain gets the
 *   point, and has it in its list; no other writes to its owner from then on. An iteration ends when all lists are
 *   empty. A list that is full loses nothing: the point stays unprocessed, for another chain or a later iteration.
 *   (The CPU gives it to the cluster and leaves it open; it makes no difference, for:)
 *   Who has a point that is not core does not matter. The last step (dbscan_label.h) gives border points to the
 *   smallest number, whoever reached them. So noise that a core point reaches stays as it is.
 *
 *   A chain is connected: all its core points but the first were seeds because of another. A chain whose seeds were
 *   no core points has not begun and may take another point, so clouds full of noise need few iterations.
 *
 *   Of two core points a and b within eps, at least one sees the other as core, and notes it if the numbers differ.
 *   In one block, or in two iterations, the later sees the earlier. In two blocks at once: one writes owner[a],
 *   makes a fence, and then, behind the barrier, reads owner[b]; the other writes owner[b], makes a fence, reads
 *   owner[a]. __threadfence() is sequentially consistent, so one of the two fences is first, and what was written
 *   before it is seen by whoever reads after the second. (A barrier alone would not do: it orders the threads of a
 *   block, and each block could find its own write, but not yet the other's.)
 *
 *   Numbers are never used twice, and each belongs to another point that a chain began with: they are below n. What
 *   earlier iterations left has numbers below base, each in the set of its cluster: who meets one looks for the root,
 *   and notes that. Corrections of a row that is full unite such sets meanwhile, with compare-and-swap, so a root that
 *   was noted may be one no more; it is in the same set for ever.
 *
 *   Places that a chain has passed in its search for unprocessed points never become unprocessed again, so it
 *   remembers how far it came. Each begins elsewhere, and goes round once: chains grow far from each other at first.
 */
#ifndef CLUMP_CUDA_DCLUST_DBSCAN_DCLUST_CUH
#define CLUMP_CUDA_DCLUST_DBSCAN_DCLUST_CUH

#include "cuda/six/neighbours.cuh"
#include "rules/union_find.h"

enum {
    DCLUST_CHAINS = 256, /* the paper's blocks, */
    DCLUST_THREADS = 512,
    DCLUST_SEEDS = 1024, /* its seed list, */
    DCLUST_ROW = 8,      /* clusters that a chain notes before it folds them into one, */
    DCLUST_BATCH = 16,   /* and iterations between two looks of the host, at most */
    DCLUST_WORDS = DCLUST_CHAINS / 32
};

#define DCLUST_UNPROCESSED UINT32_MAX
#define DCLUST_TAKEN       (UINT32_MAX - 1)
#define DCLUST_NONE        UINT32_MAX /* in a row of the correction matrix */

/* What the host reads. Times are nanoseconds. */
typedef struct dclust_report {
    uint32_t chains[DCLUST_BATCH]; /* in each iteration of a batch */
    unsigned long long span;       /* time of all expansions, from the first block that began to the last that ended */
    unsigned long long busy[DCLUST_CHAINS]; /* of each block */
} dclust_report;

typedef struct dclust_control {
    dclust_report report;
    uint32_t base, used;            /* number of the first chain of this iteration, and how many there are */
    uint32_t first[DCLUST_CHAINS];  /* the point a chain begins with */
    uint32_t looked[DCLUST_CHAINS]; /* places behind where it began that are not unprocessed */
    unsigned long long begun[DCLUST_CHAINS], ended[DCLUST_CHAINS];
    uint32_t collision[DCLUST_CHAINS][DCLUST_WORDS]; /* chain x chain, a bit each */
    uint32_t correction[DCLUST_CHAINS][DCLUST_ROW];  /* chain x clusters that it is the same as */
} dclust_control;

typedef struct dclust_work {
    clump_six_near near;
    uint32_t min_points;
    uint32_t *owner, *parent;
    dclust_control *control;
} dclust_work;

/* A chain while it grows, in shared memory. Every thread may be about to add a seed when the list becomes full. */
typedef struct dclust_chain {
    uint32_t seeds[DCLUST_SEEDS + DCLUST_THREADS];
    uint32_t waiting; /* in seeds */
    uint2 rows[9];    /* around the seed */
    uint32_t collision[DCLUST_WORDS], correction[DCLUST_ROW];
    uint32_t nearest; /* of the unprocessed points that were seen */
} dclust_chain;

/* What other blocks write now. */
__device__ static inline uint32_t dclust_owner(const dclust_work &w, uint32_t place)
{
    return *(const volatile uint32_t *)&w.owner[place];
}

/* ----- fill ----------------------------------------------------------------------------------------- */

/* For all threads of a block: takes the next unprocessed point behind those that were looked at. */
__device__ static inline bool dclust_take_next(const dclust_work &w, uint32_t chain, uint32_t *looked,
                                               uint32_t *nearest, uint32_t *place)
{
    const uint32_t n = w.near.count, start = (uint32_t)((uint64_t)n * chain / DCLUST_CHAINS);
    while (*looked < n) {
        const uint32_t at = *looked + threadIdx.x;
        const uint32_t here = start < n - at ? start + at : start + at - n; /* of no use where at >= n */
        const bool open = at < n && dclust_owner(w, here) == DCLUST_UNPROCESSED;
        if (!__syncthreads_or(open)) {
            *looked += DCLUST_THREADS;
            continue;
        }
        if (threadIdx.x == 0) *nearest = UINT32_MAX;
        __syncthreads();
        if (open) atomicMin(nearest, at);
        __syncthreads();
        const uint32_t found = *nearest;
        *place = start < n - found ? start + found : start + found - n;
        *looked = found + 1; /* if this is not the one who takes it, another was */
        const bool taken =
            threadIdx.x == 0 && atomicCAS(&w.owner[*place], DCLUST_UNPROCESSED, DCLUST_TAKEN) == DCLUST_UNPROCESSED;
        if (__syncthreads_or(taken)) return true;
    }
    return false;
}

/* One block a chain; those that find a point are numbered as they come. */
__device__ static inline void dclust_fill(const dclust_work &w, uint32_t *nearest)
{
    dclust_control *const control = w.control;
    uint32_t looked = control->looked[blockIdx.x], place = 0;
    const bool found = dclust_take_next(w, blockIdx.x, &looked, nearest, &place);
    if (threadIdx.x > 0) return;
    control->looked[blockIdx.x] = looked;
    if (!found) return;
    const uint32_t chain = atomicAdd(&control->used, 1u), number = control->base + chain;
    control->first[chain] = place;
    w.parent[number] = number;
}

/* ----- expand --------------------------------------------------------------------------------------- */

/* A walk of one thread over its share of the points in the voxels around a seed. */
typedef struct dclust_walk {
    uint32_t row, at; /* at: in that row, or behind it */
} dclust_walk;

__device__ static inline bool dclust_next(const dclust_chain &c, dclust_walk *walk, uint32_t *place)
{
    while (walk->row < 9) {
        const uint2 row = c.rows[walk->row];
        if (walk->at < row.y - row.x) {
            *place = row.x + walk->at;
            walk->at += DCLUST_THREADS;
            return true;
        }
        walk->at -= row.y - row.x;
        walk->row++;
    }
    return false;
}

__device__ static inline bool dclust_within(const dclust_work &w, float4 p, uint32_t place)
{
    const float4 q = w.near.sorted[place];
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < w.near.bound;
}

/* For all threads of a block. Counts no further than it must. */
__device__ static inline bool dclust_is_core(const dclust_work &w, const dclust_chain &c, float4 p)
{
    uint32_t around = 0, found = 0;
    for (int row = 0; row < 9; row++) around += c.rows[row].y - c.rows[row].x;
    if (around < w.min_points) return false;
    dclust_walk walk = {0, threadIdx.x};
    for (uint32_t k = 0; k < around && found < w.min_points; k += DCLUST_THREADS) {
        uint32_t place;
        found += (uint32_t)__syncthreads_count(dclust_next(c, &walk, &place) && dclust_within(w, p, place));
    }
    return found >= w.min_points;
}

/* The chain has met a core point with another number. Where eight clusters are noted that were not the same when they
 * were, the next is made the same as the first of them at once: all belong to this chain. */
__device__ static inline void dclust_same(const dclust_work &w, dclust_chain *c, uint32_t base, uint32_t owner)
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

/* For all threads: the seed at p is a core point of the chain with that number, and its neighbours hear of it. What
 * can be told by the owner alone needs no distance. */
__device__ static inline void dclust_tell(const dclust_work &w, dclust_chain *c, float4 p, uint32_t base,
                                          uint32_t number)
{
    bool full = false;
    uint32_t noted = number;
    dclust_walk walk = {0, threadIdx.x};
    for (uint32_t place; dclust_next(*c, &walk, &place);) {
        const uint32_t owner = dclust_owner(w, place);
        if (owner == DCLUST_TAKEN || owner == number || owner == noted) continue;
        if (owner != DCLUST_UNPROCESSED) {
            if (!dclust_within(w, p, place)) continue;
            dclust_same(w, c, base, owner);
            noted = owner;
        } else if (!full && dclust_within(w, p, place)) {
            full = atomicAdd(&c->waiting, 0u) >= DCLUST_SEEDS; /* nobody takes from it now */
            if (!full && atomicCAS(&w.owner[place], DCLUST_UNPROCESSED, DCLUST_TAKEN) == DCLUST_UNPROCESSED)
                c->seeds[atomicAdd(&c->waiting, 1u)] = place;
        }
    }
}

/* One block a chain of this iteration, until its list is empty. */
__device__ static inline void dclust_grow(const dclust_work &w, dclust_chain *c)
{
    dclust_control *const control = w.control;
    const uint32_t chain = blockIdx.x, base = control->base, number = base + chain;
    uint32_t looked = control->looked[chain];
    if (threadIdx.x < DCLUST_WORDS) c->collision[threadIdx.x] = 0;
    if (threadIdx.x < DCLUST_ROW) c->correction[threadIdx.x] = DCLUST_NONE;
    if (threadIdx.x == 0) {
        c->seeds[0] = control->first[chain];
        c->waiting = 1;
    }
    __syncthreads();
    for (bool begun = false;;) {
        const uint32_t waiting = c->waiting;
        uint32_t seed;
        if (waiting > 0)
            seed = c->seeds[waiting - 1];
        else if (begun || !dclust_take_next(w, chain, &looked, &c->nearest, &seed))
            break;
        __syncthreads(); /* all know it */
        if (threadIdx.x == 0 && waiting > 0) c->waiting = waiting - 1;
        if (threadIdx.x < 9) c->rows[threadIdx.x] = w.near.rows[(size_t)w.near.voxel_of[seed] * 9 + threadIdx.x];
        __syncthreads();
        const float4 p = w.near.sorted[seed];
        if (!dclust_is_core(w, *c, p)) continue;
        begun = true;
        if (threadIdx.x == 0) {
            *(volatile uint32_t *)&w.owner[seed] = number;
            __threadfence(); /* before this block looks at the owners of others: see above */
        }
        __syncthreads();
        dclust_tell(w, c, p, base, number);
        __syncthreads();
    }
    if (threadIdx.x < DCLUST_WORDS) control->collision[chain][threadIdx.x] = c->collision[threadIdx.x];
    if (threadIdx.x < DCLUST_ROW) control->correction[chain][threadIdx.x] = c->correction[threadIdx.x];
    if (threadIdx.x == 0) control->looked[chain] = looked;
}

/* ----- merge ---------------------------------------------------------------------------------------- */

/* For all threads of one block. */
__device__ static inline void dclust_merge(const dclust_work &w)
{
    const dclust_control *const control = w.control;
    const uint32_t base = control->base, used = control->used;
    for (uint32_t k = threadIdx.x; k < used * DCLUST_WORDS; k += blockDim.x) {
        const uint32_t chain = k / DCLUST_WORDS, word = k % DCLUST_WORDS;
        for (uint32_t bits = control->collision[chain][word]; bits; bits &= bits - 1)
            clump_unite(w.parent, base + chain, base + 32 * word + (uint32_t)__ffs((int)bits) - 1);
    }
    for (uint32_t k = threadIdx.x; k < used * DCLUST_ROW; k += blockDim.x) {
        const uint32_t cluster = control->correction[k / DCLUST_ROW][k % DCLUST_ROW];
        if (cluster != DCLUST_NONE) clump_unite(w.parent, base + k / DCLUST_ROW, cluster);
    }
}

/* clump_find, not clump_root: paths may be long now, and it is not parent that is replaced. */
__device__ static inline void dclust_relabel(const dclust_work &w, size_t place)
{
    if (place >= w.near.count) return;
    const uint32_t owner = w.owner[place];
    if (owner < DCLUST_TAKEN) w.owner[place] = clump_find(w.parent, owner);
}

#endif
