/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number.c: numbers the clusters by their first point, or by size and then by first point. Within a tile the first
 * points of clusters ascend. So clusters are numbered in windows of the index: those of a window are sorted by first
 * point, and get the numbers after those of the windows before. With several ranks each sorts a part of a window; rank 0
 * sorts all of it where numbers go by size.
 */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "common/sort.h"
#include "store/results.h"

#include <stdlib.h>

enum { NUMBER_AT_ONCE = 4096 }; /* clusters that are read at a time */

/* ----- sizes ---------------------------------------------------------------------------------------------------------- */

/* Returns the slot of a size, or the empty slot where it belongs. */
static clump_big_size *slot_of(const clump_big_sizes *s, uint64_t size)
{
    CLUMP_ASSERT(size > 0 && s->capacity > 0 && (s->capacity & (s->capacity - 1)) == 0);
    size_t slot = (size_t)((size * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (s->capacity - 1);
    while (s->slots[slot].size && s->slots[slot].size != size) slot = (slot + 1) & (s->capacity - 1);
    return &s->slots[slot];
}

static clump_status grow_sizes(clump_big_sizes *s, clump_message *message)
{
    clump_big_sizes grown = {.used = s->used, .capacity = s->capacity ? 2 * s->capacity : 256};
    grown.slots = calloc(grown.capacity, sizeof *grown.slots);
    if (!grown.slots) return clump_big_no_memory(message, grown.capacity * sizeof *grown.slots);
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slots[i].size) *slot_of(&grown, s->slots[i].size) = s->slots[i];
    free(s->slots);
    *s = grown;
    return CLUMP_OK;
}

clump_status clump_big_sizes_add(clump_big_sizes *sizes, uint64_t size, uint64_t count, clump_message *message)
{
    CLUMP_ASSERT(size >= 1);
    if (2 * sizes->used >= sizes->capacity) CLUMP_BIG_TRY(grow_sizes(sizes, message));
    clump_big_size *const slot = slot_of(sizes, size);
    sizes->used += slot->size == 0;
    slot->size = size;
    slot->count += count;
    return CLUMP_OK;
}

/* Adds the sizes of all ranks up, on rank 0. */
static clump_status gather_sizes(clump_big_job *job, clump_big_sizes *sizes, clump_message *message)
{
    const bool first = clump_big_rank(job) == 0; /* which has its own */
    void *received = NULL;
    size_t total = 0;
    if (clump_big_ranks(job) == 1) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_to_first(job, sizeof *sizes->slots, sizes->slots, first ? 0 : sizes->capacity, &received,
                                     &total, message));
    const clump_big_size *const all = received;
    clump_status status = CLUMP_OK;
    for (size_t i = 0; i < total && status == CLUMP_OK; i++)
        if (all[i].size) status = clump_big_sizes_add(sizes, all[i].size, all[i].count, message);
    free(received);
    return clump_big_agree(job, status, message);
}

/* Gives every size its first number: larger sizes first. */
static clump_status rank_sizes(clump_big_sizes *sizes, clump_message *message)
{
    clump_pair *const order = malloc((2 * sizes->used + 1) * sizeof *order);
    if (!order) return clump_big_no_memory(message, 2 * sizes->used * sizeof *order);
    size_t n = 0;
    for (size_t i = 0; i < sizes->capacity; i++)
        if (sizes->slots[i].size) order[n++] = (clump_pair){UINT64_MAX - sizes->slots[i].size, i};
    CLUMP_ASSERT(n == sizes->used);
    clump_pair_sort(order, order + n, n);
    uint64_t next = 0;
    for (size_t k = 0; k < n; k++) {
        clump_big_size *const slot = &sizes->slots[order[k].value];
        slot->next = next;
        next += slot->count;
    }
    free(order);
    return CLUMP_OK;
}

/* Returns the next number of a size that was added. */
static uint64_t take_number(clump_big_sizes *sizes, uint64_t size)
{
    return slot_of(sizes, size)->next++;
}

