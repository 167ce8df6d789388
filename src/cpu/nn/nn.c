/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn.c: indexes and queries on the CPU. An index is one of three structures. Queries are searched for one by one
 * (nn_find.h), except for the most frequent kind: the nearest point of each query by the method `fast`. These queries
 * are put in the order of the curve and searched for in packs (nn_pack.c). In hot cells the queries are ordered within
 * the cell (pack.c); there the tree, not the curve, determines the first leaf and the extent of a pack.
 */
#include "cpu/nn/nn.h"
#include "cpu/nn/nn_boxes.h"

#include "common/atomics.h"
#include "common/timer.h"
#include "core/work.h"
#include "cpu/shared/kdtree.h"

#include <math.h>
#include <string.h>

#define NN_CHUNK      1024 /* queries per task of `fast` */
#define NN_CHUNK_SLOW 16   /* of slower methods, so that a call can be cancelled in time; `brute` has 1 */
#define NN_MIN_SHARE  2048 /* points per thread that are worth waking it */
#define NN_PACK_BITS  3    /* a pack shares a box of the curve this many bits larger than its first leaf */
#define NN_PACK_WIDE  3    /* in hot cells: extent of a pack by the width of its first leaf; 1 and 2 are no faster */

typedef struct cpu_index {
    clump_nn_method method;
    clump_box_tree tree;
    clump_kdtree kdtree;
    clump_azimuth_parts parts; /* azimuth and brute */
} cpu_index;

#define NN_INDEX_BYTES ((sizeof(cpu_index) + 63) / 64 * 64)

/* ----- the index ------------------------------------------------------------------------------ */

static clump_status build_kdtree(clump_work *home, clump_kdtree *tree, clump_view view)
{
    CLUMP_TRY(clump_kdtree_reset(home, tree, view.count));
    for (size_t i = 0; i < view.count; i++) {
        const float *const p = clump_view_at(view, i);
        if (clump_point_is_finite(p, false)) clump_kdtree_add(tree, p[0], p[1], p[2], (int32_t)i);
    }
    const clump_status status = clump_kdtree_build(home, tree);
    if (status != CLUMP_OK) tree->count = 0;
    return status;
}

clump_status clump_cpu_index_build(clump_work *work, clump_cpu_nn *scratch, clump_work *home, void **state,
                                   const clump_index_job *job, clump_stats *stats)
{
    const double start = clump_now_ms();
    if (!*state) {
        cpu_index *const created = home->memory.allocate(NN_INDEX_BYTES, 64, home->memory.user);
        if (!created)
            return clump_fail(home, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated",
                              NN_INDEX_BYTES);
        *created = (cpu_index){.method = job->method};
        *state = created;
    }
    cpu_index *const index = *state;
    scratch->words = NULL;
    const clump_view view = {job->points, job->count, job->stride};
    clump_status status = CLUMP_OK;
    stats->threads = 1;
    if (job->method == CLUMP_NN_FAST) {
        stats->threads = clump_threads_for(work, job->count, NN_MIN_SHARE);
        status = clump_tree_build(work, &scratch->order, home, &index->tree, view, stats->threads);
        stats->finite = index->tree.count;
    } else if (job->method == CLUMP_NN_KDTREE) {
        status = build_kdtree(home, &index->kdtree, view);
        stats->finite = index->kdtree.count;
    } else {
        const bool brute = job->method == CLUMP_NN_BRUTE;
        status = clump_azimuth_build(home, &index->parts, view, brute ? 1 : job->partitions, brute ? 0 : job->window);
        stats->finite = index->parts.count;
    }
    stats->build_ms = clump_now_ms() - start;
    return status;
}

void clump_cpu_index_release(clump_work *home, void *state)
{
    if (!state) return;
    cpu_index *const index = state;
    clump_tree_release(home, &index->tree);
    clump_kdtree_release(home, &index->kdtree);
    clump_azimuth_release(home, &index->parts);
    home->memory.release(index, NN_INDEX_BYTES, home->memory.user);
}

/* ----- queries one by one --------------------------------------------------------------------- */

