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
#include "store/fail.h"
#include "store/results.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_AT_ONCE = 4096 }; /* clusters that are read at a time */

typedef struct numbering {
    clump_big_merging *m;
    uint64_t *at, *next;    /* per tile: clusters before this window, and before the next */
    size_t node, node_next; /* the same for roots, which are sorted by first point */
    clump_pair *roots;      /* first point and node */
    size_t root_count;
    clump_pair *pairs; /* first point and slot; scratch behind them */
    int64_t *values;   /* per slot: size, then number */
    size_t count, capacity;
    uint64_t numbered;
    uint64_t *counts; /* scratch: 2 per rank */
} numbering;

/* ----- collect -------------------------------------------------------------------------------------------------------- */

/* Adds a cluster. False: there is no room. */
static bool add_cluster(numbering *n, int64_t first, int64_t size)
{
    if (n->count == n->capacity) return false;
    n->pairs[n->count] = (clump_pair){(uint64_t)first, n->count};
    n->values[n->count++] = size;
    return true;
}

/* Adds the clusters of a tile with a first point before `end`. */
static clump_status collect_tile(numbering *n, uint32_t tile, int64_t end, bool *full, clump_message *message)
{
    CLUMP_ASSERT(tile < n->m->job->tile_count);
    clump_big_job *const job = n->m->job;
    const clump_big_tile *const t = &job->tiles[tile];
    int64_t firsts[NUMBER_AT_ONCE], values[NUMBER_AT_ONCE];
    for (uint64_t at = n->at[tile]; at < t->clusters; at = n->next[tile]) {
        const size_t now = t->clusters - at < NUMBER_AT_ONCE ? (size_t)(t->clusters - at) : NUMBER_AT_ONCE;
        CLUMP_BIG_TRY(clump_big_results_read(job, t, CLUMP_BIG_PART_FIRSTS, at, now, firsts, message));
        CLUMP_BIG_TRY(clump_big_file_read(&job->numbers, 8 * (t->base + at), values, 8 * now, message));
        size_t k = 0;
        for (; k < now && firsts[k] < end; k++) {
            *full = values[k] > 0 && !add_cluster(n, firsts[k], values[k]);
            if (*full) return CLUMP_OK;
        }
        n->next[tile] = at + k;
        if (k < now) break;
    }
    return CLUMP_OK;
}

static clump_status collect_window(numbering *n, int64_t end, bool *full, clump_message *message)
{
    clump_big_job *const job = n->m->job;
    n->count = 0;
    *full = false;
    memcpy(n->next, n->at, job->tile_count * sizeof *n->next);
    for (uint32_t t = 0; t < job->tile_count && !*full; t++) {
        CLUMP_BIG_TRY(clump_big_workers_poll(&job->workers, message));
        CLUMP_BIG_TRY(collect_tile(n, t, end, full, message));
    }
    n->node_next = n->node;
    while (!*full && n->node_next < n->root_count && (int64_t)n->roots[n->node_next].key < end) {
        const clump_pair *const root = &n->roots[n->node_next];
        *full = !add_cluster(n, (int64_t)root->key, n->m->nodes.node[root->value].size);
        n->node_next += !*full;
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
        *value = (int64_t)(by_size ? clump_big_sizes_take(&n->m->sizes, (uint64_t)*value) : first + k);
    }
}