void clump_big_sizes_release(clump_big_sizes *sizes)
{
    free(sizes->slots);
    *sizes = (clump_big_sizes){0};
}

/* ----- windows -------------------------------------------------------------------------------------------------------- */

typedef struct numbering {
    clump_big_merging *m;
    clump_pair *roots; /* first point and node, sorted */
    size_t root_count;
    int64_t *values; /* per entry of a window, in the order in which they were added: size, then number */
    uint64_t numbered;
} numbering;

/* Adds a cluster to the window. False: there is no room. */
static bool add_cluster(clump_big_windows *w, int64_t first, int64_t size)
{
    numbering *const n = w->user;
    if (!clump_big_windows_add(w, first, w->count)) return false;
    n->values[w->count - 1] = size;
    return true;
}

static void collect_roots(clump_big_windows *w, size_t list)
{
    const numbering *const n = w->user;
    for (; w->next[list] < n->root_count && (int64_t)n->roots[w->next[list]].key < w->end; w->next[list]++) {
        const clump_pair *const root = &n->roots[w->next[list]];
        if (!add_cluster(w, (int64_t)root->key, n->m->nodes.node[root->value].size)) return;
    }
}

/* Adds the clusters of a tile; the list after the tiles has the roots. */
static clump_status collect(clump_big_windows *w, size_t list, clump_message *message)
{
    clump_big_job *const job = w->job;
    if (list == job->tile_count) return collect_roots(w, list), CLUMP_OK;
    const clump_big_tile *const t = &job->tiles[list];
    int64_t firsts[NUMBER_AT_ONCE], values[NUMBER_AT_ONCE];
    for (uint64_t at = w->at[list]; at < t->clusters; at = w->next[list]) {
        const size_t now = t->clusters - at < NUMBER_AT_ONCE ? (size_t)(t->clusters - at) : NUMBER_AT_ONCE;
        CLUMP_BIG_TRY(clump_big_results_read(job, t, CLUMP_BIG_PART_FIRSTS, at, now, firsts, message));
        CLUMP_BIG_TRY(clump_big_file_read(&job->numbers, 8 * (t->base + at), values, 8 * now, message));
        size_t k = 0;
        for (; k < now && firsts[k] < w->end; k++)
            if (values[k] > 0 && !add_cluster(w, firsts[k], values[k])) return CLUMP_OK;
        w->next[list] = at + k;
        if (k < now) break;
    }
    return CLUMP_OK;
}

/* ----- number --------------------------------------------------------------------------------------------------------- */

/* Replaces sizes by numbers, in the order of the pairs; `first` is the first one. */
static void assign(numbering *n, const clump_pair *pairs, size_t count, uint64_t first, int64_t *values)
{
    const bool by_size = n->m->job->settings.order == CLUMP_ORDER_SIZE;
    for (size_t k = 0; k < count; k++) {
        int64_t *const value = &values[pairs[k].value];
        *value = (int64_t)(by_size ? take_number(&n->m->sizes, (uint64_t)*value) : first + k);
    }
}

/* Numbers clusters that came: first points and sizes. *numbers, for free(), are in their order. */
static clump_status number_received(numbering *n, const clump_pair *received, size_t count, int64_t **numbers,
                                    clump_message *message)
{
    clump_big_job *const job = n->m->job;
    clump_pair *const order = malloc(2 * count * sizeof *order + 1);
    *numbers = malloc(count * sizeof **numbers + 1);
    clump_status status = clump_big_agree_made(job, order && *numbers, 40 * count, message);
    uint64_t before = count;
    if (status == CLUMP_OK) status = clump_big_sent(job, clump_mail_before(&job->mail, &before), message);
    for (size_t i = 0; i < count && status == CLUMP_OK; i++) {
        order[i] = (clump_pair){received[i].key, i};
        (*numbers)[i] = (int64_t)received[i].value;
    }
    if (status == CLUMP_OK) {
        clump_pair_sort(order, order + count, count);
        assign(n, order, count, n->numbered + before, *numbers);
    }
    free(order);
    return status;
}

