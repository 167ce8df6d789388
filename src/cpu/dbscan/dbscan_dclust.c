/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.c: CUDA-DClust+ (Poudel and Gowanlock 2021; section 3.2 of Ky and Beach 2024), every step in plain C.
 * 256 chains grow at once, each from a seed of its own; where they meet is written down and sorted out afterwards.
 * Until all points are processed, an iteration:
 *
 *     fill      each chain gets a point nobody has processed, and a new number: base + chain
 *     clear     the collision and the correction matrix
 *     expand    in turn, each chain takes a seed from its list and searches around it. With enough neighbours it
 *               is core: neighbours that are unprocessed join the chain and become seeds, noise joins, and a
 *               neighbour that is core in another chain is a collision, in a cluster of an earlier iteration a
 *               correction
 *     merge     chains that collided, and the clusters they are to be corrected to, become one
 *
 *     owner     UNPROCESSED   NOISE   0 ... base - 1: cluster   base ... : chain of this iteration
 *     collision       chain x chain, a bit each: they are the same cluster
 *     correction      chain x 8: clusters that the chain is the same as. More than that are one already: when a row
 *                     is full its clusters are united and take one entry, so the row has no end
 *
 * Where this has to be more careful than the paper:
 *
 *   A full seed list loses nothing. The point joins the chain but is marked OPEN, and fill takes open points
 *   like unprocessed ones. If such a seed proves to be core, it is connected to the core point that took it in, so
 *   the new chain is corrected to the old cluster; if not, it stays a border point there. Open points that follow
 *   each other in one cluster share a chain, so that a crowd is done in n / (chains * seeds) iterations.
 *   Fill never goes back: a point behind it was a seed, so it is neither unprocessed nor can it be left open.
 *
 *   A border point merges nothing: only two core points do. If the neighbour is not known to be core yet, it is
 *   still in some list or open; when its turn comes it will find this one core. So the second of the two notes it.
 *
 *   A border point joins the cluster with the smallest number, which is known only at the end: the last step
 *   (dbscan_tree.c) decides it, whatever chain had the point.
 *
 * Chain numbers are never used twice: a point is the first seed of a chain at most once, so they are below n, and
 * clusters are sets of them (union_find.h). Memory is linear, 28 bytes a point, plus the lists, 1 MiB. Time grows with
 * the number of neighbour pairs. Points are searched for in the kd-tree; nothing here depends on how.
 */
#include "cpu/dbscan/dbscan_dclust.h"

#include "common/bits.h"
#include "common/timer.h"
#include "core/context.h"
#include "rules/union_find.h"

#include <string.h>

#define UNPROCESSED UINT32_MAX
#define NOISE       (UINT32_MAX - 1)
#define OPEN        0x80000000u /* with the number of a chain, which has 31 bits */

typedef struct chain {
    uint32_t *seeds;
    size_t waiting; /* in seeds */
    uint64_t *collision;
    size_t corrections;
    uint32_t correction[CLUMP_DCLUST_ROW];
} chain;

typedef struct work {
    const clump_kdtree *tree;
    uint32_t *owner, *parent; /* by place; by number of a chain */
    uint8_t *core;
    float bound;
    size_t min_points;
    chain *chains;
    size_t chain_count, room; /* room of a seed list */
    size_t words;             /* of a row of the collision matrix */
    size_t used;              /* chains of this iteration */
    uint32_t base;            /* number of the first of them */
    size_t next;              /* places before this are done, or are seeds */
} work;

static bool is_open(uint32_t owner)
{
    return owner < NOISE && (owner & OPEN);
}

/* ----- notes on who is the same ------------------------------------------------------------------- */

static void correct(work *w, chain *c, uint32_t cluster)
{
    cluster = clump_find(w->parent, cluster);
    for (size_t k = 0; k < c->corrections; k++)
        if (c->correction[k] == cluster) return;
    if (c->corrections == CLUMP_DCLUST_ROW) {
        for (size_t k = 1; k < CLUMP_DCLUST_ROW; k++) clump_unite_alone(w->parent, c->correction[0], c->correction[k]);
        c->corrections = 1;
    }
    c->correction[c->corrections++] = cluster;
}

/* The chain has met a core point of that owner. */
static void same(work *w, chain *c, uint32_t owner)
{
    if (owner < w->base)
        correct(w, c, owner);
    else
        c->collision[(owner - w->base) / 64] |= UINT64_C(1) << (owner - w->base) % 64;
}

/* ----- the steps ---------------------------------------------------------------------------------- */

/* An open point keeps its cluster until it proves to be core, as it may be a border point. */
static bool fill(work *w)
{
    const size_t n = w->tree->count;
    w->used = 0;
    while (w->used < w->chain_count) {
        while (w->next < n && w->owner[w->next] != UNPROCESSED && !is_open(w->owner[w->next])) w->next++;
        if (w->next == n) break;
        chain *const c = &w->chains[w->used];
        const uint32_t number = w->base + (uint32_t)w->used++;
        w->parent[number] = number;
        const uint32_t owner = w->owner[w->next];
        c->waiting = 0;
        c->seeds[c->waiting++] = (uint32_t)w->next;
        w->owner[w->next++] = owner == UNPROCESSED ? number : owner & ~OPEN;
        if (owner == UNPROCESSED) continue;
        const uint32_t cluster = clump_find(w->parent, owner & ~OPEN);
        while (w->next < n && c->waiting < w->room && is_open(w->owner[w->next]) &&
               clump_find(w->parent, w->owner[w->next] & ~OPEN) == cluster) {
            c->seeds[c->waiting++] = (uint32_t)w->next;
            w->owner[w->next++] &= ~OPEN;
        }
    }
    return w->used > 0;
}

