/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_disjoint.c: disjoint-set DBSCAN (Patwary et al. 2012; section 3.1 of Ky and Beach 2024). Every point begins
 * as a set of its own and belongs to a thread.
 *
 *     1  cluster phase   each thread searches the neighbours of its points. A point with enough neighbours is a core
 *                        point, and is united with the neighbours known to be core. Undecided pairs are kept
 *     2  merge phase     all core points are known: a kept pair is united if both points are core
 *     3  labels          sets are numbered, border points take the smallest adjacent number (dbscan_tree.c)
 *
 * Only core points are ever united, so no union goes through a border point.
 *
 * The paper keeps every pair whose other point is not known to be core. That is half of all pairs of neighbours, more
 * than memory can hold. Most need not be kept: if the other point proves to be core, its own search finds this point
 * and its flag. Points are handed out in parts, which are slices of the places in the tree:
 *
 *     parts    [ done | done | own  | ---- | done | other's | ---- | ---- ]        threads 2, parts 8
 *     turn        0      2      4      6      1       3        5      7
 *
 *     the other point is ...   known to be core, or not       united at once, or dropped
 *                              in the own part                dropped: its later search finds this point
 *                              in a part not yet handed out   dropped: its later search finds this point
 *                              in a part handed out           kept: its search may be running now
 *
 * Why a part "not yet handed out" is safe: a thread sets the flag of its core point, then reads the turn counter by an
 * acquire-release addition of 0. A later turn is taken by such an addition further on in the same release sequence, so
 * the thread that takes it sees the flag.
 *
 * Adjacent parts have turns far apart, so few pairs are kept. Their number is still not bounded. So each thread keeps a
 * fixed number of pairs, and a point whose pairs no longer fit is marked late and searched again in the merge phase.
 * Memory is linear: 28 bytes per point, with the tree, plus 128 KiB per thread. The labels do not depend on the number
 * of threads. Time grows with the number of neighbour pairs.
 */
#include "cpu/papers/papers.h"

#include "common/share.h"
#include "core/work.h"
#include "cpu/papers/rem.h"
#include "cpu/shared/stages.h"

#define DISJOINT_MIN_SHARE 256 /* points per thread that are worth waking it: a search takes microseconds */
#define DISJOINT_PARTS     32  /* per thread: at the end, a thread waits for one small part at most */
#define DISJOINT_LISTED    256 /* neighbours listed while it is open whether there are enough: 1 KiB of stack */

/* Flags of points. All but core and late become 0 at the end. */
enum { DISJOINT_UNKNOWN, DISJOINT_CORE, DISJOINT_LATE, DISJOINT_NOT_CORE };

typedef struct pair {
    uint32_t core, other;
} pair;

/* State of one thread, padded to a cache line against false sharing. */
typedef struct worker {
    pair *kept;
    size_t count;
    double cluster_ms, merge_ms; /* busy time */
    char pad[64 - sizeof(pair *) - sizeof(size_t) - 2 * sizeof(double)];
} worker;

typedef struct disjoint_run {
    const clump_kdtree *tree;
    uint8_t *flag;
    uint32_t *parent;
    float bound;
    size_t min_points;
    size_t room; /* pairs that a thread may keep */
    int threads;
    size_t parts; /* DISJOINT_PARTS per thread; 1 for one thread */
    size_t turn;  /* number of parts handed out */
    worker *workers;
    clump_team *team;
} disjoint_run;

static bool is_core(uint8_t flag)
{
    return flag == DISJOINT_CORE || flag == DISJOINT_LATE;
}

/* ----- parts ------------------------------------------------------------------------------------- */

static size_t part_of_turn(const disjoint_run *w, size_t turn)
{
    const size_t threads = (size_t)w->threads;
    return turn % threads * (w->parts / threads) + turn / threads;
}

static size_t turn_of_part(const disjoint_run *w, size_t part)
{
    const size_t each = w->parts / (size_t)w->threads;
    return part % each * (size_t)w->threads + part / each;
}

/* The part of a place: the inverse of clump_share_of(). */
static size_t part_of(const disjoint_run *w, size_t place)
{
    return ((place + 1) * w->parts - 1) / w->tree->count;
}

/* Adds to the number of turns taken; returns the number before. */
static size_t turns_taken(disjoint_run *w, size_t more)
{
    return __atomic_fetch_add(&w->turn, more, __ATOMIC_ACQ_REL);
}

static clump_share places_of(const disjoint_run *w, size_t part)
{
    return clump_share_of(w->tree->count, (int)part, (int)w->parts);
}

static bool among(clump_share s, size_t place)
{
    return place >= s.begin && place < s.end;
}

/* Takes the next part, as the places *s; false when all are handed out. */
static bool next_part(disjoint_run *w, clump_share *s)
{
    const size_t turn = turns_taken(w, 1);
    if (turn >= w->parts) return false;
    *s = places_of(w, part_of_turn(w, turn));
    return true;
}

/* ----- cluster phase ----------------------------------------------------------------------------- */

/* A core point whose neighbours are being united with it. */
typedef struct visit {
    disjoint_run *w;
    worker *thread;
    size_t place;
    clump_share own_part;
    clump_share future_part; /* the last part found not handed out: the next neighbour is often there too */
    size_t taken;            /* turns taken after the flag of the point was set; 0: not read yet */
    bool late;               /* the point will be searched again: no pair needs to be kept */
} visit;

/* Unites the point with a neighbour, keeps the pair, or drops it: see above. */
static void unite_or_keep(visit *v, size_t other)
{
    disjoint_run *const w = v->w;
    const uint8_t flag = CLUMP_LOAD(&w->flag[other]);
    if (is_core(flag)) {
        clump_rem_unite(w->parent, (uint32_t)v->place, (uint32_t)other);
        return;
    }
    if (flag == DISJOINT_NOT_CORE || v->late || among(v->own_part, other) || among(v->future_part, other)) return;
    if (v->taken == 0) v->taken = turns_taken(w, 0);
    const size_t part = part_of(w, other);
    if (turn_of_part(w, part) >= v->taken) {
        v->future_part = places_of(w, part);
        return;
    }
    CLUMP_ASSERT(v->thread->count <= w->room);
    v->late = v->thread->count == w->room;
    if (v->late)
        CLUMP_STORE(&w->flag[v->place], (uint8_t)DISJOINT_LATE);
    else
        v->thread->kept[v->thread->count++] = (pair){(uint32_t)v->place, (uint32_t)other};
}

/* Decides whether a point is core and handles its neighbours. Needs one search where min_points neighbours can be
 * listed, otherwise two. */
static void visit_point(disjoint_run *w, worker *thread, size_t place, clump_share own_part)
{
    const clump_kdtree *const tree = w->tree;
    const clump_kdtree_point p = tree->points[place];
    visit v = {w, thread, place, own_part, {0, 0}, 0, false};
    uint32_t early[DISJOINT_LISTED];
    size_t found = 0;
    bool core = w->min_points > DISJOINT_LISTED && clump_dbscan_is_core(tree, place, w->bound, w->min_points);
    if (core) CLUMP_STORE(&w->flag[place], (uint8_t)DISJOINT_CORE);
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, w->bound);
    while ((core || w->min_points <= DISJOINT_LISTED) && clump_kdtree_next(&walk)) {
        for (size_t i = walk.first; i < walk.last; i++) {
            if (!clump_dbscan_within(p, tree->points[i], w->bound)) continue;
            if (core) {
                unite_or_keep(&v, i);
                continue;
            }
            CLUMP_ASSERT(found < DISJOINT_LISTED);
            early[found++] = (uint32_t)i;
            if (found < w->min_points) continue;
            core = true;
            CLUMP_STORE(&w->flag[place], (uint8_t)DISJOINT_CORE);
            for (size_t k = 0; k < found; k++) unite_or_keep(&v, early[k]);
        }
    }
    if (!core) CLUMP_STORE(&w->flag[place], (uint8_t)DISJOINT_NOT_CORE);
}

