/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_nodes.cuh: from the tree to labels: measures of the nodes, the cut, people, numbers of the clusters, and the list
 * of clusters. The rules are those of core/node.h. In the order in which the bodies run:
 *
 *     begin_nodes   empty nodes
 *     measure       the finest nodes, from points; a thread takes OBJECTS_EACH points, most of them of one node
 *     coarsen       the other nodes, from the finest
 *     weigh         parts of the other nodes, for groups
 *     cut           which node names the cluster of each finest node; sizes of clusters
 *     people        finest nodes that become clusters of their own; first points of clusters
 *     mark          numbers of clusters, by their first points
 *     label         labels of points
 *     list ...      after size limits and order: the list of clusters
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_NODES_CUH
#define CLUMP_CUDA_OBJECTS_OBJECTS_NODES_CUH

#include "cuda/objects/objects_job.cuh"

enum { OBJECTS_EACH = 4 }; /* points per thread */

/* ----- measures ------------------------------------------------------------------------------------------ */

OBJECTS_BODY void objects_clear_node(objects_node *n)
{
    const uint32_t least = clump_key_of_float(-(float)INFINITY), most = clump_key_of_float((float)INFINITY);
    n->count = n->size = 0;
    for (int k = 0; k < CLUMP_NODE_DIRECTIONS; k++) n->low[k] = most, n->high[k] = least;
    n->bottom = n->lowest = most;
    n->top = n->highest = least;
    n->first = n->start = CLUMP_GPU_NONE;
}

OBJECTS_BODY clump_node objects_read_node(const objects_node *n)
{
    clump_node out;
    out.count = (int32_t)n->count;
    for (int k = 0; k < CLUMP_NODE_DIRECTIONS; k++) {
        out.low[k] = clump_float_of_key(n->low[k]);
        out.high[k] = clump_float_of_key(n->high[k]);
    }
    out.bottom = clump_float_of_key(n->bottom);
    out.top = clump_float_of_key(n->top);
    out.lowest = clump_float_of_key(n->lowest);
    out.highest = clump_float_of_key(n->highest);
    return out;
}

/* Adds measures to a node that several threads add to. All of the node is read first: measures only grow, and most values
 * change nothing. One by one, each read would wait for the one before. */
OBJECTS_BODY void objects_merge_node(objects_node *to, const clump_node &n)
{
    const objects_node known = objects_glance(to);
    objects_add(&to->count, (uint32_t)n.count);
    for (int k = 0; k < CLUMP_NODE_DIRECTIONS; k++) {
        objects_lower_from(&to->low[k], known.low[k], clump_key_of_float(n.low[k]));
        objects_raise_from(&to->high[k], known.high[k], clump_key_of_float(n.high[k]));
    }
    objects_lower_from(&to->bottom, known.bottom, clump_key_of_float(n.bottom));
    objects_raise_from(&to->top, known.top, clump_key_of_float(n.top));
    objects_lower_from(&to->lowest, known.lowest, clump_key_of_float(n.lowest));
    objects_raise_from(&to->highest, known.highest, clump_key_of_float(n.highest));
}

/* Returns whether c is the number of a node of a level. */
OBJECTS_BODY bool objects_is_node(const objects_job &job, int level, size_t c)
{
    if (job.source == CLUMP_RINGS_NONE) return c < job.level_counts[level].clusters;
    return job.of[level][c] == c;
}

OBJECTS_BODY void objects_begin_nodes(const objects_job &job, size_t c)
{
    if (c % 32 == 0) job.marks[c / 32] = 0;
    for (int k = 0; k < job.rule.levels; k++)
        if (objects_is_node(job, k, c)) {
            objects_clear_node(&job.node[k][c]);
            if (k > 0) job.parts[k][c] = objects_parts{0, 0, 0, 0};
        }
}

OBJECTS_BODY void objects_measure(const objects_job &job, size_t t)
{
    const size_t begin = t * OBJECTS_EACH, left = job.view.count - begin;
    const size_t end = left < OBJECTS_EACH ? begin + left : begin + OBJECTS_EACH;
    uint32_t at = CLUMP_GPU_NONE;
    clump_node sum = clump_node_empty();
    for (size_t i = begin; i < end; i++) {
        const uint32_t c = job.of[0][i];
        if (c == CLUMP_GPU_NONE) continue;
        if (c != at) {
            if (at != CLUMP_GPU_NONE) objects_merge_node(&job.node[0][at], sum);
            sum = clump_node_empty();
            at = c;
            objects_lower(&job.node[0][c].first, (uint32_t)i);
        }
        clump_node_add(&job.rule, &sum, objects_point(job, i), job.above ? job.above[i] : (float)NAN);
    }
    if (at != CLUMP_GPU_NONE) objects_merge_node(&job.node[0][at], sum);
}

/* Returns the node of a level that holds a node of the finest. */
OBJECTS_BODY uint32_t objects_above(const objects_job &job, int level, size_t c)
{
    return level == 0 ? (uint32_t)c : job.of[level][job.node[0][c].first];
}

OBJECTS_BODY void objects_coarsen(const objects_job &job, size_t c)
{
    if (job.rule.levels == 1 || !objects_is_node(job, 0, c)) return;
    const clump_node mine = objects_read_node(&job.node[0][c]);
    for (int k = 1; k < job.rule.levels; k++) objects_merge_node(&job.node[k][objects_above(job, k, c)], mine);
}