typedef struct query_work {
    clump_team *team; /* polled by every query or pack: among points in one place a query can take long */
    const cpu_index *index;
    const clump_query_job *job;
    clump_view view;
    const uint64_t *words;      /* the order of the queries; null: as given */
    size_t count;               /* of words, or of queries */
    bool packs;                 /* search in packs */
    clump_tree_pending *stacks; /* CLUMP_TREE_STACK entries per thread */
    size_t misfit;              /* 1 + a query with another number of neighbours than the offsets say; 0: none */
} query_work;

static void find_kdtree(const clump_kdtree *tree, clump_find *find)
{
    clump_kdtree_walk walk = clump_kdtree_near(tree, find->x, find->y, find->z, find->bound, true);
    while (clump_kdtree_next(&walk)) {
        clump_find_test(find, (const clump_tree_point *)(const void *)tree->points, walk.first, walk.last);
        walk.bound = find->bound;
    }
}

_Static_assert(sizeof(clump_kdtree_point) == sizeof(clump_tree_point) &&
                   offsetof(clump_kdtree_point, index) == offsetof(clump_tree_point, index),
               "points of both trees have one layout");

static void find_one(const cpu_index *index, clump_find *find, clump_tree_pending *stack)
{
    if (index->method == CLUMP_NN_FAST)
        clump_tree_find(&index->tree, find, stack);
    else if (index->method == CLUMP_NN_KDTREE)
        find_kdtree(&index->kdtree, find);
    else
        clump_azimuth_find(&index->parts, find);
}

/* The k nearest by `fast`. */
static void query_nearest(const query_work *w, size_t i, clump_recent *recent)
{
    const clump_query_job *const job = w->job;
    const float *const q = clump_view_at(w->view, i);
    uint64_t keys[CLUMP_FIND_MOST];
    const float bound = clump_recent_bound(recent, q);
    const clump_one_job one = {.query = q, .bound = bound < job->bound ? bound : job->bound, .k = job->k, .keys = keys};
    const size_t n = clump_tree_one(&w->index->tree, &one);
    if (n == job->k) clump_recent_keep(recent, q, clump_find_distance(keys[n - 1]));
    int32_t *const indices = job->indices + i * job->k;
    for (size_t j = 0; j < job->k; j++) indices[j] = j < n ? (int32_t)(uint32_t)keys[j] : -1;
    if (!job->distances) return;
    float *const distances = job->distances + i * job->k;
    for (size_t j = 0; j < job->k; j++) distances[j] = j < n ? clump_find_distance(keys[j]) : INFINITY;
}

static void query_one(query_work *w, size_t i, clump_tree_pending *stack, clump_recent *recent)
{
    const clump_query_job *const job = w->job;
    if (job->kind == CLUMP_QUERY_NEAREST && w->index->method == CLUMP_NN_FAST) {
        query_nearest(w, i, recent);
        return;
    }
    const float *const q = clump_view_at(w->view, i);
    uint64_t heap[CLUMP_FIND_MOST];
    clump_find find = {.kind = CLUMP_FIND_NEAREST, .room = job->k, .heap = heap};
    if (job->kind == CLUMP_QUERY_COUNT) find.kind = CLUMP_FIND_COUNT;
    if (job->kind == CLUMP_QUERY_FILL) {
        const size_t begin = (size_t)job->offsets[i];
        find.kind = CLUMP_FIND_FILL;
        find.room = (size_t)job->offsets[i + 1] - begin;
        find.indices = job->indices + begin;
        find.distances = job->distances ? job->distances + begin : NULL;
    }
    if (clump_point_is_finite(q, false)) {
        clump_find_begin(&find, q, job->bound);
        find_one(w->index, &find, stack);
    }
    if (job->kind == CLUMP_QUERY_NEAREST)
        clump_find_nearest(&find, job->indices + i * job->k, job->distances ? job->distances + i * job->k : NULL);
    else if (job->kind == CLUMP_QUERY_COUNT)
        job->sums[i + 1] = (int64_t)find.found;
    else if (find.found == find.room)
        clump_find_sort_row(find.indices, find.distances, find.found);
    else
        CLUMP_STORE(&w->misfit, i + 1);
}

/* ----- queries in packs ----------------------------------------------------------------------- */

