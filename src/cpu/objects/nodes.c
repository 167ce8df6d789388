/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nodes.c: see cut.h: the measures of all nodes. Points are added to the finest nodes, these to coarser ones.
 */
#include "cpu/objects/cut.h"

#include "common/assert.h"
#include "core/context.h"
#include "cpu/shared/points.h"

static clump_status measure_finest(clump_context *ctx, clump_node *node, const int32_t *labels,
                                   const clump_objects_job *job, const float *above)
{
    const clump_objects_rule rule = job->rule;
    for (size_t i = 0; i < job->in.count; i++) {
        if (i % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(ctx));
        clump_node_add(&rule, &node[labels[i]], clump_point_at(&job->in, i), above ? above[i] : NAN);
    }
    return CLUMP_OK;
}

clump_status clump_cut_measure(clump_context *ctx, clump_cut *cut, const clump_node_tree *tree,
                               const clump_objects_job *job, const float *above)
{
    size_t total = 0;
    for (int k = 0; k < tree->levels; k++) {
        cut->first[k] = (int32_t)total;
        total += (size_t)tree->counts[k];
    }
    cut->first[tree->levels] = (int32_t)total;
    CLUMP_TRY(clump_buffer_reserve(ctx, &cut->nodes, total * sizeof *cut->node));
    cut->node = cut->nodes.data;
    for (size_t c = 0; c < total; c++) cut->node[c] = clump_node_empty();
    CLUMP_TRY(measure_finest(ctx, cut->node, tree->labels, job, above));
    for (int k = 0; k + 1 < tree->levels; k++) {
        const clump_node *const finer = cut->node + cut->first[k];
        clump_node *const coarser = cut->node + cut->first[k + 1];
        for (int32_t c = 0; c < tree->counts[k]; c++) clump_node_merge(&coarser[tree->parent[k][c]], &finer[c]);
    }
    return CLUMP_OK;
}