/* Numbers clusters that came: first points and sizes. *numbers, for free(), are in their order. */
static clump_status number_received(numbering *n, const clump_pair *received, size_t count, int64_t **numbers,
                                    clump_message *message)
{
    clump_big_job *const job = n->m->job;
    clump_pair *const order = malloc(2 * count * sizeof *order + 1);
    *numbers = malloc(count * sizeof **numbers + 1);
    clump_status status = order && *numbers ? CLUMP_OK : clump_big_no_memory(message, 40 * count);
    uint64_t before = count;
    status = clump_big_agree(job, status, message);
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
static clump_status number_by_ranks(numbering *n, clump_big_window *w, clump_message *message)
{
    clump_big_job *const job = n->m->job;
    uint64_t *const came = w->counts + clump_big_ranks(job);
    clump_pair *const sent = malloc(n->count * sizeof *sent + 1);
    int64_t *numbers = NULL;
    void *received = NULL, *back = NULL;
    size_t total = 0;
    clump_status status = sent ? CLUMP_OK : clump_big_no_memory(message, n->count * sizeof *sent);
    status = clump_big_agree(job, status, message);
    for (size_t k = 0; k < n->count && status == CLUMP_OK; k++)
        sent[k] = (clump_pair){n->pairs[k].key, (uint64_t)n->values[n->pairs[k].value]};
    if (status == CLUMP_OK) status = clump_big_route(job, w, sent, n->count, message);
    const bool goes = status == CLUMP_OK && !w->full;
    if (goes) status = clump_big_lists(job, sizeof *sent, sent, w->counts, &received, came, &total, message);
    free(sent);
    if (goes && status == CLUMP_OK) status = number_received(n, received, total, &numbers, message);
    if (goes && status == CLUMP_OK)
        status = clump_big_lists(job, sizeof *numbers, numbers, came, &back, w->counts, &total, message);
    for (size_t k = 0; k < n->count && goes && status == CLUMP_OK; k++)
        n->values[n->pairs[k].value] = ((const int64_t *)back)[k];
    free(received);
    free(numbers);
    free(back);
    return status;
}

static clump_status number_window(numbering *n, clump_big_window *w, clump_message *message)
{
    w->all = n->count;
    if (!w->full) clump_pair_sort(n->pairs, n->pairs + n->capacity, n->count);
    if (clump_big_ranks(n->m->job) > 1)
        CLUMP_BIG_TRY(number_by_ranks(n, w, message));
    else if (!w->full)
        assign(n, n->pairs, n->count, n->numbered, n->values);
    if (!w->full) n->numbered += w->all;
    return CLUMP_OK;
}

/* Writes the numbers of a tile's clusters, from slot *slot on. */
static clump_status write_tile(numbering *n, uint32_t tile, size_t *slot, clump_message *message)
{
    CLUMP_ASSERT(tile < n->m->job->tile_count);
    clump_big_job *const job = n->m->job;
    int64_t values[NUMBER_AT_ONCE];
    for (uint64_t at = n->at[tile], now; at < n->next[tile]; at += now) {
        now = n->next[tile] - at < NUMBER_AT_ONCE ? n->next[tile] - at : NUMBER_AT_ONCE;
        const uint64_t byte = 8 * (job->tiles[tile].base + at);
        CLUMP_BIG_TRY(clump_big_file_read(&job->numbers, byte, values, 8 * (size_t)now, message));
        for (size_t k = 0; k < now; k++)
            if (values[k] > 0) values[k] = n->values[(*slot)++];
        CLUMP_BIG_TRY(clump_big_file_write(&job->numbers, byte, values, 8 * (size_t)now, message));
    }
    return CLUMP_OK;
}

static clump_status write_window(numbering *n, clump_message *message)
{
    size_t slot = 0;
    for (uint32_t t = 0; t < n->m->job->tile_count; t++) {
        CLUMP_BIG_TRY(clump_big_workers_poll(&n->m->job->workers, message));
        CLUMP_BIG_TRY(write_tile(n, t, &slot, message));
    }
    for (; n->node < n->node_next; n->node++) n->m->nodes.node[n->roots[n->node].value].number = n->values[slot++];
    memcpy(n->at, n->next, n->m->job->tile_count * sizeof *n->at);
    return CLUMP_OK;
}

static clump_status run_windows(numbering *n, clump_message *message)
{
    clump_big_job *const job = n->m->job;
    const int64_t first = (int64_t)job->hooks->first_block * CLUMP_BLOCK_POINTS,
                  last = first + (int64_t)job->info.count;
    const uint64_t room = n->capacity * (uint64_t)clump_big_ranks(job);
    int64_t step = (last - first) / (int64_t)(n->m->clusters / room + 1) + 1;
    for (int64_t from = first; from < last;) {
        const double part = (double)(from - first) / (double)(last - first);
        clump_status status = clump_big_step(
            job, CLUMP_BIG_MERGE, clump_big_between(CLUMP_BIG_SIZES_END, CLUMP_BIG_WINDOWS_END, part), message);
        clump_big_window w = {.from = from, .end = step < last - from ? from + step : last};
        w.most = n->capacity, w.counts = n->counts, w.whole = job->settings.order == CLUMP_ORDER_SIZE;
        if (status == CLUMP_OK) status = collect_window(n, w.end, &w.full, message);
        CLUMP_BIG_TRY(clump_big_agree(job, status, message));
        CLUMP_BIG_TRY(number_window(n, &w, message));
        if (w.full) { /* one index is the first point of one cluster, so a step of `capacity` always fits */
            step = step / 2 > 0 ? step / 2 : 1;
            continue;
        }
        CLUMP_BIG_TRY(clump_big_agree(job, write_window(n, message), message));
        from = w.end;
    }
    return CLUMP_OK;
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

static clump_status make_numbering(numbering *n, clump_message *message)
{
    clump_big_merging *const m = n->m;
    const size_t tiles = m->job->tile_count;
    n->capacity = m->job->budget.entries;
    if (n->capacity > m->clusters) n->capacity = (size_t)m->clusters + 1;
    n->at = calloc(2 * tiles, sizeof *n->at);
    n->next = n->at ? n->at + tiles : NULL;
    n->pairs = malloc(2 * n->capacity * sizeof *n->pairs);
    n->values = malloc(n->capacity * sizeof *n->values);
    n->counts = calloc(2 * (size_t)clump_big_ranks(m->job), sizeof *n->counts);
    if (!n->at || !n->pairs || !n->values || !n->counts)
        return clump_big_no_memory(message, n->capacity * (2 * sizeof *n->pairs + sizeof *n->values));
    return list_roots(n, message);
}

static clump_status run_steps(numbering *n, clump_message *message)
{
    clump_big_merging *const m = n->m;
    clump_big_job *const job = m->job;
    CLUMP_BIG_TRY(clump_big_agree(job, make_numbering(n, message), message));
    CLUMP_BIG_TRY(clump_big_sizes_gather(job, &m->sizes, message));
    CLUMP_BIG_TRY(clump_big_agree(job, clump_big_sizes_rank(&m->sizes, message), message));
    CLUMP_BIG_TRY(run_windows(n, message));
    CLUMP_BIG_TRY(clump_big_crossing_share(job, &m->nodes, &m->mine, m->mine.values, combine_numbers, message));
    return clump_big_agree(job, finish_tiles(m, message), message);
}

clump_status clump_big_number(clump_big_merging *m, clump_message *message)
{
    numbering n = {.m = m};
    const clump_status status = run_steps(&n, message);
    free(n.at);
    free(n.pairs);
    free(n.values);
    free(n.counts);
    free(n.roots);
    return status;
}
