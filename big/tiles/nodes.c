/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nodes.c: see tiles.h.
 */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "common/sort.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_PER_POLL = 1 << 16 };

static uint64_t hash_of(uint64_t id)
{
    id = (id ^ id >> 33) * UINT64_C(0xff51afd7ed558ccd);
    return id ^ id >> 33;
}

static clump_status grow(clump_big_nodes *n, clump_message *message)
{
    const size_t capacity = n->capacity ? 2 * n->capacity : 1024;
    clump_big_node *const node = realloc(n->node, capacity * sizeof *node);
    if (!node) return clump_big_no_memory(message, capacity * sizeof *node);
    n->node = node;
    size_t *const slots = calloc(2 * capacity, sizeof *slots);
    if (!slots) return clump_big_no_memory(message, 2 * capacity * sizeof *slots);
    free(n->slots);
    n->slots = slots;
    n->capacity = capacity;
    n->slot_mask = 2 * capacity - 1;
    for (size_t i = 0; i < n->count; i++) {
        size_t slot = (size_t)hash_of(node[i].id) & n->slot_mask;
        while (slots[slot]) slot = (slot + 1) & n->slot_mask;
        slots[slot] = i + 1;
    }
    return CLUMP_OK;
}

/* Finds the node of an id, or makes it. */
static clump_status node_of(clump_big_nodes *n, uint64_t id, size_t *out, clump_message *message)
{
    if (n->count == n->capacity) CLUMP_BIG_TRY(grow(n, message));
    CLUMP_ASSERT(n->slots && n->count < n->capacity && (n->slot_mask & (n->slot_mask + 1)) == 0);
    size_t slot = (size_t)hash_of(id) & n->slot_mask;
    while (n->slots[slot] && n->node[n->slots[slot] - 1].id != id) slot = (slot + 1) & n->slot_mask;
    if (!n->slots[slot]) {
        if (n->most > 0 && n->count == n->most)
            return clump_big_fail(message, CLUMP_ERR_OUT_OF_MEMORY,
                                  "more than %zu clusters cross from tile to tile, and half of the memory is full of "
                                  "them: a larger --ram is needed",
                                  n->most);
        n->node[n->count] = (clump_big_node){.id = id, .parent = n->count, .first = INT64_MAX, .number = CLUMP_NOISE};
        n->slots[slot] = ++n->count;
    }
    *out = n->slots[slot] - 1;
    return CLUMP_OK;
}

static size_t root_of(clump_big_node *node, size_t i)
{
    while (node[i].parent != i) {
        node[i].parent = node[node[i].parent].parent; /* halves the path */
        i = node[i].parent;
    }
    return i;
}

clump_status clump_big_nodes_unite(clump_big_nodes *nodes, uint64_t a, uint64_t b, clump_message *message)
{
    size_t x, y;
    CLUMP_BIG_TRY(node_of(nodes, a, &x, message));
    CLUMP_BIG_TRY(node_of(nodes, b, &y, message));
    CLUMP_ASSERT(x < nodes->count && y < nodes->count);
    x = root_of(nodes->node, x);
    y = root_of(nodes->node, y);
    if (x != y) nodes->links++;
    /* By hash, not by order: chains of tiles would become chains of nodes. */
    if (hash_of(nodes->node[x].id) < hash_of(nodes->node[y].id))
        nodes->node[y].parent = x;
    else
        nodes->node[x].parent = y;
    return CLUMP_OK;
}

clump_status clump_big_nodes_finish(const clump_big_job *job, clump_big_nodes *nodes, clump_message *message)
{
    CLUMP_ASSERT(nodes->count <= nodes->capacity);
    const size_t count = nodes->count;
    free(nodes->slots);
    nodes->slots = NULL;
    if (count == 0) return CLUMP_OK;
    clump_pair *const order = malloc(2 * count * sizeof *order);
    clump_big_node *sorted = malloc(count * sizeof *sorted);
    size_t *const place = malloc(count * sizeof *place);
    clump_status status = CLUMP_OK;
    if (!order || !sorted || !place)
        status = clump_big_no_memory(message, count * (2 * sizeof *order + sizeof *sorted + sizeof *place));
    if (status == CLUMP_OK) {
        for (size_t i = 0; i < count; i++) order[i] = (clump_pair){nodes->node[i].id, i};
        clump_pair_sort(order, order + count, count);
        for (size_t k = 0; k < count; k++) place[order[k].value] = k;
    }
    for (size_t i = 0; i < count && status == CLUMP_OK; i++) {
        sorted[place[i]] = nodes->node[i];
        sorted[place[i]].parent = place[root_of(nodes->node, i)];
        if (i % NODES_PER_POLL == 0) status = clump_big_workers_poll(&job->workers, message);
    }
    if (status == CLUMP_OK) {
        clump_big_node *const unsorted = nodes->node;
        nodes->node = sorted, sorted = unsorted;
    }
    free(sorted);
    free(order);
    free(place);
    return status;
}

