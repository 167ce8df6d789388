/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number.c: numbers the clusters by their first point, or by size and then by first point. Within a tile the first
 * points of clusters ascend. So clusters are numbered in windows of the index: those of a window are sorted by first
 * point, and get the numbers after those of the windows before.
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

static void number_window(numbering *n)
{
    const bool by_size = n->m->job->settings.order == CLUMP_ORDER_SIZE;
    clump_pair_sort(n->pairs, n->pairs + n->capacity, n->count);
    for (size_t k = 0; k < n->count; k++) {
        int64_t *const value = &n->values[n->pairs[k].value];
        *value = (int64_t)(by_size ? clump_big_sizes_take(&n->m->sizes, (uint64_t)*value) : n->numbered + k);
    }
    n->numbered += n->count;
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
    int64_t step = (last - first) / (int64_t)(n->m->clusters / n->capacity + 1) + 1;
    for (int64_t from = first; from < last;) {
        bool full;
        const double part = (double)(from - first) / (double)(last - first);
        CLUMP_BIG_TRY(clump_big_step(job, CLUMP_BIG_MERGE,
                                     clump_big_between(CLUMP_BIG_SIZES_END, CLUMP_BIG_WINDOWS_END, part), message));
        const int64_t end = step < last - from ? from + step : last;
        CLUMP_BIG_TRY(collect_window(n, end, &full, message));
        if (full) { /* one index is the first point of one cluster, so a step of `capacity` always fits */
            step = step / 2 > 0 ? step / 2 : 1;
            continue;
        }
        number_window(n);
        CLUMP_BIG_TRY(write_window(n, message));
        from = end;
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
    size_t n = clump_big_nodes_from(&m->nodes, t->base);
    for (; n < m->nodes.count && m->nodes.node[n].id < end && status == CLUMP_OK; n++)
        values[m->nodes.node[n].id - t->base] = m->nodes.node[m->nodes.node[n].parent].number;
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

static clump_status run_steps(numbering *n, clump_message *message)
{
    clump_big_merging *const m = n->m;
    CLUMP_BIG_TRY(list_roots(n, message));
    CLUMP_BIG_TRY(clump_big_sizes_rank(&m->sizes, message));
    CLUMP_BIG_TRY(run_windows(n, message));
    for (uint32_t t = 0; t < m->job->tile_count; t++) {
        const clump_big_tile *const tile = &m->job->tiles[t];
        const size_t node = clump_big_nodes_from(&m->nodes, tile->base);
        const double part = (double)t / m->job->tile_count;
        CLUMP_BIG_TRY(
            clump_big_step(m->job, CLUMP_BIG_MERGE, clump_big_between(CLUMP_BIG_WINDOWS_END, 1, part), message));
        const bool crosses = node < m->nodes.count && m->nodes.node[node].id < tile->base + tile->clusters;
        if (crosses || tile->choices > 0) CLUMP_BIG_TRY(finish_tile(m, tile, message));
    }
    return CLUMP_OK;
}

clump_status clump_big_number(clump_big_merging *m, clump_message *message)
{
    const size_t tiles = m->job->tile_count;
    numbering n = {.m = m, .capacity = m->job->budget.entries};
    if (n.capacity > m->clusters) n.capacity = (size_t)m->clusters + 1;
    n.at = calloc(2 * tiles, sizeof *n.at);
    n.next = n.at ? n.at + tiles : NULL;
    n.pairs = malloc(2 * n.capacity * sizeof *n.pairs);
    n.values = malloc(n.capacity * sizeof *n.values);
    clump_status status = CLUMP_OK;
    if (!n.at || !n.pairs || !n.values)
        status = clump_big_no_memory(message, n.capacity * (2 * sizeof *n.pairs + sizeof *n.values));
    if (status == CLUMP_OK) status = run_steps(&n, message);
    free(n.at);
    free(n.pairs);
    free(n.values);
    free(n.roots);
    return status;
}
