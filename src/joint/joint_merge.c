/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joint_merge.c: from clusters of pieces to clusters of the whole cloud. docs/scale.md has the proofs.
 *
 *     1  unite    a point in the rim of a piece is an own point of another: its two clusters are one. Points are
 *                 recognised by their index; many may have the same coordinates
 *     2  first    the smallest index of a core point, per whole cluster
 *     3  size     the sum over its parts. A choice takes its cluster with the smallest first point
 *     4  number   whole clusters within the limits, by first point or by size (joint_number.c)
 *
 * The provisional labels of all pieces, one piece after the other, are the nodes of a union-find. A choice is a node
 * that step 3 appends to the cluster that it takes. No step depends on the order of the pieces.
 */
#include "joint/joint.h"

#include "common/assert.h"

#include <inttypes.h>
#include <string.h>

#define MERGE_EMPTY       UINT64_MAX /* index of an empty slot; no point has it */
#define MERGE_FILTER_BITS 16         /* per rim point, at least: one own point in 16 is looked up in vain */

/* A rim point: its index, a cluster that it is in, and the piece that owns it. */
typedef struct rim_slot {
    uint64_t index;
    size_t node;
    int64_t owner; /* -1: not found yet */
} rim_slot;

typedef struct merge {
    clump_work *work; /* the joint's, for memory and messages */
    const clump_joint_settings *settings;
    clump_joint_part *const *parts;
    size_t part_count, node_count;
    rim_slot *slots;
    size_t slot_mask;
    uint64_t *filter;      /* bits of hashed indices of rim points: most own points are not in it */
    int filter_shift;      /* 64 - the logarithm of its bits */
    size_t *parent;        /* parent[i] <= i until choices are appended */
    int64_t *first, *size; /* of roots */
} merge;

/* ----- union-find -------------------------------------------------------------------------------------------------- */