clump_status clump_big_nodes_gather(clump_big_job *job, clump_big_nodes *nodes, clump_message *message)
{
    if (clump_big_ranks(job) == 1) return CLUMP_OK;
    const bool first = clump_big_rank(job) == 0; /* which has its own */
    uint64_t *const links = malloc(2 * nodes->count * sizeof *links + 1);
    clump_status status = clump_big_agree_made(job, links, 2 * nodes->count * sizeof *links, message);
    void *received = NULL;
    size_t count = 0, total = 0;
    for (size_t i = 0; i < nodes->count && status == CLUMP_OK && !first; i++) {
        if (nodes->node[i].parent == i) continue;
        links[2 * count] = nodes->node[i].id;
        links[2 * count++ + 1] = nodes->node[nodes->node[i].parent].id;
    }
    if (status == CLUMP_OK)
        status = clump_big_to_first(job, 2 * sizeof *links, links, count, &received, &total, message);
    free(links);
    if (!first) clump_big_nodes_release(nodes);
    const uint64_t *const pairs = received;
    for (size_t i = 0; i < total && status == CLUMP_OK; i++) {
        status = clump_big_nodes_unite(nodes, pairs[2 * i], pairs[2 * i + 1], message);
        if (status == CLUMP_OK && i % NODES_PER_POLL == 0) status = clump_big_workers_poll(&job->workers, message);
    }
    free(received);
    return clump_big_agree(job, status, message);
}

void clump_big_nodes_release(clump_big_nodes *nodes)
{
    free(nodes->node);
    free(nodes->slots);
    *nodes = (clump_big_nodes){0};
}

/* ----- lists ---------------------------------------------------------------------------------------------------------- */

static clump_status make_list(clump_big_job *job, const clump_big_nodes *nodes, clump_big_crossing *out, uint64_t **ids,
                              clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(job);
    out->counts = calloc(2 * ranks, sizeof *out->counts);
    out->received = out->counts ? out->counts + ranks : NULL;
    *ids = malloc(nodes->count * sizeof **ids + 1);
    if (!out->counts || !*ids) return clump_big_no_memory(message, nodes->count * sizeof **ids);
    for (size_t i = 0, rank = 0; i < nodes->count; i++) {
        (*ids)[i] = nodes->node[i].id;
        while ((*ids)[i] >= job->first_label[rank + 1]) rank++;
        CLUMP_ASSERT(rank < ranks);
        (*ids)[i] -= job->first_label[rank];
        out->counts[rank]++;
    }
    return CLUMP_OK;
}

clump_status clump_big_crossing_make(clump_big_job *job, const clump_big_nodes *nodes, clump_big_crossing *out,
                                     clump_message *message)
{
    uint64_t *ids = NULL;
    void *mine = NULL;
    clump_status status = clump_big_agree(job, make_list(job, nodes, out, &ids, message), message);
    if (status == CLUMP_OK)
        status = clump_big_lists(job, sizeof *ids, ids, out->counts, &mine, out->received, &out->count, message);
    free(ids);
    out->ids = mine;
    if (status != CLUMP_OK) return status;
    out->firsts = malloc(out->count * sizeof *out->firsts + 1);
    out->values = calloc(out->count + 1, sizeof *out->values);
    const bool made = out->firsts && out->values;
    for (size_t i = 0; i < out->count && made; i++) out->firsts[i] = INT64_MAX;
    return clump_big_agree_made(job, made, 16 * out->count, message);
}

clump_status clump_big_crossing_share(clump_big_job *job, clump_big_nodes *nodes, const clump_big_crossing *list,
                                      int64_t *values, clump_big_combine *combine, clump_message *message)
{
    void *all = NULL, *back = NULL;
    size_t total = 0;
    clump_status status = clump_big_to_first(job, sizeof *values, values, list->count, &all, &total, message);
    CLUMP_ASSERT(status != CLUMP_OK || clump_big_rank(job) != 0 || total == nodes->count);
    if (status == CLUMP_OK) combine(nodes, all);
    if (status == CLUMP_OK)
        status = clump_big_lists(job, sizeof *values, all, list->counts, &back, list->received, &total, message);
    if (status == CLUMP_OK && total > 0) memcpy(values, back, total * sizeof *values);
    free(all);
    free(back);
    return status;
}

size_t clump_big_crossing_from(const clump_big_crossing *list, uint64_t id)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void clump_big_crossing_release(clump_big_crossing *list)
{
    free(list->ids);
    free(list->firsts);
    free(list->values);
    free(list->counts);
    *list = (clump_big_crossing){0};
}
