/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_disjoint.c: disjoint-set DBSCAN (Patwary et al. 2012; section 3.1 of Ky and Beach 2024). Every point begins
 * as a set of its own and belongs to a thread.
 *
 *     1  cluster phase   each thread, for its points: search; with enough neighbours it is a core point, and is
 *                        united with those neighbours that are known to be core; pairs that cannot be decided yet
 *                        are kept
 *     2  merge phase     the kept pairs, now that all core points are known: united if both are core
 *     3  labels          sets numbered, border points to the smallest number beside them (dbscan_tree.c)
 *
 * Only core points are ever united, so no union goes through a border point.
 *
 * The paper keeps every pair whose other point is not known to be core. That is half of all pairs of neighbours, more
 * than there is memory for. Most need no keeping, since the other point, should it prove to be core, will come across
 * this one and find it core. Points are handed out in parts, which are ranges of places in the tree:
 *
 *     parts    [ done | done | mine | ---- | done | other's | ---- | ---- ]        threads 2, parts 8
 *     turn        0      2      4      6      1       3        5      7
 *
 *     the other point is ...   known to be core, or not       united at once, or dropped
 *                              in my own part                 it comes later: it will see me
 *                              in a part not yet handed out   it comes later: it will see me
 *                              in a part handed out           may be looking right now: the pair is kept
 *
 * What "not yet handed out" needs: my flag is set, then the turn counter is read by an acquire-release addition of 0;
 * who takes a later turn does so by such an addition further on in the same chain, and so sees the flag.
 *
 * Parts next to each other have turns far apart, so threads seldom meet and few pairs are kept. Still there may be too
 * many; each thread keeps a fixed number, and a point whose pairs no longer fit is marked LATE and searched once more
 * in the merge phase. So memory is linear, 28 bytes a point with the tree's, plus 128 KiB a thread, and the labels are
 * the same for any number of threads. Time grows with the number of neighbour pairs.
 */
#include "cpu/dbscan/dbscan_disjoint.h"

#include "common/share.h"
#include "common/timer.h"
#include "core/context.h"
#include "cpu/dbscan/rem.h"

#define MIN_SHARE 256 /* points a thread must have to be worth waking: a search takes microseconds */
#define PARTS     32  /* of each thread: the last ones to finish wait for a small part only */
#define LISTED    256 /* neighbours kept while it is not known whether there are enough */

enum { UNKNOWN, CORE, LATE, NOT_CORE }; /* flags; the last becomes 0 at the end */

typedef struct pair {
    uint32_t core, other;
} pair;

/* On cache lines of their own: each thread counts in its own. */
typedef struct worker {
    pair *kept;
    size_t count;
    double busy_ms;
    char pad[64 - sizeof(pair *) - sizeof(size_t) - sizeof(double)];
} worker;

typedef struct work {
    const clump_kdtree *tree;
    uint8_t *flag;
    uint32_t *parent;
    float bound;
    size_t min_points, room; /* pairs a thread may keep */
    int threads;
    size_t parts; /* PARTS for each thread, or 1 */
    size_t turn;  /* parts handed out */
    worker *workers;
    clump_team *team;
} work;

static bool is_core(uint8_t flag)
{
    return flag == CORE || flag == LATE;
}

/* ----- parts ------------------------------------------------------------------------------------- */

static size_t part_of_turn(const work *w, size_t turn)
{
    const size_t threads = (size_t)w->threads;
    return turn % threads * (w->parts / threads) + turn / threads;
}

static size_t turn_of_part(const work *w, size_t part)
{
    const size_t each = w->parts / (size_t)w->threads;
    return part % each * (size_t)w->threads + part / each;
}

/* Of places: clump_share_of() turned round. */
static size_t part_of(const work *w, size_t place)
{
    return ((place + 1) * w->parts - 1) / w->tree->count;
}

static size_t turns_taken(work *w, size_t more)
{
    return __atomic_fetch_add(&w->turn, more, __ATOMIC_ACQ_REL);
}

static clump_share places_of(const work *w, size_t part)
{
    const size_t n = w->tree->count;
    return (clump_share){n * part / w->parts, n * (part + 1) / w->parts};
}

static bool among(clump_share s, size_t place)
{
    return place >= s.begin && place < s.end;
}

/* The next part into *s; false when all are handed out. */
static bool next_part(work *w, clump_share *s)
{
    const size_t turn = turns_taken(w, 1);
    if (turn >= w->parts) return false;
    *s = places_of(w, part_of_turn(w, turn));
    return true;
}

/* ----- cluster phase ----------------------------------------------------------------------------- */

typedef struct visit {
    work *w;
    worker *me;
    size_t place;
    clump_share mine;   /* the part that the point is of */
    clump_share coming; /* the last one found not handed out: the next neighbour is often there too */
    size_t taken;       /* turns, after the point's flag was set; 0: not asked for */
    bool late;          /* it will be searched again: no need to keep anything */
} visit;

/* The point is core and this is a neighbour of it. */
static void meet(visit *v, size_t other)
{
    work *const w = v->w;
    const uint8_t flag = CLUMP_LOAD(&w->flag[other]);
    if (is_core(flag)) {
        clump_rem_unite(w->parent, (uint32_t)v->place, (uint32_t)other);
        return;
    }
    if (flag == NOT_CORE || v->late || among(v->mine, other) || among(v->coming, other)) return;
    if (v->taken == 0) v->taken = turns_taken(w, 0);
    const size_t part = part_of(w, other);
    if (turn_of_part(w, part) >= v->taken) {
        v->coming = places_of(w, part);
        return;
    }
    v->late = v->me->count == w->room;
    if (v->late)
        CLUMP_STORE(&w->flag[v->place], (uint8_t)LATE);
    else
        v->me->kept[v->me->count++] = (pair){(uint32_t)v->place, (uint32_t)other};
}

/* One search where the neighbours that make the point core can be listed, else two. */
static void visit_point(work *w, worker *me, size_t place, clump_share mine)
{
    const clump_kdtree *const tree = w->tree;
    const clump_kdtree_point p = tree->points[place];
    visit v = {w, me, place, mine, {0, 0}, 0, false};
    uint32_t early[LISTED];
    size_t found = 0;
    bool core = w->min_points > LISTED && clump_dbscan_is_core(tree, place, w->bound, w->min_points);
    if (core) CLUMP_STORE(&w->flag[place], (uint8_t)CORE);
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, w->bound);
    while ((core || w->min_points <= LISTED) && clump_kdtree_next(&walk)) {
        for (size_t i = walk.first; i < walk.last; i++) {
            if (!clump_dbscan_within(p, tree->points[i], w->bound)) continue;
            if (core) {
                meet(&v, i);
                continue;
            }
            early[found++] = (uint32_t)i;
            if (found < w->min_points) continue;
            core = true;
            CLUMP_STORE(&w->flag[place], (uint8_t)CORE);
            for (size_t k = 0; k < found; k++) meet(&v, early[k]);
        }
    }
    if (!core) CLUMP_STORE(&w->flag[place], (uint8_t)NOT_CORE);
}

