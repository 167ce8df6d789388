/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.c: CUDA-DClust+ (Poudel and Gowanlock 2021; section 3.2 of Ky and Beach 2024), every step in plain C.
 * Chains (256 by default) grow at once, each from a seed of its own. Where two chains meet is noted, and resolved
 * afterwards. One iteration, repeated until all points are processed:
 *
 *     fill      gives each chain an unprocessed point as seed, and a new number: base + chain
 *     clear     empties the collision and the correction matrix: the paper's "Init Matrix Kernel"
 *     expand    in turn, each chain takes a seed from its list and searches its neighbours. With enough neighbours the
 *               seed is core: unprocessed neighbours join the chain and become seeds, noise joins. A neighbour that is
 *               core in another chain is a collision; one in a cluster of an earlier iteration is a correction
 *     merge     unites chains that collided, and chains with the clusters they are corrected to
 *
 *     owner     unprocessed   noise   0 ... base - 1: cluster   base ... : chain of this iteration
 *     collision       chain x chain, one bit each: the two are one cluster
 *     correction      chain x 8: clusters that are one with the chain. When a row is full, its clusters are united and
 *                     take one entry, so a row never overflows
 *
 * Where this file is more careful than the paper:
 *
 *   A full seed list loses no point. The point joins the chain but is marked open, and `fill` takes open points as it
 *   takes unprocessed ones. If such a seed proves to be core, it is connected to the core point that added it, so the
 *   new chain is corrected to the old cluster. If not, the point stays a border point there. Consecutive open points of
 *   one cluster share a chain, so a cluster of n points takes n / (chains * seeds) iterations.
 *   `fill` never goes back: a point behind it was a seed, so it is not unprocessed and cannot be left open.
 *
 *   A border point merges nothing: only two core points do. A neighbour that is not known to be core yet is in some
 *   list, or open. When it is searched, it finds this core point. So the second of the two notes the pair.
 *
 *   A border point joins the cluster with the smallest number, which is known only at the end. The last step
 *   (dbscan_tree.c) decides it, whichever chain had the point.
 *
 * Chain numbers are never reused. A point is the first seed of a chain at most once, so numbers are below n. Clusters
 * are sets of chain numbers (union_find.h). Memory is linear: 28 bytes per point, plus the seed lists, by default 1 MiB.
 * Time grows with the number of neighbour pairs. The kd-tree finds the neighbours; any other search would do.
 *
 * The numbers of chains and of seeds per list are options. On a GPU so is the number of threads that search around one
 * seed. Here one thread does it, so that option has no effect, not even on the order.
 */
#include "cpu/papers/papers.h"

#include "common/bits.h"
#include "core/work.h"
#include "cpu/shared/stages.h"
#include "rules/union_find.h"

#include <string.h>

#define DCLUST_UNPROCESSED UINT32_MAX
#define DCLUST_NOISE       (UINT32_MAX - 1)
#define DCLUST_OPEN        0x80000000u /* flag beside the number of a chain, which has 31 bits */

typedef struct chain {
    uint32_t *seeds;
    size_t waiting; /* seeds in the list */
    uint64_t *collision;
    size_t corrections;
    uint32_t correction[CLUMP_DCLUST_ROW];
} chain;

typedef struct dclust_run {
    const clump_kdtree *tree;
    uint32_t *owner;  /* by place */
    uint32_t *parent; /* by chain number */
    uint8_t *core;
    float bound;
    size_t min_points;
    chain *chains;
    size_t chain_count;
    size_t room;   /* of a seed list */
    size_t words;  /* per row of the collision matrix */
    size_t used;   /* chains of this iteration */
    uint32_t base; /* number of the first chain of this iteration */
    size_t next;   /* places before this are processed, or are seeds */
} dclust_run;

static bool is_open(uint32_t owner)
{
    return owner < DCLUST_NOISE && (owner & DCLUST_OPEN);
}

/* ----- collisions and corrections ----------------------------------------------------------------- */

/* Notes that the chain and a cluster of an earlier iteration are one. */
static void note_correction(dclust_run *w, chain *c, uint32_t cluster)
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

/* Notes that the chain has reached a core point of this owner. */
static void note_same_cluster(dclust_run *w, chain *c, uint32_t owner)
{
    CLUMP_ASSERT(owner < w->base + w->used);
    if (owner < w->base)
        note_correction(w, c, owner);
    else
        c->collision[(owner - w->base) / 64] |= UINT64_C(1) << (owner - w->base) % 64;
}

/* ----- the steps ---------------------------------------------------------------------------------- */

/* Gives seeds to the chains; false when all points are processed. An open point keeps its cluster until it proves to be
 * core: it may be a border point. */
static bool fill_chains(dclust_run *w)
{
    const size_t n = w->tree->count;
    w->used = 0;
    while (w->used < w->chain_count) {
        while (w->next < n && w->owner[w->next] != DCLUST_UNPROCESSED && !is_open(w->owner[w->next])) w->next++;
        if (w->next == n) break;
        chain *const c = &w->chains[w->used];
        const uint32_t number = w->base + (uint32_t)w->used++;
        CLUMP_ASSERT(number < n);
        w->parent[number] = number;
        const uint32_t owner = w->owner[w->next];
        c->waiting = 0;
        c->seeds[c->waiting++] = (uint32_t)w->next;
        w->owner[w->next++] = owner == DCLUST_UNPROCESSED ? number : owner & ~DCLUST_OPEN;
        if (owner == DCLUST_UNPROCESSED) continue;
        const uint32_t cluster = clump_find(w->parent, owner & ~DCLUST_OPEN);
        while (w->next < n && c->waiting < w->room && is_open(w->owner[w->next]) &&
               clump_find(w->parent, w->owner[w->next] & ~DCLUST_OPEN) == cluster) {
            c->seeds[c->waiting++] = (uint32_t)w->next;
            w->owner[w->next++] &= ~DCLUST_OPEN;
        }
    }
    return w->used > 0;
}