/* Returns by how much to shift words so that neighbouring leaves just become equal, plus NN_PACK_BITS. */
static unsigned pack_shift(const clump_box_tree *tree, size_t leaf)
{
    const uint64_t here = tree->leaves[leaf].place;
    uint64_t apart = UINT64_MAX;
    if (leaf > 0) apart = here ^ tree->leaves[leaf - 1].place;
    if (leaf + 1 < tree->leaf_count && (here ^ tree->leaves[leaf + 1].place) < apart)
        apart = here ^ tree->leaves[leaf + 1].place;
    const unsigned bits = apart ? 63u - (unsigned)__builtin_clzll(apart) : 0;
    const unsigned shift = bits + NN_PACK_BITS + CLUMP_CURVE_SHIFT;
    return shift < 63 ? shift : 63;
}

/* Loads the guesses that are within the bound. Returns whether every query has one. */
static bool load_guesses(const query_work *w, size_t first, size_t last, clump_pack *pack)
{
    const clump_query_job *const job = w->job;
    bool all = true;
    for (size_t u = first; u < last; u++) {
        const int32_t at = job->indices[clump_word_point(w->words[u])];
        const size_t lane = u - first;
        if (at >= 0) {
            const float *const p = clump_floats(job->guessed + (size_t)at * job->guessed_stride);
            const float d2 = clump_distance_squared(pack->x[lane], pack->y[lane], pack->z[lane], p[0], p[1], p[2]);
            if (d2 <= job->bound) pack->best[lane] = d2, pack->index[lane] = at;
        }
        all = all && pack->index[lane] != CLUMP_TREE_NO_INDEX;
    }
    return all;
}

static void query_pack(const query_work *w, size_t first, size_t last, size_t leaf, clump_tree_pending *stack)
{
    const clump_query_job *const job = w->job;
    CLUMP_ASSERT(first < last && last - first <= CLUMP_PACK);
    clump_pack pack;
    pack.count = (int)(last - first);
    for (size_t u = first; u < last; u++) {
        const float *const q = clump_view_at(w->view, clump_word_point(w->words[u]));
        pack.x[u - first] = q[0], pack.y[u - first] = q[1], pack.z[u - first] = q[2];
        pack.best[u - first] = job->bound;
        pack.index[u - first] = CLUMP_TREE_NO_INDEX;
    }
    const bool guessed = job->guesses && load_guesses(w, first, last, &pack);
    clump_tree_find_pack(&w->index->tree, &pack, guessed ? CLUMP_TREE_NO_LEAF : leaf, stack);
    for (size_t u = first; u < last; u++) {
        const size_t i = clump_word_point(w->words[u]);
        const bool none = pack.index[u - first] == CLUMP_TREE_NO_INDEX;
        job->indices[i] = none ? -1 : pack.index[u - first];
        if (job->distances) job->distances[i] = none ? INFINITY : pack.best[u - first];
    }
}

/* Returns the end of the pack that begins with query `first` of a hot cell: queries no further from it than `wide`. */
static size_t find_pack_end(const query_work *w, size_t first, size_t most, float wide)
{
    const float *const q = clump_view_at(w->view, clump_word_point(w->words[first]));
    size_t end = first + 1;
    for (; end < most && (w->words[end] ^ w->words[first]) >> CLUMP_CURVE_SHIFT == 0; end++) {
        const float *const p = clump_view_at(w->view, clump_word_point(w->words[end]));
        if (fabsf(p[0] - q[0]) > wide || fabsf(p[1] - q[1]) > wide || fabsf(p[2] - q[2]) > wide) break;
    }
    return end;
}

static void query_packs(const query_work *w, size_t first, size_t last, clump_tree_pending *stack)
{
    const clump_box_tree *const tree = &w->index->tree;
    const uint64_t *const words = w->words;
    size_t leaf = clump_tree_leaf_at(tree, words[first] >> CLUMP_CURVE_SHIFT);
    while (first < last && !clump_team_stopped(w->team)) {
        const uint64_t place = words[first] >> CLUMP_CURVE_SHIFT;
        while (leaf + 1 < tree->leaf_count && tree->leaves[leaf + 1].place <= place) leaf++;
        const size_t most = last - first < CLUMP_PACK ? last : first + CLUMP_PACK;
        size_t end = first + 1, start = leaf;
        if (clump_tree_is_hot(tree, leaf, place)) {
            float wide;
            start = clump_tree_descend(tree, clump_view_at(w->view, clump_word_point(words[first])), &wide);
            end = find_pack_end(w, first, most, NN_PACK_WIDE * wide);
        } else {
            const unsigned shift = pack_shift(tree, leaf);
            while (end < most && (words[end] ^ words[first]) >> shift == 0) end++;
        }
        query_pack(w, first, end, start, stack);
        first = end;
    }
}