/* Adds a node of the finest level to the parts of all nodes that hold it. The part of a level is the coarsest node below it
 * that has the size: `person` and `user` are its points, 0 where there is none. */
OBJECTS_BODY void objects_weigh(const objects_job &job, size_t c)
{
    if (!objects_is_node(job, 0, c)) return;
    const uint32_t count = job.node[0][c].count;
    uint32_t person = 0, user = 0;
    for (int k = 0; k < job.rule.levels; k++) {
        const uint32_t at = objects_above(job, k, c);
        if (person > 0) {
            objects_add(&job.parts[k][at].people, count);
            objects_raise(&job.parts[k][at].most_person, person);
        }
        if (user > 0) {
            objects_add(&job.parts[k][at].users, count);
            objects_raise(&job.parts[k][at].most_user, user);
        }
        if (k + 1 == job.rule.levels || job.node[k][at].count < CLUMP_OBJECTS_LEAST) continue;
        const clump_node node = objects_read_node(&job.node[k][at]);
        const clump_node_parts own = clump_node_own_parts(&job.rule, &node);
        if (own.people > 0) person = (uint32_t)own.people;
        if (own.users > 0) user = (uint32_t)own.users;
    }
}

/* Returns whether a node that fits in a box is a group. */
OBJECTS_BODY bool objects_is_group(const objects_job &job, int level, uint32_t at, const clump_node &node)
{
    if (level == 0 || !job.rule.groups) return false;
    const objects_parts found = job.parts[level][at];
    const clump_node_parts parts = {(int32_t)found.people, (int32_t)found.most_person, (int32_t)found.users,
                                    (int32_t)found.most_user};
    return clump_node_is_group(&job.rule, &node, &parts);
}

/* ----- cut ----------------------------------------------------------------------------------------------- */

OBJECTS_BODY objects_node *objects_named(const objects_job &job, objects_name name)
{
    return &job.node[name.level][name.node];
}

OBJECTS_BODY void objects_cut(const objects_job &job, size_t c)
{
    if (!objects_is_node(job, 0, c)) return;
    const int coarsest = job.rule.levels - 1;
    objects_name name = {objects_above(job, coarsest, c), (uint16_t)coarsest, 0};
    for (int k = coarsest; k >= 0 && !name.object; k--) {
        const uint32_t at = objects_above(job, k, c);
        const clump_node node = objects_read_node(&job.node[k][at]);
        if (!clump_node_is_object(&job.rule, k, &node) || objects_is_group(job, k, at, node)) continue;
        name.node = at;
        name.level = (uint16_t)k;
        name.object = 1;
    }
    job.name[c] = name;
    objects_add(&objects_named(job, name)->size, job.node[0][c].count);
}

OBJECTS_BODY void objects_people(const objects_job &job, size_t c)
{
    if (!objects_is_node(job, 0, c)) return;
    objects_name name = job.name[c];
    const clump_node node = objects_read_node(&job.node[0][c]);
    if (clump_node_is_person(&job.rule, &node, (int32_t)objects_named(job, name)->size)) {
        name.node = (uint32_t)c; /* no other cluster has this name: an object of the finest level is a whole cluster */
        name.level = 0;
        name.object = 1;
        job.name[c] = name;
    }
    objects_lower(&objects_named(job, name)->start, job.node[0][c].first);
}

/* ----- labels -------------------------------------------------------------------------------------------- */

/* Marks the first point of a cluster. */
OBJECTS_BODY void objects_mark(const objects_job &job, size_t c)
{
    if (!objects_is_node(job, 0, c)) return;
    const uint32_t first = job.node[0][c].first;
    if (objects_named(job, job.name[c])->start == first)
        objects_set_bits(&job.marks[first / 32], (uint32_t)1 << first % 32);
}

OBJECTS_BODY void objects_label(const objects_job &job, size_t i)
{
    const uint32_t c = job.of[0][i];
    int32_t label = CLUMP_NOISE;
    if (c != CLUMP_GPU_NONE) {
        const uint32_t start = objects_named(job, job.name[c])->start;
        const uint32_t before = job.marks[start / 32] & (((uint32_t)1 << start % 32) - 1);
        label = (int32_t)(job.numbers[start / 32] + objects_count_bits(before));
    }
    job.labels[i] = label;
    if (i == 0 && job.report) job.report->rings = job.counters->rings;
}

/* ----- list ---------------------------------------------------------------------------------------------- */

OBJECTS_BODY void objects_list_begin(const objects_job &job, size_t c)
{
    objects_clear_node(&job.whole[c]);
}

/* Adds a node of the finest level to its cluster. Final labels are those of first points. */
OBJECTS_BODY void objects_list_add(const objects_job &job, size_t c)
{
    if (!objects_is_node(job, 0, c)) return;
    const objects_name name = job.name[c];
    const int32_t label = job.labels[objects_named(job, name)->start];
    if (label < 0 || (uint32_t)label >= job.listed) return;
    objects_merge_node(&job.whole[label], objects_read_node(&job.node[0][c]));
    job.whole[label].size = name.object ? name.level + 1u : 0u; /* all nodes of the cluster write the same */
}

OBJECTS_BODY void objects_list_write(const objects_job &job, size_t c)
{
    if (c >= job.counts->clusters) return;
    const clump_node node = objects_read_node(&job.whole[c]);
    job.found[c] = clump_object_of(&job.rule, (int32_t)c, (int)job.whole[c].size - 1, &node);
}

#endif