static void clear(work *w)
{
    for (size_t k = 0; k < w->used; k++) {
        memset(w->chains[k].collision, 0, w->words * sizeof(uint64_t));
        w->chains[k].corrections = 0;
    }
}

/* A neighbour of a core point of the chain. */
static void reach(work *w, chain *c, uint32_t number, size_t place)
{
    uint32_t *const owner = &w->owner[place];
    if (*owner == number) return;
    if (*owner == NOISE) {
        *owner = number;
    } else if (*owner == UNPROCESSED) {
        const bool full = c->waiting == w->room;
        if (!full) c->seeds[c->waiting++] = (uint32_t)place;
        *owner = full ? number | OPEN : number;
    } else if (w->core[place]) {
        same(w, c, *owner);
    }
}

/* The next seed of the chain: first count, then tell the neighbours. */
static void expand_seed(work *w, chain *c, uint32_t number)
{
    const clump_kdtree *const tree = w->tree;
    const size_t seed = c->seeds[--c->waiting];
    if (!clump_dbscan_is_core(tree, seed, w->bound, w->min_points)) {
        if (w->owner[seed] == number) w->owner[seed] = NOISE; /* for now: any core neighbour can have it */
        return;
    }
    w->core[seed] = 1;
    if (w->owner[seed] != number) same(w, c, w->owner[seed]); /* it was left open by that cluster */
    w->owner[seed] = number;
    const clump_kdtree_point p = tree->points[seed];
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, w->bound);
    while (clump_kdtree_next(&walk))
        for (size_t i = walk.first; i < walk.last; i++)
            if (clump_dbscan_within(p, tree->points[i], w->bound)) reach(w, c, number, i);
}

/* On a GPU the chains run side by side; here they take turns, a seed each. */
static clump_status expand(clump_context *ctx, work *w)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < w->used; k++) {
            if (w->chains[k].waiting == 0) continue;
            CLUMP_TRY(clump_poll(ctx));
            expand_seed(w, &w->chains[k], w->base + (uint32_t)k);
            more = more || w->chains[k].waiting > 0;
        }
    }
    return CLUMP_OK;
}

/* The smallest number stays, so chains go to the cluster they are corrected to. */
static void merge(work *w)
{
    for (size_t k = 0; k < w->used; k++) {
        const chain *const c = &w->chains[k];
        const uint32_t number = w->base + (uint32_t)k;
        for (size_t word = 0; word < w->words; word++)
            for (uint64_t bits = c->collision[word]; bits; bits &= bits - 1)
                clump_unite_alone(w->parent, number, w->base + (uint32_t)(64 * word) + clump_lowest(bits));
        for (size_t j = 0; j < c->corrections; j++) clump_unite_alone(w->parent, number, c->correction[j]);
    }
    w->base += (uint32_t)w->used;
}

/* ----- the whole ---------------------------------------------------------------------------------- */

static clump_status take_memory(clump_context *ctx, clump_cpu_dclust *scratch, work *w)
{
    const size_t n = w->chain_count;
    clump_status status = clump_buffer_reserve(ctx, &scratch->chains, n * sizeof(chain));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &scratch->seeds, n * w->room * sizeof(uint32_t));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &scratch->collisions, n * w->words * sizeof(uint64_t));
    if (status != CLUMP_OK) return status;
    w->chains = scratch->chains.data;
    uint32_t *const seeds = scratch->seeds.data;
    uint64_t *const collisions = scratch->collisions.data;
    for (size_t k = 0; k < n; k++)
        w->chains[k] = (chain){.seeds = seeds + k * w->room, .collision = collisions + k * w->words};
    for (size_t i = 0; i < w->tree->count; i++) w->owner[i] = UNPROCESSED, w->core[i] = 0;
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_dclust(clump_context *ctx, clump_cpu_dclust *scratch, const clump_dbscan_job *job,
                                     size_t chains, size_t seeds, clump_result *result)
{
    const double start = clump_now_ms();
    clump_dbscan_tree *const t = &scratch->tree;
    clump_status status = clump_dbscan_prepare(ctx, t, job, result);
    if (status != CLUMP_OK) return status;
    work w = {
        .tree = &t->tree,
        .owner = t->set,
        .parent = (uint32_t *)t->number, /* free until the last step */
        .core = t->core,
        .bound = clump_distance_bound(job->in.d),
        .min_points = job->min_points,
        .chain_count = chains,
        .room = seeds,
        .words = (chains + 63) / 64,
    };
    status = take_memory(ctx, scratch, &w);
    if (status != CLUMP_OK) return status;

    const double built = clump_now_ms();
    int64_t iterations = 0;
    while (fill(&w)) {
        clear(&w);
        CLUMP_TRY(expand(ctx, &w));
        merge(&w);
        iterations++;
    }
    const double merged = clump_now_ms();
    for (size_t i = 0; i < t->tree.count; i++)
        if (t->core[i]) t->set[i] = clump_find(w.parent, t->set[i]);
    CLUMP_TRY(clump_dbscan_finish(ctx, t, job, 1, result));

    result->threads = 1;
    result->passes = iterations;
    result->build_ms = built - start;
    result->cluster_ms = merged - built;
    result->label_ms = clump_now_ms() - merged;
    return CLUMP_OK;
}

void clump_cpu_dclust_release(clump_context *ctx, clump_cpu_dclust *scratch)
{
    clump_dbscan_tree_release(ctx, &scratch->tree);
    clump_buffer_release(ctx, &scratch->chains);
    clump_buffer_release(ctx, &scratch->seeds);
    clump_buffer_release(ctx, &scratch->collisions);
}