/* Sends the clusters of the window to the ranks that number them, and gets their numbers. */
static clump_status number_by_ranks(clump_big_windows *w, clump_message *message)
{
    numbering *const n = w->user;
    clump_big_job *const job = w->job;
    uint64_t *const came = w->counts + clump_big_ranks(job);
    clump_pair *const sent = malloc(w->count * sizeof *sent + 1);
    int64_t *numbers = NULL;
    void *received = NULL, *back = NULL;
    size_t total = 0;
    clump_status status = clump_big_agree_made(job, sent, w->count * sizeof *sent, message);
    for (size_t k = 0; k < w->count && status == CLUMP_OK; k++)
        sent[k] = (clump_pair){w->pairs[k].key, (uint64_t)n->values[w->pairs[k].value]};
    if (status == CLUMP_OK)
        status = clump_big_lists(job, sizeof *sent, sent, w->counts, &received, came, &total, message);
    free(sent);
    if (status == CLUMP_OK) status = number_received(n, received, total, &numbers, message);
    if (status == CLUMP_OK)
        status = clump_big_lists(job, sizeof *numbers, numbers, came, &back, w->counts, &total, message);
    for (size_t k = 0; k < w->count && status == CLUMP_OK; k++)
        n->values[w->pairs[k].value] = ((const int64_t *)back)[k];
    free(received);
    free(numbers);
    free(back);
    return status;
}

/* Writes the numbers of a tile's clusters, from values[*slot] on. */
static clump_status write_tile(const clump_big_windows *w, uint32_t tile, size_t *slot, clump_message *message)
{
    const numbering *const n = w->user;
    clump_big_job *const job = w->job;
    int64_t values[NUMBER_AT_ONCE];
    for (uint64_t at = w->at[tile], now; at < w->next[tile]; at += now) {
        now = w->next[tile] - at < NUMBER_AT_ONCE ? w->next[tile] - at : NUMBER_AT_ONCE;
        const uint64_t byte = 8 * (job->tiles[tile].base + at);
        CLUMP_BIG_TRY(clump_big_file_read(&job->numbers, byte, values, 8 * (size_t)now, message));
        for (size_t k = 0; k < now; k++)
            if (values[k] > 0) values[k] = n->values[(*slot)++];
        CLUMP_BIG_TRY(clump_big_file_write(&job->numbers, byte, values, 8 * (size_t)now, message));
    }
    return CLUMP_OK;
}

static clump_status write_window(const clump_big_windows *w, clump_message *message)
{
    const numbering *const n = w->user;
    const uint32_t tiles = w->job->tile_count;
    size_t slot = 0;
    for (uint32_t t = 0; t < tiles; t++) {
        CLUMP_BIG_TRY(clump_big_workers_poll(&w->job->workers, message));
        CLUMP_BIG_TRY(write_tile(w, t, &slot, message));
    }
    for (uint64_t k = w->at[tiles]; k < w->next[tiles]; k++)
        n->m->nodes.node[n->roots[k].value].number = n->values[slot++];
    return CLUMP_OK;
}

static clump_status number_window(clump_big_windows *w, clump_message *message)
{
    numbering *const n = w->user;
    if (clump_big_ranks(w->job) > 1)
        CLUMP_BIG_TRY(number_by_ranks(w, message));
    else
        assign(n, w->pairs, w->count, n->numbered, n->values);
    n->numbered += w->all;
    return clump_big_agree(w->job, write_window(w, message), message);
}

/* ----- the rest ------------------------------------------------------------------------------------------------------- */

/* Writes the numbers of clusters that cross, and of choices. */
static clump_status finish_tile(const clump_big_merging *m, const clump_big_tile *t, clump_message *message)
{
    const size_t labels = (size_t)t->clusters + t->choices;
    const uint64_t end = t->base + t->clusters;
    int64_t *const values = malloc(8 * labels);
    if (!values) return clump_big_no_memory(message, 8 * labels);
    clump_status status = clump_big_file_read(&m->job->numbers, 8 * t->base, values, 8 * labels, message);
    size_t n = clump_big_crossing_from(&m->mine, t->base);
    for (; n < m->mine.count && m->mine.ids[n] < end && status == CLUMP_OK; n++)
        values[m->mine.ids[n] - t->base] = m->mine.values[n];
    for (uint32_t k = 0; k < t->choices && status == CLUMP_OK; k++)
        values[t->clusters + k] = values[values[t->clusters + k]];
    if (status == CLUMP_OK) status = clump_big_file_write(&m->job->numbers, 8 * t->base, values, 8 * labels, message);
    free(values);
    return status;
}

