/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nodes.c: see tree.h: the measures of all nodes. Points are added to the finest nodes, these to coarser ones.
 *
 *     labels   0 0 0 1 1 0 0 2 2 2 1 3 ...      runs of equal labels are measured in registers
 *              └─0─┘ └1┘ └0┘ └─2─┘              and stored, or merged where their node was seen before
 *
 * Nodes are numbered by their first points. So the first run of a node has the smallest number not seen yet, and no node
 * has to be cleared. Several threads divide the nodes, not the points: each reads all labels, and measures the points
 * of its own nodes. So no two threads write to one node.
 */
#include "cpu/objects/tree.h"

#include "common/assert.h"
#include "common/bits.h"
#include "common/sort.h"
#include "common/wide.h"
#include "core/work.h"
#include "cpu/objects/extents.h"
#include "cpu/shared/points.h"

enum {
    NODES_MIN_SHARE = 8192, /* points per thread that are worth waking it; as for the ground */
    NODES_SAMPLE = 16       /* labels per thread, to divide the nodes */
};

typedef struct measuring {
    clump_team *team;
    clump_objects_rule rule;
    const clump_cloud_job *in;
    const int32_t *labels;
    const float *above;
    clump_node *node;
    int32_t first[CLUMP_MAX_THREADS + 1]; /* node of each thread */
} measuring;

/* ----- finest nodes ----------------------------------------------------------------------------------------------- */

/* Returns the first point from i on that is in one of the nodes from ... to - 1, `end` where there is none. */
static size_t skip_others(const int32_t *labels, size_t i, size_t end, int32_t from, int32_t to)
{
    const clump_iw first = clump_iw_set(from), last = clump_iw_set(to - 1);
    for (; i + CLUMP_WIDE <= end; i += CLUMP_WIDE) {
        const clump_iw here = clump_iw_load(labels + i);
        const unsigned others = clump_mw_bits(clump_mw_or(clump_iw_is_less(here, first), clump_iw_is_less(last, here)));
        if (others != (1u << CLUMP_WIDE) - 1) return i + clump_lowest(~others);
    }
    while (i < end && (labels[i] < from || labels[i] >= to)) i++;
    return i;
}

/* Measures the points begin ... end - 1 of nodes from ... to - 1. `seen` of these have points before. Returns the new
 * number. */
static int32_t measure_chunk(const measuring *m, size_t begin, size_t end, int32_t from, int32_t to, int32_t seen)
{
    const clump_directions directions = clump_directions_set();
    const clump_objects_rule rule = m->rule;
    const uint32_t mine = (uint32_t)to - (uint32_t)from;
    const int32_t *const labels = m->labels;
    for (size_t i = begin; i < end;) {
        const int32_t label = labels[i];
        if ((uint32_t)label - (uint32_t)from >= mine) {
            i = skip_others(labels, i + 1, end, from, to);
            continue;
        }
        const size_t start = i;
        clump_extents e = clump_extents_empty();
        do {
            clump_extents_add(&e, &directions, &rule, clump_point_at(m->in, i), m->above ? m->above[i] : NAN);
        } while (++i < end && labels[i] == label);
        clump_node *const node = &m->node[label];
        int32_t count = (int32_t)(i - start);
        CLUMP_ASSERT(label <= from + seen);
        if (label < from + seen) {
            count += node->count;
            clump_extents_merge(&e, node);
        } else {
            seen++;
        }
        clump_extents_store(&e, count, node);
    }
    return seen;
}

static void measure_nodes(void *arg, size_t begin, size_t end, int worker)
{
    const measuring *const m = arg;
    (void)worker;
    for (size_t t = begin; t < end; t++) {
        int32_t seen = 0;
        for (size_t i = 0; i < m->in->count && !clump_team_stopped(m->team); i += CLUMP_CHUNK) {
            const size_t left = m->in->count - i;
            seen =
                measure_chunk(m, i, i + (left < CLUMP_CHUNK ? left : CLUMP_CHUNK), m->first[t], m->first[t + 1], seen);
        }
    }
}

/* Divides the nodes so that each thread has about as many points: by a sample of the labels, sorted. */
static void divide_nodes(measuring *m, int threads, int32_t nodes)
{
    m->first[0] = 0;
    m->first[threads] = nodes;
    if (threads == 1) return;
    uint64_t sample[CLUMP_MAX_THREADS * NODES_SAMPLE];
    const size_t taken = (size_t)threads * NODES_SAMPLE, apart = m->in->count / taken;
    for (size_t k = 0; k < taken; k++) sample[k] = (uint64_t)m->labels[k * apart];
    clump_heap_make(sample, taken);
    for (size_t n = taken; n > 1; n--) sample[n - 1] = clump_heap_pop(sample, n);
    for (int t = 1; t < threads; t++) m->first[t] = (int32_t)sample[t * NODES_SAMPLE];
}

/* ----- all nodes -------------------------------------------------------------------------------------------------- */

/* Adds the nodes of a level to those of the next. Parents are numbered by their first points, too. */
static clump_status measure_parents(clump_work *work, const clump_node *finer, int32_t count, const int32_t *parent,
                                    clump_node *coarser)
{
    int32_t seen = 0;
    for (int32_t c = 0; c < count; c++) {
        if (c % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        CLUMP_ASSERT(parent[c] <= seen);
        if (parent[c] < seen)
            clump_extents_join(&coarser[parent[c]], &finer[c]);
        else
            coarser[seen++] = finer[c];
    }
    return CLUMP_OK;
}

clump_status clump_cut_measure(clump_work *work, clump_cut *cut, const clump_node_tree *tree,
                               const clump_objects_job *job, const float *above)
{
    size_t total = 0;
    for (int k = 0; k < tree->levels; k++) {
        cut->first[k] = (int32_t)total;
        total += (size_t)tree->counts[k];
    }
    cut->first[tree->levels] = (int32_t)total;
    if (total > INT32_MAX)
        return clump_fail(work, CLUMP_ERR_TOO_MANY,
                          "%s: the tree of clusters has %zu nodes, at most %d can be measured", work->call, total,
                          INT32_MAX);
    CLUMP_TRY(clump_buffer_reserve(work, &cut->nodes, total * sizeof *cut->node));
    cut->node = cut->nodes.data;
    measuring m = {work->team, job->rule, &job->in, tree->labels, above, cut->node, {0}};
    const int threads = clump_threads_for(work, job->in.count, NODES_MIN_SHARE);
    divide_nodes(&m, threads, tree->counts[0]);
    CLUMP_TRY(clump_run(work, threads, (size_t)threads, 1, measure_nodes, &m));
    for (int k = 0; k + 1 < tree->levels; k++)
        CLUMP_TRY(measure_parents(work, cut->node + cut->first[k], tree->counts[k], tree->parent[k],
                                  cut->node + cut->first[k + 1]));
    return CLUMP_OK;
}