/* ----- all of them ---------------------------------------------------------------------------- */

static void query_chunk(void *arg, size_t begin, size_t end, int worker)
{
    query_work *const w = arg;
    clump_tree_pending *const stack = w->stacks + (size_t)worker * CLUMP_TREE_STACK;
    if (w->packs) {
        query_packs(w, begin, end, stack);
    } else {
        clump_recent recent = clump_recent_none();
        for (size_t u = begin; u < end && !clump_team_stopped(w->team); u++)
            query_one(w, w->words ? clump_word_point(w->words[u]) : u, stack, &recent);
    }
}

/* Answers the queries that are not finite; they have no place on the curve. */
static void answer_not_finite(query_work *w)
{
    clump_recent recent = clump_recent_none();
    for (size_t i = 0; i < w->view.count; i++)
        if (!clump_point_is_finite(clump_view_at(w->view, i), false)) query_one(w, i, NULL, &recent);
}

/* Orders the queries along the curve of the tree; scratch->words stays null on failure. */
static clump_status order_queries(clump_work *work, clump_cpu_nn *scratch, const clump_box_tree *tree, clump_view view,
                                  int threads)
{
    uint64_t *words;
    scratch->words = NULL;
    CLUMP_TRY(clump_curve_order(work, &scratch->order, &tree->curve, view, false, threads, &words, &scratch->count));
    if (tree->maybe_hot)
        CLUMP_TRY(clump_packs_order(work, tree, &scratch->order, words, scratch->count, view, threads));
    scratch->words = words;
    return CLUMP_OK;
}

clump_status clump_cpu_index_query(clump_work *work, clump_cpu_nn *scratch, const void *state,
                                   const clump_query_job *job, clump_stats *stats)
{
    const double start = clump_now_ms();
    const cpu_index *const index = state;
    query_work w = {.team = work->team,
                    .index = index,
                    .job = job,
                    .view = {job->queries, job->count, job->stride},
                    .count = job->count};
    const bool by_curve = index->method == CLUMP_NN_FAST && index->tree.count > 0;
    const int threads = clump_threads_for(work, job->count, NN_MIN_SHARE);
    if (by_curve) {
        if (!job->moved || !scratch->words) CLUMP_TRY(order_queries(work, scratch, &index->tree, w.view, threads));
        w.words = scratch->words;
        w.count = scratch->count;
    }
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->stacks, (size_t)threads * CLUMP_TREE_STACK * sizeof *w.stacks));
    w.packs = by_curve && job->kind == CLUMP_QUERY_NEAREST && job->k == 1;
    w.stacks = scratch->stacks.data;
    const size_t chunk = index->method == CLUMP_NN_FAST    ? NN_CHUNK
                         : index->method == CLUMP_NN_BRUTE ? 1
                                                           : NN_CHUNK_SLOW;
    CLUMP_TRY(clump_run(work, threads, w.count, chunk, query_chunk, &w));
    if (by_curve && w.count < job->count) answer_not_finite(&w);
    if (job->kind == CLUMP_QUERY_COUNT) {
        job->sums[0] = 0;
        for (size_t i = 0; i < job->count; i++) job->sums[i + 1] += job->sums[i];
    }
    stats->threads = threads;
    stats->query_ms = clump_now_ms() - start;
    if (w.misfit > 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "the offsets are not those of this radius: query %zu has another number of neighbours",
                          w.misfit - 1);
    return CLUMP_OK;
}

bool clump_cpu_index_one(const void *state, const clump_one_job *job, size_t *found)
{
    const cpu_index *const index = state;
    if (index->method != CLUMP_NN_FAST) return false;
    *found = clump_tree_one(&index->tree, job);
    return true;
}

void clump_cpu_nn_release(clump_work *work, clump_cpu_nn *scratch)
{
    clump_curve_release(work, &scratch->order);
    scratch->words = NULL;
    clump_buffer_release(work, &scratch->stacks);
}