static clump_status list_roots(numbering *n, clump_message *message)
{
    const clump_big_nodes *const nodes = &n->m->nodes;
    n->roots = malloc((2 * nodes->count + 1) * sizeof *n->roots);
    if (!n->roots) return clump_big_no_memory(message, 2 * nodes->count * sizeof *n->roots);
    for (size_t k = 0; k < nodes->count; k++)
        if (nodes->node[k].parent == k && nodes->node[k].first != INT64_MAX)
            n->roots[n->root_count++] = (clump_pair){(uint64_t)nodes->node[k].first, k};
    CLUMP_ASSERT(n->root_count <= nodes->count);
    clump_pair_sort(n->roots, n->roots + n->root_count, n->root_count);
    return CLUMP_OK;
}

/* The numbers of whole clusters. */
static void combine_numbers(clump_big_nodes *nodes, int64_t *values)
{
    for (size_t n = 0; n < nodes->count; n++) values[n] = nodes->node[nodes->node[n].parent].number;
}

static clump_status finish_tiles(clump_big_merging *m, clump_message *message)
{
    for (uint32_t t = 0; t < m->job->tile_count; t++) {
        const clump_big_tile *const tile = &m->job->tiles[t];
        const size_t n = clump_big_crossing_from(&m->mine, tile->base);
        const double part = (double)t / m->job->tile_count;
        CLUMP_BIG_TRY(
            clump_big_step(m->job, CLUMP_BIG_MERGE, clump_big_between(CLUMP_BIG_WINDOWS_END, 1, part), message));
        const bool crosses = n < m->mine.count && m->mine.ids[n] < tile->base + tile->clusters;
        if (crosses || tile->choices > 0) CLUMP_BIG_TRY(finish_tile(m, tile, message));
    }
    return CLUMP_OK;
}

static clump_status run_steps(numbering *n, clump_message *message)
{
    clump_big_merging *const m = n->m;
    clump_big_job *const job = m->job;
    clump_big_windows w = {.job = job,
                           .user = n,
                           .lists = (size_t)job->tile_count + 1,
                           .capacity =
                               job->budget.entries < m->clusters ? job->budget.entries : (size_t)m->clusters + 1,
                           .begin = CLUMP_BIG_SIZES_END,
                           .finish = CLUMP_BIG_WINDOWS_END,
                           .to_first = job->settings.order == CLUMP_ORDER_SIZE,
                           .read = collect,
                           .use = number_window};
    n->values = malloc(w.capacity * sizeof *n->values);
    clump_status status = n->values ? CLUMP_OK : clump_big_no_memory(message, w.capacity * sizeof *n->values);
    if (status == CLUMP_OK) status = list_roots(n, message);
    CLUMP_BIG_TRY(clump_big_agree(job, status, message));
    CLUMP_BIG_TRY(gather_sizes(job, &m->sizes, message));
    CLUMP_BIG_TRY(clump_big_agree(job, rank_sizes(&m->sizes, message), message));
    CLUMP_BIG_TRY(clump_big_windows_run(&w, m->clusters, message));
    CLUMP_BIG_TRY(clump_big_crossing_share(job, &m->nodes, &m->mine, m->mine.values, combine_numbers, message));
    return clump_big_agree(job, finish_tiles(m, message), message);
}

clump_status clump_big_number(clump_big_merging *m, clump_message *message)
{
    numbering n = {.m = m};
    const clump_status status = run_steps(&n, message);
    free(n.values);
    free(n.roots);
    return status;
}
