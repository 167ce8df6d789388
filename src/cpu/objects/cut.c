/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cut.c: see tree.h: which nodes are clusters, by the rules of core/node.h.
 */
#include "cpu/objects/tree.h"

#include "core/work.h"

#include <string.h>

enum { CUT_NONE = -1 };

/* Finds the parts of all nodes, from the finest level up. */
static clump_status find_parts(clump_work *work, const clump_cut *cut, const clump_node_tree *tree,
                               const clump_objects_rule *rule, clump_node_parts *parts)
{
    memset(parts, 0, (size_t)cut->first[tree->levels] * sizeof *parts);
    for (int k = 0; k < tree->levels && rule->groups; k++) {
        for (int32_t c = 0; c < tree->counts[k]; c++) {
            if (c % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
            clump_node_parts *const mine = &parts[cut->first[k] + c];
            const clump_node_parts own = clump_node_own_parts(rule, &cut->node[cut->first[k] + c]);
            if (own.people > 0) mine->people = own.people, mine->most_person = own.most_person;
            if (own.users > 0) mine->users = own.users, mine->most_user = own.most_user;
            if (mine->users == 0 || k + 1 == tree->levels) continue;
            clump_node_parts *const coarser = &parts[cut->first[k + 1] + tree->parent[k][c]];
            coarser->people += mine->people;
            coarser->users += mine->users;
            if (mine->most_person > coarser->most_person) coarser->most_person = mine->most_person;
            if (mine->most_user > coarser->most_user) coarser->most_user = mine->most_user;
        }
    }
    return CLUMP_OK;
}

/* From the coarsest level down: found[c] becomes the object that holds node c, CUT_NONE where none does. */
static clump_status find_objects(clump_work *work, const clump_cut *cut, const clump_node_tree *tree,
                                 const clump_objects_rule *rule, const clump_node_parts *parts, int32_t *found)
{
    for (int k = tree->levels - 1; k >= 0; k--) {
        for (int32_t c = 0; c < tree->counts[k]; c++) {
            if (c % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
            const int32_t at = cut->first[k] + c;
            const bool inner = k + 1 < tree->levels;
            const int32_t above = inner ? found[cut->first[k + 1] + tree->parent[k][c]] : CUT_NONE;
            if (above != CUT_NONE)
                found[at] = above;
            else
                found[at] = clump_node_is_object(rule, k, &cut->node[at]) &&
                                    !clump_node_is_group(rule, &cut->node[at], &parts[at])
                                ? at
                                : CUT_NONE;
        }
    }
    return CLUMP_OK;
}

/* Returns the node of the coarsest level that holds a node of the finest. */
static int32_t root_of(const clump_cut *cut, const clump_node_tree *tree, int32_t c)
{
    for (int k = 0; k + 1 < tree->levels; k++) c = tree->parent[k][c];
    return cut->first[tree->levels - 1] + c;
}

static int level_of(const clump_cut *cut, int32_t at)
{
    int k = 0;
    while (at >= cut->first[k + 1]) k++;
    return k;
}

clump_status clump_cut_decide(clump_work *work, clump_cut *cut, const clump_node_tree *tree,
                              const clump_objects_rule *rule)
{
    const size_t total = (size_t)cut->first[tree->levels], finest = (size_t)tree->counts[0];
    CLUMP_TRY(clump_buffer_reserve(work, &cut->clusters,
                                   total * sizeof(clump_node_parts) + (2 * total + finest) * sizeof(int32_t) + total));
    clump_node_parts *const parts = cut->clusters.data;
    int32_t *const found = (int32_t *)(parts + total), *const size = found + total;
    cut->cluster = size + total;
    cut->object = (uint8_t *)(cut->cluster + finest);
    CLUMP_TRY(find_parts(work, cut, tree, rule, parts));
    CLUMP_TRY(find_objects(work, cut, tree, rule, parts, found));
    memset(size, 0, total * sizeof *size);
    memset(cut->object, 0, total);
    for (int32_t c = 0; c < tree->counts[0]; c++) {
        if (c % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        const bool object = found[c] != CUT_NONE;
        const int32_t name = object ? found[c] : root_of(cut, tree, c);
        cut->cluster[c] = name;
        cut->object[name] = object ? (uint8_t)(1 + level_of(cut, name)) : 0;
        size[name] += cut->node[c].count;
    }
    for (int32_t c = 0; c < tree->counts[0]; c++) {
        if (!clump_node_is_person(rule, &cut->node[c], size[cut->cluster[c]])) continue;
        cut->cluster[c] = c; /* no other cluster has this name: an object of the finest level is a whole cluster */
        cut->object[c] = 1;
    }
    return CLUMP_OK;
}

void clump_cut_release(clump_work *work, clump_cut *cut)
{
    clump_buffer_release(work, &cut->nodes);
    clump_buffer_release(work, &cut->clusters);
}