/* What one thread does. Polls per point: a search may take long. */
static void cluster_parts(void *arg, size_t begin, size_t end, int number)
{
    (void)number;
    work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const double start = clump_now_ms();
        for (clump_share s; next_part(w, &s);)
            for (size_t i = s.begin; i < s.end && !clump_team_stopped(w->team); i++)
                visit_point(w, &w->workers[t], i, s);
        w->workers[t].busy_ms += clump_now_ms() - start;
    }
}

/* ----- merge phase ------------------------------------------------------------------------------- */

/* All flags are known, and none changes. */
static void search_again(work *w, size_t place)
{
    const clump_kdtree *const tree = w->tree;
    const clump_kdtree_point p = tree->points[place];
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, w->bound);
    while (clump_kdtree_next(&walk))
        for (size_t i = walk.first; i < walk.last; i++)
            if (is_core(w->flag[i]) && clump_dbscan_within(p, tree->points[i], w->bound))
                clump_rem_unite(w->parent, (uint32_t)place, (uint32_t)i);
}

/* Each thread takes its share of every list, and parts with points that are late. */
static void merge_parts(void *arg, size_t begin, size_t end, int number)
{
    (void)number;
    work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const double start = clump_now_ms();
        for (int u = 0; u < w->threads; u++) {
            const clump_share s = clump_share_of(w->workers[u].count, (int)t, w->threads);
            for (size_t k = s.begin; k < s.end; k++) {
                const pair kept = w->workers[u].kept[k];
                if (is_core(w->flag[kept.other])) clump_rem_unite(w->parent, kept.core, kept.other);
            }
        }
        for (clump_share s; next_part(w, &s);)
            for (size_t i = s.begin; i < s.end && !clump_team_stopped(w->team); i++)
                if (w->flag[i] == LATE) search_again(w, i);
        w->workers[t].busy_ms += clump_now_ms() - start;
    }
}