/* The cluster phase of one thread. Polls per point: a search may take long. */
static void cluster_parts(void *arg, size_t begin, size_t end, int number)
{
    (void)number;
    disjoint_run *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const double start = clump_now_ms();
        for (clump_share s; next_part(w, &s);)
            for (size_t i = s.begin; i < s.end && !clump_team_stopped(w->team); i++)
                visit_point(w, &w->workers[t], i, s);
        w->workers[t].cluster_ms = clump_now_ms() - start;
    }
}

/* ----- merge phase ------------------------------------------------------------------------------- */

/* Unites a late point with all its core neighbours. All flags are final. */
static void search_again(disjoint_run *w, size_t place)
{
    const clump_kdtree *const tree = w->tree;
    const clump_kdtree_point p = tree->points[place];
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, w->bound);
    while (clump_kdtree_next(&walk))
        for (size_t i = walk.first; i < walk.last; i++)
            if (is_core(w->flag[i]) && clump_dbscan_within(p, tree->points[i], w->bound))
                clump_rem_unite(w->parent, (uint32_t)place, (uint32_t)i);
}

/* The merge phase of one thread: its slice of every list of pairs, then parts with late points. */
static void merge_parts(void *arg, size_t begin, size_t end, int number)
{
    (void)number;
    disjoint_run *const w = arg;
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
                if (w->flag[i] == DISJOINT_LATE) search_again(w, i);
        w->workers[t].merge_ms = clump_now_ms() - start;
    }
}

