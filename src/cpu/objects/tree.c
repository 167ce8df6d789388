/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.c: see tree.h: memory of the tree, and the tree of all pairs of points.
 */
#include "cpu/objects/tree.h"

#include "core/work.h"
#include "cpu/ranged/ranged.h"

clump_status clump_node_tree_reserve(clump_work *work, clump_node_tree *tree, int levels, size_t count)
{
    CLUMP_TRY(clump_buffer_reserve(work, &tree->memory, (size_t)levels * count * sizeof(int32_t)));
    tree->levels = levels;
    tree->labels = tree->memory.data;
    for (int k = 0; k + 1 < levels; k++) tree->parent[k] = tree->labels + (size_t)(k + 1) * count;
    return CLUMP_OK;
}

clump_status clump_node_tree_exact(clump_work *work, clump_node_tree *tree, clump_ranged *ranged, clump_cpu_fast *fast,
                                   const clump_objects_job *job, clump_stats *stats)
{
    clump_cloud_job in = job->in;
    CLUMP_TRY(clump_node_tree_reserve(work, tree, job->rule.levels, in.count));
    in.labels = tree->labels;
    return clump_ranged_tree(work, ranged, fast, &in, tree->levels, job->rule.factors, tree->parent, tree->counts,
                             stats);
}

void clump_node_tree_release(clump_work *work, clump_node_tree *tree)
{
    clump_buffer_release(work, &tree->memory);
}