/* ----- the whole --------------------------------------------------------------------------------- */

/* Flags and parents become what clump_dbscan_finish() wants. A parent is smaller, so its root is known. */
static void find_sets(const work *w)
{
    for (size_t i = 0; i < w->tree->count; i++) {
        w->parent[i] = w->parent[w->parent[i]];
        w->flag[i] = is_core(w->flag[i]);
    }
}

static clump_status take_memory(clump_context *ctx, clump_cpu_disjoint *scratch, work *w)
{
    const size_t threads = (size_t)w->threads;
    clump_status status = clump_buffer_reserve(ctx, &scratch->workers, threads * sizeof(worker));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &scratch->pairs, threads * w->room * sizeof(pair));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &ctx->load, threads * sizeof(float));
    if (status != CLUMP_OK) return status;
    worker *const workers = w->workers = scratch->workers.data;
    pair *const pairs = scratch->pairs.data;
    for (size_t t = 0; t < threads; t++) workers[t] = (worker){.kept = w->room ? pairs + t * w->room : NULL};
    for (size_t i = 0; i < w->tree->count; i++) w->parent[i] = (uint32_t)i, w->flag[i] = UNKNOWN;
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_disjoint(clump_context *ctx, clump_cpu_disjoint *scratch, const clump_dbscan_job *job,
                                       size_t pairs, clump_result *result)
{
    const double start = clump_now_ms();
    clump_dbscan_tree *const t = &scratch->tree;
    clump_status status = clump_dbscan_prepare(ctx, t, job, result);
    if (status != CLUMP_OK) return status;
    const int threads = clump_threads_for(ctx, t->tree.count, MIN_SHARE);
    work w = {.tree = &t->tree,
              .flag = t->core,
              .parent = t->set,
              .bound = clump_distance_bound(job->in.d),
              .min_points = job->min_points,
              .room = threads > 1 ? pairs : 0, /* alone, it has all parts to itself */
              .threads = threads,
              .parts = threads > 1 ? (size_t)threads * PARTS : 1,
              .team = ctx->team};
    status = take_memory(ctx, scratch, &w);
    if (status != CLUMP_OK) return status;

    const double built = clump_now_ms();
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, cluster_parts, &w));
    w.turn = 0;
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, merge_parts, &w));
    const double merged = clump_now_ms();
    float *const load = ctx->load.data;
    for (int k = 0; k < threads; k++) {
        const double share = merged > built ? w.workers[k].busy_ms / (merged - built) : 1;
        load[k] = share < 1 ? (float)share : 1;
    }
    ctx->loads = threads;
    find_sets(&w);
    CLUMP_TRY(clump_dbscan_finish(ctx, t, job, threads, result));

    result->threads = threads;
    result->passes = 1;
    result->build_ms = built - start;
    result->cluster_ms = merged - built;
    result->label_ms = clump_now_ms() - merged;
    return CLUMP_OK;
}

void clump_cpu_disjoint_release(clump_context *ctx, clump_cpu_disjoint *scratch)
{
    clump_dbscan_tree_release(ctx, &scratch->tree);
    clump_buffer_release(ctx, &scratch->pairs);
    clump_buffer_release(ctx, &scratch->workers);
}