static void unite(size_t *parent, size_t a, size_t b)
{
    a = clump_joint_find(parent, a);
    b = clump_joint_find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* ----- 1: rim points and their pieces ------------------------------------------------------------------------------ */

/* Returns the slot of an index, or the empty slot where it belongs. */
static rim_slot *slot_of(const merge *m, int64_t index)
{
    const clump_hash_key key = m->work->hash_key;
    const int32_t low = (int32_t)(uint32_t)index, high = (int32_t)(index >> 32);
    const uint64_t hash = clump_hash(key, low, high, 0, 0) | (uint64_t)clump_hash(key, low, high, 1, 1) << 32;
    size_t slot = (size_t)hash & m->slot_mask;
    while (m->slots[slot].index != MERGE_EMPTY && m->slots[slot].index != (uint64_t)index)
        slot = (slot + 1) & m->slot_mask;
    return &m->slots[slot];
}

/* Returns the bit of an index in the filter. */
static uint64_t filter_bit(const merge *m, int64_t index)
{
    return ((uint64_t)index * 0x9e3779b97f4a7c15u) >> m->filter_shift;
}

/* Returns whether a rim point may have this index. */
static bool may_be_rim(const merge *m, int64_t index)
{
    const uint64_t bit = filter_bit(m, index);
    return m->filter[bit / 64] >> (bit % 64) & 1;
}

/* Enters the rim points of all pieces. Clusters of two pieces that have one rim point are united at once. */
static clump_status enter_rims(merge *m)
{
    for (size_t p = 0; p < m->part_count; p++) {
        CLUMP_TRY(clump_poll(m->work));
        const clump_piece *const piece = m->parts[p]->piece;
        for (size_t k = 0; k < piece->rim_count; k++) {
            const size_t node = m->parts[p]->base + (size_t)piece->rim_labels[k];
            const uint64_t bit = filter_bit(m, piece->rim_indices[k]);
            m->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
            rim_slot *const slot = slot_of(m, piece->rim_indices[k]);
            if (slot->index == MERGE_EMPTY)
                *slot = (rim_slot){(uint64_t)piece->rim_indices[k], node, -1};
            else
                unite(m->parent, slot->node, node);
        }
    }
    return CLUMP_OK;
}

/* Own points of a part that may be in a rim: indices and provisional labels. */
typedef struct strip {
    const int64_t *indices;
    const int32_t *labels; /* CLUMP_NOISE: in no cluster */
    size_t count;
} strip;

static strip strip_of(const clump_joint_part *part)
{
    const clump_piece *const piece = part->piece;
    if (part->indices) return (strip){part->indices, part->labels, piece->own};
    return (strip){piece->strip_indices, piece->strip_labels, piece->strip_count};
}

/* Unites the cluster of a rim point, if it is one, with the cluster that it is in as an own point of part p. */
static clump_status join_own(merge *m, size_t p, int64_t index, int32_t label)
{
    rim_slot *const slot = slot_of(m, index);
    if (slot->index == MERGE_EMPTY || label < 0) return CLUMP_OK;
    if (slot->owner >= 0)
        return clump_fail(m->work, CLUMP_ERR_ARGUMENT,
                          "%s: the point with the index %" PRId64 " is an own point of the pieces %" PRId64 " and %zu",
                          m->work->call, index, slot->owner, p);
    slot->owner = (int64_t)p;
    unite(m->parent, slot->node, m->parts[p]->base + (size_t)label);
    return CLUMP_OK;
}

/* Unites the clusters of rim points with those that they are in as own points. */
static clump_status join_strips(merge *m)
{
    for (size_t p = 0; p < m->part_count; p++) {
        CLUMP_TRY(clump_poll(m->work));
        const strip own = strip_of(m->parts[p]);
        for (size_t k = 0; k < own.count; k++)
            if (may_be_rim(m, own.indices[k])) CLUMP_TRY(join_own(m, p, own.indices[k], own.labels[k]));
    }
    return CLUMP_OK;
}

/* Checks that every rim point belongs to a piece. */
static clump_status check_owners(const merge *m)
{
    for (size_t slot = 0; slot <= m->slot_mask; slot++)
        if (m->slots[slot].index != MERGE_EMPTY && m->slots[slot].owner < 0)
            return clump_fail(m->work, CLUMP_ERR_ARGUMENT,
                              "%s: the point with the index %" PRIu64
                              " is in a rim, but is no own point of any piece, or "
                              "its piece lacks points of its rim",
                              m->work->call, m->slots[slot].index);
    return CLUMP_OK;
}

static clump_status unite_clusters(merge *m)
{
    size_t rims = 0, slots = 2;
    int bits = 6;
    for (size_t p = 0; p < m->part_count; p++) rims += m->parts[p]->piece->rim_count;
    if (rims == 0) return CLUMP_OK;
    while (slots < 2 * rims) slots *= 2;
    while ((size_t)1 << bits < MERGE_FILTER_BITS * rims) bits++;
    const size_t words = ((size_t)1 << bits) / 64;
    clump_buffer memory = {0};
    CLUMP_TRY(clump_buffer_reserve(m->work, &memory, slots * sizeof *m->slots + words * sizeof *m->filter));
    m->slots = memory.data;
    m->slot_mask = slots - 1;
    m->filter = (uint64_t *)(void *)(m->slots + slots);
    m->filter_shift = 64 - bits;
    for (size_t slot = 0; slot < slots; slot++) m->slots[slot].index = MERGE_EMPTY;
    memset(m->filter, 0, words * sizeof *m->filter);
    clump_status status = enter_rims(m);
    if (status == CLUMP_OK) status = join_strips(m);
    if (status == CLUMP_OK) status = check_owners(m);
    clump_buffer_release(m->work, &memory);
    return status;
}

/* ----- 2 and 3: first points and sizes ------------------------------------------------------------------------------ */

static void find_firsts(merge *m)
{
    for (size_t i = 0; i < m->node_count; i++) m->first[i] = INT64_MAX;
    for (size_t p = 0; p < m->part_count; p++) {
        const clump_piece *const piece = m->parts[p]->piece;
        for (size_t c = 0; c < (size_t)piece->cluster_count; c++) {
            int64_t *const first = &m->first[clump_joint_find(m->parent, m->parts[p]->base + c)];
            *first = piece->firsts[c] < *first ? piece->firsts[c] : *first;
        }
    }
}

/* Returns the whole cluster that a choice takes. */
static size_t choose(merge *m, const clump_joint_part *part, size_t choice)
{
    const clump_piece *const piece = part->piece;
    size_t best = clump_joint_find(m->parent, part->base + (size_t)piece->choices[piece->choice_offsets[choice]]);
    for (int32_t k = piece->choice_offsets[choice] + 1; k < piece->choice_offsets[choice + 1]; k++) {
        const size_t root = clump_joint_find(m->parent, part->base + (size_t)piece->choices[k]);
        if (m->first[root] < m->first[best]) best = root;
    }
    return best;
}

static void sum_sizes(merge *m)
{
    memset(m->size, 0, m->node_count * sizeof *m->size);
    for (size_t p = 0; p < m->part_count; p++) {
        const clump_joint_part *const part = m->parts[p];
        const size_t clusters = (size_t)part->piece->cluster_count, choices = (size_t)part->piece->choice_count;
        for (size_t c = 0; c < choices; c++) m->parent[part->base + clusters + c] = choose(m, part, c);
        for (size_t c = 0; c < clusters + choices; c++)
            m->size[clump_joint_find(m->parent, part->base + c)] += part->piece->sizes[c];
    }
}

/* ----- all of it -------------------------------------------------------------------------------------------------------- */

static clump_status run_steps(merge *m, clump_joint *joint)
{
    for (size_t i = 0; i < m->node_count; i++) m->parent[i] = i;
    CLUMP_TRY(unite_clusters(m));
    find_firsts(m);
    CLUMP_TRY(clump_poll(m->work));
    sum_sizes(m);
    CLUMP_TRY(clump_poll(m->work));
    const clump_joint_nodes nodes = {m->node_count, m->parent, m->first, m->size};
    return clump_joint_number(m->work, m->settings, &nodes, joint->numbers.data, &joint->clusters);
}

clump_status clump_joint_merge(clump_joint *joint)
{
    merge m = {.work = &joint->home,
               .settings = &joint->settings,
               .parts = joint->parts.data,
               .part_count = (size_t)joint->part_count};
    for (size_t p = 0; p < m.part_count; p++) {
        m.parts[p]->base = m.node_count;
        m.node_count += (size_t)m.parts[p]->piece->cluster_count + (size_t)m.parts[p]->piece->choice_count;
    }
    joint->clusters = 0;
    if (m.node_count == 0) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(m.work, &joint->numbers, m.node_count * sizeof(int64_t)));
    clump_buffer memory = {0};
    CLUMP_TRY(clump_buffer_reserve(m.work, &memory, m.node_count * (2 * sizeof(int64_t) + sizeof(size_t))));
    m.first = memory.data;
    m.size = m.first + m.node_count;
    m.parent = (size_t *)(m.size + m.node_count);
    const clump_status status = run_steps(&m, joint);
    clump_buffer_release(m.work, &memory);
    return status;
}