/* ----- the whole --------------------------------------------------------------------------------- */

/* Turns flags and parents into the core and set of dbscan_tree.h. A parent is smaller, so its root is known. */
static void find_sets(const disjoint_run *w)
{
    for (size_t i = 0; i < w->tree->count; i++) {
        CLUMP_ASSERT(w->parent[i] <= i);
        w->parent[i] = w->parent[w->parent[i]];
        w->flag[i] = is_core(w->flag[i]);
    }
}

static clump_status take_memory(clump_work *work, clump_cpu_disjoint *scratch, const clump_dbscan_job *job,
                                disjoint_run *w)
{
    const size_t threads = (size_t)w->threads;
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->workers, threads * sizeof(worker)));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->pairs, threads * w->room * sizeof(pair)));
    CLUMP_ASSERT(job->load && job->merge_load);
    CLUMP_TRY(clump_load_begin(work, job->load, threads));
    CLUMP_TRY(clump_load_begin(work, job->merge_load, threads));
    worker *const workers = w->workers = scratch->workers.data;
    pair *const pairs = scratch->pairs.data;
    for (size_t t = 0; t < threads; t++) workers[t] = (worker){.kept = w->room ? pairs + t * w->room : NULL};
    for (size_t i = 0; i < w->tree->count; i++) w->parent[i] = (uint32_t)i, w->flag[i] = DISJOINT_UNKNOWN;
    return CLUMP_OK;
}

/* Reports the busy share of each thread in either step. */
static void report_loads(const clump_dbscan_job *job, const disjoint_run *w, double cluster_ms, double merge_ms)
{
    for (int k = 0; k < w->threads; k++) {
        clump_load_add(job->load, w->workers[k].cluster_ms, cluster_ms);
        clump_load_add(job->merge_load, w->workers[k].merge_ms, merge_ms);
    }
}

clump_status clump_cpu_dbscan_disjoint(clump_work *work, clump_cpu_disjoint *scratch, const clump_dbscan_job *job,
                                       size_t pairs, clump_stats *stats)
{
    const double start = clump_now_ms();
    clump_dbscan_tree *const t = &scratch->tree;
    CLUMP_TRY(clump_dbscan_prepare(work, t, job, stats));
    const int threads = clump_threads_for(work, t->tree.count, DISJOINT_MIN_SHARE);
    disjoint_run w = {.tree = &t->tree,
                      .flag = t->core,
                      .parent = t->set,
                      .bound = clump_distance_bound(job->in.d),
                      .min_points = job->min_points,
                      .room = threads > 1 ? pairs : 0, /* one thread has all parts and keeps nothing */
                      .threads = threads,
                      .parts = threads > 1 ? (size_t)threads * DISJOINT_PARTS : 1,
                      .team = work->team};
    CLUMP_TRY(take_memory(work, scratch, job, &w));

    const double built = clump_now_ms();
    CLUMP_TRY(clump_run(work, threads, (size_t)threads, 1, cluster_parts, &w));
    const double clustered = clump_now_ms();
    w.turn = 0;
    CLUMP_TRY(clump_run(work, threads, (size_t)threads, 1, merge_parts, &w));
    const double merged = clump_now_ms();
    report_loads(job, &w, clustered - built, merged - clustered);
    find_sets(&w);
    CLUMP_TRY(clump_dbscan_finish(work, t, job, threads, stats));

    clump_report_stages(stats, threads, 1, (clump_stages){start, built, clustered, clump_now_ms()});
    stats->merge_ms = merged - clustered;
    stats->label_ms -= stats->merge_ms;
    return CLUMP_OK;
}

void clump_cpu_disjoint_release(clump_work *work, clump_cpu_disjoint *scratch)
{
    clump_dbscan_tree_release(work, &scratch->tree);
    clump_buffer_release(work, &scratch->pairs);
    clump_buffer_release(work, &scratch->workers);
}