static void clear_notes(dclust_run *w)
{
    for (size_t k = 0; k < w->used; k++) {
        memset(w->chains[k].collision, 0, w->words * sizeof(uint64_t));
        w->chains[k].corrections = 0;
    }
}

/* Handles a neighbour of a core point of the chain. */
static void reach_neighbour(dclust_run *w, chain *c, uint32_t number, size_t place)
{
    uint32_t *const owner = &w->owner[place];
    if (*owner == number) return;
    if (*owner == DCLUST_NOISE) {
        *owner = number;
    } else if (*owner == DCLUST_UNPROCESSED) {
        const bool full = c->waiting == w->room;
        CLUMP_ASSERT(c->waiting <= w->room);
        if (!full) c->seeds[c->waiting++] = (uint32_t)place;
        *owner = full ? number | DCLUST_OPEN : number;
    } else if (w->core[place]) {
        note_same_cluster(w, c, *owner);
    }
}

/* Takes the next seed of the chain: counts its neighbours, then handles them. */
static void expand_seed(dclust_run *w, chain *c, uint32_t number)
{
    const clump_kdtree *const tree = w->tree;
    const size_t seed = c->seeds[--c->waiting];
    if (!clump_dbscan_is_core(tree, seed, w->bound, w->min_points)) {
        if (w->owner[seed] == number) w->owner[seed] = DCLUST_NOISE; /* for now: any core neighbour may add it */
        return;
    }
    w->core[seed] = 1;
    if (w->owner[seed] != number) note_same_cluster(w, c, w->owner[seed]); /* this cluster left the seed open */
    w->owner[seed] = number;
    const clump_kdtree_point p = tree->points[seed];
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, w->bound);
    while (clump_kdtree_next(&walk))
        for (size_t i = walk.first; i < walk.last; i++)
            if (clump_dbscan_within(p, tree->points[i], w->bound)) reach_neighbour(w, c, number, i);
}

/* On a GPU the chains run in parallel. Here they take turns, one seed each. */
static clump_status expand_chains(clump_work *work, dclust_run *w)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < w->used; k++) {
            if (w->chains[k].waiting == 0) continue;
            CLUMP_TRY(clump_poll(work));
            expand_seed(w, &w->chains[k], w->base + (uint32_t)k);
            more = more || w->chains[k].waiting > 0;
        }
    }
    return CLUMP_OK;
}

/* Unites chains by their notes. The smallest number becomes the root, so chains join the earlier cluster. */
static void merge_chains(dclust_run *w)
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

static clump_status take_memory(clump_work *work, clump_cpu_dclust *scratch, dclust_run *w)
{
    const size_t n = w->chain_count;
    CLUMP_ASSERT(n >= 1 && w->room >= 1);
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->chains, n * sizeof(chain)));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->seeds, n * w->room * sizeof(uint32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->collisions, n * w->words * sizeof(uint64_t)));
    w->chains = scratch->chains.data;
    uint32_t *const seeds = scratch->seeds.data;
    uint64_t *const collisions = scratch->collisions.data;
    for (size_t k = 0; k < n; k++)
        w->chains[k] = (chain){.seeds = seeds + k * w->room, .collision = collisions + k * w->words};
    for (size_t i = 0; i < w->tree->count; i++) w->owner[i] = DCLUST_UNPROCESSED, w->core[i] = 0;
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_dclust(clump_work *work, clump_cpu_dclust *scratch, const clump_dbscan_job *job,
                                     clump_stats *stats)
{
    const double start = clump_now_ms();
    clump_dbscan_tree *const t = &scratch->tree;
    CLUMP_TRY(clump_dbscan_prepare(work, t, job, stats));
    const size_t most = t->tree.count > 0 ? t->tree.count : 1; /* no more chains begin, and no list gets longer */
    const size_t chains = job->chains < most ? job->chains : most;
    dclust_run w = {
        .tree = &t->tree,
        .owner = t->set,
        .parent = (uint32_t *)t->number, /* free until the last step */
        .core = t->core,
        .bound = clump_distance_bound(job->in.d),
        .min_points = job->min_points,
        .chain_count = chains,
        .room = job->seeds < most ? job->seeds : most,
        .words = (chains + 63) / 64,
    };
    CLUMP_TRY(take_memory(work, scratch, &w));

    const double built = clump_now_ms();
    int64_t iterations = 0;
    while (fill_chains(&w)) {
        clear_notes(&w);
        CLUMP_TRY(expand_chains(work, &w));
        merge_chains(&w);
        iterations++;
    }
    const double merged = clump_now_ms();
    for (size_t i = 0; i < t->tree.count; i++)
        if (t->core[i]) t->set[i] = clump_find(w.parent, t->set[i]);
    CLUMP_TRY(clump_dbscan_finish(work, t, job, 1, stats));

    clump_report_stages(stats, 1, iterations, (clump_stages){start, built, merged, clump_now_ms()});
    return CLUMP_OK;
}

void clump_cpu_dclust_release(clump_work *work, clump_cpu_dclust *scratch)
{
    clump_dbscan_tree_release(work, &scratch->tree);
    clump_buffer_release(work, &scratch->chains);
    clump_buffer_release(work, &scratch->seeds);
    clump_buffer_release(work, &scratch->collisions);
}
